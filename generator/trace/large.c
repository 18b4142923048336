#include "large.h"

#include <string.h>

enum { RECORD = 6 * LOOP_PARTS }; /* of the text, before zeros go */

/* ---- the tree */

static bool carries_others(const tree *t, int i)
{
    for (int j = i + 2; j < t->n; j++)
        if (t->node[j].parent == i) return true;
    return false;
}

static loops *new_loops(arena *memory, const tree *t)
{
    loops *l = ARENA_ARRAY(memory, loops, 1);
    l->n = t->columns;
    l->n_joints = t->n - 1;
    l->joint = ARENA_ARRAY(memory, loop_joint, l->n_joints);
    l->armature = ARENA_ARRAY(memory, double, l->n);
    for (int i = 1; i < t->n; i++) {
        const tree_node *b = &t->node[i];
        int last = i;
        while (last + 1 < t->n && t->node[last + 1].parent >= i) last++;
        l->joint[i - 1] = (loop_joint){b->column, b->column + b->nv, t->node[last].column + t->node[last].nv,
                                       b->parent - 1, carries_others(t, i) ? l->n_branches++ : -1};
        memcpy(l->armature + b->column, b->lane->armature, sizeof(double) * (size_t)b->nv);
    }
    return l;
}

/* ---- records */

static void put_vec(graph *g, int column, loop_part part, int half, vec v)
{
    for (int k = 0; k < 3; k++)
        graph_set(g, (graph_slot){LOCAL_COLUMNS, column * RECORD + 6 * (int)part + 3 * half + k}, v.x[k], 0);
}

void large_column(graph *g, int column, const large_vectors *v)
{
    put_vec(g, column, LOOP_S, 0, v->S.w), put_vec(g, column, LOOP_S, 1, v->S.u);
    put_vec(g, column, LOOP_PSI1, 0, v->Psi1.w);
    put_vec(g, column, LOOP_PSI2, 0, v->Psi2.w), put_vec(g, column, LOOP_PSI2, 1, v->Psi2.u);
    put_vec(g, column, LOOP_D, 0, v->D.w), put_vec(g, column, LOOP_D, 1, v->D.u);
    put_vec(g, column, LOOP_T4, 0, v->t4);
    for (int k = 0; k < 3; k++) {
        put_vec(g, column, (loop_part)(LOOP_T1 + k), 0, v->t[k].n);
        put_vec(g, column, (loop_part)(LOOP_T1 + k), 1, v->t[k].f);
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
            put_vec(g, c, LOOP_K, 0, vec_add(g, n, vec_cross(g, common->p[i], f)));
            put_vec(g, c, LOOP_K, 1, f);
            graph_set(g, (graph_slot){LOCAL_COLUMNS, c * RECORD + 6 * LOOP_DINV}, aza->Dinv[c], 0);
        }
}

/* Which parts are read. */
static bool wanted(const loops *l, int part)
{
    switch (part) {
    case LOOP_S: return true;
    case LOOP_K:
    case LOOP_DINV: return l->inverse;
    case LOOP_T1: return l->mass || l->derivatives;
    default: return l->derivatives;
    }
}

/* The parts that a part is multiplied with. */
static const unsigned partners[LOOP_PARTS] = {
    [LOOP_S] = ~0u,
    [LOOP_PSI1] = 1u << LOOP_T4,
    [LOOP_PSI2] = 1u << LOOP_T1,
    [LOOP_D] = 1u << LOOP_T1,
    [LOOP_K] = 1u << LOOP_S,
    [LOOP_DINV] = ~0u,
    [LOOP_T4] = 1u << LOOP_PSI1 | 1u << LOOP_S,
    [LOOP_T1] = 1u << LOOP_PSI2 | 1u << LOOP_D,
    [LOOP_T2] = 1u << LOOP_S,
    [LOOP_T3] = 1u << LOOP_S,
};

static bool has_partner(const loops *l, const bool *used, int k)
{
    for (int part = 0; part < LOOP_PARTS; part++)
        if (partners[k / 6] >> part & 1 && used[6 * part + k % 6]) return true;
    return l->mass && k / 6 == LOOP_T1 && used[6 * LOOP_S + k % 6];
}

/* Components that are not zero everywhere, and meet others that are not. */
static void find_used(const graph *g, const loops *l, bool *used)
{
    bool some[RECORD] = {false};
    for (int o = 0; o < g->outputs.n; o++) {
        const graph_output *out = &g->outputs.at[o];
        int k = out->slot.index % RECORD;
        if (out->slot.arg == LOCAL_COLUMNS && !graph_zero(g, out->value) && wanted(l, k / 6)) some[k] = true;
    }
    for (int k = 0; k < RECORD; k++) used[k] = some[k] && has_partner(l, some, k);
}

/* They get places, and the text's outputs go there. */
static void place_records(graph *g, loops *l)
{
    bool used[RECORD];
    find_used(g, l, used);
    for (int k = 0; k < RECORD; k++) {
        int *next = l->pairs && k / 6 >= LOOP_T4 ? &l->rows : &l->record;
        l->at[k / 6][k % 6] = used[k] ? (*next)++ : -1;
    }
    int kept = 0;
    for (int o = 0; o < g->outputs.n; o++) {
        graph_output out = g->outputs.at[o];
        if (out.slot.arg == LOCAL_COLUMNS) {
            int k = out.slot.index % RECORD, c = out.slot.index / RECORD, at = l->at[k / 6][k % 6];
            bool row = l->pairs && k / 6 >= LOOP_T4;
            if (at < 0) continue;
            out.slot =
                row ? (graph_slot){LOCAL_FORCES, at * l->n + c} : (graph_slot){LOCAL_COLUMNS, c * l->record + at};
        }
        g->outputs.at[kept++] = out;
    }
    g->outputs.n = kept;
}

/* The ground's frame, or the floating base's: nothing depends on where that is. */
static trace *common_trace(arena *memory, graph *g, const tree *t, const trace_options *o)
{
    int *frame = ARENA_ARRAY(memory, int, t->n);
    for (int i = 1; i < t->n && t->model->floating; i++) frame[i] = 1;
    return trace_new(memory, g, t, frame, o);
}

loops *large_pairs(arena *memory, graph *g, const tree *t, const trace_options *o, const id_inputs *in, bool mass,
                   table *tau)
{
    loops *l = new_loops(memory, t);
    trace *tr = common_trace(memory, g, t, o);
    l->pairs = true;
    l->mass = mass;
    l->derivatives = in->a != NULL;
    text_idsva(tr, in, &(idsva_outputs){.tau = tau, .columns = true});
    place_records(g, l);
    return l;
}

loops *large_inverse(arena *memory, graph *g, const tree *t, const trace_options *o, solver *aza, const id_inputs *in)
{
    loops *l = new_loops(memory, t);
    trace *tr = common_trace(memory, g, t, o);
    l->inverse = true;
    l->derivatives = in->a != NULL;
    text_idsva(tr, in, &(idsva_outputs){.columns = true});
    put_articulated(tr, aza);
    place_records(g, l);
    return l;
}

loops *loops_copy(arena *memory, const loops *l)
{
    if (!l) return NULL;
    loops *copy = ARENA_ARRAY(memory, loops, 1);
    *copy = *l;
    copy->joint = ARENA_ARRAY(memory, loop_joint, l->n_joints);
    copy->armature = ARENA_ARRAY(memory, double, l->n);
    memcpy(copy->joint, l->joint, sizeof *l->joint * (size_t)l->n_joints);
    memcpy(copy->armature, l->armature, sizeof *l->armature * (size_t)l->n);
    return copy;
}

/* ---- counts */

int loops_common(const loops *l, loop_part a, loop_part b)
{
    int n = 0;
    for (int k = 0; k < 6; k++) n += l->at[a][k] >= 0 && l->at[b][k] >= 0;
    return n;
}

static long pair_products(const loops *l)
{
    long pairs = 0, above = 0;
    for (const loop_joint *j = l->joint; j < l->joint + l->n_joints; j++) {
        pairs += (long)(j->next - j->first) * (j->end - j->first);
        above += (long)(j->next - j->first) * (j->end - j->next);
    }
    long n = l->mass ? pairs * loops_common(l, LOOP_S, LOOP_T1) : 0;
    if (!l->derivatives) return n;
    n += pairs * (loops_common(l, LOOP_PSI1, LOOP_T4) + loops_common(l, LOOP_PSI2, LOOP_T1));
    n += pairs * (loops_common(l, LOOP_S, LOOP_T4) + loops_common(l, LOOP_D, LOOP_T1));
    return n + above * (loops_common(l, LOOP_S, LOOP_T2) + loops_common(l, LOOP_S, LOOP_T3));
}

static long inverse_products(const loops *l)
{
    long n = l->n, products = 0;
    int S = loops_common(l, LOOP_S, LOOP_S), K = loops_common(l, LOOP_K, LOOP_K), SK = loops_common(l, LOOP_S, LOOP_K);
    for (const loop_joint *j = l->joint; j < l->joint + l->n_joints; j++)
        products += (long)(j->next - j->first) * (j->end - j->first) * (SK + K); /* leaves to root */
    products += n * n * (1 + SK + S);
    if (!l->derivatives) return products;
    products += n * n * (S + loops_common(l, LOOP_S, LOOP_T2) + loops_common(l, LOOP_S, LOOP_T3));
    products += n * n * (loops_common(l, LOOP_T1, LOOP_T1) + loops_common(l, LOOP_T4, LOOP_T4));
    products += n * n * (loops_common(l, LOOP_T1, LOOP_PSI2) + loops_common(l, LOOP_T4, LOOP_PSI1));
    return products + n * n * (loops_common(l, LOOP_T1, LOOP_D) + loops_common(l, LOOP_T4, LOOP_S));
}

long loops_products(const loops *l) { return l->inverse ? inverse_products(l) : pair_products(l); }

/* Items are of eight and seldom full; each costs two for a multiply-add, where a machine's vectors are of four, and
   some for loads and the loop. A column of pairs also has its rows to copy and to turn. */
long loops_cost(const loops *l)
{
    enum { ITEM = 8, AROUND = 25 };
    long n = l->n, items = 0, pairs = 0;
    for (const loop_joint *j = l->joint; j < l->joint + l->n_joints; j++) {
        items += (long)(j->next - j->first) * ((j->end - j->first + ITEM - 1) / ITEM);
        pairs += (long)(j->next - j->first) * (j->end - j->first);
    }
    if (l->inverse) return n * ((n + ITEM - 1) / ITEM) * (2 * loops_products(l) / (n * n) + AROUND);
    return items * (2 * loops_products(l) / pairs + AROUND) + n * (AROUND + (l->derivatives ? 2 : 1) * n);
}
