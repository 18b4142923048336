/* Prints the torque that holds the first joint of the robot `arm` at q = 0. */
#include <stdio.h>
#include "arm.h"

int main(void)
{
    double q[ARM_NQ] = {0}, v[ARM_NV] = {0}, a[ARM_NV] = {0}, tau[ARM_NV];
    arm_rnea(q, v, a, tau);
    printf("%.3f\n", tau[0]);
    return 0;
}
