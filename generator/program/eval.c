/* Programs evaluated in the process: what they give does not depend on how they are printed. */
#include <stdlib.h>
#include "base/invariant.h"
#include "program.h"

typedef struct evaluation {
    const program *p;
    arena *memory;
    const double **in; /* by argument, locals too */
    double **out;
} evaluation;

typedef void (*store_fn)(void *closure, graph_slot slot, double value);

static void run_text(const graph *g, const double *const *in, store_fn store, void *closure)
{
    double *all = graph_eval(g, in);
    for (const graph_output *o = g->outputs.at; o < g->outputs.at + g->outputs.n; o++)
        store(closure, o->slot, all[(size_t)o->value * GRAPH_LANES + (size_t)o->lane]);
    free(all);
}

static void store_plain(void *closure, graph_slot slot, double value)
{
    const evaluation *e = closure;
    INVARIANT(e->out[slot.arg]);
    e->out[slot.arg][slot.index] = value;
}

/* ---- blocks of columns */

typedef struct solved {
    const evaluation *e;
    const block *block;
} solved;

static void store_solved(void *closure, graph_slot slot, double value)
{
    const solved *s = closure;
    INVARIANT(slot.arg == LOCAL_SOLVED);
    s->e->out[s->block->out][s->block->first + slot.index] = value;
}

static void run_block(evaluation *e, const stage *s)
{
    e->in[LOCAL_BLOCK] = e->out[LOCAL_X] + s->block.at;
    run_text(e->p->texts.at[s->text].graph, e->in, store_solved, &(solved){e, &s->block});
}

/* ---- loops */

typedef struct loop_place {
    const evaluation *e;
    const loop *l;
    const loop_joint *joint; /* of column c */
    int c, i;                /* a column, and the lower one of a pair, or the column or row of M^-1 */
    double *state;           /* of the joint */
    double *kept[LOOP_KEEPS];
} loop_place;

static double *inverse_at(const loop_place *x) { return x->e->out[ARG_MINV] + x->c * x->l->tree->n + x->i; }

static void store_pair(const loop_place *x, graph_slot slot, double value)
{
    int n = x->l->tree->n, below = x->i * n + x->c, above = x->c * n + x->i;
    if (slot.index == PAIR_BELOW) x->e->out[slot.arg][below] = value;
    if (slot.index == PAIR_ABOVE ? x->i >= x->joint->next : slot.arg == ARG_M) x->e->out[slot.arg][above] = value;
}

static void store_in_loop(void *closure, graph_slot slot, double value)
{
    const loop_place *x = closure;
    switch (slot.arg) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): only texts of sweeps store states */
    case LOOP_STATE: x->state[slot.index] = value; break;
    case LOOP_KEPT: x->kept[slot.index][x->c] = value; break;
    case LOOP_INVERSE: *inverse_at(x) = value; break;
    default: store_pair(x, slot, value);
    }
}

static void run_body(loop_place *x, int number)
{
    const loop_tree *t = x->l->tree;
    bool pair = x->l->kind == LOOP_PAIRS;
    double unit = x->c == x->i, kept[LOOP_KEEPS], *lower = ARENA_ARRAY(x->e->memory, double, t->rows + 1);
    const double *in[LOOP_KEPT + 1] = {[LOOP_RECORD] = x->e->out[LOCAL_COLUMNS] + x->c * t->record,
                                       [LOOP_LOWER] = lower,
                                       [LOOP_STATE] = x->state,
                                       [LOOP_UNIT] = &unit,
                                       [LOOP_INVERSE] = pair ? NULL : inverse_at(x),
                                       [LOOP_KEPT] = kept};
    for (int r = 0; r < t->rows && pair; r++) lower[r] = x->e->out[LOCAL_FORCES][r * t->n + x->i];
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as many arrays as the loop says */
    for (int k = 0; k < x->l->n_kept; k++) kept[k] = x->kept[k][x->c];
    run_text(x->e->p->texts.at[number].graph, in, store_in_loop, x);
}

/* What is no pair is zero. */
static void run_pairs(evaluation *e, const loop *l)
{
    loop_place x = {.e = e, .l = l};
    int n = l->tree->n;
    const graph *g = e->p->texts.at[l->pair].graph;
    for (int o = 0; o < g->outputs.n; o++)
        for (int k = 0; k < n * n; k++) e->out[g->outputs.at[o].slot.arg][k] = 0;
    for (x.joint = l->tree->joint; x.joint < l->tree->joint + l->tree->n_joints; x.joint++)
        for (x.c = x.joint->first; x.c < x.joint->next; x.c++)
            for (x.i = x.joint->first; x.i < x.joint->end; x.i++) run_body(&x, l->pair);
    for (int c = 0; c < n && e->out[ARG_M] && l->armature; c++) e->out[ARG_M][c * n + c] += l->armature[c];
}

/* Each joint has a state of its own. */
static void run_sweep(loop_place *x, const sweep *s)
{
    const loop_tree *t = x->l->tree;
    double *states = ARENA_ARRAY(x->e->memory, double, t->n_joints *LOOP_STATES);
    for (int step = 0; step < t->n_joints; step++) {
        int j = s->up ? t->n_joints - 1 - step : step, parent = t->joint[j].parent;
        x->joint = &t->joint[j];
        x->state = states + j * LOOP_STATES;
        for (int k = 0; k < LOOP_STATES && !s->up && parent >= 0; k++) x->state[k] = states[parent * LOOP_STATES + k];
        for (int b = 0; b < s->n_bodies; b++)
            for (int k = 0; k < x->joint->next - x->joint->first; k++) {
                x->c = s->up ? x->joint->next - 1 - k : x->joint->first + k;
                run_body(x, s->body[b]);
            }
        for (int k = 0; k < LOOP_STATES && s->up && parent >= 0; k++) states[parent * LOOP_STATES + k] += x->state[k];
    }
}

static void run_sweeps(evaluation *e, const loop *l)
{
    int n = l->tree->n;
    for (int i = 0; i < n; i++) {
        loop_place x = {.e = e, .l = l, .i = i};
        for (int k = 0; k < l->n_kept; k++) x.kept[k] = ARENA_ARRAY(e->memory, double, n);
        for (int s = 0; s < l->n_sweeps; s++) run_sweep(&x, &l->sweep[s]);
        for (int k = 0; k < l->n_kept; k++)
            for (int c = 0; c < n && l->kept[k] != ARG_COUNT; c++) e->out[l->kept[k]][i * n + c] = x.kept[k][c];
    }
}

/* ---- the interface */

static void run_stage(evaluation *e, const stage *s)
{
    if (s->kind == STAGE_STRAIGHT) run_text(e->p->texts.at[s->text].graph, e->in, store_plain, e);
    if (s->kind == STAGE_CALL) run_block(e, s);
    if (s->kind == STAGE_LOOP) (s->loop->kind == LOOP_PAIRS ? run_pairs : run_sweeps)(e, s->loop);
}

void program_eval(const program *p, const double *const *in, double *const *out)
{
    const double *read[SLOT_COUNT] = {NULL};
    double *written[SLOT_COUNT] = {NULL};
    evaluation e = {p, arena_new(), read, written};
    for (int a = 0; a < (int)SLOT_COUNT; a++) {
        if (a < ARG_INPUTS) read[a] = in[a];
        if (a >= (int)ARG_INPUTS && a < (int)ARG_COUNT) written[a] = out[a];
        if (p->room[a]) read[a] = written[a] = ARENA_ARRAY(e.memory, double, p->room[a]);
    }
    for (int s = 0; s < p->stages.n; s++) run_stage(&e, &p->stages.at[s]);
    arena_free(e.memory);
}
