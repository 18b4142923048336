/* The texts of templates/ and the runtime header, inside the program, so that the binary works from anywhere. */
#ifndef EMBEDDED_H
#define EMBEDDED_H

#include <stddef.h>

typedef struct embedded_file {
    const char *name, *text;
    size_t length;
} embedded_file;

extern const embedded_file embedded_files[]; /* ends with a NULL name */

/* The file of that name; it is an error in the program to ask for one that is not there. */
const embedded_file *embedded_find(const char *name);

#endif
