/* The graph's rules, every pass, every choice of frames and solver: looked at by evaluating graphs at random points. */
#include <math.h>
#include <stdlib.h>
#include "fixture.h"
#include "passes/passes.h"
#include "suite.h"
#include "plan/plan.h"
#include "trees.h"

static expr in(graph *g, int i) { return graph_input(g, 1, &(graph_slot){ARG_Q, i}); }

START_TEST(constructors_know_zero_one_and_signs)
{
    graph *g = graph_new();
    expr x = in(g, 0), y = in(g, 1), zero = graph_const(g, 0), one = graph_const(g, 1);
    ck_assert_int_eq(graph_mul(g, x, zero), zero);
    ck_assert_int_eq(graph_mul(g, one, x), x);
    ck_assert_int_eq(graph_add(g, zero, x), x);
    ck_assert_int_eq(graph_sub(g, x, x), zero);
    ck_assert_int_eq(graph_add(g, x, y), graph_add(g, y, x));
    ck_assert_int_eq(graph_neg(g, graph_sub(g, x, y)), graph_sub(g, y, x));
    ck_assert_int_eq(graph_mul(g, graph_neg(g, x), graph_neg(g, y)), graph_mul(g, x, y));
    ck_assert_int_eq(graph_mul(g, graph_const(g, -2), x), graph_neg(g, graph_mul(g, graph_const(g, 2), x)));
    ck_assert_int_eq(graph_call(g, OP_COS, graph_neg(g, x)), graph_call(g, OP_COS, x));
    ck_assert_int_eq(graph_call(g, OP_SIN, graph_neg(g, x)), graph_neg(g, graph_call(g, OP_SIN, x)));
    ck_assert(graph_is(g, graph_mul(g, graph_const(g, 3), graph_const(g, 4)), 12));
    graph_free(g);
}
END_TEST

START_TEST(lanes_are_tuples_gathers_and_sums)
{
    graph *g = graph_new();
    const graph_slot slots[3] = {{ARG_Q, 0}, {ARG_Q, 2}, {ARG_Q, 1}};
    const double k[3] = {2, 3, 5}, q[3] = {1, 10, 100}, *inputs[ARG_INPUTS] = {q};
    expr wide = graph_mul(g, graph_tuple(g, 3, k), graph_input(g, 3, slots));
    expr sum = graph_sum(g, graph_add(g, wide, in(g, 1)), 3);
    double *all = graph_eval(g, inputs);
    ck_assert_double_eq(all[(size_t)sum * GRAPH_LANES], 2 * 1 + 3 * 100 + 5 * 10 + 3 * 10);
    ck_assert_int_eq(graph_node(g, graph_tuple(g, 3, (const double[]){7, 7, 7}))->width, 1);
    free(all);
    graph_free(g);
}
END_TEST

/* (x y + 2 x z) - x w keeps one product with x; k (k x) becomes one product. */
START_TEST(passes_find_what_they_are_for)
{
    graph *g = graph_new();
    expr x = in(g, 0), y = in(g, 1), z = in(g, 2), w = in(g, 3), two = graph_const(g, 2);
    expr sum =
        graph_sub(g, graph_add(g, graph_mul(g, x, y), graph_mul(g, x, graph_mul(g, two, z))), graph_mul(g, x, w));
    expr scaled = graph_mul(g, graph_const(g, 3), graph_mul(g, graph_const(g, 5), y));
    graph_set(g, (graph_slot){ARG_TAU, 0}, sum, 0);
    graph_set(g, (graph_slot){ARG_TAU, 1}, scaled, 0);
    ck_assert_int_eq(graph_count(g).muls, 6);
    g = passes_run(g);
    ck_assert_int_eq(graph_count(g).muls, 3);
    ck_assert_int_eq(graph_count(g).adds, 2);
    const double q[4] = {3, 5, 7, 11}, *inputs[ARG_INPUTS] = {q};
    double *all = graph_eval(g, inputs);
    ck_assert_double_eq(all[(size_t)g->outputs.at[0].value * GRAPH_LANES], 3 * (5 + 14 - 11));
    ck_assert_double_eq(all[(size_t)g->outputs.at[1].value * GRAPH_LANES], 75);
    free(all);
    graph_free(g);
}
END_TEST

/* ---- whole kernels */

typedef struct point {
    double *in[ARG_INPUTS];
} point;

static point random_point(const sva_model *s, const model *m, uint64_t seed)
{
    point p;
    for (int a = 0; a < ARG_INPUTS; a++) {
        p.in[a] = calloc((size_t)m->nq + (size_t)m->nv + 6 * (size_t)m->n_bodies + 8, sizeof(double));
        sva_random_vector(m->nv + 3 + 6 * (a == ARG_FEXT ? m->n_bodies : 0), &seed, p.in[a]);
    }
    sva_random_configuration(s, &seed, p.in[ARG_Q]);
    return p;
}

static void free_point(point *p)
{
    for (int a = 0; a < ARG_INPUTS; a++) free(p->in[a]);
}

/* Values of all outputs in their order. */
static double *outputs_at(const graph *g, const point *p)
{
    double *all = graph_eval(g, (const double *const *)p->in),
           *out = malloc(sizeof(double) * ((size_t)g->outputs.n + 1));
    for (int o = 0; o < g->outputs.n; o++)
        out[o] = all[(size_t)g->outputs.at[o].value * GRAPH_LANES + (size_t)g->outputs.at[o].lane];
    free(all);
    return out;
}

static void check_passes(const graph *g, const point *p)
{
    double *want = outputs_at(g, p);
    long before = graph_count(g).muls + graph_count(g).adds;
    for (int i = 0; i < pass_count; i++) {
        graph *after = pass_table[i].run(g);
        double *got = outputs_at(after, p);
        ck_assert_int_eq(after->outputs.n, g->outputs.n);
        ck_assert_double_lt(relative_error(g->outputs.n, got, want), 1e-13);
        ck_assert_msg(graph_count(after).muls + graph_count(after).adds <= before, "pass %s adds operations",
                      pass_table[i].name);
        free(got);
        graph_free(after);
    }
    free(want);
}

static trace_options all_bodies(const model *m, arena *memory)
{
    int *list = ARENA_ARRAY(memory, int, m->n_bodies + 1);
    for (int i = 0; i < m->n_bodies; i++) list[i] = i;
    return (trace_options){.fext = list, .n_fext = m->n_bodies, .jac_frames = list, .n_jac_frames = 1};
}

START_TEST(passes_keep_values_and_save_operations)
{
    for (const shipped *r = shipped_robots; r->path; r++) {
        fixture f = fixture_robot(r->path, (model_options){.base = r->base});
        ck_assert_ptr_nonnull(f.model);
        if (quick() && f.model->nv > 12) {
            fixture_free(&f);
            continue;
        }
        trace_options o = all_bodies(f.model, f.memory);
        const tree *t = tree_new(f.memory, f.model, true);
        point p = random_point(f.sva, f.model, 11);
        int *frames = NULL;
        for (int k = 0; k < kernel_count; k++) {
            planned x = plan_text(f.memory, &kernel_table[k], t, &o, FOR_NUMBERS, &frames);
            check_passes(program_graph(x.program), &p);
            program_free(x.program);
        }
        free_point(&p);
        fixture_free(&f);
    }
}
END_TEST

/* Outputs of a kernel under a strategy, which must not depend on it. */
static double *traced_at(const fixture *f, const kernel_info *k, strategy st, const point *p, int *n)
{
    program *traced = program_new();
    trace_options o = all_bodies(f->model, traced->memory);
    k->text(traced, tree_new(traced->memory, f->model, true), &o, &st);
    double *out = outputs_at(program_graph(traced), p);
    *n = program_graph(traced)->outputs.n;
    program_free(traced);
    return out;
}

/* Frames by number: 0 the ground's, 1 body frames, 2 the last body's, 3 body frames but shared with every third parent.
 */
static int *frames_of(arena *memory, const model *m, int choice)
{
    int n = m->n_bodies + 1, *frame = ARENA_ARRAY(memory, int, n);
    for (int i = 0; i < n; i++) {
        int parent = i ? m->bodies[i - 1].parent + 1 : 0;
        frame[i] = choice == 0 ? 0 : choice == 2 ? n - 1 : choice == 3 && i % 3 == 0 ? frame[parent] : i;
    }
    return frame;
}

START_TEST(results_do_not_depend_on_frames_or_solver)
{
    static const char *const names[] = {"crba", "idsva_fext", "aba", "minv", "fdsva"};
    for (uint64_t seed = 1; seed <= (quick() ? 4 : 12); seed++) {
        arena *memory = arena_new();
        fixture f = fixture_model(
            memory,
            tree_random(memory, seed, (tree_options){.bodies = 3 + (int)seed, .floating = seed % 2, .armature = true}));
        point p = random_point(f.sva, f.model, seed);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            const kernel_info *kernel = kernel_find(names[k]);
            double *first = NULL;
            for (int choice = 0; choice < 4; choice++)
                for (int way = 0; way < (kernel->solver ? SOLVERS : 1); way++) {
                    int *frame = frames_of(memory, f.model, choice), n;
                    double *out =
                        traced_at(&f, kernel,
                                  (strategy){.frame = frame, .solve_frame = frame, .solver = (solver_kind)way}, &p, &n);
                    if (first) ck_assert_double_lt(relative_error(n, out, first), 1e-9);
                    if (first)
                        free(out);
                    else
                        first = out;
                }
            free(first);
        }
        free_point(&p);
        fixture_free(&f);
    }
}
END_TEST

/* Counts of a prototype with one common frame and no passes: multiplications and additions of idsva. */
START_TEST(fewer_operations_than_the_prototype)
{
    static const struct {
        const char *path;
        base_choice base;
        long muls, adds;
    } rows[] = {
        {"robots/ur5.yaml", BASE_FIXED, 625, 519},          {"robots/iiwa14.yaml", BASE_FIXED, 1651, 1391},
        {"robots/panda.yaml", BASE_FIXED, 2503, 2151},      {"robots/hyq.yaml", BASE_FLOATING, 3841, 3386},
        {"robots/atlas.yaml", BASE_FLOATING, 12675, 10940}, {"robots/talos.yaml", BASE_FLOATING, 22319, 19450},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        fixture f = fixture_robot(rows[r].path, (model_options){.base = rows[r].base, .mimic_independent = true});
        ck_assert_ptr_nonnull(f.model);
        trace_options o = {.loops = LOOPS_NEVER};
        int *frames = NULL;
        planned x =
            plan_text(f.memory, kernel_find("idsva"), tree_new(f.memory, f.model, true), &o, FOR_NUMBERS, &frames);
        program_finish(x.program);
        graph_counts c = program_counts(x.program);
        printf("%-20s idsva %6ld mul %6ld add (prototype %ld, %ld)\n", rows[r].path, c.muls, c.adds, rows[r].muls,
               rows[r].adds);
        ck_assert_int_le(c.muls, rows[r].muls);
        ck_assert_int_le(c.adds, rows[r].adds);
        program_free(x.program);
        fixture_free(&f);
    }
}
END_TEST

SUITE("passes", constructors_know_zero_one_and_signs, lanes_are_tuples_gathers_and_sums, passes_find_what_they_are_for,
      passes_keep_values_and_save_operations, results_do_not_depend_on_frames_or_solver,
      fewer_operations_than_the_prototype)
