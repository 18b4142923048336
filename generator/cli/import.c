#include <stddef.h>
#include "cli.h"

typedef struct import_options {
    const char *output, *name;
    int base; /* base_choice */
    bool allow_unphysical;
    double clean;
} import_options;

static const cli_option options[] = {
    {"-o", CLI_TEXT, offsetof(import_options, output), "ROBOT.yaml", NULL,
     "where to write, instead of to the terminal"},
    {"--base", CLI_CHOICE, offsetof(import_options, base), "fixed|floating", NULL,
     "the root link is the ground, or free; a URDF has no say in it"},
    {"--name", CLI_TEXT, offsetof(import_options, name), "NAME", NULL, "instead of the robot's own"},
    {"--clean", CLI_REAL, offsetof(import_options, clean), "TOL", "1e-9",
     "components below this part of their vector become 0, rotations this near to right angles exact; 0: none"},
    {"--allow-unphysical", CLI_FLAG, offsetof(import_options, allow_unphysical), NULL, NULL,
     "impossible masses and inertias are warnings, not errors"},
    {0},
};

static int run(cli *c)
{
    const import_options *o = c->options;
    read_options reading = {.clean = o->clean, .allow_unphysical = o->allow_unphysical};
    c->least = DIAG_NOTE;
    robot *r = robot_read(c->memory, c->args[0], &reading, &c->diag);
    if (!r) return CLI_FAILED;
    cli_warn_base(c, r, o->base);
    if (o->base) r->floating = o->base == BASE_FLOATING;
    if (o->name) r->name = o->name;
    return cli_write_robot(c, r, o->output) ? CLI_OK : CLI_FAILED;
}

const cli_verb cli_import = {
    .name = "import",
    .summary = "Turns a URDF into a robot description in YAML",
    .arguments = "ROBOT.urdf [-o ROBOT.yaml]",
    .help = "Numbers are kept bit for bit, but for noise, which is cleaned; notes say what was changed or assumed.",
    .min_args = 1,
    .max_args = 1,
    .size = sizeof(import_options),
    .options = {options},
    .run = run,
};
