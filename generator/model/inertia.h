/* Whether a link's mass and inertia can belong to a body. */
#ifndef INERTIA_H
#define INERTIA_H

#include "robot.h"

/* Eigenvalues of a symmetric matrix xx xy xz yy yz zz, ascending. */
void inertia_eigenvalues(const double I[6], double value[3]);

/* A moment of inertia (kg m^2) below this is nothing: a grain of a microgram and a millimetre has as much. What files
   have below it is the rounding of their programs, or stands for zero. */
#define INERTIA_NOTHING 1e-15

/* Checks every link. False after an error: a negative mass or eigenvalue (a warning under allow_unphysical). Warns of
   principal moments that break the triangle inequality and of inertia without mass, notes mass without inertia. What
   is within rounding is no finding: a millionth of the largest moment, the last bits of mass * |com|^2, from which
   programs compute it, or INERTIA_NOTHING. */
bool inertia_check(const robot_link *links, int n, const read_options *options, diag *d);

#endif
