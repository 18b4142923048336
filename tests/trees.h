/* Seeded random trees: every joint type, some dependent joints, some armature, bodies that could exist. */
#ifndef TESTS_TREES_H
#define TESTS_TREES_H

#include <stdint.h>
#include "model/model.h"

typedef struct tree_options {
    int bodies;
    bool floating;  /* body 0 is a floating base; floating joints elsewhere come with `types` */
    bool mimic;     /* some joints of one degree of freedom follow an earlier one */
    bool armature;  /* on every second joint */
    unsigned types; /* bit t: joint type t; 0: all of them */
} tree_options;

model *tree_random(arena *memory, uint64_t seed, tree_options options);

/* The same with `copies` more limbs of the shape of body `root` and all that hangs from it, on the same body, with
   other numbers: what the generator computes side by side. */
model *tree_repeat(arena *memory, const model *m, int root, int copies, uint64_t seed);

void tree_add_frames(arena *memory, model *m, uint64_t *seed); /* one on each body and on the ground */
void tree_add_losses(model *m, uint64_t *seed);                /* damping and friction */

/* Uniform in [low, high), the same on every machine. */
double tree_uniform(uint64_t *seed, double low, double high);

#endif
