/* What `svagen inspect` found out, and its two ways of saying it. */
#ifndef INSPECT_H
#define INSPECT_H

#include "base/diag.h"
#include "model/limbs.h"
#include "model/sparsity.h"

typedef struct inspection {
    const robot *robot;
    const model *model;
    const diag *diag;
    bool gravity_at_runtime;
    int depth;                   /* bodies on the longest way from the ground */
    int branches;                /* bodies, the ground included, from which more than one hangs */
    double mass;                 /* of all links */
    double moving_mass;          /* of those not fixed to the ground */
    const sparsity *mass_matrix; /* NULL beyond SPARSITY_MAX */
    limbs limbs;
    bool list_frames; /* in words */
} inspection;

void inspect_text(const inspection *in, bool ascii, FILE *out);

/* One object:
     inspect 1, the version of this format; file; name; base "fixed" or "floating"; gravity [x, y, z] or "runtime"
     nq, nv, depth, branches, mass, moving_mass
     bodies [{link, joint, type, parent (index, -1: the ground), axis (null: none) and pitch, position and rotation
       (row-major) in the parent's frame, iq, nq, iv, nv, mimic (null, or {body, multiplier, offset}), armature,
       damping, friction, mass, first_moment (mass * centre), inertia about the frame's origin [xx xy xz yy yz zz],
       weightless, obstacle (null, or why the joint leaves the mass matrix without an inverse: "mass", "axis",
       "redundant")}]
     frames [{name, body, position, rotation}]
     mass_matrix {nonzeros, rows ["x..", ...], condition}: null for nv > 16384; rows null for nv > 1000; condition is
       the condition number at a random state, null for nv > 300 and if there is no inverse
     limbs [{n_limbs, n_bodies, outer (index or -1), roots [bodies]}]
     messages [{level, file, line, column, count, text}], what the reader noted. Messages of one kind are folded into
       one, with the place of the first and how many there are; its text names the first few
   Texts are ASCII with \u escapes; bytes that were not UTF-8 are U+FFFD. */
void inspect_json(const inspection *in, FILE *out);

#endif
