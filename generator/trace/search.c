#include "search.h"

#include <stdlib.h>
#include <string.h>

/* A division costs about as much as this many multiplications, in time and in the units it blocks. */
enum { DIVISION = 5 };

graph_counts search_counts(const graph *g, const tail *end)
{
    graph_counts c = graph_count(g);
    for (int k = 0; k < end->n_blocks; k++) {
        graph_counts b = graph_count(end->blocks[k].text->graph);
        c.adds += b.adds;
        c.muls += b.muls;
    }
    long products = end->loops ? loops_products(end->loops) : 0;
    c.muls += products;
    c.adds += products;
    return c;
}

/* Instructions of a node, about: one, two of more than four lanes, and those that move single lanes. */
static long node_cost(const graph *g, expr e)
{
    const gnode *n = graph_node(g, e);
    bool gathered = n->op == OP_INPUT && graph_slots(g, e)->arg != LOCAL_BLOCK;
    switch (n->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: return 1 + (n->width > 4);
    case OP_DIV: return DIVISION;
    case OP_SUM: return n->b + 1;
    case OP_INPUT: return n->width == 1 ? 0 : gathered ? n->width / 2 : 1 + (n->width > 4);
    default: return 0;
    }
}

static long node_costs(const graph *g)
{
    long cost = 0;
    int *uses = graph_uses(g);
    for (expr e = 0; e < g->nodes.n; e++)
        if (uses[e]) cost += node_cost(g, e);
    free(uses);
    return cost;
}

/* A text that leaves the first-level cache for instructions costs twice from there on. */
static long text_cost(const graph *g)
{
    enum { LONG = 16000 };
    long cost = node_costs(g);
    return cost > LONG ? 2 * cost - LONG : cost;
}

/* Of one state. */
static long state_cost(const graph *g, const tail *end)
{
    long cost = text_cost(g) + (end->loops ? loops_cost(end->loops) : 0);
    for (int o = 0; o < g->outputs.n; o++) cost += graph_node(g, g->outputs.at[o].value)->width > 1;
    for (int k = 0; k < end->n_blocks; k++) cost += text_cost(end->blocks[k].text->graph);
    return cost;
}

/* Of lanes of states: operations count, for the text is shared by the states, and loops have no other lanes. */
static long lanes_cost(const graph *g, const tail *end)
{
    long cost = node_costs(g) + (end->loops ? 2 * loops_products(end->loops) : 0);
    for (int k = 0; k < end->n_blocks; k++) cost += node_costs(end->blocks[k].text->graph);
    return cost;
}

typedef struct search {
    arena *memory;
    const kernel_info *kernel;
    const tree *t;
    const trace_options *o;
    purpose purpose;
    traced best;
    long cost;  /* of the best; -1: none yet */
    long spent; /* nodes traced so far: candidates stop when it is past the budget */
} search;

/* About a quarter of a second. Small arms are searched to the end, humanoids keep near body frames. */
enum { BUDGET = 600000 };

/* Blocks and their texts, out of the scratch memory. */
static void keep_blocks(search *s, tail *end)
{
    block_text *texts = ARENA_ARRAY(s->memory, block_text, end->n_texts);
    block *blocks = ARENA_ARRAY(s->memory, block, end->n_blocks);
    for (int k = 0; k < end->n_texts; k++) {
        texts[k] = end->texts[k];
        texts[k].row = NULL; /* served while blocks were made */
    }
    for (int k = 0; k < end->n_blocks; k++) {
        blocks[k] = end->blocks[k];
        blocks[k].text = texts + (end->blocks[k].text - end->texts);
    }
    end->texts = texts;
    end->blocks = blocks;
}

/* A frame of limbs side by side is as many frames: no body that is one can be written in it. */
static bool fits(const tree *t, const int *frame)
{
    for (int i = 0; i < t->n; i++)
        if (t->node[i].width < t->node[frame[i]].width) return false;
    return true;
}

static bool wide(const tree *t)
{
    for (int i = 1; i < t->n; i++)
        if (t->node[i].width > 1) return true;
    return false;
}

bool search_can(const kernel_info *k, const tree *t, const strategy *st)
{
    bool rows = k->flags & KERNEL_ROWS, inverse = rows && !st->columns;
    if (!fits(t, st->frame) || !fits(t, st->solve_frame)) return false;
    if (st->looped) return !wide(t) && !t->mimic && k->flags & (KERNEL_FRAME | KERNEL_ROWS);
    if (wide(t) && k->flags & KERNEL_BODIES) return false;
    if (!(k->flags & KERNEL_SOLVER)) return true;
    if (st->solver == SOLVE_AZA && t->mimic) return false;
    if (wide(t) && (st->solver == SOLVE_DMM || inverse)) return false; /* M^-1 mixes lanes */
    if (st->columns && (st->solver != SOLVE_BRANCHES || !rows)) return false;
    if (st->whole && st->columns < 2) return false;
    return !st->shared_M || (st->solver != SOLVE_AZA && k->flags & KERNEL_FRAME);
}

static bool try(search *s, strategy st)
{
    if ((s->cost >= 0 && s->spent > BUDGET) || !search_can(s->kernel, s->t, &st)) return false;
    arena *scratch = arena_new();
    graph *g = graph_new();
    tail end = {0};
    s->kernel->text(scratch, g, s->t, s->o, &st, &end);
    keep_blocks(s, &end);
    end.loops = loops_copy(s->memory, end.loops);
    arena_free(scratch);
    s->spent += g->nodes.n;
    long one = state_cost(g, &end), cost = s->purpose == FOR_STATES ? lanes_cost(g, &end) : one;
    if (s->cost >= 0 && cost >= s->cost) {
        graph_free(g);
        tail_free(&end);
        return false;
    }
    graph_free(s->best.graph);
    tail_free(&s->best.end);
    s->best.graph = g;
    s->best.strategy = st;
    s->best.end = end;
    s->best.cost = one;
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

/* Single changes of frame that pay, until none does; loops have a frame of their own. */
static void improve(search *s)
{
    for (bool better = !s->best.strategy.looped; better;) {
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

static bool can_loop(const kernel_info *k, const tree *t, const trace_options *o)
{
    bool pairs = k->flags & (KERNEL_FRAME | KERNEL_ROWS) && o->friction == FRICTION_NONE && !t->mimic && !wide(t);
    bool other = o->solver && k->flags & KERNEL_SOLVER; /* loops have their own */
    return pairs && (o->loops == LOOPS_ALWAYS || (o->loops == LOOPS_AUTO && !other));
}

bool search_must_loop(const kernel_info *k, const tree *t, const trace_options *o)
{
    enum { PAIRS = 1200, COLUMNS = 60 };
    return o->loops == LOOPS_ALWAYS || pairs_of(t) > PAIRS || (k->flags & KERNEL_ROWS && t->columns > COLUMNS);
}

/* Body frames serve the inertia matrix and articulated bodies; the solvers are compared in them, and in the common
   frames of IDSVA where M is a by-product. */
static void search_solver(search *s, strategy st)
{
    enum { FEW_COLUMNS = 40 };
    static const int likely[SOLVERS] = {SOLVE_BRANCHES, SOLVE_LTL, SOLVE_AZA, SOLVE_DMM}; /* first, for the budget */
    for (int i = 0; i < SOLVERS; i++) {
        int k = likely[i];
        if (s->o->solver ? k != s->o->solver - 1 : k != SOLVE_AZA && search_large(s->t)) continue;
        st.solver = (solver_kind)k;
        for (int choice = 0; choice < 8; choice++) {
            st.shared_M = choice & 1;
            st.whole = choice & 4;
            st.columns = !(choice & 2) ? 0 : s->purpose == FOR_VECTORS ? 8 : 1;
            if (st.columns == 1 && s->t->model->nv <= FEW_COLUMNS) continue; /* unrolled, they share work */
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

/* "2 x 7 and 2 x 6 bodies side by side" */
static const char *limb_words(search *s)
{
    const char *list = "";
    const tree_node *node = s->t->node;
    for (int i = 1; i < s->t->n; i++) {
        int n = 1;
        if (node[i].width == 1 || node[node[i].parent].width > 1) continue;
        while (i + n < s->t->n && node[i + n].parent >= i) n++;
        list = arena_printf(s->memory, "%s%s%d x %d", list, *list ? " and " : "", node[i].width, n);
    }
    return *list ? arena_printf(s->memory, "limbs side by side as lanes (%s bodies)", list) : "";
}

static const char *joined(search *s, const char *a, const char *b)
{
    return arena_printf(s->memory, "%s%s%s", a, *a && *b ? ", " : "", b);
}

static const char *words(search *s)
{
    const strategy *st = &s->best.strategy;
    if (st->looped) return "loops over ranges of joints, because there are many pairs of them";
    const char *list = joined(s, limb_words(s), s->kernel->flags & KERNEL_FRAME ? frame_words(s, st->frame) : "");
    if (!(s->kernel->flags & KERNEL_SOLVER)) return list;
    return joined(s, list,
                  arena_printf(s->memory, "%s%s", solver_names[st->solver],
                               st->columns > 1 ? " by blocks of columns"
                               : st->columns   ? " by columns"
                                               : ""));
}

static int *idsva_frames(search *like, strategy st)
{
    search s = {.memory = like->memory, .kernel = kernel_find("idsva"), .t = like->t, .o = like->o, .cost = -1};
    search_frames(&s, st);
    graph_free(s.best.graph);
    return s.best.strategy.frame;
}

traced search_kernel(arena *memory, const kernel_info *k, const tree *t, const trace_options *o, purpose p,
                     int **frames)
{
    search s = {.memory = memory, .kernel = k, .t = t, .o = o, .purpose = p, .cost = -1};
    strategy st = {
        .frame = trace_body_frames(memory, t), .solve_frame = trace_body_frames(memory, t), .solver = SOLVE_LTL};
    bool derivatives = (k->flags & (KERNEL_FRAME | KERNEL_GRAVITY)) == (KERNEL_FRAME | KERNEL_GRAVITY);
    if (can_loop(k, t, o)) {
        strategy looped = st;
        looped.looped = true;
        try(&s, looped);
        s.best.words = words(&s);
        if (search_must_loop(k, t, o)) return s.best;
    }
    if (derivatives && !*frames) *frames = idsva_frames(&s, st);
    if (derivatives) st.frame = *frames;
    if (k->flags & KERNEL_SOLVER)
        search_solver(&s, st);
    else if (k->flags & KERNEL_FRAME && !derivatives)
        search_frames(&s, st);
    else
        try(&s, st);
    if (s.best.graph) s.best.words = words(&s);
    return s.best;
}
