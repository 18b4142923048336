/* What must hold for any text given to the URDF reader: exactly one error, or a robot that survives being written as
   YAML and read again, byte for byte, and makes a model. Shared by the fuzzer and the test that replays its finds. */
#ifndef TESTS_FUZZ_URDF_CASE_H
#define TESTS_FUZZ_URDF_CASE_H

#include "yaml_case.h"

/* False if something does not hold. */
static inline bool urdf_case(const char *text, size_t length, bool allow_unphysical)
{
    arena *memory = arena_new();
    diag d = diag_new(memory);
    read_options options = {.clean = 1e-9, .allow_unphysical = allow_unphysical};
    const robot *r = robot_read_urdf(memory, "case", text, length, &options, &d);
    bool fine = d.errors == (r == NULL);
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
