#include "pattern.h"

#include <string.h>
#include "loops.h"

bool pattern_is_zero(const graph *g, const graph_output *o)
{
    return graph_node(g, o->value)->op == OP_CONST && graph_values(g, o->value)[0] == 0;
}

static void add_text(const graph *g, arg out, bool *some)
{
    for (const graph_output *o = g->outputs.at; o < g->outputs.at + g->outputs.n; o++)
        if (o->slot.arg == (int)out && !pattern_is_zero(g, o)) some[o->slot.index] = true;
}

/* What the block's text gives: more rows than it starts from. */
static void add_block(const graph *g, int first, bool *some)
{
    for (const graph_output *o = g->outputs.at; o < g->outputs.at + g->outputs.n; o++)
        if (!pattern_is_zero(g, o)) some[first + o->slot.index] = true;
}

static void add_loop(const loop *l, int cols, bool *some)
{
    const loop_tree *t = l->tree;
    for (const loop_joint *j = t->joint; j < t->joint + t->n_joints; j++)
        for (int c = j->first; c < j->next; c++)
            for (int i = j->first; i < j->end; i++) some[i * cols + c] = some[c * cols + i] = true;
    if (l->kind != LOOP_PAIRS) memset(some, true, (size_t)cols * (size_t)cols);
}

bool *pattern_of(arena *memory, const program *p, arg out, int rows, int cols)
{
    bool *some = ARENA_ARRAY(memory, bool, rows *cols + 1);
    for (const stage *s = p->stages.at; s < p->stages.at + p->stages.n; s++) {
        const program_text *text = &p->texts.at[s->text];
        if (s->kind == STAGE_STRAIGHT) add_text(text->graph, out, some);
        if (s->kind == STAGE_CALL && s->block.out == (int)out) add_block(text->graph, s->block.first, some);
        if (s->kind == STAGE_LOOP && loop_writes(p, s->loop, out)) add_loop(s->loop, cols, some);
    }
    return some;
}

long pattern_nonzeros(const program *p, arg out, int rows, int cols)
{
    arena *memory = arena_new();
    const bool *some = pattern_of(memory, p, out, rows, cols);
    long n = 0;
    for (int i = 0; i < rows * cols; i++) n += some[i];
    arena_free(memory);
    return n;
}
