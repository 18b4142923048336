/* What kernels take and give, by name; and the arrays inside them, between their stages. */
#ifndef INTERFACE_ARG_H
#define INTERFACE_ARG_H

/* The arguments of all kernels: one table (kernels.c) gives names and sizes. */
typedef enum arg {
    ARG_Q,
    ARG_V,
    ARG_A,
    ARG_TAU_IN,
    ARG_FEXT,
    ARG_GRAVITY_IN,
    ARG_INPUTS,
    ARG_TAU = ARG_INPUTS,
    ARG_QDD,
    ARG_M,
    ARG_MINV,
    ARG_H,
    ARG_G,
    ARG_DTAU_DQ,
    ARG_DTAU_DV,
    ARG_DQDD_DQ,
    ARG_DQDD_DV,
    ARG_POSE,
    ARG_J,
    ARG_LOCALS, /* arrays inside a kernel, between its stages */
    ARG_L = ARG_LOCALS,
    ARG_DINV,
    ARG_X,
    ARG_COLUMNS, /* records of large.h, and of their lower halves rows */
    ARG_FORCES,
    ARG_BLOCK, /* of X, and what it becomes */
    ARG_SOLVED,
    ARG_COUNT
} arg;

#endif
