/* Every way to write every kernel, on random trees with limbs of one shape: also those that are seldom the cheapest, so
   that no tree of a user's is the first to take them: programs are evaluated in the process, loops too, and compared
   with the generic library in quadruple precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare/yardstick.h"
#include "fixture.h"
#include "plan/plan.h"
#include "suite.h"
#include "trees.h"

typedef struct subject {
    arena *memory;
    model *m;
    sva_model *s;
    const kernel_info *kernel;
    const tree *t;
    trace_options o;
    const double *in[ARG_INPUTS];
    quad **truth; /* per output, by rows; made when first needed */
    int n_out, size[ARG_COUNT];
    const char *name;
    long *tried, *wide; /* how many texts were tried, and of trees with lanes */
} subject;

/* ---- the truth */

static void *numbers(subject *x, int n, size_t size) { return arena_alloc(x->memory, size * (size_t)(n + 1)); }

static void find_truth(subject *x)
{
    const void *in[ARG_INPUTS] = {NULL};
    void *out[ARG_COUNT];
    yardstick *y = yardstick_new(x->memory, x->m, x->s, x->kernel, &x->o, YARDSTICK_QUAD);
    for (const arg *a = x->kernel->in; *a != ARG_COUNT; a++) {
        int rows, cols;
        arg_size(*a, x->m, &x->o, &rows, &cols);
        quad *copy = numbers(x, rows * cols, sizeof *copy);
        for (int i = 0; i < rows * cols; i++) copy[i] = (quad)x->in[*a][i];
        in[*a] = copy;
    }
    x->truth = ARENA_ARRAY(x->memory, quad *, ARG_COUNT);
    for (x->n_out = 0; x->kernel->out[x->n_out] != ARG_COUNT; x->n_out++) {
        int rows, cols;
        arg_size(x->kernel->out[x->n_out], x->m, &x->o, &rows, &cols);
        x->size[x->n_out] = rows * cols;
        out[x->n_out] = x->truth[x->n_out] = numbers(x, rows * cols, sizeof(quad));
    }
    for (int k = 0; k < 3; k++) x->s->gravity[k] = x->in[ARG_GRAVITY_IN][k];
    y->run(y, in, out);
    yardstick_free(y);
}

/* ---- one text */

static const char *words(const subject *x, const strategy *st)
{
    return arena_printf(x->memory, "%s %s, solver %d, columns %d%s%s", x->name, x->kernel->name, (int)st->solver,
                        st->columns, st->whole ? ", whole" : "", st->shared_M ? ", shared M" : "");
}

/* Condition numbers of the random trees' M reach 1e4, and long levers cost a digit or two. */
static void expect_truth(const subject *x, const strategy *st, double *const *out)
{
    for (int i = 0; i < x->n_out; i++) {
        double error = 0, size = 1e-3;
        for (int k = 0; k < x->size[i]; k++) {
            ck_assert_msg(isfinite(out[i][k]), "%s: output %d has no number at %d", words(x, st), i, k);
            error = fmax(error, fabs((double)((quad)out[i][k] - x->truth[i][k])));
            size = fmax(size, fabs((double)x->truth[i][k]));
        }
        ck_assert_msg(error <= 1e-8 * size, "%s: output %d is wrong by %.1e of %.1e", words(x, st), i, error, size);
    }
}

static void try(subject *x, const strategy *st)
{
    if (!plan_can(x->kernel, x->t, st)) return;
    program *p = program_new();
    double *out[ARG_COUNT], *at[ARG_COUNT] = {NULL};
    if (!x->truth) find_truth(x);
    x->kernel->text(p, x->t, &x->o, st);
    program_finish(p);
    for (int i = 0; i < x->n_out; i++) {
        at[x->kernel->out[i]] = out[i] = ARENA_ARRAY(p->memory, double, x->size[i] + 1);
        for (int k = 0; k < x->size[i]; k++) out[i][k] = NAN;
    }
    program_eval(p, x->in, at);
    expect_truth(x, st, out);
    ++*x->tried;
    *x->wide += x->t->n - 1 < x->m->n_bodies;
    program_free(p);
}

/* ---- every text of a kernel */

/* 0: body frames, 1: the ground's for all, 2: the first body's, 3: every third body shares its parent's. */
static int *frames_of(arena *memory, const tree *t, int choice)
{
    int *frame = trace_body_frames(memory, t);
    for (int i = 0; i < t->n; i++) {
        if (choice == 1 || choice == 2) frame[i] = choice - 1;
        if (choice == 3 && i % 3 == 0 && i) frame[i] = frame[t->node[i].parent];
    }
    return frame;
}

static void each_solver(subject *x, strategy st)
{
    static const int columns[] = {0, 1, 3, 8};
    for (int kind = 0; kind < SOLVERS; kind++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            for (int more = 0; more < 4; more++) {
                st.solver = (solver_kind)kind;
                st.columns = columns[c];
                st.whole = more & 1;
                st.shared_M = more & 2;
                try(x, &st);
            }
}

static void each_text(subject *x, int choice)
{
    strategy st = {.frame = frames_of(x->memory, x->t, choice), .solve_frame = trace_body_frames(x->memory, x->t)};
    strategy looped = st;
    looped.looped = true;
    if (x->o.friction == FRICTION_NONE && !choice) try(x, &looped);
    if (x->kernel->solver)
        each_solver(x, st);
    else if (x->kernel->frames || !choice)
        try(x, &st);
}

/* Limbs are not lanes with friction's tanh. */
static void each_tree(subject *x, int choice)
{
    const tree *plain = tree_new(x->memory, x->m, true),
               *wide = x->o.friction == FRICTION_FULL ? NULL : tree_with_lanes(x->memory, plain);
    x->t = plain;
    each_text(x, choice);
    x->t = wide;
    if (wide) each_text(x, choice);
    x->t = tree_new(x->memory, x->m, false);
    each_text(x, choice);
}

/* ---- random trees and options */

/* A few bodies, of which one limb or two are repeated: on the base, in mid tree, and inside each other. */
static model *random_tree(arena *memory, uint64_t seed)
{
    int i = (int)seed;
    tree_options o = {2 + i % 5, i % 3 == 1, i % 4 == 2, i % 2 == 0, i % 5 ? 0x3ffu >> 1 << 1 : 1u << SVA_REVOLUTE};
    model *m = tree_random(memory, seed, o);
    int first = m->floating ? 1 : 0;
    for (int n = 0; n < 1 + i % 2 && first < m->n_bodies; n++) {
        int root = first + (int)tree_uniform(&seed, 0, m->n_bodies - first);
        if (m->n_bodies < 9) m = tree_repeat(memory, m, root, 1 + (int)tree_uniform(&seed, 0, 3), seed);
    }
    tree_add_losses(m, &seed);
    return m;
}

/* A joint below a branch's parent follows that parent's own joint: floating base, 1 revolute, on it 2 floating with 3
   that follows 1, and 4 floating. */
static model *following_tree(arena *memory)
{
    static const struct {
        sva_joint_type type;
        int parent, master;
    } rows[] = {{SVA_FLOATING, -1, -1},
                {SVA_REVOLUTE, 0, -1},
                {SVA_FLOATING, 1, -1},
                {SVA_REVOLUTE, 2, 1},
                {SVA_FLOATING, 1, -1}};
    enum { BODIES = sizeof rows / sizeof *rows };
    model *m = tree_random(memory, 5, (tree_options){.bodies = BODIES, .floating = true});
    for (int i = 0; i < BODIES; i++) {
        m->bodies[i].type = rows[i].type;
        m->bodies[i].parent = rows[i].parent;
        m->bodies[i].master = rows[i].master;
        m->bodies[i].multiplier = -0.7;
        m->bodies[i].pitch = 0;
    }
    return tree_repeat(memory, m, 1, 0, 0); /* numbers it again */
}

static void random_state(subject *x, uint64_t seed)
{
    double *in[ARG_INPUTS];
    for (int a = 0; a < ARG_INPUTS; a++) {
        int n = x->m->nq + x->m->nv + 6 * x->m->n_bodies + 3;
        x->in[a] = in[a] = ARENA_ARRAY(x->memory, double, n);
        sva_random_vector(n, &seed, in[a]);
    }
    sva_random_configuration(x->s, &seed, in[ARG_Q]);
    memcpy(in[ARG_GRAVITY_IN], x->m->gravity, sizeof x->m->gravity);
}

/* Every second body, and a frame at each body. */
static trace_options options_of(subject *x, int i)
{
    int *bodies = ARENA_ARRAY(x->memory, int, x->m->n_bodies);
    trace_options o = {.gravity_input = i % 2, .friction = (friction_kind)(i / 2 % 3), .friction_width = 0.3};
    for (int b = i % 2; b < x->m->n_bodies; b += 2) bodies[o.n_fext++] = b;
    o.fext = bodies;
    return o;
}

static void check_tree(arena *memory, model *m, int i, long *tried, long *wide)
{
    subject x = {.memory = memory, .m = m, .tried = tried, .wide = wide};
    x.name = arena_printf(x.memory, "tree %d (%d bodies, nv %d%s)", i, x.m->n_bodies, x.m->nv,
                          x.m->floating ? ", floating" : "");
    x.s = fixture_model(x.memory, x.m).sva;
    ck_assert_ptr_nonnull(x.s);
    random_state(&x, (uint64_t)i);
    x.o = options_of(&x, i);
    for (int k = 0; k < kernel_count; k++) {
        x.kernel = &kernel_table[k];
        x.truth = NULL;
        if (!kernel_gives(x.kernel, ARG_J)) each_tree(&x, i % 4);
    }
    sva_model_free(x.s);
    arena_free(x.memory);
}

static void check_trees(int first, int stride)
{
    long tried = 0, wide = 0;
    int last = quick() ? 40 : 80;
    for (int i = first; i < last; i += stride) {
        arena *memory = arena_new();
        check_tree(memory, random_tree(memory, (uint64_t)i), i, &tried, &wide);
    }
    printf("%ld texts, %ld of them with limbs side by side\n", tried, wide);
    ck_assert_int_gt(wide, tried / 30);
}

START_TEST(even_trees) { check_trees(0, 2); }
END_TEST

START_TEST(odd_trees) { check_trees(1, 2); }
END_TEST

START_TEST(a_joint_that_follows_the_one_above)
{
    long tried = 0, wide = 0;
    arena *memory = arena_new();
    check_tree(memory, following_tree(memory), 0, &tried, &wide);
    ck_assert_int_gt(tried, 0);
}
END_TEST

/* Entries of L that cancel do not part unknowns that the tree connects. */
START_TEST(a_rotor_on_a_free_base)
{
    long tried = 0, wide = 0;
    fixture f = fixture_robot("tests/data/degenerate/free_rotor.yaml", (model_options){0});
    ck_assert_ptr_nonnull(f.model);
    sva_model_free(f.sva);
    check_tree(f.memory, f.model, 0, &tried, &wide);
    ck_assert_int_gt(tried, 0);
}
END_TEST

SUITE("combinations", a_joint_that_follows_the_one_above, a_rotor_on_a_free_base, even_trees, odd_trees)
