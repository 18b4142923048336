#include "search.h"

#include <string.h>

/* A division costs about as much as this many multiplications, in time and in the units it blocks. */
enum { DIVISION = 5 };

/* Multiply-adds of a tail's loops: whole rows for each entry of L; 48 for a pair, 12 where M is made. */
static long tail_pairs(const tail *end)
{
    long n = 0;
    for (int j = 0; end->pairs && j < end->n; j++) n += end->span[3 * j + 2] - end->span[3 * j];
    return n;
}

static long tail_rows(const tail *end)
{
    long entries = end->n_list - end->n - 1;
    return end->solve ? (2 * entries + end->n) * end->stride : 0;
}

graph_counts search_counts(const graph *g, const tail *end)
{
    graph_counts c = graph_count(g);
    bool M = end->solve, derivatives = false;
    for (int o = 0; o < end->n_out; o++)
        M = M || end->out[o] == ARG_M,
        derivatives = derivatives || end->out[o] == ARG_DTAU_DQ || end->out[o] == ARG_DQDD_DQ;
    long products = tail_rows(end) + tail_pairs(end) * ((M ? 12 : 0) + (derivatives ? 48 : 0));
    c.muls += products;
    c.adds += products;
    if (end->pairs && end->solve) c.divs += end->n;
    return c;
}

/* Rows run in vectors, so that an operation counts a quarter; and the loops themselves cost. */
static long search_cost(const graph *g, const tail *end)
{
    enum { LOOP = 80 };
    graph_counts c = graph_count(g);
    return c.muls + c.adds + DIVISION * c.divs + 2 * tail_rows(end) / 4 + LOOP * (end->solve ? end->n : 0);
}

typedef struct search {
    arena *memory;
    const kernel_info *kernel;
    const tree *t;
    const trace_options *o;
    bool lanes;
    traced best;
    long cost;  /* of the best; -1: none yet */
    long spent; /* nodes traced so far: candidates stop when it is past the budget */
} search;

/* About a quarter of a second. Small arms are searched to the end, humanoids keep near body frames. */
enum { BUDGET = 600000 };

static unsigned short *keep_list(search *s, const unsigned short *list, int n)
{
    unsigned short *copy = ARENA_ARRAY(s->memory, unsigned short, n);
    if (n) memcpy(copy, list, sizeof *copy * (size_t)n);
    return copy;
}

static double *keep_numbers(search *s, const double *x, int n)
{
    double *copy = ARENA_ARRAY(s->memory, double, n);
    if (n) memcpy(copy, x, sizeof *copy * (size_t)n);
    return copy;
}

static bool try(search *s, strategy st)
{
    if (s->cost >= 0 && s->spent > BUDGET) return false;
    arena *scratch = arena_new();
    graph *g = graph_new();
    tail end = {0};
    s->kernel->text(scratch, g, s->t, s->o, &st, &end);
    end.below = keep_list(s, end.below, end.n_list);
    end.above = keep_list(s, end.above, end.n_list);
    end.span = keep_list(s, end.span, end.pairs ? 3 * end.n : 0);
    end.armature = keep_numbers(s, end.armature, end.pairs ? end.n : 0);
    arena_free(scratch);
    s->spent += g->nodes.n;
    long cost = search_cost(g, &end);
    if (s->cost >= 0 && cost >= s->cost) {
        graph_free(g);
        return false;
    }
    graph_free(s->best.graph);
    s->best.graph = g;
    s->best.strategy = st;
    s->best.end = end;
    s->cost = cost;
    return true;
}

static int *new_frames(search *s) { return ARENA_ARRAY(s->memory, int, s->t->n); }

/* One frame for all, node r's; the ground keeps its own when only gravity crosses, above a floating base. */
static int *common_frame(search *s, int r)
{
    int *f = new_frames(s);
    for (int i = 0; i < s->t->n; i++) f[i] = r;
    if (r && s->t->model->floating) f[0] = 0;
    return f;
}

/* Joins node i's frame to its parent's, or parts them: all that shared i's frame below it follow. */
static int *toggled(search *s, const int *frame, int i)
{
    int *f = new_frames(s), L = s->t->node[i].parent;
    memcpy(f, frame, sizeof *f * (size_t)s->t->n);
    int from = frame[i], to = frame[i] == frame[L] ? i : frame[L];
    if (to == i && from != L && from > i) return NULL; /* the frame's own node is below: leave it */
    for (int j = i; j < s->t->n; j++)
        if (frame[j] == from && (j == i || f[s->t->node[j].parent] == to)) f[j] = to;
    return f;
}

/* Single changes of frame that pay, until none does. */
static void improve(search *s)
{
    for (bool better = true; better;) {
        better = false;
        for (int i = 1; i < s->t->n; i++) {
            strategy st = s->best.strategy;
            st.frame = toggled(s, st.frame, i);
            if (st.frame) better = try(s, st) || better;
        }
    }
}

/* The candidates: body frames; for small robots the ground's and one body's for all; then single changes. */
static void search_frames(search *s, strategy st)
{
    enum { FEW = 16 };
    st.frame = trace_body_frames(s->memory, s->t);
    try(s, st);
    for (int r = 0; r < s->t->n && s->t->n <= FEW; r++) {
        st.frame = common_frame(s, r);
        try(s, st);
    }
    improve(s);
}

/* Pairs of columns, one an ancestor of the other. */
static long pairs_of(const tree *t)
{
    long n = 0;
    for (int i = 1; i < t->n; i++)
        for (int j = i; j > 0; j = t->node[j].parent) n += (long)t->node[i].nv * t->node[j].nv;
    return n;
}

bool search_large(const tree *t)
{
    enum { MOST = 3000 };
    return !t->mimic && t->n > 1 && pairs_of(t) > MOST;
}

/* Body frames serve the inertia matrix and articulated bodies; the solvers are compared in them, and in the common
   frames of IDSVA where M is a by-product. */
static void search_solver(search *s, strategy st)
{
    enum { FEW_COLUMNS = 24 };
    for (int k = 0; k < SOLVERS; k++) {
        if (k == SOLVE_AZA && s->t->mimic) continue;
        if (k != SOLVE_AZA && search_large(s->t)) continue;
        st.solver = (solver_kind)k;
        for (int choice = 0; choice < 4; choice++) {
            st.shared_M = choice & 1;
            st.rows = choice & 2;
            if (st.shared_M && (k == SOLVE_AZA || !(s->kernel->flags & KERNEL_FRAME))) continue;
            if (st.rows && (k != SOLVE_LTL || !(s->kernel->flags & KERNEL_ROWS))) continue;
            if (st.rows && s->lanes && s->t->model->nv <= FEW_COLUMNS) continue;
            try(s, st);
        }
    }
}

/* ---- in words */

static const char *frame_words(search *s, const int *f)
{
    int n = s->t->n, own = 0;
    for (int i = 1; i < n; i++) own += f[i] == i;
    if (own == n - 1) return "body frames";
    bool common = true;
    for (int i = 2; i < n; i++) common = common && f[i] == f[1];
    if (!common) return arena_printf(s->memory, "%d frames for %d bodies", own + (f[0] == 0), n - 1);
    if (!f[1]) return "the ground frame";
    return arena_printf(s->memory, "the frame of body %d", f[1]);
}

static const char *words(search *s)
{
    const strategy *st = &s->best.strategy;
    const char *frames = s->kernel->flags & KERNEL_FRAME ? frame_words(s, st->frame) : "";
    if (!(s->kernel->flags & KERNEL_SOLVER)) return frames;
    return arena_printf(s->memory, "%s%s%s%s", frames, *frames ? ", " : "", solver_names[st->solver],
                        st->rows ? " by rows" : "");
}

static int *idsva_frames(search *like, strategy st)
{
    search s = {.memory = like->memory, .kernel = kernel_find("idsva"), .t = like->t, .o = like->o, .cost = -1};
    search_frames(&s, st);
    graph_free(s.best.graph);
    return s.best.strategy.frame;
}

traced search_kernel(arena *memory, const kernel_info *k, const tree *t, const trace_options *o, bool lanes,
                     int **frames)
{
    search s = {.memory = memory, .kernel = k, .t = t, .o = o, .lanes = lanes, .cost = -1};
    strategy st = {
        .frame = trace_body_frames(memory, t), .solve_frame = trace_body_frames(memory, t), .solver = SOLVE_LTL};
    bool derivatives = (k->flags & (KERNEL_FRAME | KERNEL_GRAVITY)) == (KERNEL_FRAME | KERNEL_GRAVITY);
    bool loops = k->flags & (KERNEL_FRAME | KERNEL_ROWS) && o->friction == FRICTION_NONE && search_large(t);
    if (loops) {
        st.looped = true;
        try(&s, st);
        s.best.words = "pairs of joints by loops, because the tree is large";
        return s.best;
    }
    if (derivatives && !*frames) *frames = idsva_frames(&s, st);
    if (derivatives) st.frame = *frames;
    if (k->flags & KERNEL_SOLVER)
        search_solver(&s, st);
    else if (k->flags & KERNEL_FRAME && !derivatives)
        search_frames(&s, st);
    else
        try(&s, st);
    s.best.words = words(&s);
    return s.best;
}
