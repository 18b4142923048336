/* Which entries of an output are zero in every state, by what was traced. */
#ifndef PATTERN_H
#define PATTERN_H

#include "plan/plan.h"

/* Per entry, by rows: whether it can be other than zero. Loops fill all pairs of joints of which one carries the other.
 */
bool *pattern_of(arena *memory, const program *p, arg out, int rows, int cols);
long pattern_nonzeros(const program *p, arg out, int rows, int cols);
bool pattern_is_zero(const graph *g, const graph_output *o);

#endif
