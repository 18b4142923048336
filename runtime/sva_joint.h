/* The joint types: one enum, one table. Everything that depends on a joint's type starts from a row here. */
#ifndef SVA_JOINT_H
#define SVA_JOINT_H

#include "sva_export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sva_joint_type {
    SVA_FIXED,
    SVA_REVOLUTE,
    SVA_CONTINUOUS,
    SVA_PRISMATIC,
    SVA_HELICAL,
    SVA_CYLINDRICAL,
    SVA_PLANAR,
    SVA_SPHERICAL,
    SVA_TRANSLATION,
    SVA_FLOATING,
    SVA_JOINT_TYPES
} sva_joint_type;

typedef struct sva_joint_info {
    const char *name;
    int nq, nv;
    int has_axis;      /* has an axis of its own; the others use the joint frame's axes */
    const char *q, *v; /* their components, in words */
} sva_joint_info;

extern SVA_API const sva_joint_info sva_joint_table[SVA_JOINT_TYPES];

/* The type of that name, or -1. */
SVA_API int sva_joint_type_of(const char *name);

/* The axes x, y of a planar joint with unit normal z: x, y, z right-handed; for z a coordinate axis, the two that
   follow it in the cycle x y z (normal x: plane y, z). Also the frame that turns a joint's axis to z. */
SVA_API void sva_plane_axes(const double z[3], double x[3], double y[3]);

#ifdef __cplusplus
}
#endif
#endif
