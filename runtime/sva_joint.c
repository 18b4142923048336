#include "sva_joint.h"

#include <math.h>
#include <string.h>

const sva_joint_info sva_joint_table[SVA_JOINT_TYPES] = {
    [SVA_FIXED] = {"fixed", 0, 0, 0, "", ""},
    [SVA_REVOLUTE] = {"revolute", 1, 1, 1, "angle", "rate"},
    [SVA_CONTINUOUS] = {"continuous", 1, 1, 1, "angle", "rate"},
    [SVA_PRISMATIC] = {"prismatic", 1, 1, 1, "displacement", "rate"},
    [SVA_HELICAL] = {"helical", 1, 1, 1, "angle; moves pitch * angle along the axis", "rate"},
    [SVA_CYLINDRICAL] = {"cylindrical", 2, 2, 1, "displacement, angle", "rates"},
    [SVA_PLANAR] = {"planar", 4, 3, 1, "x y, cos sin of the angle about the normal", "vx vy in body axes, rate"},
    [SVA_SPHERICAL] = {"spherical", 4, 3, 0, "quaternion x y z w", "angular velocity in body axes"},
    [SVA_TRANSLATION] = {"translation", 3, 3, 0, "x y z", "rates"},
    [SVA_FLOATING] = {"floating", 7, 6, 0, "x y z, quaternion x y z w", "linear and angular velocity in body axes"},
};

int sva_joint_type_of(const char *name)
{
    for (int t = 0; t < SVA_JOINT_TYPES; t++)
        if (!strcmp(name, sva_joint_table[t].name)) return t;
    return -1;
}

void sva_plane_axes(const double z[3], double x[3], double y[3])
{
    int k = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(z[i]) > fabs(z[k])) k = i;
    int t = (k + 1) % 3;
    double n = sqrt(z[k] * z[k] + z[3 - k - t] * z[3 - k - t]); /* |e_t - z_t z| for unit z */
    for (int i = 0; i < 3; i++) x[i] = ((i == t ? 1.0 : 0.0) - z[t] * z[i]) / n;
    y[0] = z[1] * x[2] - z[2] * x[1];
    y[1] = z[2] * x[0] - z[0] * x[2];
    y[2] = z[0] * x[1] - z[1] * x[0];
}
