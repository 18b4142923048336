/* Options as one line of text that makes the same folder again: for headers, which show it inside a comment, and for a
   shell, into which it is pasted. Names come from files and may be anything; in lists and in --name a backslash has a
   meaning: \, and \\ are a comma and a backslash that do not end an item, \x2a is the byte 2a. */
#ifndef WORDS_H
#define WORDS_H

#include "generate.h"

/* The next item of a list separated by commas, in place, with its backslashes resolved; NULL: none is left. */
char *words_item(char **rest);
/* A text that is no list, likewise. */
const char *words_text(char *text);
/* A name as a word of a shell and as a part of a comment. */
const char *words_name(arena *memory, const char *name);
/* All options, in one fixed order, without paths. */
const char *words_of(cli *c, const model *m, const cli_generate_values *v, const generate_choice *choice);

#endif
