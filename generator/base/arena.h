/* Memory that is freed all at once: one arena per stage. Never returns NULL: out of memory ends the program. */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

typedef struct arena arena;

arena *arena_new(void);
void arena_free(arena *a);
void *arena_alloc(arena *a, size_t size); /* zeroed, aligned for any type */
char *arena_copy(arena *a, const char *text, size_t length);
char *arena_printf(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define ARENA_ARRAY(a, type, count) ((type *)arena_alloc((a), sizeof(type) * (size_t)(count)))

/* A vector of T on the heap: struct { T *at; int n, cap; }. Growing may move it. */
void *vec_grow(void *at, int *cap, int n, size_t item);
#define VEC(T)                                                                                                         \
    struct {                                                                                                           \
        T *at;                                                                                                         \
        int n, cap;                                                                                                    \
    }
#define VEC_PUSH(v, value)                                                                                             \
    do {                                                                                                               \
        if ((v)->n == (v)->cap) (v)->at = vec_grow((v)->at, &(v)->cap, (v)->n, sizeof *(v)->at);                       \
        (v)->at[(v)->n++] = (value);                                                                                   \
    } while (0)

#endif
