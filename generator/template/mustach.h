/* The interface of José Bollo's mustach, version 1.2: same constants, structures and functions, so that a program
   compiled with this header runs on either implementation. Templates are plain Mustache: variables, sections, inverted
   sections, partials, comments, changes of delimiters; names are handed to the callbacks as they stand. */
#ifndef _mustach_h_included_
#define _mustach_h_included_

#include <stddef.h>
#include <stdio.h>

#define MUSTACH_VERSION       102
#define MUSTACH_VERSION_MAJOR (MUSTACH_VERSION / 100)
#define MUSTACH_VERSION_MINOR (MUSTACH_VERSION % 100)

#define MUSTACH_MAX_DEPTH        256  /* open sections of one text */
#define MUSTACH_MAX_NESTING      64   /* partials inside partials */
#define MUSTACH_MAX_LENGTH       4096 /* of a name */
#define MUSTACH_MAX_DELIM_LENGTH 8

/* Flags. Colon: {{:name}} is a variable whatever its name starts with. EmptyTag: names may be empty. */
#define Mustach_With_NoExtensions  0
#define Mustach_With_Colon         1
#define Mustach_With_EmptyTag      2
#define Mustach_With_AllExtensions 3

#define MUSTACH_OK                      0
#define MUSTACH_ERROR_SYSTEM            -1 /* errno says which */
#define MUSTACH_ERROR_UNEXPECTED_END    -2
#define MUSTACH_ERROR_EMPTY_TAG         -3
#define MUSTACH_ERROR_TAG_TOO_LONG      -4
#define MUSTACH_ERROR_BAD_SEPARATORS    -5
#define MUSTACH_ERROR_TOO_DEEP          -6
#define MUSTACH_ERROR_CLOSING           -7
#define MUSTACH_ERROR_BAD_UNESCAPE_TAG  -8
#define MUSTACH_ERROR_INVALID_ITF       -9
#define MUSTACH_ERROR_ITEM_NOT_FOUND    -10
#define MUSTACH_ERROR_PARTIAL_NOT_FOUND -11
#define MUSTACH_ERROR_UNDEFINED_TAG     -12
#define MUSTACH_ERROR_TOO_MUCH_NESTING  -13

/* Codes for callbacks: MUSTACH_ERROR_USER(0), (1)...; the macro also turns a code back into its number. */
#define MUSTACH_ERROR_USER_BASE  -100
#define MUSTACH_ERROR_USER(x)    (MUSTACH_ERROR_USER_BASE - (x))
#define MUSTACH_IS_ERROR_USER(x) (MUSTACH_ERROR_USER(x) >= 0)

/* A text that a callback lends, zeroed before the call. length 0: up to the NUL; value NULL: empty. The release member,
   if set, is called with value and closure after use; `free` may stand there. */
struct mustach_sbuf {
    const char *value;
    union {
        void (*freecb)(void *);
        void (*releasecb)(const char *value, void *closure);
    };
    void *closure;
    size_t length;
};

/* The program's side. enter, next, leave and one of put, get are needed. A negative result of any of them (leave
   excepted) ends the rendering and is its result; sections that are open then get no leave. */
struct mustach_itf {
    int (*start)(void *closure); /* first of all; not 0: nothing is rendered, this is the result */
    int (*put)(void *closure, const char *name, int escape, FILE *file); /* writes a variable; NULL: get, then emit */
    int (*enter)(void *closure, const char *name); /* 1: the section's first item is current; 0: there is none */
    int (*next)(void *closure);                    /* 1: the next item is current; 0: there was no other */
    int (*leave)(void *closure);                   /* once for every enter that gave 1 */
    int (*partial)(void *closure, const char *name, struct mustach_sbuf *sbuf); /* NULL: get, else put */
    /* Takes all output; NULL: fwrite, with < > & " as HTML entities where escape is set. */
    int (*emit)(void *closure, const char *buffer, size_t size, int escape, FILE *file);
    int (*get)(void *closure, const char *name, struct mustach_sbuf *sbuf);
    void (*stop)(void *closure, int status); /* last of all, with the result */
};

/* Render a text (length 0: up to its NUL) and return 0 or a negative code. _file neither flushes nor closes; _fd closes
   the descriptor; _mem gives a text with a NUL behind it to be freed (NULL and size 0 after an error; size may be
   NULL). */
int mustach_file(const char *text, size_t length, const struct mustach_itf *itf, void *closure, int flags, FILE *file);
int mustach_fd(const char *text, size_t length, const struct mustach_itf *itf, void *closure, int flags, int fd);
int mustach_mem(const char *text, size_t length, const struct mustach_itf *itf, void *closure, int flags, char **result,
                size_t *size);

#ifndef DEPRECATED_MUSTACH
#if defined(__GNUC__)
#define DEPRECATED_MUSTACH(func) func __attribute__((deprecated))
#elif defined(_MSC_VER)
#define DEPRECATED_MUSTACH(func) __declspec(deprecated) func
#else
#define DEPRECATED_MUSTACH(func) func
#endif
#endif

/* The names of old, with all extensions. */
DEPRECATED_MUSTACH(int fmustach(const char *text, const struct mustach_itf *itf, void *closure, FILE *file));
DEPRECATED_MUSTACH(int fdmustach(const char *text, const struct mustach_itf *itf, void *closure, int fd));
DEPRECATED_MUSTACH(int mustach(const char *text, const struct mustach_itf *itf, void *closure, char **result,
                               size_t *size));

#endif
