#include "program.h"

#include <stdlib.h>
#include <string.h>
#include "base/invariant.h"
#include "passes/passes.h"
#include "plan/limits.h"

program *program_new(void)
{
    program *p = calloc(1, sizeof *p);
    if (!p) abort();
    p->memory = arena_new();
    p->scratch = arena_new();
    program_add_text(p, graph_new());
    program_add_stage(p, STAGE_STRAIGHT);
    return p;
}

void program_traced(program *p)
{
    if (p->scratch) arena_free(p->scratch);
    p->scratch = NULL;
}

void program_free(program *p)
{
    if (!p) return;
    for (int i = 0; i < p->texts.n; i++) graph_free(p->texts.at[i].graph);
    program_traced(p);
    arena_free(p->memory);
    free(p->texts.at);
    free(p->stages.at);
    free(p);
}

int program_add_text(program *p, graph *g)
{
    VEC_PUSH(&p->texts, ((program_text){.graph = g}));
    return p->texts.n - 1;
}

stage *program_add_stage(program *p, stage_kind kind)
{
    VEC_PUSH(&p->stages, ((stage){.kind = kind}));
    return &p->stages.at[p->stages.n - 1];
}

/* The texts of a loop keep the products that they were traced with: a sum of two numbers of a record would be no item.
 */
int program_passes(const program_text *t) { return t->body ? 1 : pass_count; }

/* A block's text is one function, because little of it is alive at once; the texts of a loop are written inside it. */
void program_finish(program *p)
{
    for (int i = 0; p && i < p->texts.n; i++) {
        program_text *t = &p->texts.at[i];
        for (int k = 0; k < program_passes(t); k++) t->graph = passes_step(t->graph, k);
        t->schedule = schedule_new(p->memory, t->graph, i ? SCHEDULE_UNCUT : FUNCTION_LENGTH);
    }
}

/* ---- counts */

static void add_counts(graph_counts *to, const graph *g, long times)
{
    graph_counts c = graph_count(g);
    to->adds += times * c.adds;
    to->muls += times * c.muls;
    to->divs += times * c.divs;
    to->funcs += times * c.funcs;
    to->negs += times * c.negs;
}

/* Columns of M^-1 that start in the subtree of a joint are all that its columns see on the way to the root. */
long loop_runs(const loop *l, const sweep *s)
{
    long pairs = 0, n = l->tree->n;
    for (const loop_joint *j = l->tree->joint; j < l->tree->joint + l->tree->n_joints; j++)
        pairs += (long)(j->next - j->first) * (j->end - j->first);
    return l->kind == LOOP_PAIRS || (l->inverse && s->up) ? pairs : n * n;
}

static void count_loop(graph_counts *to, const program *p, const loop *l)
{
    if (l->kind == LOOP_PAIRS) add_counts(to, p->texts.at[l->pair].graph, loop_runs(l, NULL));
    for (const sweep *s = l->sweep; s < l->sweep + l->n_sweeps; s++)
        for (int b = 0; b < s->n_bodies; b++) add_counts(to, p->texts.at[s->body[b]].graph, loop_runs(l, s));
}

graph_counts program_counts(const program *p)
{
    graph_counts c = {0};
    for (const stage *s = p->stages.at; s < p->stages.at + p->stages.n; s++) {
        if (s->kind == STAGE_LOOP)
            count_loop(&c, p, s->loop);
        else
            add_counts(&c, p->texts.at[s->text].graph, 1);
    }
    return c;
}
