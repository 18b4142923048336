/* Output files: whole or not at all. */
#ifndef FILE_H
#define FILE_H

#include "diag.h"

/* Text to a file through a temporary neighbour that is renamed, so that an error leaves what was there; "-" or NULL is
   the standard output. Devices and links are written through. */
bool file_write(const char *path, const char *text, size_t length, diag *d);

#endif
