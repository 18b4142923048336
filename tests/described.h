/* Robots of a few lines, described in the tests themselves. */
#ifndef TESTS_DESCRIBED_H
#define TESTS_DESCRIBED_H

#include <check.h>
#include <string.h>
#include "fixture.h"
#include "model/robot.h"

/* `links`: YAML of what follows the base, in the robot format. */
static inline fixture described(const char *links, bool floating)
{
    arena *memory = arena_new();
    diag d = diag_new(memory);
    read_options how = {.clean = 1e-9, .allow_unphysical = true};
    const char *text = arena_printf(memory, "svagen: 1\nname: described\nbase: %s\nlinks:\n%s",
                                    floating ? "floating" : "fixed", links);
    robot *r = robot_read_yaml(memory, "described.yaml", text, strlen(text), &how, &d);
    model *m = r ? model_build(memory, r, &(model_options){0}, &d) : NULL;
    diag_print(&d, DIAG_ERROR, stderr);
    ck_assert_ptr_nonnull(m);
    return fixture_model(memory, m);
}

#endif
