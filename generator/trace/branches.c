/* Solving M x = b by branches: runs of unknowns without forks, found in the pattern of M = L' D L. A branch l sees its
   ancestors a by one product, however long it is:
     y = L_ll'^-1 b_l,  b_a -= L_la' y,  z = L_ll^-1 D^-1 y,  x_l = z - G x_a,  G = L_ll^-1 L_la
   and where b is zero in l and beyond, so is z, and only the product is left. Where many ancestors end in a floating
   base, x_a is seen as the acceleration of one body, in the base's frame: six numbers, S_a x_a, and L_la = L_lbase S_a.
   The base's own six unknowns are such numbers already: they are the ancestors that the branch takes directly, and the
   others come in by their columns of S.
 */
#include "plan/limits.h"
#include "texts.h"

#define SUB(a, b) graph_sub(g, a, b)
#define MUL(a, b) graph_mul(g, a, b)

/* Where L can have entries. An entry that cancels in the elimination counts as well: unknown i's nearest ancestor has all
   of i's other ancestors for its own. */
static bool *pattern_of(const solver *s)
{
    int n = s->n;
    bool *pattern = ARENA_ARRAY(s->tr->memory, bool, n *n);
    for (int k = 0; k < n * n; k++) pattern[k] = k % n < k / n && !graph_zero(s->tr->g, s->L[k]);
    for (int i = n - 1; i > 0; i--) {
        int nearest = i - 1;
        while (nearest >= 0 && !pattern[i * n + nearest]) nearest--;
        for (int a = 0; a < nearest; a++)
            if (pattern[i * n + a]) pattern[nearest * n + a] = true;
    }
    return pattern;
}

/* The nearest ancestor of unknown i, -1 for none. */
static int ancestor(const bool *pattern, int n, int i)
{
    int j = i - 1;
    while (j >= 0 && !pattern[i * n + j]) j--;
    return j;
}

/* Whether unknown i goes on where i - 1 ends. */
static bool continues(const solver *s, const bool *pattern, const int *children, int i)
{
    return i && ancestor(pattern, s->n, i) == i - 1 && children[i - 1] == 1 && s->u[i].width == s->u[i - 1].width;
}

static void find_branches(solver *s)
{
    int n = s->n, *children = ARENA_ARRAY(s->tr->memory, int, n);
    const bool *pattern = pattern_of(s);
    s->branches = ARENA_ARRAY(s->tr->memory, branch, n);
    for (int i = 0; i < n; i++)
        if (ancestor(pattern, n, i) >= 0) children[ancestor(pattern, n, i)]++;
    for (int i = 0; i < n; i++) {
        if (continues(s, pattern, children, i)) {
            s->branches[s->n_branches - 1].n++;
            continue;
        }
        branch *b = &s->branches[s->n_branches++];
        *b = (branch){.first = i, .n = 1, .up = ARENA_ARRAY(s->tr->memory, int, n)};
        for (int a = ancestor(pattern, n, i); a >= 0; a = ancestor(pattern, n, a)) b->up[b->n_up++] = a;
    }
}

/* ---- branches that see the acceleration of a body */

/* Whether node i is `above` or hangs from it. */
static bool is_in_subtree(const tree *t, int i, int above)
{
    while (i > above) i = t->node[i].parent;
    return i == above;
}

/* Whether node i hangs from `above`: that body's own joint does not count. */
static bool is_below(const tree *t, int i, int above) { return i != above && is_in_subtree(t, i, above); }

/* The node of which node i is a copy. */
static int master_of(const tree *t, int i)
{
    int m = 1;
    while (t->node[m].dependent || t->node[m].lane->iv != t->node[i].lane->iv) m++;
    return m;
}

/* Whether nothing but the motion of body i couples what hangs from it with the rest: no joint on one side follows a
   joint on the other. The joint of body i itself is of the rest. */
static bool couples_by_motion_alone(const tree *t, int i)
{
    for (int j = 1; j < t->n; j++)
        if (t->node[j].dependent && is_below(t, j, i) != is_below(t, master_of(t, j), i)) return false;
    return true;
}

/* The floating base at the end of the branch's ancestors, if they all are the columns of the nodes on the way: else 0.
 */
static int base_of(const solver *s, const branch *b)
{
    const tree *t = s->tr->t;
    int columns = 0, base = 0, from = t->node[s->u[b->first].node].parent;
    for (int i = from; i > 0; i = t->node[i].parent) {
        if (t->node[i].dependent) return 0;
        columns += t->node[i].nv;
        base = i;
    }
    bool ok = base && columns == b->n_up && t->node[base].type == SVA_FLOATING && couples_by_motion_alone(t, from);
    return ok ? base : 0;
}

/* The acceleration takes six products for each ancestor beyond the base, and saves one for each unknown of the branches
   that hang from the same body. */
static bool pays(const solver *s, const branch *b)
{
    int unknowns = 0;
    for (const branch *c = s->branches; c < s->branches + s->n_branches; c++)
        if (c->n_up && c->up[0] == b->up[0]) unknowns += c->n;
    return unknowns > UNKNOWNS_OF_BASE;
}

/* Component a of unknown j's column S, where a is one of the base's six unknowns. It is kept above the diagonal of G, whose
   own entries are below. */
static expr *subspace_at(const solver *s, int a, int j) { return &s->G[a * s->n + j]; }

/* Column S of unknown j in the base's frame, linear and angular as the base's unknowns are. */
static void keep_subspace(solver *s, const trace *common, const branch *b, int j)
{
    const tree_node *node = &s->tr->t->node[s->u[j].node];
    const motion *S = &common->S[node->column + s->u[j].dof - node->lane->iv];
    for (int k = 0; k < 6; k++) *subspace_at(s, b->up[b->n_up - 1 - k], j) = k < 3 ? S->u.x[k] : S->w.x[k - 3];
}

static void find_accelerations(solver *s)
{
    const tree *t = s->tr->t;
    for (branch *b = s->branches; b < s->branches + s->n_branches; b++) {
        int base = b->n_up > 6 && pays(s, b) ? base_of(s, b) : 0, *frame = trace_body_frames(s->tr->memory, t);
        if (!base) continue;
        for (int i = base; i < t->n; i++)
            if (is_in_subtree(t, i, base)) frame[i] = base;
        const trace *common = trace_new(s->tr->memory, s->tr->g, t, frame, s->tr->options);
        for (int j = 0; j < b->n_up - 6; j++) keep_subspace(s, common, b, b->up[j]);
        b->spatial = true;
    }
}

/* The branch takes its ancestors directly from up[first_direct] on: all of them, or the base's six. */
static int first_direct(const branch *b) { return b->spatial ? b->n_up - 6 : 0; }

/* x_a of an ancestor that is taken directly; of the base's six with what the other ancestors add, S x. */
static expr direct(solver *s, const branch *b, int a, const expr *x)
{
    graph *g = s->tr->g;
    expr e = x[a];
    for (int j = first_direct(b) - 1; j >= 0; j--) e = graph_add(g, e, MUL(*subspace_at(s, a, b->up[j]), x[b->up[j]]));
    return e;
}

void branches_new(solver *s)
{
    graph *g = s->tr->g;
    int n = s->n;
    s->G = ARENA_ARRAY(s->tr->memory, expr, (size_t)n * (size_t)n);
    for (int i = 0; i < n * n; i++) s->G[i] = graph_const(g, 0.0);
    find_branches(s);
    find_accelerations(s);
    for (const branch *b = s->branches; b < s->branches + s->n_branches; b++)
        for (int i = b->first; i < b->first + b->n; i++) {
            trace_begin(s->tr, s->u[i].node);
            for (int a = first_direct(b); a < b->n_up; a++) {
                expr *G = &s->G[i * n + b->up[a]];
                *G = s->L[i * n + b->up[a]];
                for (int j = b->first; j < i; j++) *G = SUB(*G, MUL(s->L[i * n + j], s->G[j * n + b->up[a]]));
            }
        }
}

/* ---- right-hand sides */

/* y, in the place of b_l */
static void eliminate(solver *s, const branch *b, expr *x)
{
    graph *g = s->tr->g;
    for (int i = b->first + b->n - 1; i >= b->first; i--)
        for (int j = b->first; j < i; j++) x[j] = SUB(x[j], MUL(s->L[i * s->n + j], x[i]));
}

/* z, in the place of y */
static void substitute(solver *s, const branch *b, expr *x)
{
    graph *g = s->tr->g;
    for (int i = b->first; i < b->first + b->n; i++) {
        x[i] = MUL(s->Dinv[i], x[i]);
        for (int j = b->first; j < i; j++) x[i] = SUB(x[i], MUL(s->L[i * s->n + j], x[j]));
    }
}

/* Subtracts e, which comes from branch b, from unknown a's. The lanes of the branch are summed where they end in one
   unknown, unless they are as many columns. */
static void subtract(solver *s, const branch *b, int width, int a, expr e, expr *x)
{
    graph *g = s->tr->g;
    int lanes = s->u[b->first].width;
    bool sum = lanes > width && lanes > s->u[a].width && !graph_zero(g, e);
    x[a] = SUB(x[a], sum ? graph_sum(g, e, lanes) : e);
}

/* b_a -= L_la' y; or the force p = L_lbase' y, and b_a -= S_a . p. */
static void hand_over(solver *s, const branch *b, int width, expr *x)
{
    graph *g = s->tr->g;
    int n = s->n, from = first_direct(b);
    expr *p = ARENA_ARRAY(s->tr->memory, expr, b->n_up);
    for (int a = from; a < b->n_up; a++) {
        p[a] = graph_const(g, 0.0);
        for (int i = b->first; i < b->first + b->n; i++) p[a] = graph_add(g, p[a], MUL(s->L[i * n + b->up[a]], x[i]));
        subtract(s, b, width, b->up[a], p[a], x);
    }
    for (int j = 0; j < from; j++) {
        expr e = graph_const(g, 0.0);
        for (int a = from; a < b->n_up; a++) e = graph_add(g, e, MUL(*subspace_at(s, b->up[a], b->up[j]), p[a]));
        subtract(s, b, width, b->up[j], e, x);
    }
}

void branches_up(solver *s, int width, expr *x)
{
    for (const branch *b = s->branches + s->n_branches; b-- > s->branches;) {
        if (!b->n_up) continue;
        trace_begin(s->tr, s->u[b->first].node);
        eliminate(s, b, x);
        hand_over(s, b, width, x);
        substitute(s, b, x);
    }
}

/* x_i - G x_a */
static expr minus_ancestors(solver *s, const branch *b, int i, expr e, const expr *x)
{
    graph *g = s->tr->g;
    for (int a = b->n_up - 1; a >= first_direct(b); a--)
        e = SUB(e, MUL(s->G[i * s->n + b->up[a]], direct(s, b, b->up[a], x)));
    return e;
}

/* Row by row for all columns: then a row of G is read once. */
void branches_down(solver *s, int n, expr *const *x)
{
    for (const branch *b = s->branches; b < s->branches + s->n_branches; b++) {
        trace_begin(s->tr, s->u[b->first].node);
        for (int c = 0; c < n && !b->n_up; c++) eliminate(s, b, x[c]), substitute(s, b, x[c]);
        for (int i = b->first; i < b->first + b->n && b->n_up; i++) {
            trace_begin(s->tr, s->u[i].node);
            for (int c = 0; c < n; c++) x[c][i] = minus_ancestors(s, b, i, x[c][i], x[c]);
        }
    }
}

/* ---- the inverse. For i in a branch and c <= i:  Z_ic = N_ic - G_i Z_ac,  N = (L_ll' D L_ll)^-1. */

static expr own_inverse(solver *s, const branch *b, const expr *N, int i, int c)
{
    graph *g = s->tr->g;
    expr z = i == c ? s->Dinv[i] : graph_const(g, 0.0);
    for (int j = b->first; j < i; j++) z = SUB(z, MUL(s->L[i * s->n + j], N[j > c ? j * s->n + c : c * s->n + j]));
    return z;
}

void branches_inverse(solver *s)
{
    int n = s->n;
    expr *Z = s->Z = ARENA_ARRAY(s->tr->memory, expr, (size_t)n * (size_t)n), *x = ARENA_ARRAY(s->tr->memory, expr, n);
    expr *N = ARENA_ARRAY(s->tr->memory, expr, (size_t)n * (size_t)n);
    for (const branch *b = s->branches; b < s->branches + s->n_branches; b++)
        for (int i = b->first; i < b->first + b->n; i++) {
            trace_begin(s->tr, s->u[i].node);
            for (int c = 0; c <= i; c++) {
                for (int a = 0; a < b->n_up; a++) x[b->up[a]] = Z[b->up[a] > c ? b->up[a] * n + c : c * n + b->up[a]];
                N[i * n + c] = c < b->first ? graph_const(s->tr->g, 0.0) : own_inverse(s, b, N, i, c);
                Z[i * n + c] = minus_ancestors(s, b, i, N[i * n + c], x);
            }
        }
}
