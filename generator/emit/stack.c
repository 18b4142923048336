#include "stack.h"

static long named(const schedule *s, long number)
{
    long sum = 0;
    for (const statement *st = s->at; st < s->at + s->n; st++)
        if (st->output < 0) sum += graph_room(graph_node(s->g, st->value)->width) * number;
    return sum;
}

/* Records, rows and M^-1, and in the functions of the loops a few rows of items and an item for each component of a
   branch. An item is at most eight numbers. */
static long of_loops(const loops *l, long number)
{
    enum { ITEM = 8, ROWS = 40, COMPONENTS = 24 };
    long n = l->n + 2 * ITEM, arrays = n * (l->record + l->rows + (l->inverse ? n : 0));
    return number * (arrays + n * ROWS + (long)l->n_branches * 2 * ITEM * COMPONENTS);
}

long stack_of_text(const emit_text *t, long number)
{
    const schedule *s = t->schedule;
    const tail *end = t->end;
    long blocks = 0, angles = s->angle_room > s->n_angles ? s->angle_room : s->n_angles;
    long bytes = named(s, number) + number * (3 * (angles + 4) + 2L * s->n_crossing);
    for (int i = 0; i < end->n_texts; i++) {
        long one = named(t->blocks[i], number);
        if (one > blocks) blocks = one;
    }
    if (end->n_blocks) bytes += blocks + number * ((long)end->room_L + end->n + end->room);
    if (end->loops) bytes += of_loops(end->loops, number);
    return bytes + 2 * STACK_FRAME + 8 * number;
}
