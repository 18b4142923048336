#include "invariant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void invariant_broken(const char *condition, const char *file, int line)
{
    const char *slash = strrchr(file, '/');
    fprintf(stderr,
            "svagen: internal error: '%s' does not hold (%s, line %d). Nothing was written. Please report it with the "
            "robot and the options.\n",
            condition, slash ? slash + 1 : file, line);
    exit(INVARIANT_EXIT);
}
