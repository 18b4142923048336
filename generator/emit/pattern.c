#include "pattern.h"

#include <string.h>
#include "loops.h"

bool pattern_is_zero(const graph *g, const graph_output *o)
{
    return graph_node(g, o->value)->op == OP_CONST && graph_values(g, o->value)[0] == 0;
}

static void add_text(const emit_text *t, arg out, bool *some)
{
    const graph *g = t->schedule->g;
    for (const graph_output *o = g->outputs.at; o < g->outputs.at + g->outputs.n; o++)
        if (o->slot.arg == (int)out && !pattern_is_zero(g, o)) some[o->slot.index] = true;
}

static void add_block(const block *b, int cols, bool *some)
{
    for (int row = 0; row < cols; row++)
        for (int c = b->first; c < b->first + b->width; c++)
            if (b->text->row[row]) some[row * cols + c] = true;
}

static void add_pairs(const loops *l, arg out, bool *some)
{
    for (const loop_joint *j = l->joint; j < l->joint + l->n_joints; j++)
        for (int c = j->first; c < j->next; c++)
            for (int i = j->first; i < j->end; i++) some[i * l->n + c] = some[c * l->n + i] = true;
    if (out == ARG_MINV || out == ARG_DQDD_DQ || out == ARG_DQDD_DV) memset(some, true, (size_t)(l->n * l->n));
}

bool *pattern_of(arena *memory, const emit_text *t, arg out, int rows, int cols)
{
    bool *some = ARENA_ARRAY(memory, bool, rows *cols + 1);
    add_text(t, out, some);
    for (const block *b = t->end->blocks; b < t->end->blocks + t->end->n_blocks; b++)
        if (b->out == out) add_block(b, cols, some);
    if (t->end->loops && loops_writes(t->end->loops, out)) add_pairs(t->end->loops, out, some);
    return some;
}

long pattern_nonzeros(const emit_text *t, arg out, int rows, int cols)
{
    arena *memory = arena_new();
    const bool *some = pattern_of(memory, t, out, rows, cols);
    long n = 0;
    for (int i = 0; i < rows * cols; i++) n += some[i];
    arena_free(memory);
    return n;
}
