/* The generated folder: texts of the kernels, header, description. */
#ifndef EMIT_H
#define EMIT_H

#include "folder.h"
#include "identifiers.h"
#include "print.h"
#include "trace/search.h"

/* A way to write a kernel. */
typedef struct emit_text {
    const schedule *schedule;
    const schedule *const *blocks; /* of the texts of the tail */
    const tail *end;
    graph_counts counts;
    const char *choice; /* in words; may be empty */
} emit_text;

typedef struct emit_kernel {
    const kernel_info *info;
    emit_text plain;   /* numbers only: for any machine, and for lanes of states */
    emit_text vectors; /* for one state on a machine with vectors; without schedule if there is none that is better */
} emit_kernel;

typedef struct emit_options {
    trace_options trace;
    bool single, column_major;
    bool plain;            /* no vectors inside one state */
    bool single_file;      /* all in one header and one source */
    int n_lanes, lanes[3]; /* ascending */
    const char *words;     /* the options as the header shows them */
} emit_options;

/* Fills the folder; false after an error. */
bool emit_robot(folder *f, const model *m, const emit_options *o, const emit_kernel *kernels, int n, diag *d);

#endif
