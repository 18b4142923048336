#include "stack.h"

static long named(const schedule *s, long number)
{
    long sum = 0;
    for (const statement *st = s->at; st < s->at + s->n; st++)
        if (st->output < 0) sum += graph_room(graph_node(s->g, st->value)->width) * number;
    return sum;
}

/* M^-1, and in the functions of the loops a few rows of items and an item for each state of a branch. An item is at
   most eight numbers. */
static long of_loop(const loop *l, long number)
{
    enum { ITEM = 8, ROWS = 40 };
    long n = l->tree->n + 2 * ITEM, branches = (long)l->tree->n_branches * 2 * ITEM * 2 * LOOP_STATES;
    return number * (n * ROWS + branches + (l->inverse ? n * n : 0));
}

long stack_of(const program *p, long number)
{
    const schedule *s = p->texts.at[0].schedule;
    long blocks = 0, angles = s->angle_room > s->n_angles ? s->angle_room : s->n_angles;
    long bytes = named(s, number) + number * (3 * (angles + 4) + 2L * s->n_crossing);
    for (int i = 1; i < p->texts.n; i++) {
        long one = p->texts.at[i].body ? 0 : named(p->texts.at[i].schedule, number);
        if (one > blocks) blocks = one;
    }
    for (int a = ARG_COUNT; a < (int)SLOT_COUNT; a++) bytes += number * (p->room[a] ? p->room[a] + 8 : 0);
    for (const stage *at = p->stages.at; at < p->stages.at + p->stages.n; at++)
        if (at->kind == STAGE_LOOP) bytes += of_loop(at->loop, number);
    return bytes + blocks + 2 * STACK_FRAME + 8 * number;
}
