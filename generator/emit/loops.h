/* The loops of a large tree (trace/large.h) as C. For one state an item is a vector of rows, or of columns of M^-1; in
   a text for lanes it is one number of each state. */
#ifndef LOOPS_H
#define LOOPS_H

#include "print.h"

/* The functions, in front of the kernel's own. */
void loops_print(FILE *out, const loops *l, const print_style *style);
/* Their arrays and calls, inside it. */
void loops_print_locals(FILE *out, const loops *l, const print_style *style);
void loops_print_calls(FILE *out, const loops *l, const print_style *style);
/* Whether they write this output. */
bool loops_writes(const loops *l, arg a);

#endif
