/* The generated folder: texts of the kernels, header, description. */
#ifndef EMIT_H
#define EMIT_H

#include "folder.h"
#include "identifiers.h"
#include "print.h"
#include "plan/plan.h"

typedef struct emit_options {
    trace_options trace;
    bool single, column_major;
    bool plain;            /* no vectors inside one state */
    bool single_file;      /* all in one header and one source */
    bool model;            /* also the robot for the generic library */
    int n_lanes, lanes[3]; /* ascending */
    const char *words;     /* the options as the header shows them */
} emit_options;

/* Fills the folder; false after an error. */
bool emit_robot(folder *f, const model *m, const emit_options *o, const kernel_plan *kernels, int n, diag *d);

/* A string literal: whatever is not plain is an octal escape. */
const char *emit_literal(arena *memory, const char *text);

#endif
