/* UTF-8, strictly: no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stdint.h>

/* The character at the start of a text that is not empty; returns its length in bytes, 0 if it is malformed. */
int utf8_decode(const char *text, uint32_t *code);

bool utf8_valid(const char *text);

#endif
