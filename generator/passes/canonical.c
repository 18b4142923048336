/* One order of nodes for one set of expressions. C leaves open in which order arguments are evaluated, so two compilers
   of this program number a trace's nodes differently; what is generated must not depend on that. Every node is
   evaluated at a random point in a finite field, which does not depend on numbering or on where signs were put. The
   graph is built again moment after moment, as the trace went through the bodies: that order has more that can run side
   by side than one that goes depth first from the outputs. Within a moment it is depth first, in the order of those
   values. */
#include "passes.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t P = ((uint64_t)1 << 61) - 1;

static uint64_t mul_mod(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b % P); }
static uint64_t neg_mod(uint64_t a) { return a ? P - a : 0; }
static uint64_t size_of(uint64_t a) { return a <= P / 2 ? a : P - a; } /* the same for a and -a */

static uint64_t hash(uint64_t h, uint64_t x)
{
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    h ^= h >> 32;
    h = (h * 0xd6e8feb86659fd93u) % P;
    return h;
}

static uint64_t leaf_value(const graph *g, expr e)
{
    const gnode *n = graph_node(g, e);
    uint64_t h = hash(n->op, n->width);
    bool minus = n->op == OP_CONST && graph_values(g, e)[0] < 0;
    for (int l = 0; l < n->width; l++) {
        uint64_t bits = 0;
        double x = n->op == OP_CONST ? (minus ? -graph_values(g, e)[l] : graph_values(g, e)[l]) : 0;
        if (n->op == OP_CONST)
            memcpy(&bits, &x, sizeof bits);
        else
            bits = (uint64_t)graph_slots(g, e)[l].arg << 32 | (uint64_t)graph_slots(g, e)[l].index;
        h = hash(h, bits);
    }
    return minus ? neg_mod(h) : h;
}

/* Odd functions of an operand keep its sign outside. */
static uint64_t call_value(graph_op op, uint64_t a, uint64_t b)
{
    bool odd = op != OP_COS && op != OP_SQRT, minus = odd && size_of(a) != a;
    if (op == OP_DIV && size_of(b) != b) minus = !minus;
    uint64_t h = hash(hash(op, odd || op == OP_COS ? size_of(a) : a), op == OP_DIV ? size_of(b) : 0);
    return minus ? neg_mod(h) : h;
}

static uint64_t value_of(const graph *g, expr e, const uint64_t *v)
{
    const gnode *n = graph_node(g, e);
    switch (n->op) {
    case OP_CONST:
    case OP_INPUT: return leaf_value(g, e);
    case OP_NEG: return neg_mod(v[n->a]);
    case OP_ADD: return (v[n->a] + v[n->b]) % P;
    case OP_SUB: return (v[n->a] + neg_mod(v[n->b])) % P;
    case OP_MUL: return mul_mod(v[n->a], v[n->b]);
    default: return call_value((graph_op)n->op, v[n->a], graph_op_table[n->op].operands > 1 ? v[n->b] : 0);
    }
}

/* A hash of how a node is made, signs aside. */
static uint64_t form_of(const graph *g, expr e, const uint64_t *f)
{
    const gnode *n = graph_node(g, e);
    int operands = graph_op_table[n->op].operands;
    if (!operands) return size_of(leaf_value(g, e));
    if (n->op == OP_NEG) return f[n->a];
    uint64_t a = f[n->a], b = operands > 1 ? f[n->b] : 0, op = n->op == OP_SUB ? OP_ADD : n->op;
    if (op == OP_ADD || op == OP_MUL) return hash(hash(op, (a + b) % P), mul_mod(a, b));
    return hash(hash(op, a), b);
}

static bool before(const uint64_t *v, const uint64_t *form, expr a, expr b)
{
    return size_of(v[a]) != size_of(v[b]) ? size_of(v[a]) < size_of(v[b]) : form[a] < form[b];
}

typedef VEC(expr) stack;

/* The operand to make next, in the order of values; EXPR_NONE when all are there. */
static expr missing(const rewrite *w, expr e, const uint64_t *v, const uint64_t *form)
{
    const gnode *n = graph_node(w->old, e);
    int operands = graph_op_table[n->op].operands;
    expr first = operands > 0 ? n->a : EXPR_NONE, second = operands > 1 ? n->b : EXPR_NONE;
    if (second >= 0 && before(v, form, second, first)) {
        expr swap = first;
        first = second;
        second = swap;
    }
    if (first >= 0 && w->map[first] < 0) return first;
    return second >= 0 && w->map[second] < 0 ? second : EXPR_NONE;
}

/* Depth first from e. */
static void make(rewrite *w, expr e, const uint64_t *v, const uint64_t *form, stack *todo)
{
    VEC_PUSH(todo, e);
    while (todo->n) {
        expr top = todo->at[todo->n - 1], next = w->map[top] < 0 ? missing(w, top, v, form) : EXPR_NONE;
        if (next >= 0) {
            VEC_PUSH(todo, next);
            continue;
        }
        todo->n--;
        if (w->map[top] < 0) w->map[top] = rewrite_copy(w, top);
    }
}

/* ---- moments */

typedef struct root {
    int32_t moment;
    uint64_t size, form;
    expr e;
} root;

static int compare_roots(const void *a, const void *b)
{
    const root *x = a, *y = b;
    if (x->moment != y->moment) return x->moment < y->moment ? -1 : 1;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    return x->form < y->form ? -1 : x->form > y->form;
}

/* What was made at a moment for use at later ones, or as an output: in order. */
static int find_roots(const graph *g, const int *uses, const uint64_t *v, const uint64_t *form, root *roots)
{
    bool *inner = calloc((size_t)g->nodes.n + 1, sizeof *inner);
    int n = 0;
    if (!inner) abort();
    for (expr e = 0; e < g->nodes.n; e++) {
        const gnode *node = graph_node(g, e);
        for (int k = 0; k < graph_op_table[node->op].operands && uses[e]; k++) {
            expr c = k ? node->b : node->a;
            if (graph_node(g, c)->moment == node->moment) inner[c] = true;
        }
    }
    for (expr e = 0; e < g->nodes.n; e++)
        if (uses[e] && !inner[e]) roots[n++] = (root){graph_node(g, e)->moment, size_of(v[e]), form[e], e};
    free(inner);
    qsort(roots, (size_t)n, sizeof *roots, compare_roots);
    return n;
}

graph *pass_canonical(const graph *g)
{
    rewrite w = rewrite_begin(g);
    uint64_t *v = malloc(2 * sizeof *v * ((size_t)g->nodes.n + 1)), *form = v + g->nodes.n;
    root *roots = malloc(sizeof *roots * ((size_t)g->nodes.n + 1));
    stack todo = {0};
    if (!v || !roots) abort();
    for (expr e = 0; e < g->nodes.n; e++) v[e] = value_of(g, e, v), form[e] = form_of(g, e, form);
    int n = find_roots(g, w.uses, v, form, roots);
    for (int i = 0; i < n; i++) make(&w, roots[i].e, v, form, &todo);
    free(todo.at);
    free(roots);
    free(v);
    return rewrite_end(&w);
}
