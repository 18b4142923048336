/* The interface of the kernels as data: one row for every argument that a kernel can have. Prototypes, sizes of arrays,
   header comments, the description, batches and what compare and bench allocate all come from these rows; an argument
   more is a row more.

   An argument is an array of up to three indices, the last one fastest (by columns, the layout of matrices turns only
   the last two). The extent of an index is a factor times a symbol: 6 * N_FEXT. Symbols are numbers of one robot and
   one folder (arg_sizes), and macros of its header.

   Arguments count from 0, inputs first. Behind them, in the same numbering, come the arrays inside a kernel (local),
   which texts read and write in the same way: an argument or a local is a slot's number. */
#ifndef ARGS_H
#define ARGS_H

#include <stdbool.h>
#include <stdio.h>

typedef enum arg {
    ARG_Q,
    ARG_V,
    ARG_A,
    ARG_TAU_IN,
    ARG_FEXT,
    ARG_GRAVITY_IN,
    ARG_INPUTS,
    ARG_TAU = ARG_INPUTS,
    ARG_QDD,
    ARG_M,
    ARG_MINV,
    ARG_H,
    ARG_G,
    ARG_C,
    ARG_DTAU_DQ,
    ARG_DTAU_DV,
    ARG_DQDD_DQ,
    ARG_DQDD_DV,
    ARG_POSE,
    ARG_J,
    ARG_COUNT /* ends lists; also how long a list can get, for a kernel has an argument once */
} arg;

/* Arrays between the straight text of a kernel and what follows it. */
typedef enum local {
    LOCAL_L = 64, /* the order of operands follows these numbers: an argument more moves none of them */
    LOCAL_DINV,
    LOCAL_X,
    LOCAL_COLUMNS, /* records of large.h, and of their lower halves rows */
    LOCAL_FORCES,
    LOCAL_BLOCK, /* of X, and what it becomes */
    LOCAL_SOLVED,
    SLOT_COUNT
} local;
static inline bool slot_is_local(int slot) { return slot >= (int)LOCAL_L; }
_Static_assert((int)ARG_COUNT < (int)LOCAL_L, "locals are numbered behind all arguments");
const char *slot_name(int slot); /* in C, of an argument or a local */

typedef enum arg_symbol {
    SIZE_ONE,
    SIZE_NQ,
    SIZE_NV,
    SIZE_FRAMES, /* of the robot */
    SIZE_FEXT,   /* links on which external forces act */
    SIZE_JAC,    /* frames that jac is asked for */
    SIZE_SYMBOLS
} arg_symbol;
extern const char *const symbol_table[SIZE_SYMBOLS]; /* the macros, without the robot's prefix */

typedef struct arg_dim {
    int factor; /* 0: there is no such index */
    arg_symbol symbol;
} arg_dim;

enum { ARG_DIMS = 3 };
typedef struct arg_info {
    const char *name;
    arg_dim dims[ARG_DIMS];
    const char *unit, *meaning;
    bool symmetric;
} arg_info;
extern const arg_info arg_table[ARG_COUNT];

typedef struct arg_sizes {
    int of[SIZE_SYMBOLS];
} arg_sizes;
int arg_extent(arg a, const arg_sizes *s, int index); /* 1 where there is no such index */
/* As a matrix: the first index, and all others. */
int arg_rows(arg a, const arg_sizes *s);
int arg_cols(arg a, const arg_sizes *s);
bool arg_uses(arg a, arg_symbol symbol);
/* "UR5_NV*UR5_NV", "6*UR5_N_FEXT" for the prefix UR5. */
void arg_print_size(FILE *out, arg a, const char *prefix);

#endif
