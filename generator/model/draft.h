/* A robot while it is being read: links and joints in the order of the file, joined by names only. Each reader fills a
   draft; robot_assemble makes the tree and does every check that does not depend on the file's format. Names are not
   copied: they live in the memory that the robot will live in. */
#ifndef DRAFT_H
#define DRAFT_H

#include "robot.h"

typedef struct draft_joint {
    robot_joint joint;
    const char *parent, *child, *mimics; /* names; mimics (a joint's name) is NULL if there is none */
    place parent_at, child_at, mimics_at;
} draft_joint;

typedef struct draft {
    const char *name, *file;
    bool floating;
    double gravity[3];
    VEC(robot_link) links; /* name, at, mass, com, inertia filled; parent and joint not */
    VEC(draft_joint) joints;
} draft;

void draft_free(draft *f);

/* The tree; NULL after an error: unknown or two parents, two roots, cycles, names used twice, impossible inertias,
   mimic joints that follow themselves, nothing or a joint of another kind. Axes must be unit vectors by now. What has
   no meaning for a joint's type (axis, pitch, limits, entries beyond its degrees of freedom) is set to one value. */
robot *robot_assemble(arena *memory, const draft *f, const read_options *options, diag *d);

#endif
