#include "passes.h"

#include <stdlib.h>

const pass pass_table[] = {
    {"canonical", "one order of nodes, whatever order the trace made them in", pass_canonical},
    {"constants", "k1 (k2 x) = (k1 k2) x where k2 x has no other use", pass_constants},
    {"factor", "a f + b f = (a + b) f where the products have no other use", pass_factor},
};
const int pass_count = sizeof pass_table / sizeof *pass_table;

graph *passes_step(graph *g, int i)
{
    graph *next = pass_table[i].run(g);
    graph_free(g);
    return next;
}

graph *passes_run(graph *g)
{
    for (int i = 0; i < pass_count; i++) g = passes_step(g, i);
    return g;
}

rewrite rewrite_begin(const graph *old)
{
    rewrite w = {old, graph_new(), graph_uses(old), malloc(sizeof(expr) * ((size_t)old->nodes.n + 1))};
    if (!w.map) abort();
    w.g->as_traced = old->as_traced;
    for (expr e = 0; e < old->nodes.n; e++) w.map[e] = EXPR_NONE;
    return w;
}

void rewrite_place(rewrite *w, expr e)
{
    w->g->section = graph_node(w->old, e)->section;
    w->g->moment = graph_node(w->old, e)->moment;
}

expr rewrite_copy(rewrite *w, expr e)
{
    const gnode *n = graph_node(w->old, e);
    rewrite_place(w, e);
    if (n->op == OP_CONST) return graph_tuple(w->g, n->width, graph_values(w->old, e));
    if (n->op == OP_INPUT) return graph_input(w->g, n->width, graph_slots(w->old, e));
    int operands = graph_op_table[n->op].operands;
    return graph_make(w->g, (graph_op)n->op, w->map[n->a], operands > 1 ? w->map[n->b] : n->b);
}

graph *rewrite_end(rewrite *w)
{
    for (int o = 0; o < w->old->outputs.n; o++) {
        const graph_output *out = &w->old->outputs.at[o];
        graph_set(w->g, out->slot, w->map[out->value], out->lane);
    }
    free(w->uses);
    free(w->map);
    return w->g;
}
