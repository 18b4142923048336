/* Names of files as names of C. */
#ifndef IDENTIFIERS_H
#define IDENTIFIERS_H

#include "base/arena.h"
#include "base/diag.h"

/* A C name made of any name: letters, digits, underscores, not starting with a digit. */
const char *emit_identifier(arena *memory, const char *name);
/* In capitals. */
const char *identifier_upper(arena *memory, const char *name);
/* Parts of enumerators for n names, in capitals and all different: what comes out twice gets a number. */
const char *const *identifiers_unique(arena *memory, int n, const char *const *names);

/* Whether a folder can have this name, for which files and symbols are named; if not, an error says why. */
bool emit_check_name(const char *name, diag *d);
/* The target of the generated CMakeLists.txt: the name, or a longer one where CMake keeps it to itself. */
const char *identifier_target(arena *memory, const char *identifier);

#endif
