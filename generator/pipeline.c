#include "pipeline.h"

#include "passes/passes.h"

/* Base parameters save operations in a text; over the length of a large tree they would cost digits. */
const tree *pipeline_tree(arena *memory, const model *m)
{
    const tree *t = tree_new(memory, m, true);
    return search_large(t) ? tree_new(memory, m, false) : t;
}

pipeline_kernel pipeline_trace(arena *memory, const kernel_info *k, const tree *t, const trace_options *o, bool lanes,
                               int **frames)
{
    pipeline_kernel p = {.info = k};
    p.traced = search_kernel(memory, k, t, o, lanes, frames);
    p.traced.graph = passes_run(p.traced.graph);
    p.schedule = schedule_new(memory, p.traced.graph);
    p.counts = search_counts(p.traced.graph, &p.traced.end);
    return p;
}

/* A body that no mass follows makes M singular. */
static bool check_minv(const model *m, const kernel_info *k, diag *d)
{
    for (const model_body *b = m->bodies; b < m->bodies + m->n_bodies && k->flags & KERNEL_MINV; b++)
        for (int i = 0; i < b->nv && b->weightless; i++)
            if (b->armature[i] == 0)
                return diag_error(
                    d, (place){0},
                    "joint '%s' moves no mass, so M has no inverse and kernel %s cannot be made: give the joint "
                    "armature, or choose --kernels without aba, minv and fdsva",
                    b->joint_name, k->name);
    return true;
}

bool pipeline_check(const model *m, const kernel_info *const *kernels, diag *d)
{
    if (m->nv == 0)
        return diag_error(d, (place){0}, "robot '%s' has no joint that moves: there is nothing to generate", m->name);
    for (; *kernels; kernels++)
        if (!check_minv(m, *kernels, d)) return false;
    return true;
}

bool pipeline_generate(arena *memory, const model *m, const kernel_info *const *kernels, const emit_options *o,
                       folder *f, diag *d)
{
    emit_kernel made[PIPELINE_KERNELS];
    pipeline_kernel p[PIPELINE_KERNELS];
    int n = 0, *frames = NULL;
    if (!pipeline_check(m, kernels, d)) return false;
    const tree *t = pipeline_tree(memory, m);
    for (; kernels[n]; n++) {
        p[n] = pipeline_trace(memory, kernels[n], t, &o->trace, o->n_lanes > 0, &frames);
        made[n] = (emit_kernel){p[n].info, p[n].schedule, &p[n].traced.end, p[n].counts, p[n].traced.words};
    }
    bool ok = emit_robot(f, m, o, made, n, d);
    while (n-- > 0) graph_free(p[n].traced.graph);
    return ok;
}
