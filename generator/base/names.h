/* A map from names to indices, and the nearest name to a misspelt one. */
#ifndef NAMES_H
#define NAMES_H

#include "arena.h"

typedef struct names names;

names *names_new(arena *memory);

/* Gives the name an index >= 0. If it has one already, that stays and is returned; otherwise -1. The text is not
 * copied. */
int names_add(names *map, const char *name, int index);

/* The index of the name, or -1. */
int names_find(const names *map, const char *name);

/* The candidate nearest to the text by edits of single characters, if near enough for a "did you mean"; or NULL. */
const char *names_closest(const char *text, const char *const *candidates, int count);

#endif
