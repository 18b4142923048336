/* Outputs of lanes that are constant, mostly structural zeros: where they are many they have a function of their own,
   and the batch function neither stores nor reads them again for each group of states. */
#ifndef APART_H
#define APART_H

#include "print.h"

/* Whether constant outputs of this text are stored apart. */
bool apart_from(const program *p, const kernel_info *k, const print_style *style);
/* For each number of an output where it is in the lanes: its own place, or that of the first zero. NULL: has no zeros.
 */
int *apart_rows(arena *memory, const program *p, const print_style *style, arg out);

#endif
