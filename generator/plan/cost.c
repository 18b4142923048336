/* What a program costs: COST.md. */
#include <stdlib.h>
#include "limits.h"
#include "plan.h"

/* Instructions of a node, about: one, two of more lanes than one instruction has, and those that move single lanes. */
static long node_cost(const graph *g, expr e)
{
    const gnode *n = graph_node(g, e);
    bool gathered = n->op == OP_INPUT && graph_slots(g, e)->arg != LOCAL_BLOCK;
    switch (n->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: return 1 + (n->width > COST_WIDE);
    case OP_DIV: return COST_DIVISION;
    case OP_SUM: return n->b + 1;
    case OP_INPUT: return n->width == 1 ? 0 : gathered ? n->width / 2 : 1 + (n->width > COST_WIDE);
    default: return 0;
    }
}

static long node_costs(const graph *g)
{
    long cost = 0;
    int *uses = graph_uses(g);
    for (expr e = 0; e < g->nodes.n; e++)
        if (uses[e]) cost += node_cost(g, e);
    free(uses);
    return cost;
}

static long text_cost(const graph *g)
{
    long cost = node_costs(g);
    return cost > COST_LONG_TEXT ? 2 * cost - COST_LONG_TEXT : cost;
}

/* ---- loops */

static const graph *text_of(const program *p, int number) { return p->texts.at[number].graph; }

static long products_of(const program *p, const loop *l)
{
    if (l->kind == LOOP_PAIRS) return loop_runs(l, NULL) * graph_count(text_of(p, l->pair)).muls;
    long n = 0;
    for (const sweep *s = l->sweep; s < l->sweep + l->n_sweeps; s++)
        for (int b = 0; b < s->n_bodies; b++) n += loop_runs(l, s) * graph_count(text_of(p, s->body[b])).muls;
    return n;
}

/* A column of pairs also has its rows to copy and to turn. */
static long pairs_cost(const program *p, const loop *l)
{
    long n = l->tree->n, items = 0, products = graph_count(text_of(p, l->pair)).muls;
    for (const loop_joint *j = l->tree->joint; j < l->tree->joint + l->tree->n_joints; j++)
        items += (long)(j->next - j->first) * ((j->end - j->first + COST_ITEM - 1) / COST_ITEM);
    bool derivatives = text_of(p, l->pair)->outputs.n > 1;
    return items * (2 * products + COST_ITEM_AROUND) + n * (COST_ITEM_AROUND + (derivatives ? 2 : 1) * n);
}

/* Items are seldom full; each costs two for a multiply-add, where a machine's vectors are of four. */
static long loops_cost(const program *p)
{
    long cost = 0, products = 0, n = 0;
    for (const stage *s = p->stages.at; s < p->stages.at + p->stages.n; s++) {
        if (s->kind != STAGE_LOOP) continue;
        if (s->loop->kind == LOOP_PAIRS) {
            cost += pairs_cost(p, s->loop);
        } else {
            products += products_of(p, s->loop);
            n = s->loop->tree->n;
        }
    }
    return n ? cost + n * ((n + COST_ITEM - 1) / COST_ITEM) * (2 * products / (n * n) + COST_ITEM_AROUND) : cost;
}

/* ---- programs */

long cost_of_state(const program *p)
{
    long cost = loops_cost(p);
    const graph *g = program_graph(p);
    for (int o = 0; o < g->outputs.n; o++) cost += graph_node(g, g->outputs.at[o].value)->width > 1;
    for (const stage *s = p->stages.at; s < p->stages.at + p->stages.n; s++)
        if (s->kind != STAGE_LOOP) cost += text_cost(text_of(p, s->text));
    return cost;
}

/* Operations count, for the text is shared by the states, and loops have no other lanes. */
long cost_of_lanes(const program *p)
{
    long cost = 0;
    for (const stage *s = p->stages.at; s < p->stages.at + p->stages.n; s++)
        cost += s->kind == STAGE_LOOP ? 2 * products_of(p, s->loop) : node_costs(text_of(p, s->text));
    return cost;
}

int plan_lanes_needed(const program *p)
{
    int widest = 1;
    const graph *g = program_graph(p);
    for (const stage *s = p->stages.at; s < p->stages.at + p->stages.n; s++)
        if (s->kind == STAGE_CALL && s->block.width > widest) widest = s->block.width;
    for (expr e = 0; e < g->nodes.n; e++)
        if (graph_node(g, e)->width > widest) widest = graph_node(g, e)->width;
    return widest > 2 ? WIDEST_NEEDED : widest;
}
