#include "number.h"
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1000 }; /* more digits than any double needs (767) */

static size_t digits(const char *s, size_t i, size_t n)
{
    while (i < n && s[i] >= '0' && s[i] <= '9') i++;
    return i;
}

/* Checks the grammar; *point is where the decimal point is, n if there is none. */
static bool well_formed(const char *s, size_t n, size_t *point)
{
    size_t i = n > 0 && (s[0] == '+' || s[0] == '-');
    size_t end = digits(s, i, n), count = end - i;
    *point = n;
    if (end < n && s[end] == '.') {
        *point = end;
        size_t fraction = end + 1;
        end = digits(s, fraction, n);
        count += end - fraction;
    }
    if (count == 0) return false;
    if (end < n && (s[end] == 'e' || s[end] == 'E')) {
        i = end + 1;
        if (i < n && (s[i] == '+' || s[i] == '-')) i++;
        end = digits(s, i, n);
        if (end == i) return false;
    }
    return end == n;
}

bool number_parse(const char *text, size_t length, double *value)
{
    size_t point;
    if (length > LONGEST || !well_formed(text, length, &point)) return false;
    char copy[LONGEST + 16];
    const char *mark = localeconv()->decimal_point;
    size_t skip = point < length;
    int n = snprintf(copy, sizeof copy, "%.*s%s%.*s", (int)point, text, skip ? mark : "", (int)(length - point - skip),
                     text + point + skip);
    if (n < 0 || (size_t)n >= sizeof copy) return false;
    *value = strtod(copy, NULL);
    return isfinite(*value);
}

/* Copies a printed number, with a point wherever the locale has its mark. */
static const char *with_point(char buffer[NUMBER_SIZE], const char *text)
{
    const char *mark = localeconv()->decimal_point, *at = strstr(text, mark);
    size_t before = at ? (size_t)(at - text) : strlen(text);
    memcpy(buffer, text, before);
    buffer[before] = '\0';
    if (at) {
        buffer[before] = '.';
        strcpy(buffer + before + 1, at + strlen(mark));
    }
    return buffer;
}

const char *number_print(char buffer[NUMBER_SIZE], double value)
{
    char text[NUMBER_SIZE];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(text, sizeof text, "%.*g", precision, value);
        if (strtod(text, NULL) == value) break;
    }
    return with_point(buffer, text);
}

const char *number_print_float(char buffer[NUMBER_SIZE], float value)
{
    char text[NUMBER_SIZE];
    for (int precision = 6; precision <= 9; precision++) {
        snprintf(text, sizeof text, "%.*g", precision, (double)value);
        if (strtof(text, NULL) == value) break;
    }
    return with_point(buffer, text);
}
