#include <stdio.h>

int main(void)
{
    puts("svagen " SVAGEN_VERSION);
    return 0;
}
