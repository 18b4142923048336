/* Schedules, run here as their printer writes them: what a statement reads has a value by then, and every output gets
   the value that the graph has. Then whole kernels: the texts for vectors against the one for numbers. */
#include <math.h>
#include <string.h>
#include "agreement.h"
#include "fixture.h"
#include "plan/limits.h"
#include "suite.h"
#include "trees.h"

/* ---- the arrays that a text reads or writes, by argument */

enum { SLOTS = LOOP_KEPT + 1 };

typedef struct arrays {
    double *at[SLOTS];
    int size[SLOTS];
} arrays;

static void reach(arrays *t, graph_slot s)
{
    if (s.index >= t->size[s.arg]) t->size[s.arg] = s.index + 1;
}

static void fill(arrays *t, arena *memory, bool random)
{
    uint64_t seed = 3;
    for (int a = 0; a < SLOTS; a++) {
        t->at[a] = ARENA_ARRAY(memory, double, t->size[a] + 1);
        for (int i = 0; i < t->size[a]; i++) t->at[a][i] = random ? tree_uniform(&seed, -1, 1) : NAN;
    }
}

static arrays inputs_of(arena *memory, const graph *g)
{
    arrays t = {0};
    for (expr e = EXPR_UNSET + 1; e < g->nodes.n; e++)
        for (int l = 0; graph_node(g, e)->op == OP_INPUT && l < graph_node(g, e)->width; l++)
            reach(&t, graph_slots(g, e)[l]);
    fill(&t, memory, true);
    return t;
}

static arrays outputs_of(arena *memory, const graph *g)
{
    arrays t = {0};
    for (const graph_output *o = g->outputs.at; o < g->outputs.at + g->outputs.n; o++) reach(&t, o->slot);
    fill(&t, memory, false);
    return t;
}

/* ---- running a schedule */

typedef struct run {
    const schedule *s;
    const graph *g;
    const double *const *in;
    double *angles, *value, *crossing;
    int *at;            /* of each node's lanes in value */
    int part, *defined; /* per node: the part that did it, counted from 1; 0: not yet */
    expr *owner;        /* of each place of crossing */
} run;

static int lanes_of(const graph *g, expr e) { return graph_room(graph_node(g, e)->width); }

/* Vectors with more lanes than there are limbs repeat the last. */
static double leaf(const run *r, expr e, int lane)
{
    const gnode *n = graph_node(r->g, e);
    int l = lane < n->width ? lane : n->width - 1;
    if (n->op == OP_CONST) return graph_values(r->g, e)[l];
    const graph_slot *s = graph_slots(r->g, e);
    return r->in[s[l].arg][s[l].index];
}

static bool is_one_vector(const graph *g, expr e)
{
    const graph_slot *s = graph_slots(g, e);
    for (int l = 1; l < graph_node(g, e)->width; l++)
        if (s[l].arg != s->arg || s[l].index != s->index + l) return false;
    return graph_node(g, e)->width == lanes_of(g, e);
}

/* What has a name: defined before in this part, or stored by an earlier one and still there. */
static double named(const run *r, expr e, int lane)
{
    if (r->defined[e] == r->part + 1) return r->value[r->at[e] + lane];
    ck_assert_msg(r->defined[e] > 0, "node %d is read before it is defined", e);
    int at = r->s->crossing[e];
    ck_assert_msg(at >= 0 && at + lanes_of(r->g, e) <= r->s->n_crossing, "node %d does not cross", e);
    ck_assert_msg(r->owner[at + lane] == e, "node %d is overwritten before it is read", e);
    return r->crossing[at + lane];
}

static bool is_trig(const gnode *n) { return n->op == OP_SIN || n->op == OP_COS; }

/* As it is written: top: the right side of its own definition; names: false in angles, which come before them. */
static double number(const run *r, expr e, int lane, bool top, bool names)
{
    const gnode *n = graph_node(r->g, e);
    int operands = graph_op_table[n->op].operands;
    if (n->width == 1) lane = 0;
    if (r->s->angle[e] >= 0) {
        ck_assert(names && !r->s->named[e]);
        return graph_op_table[n->op].eval(r->angles[r->s->angle[e] + lane], 0);
    }
    ck_assert_msg(!is_trig(n), "node %d has no angle", e);
    if (!top && names && r->s->named[e]) return named(r, e, lane);
    if (n->op == OP_INPUT && n->width > 1 && !top && names) ck_assert(is_one_vector(r->g, e));
    if (!operands) return leaf(r, e, lane);
    ck_assert_msg(top || graph_op_table[n->op].infix || n->op == OP_NEG, "node %d has no name", e);
    double sum = 0;
    for (int l = 0; n->op == OP_SUM && l < n->b; l++) sum += number(r, n->a, l, false, names);
    if (n->op == OP_SUM) return sum;
    for (int k = 0; k < operands; k++) {
        int width = graph_node(r->g, k ? n->b : n->a)->width;
        ck_assert_msg(width == n->width || width == 1, "node %d, width %d, of width %d", e, n->width, width);
    }
    double a = number(r, n->a, lane, false, names);
    return graph_op_table[n->op].eval(a, operands > 1 ? number(r, n->b, lane, false, names) : 0);
}

static void find_angles(run *r)
{
    const schedule *s = r->s;
    int room = 0;
    for (int i = 0; i < s->n_angles; i++) {
        ck_assert_int_eq(s->angle_at[i], room);
        for (int l = 0; l < lanes_of(r->g, s->angles[i]); l++)
            r->angles[room++] = number(r, s->angles[i], l, false, false);
    }
    ck_assert_int_eq(s->angle_room, room);
}

static void define(run *r, expr e)
{
    double *to = r->value + r->at[e];
    ck_assert_msg(r->s->named[e], "node %d has a statement and no name", e);
    ck_assert_msg(!r->defined[e], "node %d is defined twice", e);
    for (int l = 0; l < lanes_of(r->g, e); l++) to[l] = number(r, e, l, true, true);
    r->defined[e] = r->part + 1;
    for (int l = 0; l < lanes_of(r->g, e) && r->s->crossing[e] >= 0; l++) {
        r->crossing[r->s->crossing[e] + l] = to[l];
        r->owner[r->s->crossing[e] + l] = e;
    }
}

/* Runs of lanes are stored as a part of a variable. */
static void check_wide_output(const run *r, expr e)
{
    while (graph_node(r->g, e)->op == OP_NEG) e = graph_node(r->g, e)->a;
    const gnode *n = graph_node(r->g, e);
    ck_assert_msg(r->s->named[e] || is_trig(n) || !graph_op_table[n->op].operands, "node %d is stored unnamed", e);
}

static void store(run *r, int output, const double *truth, arrays *to)
{
    const graph_output *o = &r->g->outputs.at[output];
    bool wide = graph_node(r->g, o->value)->width > 1;
    ck_assert_int_lt(o->lane, wide ? graph_node(r->g, o->value)->width : GRAPH_LANES);
    ck_assert_int_lt(o->slot.index, to->size[o->slot.arg]);
    if (wide) check_wide_output(r, o->value);
    double x = number(r, o->value, wide ? o->lane : 0, false, true);
    double want = truth[(size_t)o->value * GRAPH_LANES + (size_t)o->lane];
    ck_assert_msg(x == want || (isnan(x) && isnan(want)), "output %d is %.17g, not %.17g", output, x, want);
    ck_assert_msg(isnan(to->at[o->slot.arg][o->slot.index]), "output %d is where another one was", output);
    to->at[o->slot.arg][o->slot.index] = x;
}

static void check_cuts(const schedule *s, int limit)
{
    ck_assert_int_eq(s->cut[0], 0);
    ck_assert_int_eq(s->cut[s->n_cuts], s->n);
    for (int part = 0; part < s->n_cuts; part++) {
        int n = s->cut[part + 1] - s->cut[part];
        ck_assert_int_le(n, limit);
        if (part + 1 < s->n_cuts) ck_assert_int_ge(n, limit / 2);
    }
    if (limit == SCHEDULE_UNCUT) ck_assert(s->n_cuts == 1 && !s->n_crossing);
}

static run run_new(arena *memory, const schedule *s, const arrays *from)
{
    int room = 0;
    run r = {.s = s, .g = s->g, .in = (const double *const *)from->at};
    r.at = ARENA_ARRAY(memory, int, s->g->nodes.n + 1);
    for (expr e = 0; e < s->g->nodes.n; e++) {
        r.at[e] = room;
        room += s->named[e] ? lanes_of(s->g, e) : 0;
    }
    r.value = ARENA_ARRAY(memory, double, room + 1);
    r.angles = ARENA_ARRAY(memory, double, s->angle_room + 1);
    r.crossing = ARENA_ARRAY(memory, double, s->n_crossing + 1);
    r.owner = ARENA_ARRAY(memory, expr, s->n_crossing + 1);
    memset(r.owner, 0xff, sizeof(expr) * ((size_t)s->n_crossing + 1));
    r.defined = ARENA_ARRAY(memory, int, s->g->nodes.n + 1);
    return r;
}

/* truth: of all nodes, by graph_eval. */
static void run_schedule(const schedule *s, int limit, const double *truth, const arrays *from)
{
    arena *memory = arena_new();
    run r = run_new(memory, s, from);
    arrays to = outputs_of(memory, s->g);
    int *stores = ARENA_ARRAY(memory, int, s->g->outputs.n + 1);
    check_cuts(s, limit);
    find_angles(&r);
    for (; r.part < s->n_cuts; r.part++)
        for (int i = s->cut[r.part]; i < s->cut[r.part + 1]; i++) {
            const statement *st = &s->at[i];
            if (st->output < 0) {
                define(&r, st->value);
            } else {
                ck_assert_int_eq(s->g->outputs.at[st->output].value, st->value);
                ck_assert_int_eq(stores[st->output]++, 0);
                store(&r, st->output, truth, &to);
            }
        }
    for (int o = 0; o < s->g->outputs.n; o++) ck_assert_msg(stores[o] == 1, "output %d is missing", o);
    arena_free(memory);
}

/* ---- whole kernels */

typedef struct tally {
    int texts, schedules, wide, crossing, blocks, loops;
} tally;

static bool is_wide(const graph *g)
{
    for (expr e = EXPR_UNSET + 1; e < g->nodes.n; e++)
        if (graph_node(g, e)->width > 1) return true;
    return false;
}

/* With cuts of several lengths. */
static void run_text(const graph *g, tally *n)
{
    enum { SMALL = 6000 }; /* crossings of many parts take time with each node */
    static const int limits[] = {2, 9, 70, FUNCTION_LENGTH, SCHEDULE_UNCUT};
    arena *memory = arena_new();
    arrays from = inputs_of(memory, g);
    double *truth = graph_eval(g, (const double *const *)from.at);
    int small = n->texts++ % 3;
    for (int i = g->nodes.n < SMALL ? small : 3; i < 5; i += i < 3 ? 3 - small : 1) {
        const schedule *s = schedule_new(memory, g, limits[i]);
        run_schedule(s, limits[i], truth, &from);
        n->schedules++;
        n->crossing += s->n_crossing > 0;
    }
    free(truth);
    arena_free(memory);
}

/* What a kernel gives at a state, by output. */
typedef struct result {
    double *at[SLOT_COUNT];
} result;

static result run_program(const fixture *f, const program *p, const trace_options *o, tally *n)
{
    result r = {{NULL}};
    double *in[SLOT_COUNT] = {NULL};
    uint64_t seed = 3;
    int rows, cols;
    for (int a = 0; a < (int)ARG_COUNT; a++) {
        arg_size((arg)a, f->model, o, &rows, &cols);
        double *x = ARENA_ARRAY(f->memory, double, rows *cols + 1);
        if (a < ARG_INPUTS) sva_random_vector(rows * cols, &seed, in[a] = x);
        for (int i = 0; a >= ARG_INPUTS && i < rows * cols; i++) x[i] = NAN;
        if (a >= ARG_INPUTS) r.at[a] = x;
    }
    sva_random_configuration(f->sva, &seed, in[ARG_Q]);
    for (int t = 0; t < p->texts.n; t++) run_text(p->texts.at[t].graph, n);
    for (const stage *s = p->stages.at; s < p->stages.at + p->stages.n; s++) {
        n->blocks += s->kind == STAGE_CALL;
        n->loops += s->kind == STAGE_LOOP;
    }
    n->wide += is_wide(program_graph(p));
    program_eval(p, (const double *const *)in, r.at);
    return r;
}

static void expect_same(const char *name, const fixture *f, const kernel_info *k, const trace_options *o,
                        const result *one, const result *other)
{
    for (const arg *a = k->out; *a != ARG_COUNT; a++) {
        int rows, cols;
        arg_size(*a, f->model, o, &rows, &cols);
        double error = relative_error(rows * cols, other->at[*a], one->at[*a]);
        ck_assert_msg(error < 1e-9, "%s: %s: %s differs by %g", name, k->name, arg_table[*a].name, error);
    }
}

/* One text for vectors; its tree may have no way to it. */
static void check_vectors(const char *name, const fixture *f, const kernel_info *k, const tree *t,
                          const trace_options *o, int **frames, const result *plain, tally *n)
{
    planned p = plan_text(f->memory, k, t, o, FOR_VECTORS, frames);
    if (p.program) {
        program_finish(p.program);
        result made = run_program(f, p.program, o, n);
        expect_same(name, f, k, o, plain, &made);
    }
    program_free(p.program);
}

static void check_kernel(const char *name, const fixture *f, const kernel_info *k, planner *w, tally *n)
{
    const trace_options *o = w->options;
    planned p = plan_text(f->memory, k, w->plain, o, FOR_NUMBERS, &w->plain_frames);
    program_finish(p.program);
    result plain = run_program(f, p.program, o, n);
    expect_same(name, f, k, o, &plain, &plain);
    if (k->blocks || k->frames) check_vectors(name, f, k, w->plain, o, &w->plain_frames, &plain, n);
    if (w->wide && !k->single_bodies && o->friction != FRICTION_FULL)
        check_vectors(name, f, k, w->wide, o, &w->wide_frames, &plain, n);
    program_free(p.program);
}

static trace_options all_bodies(arena *memory, const model *m)
{
    int *list = ARENA_ARRAY(memory, int, m->n_bodies + 1);
    for (int i = 0; i < m->n_bodies; i++) list[i] = i;
    return (trace_options){.fext = list, .n_fext = m->n_bodies, .jac_frames = list, .n_jac_frames = m->n_frames > 0};
}

static tally check_model(const char *name, const fixture *f, const trace_options *o, int first, int stride)
{
    const kernel_info *list[64];
    tally n = {0};
    planner w = plan_begin(f->memory, f->model, o, false, true);
    for (int k = 0, kernels = agreement_kernels(f->model, false, first, stride, list); k < kernels; k++)
        check_kernel(name, f, list[k], &w, &n);
    printf("%-18s %d schedules, %d with crossings, %d texts with lanes, %d blocks, %d loops\n", name, n.schedules,
           n.crossing, n.wide, n.blocks, n.loops);
    return n;
}

START_TEST(robots)
{
    for (const shipped *s = shipped_robots; s->name; s++) {
        fixture f = fixture_robot(s->path, (model_options){.base = s->base});
        ck_assert_ptr_nonnull(f.sva);
        trace_options o = all_bodies(f.memory, f.model);
        tally n = {0};
        if (!quick() || f.model->nv <= 6) n = check_model(s->name, &f, &o, 0, f.model->nv > 20 ? 3 : 1);
        if (!quick() && strstr(s->name, "hyq")) ck_assert(n.wide >= 9 && n.crossing > 20 && n.blocks > 4);
        fixture_free(&f);
    }
}
END_TEST

static trace_options options_number(arena *memory, const model *m, int i)
{
    trace_options o = all_bodies(memory, m);
    o.solver = i % (SOLVERS + 1);
    for (int b = 0; b < m->n_bodies; b++)
        if (m->bodies[b].master >= 0 && o.solver == SOLVE_AZA + 1) o.solver = 0;
    o.friction = (friction_kind)(i / 2 % 3);
    o.friction_width = 0.3;
    o.gravity_input = i % 4 == 3;
    o.loops = i % 9 == 4 ? LOOPS_ALWAYS : LOOPS_AUTO;
    return o;
}

static tally check_tree(const char *what, int i, arena *memory, model *m)
{
    uint64_t seed = (uint64_t)i;
    tree_add_frames(memory, m, &seed);
    tree_add_losses(m, &seed);
    fixture f = fixture_model(memory, m);
    ck_assert_ptr_nonnull(f.sva);
    trace_options o = options_number(memory, m, i);
    tally n = check_model(arena_printf(memory, "%s %d, nv %d", what, i, m->nv), &f, &o, 0, 1);
    fixture_free(&f);
    return n;
}

START_TEST(random_trees)
{
    for (int i = 0; i < 40; i += quick() ? 6 : 1) {
        arena *memory = arena_new();
        tree_options o = {.bodies = 1 + i % 7, .floating = i % 3 == 1, .mimic = i % 2, .armature = i % 5 == 2};
        check_tree("tree", i, memory, tree_random(memory, (uint64_t)i + 1, o));
    }
}
END_TEST

/* The degrees of freedom of limbs that are alike are neighbours but for the last. */
START_TEST(a_limb_of_another_shape_between)
{
    arena *memory = arena_new();
    model *m = tree_random(memory, 3, (tree_options){.bodies = 6, .floating = true, .types = 1u << SVA_REVOLUTE});
    m->bodies[4].type = SVA_PRISMATIC;
    for (int i = 1; i < m->n_bodies; i++) m->bodies[i].parent = 0;
    ck_assert_int_gt(check_tree("one between", 0, memory, m).wide, 5);
}
END_TEST

START_TEST(limbs_as_lanes)
{
    static const unsigned hinge = 1u << SVA_REVOLUTE, slide = 1u << SVA_PRISMATIC, ball = 1u << SVA_SPHERICAL;
    const unsigned types[] = {hinge, slide, hinge | slide, hinge | ball, 0};
    tally all = {0};
    for (int i = 0; i < 60; i += quick() ? 7 : 1) {
        arena *memory = arena_new();
        tree_options o = {1 + i % 4, i % 2, i % 7 == 4, i % 3 == 1, types[i / 3 % 5]};
        model *m = tree_random(memory, (uint64_t)i + 1, o);
        if (!o.floating || i % o.bodies) m = tree_repeat(memory, m, i % o.bodies, i % 9, (uint64_t)i);
        if (i % 4 == 3 && m->n_bodies < 9) m = tree_repeat(memory, m, m->n_bodies - 1, 2, (uint64_t)i);
        tally n = check_tree("limbs", i, memory, m);
        all.wide += n.wide;
        all.blocks += n.blocks;
        all.crossing += n.crossing;
    }
    ck_assert(all.wide > (quick() ? 20 : 200) && all.blocks > 50 && all.crossing > 100);
}
END_TEST

SUITE("schedule", robots, random_trees, a_limb_of_another_shape_between, limbs_as_lanes)
