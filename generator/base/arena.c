#include "arena.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    struct block *next;
    size_t used, size;
    max_align_t data[];
} block;

struct arena {
    block *blocks;
};

static void out_of_memory(void)
{
    fputs("svagen: out of memory\n", stderr);
    exit(3);
}

arena *arena_new(void)
{
    arena *a = calloc(1, sizeof *a);
    if (!a) out_of_memory();
    return a;
}

void arena_free(arena *a)
{
    if (!a) return;
    for (block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(a);
}

void *arena_alloc(arena *a, size_t size)
{
    if (size > SIZE_MAX / 2) out_of_memory();
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    block *b = a->blocks;
    if (!b || b->size - b->used < size) {
        size_t room = size > 65536 ? size : 65536;
        b = malloc(sizeof *b + room);
        if (!b) out_of_memory();
        b->next = a->blocks;
        b->used = 0;
        b->size = room;
        a->blocks = b;
    }
    void *p = (char *)b->data + b->used;
    b->used += size;
    return memset(p, 0, size);
}

char *arena_copy(arena *a, const char *text, size_t length)
{
    char *s = arena_alloc(a, length + 1);
    if (length) memcpy(s, text, length);
    return s;
}

char *arena_printf(arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *s = arena_alloc(a, (size_t)n + 1);
    va_start(args, format);
    vsnprintf(s, (size_t)n + 1, format, args);
    va_end(args);
    return s;
}

void *vec_grow(void *at, int *cap, int n, size_t item)
{
    if (n > INT_MAX / 2) out_of_memory();
    *cap = n ? 2 * n : 16;
    at = realloc(at, (size_t)*cap * item);
    if (!at) out_of_memory();
    return at;
}
