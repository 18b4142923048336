/* Prints the torque that holds the first joint of the robot `arm` at q = 0: by its kernel and by the generic library.
 */
#include <stdio.h>
#include "arm.h"
#include "arm_model.h"

int main(void)
{
    double q[ARM_NQ] = {0}, v[ARM_NV] = {0}, a[ARM_NV] = {0}, tau[ARM_NV], same[ARM_NV];
    sva_workspace *w = sva_workspace_new(arm_model());
    arm_rnea(q, v, a, tau);
    sva_rnea(arm_model(), w, q, v, a, NULL, same);
    printf("%.3f %.3f\n", tau[0], same[0]);
    sva_workspace_free(w);
    return 0;
}
