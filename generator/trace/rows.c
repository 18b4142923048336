/* Solving M X = B for many right-hand sides: by texts of their own, which run for one block of columns after the other.
   Where one state is computed with vectors, a block is up to eight columns side by side, else it is one. */
#include <stdlib.h>
#include <string.h>
#include "kernels.h"

static int unknown_dof(const tree *t, const unknown *u, int lane)
{
    const tree_node *node = &t->node[u->node];
    return u->dof + (u->width > 1 ? node->lane[lane].iv - node->lane->iv : 0);
}

/* L by degrees of freedom: each lane has its place. */
static table lower(solver *s)
{
    const tree *t = s->tr->t;
    table L = table_new(s->tr, t->model->nv, t->model->nv);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < i; j++) {
            const unknown *u = &s->u[i], *v = &s->u[j];
            for (int l = 0; l < u->width && !graph_zero(s->tr->g, s->L[i * s->n + j]); l++)
                L.at[unknown_dof(t, u, l) * L.cols + unknown_dof(t, v, l)] = (cell){s->L[i * s->n + j], l};
        }
    return L;
}

/* Fills L and Dinv. */
static void output_factors(solver *s, const table *L)
{
    graph *g = s->tr->g;
    const tree *t = s->tr->t;
    for (int i = 0; i < L->rows * L->cols; i++)
        if (!graph_zero(g, L->at[i].value)) graph_set(g, (graph_slot){ARG_L, i}, L->at[i].value, L->at[i].lane);
    for (int i = 0; i < s->n; i++)
        for (int l = 0; l < s->u[i].width; l++)
            graph_set(g, (graph_slot){ARG_DINV, unknown_dof(t, &s->u[i], l)}, s->Dinv[i], l);
}

/* ---- blocks of columns. A block's text depends on the rows that it has, so blocks with the same ones share it, and
   all right-hand sides do; a row is left out only where it is zero in all of them. */

typedef struct rows {
    solver *s;
    table L;
    int n_rhs;
    const rhs *list;
    tail *end;
} rows;

static bool cell_is_zero(const graph *g, const rhs *b, int row, int col)
{
    return b->table ? graph_zero(g, b->table->at[row * b->table->cols + col].value) : row != col;
}

static bool row_is_zero(const rows *x, int first, int width, int row)
{
    for (int r = 0; r < x->n_rhs; r++)
        for (int l = 0; l < width; l++)
            if (!cell_is_zero(x->s->tr->g, &x->list[r], row, first + l)) return false;
    return true;
}

/* A row of a block of -B into X, the vector filled up with zeros. */
static void fill_row(graph *g, const rhs *b, const block *k, int row, int at)
{
    for (int l = 0; l < graph_room(k->width); l++) {
        const cell *c = l < k->width ? &b->table->at[row * b->table->cols + k->first + l] : NULL;
        graph_set(g, (graph_slot){ARG_X, at + l}, c ? graph_neg(g, c->value) : graph_const(g, 0.0), c ? c->lane : 0);
    }
}

static void fill_block(rows *x, const block *k)
{
    int room = graph_room(k->width);
    for (int r = 0; r < x->n_rhs; r++)
        for (int i = 0; i < x->end->n && x->list[r].table; i++)
            if (k->text->row[i]) fill_row(x->s->tr->g, &x->list[r], k, i, r * x->end->room + k->at + i * room);
}

static expr read_row(graph *text, int room, int row)
{
    graph_slot slots[GRAPH_LANES];
    for (int l = 0; l < room; l++) slots[l] = (graph_slot){ARG_BLOCK, row * room + l};
    return graph_input(text, room, slots);
}

/* The solver of a block's text: the same factors, read from L and Dinv, every degree of freedom an unknown. */
static solver *read_factors(trace *tr, const table *L, const graph *from)
{
    int n = L->rows;
    solver *s = ARENA_ARRAY(tr->memory, solver, 1);
    *s = (solver){.kind = SOLVE_LTL, .tr = tr, .n = n};
    s->u = ARENA_ARRAY(tr->memory, unknown, n);
    s->L = ARENA_ARRAY(tr->memory, expr, (size_t)n * (size_t)n);
    s->Dinv = ARENA_ARRAY(tr->memory, expr, n);
    for (int i = 0; i < n * n; i++)
        s->L[i] =
            graph_zero(from, L->at[i].value) ? graph_const(tr->g, 0.0) : graph_input(tr->g, 1, &(graph_slot){ARG_L, i});
    for (int i = 1; i < tr->t->n; i++)
        for (int k = 0; k < tr->t->node[i].nv && !tr->t->node[i].dependent; k++)
            for (int l = 0; l < tr->t->node[i].width; l++)
                s->u[tr->t->node[i].lane[l].iv + k] = (unknown){i, 1, tr->t->node[i].lane[l].iv + k};
    for (int i = 0; i < n; i++) s->Dinv[i] = graph_input(tr->g, 1, &(graph_slot){ARG_DINV, i});
    return s;
}

static void trace_block(rows *x, block_text *text, int width)
{
    trace tr = {.g = text->graph = graph_new(), .t = x->s->tr->t, .memory = x->s->tr->memory};
    solver *s = read_factors(&tr, &x->L, x->s->tr->g);
    expr *e = ARENA_ARRAY(tr.memory, expr, s->n);
    for (int i = 0; i < s->n; i++) e[i] = text->row[i] ? read_row(tr.g, graph_room(width), i) : graph_const(tr.g, 0.0);
    solver_solve(s, e);
    for (int i = 0; i < s->n; i++)
        for (int l = 0; l < width; l++) graph_set(tr.g, (graph_slot){ARG_SOLVED, i * s->n + l}, e[i], l);
}

/* The text for columns that have these rows: one that is there, or a new one. */
static block_text *text_for(rows *x, int width, const bool *row)
{
    tail *end = x->end;
    for (block_text *t = end->texts; t < end->texts + end->n_texts; t++)
        if (t->width == width && !memcmp(t->row, row, sizeof *row * (size_t)end->n)) return t;
    block_text *t = &end->texts[end->n_texts++];
    t->width = width;
    t->row = row;
    trace_block(x, t, width);
    return t;
}

/* The last of the columns whose rows are to be the same as those of `first`, so that they share a text: those of joints
   of a chain without branches. */
static int chain_end(const tree *t, int first)
{
    int *children = calloc((size_t)t->n + 1, sizeof *children), *node = calloc((size_t)t->columns + 1, sizeof *node);
    if (!children || !node) abort();
    for (int i = 1; i < t->n; i++) {
        children[t->node[i].parent]++;
        for (int k = 0; k < t->node[i].nv; k++) node[t->node[i].column + k] = i;
    }
    int c = first;
    while (c + 1 < t->columns &&
           (node[c + 1] == node[c] || (t->node[node[c + 1]].parent == node[c] && children[node[c]] == 1)))
        c++;
    free(children);
    free(node);
    return c + 1;
}

/* Columns [from, to) in blocks, all with the rows that any of them has. */
static void add_blocks(rows *x, int from, int to, int widest)
{
    tail *end = x->end;
    bool *row = ARENA_ARRAY(x->s->tr->memory, bool, end->n);
    for (int i = 0; i < end->n; i++) row[i] = !row_is_zero(x, from, to - from, i);
    for (int first = from, width; first < to; first += width) {
        width = to - first < widest ? to - first : widest;
        end->blocks[end->n_blocks++] = (block){first, width, end->room, text_for(x, width, row)};
        end->room += end->n * graph_room(width);
    }
}

void text_rows(solver *s, int widest, int n_rhs, const rhs *list, tail *end)
{
    rows x = {s, lower(s), n_rhs, list, end};
    int n = end->n = x.L.rows;
    bool chains = widest == 1 && n == s->tr->t->columns;
    end->blocks = ARENA_ARRAY(s->tr->memory, block, n);
    end->texts = ARENA_ARRAY(s->tr->memory, block_text, n);
    output_factors(s, &x.L);
    for (int from = 0, to; from < n; from = to) {
        to = chains ? chain_end(s->tr->t, from) : from + widest < n ? from + widest : n;
        add_blocks(&x, from, to, widest);
    }
    for (int k = 0; k < end->n_blocks; k++) fill_block(&x, &end->blocks[k]);
    for (int r = 0; r < n_rhs; r++) end->out[end->n_out++] = list[r].out;
}

void tail_free(tail *end)
{
    for (int k = 0; k < end->n_texts; k++) graph_free(end->texts[k].graph);
    end->n_texts = end->n_blocks = 0;
}
