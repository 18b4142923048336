/* What the files of one folder are made from, and what their makers share. */
#ifndef EMISSION_H
#define EMISSION_H

#include "emit.h"
#include "template/render.h"

typedef struct emission {
    arena *memory;
    folder *folder;
    const model *m;
    const emit_options *o;
    const kernel_plan *kernels;
    int n;
    const char *robot, *upper;
    arg_sizes sizes;
    const char *const *joints, *const *frames; /* as parts of enumerators, unique */
    diag *d;
} emission;

/* Texts of files made harmless: in a comment, in a string. Long strings become arrays, defined in `definitions`, which
   are numbered by *arrays. */
const char *emission_comment(const emission *e, const char *text);
const char *emission_string(const emission *e, const char *text, FILE *definitions, int *arrays);

/* Whatever `print` writes, as a text. */
typedef void (*emission_printer)(FILE *out, const emission *e, const kernel_plan *k, const char *times);
const char *emission_text(const emission *e, emission_printer print, const kernel_plan *k, const char *times);
/* Printers of "const double q[UR5_NQ], ...", with `times` before sizes; "const double *q, ..."; "q, v, ..." with a
   suffix. */
void emission_parameters(FILE *out, const emission *e, const kernel_plan *k, const char *times);
void emission_pointers(FILE *out, const emission *e, const kernel_plan *k, const char *unused);
void emission_names(FILE *out, const emission *e, const kernel_plan *k, const char *suffix);

print_style emission_style(const emission *e, const kernel_plan *k, bool lanes);
void emission_number(const emission *e, value *v, const char *key, long x);
void emission_common(const emission *e, value *v);                       /* version, robot, ... */
void emission_kernel(const emission *e, value *v, const kernel_plan *k); /* meaning, counts, parameters, lanes */
const char *emission_gravity(const emission *e, bool c);                 /* as C, or in words */
const char *emission_hash(const emission *e);                            /* of all that the model says */

/* adds, muls, divs, funcs and choice of one text; keys get the suffix. */
void emission_counts(const emission *e, value *v, const planned *text, const char *suffix);
/* What the preprocessor asks for the text with vectors; empty: there is none. */
const char *emission_condition(const emission *e, const kernel_plan *k);

/* The widths of a kernel: 1, then those of --lanes. */
int emission_width(const emission *e, int i);
/* Bytes of stack that a kernel needs at most, for one state (lanes 1) or for lanes, and its batch function. */
long emission_stack(const emission *e, const kernel_plan *k, int lanes);
long emission_batch_stack(const emission *e, const kernel_plan *k);
/* The vector widths that batches choose from. */
int emission_widest(const emission *e);
int emission_narrow(const emission *e);

/* Values for the templates. */
void header_fill(emission *e, value *v, const kernel_plan *k);
void describe_fill(emission *e, value *v, const kernel_plan *k);

#endif
