/* One generated kernel at several random states, beside its yardsticks. */
#ifndef TRIAL_H
#define TRIAL_H

#include "compare.h"
#include "contest.h"
#include "yardstick.h"

enum { TRIAL_ARGS = ARG_COUNT };

/* An argument's numbers for all states, state after state, in the kernel's number type. */
typedef struct trial_arg {
    arg which;
    int rows, cols, size; /* rows * cols */
    char *at;             /* aligned to a number, not to more */
    double *scale;        /* of an output, by state, once it was checked; see trial_scale */
} trial_arg;

typedef struct trial {
    arena *memory;
    const comparison *c;
    const kernel_info *kernel;
    const sva_kernel *scalar; /* the description's row, with the batch function */
    yardstick_type type;
    size_t real; /* size of a number */
    int n_in, n_out, states, checked;
    trial_arg in[TRIAL_ARGS], out[TRIAL_ARGS]; /* out: what single states gave */
    yardstick *generic, *truth;
} trial;

/* States that are stored, of which the first `checked` are compared. NULL after an error. */
trial *trial_new(arena *memory, const comparison *c, const kernel_info *k, int states, int checked, uint64_t seed,
                 diag *d);
void trial_free(trial *t);

void trial_check(trial *t, compare_row *row); /* errors against the truth */
void trial_lanes(trial *t, compare_row *row); /* every width and the batch against single states */
void trial_time(const trial *t, compare_row *row);

/* Who computes the kernel: the generic library, and the generated one for one state, for many, and for each width in
   the order of the options. Those that are not there do not take part. */
enum { TRIAL_GENERIC, TRIAL_ONE, TRIAL_BATCH, TRIAL_LANES, TRIAL_CONTESTANTS = TRIAL_LANES + 3 };
void trial_contestants(const trial *t, contestant list[TRIAL_CONTESTANTS]);

/* One state through the description; outputs by pointer, NULL where not wanted. */
void trial_call(const trial *t, int state, void *const out[]);
void trial_invoke(const sva_kernel *k, const void *const in[], void *const out[]);
/* The description's row for so many lanes; NULL: none. */
const sva_kernel *trial_kernel(const trial *t, int lanes);
/* An argument of so many checked states side by side, as lanes have it. */
void trial_pack(const trial *t, const trial_arg *a, int lanes, void *to);
/* The generic library at one state, in the kernel's number type; matrices by rows. */
void trial_generic(const trial *t, int state, void *const out[]);
/* The batch function, for the first `count` states. */
void trial_batch(const trial *t, int count, char *const out[]);

/* What the output is measured against where the truth is zero but for roundings; 0: it is not, and the largest entry
   counts. truth: of all outputs. */
double trial_scale(const trial *t, int output, int state, const quad *const truth[]);
/* How far each output of the truth moves by one rounding of the robot's constants and of the inputs. */
void trial_rounding(trial *t, int state, const quad *const truth[], double moved[]);
/* The inputs of a state by argument, in quadruple precision. */
void trial_quads(const trial *t, int state, const void *in[ARG_INPUTS]);
/* |M| |M^-1|: how much solving with M may magnify rounding; 1 for kernels that do not. */
double trial_condition(const trial *t, int state);

double trial_epsilon(const trial *t); /* of the kernel's number type */
double trial_number(const trial *t, const void *array, long index);
void trial_poison(const trial *t, void *array, long count);

#endif
