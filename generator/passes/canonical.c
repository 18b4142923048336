/* One order of nodes for one set of expressions (graph_before). The graph is built again moment after moment, as the
   trace went through the bodies: that order has more that can run side by side than one that goes depth first from the
   outputs. Within a moment it is depth first. */
#include "passes.h"

#include <stdlib.h>

typedef VEC(expr) stack;

/* The operand to make next; EXPR_NONE when all are there. */
static expr missing(const rewrite *w, expr e)
{
    const gnode *n = graph_node(w->old, e);
    int operands = graph_op_table[n->op].operands;
    if (operands > 0 && w->map[n->a] < 0) return n->a;
    return operands > 1 && w->map[n->b] < 0 ? n->b : EXPR_NONE;
}

/* Depth first from e. */
static void make(rewrite *w, expr e, stack *todo)
{
    VEC_PUSH(todo, e);
    while (todo->n) {
        expr top = todo->at[todo->n - 1], next = w->map[top] < 0 ? missing(w, top) : EXPR_NONE;
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
    uint64_t key;
    expr e;
} root;

static int compare_roots(const void *a, const void *b)
{
    const root *x = a, *y = b;
    if (x->moment != y->moment) return x->moment < y->moment ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* What was made at a moment for use at later ones, or as an output: in order. */
static int find_roots(const graph *g, const int *uses, root *roots)
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
        if (uses[e] && !inner[e]) roots[n++] = (root){graph_node(g, e)->moment, graph_node(g, e)->key, e};
    free(inner);
    qsort(roots, (size_t)n, sizeof *roots, compare_roots);
    return n;
}

graph *pass_canonical(const graph *g)
{
    rewrite w = rewrite_begin(g);
    root *roots = malloc(sizeof *roots * ((size_t)g->nodes.n + 1));
    stack todo = {0};
    if (!roots) abort();
    int n = find_roots(g, w.uses, roots);
    for (int i = 0; i < n; i++) make(&w, roots[i].e, &todo);
    free(todo.at);
    free(roots);
    return rewrite_end(&w);
}
