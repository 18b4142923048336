#include "names.h"
#include <stdint.h>
#include <string.h>
#include "base/invariant.h"

typedef struct slot {
    const char *name; /* NULL: empty */
    uint64_t hash;
    int index;
} slot;

/* Open addressing, at most half full; the number of slots is a power of two. */
struct names {
    arena *memory;
    slot *slots;
    size_t size, used;
};

enum { FIRST_SIZE = 64, LONGEST = 64 };

names *names_new(arena *memory)
{
    names *map = ARENA_ARRAY(memory, names, 1);
    *map = (names){.memory = memory, .slots = ARENA_ARRAY(memory, slot, FIRST_SIZE), .size = FIRST_SIZE};
    return map;
}

/* FNV-1a */
static uint64_t hash_of(const char *name)
{
    uint64_t hash = 14695981039346656037u;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    return hash;
}

/* The slot that holds the name, or the empty one where it belongs. */
static slot *slot_of(const names *map, const char *name, uint64_t hash)
{
    size_t i = (size_t)(hash ^ hash >> 32) & (map->size - 1);
    while (map->slots[i].name && (map->slots[i].hash != hash || strcmp(map->slots[i].name, name) != 0))
        i = (i + 1) & (map->size - 1);
    return &map->slots[i];
}

static void grow(names *map)
{
    names old = *map;
    map->size *= 2;
    map->slots = ARENA_ARRAY(map->memory, slot, map->size);
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i].name) *slot_of(map, old.slots[i].name, old.slots[i].hash) = old.slots[i];
}

int names_add(names *map, const char *name, int index)
{
    INVARIANT(index >= 0);
    uint64_t hash = hash_of(name);
    slot *s = slot_of(map, name, hash);
    if (s->name) return s->index;
    *s = (slot){name, hash, index};
    if (++map->used * 2 > map->size) grow(map);
    return -1;
}

int names_find(const names *map, const char *name)
{
    const slot *s = slot_of(map, name, hash_of(name));
    return s->name ? s->index : -1;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Insertions, deletions and replacements that turn a into b (Levenshtein), row by row. */
static size_t edits(const char *a, size_t na, const char *b, size_t nb)
{
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= nb; j++) row[j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t above = row[j];
            row[j] = least(least(above, row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[nb];
}

const char *names_closest(const char *text, const char *const *candidates, int count)
{
    size_t length = strlen(text);
    if (length > LONGEST) return NULL;
    const char *best = NULL;
    size_t limit = length / 3 + 1; /* edits that still leave most of the word */
    for (int i = 0; i < count; i++) {
        size_t n = strlen(candidates[i]);
        size_t distance = n <= LONGEST ? edits(text, length, candidates[i], n) : LONGEST;
        if (distance > limit || distance >= n) continue;
        best = candidates[i];
        limit = distance ? distance - 1 : 0;
        if (distance == 0) break;
    }
    return best;
}
