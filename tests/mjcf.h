/* A model as MuJoCo reads it (MJCF), and the change of coordinates between the two.

   Every joint type but helical; dependent joints are not expressible. MuJoCo counts the same degrees of freedom in the
   same order, with other velocities: qvel = T(q) v. Its free joint has its linear velocity in the world's axes, and a
   planar joint becomes two slides along the parent's axes and a hinge. */
#ifndef TESTS_MJCF_H
#define TESTS_MJCF_H

#include "model/model.h"

bool mjcf_can(const model *m);
void mjcf_write(const model *m, FILE *out);

void mjcf_qpos(const model *m, const double q[], double qpos[]);

/* T, nv x nv row-major; and the product of its rate with v, so that qacc = T a + drift. */
void mjcf_transform(const model *m, const double q[], double T[]);
void mjcf_drift(const model *m, const double q[], const double v[], double drift[]);

#endif
