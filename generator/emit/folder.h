/* A set of files that appears in a folder as a whole: written beside their places, then moved. */
#ifndef FOLDER_H
#define FOLDER_H

#include <stdio.h>
#include "base/diag.h"

typedef struct folder folder;

folder *folder_new(arena *memory);
FILE *folder_file(folder *f, const char *name); /* to write to; stays open until folder_free or folder_commit */
/* False after an error; the old files are untouched then, and nothing half-written is left. */
bool folder_commit(folder *f, const char *path, diag *d);
void folder_free(folder *f);

/* For callers that want the texts. */
int folder_count(const folder *f);
const char *folder_name(const folder *f, int i);
const char *folder_text(folder *f, int i, size_t *length);

#endif
