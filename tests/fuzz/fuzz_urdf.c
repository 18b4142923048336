#include <stdint.h>
#include "model/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Any bytes: a robot that can be written and built, or exactly one error. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena *memory = arena_new();
    diag d = diag_new(memory);
    read_options reading = {.clean = 1e-9, .allow_unphysical = size & 1};
    robot *r = robot_read_urdf(memory, "fuzz.urdf", (const char *)data, size, &reading, &d);
    if (d.errors != (r ? 0 : 1)) __builtin_trap();
    if (r) {
        FILE *nowhere = fopen("/dev/null", "w");
        robot_write_yaml(r, nowhere);
        fclose(nowhere);
        model_build(memory, r, &(model_options){0}, &d);
    }
    arena_free(memory);
    return 0;
}
