#include "pipeline.h"

pipeline_kernel pipeline_trace(arena *memory, const kernel_info *k, const tree *t, const trace_options *o, int **frames)
{
    pipeline_kernel p = {.info = k};
    p.traced = search_kernel(memory, k, t, o, frames);
    p.schedule = schedule_new(memory, p.traced.graph);
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

bool pipeline_generate(arena *memory, const model *m, const kernel_info *const *kernels, const emit_options *o,
                       folder *f, diag *d)
{
    emit_kernel made[64];
    graph *graphs[64];
    int n = 0, *frames = NULL;
    bool ok = true;
    if (m->nv == 0)
        return diag_error(d, (place){0}, "robot '%s' has no joint that moves: there is nothing to generate", m->name);
    for (int i = 0; kernels[i] && ok; i++) ok = check_minv(m, kernels[i], d);
    const tree *t = tree_new(memory, m, true);
    for (; kernels[n] && ok; n++) {
        pipeline_kernel p = pipeline_trace(memory, kernels[n], t, &o->trace, &frames);
        graphs[n] = p.traced.graph;
        tail *end = ARENA_ARRAY(memory, tail, 1);
        *end = p.traced.end;
        made[n] = (emit_kernel){p.info, p.schedule, end, graph_count(p.traced.graph), p.traced.words};
    }
    ok = ok && emit_robot(f, m, o, made, n, d);
    while (n > 0) graph_free(graphs[--n]);
    return ok;
}
