#include "stack.h"

#include <stdlib.h>

static long larger(long a, long b) { return a > b ? a : b; }

/* Named values of a text. Vectors inside one state may be wider than the machine's; compilers then cut every operation
   on them through memory, so that all values count. */
enum { USUAL = 4 }; /* lanes of doubles */
static long values(const schedule *s, long number)
{
    long sum = 0;
    int *uses = graph_uses(s->g);
    for (expr e = 0; e < s->g->nodes.n; e++) {
        const gnode *n = graph_node(s->g, e);
        if (uses[e] && n->op != OP_CONST && (s->named[e] || n->width > USUAL)) sum += graph_room(n->width) * number;
    }
    free(uses);
    return sum;
}

static long of_straight(const schedule *s, long number)
{
    long angles = larger(s->angle_room, s->n_angles);
    return values(s, number) + number * (3 * (angles + 4) + 2L * s->n_crossing);
}

/* M^-1, rows of items that are kept or turned, and an item for each component of a branch, of several side by side. An
   item is at most eight numbers. */
static long of_loop(const program *p, const loop *l, long number)
{
    enum { ITEM = 8, SIDES = 2, ROWS = 4 };
    long n = l->tree->n + SIDES * ITEM, sum = l->inverse ? n * n : 0;
    sum += SIDES * ITEM * (n * (l->n_kept + ROWS) + (long)l->tree->n_branches * l->n_sweeps * LOOP_STATES);
    for (int i = 0; i < p->texts.n; i++)
        if (p->texts.at[i].body) sum += SIDES * ITEM * values(p->texts.at[i].schedule, 1);
    return number * sum;
}

long stack_of(const program *p, long number)
{
    long locals = 0, called = 0;
    for (int a = 0; a < (int)SLOT_COUNT; a++) locals += p->room[a];
    for (const stage *s = p->stages.at; s < p->stages.at + p->stages.n; s++) {
        const schedule *text = p->texts.at[s->text].schedule;
        if (s->kind == STAGE_STRAIGHT) locals += of_straight(text, number) / number;
        if (s->kind == STAGE_CALL) called += values(text, number);
        if (s->kind == STAGE_LOOP) locals += of_loop(p, s->loop, number) / number;
    }
    return locals * number + called + 2 * STACK_FRAME + 8 * number;
}
