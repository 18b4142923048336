/* The expression graph: nodes are integers in one array, children before parents, hash-consed. The cheap rules live in
   the constructors (0*x is never built), so a trace that meets structural zeros costs nothing for them.

   A node has a width: 1, or the number of lanes of a group of limbs that are computed side by side. A constant then is
   a tuple and an input a gather; a binary operator broadcasts an operand of width 1; graph_sum adds across lanes. */
#ifndef GRAPH_H
#define GRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"

typedef int32_t expr;

/* Node 0 of every graph is nobody's: an expression in zeroed memory that was never set is none. */
enum { GRAPH_LANES = 16, EXPR_NONE = -1, EXPR_UNSET = 0 };

/* Lanes of the vector that holds so many: a power of two. */
static inline int graph_room(int width)
{
    int room = 1;
    while (room < width) room *= 2;
    return room;
}

typedef enum graph_op {
    OP_CONST, /* a: place in values */
    OP_INPUT, /* a: place in slots */
    OP_NEG,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_SIN,
    OP_COS,
    OP_SQRT,
    OP_TANH,
    OP_SUM, /* across lanes, width 1; b: how many */
    OP_UNSET,
    OP_COUNT
} graph_op;

typedef struct graph_op_info {
    const char *name, *infix; /* infix: how C writes it, NULL for functions */
    int operands;
    double (*eval)(double a, double b);
} graph_op_info;
extern const graph_op_info graph_op_table[OP_COUNT];

typedef struct gnode {
    uint8_t op, width;
    int16_t section; /* the body being traced when it was made: comments follow it */
    int32_t moment;  /* when it was made, counted by graph_begin: the order of statements follows it */
    expr a, b;
    uint64_t key; /* a hash of how it is made, which does not depend on numbering */
} gnode;

typedef struct graph_slot {
    int arg, index; /* element of an input or output argument */
} graph_slot;

typedef struct graph_output {
    graph_slot slot;
    expr value;
    int lane;
} graph_output;

typedef struct graph {
    VEC(gnode) nodes;
    VEC(double) values;
    VEC(graph_slot) slots;
    VEC(graph_output) outputs;
    expr *table; /* hash to node */
    int table_size;
    int section, moment; /* of the nodes to come */
    bool as_traced;      /* a - b stays what it is: in a loop, a negation costs more than b - a beside it would save */
} graph;

graph *graph_new(void);
void graph_free(graph *g);

void graph_begin(graph *g, int section); /* what follows is of this body, and later than what was */
expr graph_const(graph *g, double value);
expr graph_tuple(graph *g, int width, const double *values);
expr graph_input(graph *g, int width, const graph_slot *slots);
expr graph_neg(graph *g, expr a);
expr graph_add(graph *g, expr a, expr b);
expr graph_sub(graph *g, expr a, expr b);
expr graph_mul(graph *g, expr a, expr b);
expr graph_div(graph *g, expr a, expr b);
expr graph_call(graph *g, graph_op op, expr a); /* OP_SIN .. OP_TANH */
expr graph_sum(graph *g, expr a, int lanes);    /* of all lanes; a value of width 1 stands for that many equal ones */
void graph_set(graph *g, graph_slot slot, expr value, int lane);

/* The node of that operator, through the constructor's rules: what passes rebuild with. */
expr graph_make(graph *g, graph_op op, expr a, expr b);

static inline const gnode *graph_node(const graph *g, expr e) { return &g->nodes.at[e]; }

/* One order of expressions, whatever order they were made in: C leaves open in which order arguments are evaluated, so
   two compilers of this program number a trace's nodes differently, and what is generated must not depend on that. */
static inline bool graph_before(const graph *g, expr a, expr b)
{
    uint64_t x = graph_node(g, a)->key, y = graph_node(g, b)->key;
    return x != y ? x < y : a < b;
}
/* What is negated, however often; e itself if nothing is. */
static inline expr graph_positive(const graph *g, expr e)
{
    while (graph_node(g, e)->op == OP_NEG) e = graph_node(g, e)->a;
    return e;
}
static inline const double *graph_values(const graph *g, expr e) { return &g->values.at[g->nodes.at[e].a]; }
static inline const graph_slot *graph_slots(const graph *g, expr e) { return &g->slots.at[g->nodes.at[e].a]; }
bool graph_is(const graph *g, expr e, double value); /* a constant with this value in every lane */
static inline bool graph_zero(const graph *g, expr e) { return graph_is(g, e, 0.0); }

typedef struct graph_counts {
    long adds, muls, divs, funcs, negs;
} graph_counts; /* operations on numbers: a node counts once for each of its lanes */

/* Uses of each node by live nodes and outputs (0: dead), into a malloc'd array. */
int *graph_uses(const graph *g);
graph_counts graph_count(const graph *g);

/* A constant in use whose numbers are not all finite, also as float if that is asked for; EXPR_NONE if there is none.
 */
expr graph_find_infinite(const graph *g, bool single);

/* Values of all nodes at the given inputs, in[arg][index]; GRAPH_LANES doubles a node, malloc'd. */
double *graph_eval(const graph *g, const double *const *in);

#endif
