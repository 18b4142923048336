/* Printing words that come from outside so that none of them can disturb a terminal or a JSON reader. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* For a terminal or a log: control characters, marks that reverse the direction of writing, backslashes and bytes that
   are not UTF-8 are escaped (\n, \x1b, \u202e); with `ascii` everything else beyond ASCII too. */
void text_print(const char *text, bool ascii, FILE *out);

/* The same in at most that many columns (at least 3), one per character; what is longer ends with dots. Returns the
   columns used; with `out` NULL it only counts. */
int text_print_cut(const char *text, int columns, bool ascii, FILE *out);

/* As a JSON string with its quotes, in ASCII; bytes that are not UTF-8 become U+FFFD. */
void text_print_json(const char *text, FILE *out);

#endif
