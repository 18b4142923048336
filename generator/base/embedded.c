#include "embedded.h"

#include <string.h>
#include "base/invariant.h"

const embedded_file *embedded_find(const char *name)
{
    const embedded_file *f = embedded_files;
    while (f->name && strcmp(f->name, name)) f++;
    INVARIANT(f->name);
    return f;
}
