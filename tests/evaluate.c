#include "evaluate.h"

#include <check.h>
#include <stdlib.h>

static int output_of(const kernel_info *k, int which)
{
    for (int i = 0; k->out[i] != ARG_COUNT; i++)
        if ((int)k->out[i] == which) return i;
    return -1;
}

static double value_of(const graph_output *o, const double *all)
{
    return all[(size_t)o->value * GRAPH_LANES + (size_t)o->lane];
}

/* Outputs of the straight text; what it leaves for the blocks goes to their arrays. */
static void straight(const kernel_info *k, const graph *g, const double *const *in, double *const *locals,
                     double *const *out)
{
    double *all = graph_eval(g, in);
    for (const graph_output *o = g->outputs.at; o < g->outputs.at + g->outputs.n; o++) {
        int output = output_of(k, o->slot.arg);
        ck_assert(output >= 0 || locals[o->slot.arg]);
        (output >= 0 ? out[output] : locals[o->slot.arg])[o->slot.index] = value_of(o, all);
    }
    free(all);
}

static void solve(const block *b, const double *const *in, double *out)
{
    const graph *g = b->text->graph;
    double *all = graph_eval(g, in);
    for (const graph_output *o = g->outputs.at; o < g->outputs.at + g->outputs.n; o++) {
        ck_assert_int_eq(o->slot.arg, LOCAL_SOLVED);
        out[b->first + o->slot.index] = value_of(o, all);
    }
    free(all);
}

void evaluate(const kernel_info *k, const graph *g, const tail *end, const double *const *in, double *const *out)
{
    const double *read[SLOT_COUNT] = {NULL};
    double *locals[SLOT_COUNT] = {NULL};
    const int sizes[SLOT_COUNT] = {[LOCAL_L] = end->room_L, [LOCAL_DINV] = end->n, [LOCAL_X] = end->room};
    ck_assert_ptr_null(end->loops);
    for (int a = 0; a < (int)SLOT_COUNT; a++) {
        read[a] = a < (int)ARG_INPUTS ? in[a] : NULL;
        if (sizes[a]) read[a] = locals[a] = calloc((size_t)sizes[a], sizeof(double));
    }
    straight(k, g, read, locals, out);
    for (const block *b = end->blocks; b < end->blocks + end->n_blocks; b++) {
        read[LOCAL_BLOCK] = locals[LOCAL_X] + b->at;
        solve(b, read, out[output_of(k, (int)b->out)]);
    }
    for (int a = 0; a < (int)SLOT_COUNT; a++) free(locals[a]);
}
