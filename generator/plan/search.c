#include "plan.h"

#include <string.h>
#include "limits.h"

typedef struct search {
    arena *memory;
    const kernel_info *kernel;
    const tree *t;
    const trace_options *o;
    purpose purpose;
    planned best;
    long cost;  /* of the best; -1: none yet */
    long spent; /* nodes traced so far: candidates stop when it is past the budget */
} search;

/* The frame of a node with several lanes is as many frames: a node with fewer lanes cannot be written in it. */
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

bool plan_can(const kernel_info *k, const tree *t, const strategy *st)
{
    bool inverse = k->blocks && !st->columns;
    if (!fits(t, st->frame) || !fits(t, st->solve_frame)) return false;
    if (st->looped) return !wide(t) && !t->mimic && k->loops;
    if (wide(t) && k->single_bodies) return false;
    if (!k->solver) return true;
    if (st->solver == SOLVE_AZA && t->mimic) return false;
    if (wide(t) && (st->solver == SOLVE_DMM || inverse)) return false; /* M^-1 mixes lanes */
    if (st->columns && (st->solver != SOLVE_BRANCHES || !k->blocks)) return false;
    if (st->whole && st->columns < 2) return false;
    return !st->shared_M || (st->solver != SOLVE_AZA && k->frames == FRAMES_IDSVA);
}

static bool try(search *s, strategy st)
{
    if ((s->cost >= 0 && s->spent > SEARCH_BUDGET) || !plan_can(s->kernel, s->t, &st)) return false;
    program *p = program_new();
    s->kernel->text(p, s->t, s->o, &st);
    program_traced(p);
    s->spent += program_graph(p)->nodes.n;
    long one = cost_of_state(p), cost = s->purpose == FOR_STATES ? cost_of_lanes(p) : one;
    if (s->cost >= 0 && cost >= s->cost) {
        program_free(p);
        return false;
    }
    program_free(s->best.program);
    s->best = (planned){.program = p, .strategy = st, .cost = one, .words = s->best.words};
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
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): the best text so far has frames */
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
    st.frame = trace_body_frames(s->memory, s->t);
    try(s, st);
    for (int r = 0; r < s->t->n && s->t->n <= SEARCH_COMMON_FRAMES; r++) {
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

/* So many pairs of joints that digits would be lost over the length of the tree, with masses moved to its root. */
static bool is_large(const tree *t) { return !t->mimic && t->n > 1 && pairs_of(t) > LARGE_PAIRS; }

static bool can_loop(const kernel_info *k, const tree *t, const trace_options *o)
{
    bool pairs = k->loops && o->friction == FRICTION_NONE && !t->mimic && !wide(t);
    bool other = o->solver && k->solver; /* loops have their own */
    return pairs && (o->loops == LOOPS_ALWAYS || (o->loops == LOOPS_AUTO && !other));
}

/* Where straight text need not be tried: it would be long, and slow to compile. */
static bool must_loop(const kernel_info *k, const tree *t, const trace_options *o)
{
    return o->loops == LOOPS_ALWAYS || pairs_of(t) > LOOPS_PAIRS || (k->blocks && t->columns > LOOPS_COLUMNS);
}

/* Body frames serve the inertia matrix and articulated bodies; the solvers are compared in them, and in the common
   frames of IDSVA where M is a by-product. */
static void search_solver(search *s, strategy st)
{
    static const int likely[SOLVERS] = {SOLVE_BRANCHES, SOLVE_LTL, SOLVE_AZA, SOLVE_DMM}; /* first, for the budget */
    for (int i = 0; i < SOLVERS; i++) {
        int k = likely[i];
        if (s->o->solver ? k != s->o->solver - 1 : k != SOLVE_AZA && is_large(s->t)) continue;
        st.solver = (solver_kind)k;
        for (int choice = 0; choice < 8; choice++) {
            st.shared_M = choice & 1;
            st.whole = choice & 4;
            st.columns = !(choice & 2) ? 0 : s->purpose == FOR_VECTORS ? COLUMNS_SIDE_BY_SIDE : 1;
            if (st.columns == 1 && s->t->model->nv <= COLUMNS_BY_ONE) continue; /* unrolled, they share work */
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
    const char *list = joined(s, limb_words(s), s->kernel->frames ? frame_words(s, st->frame) : "");
    if (!s->kernel->solver) return list;
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
    program_free(s.best.program);
    return s.best.strategy.frame;
}

planned plan_text(arena *memory, const kernel_info *k, const tree *t, const trace_options *o, purpose p, int **frames)
{
    search s = {.memory = memory, .kernel = k, .t = t, .o = o, .purpose = p, .cost = -1};
    strategy st = {
        .frame = trace_body_frames(memory, t), .solve_frame = trace_body_frames(memory, t), .solver = SOLVE_LTL};
    if (can_loop(k, t, o)) {
        strategy looped = st;
        looped.looped = true;
        try(&s, looped);
        s.best.words = words(&s);
        if (must_loop(k, t, o)) return s.best;
    }
    if (k->frames == FRAMES_IDSVA && !*frames) *frames = idsva_frames(&s, st);
    if (k->frames == FRAMES_IDSVA) st.frame = *frames;
    if (k->solver)
        search_solver(&s, st);
    else if (k->frames == FRAMES_OWN)
        search_frames(&s, st);
    else
        try(&s, st);
    if (s.best.program) s.best.words = words(&s);
    return s.best;
}

/* ---- kernels of one robot */

/* Base parameters save operations in a text; over the length of a large tree they would cost digits. */
static const tree *plain_tree(arena *memory, const model *m)
{
    const tree *t = tree_new(memory, m, true);
    return is_large(t) ? tree_new(memory, m, false) : t;
}

planner plan_begin(arena *memory, const model *m, const trace_options *o, bool states, bool vectors)
{
    planner p = {.memory = memory, .options = o, .purpose = states ? FOR_STATES : FOR_NUMBERS};
    p.plain = plain_tree(memory, m);
    p.vectors = vectors && !is_large(p.plain);
    p.wide = p.vectors ? tree_with_lanes(memory, p.plain) : NULL;
    return p;
}

/* The better of a and b, the other one is freed. */
static planned cheaper(planned a, planned b)
{
    bool second = b.program && (!a.program || b.cost < a.cost);
    program_free(second ? a.program : b.program);
    return second ? b : a;
}

/* The best text for vectors, where it is cheaper than the plain one. Limbs are not lanes with friction's tanh. */
static planned plan_vectors(planner *p, const kernel_info *k, const planned *plain)
{
    planned best = {0};
    const trace_options *o = p->options;
    if (!p->vectors || (plain->strategy.looped && must_loop(k, p->plain, o))) return best;
    if (k->blocks || k->frames) best = plan_text(p->memory, k, p->plain, o, FOR_VECTORS, &p->plain_frames);
    if (p->wide && !k->single_bodies && o->friction != FRICTION_FULL)
        best = cheaper(best, plan_text(p->memory, k, p->wide, o, FOR_VECTORS, &p->wide_frames));
    if (best.program && best.cost < plain->cost) return best;
    program_free(best.program);
    return (planned){0};
}

kernel_plan plan_kernel(planner *p, const kernel_info *k)
{
    kernel_plan plan = {.info = k};
    plan.plain = plan_text(p->memory, k, p->plain, p->options, p->purpose, &p->plain_frames);
    plan.vectors = plan_vectors(p, k, &plan.plain);
    return plan;
}

void plan_free(kernel_plan *k)
{
    program_free(k->plain.program);
    program_free(k->vectors.program);
    *k = (kernel_plan){0};
}
