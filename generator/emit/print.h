/* Statements as C text: the bodies of kernels. */
#ifndef PRINT_H
#define PRINT_H

#include <stdio.h>
#include "trace/kernels.h"

typedef struct print_style {
    const model *model;
    const trace_options *options;
    const char *name;    /* C name of the kernel: ur5_idsva */
    const char *defines; /* prefix of sizes: UR5 */
    bool single;         /* float */
    bool column_major;
    bool lanes; /* a text for vectors of states: types and loads by macros */
} print_style;

/* The whole function, preceded by its parts and those that its later stages call. */
void print_kernel(FILE *out, const kernel_info *k, const program *p, const print_style *style);

/* "const double q[UR5_NQ], ..., double tau[UR5_NV]"; times W for lanes. */
void print_parameters(FILE *out, const kernel_info *k, const print_style *style, const char *times);
/* The size of an argument as C writes it, e.g. UR5_NV*UR5_NV. */
void print_size(FILE *out, arg a, const print_style *style);
/* Where an output is in its array. */
int print_index(const print_style *style, graph_slot slot);
/* Text of a file inside a comment: no end of comment, no control characters, cut where too long. */
void print_comment_text(FILE *out, const char *text);

#endif
