#include "large.h"

#include <string.h>

enum { RECORD = 6 * FIELDS }; /* of the text, before zeros go */

/* ---- the tree */

static bool carries_others(const tree *t, int i)
{
    for (int j = i + 2; j < t->n; j++)
        if (t->node[j].parent == i) return true;
    return false;
}

static loop_tree *new_tree(arena *memory, const tree *t)
{
    loop_tree *l = ARENA_ARRAY(memory, loop_tree, 1);
    l->n = t->columns;
    l->n_joints = t->n - 1;
    l->joint = ARENA_ARRAY(memory, loop_joint, l->n_joints);
    for (int i = 1; i < t->n; i++) {
        const tree_node *b = &t->node[i];
        int last = i;
        while (last + 1 < t->n && t->node[last + 1].parent >= i) last++;
        l->joint[i - 1] = (loop_joint){b->column, b->column + b->nv, t->node[last].column + t->node[last].nv,
                                       b->parent - 1, carries_others(t, i) ? l->n_branches++ : -1};
    }
    return l;
}

static double *armature_of(arena *memory, const tree *t)
{
    double *armature = ARENA_ARRAY(memory, double, t->columns);
    for (int i = 1; i < t->n; i++)
        memcpy(armature + t->node[i].column, t->node[i].lane->armature, sizeof(double) * (size_t)t->node[i].nv);
    return armature;
}

typedef struct large {
    program *p;
    const tree *t;
    loop_tree *over;
    bool pairs, derivatives, mass, inverse; /* what is made; derivatives with inverse: of qdd */
    /* Where components are: in the record, or of pairs the row of the lower column. -1: zero in every column. */
    int at[FIELDS][6];
} large;

/* ---- records */

static void put_vec(graph *g, int column, record_field field, int half, vec v)
{
    for (int k = 0; k < 3; k++)
        graph_set(g, (graph_slot){LOCAL_COLUMNS, column * RECORD + 6 * (int)field + 3 * half + k}, v.x[k], 0);
}

void large_column(graph *g, int column, const large_vectors *v)
{
    put_vec(g, column, FIELD_S, 0, v->S.w), put_vec(g, column, FIELD_S, 1, v->S.u);
    put_vec(g, column, FIELD_PSI1, 0, v->Psi1.w);
    put_vec(g, column, FIELD_PSI2, 0, v->Psi2.w), put_vec(g, column, FIELD_PSI2, 1, v->Psi2.u);
    put_vec(g, column, FIELD_D, 0, v->D.w), put_vec(g, column, FIELD_D, 1, v->D.u);
    put_vec(g, column, FIELD_T4, 0, v->t4);
    for (int k = 0; k < 3; k++) {
        put_vec(g, column, (record_field)(FIELD_T1 + k), 0, v->t[k].n);
        put_vec(g, column, (record_field)(FIELD_T1 + k), 1, v->t[k].f);
    }
}

/* Articulated bodies are computed in body frames, where nothing large cancels, and K is turned into the common one. */
static void put_articulated(const trace *common, const solver *aza)
{
    graph *g = common->g;
    for (int i = 1; i < common->t->n; i++)
        for (int k = 0; k < common->t->node[i].nv; k++) {
            int c = common->t->node[i].column + k;
            const mat *R = &common->R[i];
            vec f = mat_vec(g, R, aza->K[c].f), n = mat_vec(g, R, aza->K[c].n);
            put_vec(g, c, FIELD_K, 0, vec_add(g, n, vec_cross(g, common->p[i], f)));
            put_vec(g, c, FIELD_K, 1, f);
            graph_set(g, (graph_slot){LOCAL_COLUMNS, c * RECORD + 6 * FIELD_DINV}, aza->Dinv[c], 0);
        }
}

/* Which fields are read. */
static bool wanted(const large *l, int field)
{
    switch (field) {
    case FIELD_S: return true;
    case FIELD_K:
    case FIELD_DINV: return l->inverse;
    case FIELD_T1: return l->mass || l->derivatives;
    default: return l->derivatives;
    }
}

/* The fields that a field is multiplied with. */
static const unsigned partners[FIELDS] = {
    [FIELD_S] = ~0u,
    [FIELD_PSI1] = 1u << FIELD_T4,
    [FIELD_PSI2] = 1u << FIELD_T1,
    [FIELD_D] = 1u << FIELD_T1,
    [FIELD_K] = 1u << FIELD_S,
    [FIELD_DINV] = ~0u,
    [FIELD_T4] = 1u << FIELD_PSI1 | 1u << FIELD_S,
    [FIELD_T1] = 1u << FIELD_PSI2 | 1u << FIELD_D,
    [FIELD_T2] = 1u << FIELD_S,
    [FIELD_T3] = 1u << FIELD_S,
};

static bool has_partner(const large *l, const bool *used, int k)
{
    for (int field = 0; field < FIELDS; field++)
        if (partners[k / 6] >> field & 1 && used[6 * field + k % 6]) return true;
    return l->mass && k / 6 == FIELD_T1 && used[6 * FIELD_S + k % 6];
}

/* Components that are not zero everywhere, and meet others that are not. */
static void find_used(const graph *g, const large *l, bool *used)
{
    bool some[RECORD] = {false};
    for (int o = 0; o < g->outputs.n; o++) {
        const graph_output *out = &g->outputs.at[o];
        int k = out->slot.index % RECORD;
        if (out->slot.arg == LOCAL_COLUMNS && !graph_zero(g, out->value) && wanted(l, k / 6)) some[k] = true;
    }
    for (int k = 0; k < RECORD; k++) used[k] = some[k] && has_partner(l, some, k);
}

/* They get an index in the record or a row, and the text's outputs go there. */
static void place_records(large *l)
{
    bool used[RECORD];
    graph *g = program_graph(l->p);
    find_used(g, l, used);
    for (int k = 0; k < RECORD; k++) {
        int *next = l->pairs && k / 6 >= FIELD_T4 ? &l->over->rows : &l->over->record;
        l->at[k / 6][k % 6] = used[k] ? (*next)++ : -1;
    }
    int kept = 0;
    for (int o = 0; o < g->outputs.n; o++) {
        graph_output out = g->outputs.at[o];
        if (out.slot.arg == LOCAL_COLUMNS) {
            int k = out.slot.index % RECORD, c = out.slot.index / RECORD, at = l->at[k / 6][k % 6];
            bool row = l->pairs && k / 6 >= FIELD_T4;
            if (at < 0) continue;
            out.slot = row ? (graph_slot){LOCAL_FORCES, at * l->over->n + c}
                           : (graph_slot){LOCAL_COLUMNS, c * l->over->record + at};
        }
        g->outputs.at[kept++] = out;
    }
    g->outputs.n = kept;
    l->p->room[LOCAL_COLUMNS] = l->over->n * l->over->record;
    if (l->pairs) l->p->room[LOCAL_FORCES] = l->over->rows * l->over->n + 8; /* items are read past the end */
}

/* The ground's frame, or the floating base's: nothing depends on where that is. */
static trace *common_trace(program *p, const tree *t, const trace_options *o)
{
    int *frame = ARENA_ARRAY(p->scratch, int, t->n);
    for (int i = 1; i < t->n && t->model->floating; i++) frame[i] = 1;
    return trace_new(p->scratch, program_graph(p), t, frame, o);
}

/* ---- texts of the loops */

typedef struct components {
    expr x[6];
} components;

static expr at_column(graph *g, loop_slot slot, int index)
{
    return graph_input(g, 1, &(graph_slot){(int)slot, index});
}

/* A field of the column's record, or of the lower column of a pair. */
static components field_of(const large *l, graph *g, record_field field)
{
    components c;
    loop_slot from = l->pairs && field >= FIELD_T4 ? LOOP_LOWER : LOOP_RECORD;
    for (int k = 0; k < 6; k++)
        c.x[k] = l->at[field][k] < 0 ? graph_const(g, 0.0) : at_column(g, from, l->at[field][k]);
    return c;
}

/* A state that has the components of a field, from place `first` on. */
static components state_of(const large *l, graph *g, record_field field, int first)
{
    components c;
    for (int k = 0; k < 6; k++)
        c.x[k] = l->at[field][k] < 0 ? graph_const(g, 0.0) : at_column(g, LOOP_STATE, first + k);
    return c;
}

static expr dot(graph *g, components a, components b)
{
    expr e = graph_const(g, 0.0);
    for (int k = 0; k < 6; k++) e = graph_add(g, e, graph_mul(g, a.x[k], b.x[k]));
    return e;
}

/* state += field x */
static void add_to_state(const large *l, graph *g, record_field field, int first, expr x)
{
    components a = field_of(l, g, field), s = state_of(l, g, field, first);
    for (int k = 0; k < 6; k++)
        if (l->at[field][k] >= 0)
            graph_set(g, (graph_slot){LOOP_STATE, first + k}, graph_add(g, s.x[k], graph_mul(g, a.x[k], x)), 0);
}

static void set_states(const large *l, record_field field, int first, sweep *s)
{
    for (int k = 0; k < 6; k++) s->state[first + k] = l->at[field][k] >= 0;
}

static graph *new_body(const large *l, int *number)
{
    graph *g = graph_new();
    g->as_traced = true;
    *number = program_add_text(l->p, g);
    l->p->texts.at[*number].body = true;
    return g;
}

static loop *add_loop(const large *l, loop_kind kind, const char *name)
{
    loop *x = ARENA_ARRAY(l->p->memory, loop, 1);
    *x = (loop){.kind = kind, .name = name, .tree = l->over};
    for (int k = 0; k < LOOP_KEEPS; k++) x->kept[k] = ARG_COUNT;
    program_add_stage(l->p, STAGE_LOOP)->loop = x;
    return x;
}

#define FIELD(field)       field_of(l, g, FIELD_##field)
#define DOT(field, other)  dot(g, FIELD(field), FIELD(other))
#define KEEP(index, value) graph_set(g, (graph_slot){LOOP_KEPT, index}, value, 0)

static void add_pairs(const large *l)
{
    loop *x = add_loop(l, LOOP_PAIRS, "pairs");
    graph *g = new_body(l, &x->pair);
    if (l->derivatives) {
        graph_set(g, (graph_slot){ARG_DTAU_DQ, PAIR_BELOW}, graph_add(g, DOT(PSI1, T4), DOT(PSI2, T1)), 0);
        graph_set(g, (graph_slot){ARG_DTAU_DV, PAIR_BELOW}, graph_add(g, DOT(S, T4), DOT(D, T1)), 0);
        graph_set(g, (graph_slot){ARG_DTAU_DQ, PAIR_ABOVE}, DOT(S, T3), 0);
        graph_set(g, (graph_slot){ARG_DTAU_DV, PAIR_ABOVE}, DOT(S, T2), 0);
    }
    if (!l->mass) return;
    graph_set(g, (graph_slot){ARG_M, PAIR_BELOW}, DOT(S, T1), 0);
    x->armature = armature_of(l->p->memory, l->t);
}

/* Forces p from the leaves to the root, accelerations a back. */
static void add_inverse(const large *l)
{
    loop *x = add_loop(l, LOOP_SWEEPS, "inverse");
    sweep *up = &x->sweep[0], *down = &x->sweep[1];
    x->inverse = true;
    x->n_kept = 1;
    x->n_sweeps = 2;
    *up = (sweep){.up = true, .n_bodies = 1};
    graph *g = new_body(l, &up->body[0]);
    expr u = graph_sub(g, at_column(g, LOOP_UNIT, 0), dot(g, FIELD(S), state_of(l, g, FIELD_K, 0)));
    KEEP(0, u);
    add_to_state(l, g, FIELD_K, 0, u);
    set_states(l, FIELD_K, 0, up);

    *down = (sweep){.n_bodies = 1};
    g = new_body(l, &down->body[0]);
    u = graph_mul(g, FIELD(DINV).x[0], at_column(g, LOOP_KEPT, 0));
    expr qdd = graph_sub(g, u, dot(g, FIELD(K), state_of(l, g, FIELD_S, 0)));
    graph_set(g, (graph_slot){LOOP_INVERSE, 0}, qdd, 0);
    add_to_state(l, g, FIELD_S, 0, qdd);
    set_states(l, FIELD_S, 0, down);
}

/* N from the root to the leaves, T1 and T4 back; what they give to dqdd/dq and dqdd/dv is kept in between. */
static void add_derivatives(const large *l)
{
    enum { DQ, DV, T1 = 0, T4 = 6 };
    loop *x = add_loop(l, LOOP_SWEEPS, "derivatives");
    sweep *down = &x->sweep[0], *up = &x->sweep[1];
    x->kept[DQ] = ARG_DQDD_DQ;
    x->kept[DV] = ARG_DQDD_DV;
    x->n_kept = x->n_sweeps = 2;
    *down = (sweep){.n_bodies = 2};
    graph *g = new_body(l, &down->body[0]);
    components N = state_of(l, g, FIELD_S, 0);
    KEEP(DQ, graph_neg(g, dot(g, FIELD(T3), N)));
    KEEP(DV, graph_neg(g, dot(g, FIELD(T2), N)));
    g = new_body(l, &down->body[1]);
    add_to_state(l, g, FIELD_S, 0, at_column(g, LOOP_INVERSE, 0));
    set_states(l, FIELD_S, 0, down);

    *up = (sweep){.up = true, .n_bodies = 2};
    g = new_body(l, &up->body[0]);
    add_to_state(l, g, FIELD_T1, T1, at_column(g, LOOP_INVERSE, 0));
    add_to_state(l, g, FIELD_T4, T4, at_column(g, LOOP_INVERSE, 0));
    set_states(l, FIELD_T1, T1, up);
    set_states(l, FIELD_T4, T4, up);
    g = new_body(l, &up->body[1]);
    components t1 = state_of(l, g, FIELD_T1, T1), t4 = state_of(l, g, FIELD_T4, T4);
    expr dq = graph_add(g, dot(g, FIELD(PSI2), t1), dot(g, FIELD(PSI1), t4));
    expr dv = graph_add(g, dot(g, FIELD(D), t1), dot(g, FIELD(S), t4));
    KEEP(DQ, graph_sub(g, at_column(g, LOOP_KEPT, DQ), dq));
    KEEP(DV, graph_sub(g, at_column(g, LOOP_KEPT, DV), dv));
}

/* ---- the interface */

void large_pairs(program *p, const tree *t, const trace_options *o, const id_inputs *in, bool mass, table *tau)
{
    large l = {
        .p = p, .t = t, .over = new_tree(p->memory, t), .pairs = true, .mass = mass, .derivatives = in->a != NULL};
    text_idsva(common_trace(p, t, o), in, &(idsva_outputs){.tau = tau, .columns = true});
    place_records(&l);
    add_pairs(&l);
}

void large_inverse(program *p, const tree *t, const trace_options *o, solver *aza, const id_inputs *in)
{
    large l = {.p = p, .t = t, .over = new_tree(p->memory, t), .inverse = true, .derivatives = in->a != NULL};
    trace *tr = common_trace(p, t, o);
    text_idsva(tr, in, &(idsva_outputs){.columns = true});
    put_articulated(tr, aza);
    place_records(&l);
    add_inverse(&l);
    if (l.derivatives) add_derivatives(&l);
}
