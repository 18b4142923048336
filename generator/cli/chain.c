#include <stddef.h>
#include <stdlib.h>
#include "cli.h"

enum { MOST = 1000000 };

typedef struct chain_options {
    int branching;
    const char *output;
} chain_options;

static const cli_option options[] = {
    {"--branching", CLI_INT, offsetof(chain_options, branching), "B", "1", "children of each body"},
    {"-o", CLI_TEXT, offsetof(chain_options, output), "FILE", NULL, "where to write, instead of to the terminal"},
    {0},
};

static int run(cli *c)
{
    const chain_options *o = c->options;
    char *end;
    long n = strtol(c->args[0], &end, 10);
    if (*end || n < 1 || n > MOST)
        return cli_usage_error(c, "N: '%s' found, a number from 1 to %d expected", c->args[0], MOST);
    if (o->branching < 1) return cli_usage_error(c, "option --branching: at least 1 expected");
    const robot *r = robot_chain(c->memory, (int)n, o->branching);
    return cli_write_robot(c, r, o->output) ? CLI_OK : CLI_FAILED;
}

const cli_verb cli_chain = {
    .name = "chain",
    .summary = "Writes a synthetic robot: a chain or tree of N equal bodies",
    .arguments = "N [--branching B] [-o FILE]",
    .help = "Every body is 1 m long and hangs by a revolute joint; each carries B others until N are there.",
    .min_args = 1,
    .max_args = 1,
    .size = sizeof(chain_options),
    .options = {options},
    .run = run,
};
