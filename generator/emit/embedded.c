#include "embedded.h"

#include <assert.h>
#include <string.h>

const embedded_file *embedded_find(const char *name)
{
    const embedded_file *f = embedded_files;
    while (f->name && strcmp(f->name, name)) f++;
    assert(f->name);
    return f;
}
