/* Reference numbers of tests/data/golden: named blocks of numbers, some of them one a state. */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include "model/model.h"

typedef struct golden_joint {
    const char *name, *type;
    int parent, iq, nq, iv, nv; /* parent as an index into joints, -1: the ground */
} golden_joint;

typedef struct golden golden;

/* NULL if the file is not there or ends too early. */
golden *golden_read(arena *memory, const char *path);

int golden_states(const golden *g);
int golden_nv(const golden *g);
int golden_joints(const golden *g, const golden_joint **joints);

/* The block of that name (of that state, or -1 for blocks of the robot), row-major; NULL if there is none. */
const double *golden_block(const golden *g, const char *name, int state, int *rows, int *cols);

/* slot[i]: the index in the model's v of the golden one's v_i, joints matched by name. False if any is missing. */
bool golden_map(const golden *g, const model *m, int *slot);

/* The golden state's q in the model's coordinates. */
void golden_q(const golden *g, const model *m, int state, double *q);

/* y[slot[i]] = x[i], for an array of nv^order numbers. */
void golden_permute(const int *slot, int nv, int order, const double *x, double *y);

#endif
