#include "inspect.h"

#include <langinfo.h>
#include <locale.h>
#include <stddef.h>
#include <string.h>
#include "cli.h"
#include "model/inverse.h"

typedef struct inspect_options {
    cli_robot robot;
    bool json, ascii, frames;
} inspect_options;

static const cli_option options[] = {
    {"--json", CLI_FLAG, offsetof(inspect_options, json), NULL, NULL, "everything, for programs"},
    {"--frames", CLI_FLAG, offsetof(inspect_options, frames), NULL, NULL,
     "all frames, those of fixed links too, with the links that carry them"},
    {"--ascii", CLI_FLAG, offsetof(inspect_options, ascii), NULL, NULL, "no lines or letters beyond ASCII"},
    {0},
};

static bool terminal_is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (!locale) return false;
    bool utf8 = !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
    freelocale(locale);
    return utf8;
}

static void measure_tree(inspection *in, arena *memory)
{
    const model *m = in->model;
    int *depth = ARENA_ARRAY(memory, int, m->n_bodies + 1), *children = ARENA_ARRAY(memory, int, m->n_bodies + 1);
    for (int i = 0; i < m->n_bodies; i++) {
        int parent = m->bodies[i].parent + 1; /* 0: the ground */
        depth[i + 1] = depth[parent] + 1;
        if (depth[i + 1] > in->depth) in->depth = depth[i + 1];
        in->branches += ++children[parent] == 2;
        in->moving_mass += m->bodies[i].mass;
    }
    for (int i = 0; i < in->robot->n_links; i++) in->mass += in->robot->links[i].mass;
}

static int run(cli *c)
{
    const inspect_options *o = c->options;
    robot *r;
    model *m;
    if (!cli_load(c, c->args[0], &r, &m)) return CLI_FAILED;
    inverse_report(m, &c->diag);
    c->least = DIAG_ERROR; /* warnings are part of what is printed */
    inspection in = {.robot = r,
                     .model = m,
                     .diag = &c->diag,
                     .gravity_at_runtime = o->robot.gravity.runtime,
                     .list_frames = o->frames};
    measure_tree(&in, c->memory);
    sparsity pattern;
    if (m->nv <= SPARSITY_MAX) {
        pattern = sparsity_of_mass_matrix(c->memory, m);
        in.mass_matrix = &pattern;
    }
    in.limbs = limbs_find(c->memory, m);
    if (o->json)
        inspect_json(&in, stdout);
    else
        inspect_text(&in, o->ascii || !terminal_is_utf8(), stdout);
    return CLI_OK;
}

const cli_verb cli_inspect = {
    .name = "inspect",
    .summary = "Shows a robot: tree, degrees of freedom, sparsity, mass, limbs alike, warnings",
    .arguments = "ROBOT [--json]",
    .help =
        "ROBOT is a .yaml or .urdf file. The tree is that of the moving bodies: links behind fixed joints are part of\n"
        "the body they are fixed to. A body below another without a branch is on the next line of the same column.",
    .min_args = 1,
    .max_args = 1,
    .size = sizeof(inspect_options),
    .options = {options, cli_robot_options},
    .run = run,
};
