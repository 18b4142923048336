#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/invariant.h"

static double eval_neg(double a, double b) { return (void)b, -a; }
static double eval_add(double a, double b) { return a + b; }
static double eval_sub(double a, double b) { return a - b; }
static double eval_mul(double a, double b) { return a * b; }
static double eval_div(double a, double b) { return a / b; }
static double eval_sin(double a, double b) { return (void)b, sin(a); }
static double eval_cos(double a, double b) { return (void)b, cos(a); }
static double eval_sqrt(double a, double b) { return (void)b, sqrt(a); }
static double eval_tanh(double a, double b) { return (void)b, tanh(a); }

const graph_op_info graph_op_table[OP_COUNT] = {
    [OP_CONST] = {"const", NULL, 0, NULL},    [OP_INPUT] = {"input", NULL, 0, NULL},
    [OP_NEG] = {"neg", NULL, 1, eval_neg},    [OP_ADD] = {"add", "+", 2, eval_add},
    [OP_SUB] = {"sub", "-", 2, eval_sub},     [OP_MUL] = {"mul", "*", 2, eval_mul},
    [OP_DIV] = {"div", "/", 2, eval_div},     [OP_SIN] = {"sin", NULL, 1, eval_sin},
    [OP_COS] = {"cos", NULL, 1, eval_cos},    [OP_SQRT] = {"sqrt", NULL, 1, eval_sqrt},
    [OP_TANH] = {"tanh", NULL, 1, eval_tanh}, [OP_SUM] = {"sum", NULL, 1, NULL},
    [OP_UNSET] = {"unset", NULL, 0, NULL},
};

void graph_free(graph *g)
{
    if (!g) return;
    free(g->nodes.at);
    free(g->values.at);
    free(g->slots.at);
    free(g->outputs.at);
    free(g->table);
    free(g);
}

/* ---- hash-consing */

static uint64_t mix(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
}

static uint64_t key_of(const graph *g, gnode n)
{
    uint64_t h = mix(mix(0, n.op), n.width);
    if (n.op == OP_CONST) {
        for (int i = 0; i < n.width; i++) {
            uint64_t bits;
            memcpy(&bits, &g->values.at[n.a + i], sizeof bits);
            h = mix(h, bits);
        }
        return h;
    }
    if (n.op == OP_INPUT) {
        for (int i = 0; i < n.width; i++)
            h = mix(h, ((uint64_t)(uint32_t)g->slots.at[n.a + i].arg << 32) | (uint32_t)g->slots.at[n.a + i].index);
        return h;
    }
    h = mix(h, g->nodes.at[n.a].key);
    return graph_op_table[n.op].operands > 1 ? mix(h, g->nodes.at[n.b].key) : h;
}

static bool same_node(const graph *g, gnode m, gnode n)
{
    if (m.op != n.op || m.width != n.width) return false;
    size_t w = n.width;
    if (n.op == OP_CONST) return !memcmp(&g->values.at[m.a], &g->values.at[n.a], w * sizeof(double));
    if (n.op == OP_INPUT) return !memcmp(&g->slots.at[m.a], &g->slots.at[n.a], w * sizeof(graph_slot));
    return m.a == n.a && m.b == n.b;
}

static void insert(graph *g, expr e)
{
    size_t mask = (size_t)g->table_size - 1, i = (size_t)g->nodes.at[e].key & mask;
    while (g->table[i] >= 0) i = (i + 1) & mask;
    g->table[i] = e;
}

static void rehash(graph *g)
{
    free(g->table);
    g->table_size = g->table_size ? 2 * g->table_size : 1024;
    g->table = malloc(sizeof *g->table * (size_t)g->table_size);
    if (!g->table) abort();
    memset(g->table, 0xff, sizeof *g->table * (size_t)g->table_size);
    for (expr e = 0; e < g->nodes.n; e++) insert(g, e);
}

static expr intern(graph *g, graph_op op, int width, expr a, expr b)
{
    if (2 * g->nodes.n >= g->table_size) rehash(g);
    gnode n = {(uint8_t)op, (uint8_t)width, (int16_t)g->section, g->moment, a, b, 0};
    n.key = key_of(g, n);
    size_t mask = (size_t)g->table_size - 1, i = (size_t)n.key & mask;
    for (; g->table[i] >= 0; i = (i + 1) & mask)
        if (same_node(g, g->nodes.at[g->table[i]], n)) return g->table[i];
    g->table[i] = g->nodes.n;
    VEC_PUSH(&g->nodes, n);
    return g->nodes.n - 1;
}

/* ---- constructors */

graph *graph_new(void)
{
    graph *g = calloc(1, sizeof *g);
    if (!g) abort();
    VEC_PUSH(&g->nodes, ((gnode){.op = OP_UNSET, .width = 1}));
    return g;
}

void graph_begin(graph *g, int section)
{
    g->section = section;
    g->moment++;
}

static int width_of(const graph *g, expr e) { return g->nodes.at[e].width; }
static graph_op op_of(const graph *g, expr e)
{
    INVARIANT(e != EXPR_UNSET);
    return (graph_op)g->nodes.at[e].op;
}

expr graph_tuple(graph *g, int width, const double *values)
{
    bool same = true;
    for (int i = 1; i < width; i++) same = same && values[i] == values[0];
    if (same) width = 1;
    int at = g->values.n, nodes = g->nodes.n;
    for (int i = 0; i < width; i++) VEC_PUSH(&g->values, values[i] + 0.0); /* + 0.0: no negative zero */
    expr e = intern(g, OP_CONST, width, at, 0);
    if (g->nodes.n == nodes) g->values.n = at;
    return e;
}

expr graph_const(graph *g, double value) { return graph_tuple(g, 1, &value); }

expr graph_input(graph *g, int width, const graph_slot *slots)
{
    int at = g->slots.n, nodes = g->nodes.n;
    for (int i = 0; i < width; i++) VEC_PUSH(&g->slots, slots[i]);
    expr e = intern(g, OP_INPUT, width, at, 0);
    if (g->nodes.n == nodes) g->slots.n = at;
    return e;
}

bool graph_is(const graph *g, expr e, double value)
{
    if (op_of(g, e) != OP_CONST || width_of(g, e) != 1) return false;
    return *graph_values(g, e) == value;
}

/* The folded constant when all operands are constants, else EXPR_NONE. */
static expr fold(graph *g, graph_op op, expr a, expr b)
{
    if (op_of(g, a) != OP_CONST || (b >= 0 && op_of(g, b) != OP_CONST)) return EXPR_NONE;
    int wa = width_of(g, a), wb = b >= 0 ? width_of(g, b) : 1, w = wa > wb ? wa : wb;
    INVARIANT(wa == wb || wa == 1 || wb == 1);
    double r[GRAPH_LANES];
    for (int i = 0; i < w; i++)
        r[i] = graph_op_table[op].eval(graph_values(g, a)[wa > 1 ? i : 0],
                                       b >= 0 ? graph_values(g, b)[wb > 1 ? i : 0] : 0);
    return graph_tuple(g, w, r);
}

static expr binary(graph *g, graph_op op, expr a, expr b)
{
    int wa = width_of(g, a), wb = width_of(g, b);
    INVARIANT(wa == wb || wa == 1 || wb == 1);
    return intern(g, op, wa > wb ? wa : wb, a, b);
}

expr graph_neg(graph *g, expr a)
{
    expr c = fold(g, OP_NEG, a, EXPR_NONE);
    if (c >= 0) return c;
    if (op_of(g, a) == OP_NEG) return graph_node(g, a)->a;
    int section = g->section, moment = g->moment;
    g->section = graph_node(g, a)->section; /* which of the two came first is chance */
    g->moment = graph_node(g, a)->moment;
    expr e = intern(g, OP_NEG, width_of(g, a), a, 0);
    g->section = section;
    g->moment = moment;
    return e;
}

expr graph_add(graph *g, expr a, expr b)
{
    expr c = fold(g, OP_ADD, a, b);
    if (c >= 0) return c;
    if (graph_zero(g, a)) return b;
    if (graph_zero(g, b)) return a;
    bool na = op_of(g, a) == OP_NEG, nb = op_of(g, b) == OP_NEG;
    if (na && nb) return graph_neg(g, graph_add(g, graph_node(g, a)->a, graph_node(g, b)->a));
    if (nb) return graph_sub(g, a, graph_node(g, b)->a);
    if (na) return graph_sub(g, b, graph_node(g, a)->a);
    return graph_before(g, a, b) ? binary(g, OP_ADD, a, b) : binary(g, OP_ADD, b, a);
}

/* a - b and b - a are one node and its negative, so that both are found. */
expr graph_sub(graph *g, expr a, expr b)
{
    expr c = fold(g, OP_SUB, a, b);
    if (c >= 0) return c;
    if (a == b) return graph_const(g, 0.0);
    if (graph_zero(g, a)) return graph_neg(g, b);
    if (graph_zero(g, b)) return a;
    bool na = op_of(g, a) == OP_NEG, nb = op_of(g, b) == OP_NEG;
    if (na && nb) return graph_sub(g, graph_node(g, b)->a, graph_node(g, a)->a);
    if (nb) return graph_add(g, a, graph_node(g, b)->a);
    if (na) return graph_neg(g, graph_add(g, graph_node(g, a)->a, b));
    bool keep = g->as_traced || graph_before(g, a, b);
    return keep ? binary(g, OP_SUB, a, b) : graph_neg(g, binary(g, OP_SUB, b, a));
}

/* The sign of a constant tuple: -1 or 1 if its lanes agree and the first is negative, or not. */
static bool negative(const graph *g, expr e)
{
    if (op_of(g, e) != OP_CONST) return false;
    for (int i = 0; i < width_of(g, e); i++)
        if (!(graph_values(g, e)[i] < 0)) return false;
    return true;
}

expr graph_mul(graph *g, expr a, expr b)
{
    expr c = fold(g, OP_MUL, a, b);
    if (c >= 0) return c;
    if (graph_zero(g, a) || graph_zero(g, b)) return graph_const(g, 0.0);
    if (graph_is(g, a, 1.0)) return b;
    if (graph_is(g, b, 1.0)) return a;
    if (negative(g, a) || op_of(g, a) == OP_NEG) return graph_neg(g, graph_mul(g, graph_neg(g, a), b));
    if (negative(g, b) || op_of(g, b) == OP_NEG) return graph_neg(g, graph_mul(g, a, graph_neg(g, b)));
    return graph_before(g, a, b) ? binary(g, OP_MUL, a, b) : binary(g, OP_MUL, b, a);
}

expr graph_div(graph *g, expr a, expr b)
{
    expr c = fold(g, OP_DIV, a, b);
    if (c >= 0) return c;
    if (graph_zero(g, a) || graph_is(g, b, 1.0)) return a;
    if (negative(g, a) || op_of(g, a) == OP_NEG) return graph_neg(g, graph_div(g, graph_neg(g, a), b));
    if (op_of(g, b) == OP_NEG) return graph_neg(g, graph_div(g, a, graph_node(g, b)->a));
    return binary(g, OP_DIV, a, b);
}

expr graph_call(graph *g, graph_op op, expr a)
{
    expr c = fold(g, op, a, EXPR_NONE);
    if (c >= 0) return c;
    if (op_of(g, a) == OP_NEG) {
        expr b = graph_node(g, a)->a;
        if (op == OP_COS) return graph_call(g, op, b);
        if (op == OP_SIN || op == OP_TANH) return graph_neg(g, graph_call(g, op, b));
    }
    return intern(g, op, width_of(g, a), a, 0);
}

expr graph_sum(graph *g, expr a, int lanes)
{
    int w = width_of(g, a);
    INVARIANT(a != EXPR_UNSET);
    if (w == 1) return graph_mul(g, graph_const(g, lanes), a);
    INVARIANT(w == lanes);
    if (op_of(g, a) == OP_CONST) {
        double s = 0;
        for (int i = 0; i < w; i++) s += graph_values(g, a)[i];
        return graph_const(g, s);
    }
    if (op_of(g, a) == OP_NEG) return graph_neg(g, graph_sum(g, graph_node(g, a)->a, lanes));
    return intern(g, OP_SUM, 1, a, lanes);
}

expr graph_make(graph *g, graph_op op, expr a, expr b)
{
    static expr (*const two[OP_COUNT])(graph *, expr, expr) = {
        [OP_ADD] = graph_add, [OP_SUB] = graph_sub, [OP_MUL] = graph_mul, [OP_DIV] = graph_div};
    if (op == OP_NEG) return graph_neg(g, a);
    if (op == OP_SUM) return graph_sum(g, a, b);
    return two[op] ? two[op](g, a, b) : graph_call(g, op, a);
}

void graph_set(graph *g, graph_slot slot, expr value, int lane)
{
    graph_output o = {slot, value, lane};
    INVARIANT(value != EXPR_UNSET && lane >= 0 && (width_of(g, value) == 1 || lane < width_of(g, value)));
    VEC_PUSH(&g->outputs, o);
}

/* ---- looking at it */

int *graph_uses(const graph *g)
{
    int *uses = calloc((size_t)g->nodes.n + 1, sizeof *uses);
    if (!uses) abort();
    for (int i = 0; i < g->outputs.n; i++) uses[g->outputs.at[i].value]++;
    for (expr e = g->nodes.n - 1; e >= 0; e--) {
        const gnode *n = graph_node(g, e);
        if (!uses[e]) continue;
        if (graph_op_table[n->op].operands > 0) uses[n->a]++;
        if (graph_op_table[n->op].operands > 1) uses[n->b]++;
    }
    return uses;
}

graph_counts graph_count(const graph *g)
{
    graph_counts c = {0};
    long *const where[OP_COUNT] = {
        [OP_ADD] = &c.adds,  [OP_SUB] = &c.adds,   [OP_MUL] = &c.muls,   [OP_DIV] = &c.divs, [OP_SIN] = &c.funcs,
        [OP_COS] = &c.funcs, [OP_SQRT] = &c.funcs, [OP_TANH] = &c.funcs, [OP_NEG] = &c.negs, [OP_SUM] = &c.adds};
    int *uses = graph_uses(g);
    for (expr e = 0; e < g->nodes.n; e++) {
        const gnode *n = graph_node(g, e);
        if (uses[e] && where[n->op]) *where[n->op] += n->op == OP_SUM ? width_of(g, n->a) - 1 : n->width;
    }
    free(uses);
    return c;
}

static bool all_finite(const graph *g, expr e, bool single)
{
    for (int i = 0; i < width_of(g, e); i++)
        if (single ? !isfinite((float)graph_values(g, e)[i]) : !isfinite(graph_values(g, e)[i])) return false;
    return true;
}

expr graph_find_infinite(const graph *g, bool single)
{
    expr found = EXPR_NONE;
    int *uses = graph_uses(g);
    for (expr e = 0; e < g->nodes.n && found < 0; e++)
        if (uses[e] && op_of(g, e) == OP_CONST && !all_finite(g, e, single)) found = e;
    free(uses);
    return found;
}

static double eval_lane(const graph *g, const gnode *n, int lane, const double *const *in, const double *all)
{
    if (n->op == OP_CONST) return g->values.at[n->a + lane];
    if (n->op == OP_INPUT) return in[g->slots.at[n->a + lane].arg][g->slots.at[n->a + lane].index];
    const double *a = all + (size_t)n->a * GRAPH_LANES, *b = all + (size_t)n->b * GRAPH_LANES;
    if (n->op == OP_SUM) {
        double s = 0;
        for (int i = 0; i < graph_node(g, n->a)->width; i++) s += a[i];
        return s;
    }
    return graph_op_table[n->op].eval(a[lane], b[lane]);
}

double *graph_eval(const graph *g, const double *const *in)
{
    double *all = calloc((size_t)g->nodes.n * GRAPH_LANES + 1, sizeof *all);
    if (!all) abort();
    for (expr e = EXPR_UNSET + 1; e < g->nodes.n; e++) {
        const gnode *n = graph_node(g, e);
        double *to = all + (size_t)e * GRAPH_LANES;
        for (int i = 0; i < GRAPH_LANES; i++) to[i] = i < n->width ? eval_lane(g, n, i, in, all) : to[0];
    }
    return all;
}
