/* Solving M x = b, three ways. */
#include "texts.h"

#include <stdlib.h>
#include "base/invariant.h"

#define ADD(a, b) graph_add(g, a, b)
#define SUB(a, b) graph_sub(g, a, b)
#define MUL(a, b) graph_mul(g, a, b)

const char *const solver_names[SOLVERS] = {"sparse L'DL", "L'DL of branches", "AZA", "DMM"};

static const tree_node *node_of(const trace *tr, int i) { return &tr->t->node[i]; }

/* ---- M = L' D L from the leaves ([F08]): no fill outside the tree's pattern */

static void find_unknowns(solver *s)
{
    const tree *t = s->tr->t;
    s->u = ARENA_ARRAY(s->tr->memory, unknown, t->columns);
    for (int i = 1; i < t->n; i++)
        for (int k = 0; k < t->node[i].nv && !t->node[i].dependent; k++)
            s->u[s->n++] = (unknown){i, t->node[i].width, t->node[i].lane->iv + k};
}

/* What limbs side by side subtract from unknowns that are one is gathered lane by lane, and summed across the lanes
   only when all of the limb has been seen: before the next unknown that is not of its width, or of another limb. */
typedef struct gathered {
    expr *lanes; /* per place, EXPR_NONE: nothing */
    int n, width, limb;
} gathered;

static gathered gathered_new(solver *s, int n)
{
    gathered x = {ARENA_ARRAY(s->tr->memory, expr, n), n, 1, 0};
    for (int i = 0; i < n; i++) x.lanes[i] = EXPR_NONE;
    return x;
}

/* The node at which the limb of unknown k hangs from a body that is one. */
static int limb_of(const solver *s, int k)
{
    int i = s->u[k].node;
    while (s->u[k].width > 1 && node_of(s->tr, node_of(s->tr, i)->parent)->width > 1) i = node_of(s->tr, i)->parent;
    return s->u[k].width > 1 ? i : 0;
}

/* The turn of unknown k: what an earlier limb has gathered goes to the values. */
static void turn_of(solver *s, gathered *x, int k, expr *values)
{
    int limb = limb_of(s, k);
    for (int i = 0; i < x->n && limb != x->limb; i++) {
        if (x->lanes[i] < 0) continue;
        values[i] = graph_sub(s->tr->g, values[i], graph_sum(s->tr->g, x->lanes[i], x->width));
        x->lanes[i] = EXPR_NONE;
    }
    x->limb = limb;
    x->width = s->u[k].width;
}

/* Subtracts e, which belongs to unknown k, from the value at a place that belongs to unknown i. */
static void subtract(solver *s, gathered *x, int k, int i, expr *values, int at, expr e)
{
    graph *g = s->tr->g;
    if (s->u[k].width == s->u[i].width)
        values[at] = SUB(values[at], e);
    else
        x->lanes[at] = x->lanes[at] < 0 ? e : ADD(x->lanes[at], e);
}

static void factor(solver *s, const table *M)
{
    graph *g = s->tr->g;
    int n = s->n;
    expr *H = ARENA_ARRAY(s->tr->memory, expr, (size_t)n * (size_t)n);
    gathered limbs = gathered_new(s, n * n);
    for (int i = 0; i < n * n; i++) H[i] = M->at[s->u[i / n].dof * M->cols + s->u[i % n].dof].value;
    for (int k = n - 1; k >= 0; k--) {
        trace_begin(s->tr, s->u[k].node);
        turn_of(s, &limbs, k, H);
        s->Dinv[k] = graph_div(g, graph_const(g, 1.0), H[k * n + k]);
        for (int i = k - 1; i >= 0; i--) {
            if (graph_zero(g, H[k * n + i])) continue;
            expr a = s->L[k * n + i] = MUL(H[k * n + i], s->Dinv[k]);
            for (int j = 0; j <= i; j++) subtract(s, &limbs, k, i, H, i * n + j, MUL(a, H[k * n + j]));
        }
    }
}

static void ltl_solve(solver *s, expr *x)
{
    graph *g = s->tr->g;
    int n = s->n;
    gathered limbs = gathered_new(s, s->tr->t->model->nv);
    for (int i = n - 1; i >= 0; i--) {
        trace_begin(s->tr, s->u[i].node);
        turn_of(s, &limbs, i, x);
        for (int j = 0; j < i; j++)
            if (!graph_zero(g, s->L[i * n + j]))
                subtract(s, &limbs, i, j, x, s->u[j].dof, MUL(s->L[i * n + j], x[s->u[i].dof]));
    }
    for (int i = 0; i < n; i++) {
        trace_begin(s->tr, s->u[i].node);
        expr *to = &x[s->u[i].dof];
        *to = MUL(*to, s->Dinv[i]);
        for (int j = 0; j < i; j++) *to = SUB(*to, MUL(s->L[i * n + j], x[s->u[j].dof]));
    }
}

/* L Z = D^-1 L'^-1 is upper triangular, so for c <= i:  Z_ic = (i == c) / D_i - sum over j < i of L_ij Z_jc. */
static void ltl_inverse(solver *s)
{
    graph *g = s->tr->g;
    int n = s->n;
    expr *Z = s->Z = ARENA_ARRAY(s->tr->memory, expr, (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++)
        for (int c = 0; c <= i; c++) {
            if (!c) trace_begin(s->tr, s->u[i].node);
            expr z = i == c ? s->Dinv[i] : graph_const(g, 0.0);
            for (int j = 0; j < i; j++) z = SUB(z, MUL(s->L[i * n + j], j < c ? Z[c * n + j] : Z[j * n + c]));
            Z[i * n + c] = z;
        }
}

static void dmm_solve(solver *s, expr *x)
{
    graph *g = s->tr->g;
    int n = s->n;
    expr *y = ARENA_ARRAY(s->tr->memory, expr, n);
    for (int i = 0; i < n; i++) {
        y[i] = graph_const(g, 0.0);
        for (int j = 0; j < n; j++) y[i] = ADD(y[i], MUL(s->Z[i > j ? i * n + j : j * n + i], x[j]));
    }
    for (int i = 0; i < n; i++) x[i] = y[i];
}

/* ---- articulated bodies ([SRW21], AZA). A joint of several degrees of freedom is a chain of columns:
   U = IA S,  D = S . U + armature,  IA -= U U' / D,  from the last column to the first. */

static void articulate(solver *s)
{
    trace *tr = s->tr;
    graph *g = tr->g;
    int n = tr->t->n;
    articulated *IA = ARENA_ARRAY(tr->memory, articulated, n);
    for (const int *walk = tree_walk(tr->memory, tr->t); *walk; walk++) {
        int i = abs(*walk);
        const tree_node *b = node_of(tr, i);
        trace_begin(tr, i);
        if (*walk > 0) {
            inertia I = trace_inertia(tr, i);
            IA[i] = articulated_from(g, &I);
            continue;
        }
        for (int k = b->nv - 1; k >= 0; k--) {
            int c = b->column + k;
            s->U[c] = articulated_mul(g, &IA[i], tr->S[c]);
            expr D = ADD(motion_dot(g, tr->S[c], s->U[c]), trace_number(tr, i, &b->lane->armature[k]));
            s->Dinv[c] = graph_div(g, graph_const(g, 1.0), D);
            s->K[c] = force_scale(g, s->Dinv[c], s->U[c]);
            IA[i] = articulated_less(g, &IA[i], s->Dinv[c], s->U[c]);
        }
        if (!b->parent) continue;
        articulated up = IA[i];
        for (int k = 0; k < tr->edge[i].n; k++) up = step_articulated_out(g, &tr->edge[i].s[k], &up);
        TRACE_SUM(tr, i, &up);
        IA[b->parent] = articulated_add(g, &IA[b->parent], &up);
    }
}

/* Leaves to root: u = b - S . p, p += K u; root to leaves: x = u / D - K . a, a += S x. */
static void aza_solve(solver *s, expr *x)
{
    trace *tr = s->tr;
    graph *g = tr->g;
    int n = tr->t->n;
    force *p = ARENA_ARRAY(tr->memory, force, n);
    motion *a = ARENA_ARRAY(tr->memory, motion, n);
    for (int i = 0; i < n; i++) p[i] = force_zero(g), a[i] = motion_zero(g);
    for (int i = n - 1; i > 0; i--) {
        const tree_node *b = node_of(tr, i);
        trace_begin(tr, i);
        for (int k = b->nv - 1; k >= 0; k--) {
            expr *u = &x[b->lane->iv + k];
            *u = SUB(*u, motion_dot(g, tr->S[b->column + k], p[i]));
            p[i] = force_add(g, p[i], force_scale(g, *u, s->K[b->column + k]));
        }
        if (!b->parent) continue;
        force up = trace_up(tr, i, p[i]);
        TRACE_SUM(tr, i, &up);
        p[b->parent] = force_add(g, p[b->parent], up);
    }
    for (int i = 1; i < n; i++) {
        const tree_node *b = node_of(tr, i);
        trace_begin(tr, i);
        a[i] = trace_down(tr, i, a[b->parent]);
        for (int k = 0; k < b->nv; k++) {
            int c = b->column + k;
            expr *u = &x[b->lane->iv + k];
            *u = SUB(MUL(s->Dinv[c], *u), motion_dot(g, a[i], s->K[c]));
            a[i] = motion_add(g, a[i], motion_scale(g, *u, tr->S[c]));
        }
    }
}

/* ---- the interface */

solver *solver_new(trace *tr, solver_kind kind, const table *M)
{
    solver *s = ARENA_ARRAY(tr->memory, solver, 1);
    *s = (solver){.kind = kind, .tr = tr};
    find_unknowns(s);
    int n = s->n;
    s->Dinv = ARENA_ARRAY(tr->memory, expr, tr->t->columns);
    if (kind == SOLVE_AZA) {
        INVARIANT(!tr->t->mimic);
        s->U = ARENA_ARRAY(tr->memory, force, tr->t->columns);
        s->K = ARENA_ARRAY(tr->memory, force, tr->t->columns);
        articulate(s);
        return s;
    }
    s->L = ARENA_ARRAY(tr->memory, expr, (size_t)n * (size_t)n);
    for (int i = 0; i < n * n; i++) s->L[i] = graph_const(tr->g, 0.0);
    factor(s, M);
    if (kind == SOLVE_DMM) ltl_inverse(s);
    if (kind == SOLVE_BRANCHES) branches_new(s);
    return s;
}

static void branches_solve(solver *s, int n, expr *const *b)
{
    expr **x = ARENA_ARRAY(s->tr->memory, expr *, n);
    for (int c = 0; c < n; c++) {
        x[c] = ARENA_ARRAY(s->tr->memory, expr, s->n);
        for (int i = 0; i < s->n; i++) x[c][i] = b[c][s->u[i].dof];
        branches_up(s, 1, x[c]);
    }
    branches_down(s, n, x);
    for (int i = 0; i < n * s->n; i++) b[i / s->n][s->u[i % s->n].dof] = x[i / s->n][i % s->n];
}

void solver_solve(solver *s, int n, expr *const *b)
{
    static void (*const solve[SOLVERS])(solver *, expr *) = {
        [SOLVE_LTL] = ltl_solve, [SOLVE_AZA] = aza_solve, [SOLVE_DMM] = dmm_solve};
    if (s->kind == SOLVE_BRANCHES) branches_solve(s, n, b);
    for (int c = 0; c < n && s->kind != SOLVE_BRANCHES; c++) solve[s->kind](s, b[c]);
}

/* By columns: column c needs its entries at and below the diagonal only, the rest is dead code. */
static void aza_inverse(solver *s)
{
    graph *g = s->tr->g;
    int n = s->n;
    s->Z = ARENA_ARRAY(s->tr->memory, expr, (size_t)n * (size_t)n);
    expr *x = ARENA_ARRAY(s->tr->memory, expr, n);
    for (int c = 0; c < n; c++) {
        for (int i = 0; i < n; i++) x[i] = graph_const(g, i == c ? 1.0 : 0.0);
        aza_solve(s, x);
        for (int i = c; i < n; i++) s->Z[i * n + c] = x[i];
    }
}

expr *solver_inverse(solver *s)
{
    static void (*const inverse[SOLVERS])(solver *) = {[SOLVE_LTL] = ltl_inverse,
                                                       [SOLVE_AZA] = aza_inverse,
                                                       [SOLVE_DMM] = ltl_inverse,
                                                       [SOLVE_BRANCHES] = branches_inverse};
    if (!s->Z) inverse[s->kind](s);
    return s->Z;
}
