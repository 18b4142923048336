#include "pipeline.h"

#include "model/inverse.h"

static bool check_minv(const model *m, const kernel_info *const *kernels, diag *d)
{
    const char *denied = inverse_denied(d->memory, m);
    for (; *kernels && denied; kernels++)
        if ((*kernels)->inverse)
            return diag_error(d, inverse_place(m),
                              "%s and kernel %s cannot be made: %s; or choose --kernels that need no inverse", denied,
                              (*kernels)->name, inverse_remedy(m));
    return true;
}

/* Articulated bodies know nothing of joints that follow others. */
static bool check_solver(const model *m, const kernel_info *k, const trace_options *o, diag *d)
{
    if (o->solver != SOLVE_AZA + 1 || !k->solver) return true;
    for (const model_body *b = m->bodies; b < m->bodies + m->n_bodies; b++)
        if (b->master >= 0)
            return diag_error(
                d, (place){0},
                "joint '%s' follows another, so kernel %s cannot be made with --solver aza: choose another "
                "solver, or --mimic independent",
                b->joint_name, k->name);
    return true;
}

bool pipeline_check(const model *m, const kernel_info *const *kernels, const trace_options *o, diag *d)
{
    if (m->nv == 0)
        return diag_error(d, (place){0}, "robot '%s' has no joint that moves: there is nothing to generate", m->name);
    if (!check_minv(m, kernels, d)) return false;
    for (; *kernels; kernels++)
        if (!check_solver(m, *kernels, o, d)) return false;
    return true;
}

/* Whether all constants of a text are numbers: products and quotients of what the description says can leave the range
   of the number type. */
static bool check_constants(const model *m, const kernel_info *k, const graph *g, bool single, diag *d)
{
    expr e = graph_find_infinite(g, single);
    if (e < 0) return true;
    int body = graph_node(g, e)->section - 1;
    return diag_error(
        d, (place){0},
        "kernel %s cannot be made: a constant at joint '%s' is not a finite number, because what the joint "
        "moves is too light, too heavy or too far away to compute with",
        k->name, m->bodies[body < 0 ? 0 : body].joint_name);
}

static bool check_program(const model *m, const kernel_info *k, const program *p, bool single, diag *d)
{
    bool ok = true;
    for (int i = 0; p && i < p->texts.n && ok; i++) ok = check_constants(m, k, p->texts.at[i].graph, single, d);
    return ok;
}

planner pipeline_planner(arena *memory, const model *m, const emit_options *o)
{
    return plan_begin(memory, m, &o->trace, o->n_lanes > 0, !o->plain);
}

bool pipeline_plan(arena *memory, const model *m, const kernel_info *const *kernels, const emit_options *o,
                   kernel_plan *plans, diag *d)
{
    if (!pipeline_check(m, kernels, &o->trace, d)) return false;
    planner p = pipeline_planner(memory, m, o);
    bool ok = true;
    for (int i = 0; kernels[i] && ok; i++) {
        plans[i] = plan_kernel(&p, kernels[i]);
        program_finish(plans[i].plain.program);
        program_finish(plans[i].vectors.program);
        ok = check_program(m, kernels[i], plans[i].plain.program, o->single, d) &&
             check_program(m, kernels[i], plans[i].vectors.program, o->single, d);
    }
    return ok;
}

bool pipeline_generate(arena *memory, const model *m, const kernel_info *const *kernels, const emit_options *o,
                       folder *f, diag *d)
{
    int n = 0;
    while (kernels[n]) n++;
    kernel_plan *plans = ARENA_ARRAY(memory, kernel_plan, n + 1);
    bool ok = pipeline_plan(memory, m, kernels, o, plans, d) && emit_robot(f, m, o, plans, n, d);
    for (int i = 0; i < n; i++) plan_free(&plans[i]);
    return ok;
}
