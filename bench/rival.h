/* What `svagen bench kernels --rival FILE` asks of another library of rigid-body dynamics, to measure it in the same
   run. FILE is a shared library that has the function svagen_rival. Plain C or C++; needs nothing else of svagen.

   Numbers are double, in SI units. q, v, the order of joints, and tangent spaces are as README, Conventions, has them.
 */
#ifndef RIVAL_H
#define RIVAL_H

#ifdef __cplusplus
extern "C" {
#endif

#define RIVAL_VERSION 1

/* A body and the joint that moves it. Fixed joints are lumped, so none is left. */
typedef struct rival_body {
    const char *name, *joint_name;
    /* revolute, continuous, prismatic, helical, cylindrical, planar, spherical, translation or floating */
    const char *type;
    int parent;            /* a smaller index; -1: the ground */
    double R[9], p[3];     /* pose of the body's frame in the parent's at q = 0: x_parent = R x + p */
    double axis[3], pitch; /* a unit vector in the body's frame; metres a radian, of helical joints */
    double mass, h[3];     /* h = mass * centre of mass */
    double I[6];           /* rotational inertia about the body frame's origin: xx xy xz yy yz zz */
    double armature[6];    /* added to the diagonal of M, by degree of freedom */
    int iq, nq, iv, nv;    /* slots in q and v; a dependent joint has nq = nv = 0 and its master's iq, iv */
    int master;            /* a dependent joint's master, -1 for others: q = multiplier * q_master + offset */
    double multiplier, offset;
} rival_body;

typedef struct rival_model {
    const char *name;
    double gravity[3];
    int nq, nv, n_bodies;
    const rival_body *bodies; /* depth first */
} rival_model;

typedef struct rival_kernel {
    const char *name; /* svagen's, e.g. rnea; its arguments are in README */
    /* What is timed: the inputs in the kernel's order; results stay where the library has them. */
    void (*run)(void *robot, const double *const in[]);
    /* The results of the last run in the order of the kernel's outputs, matrices by rows. Not timed: they are compared
       with the generic library's. */
    void (*results)(void *robot, double *const out[]);
} rival_kernel;

typedef struct rival_library {
    int version;      /* RIVAL_VERSION */
    const char *name; /* for the headings of columns */
    /* Whatever the library needs for this robot, freed by close; NULL: it cannot represent the robot. The model is gone
       after the call. */
    void *(*open)(const rival_model *m);
    void (*close)(void *robot);
    const rival_kernel *kernels; /* ends with {0} */
} rival_library;

const rival_library *svagen_rival(void);

#ifdef __cplusplus
}
#endif
#endif
