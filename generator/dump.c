#include "dump.h"

#include "base/number.h"
#include "base/text.h"
#include "passes/passes.h"

static void dump_model(FILE *out, const model *m)
{
    fprintf(out, "# body parent type q v mass name\n");
    for (int i = 0; i < m->n_bodies; i++) {
        const model_body *b = &m->bodies[i];
        char mass[NUMBER_SIZE];
        fprintf(out, "%d %d %s %d+%d %d+%d %s ", i, b->parent, sva_joint_table[b->type].name, b->iq, b->nq, b->iv,
                b->nv, number_print(mass, b->mass));
        text_print(b->name, true, out);
        fputc('\n', out);
    }
}

static void dump_counts(FILE *out, const char *what, const graph *g)
{
    graph_counts c = graph_count(g);
    fprintf(out, "# %s: %ld mul, %ld add, %ld div, %ld sin and cos, %ld neg, %d nodes\n", what, c.muls, c.adds, c.divs,
            c.funcs, c.negs, g->nodes.n);
}

static void dump_trace(FILE *out, const traced *x, const tree *t)
{
    dump_counts(out, *x->words ? x->words : "one way only", x->graph);
    fputs("frames", out);
    for (int i = 0; i < t->n; i++) fprintf(out, " %d", x->strategy.frame[i]);
    fputc('\n', out);
}

static void dump_leaf(FILE *out, const graph *g, expr e)
{
    const gnode *n = graph_node(g, e);
    for (int l = 0; l < n->width; l++) {
        char text[NUMBER_SIZE];
        const graph_slot *s = graph_slots(g, e) + l;
        if (n->op == OP_CONST)
            fprintf(out, " %s", number_print(text, graph_values(g, e)[l]));
        else
            fprintf(out, " %s[%d]", slot_name(s->arg), s->index);
    }
}

static void dump_graph(FILE *out, const graph *g)
{
    for (expr e = EXPR_UNSET + 1; e < g->nodes.n; e++) {
        const gnode *n = graph_node(g, e);
        int operands = graph_op_table[n->op].operands;
        fprintf(out, "%d %s", e, graph_op_table[n->op].name);
        if (!operands) dump_leaf(out, g, e);
        if (operands > 0) fprintf(out, " %d", n->a);
        if (operands > 1) fprintf(out, " %d", n->b);
        fputc('\n', out);
    }
    for (int o = 0; o < g->outputs.n; o++)
        fprintf(out, "%s[%d] = %d\n", slot_name(g->outputs.at[o].slot.arg), g->outputs.at[o].slot.index,
                g->outputs.at[o].value);
}

static graph *dump_passes(FILE *out, graph *g, bool say)
{
    if (say) dump_counts(out, "traced", g);
    for (int i = 0; i < pass_count; i++) {
        g = passes_step(g, i);
        if (say) dump_counts(out, pass_table[i].name, g);
    }
    if (say) dump_graph(out, g);
    return g;
}

static void dump_schedule(FILE *out, const schedule *s)
{
    fprintf(out, "# %d statements in %d functions, %d angles, %d values cross\n", s->n, s->n_cuts, s->n_angles,
            s->n_crossing);
    for (int part = 0; part < s->n_cuts; part++) {
        fprintf(out, "function %d\n", part + 1);
        for (int i = s->cut[part]; i < s->cut[part + 1]; i++)
            fprintf(out, s->at[i].output < 0 ? "define %d\n" : "store %d to output %d\n", s->at[i].value,
                    s->at[i].output);
    }
}

static void dump_kernel(FILE *out, dump_stage stage, arena *memory, const kernel_info *k, const tree *t,
                        const trace_options *o, int **frames)
{
    fprintf(out, "## %s\n", k->name);
    traced x = search_kernel(memory, k, t, o, FOR_NUMBERS, frames);
    if (stage == DUMP_TRACE) dump_trace(out, &x, t);
    if (stage == DUMP_GRAPH) dump_graph(out, x.graph);
    x.graph = dump_passes(out, x.graph, stage == DUMP_PASSES);
    if (stage == DUMP_SCHEDULE) dump_schedule(out, schedule_new(memory, x.graph, SCHEDULE_LIMIT));
    graph_free(x.graph);
}

static bool dump_emit(FILE *out, arena *memory, const model *m, const kernel_info *const *kernels,
                      const emit_options *o, diag *d)
{
    folder *f = folder_new(memory);
    bool ok = pipeline_generate(memory, m, kernels, o, f, d);
    for (int i = 0; i < folder_count(f) && ok; i++) {
        size_t length;
        const char *text = folder_text(f, i, &length);
        fprintf(out, "## %s\n", folder_name(f, i));
        fwrite(text, 1, length, out);
    }
    folder_free(f);
    return ok;
}

bool dump(FILE *out, dump_stage stage, arena *memory, const model *m, const kernel_info *const *kernels,
          const emit_options *o, diag *d)
{
    int *frames = NULL;
    if (stage == DUMP_MODEL) return dump_model(out, m), true;
    if (stage == DUMP_EMIT) return dump_emit(out, memory, m, kernels, o, d);
    if (!pipeline_check(m, kernels, &o->trace, d)) return false;
    const tree *t = pipeline_tree(memory, m);
    for (; *kernels; kernels++) dump_kernel(out, stage, memory, *kernels, t, &o->trace, &frames);
    return true;
}
