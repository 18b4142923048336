/* Sums of products with a common factor. A sum is a tree of additions of which only the root is used elsewhere; its
   leaves are the terms. The factor that most terms share is taken out, then the rest and the inside are looked at
   again. */
#include "passes.h"

#include <stdlib.h>

typedef struct term {
    bool minus;
    expr old;  /* a node of the old graph, or EXPR_NONE for */
    expr made; /* one of the new */
} term;

enum { MOST_TERMS = 64 };

static bool is_sum(const graph *g, expr e) { return graph_node(g, e)->op == OP_ADD || graph_node(g, e)->op == OP_SUB; }

/* Terms of the sum under e; false if there are too many. */
static bool collect(const rewrite *w, expr e, bool minus, bool root, term *terms, int *n)
{
    const gnode *node = graph_node(w->old, e);
    if (is_sum(w->old, e) && (root || w->uses[e] == 1))
        return collect(w, node->a, minus, false, terms, n) &&
               collect(w, node->b, minus != (node->op == OP_SUB), false, terms, n);
    if (*n == MOST_TERMS) return false;
    terms[(*n)++] = (term){minus, e, EXPR_NONE};
    return true;
}

/* A product that nobody else needs. */
static const gnode *product(const rewrite *w, const term *t)
{
    if (t->old < 0 || w->uses[t->old] != 1) return NULL;
    const gnode *n = graph_node(w->old, t->old);
    return n->op == OP_MUL ? n : NULL;
}

static int count_factor(const rewrite *w, const term *terms, int n, expr f)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        const gnode *p = product(w, &terms[i]);
        count += p && (p->a == f || p->b == f);
    }
    return count;
}

/* The factor of most products, at least two; EXPR_NONE without. */
static expr best_factor(const rewrite *w, const term *terms, int n)
{
    expr best = EXPR_NONE;
    int most = 1;
    for (int i = 0; i < n; i++) {
        const gnode *p = product(w, &terms[i]);
        for (int side = 0; p && side < 2; side++) {
            expr f = side ? p->b : p->a;
            int count = count_factor(w, terms, n, f);
            if (count > most || (count == most && most > 1 && f < best)) best = f, most = count;
        }
    }
    return best;
}

static expr value_of(rewrite *w, const term *t) { return t->old >= 0 ? w->map[t->old] : t->made; }

static expr add_up(rewrite *w, const term *terms, int n)
{
    expr sum = graph_const(w->g, 0.0);
    for (int i = 0; i < n; i++) sum = (terms[i].minus ? graph_sub : graph_add)(w->g, sum, value_of(w, &terms[i]));
    return sum;
}

static expr factored(rewrite *w, term *terms, int n)
{
    for (expr f; (f = best_factor(w, terms, n)) >= 0;) {
        term inside[MOST_TERMS];
        int m = 0, kept = 0, at = -1;
        for (int i = 0; i < n; i++) {
            const gnode *p = product(w, &terms[i]);
            if (p && (p->a == f || p->b == f)) {
                if (at < 0) at = kept++; /* the product stands where its first term stood */
                inside[m++] = (term){terms[i].minus, p->a == f ? p->b : p->a, EXPR_NONE};
            } else {
                terms[kept++] = terms[i];
            }
        }
        terms[at] = (term){false, EXPR_NONE, graph_mul(w->g, w->map[f], factored(w, inside, m))};
        n = kept;
    }
    return add_up(w, terms, n);
}

graph *pass_factor(const graph *g)
{
    rewrite w = rewrite_begin(g);
    term *terms = malloc(sizeof *terms * MOST_TERMS);
    if (!terms) abort();
    for (expr e = 0; e < g->nodes.n; e++) {
        int n = 0;
        if (!w.uses[e]) continue;
        rewrite_place(&w, e);
        bool several = is_sum(g, e) && collect(&w, e, false, true, terms, &n) && best_factor(&w, terms, n) >= 0;
        w.map[e] = several ? factored(&w, terms, n) : rewrite_copy(&w, e);
    }
    free(terms);
    return rewrite_end(&w);
}
