#include "cli.h"

#include <stddef.h>
#include <stdlib.h>
#include "base/file.h"
#include "words.h"

const cli_option cli_robot_options[] = {
    {"--base", CLI_CHOICE, offsetof(cli_robot, base), "fixed|floating", NULL, "the root link is the ground, or free"},
    {"--mimic", CLI_CHOICE, offsetof(cli_robot, mimic), "dependent|independent", "dependent",
     "mimic joints follow their master, or move on their own"},
    {"--gravity", CLI_GRAVITY, offsetof(cli_robot, gravity), "X,Y,Z|runtime", NULL,
     "instead of the robot's own, or an input of the kernels"},
    {"--name", CLI_TEXT, offsetof(cli_robot, name), "NAME", NULL, "instead of the robot's own"},
    {"--armature", CLI_REAL, offsetof(cli_robot, armature), "VALUE", NULL,
     "rotor inertia (kg m^2, sliding: kg) of joints that have none; not of floating and of mimic joints"},
    {"--allow-unphysical", CLI_FLAG, offsetof(cli_robot, allow_unphysical), NULL, NULL,
     "impossible masses and inertias are warnings, not errors"},
    {"--clean", CLI_REAL, offsetof(cli_robot, clean), "TOL", "1e-9",
     "URDF: components below this part of their vector become 0, rotations this near to right angles exact"},
    {0},
};

void cli_warn_base(cli *c, const robot *r, int base)
{
    if (base || !r->base_unsaid || r->links[0].mass <= 0) return;
    diag_warning(
        &c->diag, r->links[0].at,
        "link '%s', the root, has mass and is taken for a part of the ground, because a URDF cannot say whether "
        "it is free: --base floating if it is, --base fixed if it is not",
        r->links[0].name);
}

bool cli_load(cli *c, const char *path, robot **r, model **m)
{
    const cli_robot *o = c->options;
    read_options reading = {.clean = o->clean, .allow_unphysical = o->allow_unphysical};
    robot *read = robot_read(c->memory, path, &reading, &c->diag);
    if (!read) return false;
    cli_warn_base(c, read, o->base);
    char *name = o->name ? arena_printf(c->memory, "%s", o->name) : NULL;
    model_options modelling = {
        .base = (base_choice)o->base,
        .mimic_independent = o->mimic == 2,
        .armature = o->armature,
        .gravity = o->gravity.given && !o->gravity.runtime ? o->gravity.value : NULL,
        .name = name ? words_text(name) : NULL,
    };
    *m = model_build(c->memory, read, &modelling, &c->diag);
    if (r) *r = read;
    return *m != NULL;
}

bool cli_write_robot(cli *c, const robot *r, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory) return diag_error(&c->diag, (place){.file = path}, "out of memory");
    robot_write_yaml(r, memory);
    bool written = fclose(memory) == 0 && file_write(path, text, length, &c->diag);
    free(text);
    return written;
}
