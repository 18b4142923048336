/* Solving M X = B for many right-hand sides: the straight text goes up the branches (branches.c), each column only
   where it is not zero; texts of their own go down to all rows, for one block of columns after the other. Or, where
   limbs are few lanes, these texts go up too. Where one state is computed with vectors, a block is up to eight columns
   side by side, else it is one. */
#include <stdlib.h>
#include <string.h>
#include "base/invariant.h"
#include "kernels.h"

static int unknown_dof(const tree *t, const unknown *u, int lane)
{
    const tree_node *node = &t->node[u->node];
    return u->dof + (u->width > 1 ? node->lane[lane].iv - node->lane->iv : 0);
}

/* An entry by unknowns becomes entries by degrees of freedom: each lane has its place. */
static void spread(solver *s, int i, int j, expr e, table *to)
{
    const unknown *u = &s->u[i], *v = &s->u[j];
    bool wide = graph_node(s->tr->g, e)->width > 1;
    for (int l = 0; l < (u->width > v->width ? u->width : v->width) && !graph_zero(s->tr->g, e); l++)
        to->at[unknown_dof(s->tr->t, u, l) * to->cols + unknown_dof(s->tr->t, v, l)] = (cell){e, wide ? l : 0};
}

static table square(solver *s) { return table_new(s->tr, s->tr->t->model->nv, s->tr->t->model->nv); }

/* What blocks read to go down: L of branches without ancestors, G of the others. */
static table factors_down(solver *s)
{
    table L = square(s);
    for (const branch *b = s->branches; b < s->branches + s->n_branches; b++)
        for (int i = b->first; i < b->first + b->n; i++)
            for (int j = 0; j < s->n; j++) spread(s, i, j, (b->n_up || j > i ? s->G : s->L)[i * s->n + j], &L);
    return L;
}

/* What blocks read to go up: L of the others. */
static table factors_up(solver *s)
{
    table L = square(s);
    for (const branch *b = s->branches; b < s->branches + s->n_branches; b++)
        for (int i = b->first; i < b->first + b->n && b->n_up; i++)
            for (int j = 0; j < i; j++)
                if (j >= b->first || !b->spatial || s->u[j].node == s->u[b->up[b->n_up - 1]].node)
                    spread(s, i, j, s->L[i * s->n + j], &L);
    return L;
}

static void output_factor(solver *s, const table *L, int at)
{
    graph *g = s->tr->g;
    for (int i = 0; i < L->rows * L->cols; i++)
        if (!graph_zero(g, L->at[i].value)) graph_set(g, (graph_slot){LOCAL_L, at + i}, L->at[i].value, L->at[i].lane);
}

static void output_diagonal(solver *s, bool all)
{
    for (const branch *b = s->branches; b < s->branches + s->n_branches; b++)
        for (int i = b->first; i < b->first + b->n && (all || !b->n_up); i++)
            for (int l = 0; l < s->u[i].width; l++)
                graph_set(s->tr->g, (graph_slot){LOCAL_DINV, unknown_dof(s->tr->t, &s->u[i], l)}, s->Dinv[i], l);
}

/* ---- columns */

typedef struct rows {
    solver *s;
    bool whole; /* blocks go up, too */
    table down, above;
    int n_rhs;
    const rhs *list;
    table *up; /* for each right-hand side, what blocks start from */
    program *p;
    int n; /* degrees of freedom */
} rows;

static bool is_known(const rhs *b, int column) { return b->known && b->known[column]; }

/* Columns that blocks solve; the others are complete in the straight text. */
static bool in_blocks(const rows *x, const rhs *b, int column)
{
    const table *added = b->added;
    if (is_known(b, column)) return false;
    for (int i = 0; added && i < added->rows; i++)
        if (!graph_zero(x->s->tr->g, added->at[i * added->cols + column].value)) return false;
    return true;
}

/* Column c of the unknowns. If its lanes are limbs, these are as many columns, and an entry has a value for each. */
static void take_column(solver *s, const rhs *b, int c, expr *x)
{
    graph *g = s->tr->g;
    for (int i = 0; i < s->n; i++)
        x[i] = b->table ? graph_neg(g, b->table->at[s->u[i].dof * b->table->cols + s->u[c].dof].value)
                        : graph_const(g, i == c ? 1.0 : 0.0);
}

static void output_columns(rows *x, const rhs *b, const table *solved)
{
    graph *g = x->s->tr->g;
    int n = solved->rows;
    for (int i = 0; i < n * n; i++) {
        if (in_blocks(x, b, i % n)) continue;
        const cell *c = graph_zero(g, solved->at[i].value) ? &b->added->at[i] : &solved->at[i];
        INVARIANT(c != &solved->at[i] || c->lane == b->added->at[i].lane || graph_zero(g, b->added->at[i].value));
        expr e = graph_add(g, solved->at[i].value, b->added->at[i].value);
        graph_set(g, (graph_slot){(int)b->out, i}, e, c->lane);
    }
}

static void solve_columns(rows *x, int r)
{
    solver *s = x->s;
    const rhs *b = &x->list[r];
    table solved = square(s);
    expr *e = ARENA_ARRAY(s->tr->memory, expr, s->n);
    x->up[r] = square(s);
    for (int c = 0; c < s->n; c++) {
        if (is_known(b, s->u[c].dof)) continue;
        bool later = in_blocks(x, b, s->u[c].dof);
        take_column(s, b, c, e);
        if (!later || !x->whole) branches_up(s, s->u[c].width, e);
        if (!later) branches_down(s, 1, &e);
        for (int i = 0; i < s->n; i++) spread(s, i, c, e[i], later ? &x->up[r] : &solved);
    }
    output_columns(x, b, &solved);
}

/* ---- blocks of columns. A block's text depends on the rows that it has, so blocks with the same ones share it, and
   all right-hand sides do; a row is left out only where it is zero in all of them. */

static bool row_is_zero(const rows *x, int first, int width, int row)
{
    for (int r = 0; r < x->n_rhs; r++)
        for (int l = 0; l < width; l++)
            if (!graph_zero(x->s->tr->g, x->up[r].at[row * x->n + first + l].value)) return false;
    return true;
}

/* A row of a block into X, the vector filled up with zeros. */
static void fill_row(graph *g, const table *up, const block *k, int row)
{
    int room = graph_room(k->width);
    for (int l = 0; l < room; l++) {
        cell c = l < k->width ? up->at[row * up->cols + k->first + l] : (cell){graph_const(g, 0.0), 0};
        graph_set(g, (graph_slot){LOCAL_X, k->at + row * room + l}, c.value, c.lane);
    }
}

static expr read_row(graph *text, int room, int row)
{
    graph_slot slots[GRAPH_LANES];
    for (int l = 0; l < room; l++) slots[l] = (graph_slot){LOCAL_BLOCK, row * room + l};
    return graph_input(text, room, slots);
}

/* The branches of the unknowns as those of degrees of freedom. */
static void spread_branch(const solver *from, const branch *b, int lane, solver *s)
{
    const tree *t = from->tr->t;
    branch *to = &s->branches[s->n_branches++];
    *to = *b;
    to->first = unknown_dof(t, &from->u[b->first], lane);
    to->up = ARENA_ARRAY(s->tr->memory, int, b->n_up);
    for (int a = 0; a < b->n_up; a++) to->up[a] = unknown_dof(t, &from->u[b->up[a]], lane);
    for (int k = 0; k < b->n; k++) {
        INVARIANT(unknown_dof(t, &from->u[b->first + k], lane) == to->first + k);
        s->u[to->first + k] = (unknown){from->u[b->first + k].node, 1, to->first + k};
    }
}

/* Reads a factor of the text before: zero where that is. */
static expr *read_factor(trace *tr, const graph *from, const table *L, int at)
{
    int n = L->rows * L->cols;
    expr *e = ARENA_ARRAY(tr->memory, expr, n);
    for (int i = 0; i < n; i++)
        e[i] = graph_zero(from, L->at[i].value) ? graph_const(tr->g, 0.0)
                                                : graph_input(tr->g, 1, &(graph_slot){LOCAL_L, at + i});
    return e;
}

/* The solver of a block's text: the same factors, read from L and Dinv, every degree of freedom an unknown. */
static solver *read_factors(trace *tr, const rows *x)
{
    int n = x->n;
    const solver *from = x->s;
    solver *s = ARENA_ARRAY(tr->memory, solver, 1);
    *s = (solver){.kind = SOLVE_BRANCHES, .tr = tr, .n = n};
    s->u = ARENA_ARRAY(tr->memory, unknown, n);
    s->branches = ARENA_ARRAY(tr->memory, branch, n);
    s->G = s->L = read_factor(tr, from->tr->g, &x->down, 0);
    s->Dinv = ARENA_ARRAY(tr->memory, expr, n);
    for (int i = 0; i < n; i++) s->Dinv[i] = graph_input(tr->g, 1, &(graph_slot){LOCAL_DINV, i});
    for (const branch *b = from->branches; b < from->branches + from->n_branches; b++)
        for (int l = 0; l < from->u[b->first].width; l++) spread_branch(from, b, l, s);
    return s;
}

static void trace_block(rows *x, graph *g, int width, const bool *row)
{
    trace tr = {.g = g, .t = x->s->tr->t, .memory = x->s->tr->memory};
    solver *s = read_factors(&tr, x);
    expr *e = ARENA_ARRAY(tr.memory, expr, s->n);
    for (int i = 0; i < s->n; i++) e[i] = row[i] ? read_row(tr.g, graph_room(width), i) : graph_const(tr.g, 0.0);
    if (x->whole) {
        solver up = *s;
        up.L = read_factor(&tr, x->s->tr->g, &x->above, s->n * s->n);
        branches_up(&up, 1, e);
    }
    branches_down(s, 1, &e);
    for (int i = 0; i < s->n; i++)
        for (int l = 0; l < width; l++) graph_set(tr.g, (graph_slot){LOCAL_SOLVED, i * s->n + l}, e[i], l);
}

/* The text for columns that have these rows: one that is there, or a new one. */
static int text_for(rows *x, int width, const bool *row)
{
    for (int i = 1; i < x->p->texts.n; i++) {
        const program_text *t = &x->p->texts.at[i];
        if (t->width == width && !memcmp(t->row, row, sizeof *row * (size_t)x->n)) return i;
    }
    int number = program_add_text(x->p, graph_new());
    program_text *t = &x->p->texts.at[number];
    t->width = width;
    t->row = row;
    trace_block(x, t->graph, width, row);
    return number;
}

/* Columns [first, first + width) of every right-hand side that has them. */
static void add_block(rows *x, int first, int width, const bool *row)
{
    int *room = &x->p->room[LOCAL_X];
    for (int r = 0; r < x->n_rhs; r++) {
        if (!in_blocks(x, &x->list[r], first)) continue;
        int number = text_for(x, width, row);
        stage *s = program_add_stage(x->p, STAGE_CALL);
        s->text = number;
        s->block = (block){(int)x->list[r].out, first, width, *room};
        *room += x->n * graph_room(width);
        for (int i = 0; i < x->n; i++)
            if (row[i]) fill_row(x->s->tr->g, &x->up[r], &s->block, i);
    }
}

/* Columns [from, to) in blocks, all with the rows that any of them has. */
static void add_blocks(rows *x, int from, int to, int widest)
{
    bool *row = ARENA_ARRAY(x->p->memory, bool, x->n);
    for (int i = 0; i < x->n; i++) row[i] = !row_is_zero(x, from, to - from, i);
    for (int first = from, width; first < to; first += width) {
        width = to - first < widest ? to - first : widest;
        add_block(x, first, width, row);
    }
}

/* Whether blocks solve two columns for the same right-hand sides. */
static bool alike(const rows *x, int column, int other)
{
    for (int r = 0; r < x->n_rhs; r++)
        if (in_blocks(x, &x->list[r], column) != in_blocks(x, &x->list[r], other)) return false;
    return true;
}

/* The branch of each degree of freedom: its columns have the same rows, or few others. */
static int *branches_of(solver *s)
{
    int *number = ARENA_ARRAY(s->tr->memory, int, s->tr->t->model->nv), next = 0;
    for (const branch *b = s->branches; b < s->branches + s->n_branches; b++)
        for (int l = 0; l < s->u[b->first].width; l++, next++)
            for (int i = b->first; i < b->first + b->n; i++) number[unknown_dof(s->tr->t, &s->u[i], l)] = next;
    return number;
}

void text_rows(program *p, solver *s, const strategy *st, int n_rhs, const rhs *list)
{
    rows x = {s, st->whole, factors_down(s), factors_up(s), n_rhs, list, ARENA_ARRAY(s->tr->memory, table, n_rhs),
              p, 0};
    int n = x.n = x.down.rows, *number = branches_of(s);
    p->room[LOCAL_L] = st->whole ? 2 * n * n : n * n;
    p->room[LOCAL_DINV] = n;
    output_factor(s, &x.down, 0);
    if (st->whole) output_factor(s, &x.above, n * n);
    output_diagonal(s, st->whole);
    for (int r = 0; r < n_rhs; r++) solve_columns(&x, r);
    bool apart = st->columns == 1;
    for (int from = 0, to; from < n; from = to) {
        int last = apart || from + st->columns > n ? n : from + st->columns;
        for (to = from + 1; to < last && alike(&x, from, to) && (!apart || number[to] == number[from]);) to++;
        add_blocks(&x, from, to, st->columns);
    }
}
