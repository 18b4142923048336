/* What must hold for any text given to the YAML reader: it is refused with an error, or the robot survives being
   written and read again, byte for byte, and makes a model. For the fuzzer and the test that replays its finds. */
#ifndef TESTS_FUZZ_YAML_CASE_H
#define TESTS_FUZZ_YAML_CASE_H

#include <stdlib.h>
#include <string.h>
#include "model/model.h"

/* The robot as YAML, to be freed. */
static inline char *yaml_text_of(const robot *r, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out) abort();
    robot_write_yaml(r, out);
    fclose(out);
    return text;
}

static inline bool yaml_survives(arena *memory, const robot *r, const read_options *options)
{
    diag d = diag_new(memory);
    size_t n1, n2 = 0;
    char *once = yaml_text_of(r, &n1), *twice = NULL;
    const robot *again = robot_read_yaml(memory, "again", once, n1, options, &d);
    if (again) twice = yaml_text_of(again, &n2);
    bool same = again && n1 == n2 && !memcmp(once, twice, n1);
    free(once);
    free(twice);
    return same;
}

/* False if something does not hold. */
static inline bool yaml_case(const char *text, size_t length, bool allow_unphysical)
{
    arena *memory = arena_new();
    diag d = diag_new(memory);
    read_options options = {.allow_unphysical = allow_unphysical};
    const robot *r = robot_read_yaml(memory, "case", text, length, &options, &d);
    bool fine = (r == NULL) == (d.errors > 0);
    if (r) {
        bool survives = yaml_survives(memory, r, &options);
        diag of_build = diag_new(memory);
        const model *m = model_build(memory, r, NULL, &of_build);
        fine = fine && survives && (m == NULL) == (of_build.errors > 0);
    }
    arena_free(memory);
    return fine;
}

#endif
