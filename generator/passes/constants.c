#include "passes.h"

static bool is_const(const graph *g, expr e) { return graph_node(g, e)->op == OP_CONST; }

/* e = k1 (k2 x) with k2 x used here alone. */
static bool twice_scaled(const rewrite *w, expr e, expr *k1, expr *inner)
{
    const gnode *n = graph_node(w->old, e);
    if (n->op != OP_MUL) return false;
    *k1 = is_const(w->old, n->a) ? n->a : n->b;
    *inner = is_const(w->old, n->a) ? n->b : n->a;
    const gnode *m = graph_node(w->old, *inner);
    return is_const(w->old, *k1) && m->op == OP_MUL && w->uses[*inner] == 1 &&
           (is_const(w->old, m->a) || is_const(w->old, m->b));
}

graph *pass_constants(const graph *g)
{
    rewrite w = rewrite_begin(g);
    for (expr e = 0; e < g->nodes.n; e++) {
        expr k1, inner;
        if (!w.uses[e]) continue;
        if (!twice_scaled(&w, e, &k1, &inner)) {
            w.map[e] = rewrite_copy(&w, e);
            continue;
        }
        const gnode *m = graph_node(g, inner);
        expr k2 = is_const(g, m->a) ? m->a : m->b, x = is_const(g, m->a) ? m->b : m->a;
        rewrite_place(&w, e);
        w.map[e] = graph_mul(w.g, graph_mul(w.g, w.map[k1], w.map[k2]), w.map[x]);
    }
    return rewrite_end(&w);
}
