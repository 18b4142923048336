#include <stdio.h>
#include "cli/cli.h"

static const cli_verb *const verbs[] = {
    &cli_generate, &cli_compare, &cli_import, &cli_inspect, &cli_chain, &cli_bench, NULL,
};

int main(int argc, char **argv)
{
    cli c = {.memory = arena_new(), .least = DIAG_WARNING};
    c.diag = diag_new(c.memory);
    int status = cli_run(&c, verbs, argc - 1, argv + 1);
    bool stdout_failed = fflush(stdout) != 0 || ferror(stdout);
    if (stdout_failed) diag_error(&c.diag, (place){0}, "cannot write to the standard output");
    diag_print(&c.diag, c.least, stderr);
    arena_free(c.memory);
    return stdout_failed && status == CLI_OK ? CLI_FAILED : status;
}
