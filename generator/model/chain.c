#include "draft.h"
#include <stdlib.h>
#include "base/invariant.h"

/* Bodies 1..n hang from body floor((i - 2 + branching) / branching), body 0 is the ground: each has `branching`
   children until n are there, level by level. Every joint is revolute about its local z. Every link is 1 m long along x
   (a joint sits at (1, 0, 0) of its parent, those of the ground at its origin) and has 1 kg at its middle (0.5, 0, 0)
   and Izz = 1 kg m^2 about that, all other entries 0: [SRW21], section VI.A. No frame is turned, so the tree moves in a
   plane. Links are base, link_1 .. link_n, joints joint_1 .. joint_n, in depth-first order. */
robot *robot_chain(arena *memory, int n, int branching)
{
    INVARIANT(n >= 1 && branching >= 1);
    arena *scratch = arena_new();
    diag ignored = diag_new(scratch); /* the inertia of a line about its middle breaks the triangle inequality */
    draft f = {.name = arena_printf(memory, "chain_%d_%d", n, branching), .gravity = {0, 0, -9.81}};
    VEC_PUSH(&f.links, ((robot_link){.name = "base"}));
    for (int i = 1; i <= n; i++) {
        int parent = (int)(((long)i - 2 + branching) / branching);
        robot_link link = {.mass = 1, .com = {0.5, 0, 0}, .inertia = {[5] = 1}};
        link.name = arena_printf(memory, "link_%d", i);
        draft_joint j = {.parent = f.links.at[parent].name, .child = link.name};
        j.joint =
            (robot_joint){.type = SVA_REVOLUTE, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .axis = {0, 0, 1}, .mimics = -1};
        j.joint.name = arena_printf(memory, "joint_%d", i);
        j.joint.p[0] = parent > 0;
        VEC_PUSH(&f.links, link);
        VEC_PUSH(&f.joints, j);
    }
    robot *r = robot_assemble(memory, &f, &(read_options){0}, &ignored);
    draft_free(&f);
    arena_free(scratch);
    return r;
}
