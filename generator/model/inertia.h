/* Whether a link's mass and inertia can belong to a body. */
#ifndef INERTIA_H
#define INERTIA_H

#include "robot.h"

/* Eigenvalues of a symmetric matrix xx xy xz yy yz zz, ascending. */
void inertia_eigenvalues(const double I[6], double value[3]);

/* Checks every link. False after an error: a negative mass or eigenvalue (a warning under allow_unphysical). Warns of
   principal moments that break the triangle inequality and of inertia without mass, notes mass without inertia; after
   the first few of a kind it only counts. */
bool inertia_check(const robot_link *links, int n, const read_options *options, diag *d);

#endif
