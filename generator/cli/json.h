/* Writing JSON: commas and line breaks come by themselves. Keys are NULL inside arrays. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stdio.h>

typedef struct json {
    FILE *out;
    int depth;       /* of open objects and arrays, at most 15 */
    bool filled[16]; /* each has an item already */
    int broken;      /* down to this depth every item gets a line of its own */
} json;

json json_new(FILE *out, int broken);
void json_open(json *j, const char *key, char bracket);     /* '{' or '[' */
void json_close(json *j, char bracket);                     /* '}' or ']' */
void json_text(json *j, const char *key, const char *text); /* NULL: null */
void json_int(json *j, const char *key, long value);
void json_real(json *j, const char *key, double value); /* finite; reads back to the same bits */
void json_bool(json *j, const char *key, bool value);
void json_null(json *j, const char *key);
void json_reals(json *j, const char *key, const double *values, int count);
void json_ints(json *j, const char *key, const int *values, int count);

#endif
