/* A program outside of the project that uses the installed library. */
#include <stdio.h>
#include <sva.h>
#include <sva_kernel.h>

int main(void)
{
    puts(sva_message(SVA_OK));
    return sva_joint_type_of("revolute") != SVA_REVOLUTE;
}
