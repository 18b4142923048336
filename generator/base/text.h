/* Printing words that come from outside so that none of them can disturb a terminal or a JSON reader. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stdio.h>

/* For a terminal or a log: control characters, marks that reverse the direction of writing, backslashes and bytes that
   are not UTF-8 are escaped (\n, \x1b, \u202e); with `ascii` everything else beyond ASCII too. */
void text_print(const char *text, bool ascii, FILE *out);

/* How many columns text_print needs, counting one per code point. */
int text_width(const char *text, bool ascii);

/* As a JSON string with its quotes, in ASCII; bytes that are not UTF-8 become U+FFFD. */
void text_print_json(const char *text, FILE *out);

#endif
