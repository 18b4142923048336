/* How much stack a kernel needs: an upper bound from its arrays and named values, for code that is optimised. */
#ifndef STACK_H
#define STACK_H

#include "plan/plan.h"

enum { STACK_FRAME = 512 }; /* of one function: what it saves, aligns and spills beside its named values */

/* number: bytes of a number, or of a vector of states. */
long stack_of(const program *p, long number);

#endif
