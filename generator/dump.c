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

static void dump_trace(FILE *out, const planned *x)
{
    static const char *const stages[] = {"straight text", "a block of columns by text", "a loop by texts"};
    graph_counts c = program_counts(x->program);
    fprintf(out, "# %s: %ld mul, %ld add, %ld div, %ld sin and cos\n", *x->words ? x->words : "one way only", c.muls,
            c.adds, c.divs, c.funcs);
    for (int i = 0; i < x->program->stages.n; i++) {
        const stage *s = &x->program->stages.at[i];
        fprintf(out, "%s", stages[s->kind]);
        if (s->kind == STAGE_CALL) fprintf(out, " %d: %s from %d on", s->text, slot_name(s->block.out), s->block.first);
        if (s->kind == STAGE_LOOP) fprintf(out, ": %s", s->loop->name);
        fputc('\n', out);
    }
}

static const char *name_of(const graph_slot *s)
{
    static const char *const loop_names[] = {"record", "lower", "state", "unit", "inverse", "kept"};
    return s->arg < (int)SLOT_COUNT ? slot_name(s->arg) : loop_names[s->arg - LOOP_RECORD];
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
            fprintf(out, " %s[%d]", name_of(s), s->index);
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
        fprintf(out, "%s[%d] = %d\n", name_of(&g->outputs.at[o].slot), g->outputs.at[o].slot.index,
                g->outputs.at[o].value);
}

static void dump_passes(FILE *out, program_text *t)
{
    dump_counts(out, "traced", t->graph);
    for (int i = 0; i < program_passes(t); i++) {
        t->graph = passes_step(t->graph, i);
        dump_counts(out, pass_table[i].name, t->graph);
    }
    dump_graph(out, t->graph);
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

static void dump_text(FILE *out, dump_stage what, program_text *t)
{
    if (what == DUMP_GRAPH) dump_graph(out, t->graph);
    if (what == DUMP_PASSES) dump_passes(out, t);
    if (what == DUMP_SCHEDULE) dump_schedule(out, t->schedule);
}

static void dump_program(FILE *out, dump_stage what, const planned *x, const char *what_for)
{
    if (!x->program) return;
    fprintf(out, "## %s\n", what_for);
    if (what == DUMP_TRACE) dump_trace(out, x);
    if (what == DUMP_SCHEDULE) program_finish(x->program);
    for (int i = 0; i < x->program->texts.n && what != DUMP_TRACE; i++) {
        fprintf(out, "### text %d\n", i);
        dump_text(out, what, &x->program->texts.at[i]);
    }
}

static void dump_kernels(FILE *out, dump_stage what, planner *p, const kernel_info *const *kernels)
{
    for (; *kernels; kernels++) {
        kernel_plan plan = plan_kernel(p, *kernels);
        fprintf(out, "# %s\n", plan.info->name);
        dump_program(out, what, &plan.plain, "for any machine, and for lanes of states");
        dump_program(out, what, &plan.vectors, "for one state on a machine with vectors");
        plan_free(&plan);
    }
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

bool dump(FILE *out, dump_stage what, arena *memory, const model *m, const kernel_info *const *kernels,
          const emit_options *o, diag *d)
{
    if (what == DUMP_MODEL) return dump_model(out, m), true;
    if (what == DUMP_EMIT) return dump_emit(out, memory, m, kernels, o, d);
    if (!pipeline_check(m, kernels, &o->trace, d)) return false;
    planner p = pipeline_planner(memory, m, o);
    dump_kernels(out, what, &p, kernels);
    return true;
}
