/* A sweep over pairs of a random robot and random options of `svagen generate`. It shares nothing with the generator:
   the robot is written by the sweep, the program is run as users run it, and what its code should give comes from the
   generic library, in quadruple precision, on a model that is made from the drawn numbers, or from no library at all.

     draw_robot.c, draw_options.c   what is drawn; the same from the same seed on every machine
     write.c                        the robot as YAML (robots/FORMAT.md), the options as words
     witness.c, bounds.c            what kernels should give, and how near they must come
     run.c                          svagen, the compiler, loading
     describe.c, check.c, identities.c   what was made against what it should be */
#ifndef SWEEP_H
#define SWEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "sva.h"
#include "sva_kernel.h"

typedef __float128 quad;

enum { MOST_LINKS = 48, MOST_JOINTS = 14, MOST_NV = 36, NAME = 64, STATES = 3, MOST_ARGS = 6, MOST_WORDS = 48 };

/* ---- random numbers */

uint64_t draw_bits(uint64_t *seed);
double draw_uniform(uint64_t *seed, double low, double high);
int draw_below(uint64_t *seed, int n); /* 0 .. n - 1 */
bool draw_chance(uint64_t *seed, double probability);

/* ---- a robot */

typedef struct drawn_link {
    char name[NAME], joint[NAME];
    int parent; /* -1: the root */
    sva_joint_type type;
    bool as_rpy; /* how the rotation is written */
    double rpy[3], R[9], p[3];
    double axis[3], unit[3], pitch; /* as written; made a unit vector */
    bool scalar[3];                 /* armature, damping, friction: one number for all degrees of freedom */
    double dof[3][6];
    int mimics; /* a link, or -1 */
    double multiplier, offset;
    double mass, com[3], inertia[6]; /* about the centre of mass: xx xy xz yy yz zz */
    int place;                       /* in the file */
    uint64_t style;                  /* which of its numbers are zero, right angles...; limbs alike share it */
    bool weightless;                 /* no mass, no armature */
    int copy_of, limb, limb_end;     /* while drawing: the link this repeats, the limb that one is of; -1: none */
} drawn_link;

/* Links depth first, children in the order of the file. */
typedef struct drawn_robot {
    char name[NAME];
    bool floating, world, has_gravity; /* world: the root is not declared */
    bool weightless;                   /* a joint moves nothing that has mass, and has no armature */
    double gravity[3];
    int n;
    drawn_link links[MOST_LINKS];
} drawn_robot;

void draw_robot(uint64_t *seed, drawn_robot *r);
void draw_numbers(uint64_t *seed, drawn_link *link);
void draw_name(uint64_t *seed, const char *what, int number, char name[NAME]);

/* ---- options and the compiler */

typedef enum kernel_id {
    RNEA,
    ABA,
    CRBA,
    MINV,
    BIAS,
    GRAVITY,
    CORIOLIS,
    IDSVA,
    FDSVA,
    ID_ALL,
    FK,
    JAC,
    RNEA_FEXT,
    IDSVA_FEXT,
    FDSVA_FEXT,
    KERNELS
} kernel_id;

typedef enum input { IN_Q, IN_V, IN_A, IN_TAU, IN_FEXT, IN_GRAVITY, INPUTS } input;
typedef enum output {
    OUT_TAU,
    OUT_QDD,
    OUT_M,
    OUT_MINV,
    OUT_H,
    OUT_G,
    OUT_DTAU_DQ,
    OUT_DTAU_DV,
    OUT_DQDD_DQ,
    OUT_DQDD_DV,
    OUT_POSE,
    OUT_J,
    OUT_C,
    OUTPUTS
} output;

/* As README lists them. */
typedef struct kernel_row {
    const char *name;
    int n_in, n_out;
    input in[MOST_ARGS];
    output out[MOST_ARGS];
    bool by_default, inverse, pulled, fext; /* needs M^-1; depends on gravity; takes forces */
} kernel_row;
extern const kernel_row kernel_rows[KERNELS];
extern const char *const input_names[INPUTS], *const output_names[OUTPUTS];

typedef enum gravity_kind { GRAVITY_OF_ROBOT, GRAVITY_GIVEN, GRAVITY_RUNTIME } gravity_kind;
typedef enum friction_kind { LOSS_NONE, LOSS_VISCOUS, LOSS_FULL } friction_kind;

typedef struct drawn_options {
    int base;                                     /* -1: not given, 0: fixed, 1: floating */
    bool single, columns, independent, all_links; /* all_links: no --fext */
    int n_lanes, lanes[3];
    gravity_kind gravity;
    double pull[3];
    friction_kind friction;
    const char *width, *armature; /* NULL: not given */
    int n_fext, fext[MOST_LINKS], n_frames, frames[MOST_LINKS];
    const char *loops, *vectors, *solver, *name; /* NULL: not given */
    bool twice;                                  /* a list names something twice: an error */
    bool idle;                                   /* an option does nothing: an error */
    bool default_kernels, kernels[KERNELS];
    int order[KERNELS], n_kernels;               /* those wanted, as listed */
    const char *cc, *level, *machine, *standard; /* of the compiler */
} drawn_options;

/* `minv`: M can be inverted; cc NULL: any. */
void draw_options(uint64_t *seed, const drawn_robot *r, bool minv, const char *cc, drawn_options *o);
bool is_floating(const drawn_robot *r, const drawn_options *o);
bool moves(const drawn_robot *r, bool floating, int link);
bool can_be_listed(const char *name);

void write_robot(const drawn_robot *r, FILE *out);
/* The words of `svagen generate`, ended by NULL; the memory is never freed. */
void write_command(uint64_t *seed, const drawn_robot *r, const drawn_options *o, const char *svagen, const char *robot,
                   const char *folder, char *words[MOST_WORDS]);
void print_command(char *const words[], FILE *out);

/* ---- what should come out */

typedef struct witness {
    const drawn_robot *r;
    const drawn_options *o;
    bool floating;
    sva_model *m;
    svaq_workspace *w;
    int body[MOST_LINKS]; /* of each link; -1: the ground */
    int link[MOST_LINKS]; /* of each body */
    int nq, nv, n_joints;
    int n_frames;
    const char *const *frames; /* as the description orders them */
} witness;

typedef struct drawn_state {
    double *in[INPUTS];
    quad *truth[2][OUTPUTS]; /* without and with external forces; by rows */
    double tolerance[2][OUTPUTS];
    double condition;
} drawn_state;

const char *witness_make(witness *y, const drawn_robot *r, const drawn_options *o); /* NULL, or what is wrong */
void witness_state(witness *y, uint64_t *seed, drawn_state *s);
void witness_truth(witness *y, drawn_state *s);
double witness_condition(witness *y, const double q[]); /* |M| |M^-1| */
int input_size(const witness *y, input a);
void output_size(const witness *y, output a, int *rows, int *cols);
/* q (+) step e_j, without the library. */
void witness_step(const witness *y, const double q[], int j, double step, double out[]);

/* Sums of absolute values of what adds up to an output, which may cancel: what rounding is relative to. */
typedef struct bounds {
    double tau, dtau_dq, dtau_dv, M, fall, pose;
} bounds;
bounds bounds_of(const witness *y, const drawn_state *s, const double a[], bool fext);

/* ---- running */

typedef struct made {
    void *library;
    const sva_robot *robot;
    char id[256]; /* the C name */
    char so[512];
    long size; /* of the sources; lanes are compiled more than once */
} made;

typedef struct outcome {
    int status; /* exit code; 128 + signal */
    char *text; /* of both streams */
} outcome;
outcome run_words(char *const words[], int seconds);
/* NULL, or what went wrong. */
const char *compile_folder(const char *folder, const drawn_options *o, made *m);

/* ---- checks: each prints a line per failure and returns how many there were */

typedef struct pair {
    uint64_t seed; /* of the checks */
    const char *label;
    int failures;
    witness *y;
    const drawn_options *o;
    const made *m;
    drawn_state states[STATES];
} pair;
void pair_failed(pair *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void check_description(pair *p);
void check_kernels(pair *p);
void check_identities(pair *p);

/* numbers of the code's type */
void *numbers_new(const pair *p, long n); /* at no particular alignment; filled with NaN, guarded by some more */
bool numbers_guarded(const pair *p, const void *x, long n);
void numbers_put(const pair *p, void *x, long i, double value);
double numbers_get(const pair *p, const void *x, long i);
/* One state by the description; out by rows. False if there is no such kernel. */
bool call_kernel(pair *p, kernel_id k, double *const in[INPUTS], double *const out[OUTPUTS]);

#endif
