/* Joints far along the axis of the joint before them: the traces' frames slide there, and nothing cancels. */
#include <string.h>
#include "compare/trial.h"
#include "described.h"
#include "suite.h"
#include "trace/tree.h"

#define HEAD(height, axis)                                                                                             \
    "  - {name: base}\n"                                                                                               \
    "  - name: mast\n"                                                                                                 \
    "    parent: base\n"                                                                                               \
    "    joint: {name: pan, type: revolute, xyz: [0.2, 0.1, 0], rpy: [0.5, 0, 0], axis: [0, 0, 1]}\n"                  \
    "    mass: 3\n"                                                                                                    \
    "    com: [0, 0, 0.1]\n"                                                                                           \
    "    inertia: {xx: 0.001, yy: 0.002, zz: 0.0015}\n"                                                                \
    "  - name: head\n"                                                                                                 \
    "    parent: mast\n"                                                                                               \
    "    joint: {name: tilt, type: revolute, xyz: [0, 0, " height "], axis: " axis "}\n"                               \
    "    mass: 1\n"                                                                                                    \
    "    com: [0.05, 0, 0.02]\n"                                                                                       \
    "    inertia: {xx: 0.001, yy: 0.002, zz: 0.0015}\n"

/* Nothing has mass behind the last joint; two joints about one line. */
#define TOOL                                                                                                           \
    "  - name: wheel\n"                                                                                                \
    "    parent: head\n"                                                                                               \
    "    joint: {name: spin, type: continuous, xyz: [0.1, 0, 0], axis: [1, 0, 0]}\n"                                   \
    "  - name: lift\n"                                                                                                 \
    "    parent: mast\n"                                                                                               \
    "    joint: {name: lift, type: prismatic, xyz: [0, 0.05, 0], axis: [0, 0, 1]}\n"                                   \
    "    mass: 0.1\n"                                                                                                  \
    "    inertia: {xx: 0.001, yy: 0.002, zz: 0.0015}\n"

static void check(const char *links, double most)
{
    static const char *const names[] = {"rnea_fext", "crba", "gravity", "idsva", "idsva_fext", "fk", "jac", NULL};
    fixture f = described(links, false);
    const kernel_info *list[16];
    int n = 0, bodies[8], frames[8];
    for (; names[n]; n++) list[n] = kernel_find(names[n]);
    list[n] = NULL;
    for (int i = 0; i < 8; i++) bodies[i] = i, frames[i] = i;
    emit_options o = {.words = "", .n_lanes = 1, .lanes = {2}};
    o.trace.fext = bodies, o.trace.n_fext = f.model->n_bodies;
    o.trace.jac_frames = frames, o.trace.n_jac_frames = f.model->n_frames;
    comparison c;
    diag d = diag_new(f.memory);
    compare_options how = {{.flags = "-O0 -pipe"}, 20, 1, false};
    ck_assert(compare_robot(&c, f.model, list, &o, &how, &d));
    for (const compare_row *r = c.rows; r < c.rows + c.n; r++) {
        printf("%s %.1e\n", r->kernel->name, r->error);
        ck_assert_msg(r->agrees && r->error <= most, "%s: %.2g", r->kernel->name, r->error);
    }
    comparison_free(&c);
    fixture_free(&f);
}

START_TEST(long_masts)
{
    check(HEAD("2", "[0, 1, 0]"), 1e-14);
    check(HEAD("20", "[0, 1, 0]"), 1e-14);
    check(HEAD("-20", "[0, 0.6, 0.8]"), 1e-14);
    check(HEAD("20", "[0, 1, 0]") TOOL, 1e-14);
}
END_TEST

/* Only as far as it matters: where arms are as long as the offsets, origins stay, and with them the operations. */
START_TEST(short_ones_stay)
{
    fixture f = described(HEAD("0.1", "[0, 1, 0]"), false), g = described(HEAD("20", "[0, 1, 0]"), false);
    const tree *near = tree_new(f.memory, f.model, true), *far = tree_new(g.memory, g.model, true);
    ck_assert(near->node[1].lane->slide[2] == 0 && near->node[2].lane->p[2] == 0.1);
    ck_assert(far->node[1].lane->slide[2] == -20 && far->node[2].lane->p[2] == 0);
    fixture_free(&f);
    fixture_free(&g);
}
END_TEST

SUITE("origins", long_masts, short_ones_stay)
