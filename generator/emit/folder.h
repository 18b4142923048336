/* A set of files that appears in a folder as a whole: written beside their places, then moved. The folder keeps a list
   of what was written (FOLDER_LIST), with a hash of each text, so that the next set can take away what it does not
   have. Files that are not on the list, or that were changed since, are somebody else's. */
#ifndef FOLDER_H
#define FOLDER_H

#include <stdio.h>
#include "base/diag.h"

typedef struct folder folder;
#define FOLDER_LIST ".svagen"

folder *folder_new(arena *memory);
FILE *folder_file(folder *f, const char *name); /* to write to; stays open until folder_free or folder_commit */
/* False after an error; the old files are untouched then, and nothing half-written is left. Otherwise files of an
   earlier set are gone, but for those that were changed: a warning names them. */
bool folder_commit(folder *f, const char *path, diag *d);
void folder_free(folder *f);

/* For callers that want the texts. */
int folder_count(const folder *f);
const char *folder_name(const folder *f, int i);
const char *folder_text(folder *f, int i, size_t *length);

/* How many files are at the path that are none of the set; those with a dot in front do not count. */
int folder_others(const folder *f, const char *path);

/* Takes a file out of the set; gives it another name. */
void folder_drop(folder *f, int i);
void folder_rename(folder *f, int i, const char *name);

#endif
