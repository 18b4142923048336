/* A robot as a file describes it: links, each hanging from its parent by one joint. Nothing is lumped or removed yet;
   this is what the YAML format says and what the readers fill. model.h makes of it the tree that moves. */
#ifndef ROBOT_H
#define ROBOT_H

#include <stdbool.h>
#include "base/arena.h"
#include "base/diag.h"
#include "sva_joint.h"

typedef struct robot_joint {
    const char *name;
    sva_joint_type type;
    place at;
    double R[9],
        p[3]; /* pose of the joint's (and the child link's) frame in the parent link at q = 0: x_parent = R x + p */
    double axis[3];                              /* unit vector in the joint's frame; for a planar joint the normal */
    double pitch;                                /* helical: metres a radian */
    double armature[6], damping[6], friction[6]; /* one a degree of freedom */
    bool has_limits;
    double lower, upper, effort, velocity;
    int mimics; /* the link whose joint this one follows, q = multiplier * q_other + offset; -1: none */
    double multiplier, offset;
} robot_joint;

typedef struct robot_link {
    const char *name;
    place at;
    int parent;        /* its index, smaller than this one's; -1: the root */
    robot_joint joint; /* to the parent; without meaning for the root */
    double mass, com[3];
    double inertia[6];         /* about the centre of mass, link axes: xx xy xz yy yz zz */
    place mass_at, inertia_at; /* where the file gives them; line 0: not known */
} robot_link;

typedef struct robot {
    const char *name, *file;
    bool floating;    /* the root link is free; otherwise it is the ground */
    bool base_unsaid; /* the file had no way to say so */
    double gravity[3];
    int n_links;
    robot_link *links; /* depth first, children in the order of the file; links[0] is the root */
} robot;

typedef struct read_options {
    double clean; /* URDF: components below this part of their vector become 0, rotations this near to a multiple of 90
                     degrees become exact */
    bool allow_unphysical; /* inertias with a negative eigenvalue and negative masses are warnings */
} read_options;

/* The robot in a file, YAML or URDF by its content; NULL after an error. */
robot *robot_read(arena *memory, const char *path, const read_options *options, diag *d);
robot *robot_read_yaml(arena *memory, const char *path, const char *text, size_t length, const read_options *options,
                       diag *d);
robot *robot_read_urdf(arena *memory, const char *path, const char *text, size_t length, const read_options *options,
                       diag *d);

/* YAML that reads back to the same bits. */
void robot_write_yaml(const robot *r, FILE *out);

/* The papers' synthetic trees: n links, each with `branching` children ([SRW21], section VI). */
robot *robot_chain(arena *memory, int n, int branching);

#endif
