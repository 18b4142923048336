/* Rotations (3x3, row-major) and axes from files. Only + - * / and sqrt are used, so every machine gets the same bits.
 */
#ifndef ROTATION_H
#define ROTATION_H

#include <stdbool.h>

/* Within 1 ulp for |angle| < 1e5; larger angles are first taken modulo the double nearest to 2 pi. */
void exact_sincos(double angle, double *sine, double *cosine);

/* R = Rz(yaw) Ry(pitch) Rx(roll), for rpy = roll, pitch, yaw in radians. Angles within `clean` of a multiple of 90
   degrees, and whole rotations that near to a signed permutation, become exact. Returns whether any did that was not.
 */
bool rotation_from_rpy(const double rpy[3], double clean, double R[9]);

/* The largest entry of |R'R - 1|, at least 1 for a reflection. */
double rotation_error(const double R[9]);

/* C = A B (any aliasing) and y = R x + p. Exact where A or R is a signed permutation and p is zero. */
void rotation_compose(const double A[9], const double B[9], double C[9]);
void rotation_apply(const double R[9], const double x[3], const double p[3], double y[3]);

/* Makes the axis a unit vector and returns the norm it had; 0 (axis left alone) if it has no direction. One that is
   within 1e-12 of a unit vector keeps its bits. */
double axis_normalise(double axis[3]);

#endif
