/* Templates filled from a tree of values. Templates are the files of templates/, inside the program: the one called
   `kernel` is templates/kernel.mustache, and so for partials. Nothing is escaped: the output is C. */
#ifndef RENDER_H
#define RENDER_H

#include <stdbool.h>
#include <stdio.h>
#include "base/arena.h"
#include "base/diag.h"

/* An object: keys, each with a text, a flag or a list of objects. Keys and texts are not copied; setting a key again
   hides what it had. */
typedef struct value value;

value *value_object(arena *memory);
void value_set(value *object, const char *key, const char *text);
void value_flag(value *object, const char *key, bool on);
void value_list(value *object, const char *key);     /* an empty list */
value *value_append(value *object, const char *key); /* a new object at the end of the list, which is made if needed */

/* {{key}} prints a text. {{#key}} is entered for each object of a list, for a flag that is on, for a text that is not
   empty; {{^key}} otherwise. Keys that the current object lacks are looked for outward. A key found nowhere, a list or
   a flag used as a text, and faults of the template are errors that name template and tag. */
bool render(const char *name, const value *v, FILE *out, diag *d);

/* The same for a text at hand; `name` is for messages. */
bool render_text(const char *name, const char *text, size_t length, const value *v, FILE *out, diag *d);

#endif
