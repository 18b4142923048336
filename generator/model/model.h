/* The tree that moves: fixed joints lumped, mimic joints resolved, degrees of freedom numbered. */
#ifndef MODEL_H
#define MODEL_H

#include "robot.h"

/* Why the mass matrix M has no inverse because of a joint. */
typedef enum obstacle {
    OBSTACLE_NONE,
    OBSTACLE_NO_MASS,   /* it moves no mass, and a degree of freedom has no armature */
    OBSTACLE_AXIS,      /* what it moves has no inertia about its axis */
    OBSTACLE_REDUNDANT, /* it moves nothing that the joints after it do not move as well */
    OBSTACLES
} obstacle;

typedef struct model_body {
    const char *name; /* of the link that the joint moves */
    const char *joint_name;
    place at;            /* of the joint; a floating base: of its link */
    sva_joint_type type; /* never SVA_FIXED */
    int parent;          /* a smaller index; -1: the ground */
    double R[9], p[3];   /* pose of the body's frame in the parent's at q = 0 */
    double axis[3], pitch;
    int iq, nq, iv, nv; /* its slots in q and v; a dependent joint has nq = nv = 0 and its master's iq, iv */
    int master;         /* a dependent joint's master body, -1 for others: q = multiplier * q_master + offset */
    double multiplier, offset;
    double armature[6], damping[6], friction[6];
    double lower, upper, velocity, effort; /* limits; infinite where there is none */
    double mass, h[3];                     /* h = mass * centre of mass */
    double I[6];                           /* rotational inertia about the body frame's origin: xx xy xz yy yz zz */
    bool weightless; /* no mass or inertia in its whole subtree: M is singular unless the joint has armature */
    obstacle obstacle;
} model_body;

/* Every link of the file, in its order, also the lumped ones; body -1: part of the ground. */
typedef struct model_frame {
    const char *name;
    int body;
    double R[9], p[3]; /* pose in the body's frame (the world's, for the ground) */
} model_frame;

/* Whether M can be inverted, see inverse.h. */
typedef struct model_inverse {
    int n_obstacles;  /* bodies that have one */
    double ratio;     /* the least pivot of M = L'DL beside what it is made of; 1 if not examined */
    double condition; /* |M| |M^-1| at a random state; 0 if not examined */
    int weakest;      /* the body that has this pivot */
    int lightest;     /* the body that has the least pivot as such */
} model_inverse;

typedef struct model {
    const char *name;
    bool floating;
    double gravity[3];
    int nq, nv, n_bodies, n_frames;
    model_body *bodies; /* depth first: a subtree is a contiguous range */
    model_frame *frames;
    model_inverse inverse;
} model;

typedef enum base_choice { BASE_AS_FILE, BASE_FIXED, BASE_FLOATING } base_choice;

typedef struct model_options {
    base_choice base;
    bool mimic_independent;
    double armature; /* of every degree of freedom that has none of its own, but those of floating joints, which have no
                        rotors, and of joints that follow others, which these drive */
    const double *gravity; /* NULL: the robot's own */
    const char *name;      /* NULL: the robot's own */
} model_options;

/* NULL after an error. A floating base is body 0, joint "root_joint". Says nothing about a singular M: inverse.h does.
 */
model *model_build(arena *memory, const robot *r, const model_options *options, diag *d);

#endif
