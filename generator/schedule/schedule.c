#include "schedule.h"

#include <stdlib.h>
#include <string.h>
#include "plan/limits.h"

static int operands(const graph *g, expr e) { return graph_op_table[graph_node(g, e)->op].operands; }

static bool is_trig(const graph *g, expr e) { return graph_node(g, e)->op == OP_SIN || graph_node(g, e)->op == OP_COS; }

/* Uses by statements: what only angles need is written there. */
static int *statement_uses(arena *memory, const graph *g)
{
    int *uses = ARENA_ARRAY(memory, int, g->nodes.n);
    for (int o = 0; o < g->outputs.n; o++) uses[g->outputs.at[o].value]++;
    for (expr e = g->nodes.n - 1; e >= 0; e--)
        if (uses[e] && !is_trig(g, e))
            for (int k = 0; k < operands(g, e); k++) uses[k ? graph_node(g, e)->b : graph_node(g, e)->a]++;
    return uses;
}

/* Sines and cosines are computed all at once before everything else. */
static void find_angles(schedule *s, arena *memory, const int *uses)
{
    const graph *g = s->g;
    int *number = ARENA_ARRAY(memory, int, g->nodes.n);
    memset(number, 0xff, sizeof *number * (size_t)g->nodes.n);
    s->angles = ARENA_ARRAY(memory, expr, g->nodes.n);
    s->angle_at = ARENA_ARRAY(memory, int, g->nodes.n);
    for (expr e = 0; e < g->nodes.n; e++) {
        s->angle[e] = -1;
        if (!uses[e] || !is_trig(g, e)) continue;
        expr a = graph_node(g, e)->a;
        if (number[a] < 0) {
            number[a] = s->angle_at[s->n_angles] = s->angle_room;
            s->angle_room += graph_room(graph_node(g, a)->width);
            s->angles[s->n_angles++] = a;
        }
        s->angle[e] = number[a];
    }
}

/* Inputs that are one vector in memory. */
static bool is_load(const graph *g, expr e)
{
    const gnode *n = graph_node(g, e);
    const graph_slot *s = graph_slots(g, e);
    for (int l = 1; l < n->width; l++)
        if (s[l].arg != s->arg || s[l].index != s->index + l) return false;
    return n->width == graph_room(n->width);
}

/* What single lanes are taken of, and gathered inputs, are variables. */
static void name_wide_nodes(schedule *s, const int *uses)
{
    const graph *g = s->g;
    for (expr e = 0; e < g->nodes.n; e++) {
        const gnode *n = graph_node(g, e);
        if (n->op == OP_INPUT && n->width > 1) s->named[e] = uses[e] > 0 && !is_load(g, e);
        if (n->op == OP_SUM && !is_trig(g, n->a) && operands(g, n->a)) s->named[n->a] = uses[n->a] > 0;
    }
    for (int o = 0; o < g->outputs.n; o++) {
        expr e = graph_positive(g, g->outputs.at[o].value);
        if (graph_node(g, e)->width > 1 && operands(g, e) && !is_trig(g, e)) s->named[e] = true;
    }
}

/* A node gets a name if it is used twice, or if its text would grow too long. Leaves and sines have names already; a
   negation is written where it is used. */
static void name_nodes(schedule *s, arena *memory, const int *uses)
{
    const graph *g = s->g;
    int *size = ARENA_ARRAY(memory, int, g->nodes.n);
    name_wide_nodes(s, uses);
    for (expr e = 0; e < g->nodes.n; e++) {
        const gnode *n = graph_node(g, e);
        size[e] = 1;
        if (!uses[e] || operands(g, e) == 0 || is_trig(g, e)) continue;
        for (int k = 0; k < operands(g, e); k++) {
            expr c = k ? n->b : n->a;
            if (!s->named[c]) size[e] += size[c];
        }
        s->named[e] = s->named[e] || (uses[e] > 1 && n->op != OP_NEG) || size[e] > NAMED_LENGTH || n->op == OP_SUM ||
                      n->op == OP_TANH || n->op == OP_SQRT;
        if (s->named[e]) size[e] = 1;
    }
}

/* Statements in the order of the trace, each output stored as soon as its value is known. */
static void order(schedule *s, arena *memory, const int *uses)
{
    const graph *g = s->g;
    int *first = ARENA_ARRAY(memory, int, g->nodes.n), *next = ARENA_ARRAY(memory, int, g->outputs.n);
    memset(first, 0xff, sizeof *first * (size_t)g->nodes.n);
    for (int o = g->outputs.n - 1; o >= 0; o--) {
        next[o] = first[g->outputs.at[o].value];
        first[g->outputs.at[o].value] = o;
    }
    s->at = ARENA_ARRAY(memory, statement, g->nodes.n + g->outputs.n);
    for (expr e = 0; e < g->nodes.n; e++) {
        if (!uses[e]) continue;
        if (s->named[e]) s->at[s->n++] = (statement){e, -1};
        for (int o = first[e]; o >= 0; o = next[o]) s->at[s->n++] = (statement){e, o};
    }
}

/* Calls visit for each named node that a statement reads. */
static void reads(const schedule *s, expr e, bool top, void (*visit)(void *, expr), void *closure)
{
    if (!top && s->named[e]) {
        visit(closure, e);
        return;
    }
    if (s->angle[e] >= 0) return;
    const gnode *n = graph_node(s->g, e);
    for (int k = 0; k < operands(s->g, e); k++) reads(s, k ? n->b : n->a, false, visit, closure);
}

static void reads_of(const schedule *s, statement st, void (*visit)(void *, expr), void *closure)
{
    reads(s, st.value, st.output < 0, visit, closure);
}

typedef struct lifetimes {
    int at, *last;
} lifetimes;

static void extend(void *closure, expr e)
{
    lifetimes *l = closure;
    l->last[e] = l->at;
}

/* How many values are alive just before each statement. */
static int *count_alive(const schedule *s, arena *memory)
{
    lifetimes l = {0, ARENA_ARRAY(memory, int, s->g->nodes.n)};
    int *alive = ARENA_ARRAY(memory, int, s->n + 2);
    for (l.at = 0; l.at < s->n; l.at++) reads_of(s, s->at[l.at], extend, &l);
    for (int i = 0; i < s->n; i++)
        if (s->at[i].output < 0 && l.last[s->at[i].value] > i) alive[i + 1]++, alive[l.last[s->at[i].value] + 1]--;
    for (int i = 1; i <= s->n; i++) alive[i] += alive[i - 1];
    return alive;
}

/* ---- an order that keeps few values alive. Of the next ORDER_WINDOW definitions those are taken first that end more
   lives than they begin, for values that find no register cost a store and a load; else the trace's order stays, which
   has much that can run side by side. It stays as a whole if the new one is not better in the end. */

typedef struct item {
    int first, n;       /* its statements: a definition and the stores of its value, or stores of a leaf */
    int reads, n_reads; /* the values that it reads, once each */
    bool done;
} item;

typedef struct reorder {
    const schedule *s;
    item *items;
    int n, *of;      /* of each named node: its item */
    VEC(expr) reads; /* of all items */
    int *left;       /* per node: items to come that read it */
} reorder;

static void add_read(void *closure, expr e)
{
    reorder *r = closure;
    item *last = &r->items[r->n];
    for (int k = 0; k < last->n_reads; k++)
        if (r->reads.at[last->reads + k] == e) return;
    VEC_PUSH(&r->reads, e);
    last->n_reads++;
    r->left[e]++;
}

static void find_items(reorder *r)
{
    const schedule *s = r->s;
    for (int i = 0; i < s->n; r->n++) {
        expr value = s->at[i].value;
        item *x = &r->items[r->n];
        *x = (item){.first = i, .reads = r->reads.n};
        reads_of(s, s->at[i], add_read, r);
        if (s->at[i].output < 0) r->of[value] = r->n;
        do i++, x->n++;
        while (i < s->n && s->at[i].value == value && s->at[i].output >= 0);
    }
}

/* A leaf's stores read nothing; a value's stores stand with its definition. */
static bool is_ready(const reorder *r, const item *x)
{
    for (int k = 0; k < x->n_reads; k++) {
        const item *home = &r->items[r->of[r->reads.at[x->reads + k]]];
        if (home != x && !home->done) return false;
    }
    return true;
}

/* Values alive after it, less those before. */
static int growth(const reorder *r, const item *x)
{
    const statement *st = &r->s->at[x->first];
    int n = st->output < 0 && r->left[st->value] > 0;
    for (int k = 0; k < x->n_reads; k++) n -= r->left[r->reads.at[x->reads + k]] == 1;
    return n;
}

static item *best_of_window(const reorder *r, int from)
{
    item *best = NULL;
    int least = 2;
    for (int i = from, seen = 0; i < r->n && seen < ORDER_WINDOW && least > -1; i++) {
        item *x = &r->items[i];
        if (x->done) continue;
        seen++;
        if (is_ready(r, x) && growth(r, x) < least) best = x, least = growth(r, x);
    }
    return best;
}

/* Values that find no register, over all statements. */
static long crowd(const schedule *s, arena *memory)
{
    long sum = 0;
    const int *alive = count_alive(s, memory);
    for (int i = 0; i < s->n; i++) sum += alive[i] > ORDER_REGISTERS ? alive[i] - ORDER_REGISTERS : 0;
    return sum;
}

static void shorten_lives(schedule *s, arena *memory)
{
    reorder r = {.s = s};
    r.items = ARENA_ARRAY(memory, item, s->n);
    r.of = ARENA_ARRAY(memory, int, s->g->nodes.n);
    r.left = ARENA_ARRAY(memory, int, s->g->nodes.n);
    statement *to = ARENA_ARRAY(memory, statement, s->n);
    int n = 0;
    find_items(&r);
    for (int from = 0; from < r.n;) {
        item *x = best_of_window(&r, from);
        x->done = true;
        for (int k = 0; k < x->n; k++) to[n++] = s->at[x->first + k];
        for (int k = 0; k < x->n_reads; k++) r.left[r.reads.at[x->reads + k]]--;
        while (from < r.n && r.items[from].done) from++;
    }
    free(r.reads.at);
    statement *from = s->at;
    long before = crowd(s, memory);
    s->at = to;
    if (crowd(s, memory) >= before) s->at = from;
}

/* One state with limbs side by side keeps the order of the trace: measured, its vectors find registers. */
static bool has_lanes(const graph *g)
{
    for (expr e = 0; e < g->nodes.n; e++)
        if (graph_node(g, e)->width > 1) return true;
    return false;
}

/* Cuts every limit/2 to limit statements, where the fewest values cross. */
static void cut(schedule *s, arena *memory, int limit)
{
    const int *alive = count_alive(s, memory);
    s->cut = ARENA_ARRAY(memory, int, s->n / (limit / 2) + 3);
    s->n_cuts = 1;
    for (int from = 0; s->n - from > limit;) {
        int best = from + limit / 2;
        for (int i = best; i <= from + limit; i++)
            if (alive[i] <= alive[best]) best = i;
        s->cut[s->n_cuts++] = from = best;
    }
    s->cut[s->n_cuts] = s->n;
}

typedef struct crossings {
    schedule *s;
    int part;
    int *home, *last; /* the parts that define a node, and read it last: 0 if no other part does */
} crossings;

static void cross(void *closure, expr e)
{
    crossings *c = closure;
    if (c->home[e] != c->part) c->last[e] = c->part;
}

/* Places that are free, one stack for each number of lanes. */
typedef struct places {
    int n[GRAPH_LANES + 1], *at[GRAPH_LANES + 1];
} places;

static int take_place(schedule *s, places *free, int room)
{
    if (free->n[room]) return free->at[room][--free->n[room]];
    s->n_crossing += room;
    return s->n_crossing - room;
}

/* A place serves again when its value has been read for the last time: what crosses stays in the first-level cache. */
static void place_crossings(const crossings *c, arena *memory, int part, places *free)
{
    schedule *s = c->s;
    for (int i = s->cut[part]; i < s->cut[part + 1]; i++) {
        expr e = s->at[i].value;
        if (s->at[i].output < 0 && c->last[e])
            s->crossing[e] = take_place(s, free, graph_room(graph_node(s->g, e)->width));
    }
    for (expr e = 0; e < s->g->nodes.n; e++) {
        int room = graph_room(graph_node(s->g, e)->width);
        if (!c->last[e] || c->last[e] != part) continue;
        if (!free->at[room]) free->at[room] = ARENA_ARRAY(memory, int, s->g->nodes.n);
        free->at[room][free->n[room]++] = s->crossing[e];
    }
}

static void find_crossings(schedule *s, arena *memory)
{
    crossings c = {s, 0, ARENA_ARRAY(memory, int, s->g->nodes.n), ARENA_ARRAY(memory, int, s->g->nodes.n)};
    places free = {0};
    memset(s->crossing, 0xff, sizeof *s->crossing * (size_t)s->g->nodes.n);
    for (c.part = 0; c.part < s->n_cuts; c.part++)
        for (int i = s->cut[c.part]; i < s->cut[c.part + 1]; i++)
            if (s->at[i].output < 0) c.home[s->at[i].value] = c.part;
    for (c.part = 0; c.part < s->n_cuts; c.part++)
        for (int i = s->cut[c.part]; i < s->cut[c.part + 1]; i++) reads_of(s, s->at[i], cross, &c);
    for (int part = 0; part < s->n_cuts; part++) place_crossings(&c, memory, part, &free);
}

schedule *schedule_new(arena *memory, const graph *g, int limit)
{
    schedule *s = ARENA_ARRAY(memory, schedule, 1);
    int *uses = statement_uses(memory, g);
    s->g = g;
    s->named = ARENA_ARRAY(memory, bool, g->nodes.n);
    s->angle = ARENA_ARRAY(memory, int, g->nodes.n);
    s->crossing = ARENA_ARRAY(memory, int, g->nodes.n);
    find_angles(s, memory, uses);
    name_nodes(s, memory, uses);
    order(s, memory, uses);
    if (!has_lanes(g)) shorten_lives(s, memory);
    cut(s, memory, limit);
    find_crossings(s, memory);
    return s;
}
