/* Groups of limbs that have the same shape: what can be computed side by side with one text and different constants.

   A limb is a body with its whole subtree; its bodies are root, root + 1, ... in the model's order. Two limbs have the
   same shape if the k-th bodies of both, for every k, hang from the same place (k-th body's parent, the limb's outside
   for the root), have the same joint type, and both or neither are dependent (mimic) joints; of two dependent joints,
   the masters are the same place of their limbs, or one and the same body outside. Constants may differ, and so may
   the bodies that the limbs hang from.

   Groups are of at least two limbs and maximal: going down from the ground, the first body whose shape occurs twice is
   a limb, and its inside is not looked at. Limbs of one shape are a group. Then each group's first limb, without its
   root, is looked at in the same way, as if it were alone; so are limbs that found no partner outside other limbs.
   A group found inside a limb of an outer group exists in all of them: it lists its limbs of all, in the outer group's
   order. Example: two arms with three fingers each are a group of 2 limbs and, inside it, one of 6.

   Time and memory are linear in the bodies, but for a factor log n where groups are nested, and dependent joints cost
   their depth each. */
#ifndef LIMBS_H
#define LIMBS_H

#include "model.h"

typedef struct limb_group {
    int n_limbs, n_bodies; /* bodies of one limb */
    int outer;             /* the group in whose limbs these lie, each holding n_limbs / outer's n_limbs; -1: none */
    int *roots;            /* n_limbs bodies; ascending within one limb of the outer group */
} limb_group;

typedef struct limbs {
    int n_groups;
    limb_group *groups; /* outer groups before inner ones */
} limbs;

limbs limbs_find(arena *memory, const model *m);

#endif
