/* Whether the mass matrix M has an inverse, which forward dynamics needs. */
#ifndef INVERSE_H
#define INVERSE_H

#include "model.h"

enum { INVERSE_LARGEST = 300 }; /* degrees of freedom; of larger trees only the weightless bodies are looked at */

/* Fills m->inverse and the bodies' obstacles. M = L'DL is factorised from the leaves at a few random states. The pivot
   D_k is the inertia that joint k moves while the joints after it are free. It is what is left of terms as large as

       s_k = |w|^2 tr I + |u|^2 m + armature     (w; u) the joint's axis, I and m what it moves, about its frame's
   origin,

   and forward dynamics loses the fraction D_k / s_k in digits: its error is about 1e-16 s_k / D_k, in whatever units
   the joints are, and however light a gripper is beside its machine. A pivot within rounding of s_k is an obstacle. It
   is passed over, as if the joint were locked, so that the others are seen. Of the states, the best counts. */
void inverse_examine(model *m);

/* "joint 'a' moves no mass and has no armature (and 2 more joints: 'b' and 'c'), so M has no inverse"; NULL if it has.
 */
const char *inverse_denied(arena *memory, const model *m);
/* Of the first such joint: its place, and what would help, e.g. "armature gives it one, ...". */
place inverse_place(const model *m);
const char *inverse_remedy(const model *m);

/* Warns if M has an inverse, but of few digits in double (or float), or a pivot so small that it looks like a slip. */
void inverse_warn(const model *m, bool single, diag *d);
/* Warns of that, or that there is none. */
void inverse_report(const model *m, diag *d);

#endif
