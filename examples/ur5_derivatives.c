/* A UR5 in motion: joint torques, and how they change with each joint angle. Build and run, with any C compiler:
     svagen generate robots/ur5.yaml -o ur5
     cc -O2 -I ur5 examples/ur5_derivatives.c ur5/ur5_*.c -lm -o ur5_derivatives && ./ur5_derivatives */
#include <stdio.h>
#include "ur5.h"

int main(void)
{
    const double q[UR5_NQ] = {0.1, -1.2, 1.5, -0.3, 0.7, 0.2};
    const double v[UR5_NV] = {0.5, 1, -1, 0.4, 2, -3}, a[UR5_NV] = {1, -2, 3, 1, -4, 5};
    double tau[UR5_NV], dtau_dq[UR5_NV * UR5_NV], dtau_dv[UR5_NV * UR5_NV];

    ur5_rnea(q, v, a, tau);
    ur5_idsva(q, v, a, dtau_dq, dtau_dv);
    for (int i = 0; i < UR5_NV; i++) {
        printf("%-20s %9.4f |", ur5_robot.joints[i].name, tau[i]);
        for (int j = 0; j < UR5_NV; j++) printf(" %9.4f", dtau_dq[UR5_NV * i + j]);
        putchar('\n');
    }
    return 0;
}
