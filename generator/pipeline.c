#include "pipeline.h"

#include "model/inverse.h"
#include "passes/passes.h"

typedef struct robot_trees {
    const tree *plain, *wide; /* wide: with limbs as lanes, NULL if there are none */
    bool vectors;
} robot_trees;

typedef struct robot_frames {
    int *plain, *wide;
} robot_frames;

/* Base parameters save operations in a text; over the length of a large tree they would cost digits. */
const tree *pipeline_tree(arena *memory, const model *m)
{
    const tree *t = tree_new(memory, m, true);
    return search_large(t) ? tree_new(memory, m, false) : t;
}

pipeline_kernel pipeline_trace(arena *memory, const kernel_info *k, const tree *t, const trace_options *o, purpose use,
                               int **frames)
{
    pipeline_kernel p = {.info = k};
    p.traced = search_kernel(memory, k, t, o, use, frames);
    if (!p.traced.graph) return p;
    p.traced.graph = passes_run(p.traced.graph);
    p.schedule = schedule_new(memory, p.traced.graph, SCHEDULE_LIMIT);
    p.blocks = ARENA_ARRAY(memory, const schedule *, p.traced.end.n_texts);
    for (int b = 0; b < p.traced.end.n_texts; b++) {
        graph **text = &p.traced.end.texts[b].graph;
        *text = passes_run(*text);
        p.blocks[b] = schedule_new(memory, *text, SCHEDULE_UNCUT);
    }
    p.counts = search_counts(p.traced.graph, &p.traced.end);
    return p;
}

static bool check_minv(const model *m, const kernel_info *const *kernels, diag *d)
{
    const char *denied = inverse_denied(d->memory, m);
    for (; *kernels && denied; kernels++)
        if ((*kernels)->flags & KERNEL_MINV)
            return diag_error(d, inverse_place(m),
                              "%s and kernel %s cannot be made: %s; or choose --kernels that need no inverse", denied,
                              (*kernels)->name, inverse_remedy(m));
    return true;
}

/* Articulated bodies know nothing of joints that follow others. */
static bool check_solver(const model *m, const kernel_info *k, const trace_options *o, diag *d)
{
    if (o->solver != SOLVE_AZA + 1 || !(k->flags & KERNEL_SOLVER)) return true;
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

void pipeline_free(pipeline_kernel *p)
{
    graph_free(p->traced.graph);
    tail_free(&p->traced.end);
    *p = (pipeline_kernel){0};
}

/* The better of a and b, the other one is freed. */
static pipeline_kernel cheaper(pipeline_kernel a, pipeline_kernel b)
{
    bool second = b.schedule && (!a.schedule || b.traced.cost < a.traced.cost);
    pipeline_free(second ? &a : &b);
    return second ? b : a;
}

/* The best text for vectors, where it is cheaper than the plain one. Limbs are not lanes with friction's tanh. */
static pipeline_kernel trace_vectors(arena *memory, const kernel_info *k, const robot_trees *t, const trace_options *o,
                                     const traced *plain, robot_frames *frames)
{
    pipeline_kernel p = {.info = k};
    if (!t->vectors || (plain->strategy.looped && search_must_loop(k, t->plain, o))) return p;
    if (k->flags & (KERNEL_ROWS | KERNEL_FRAME))
        p = pipeline_trace(memory, k, t->plain, o, FOR_VECTORS, &frames->plain);
    if (t->wide && !(k->flags & KERNEL_BODIES) && o->friction != FRICTION_FULL)
        p = cheaper(p, pipeline_trace(memory, k, t->wide, o, FOR_VECTORS, &frames->wide));
    if (p.schedule && p.traced.cost >= plain->cost) pipeline_free(&p);
    return p;
}

/* Whether all constants of a text are numbers: products and quotients of what the description says can leave the range
   of the number type. */
static bool check_constants(const model *m, const kernel_info *k, const graph *g, bool single, diag *d)
{
    expr e = g ? graph_find_infinite(g, single) : EXPR_NONE;
    if (e < 0) return true;
    int body = graph_node(g, e)->section - 1;
    return diag_error(
        d, (place){0},
        "kernel %s cannot be made: a constant at joint '%s' is not a finite number, because what the joint "
        "moves is too light, too heavy or too far away to compute with",
        k->name, m->bodies[body < 0 ? 0 : body].joint_name);
}

static bool check_texts(const model *m, const pipeline_kernel *p, bool single, diag *d)
{
    bool ok = check_constants(m, p->info, p->traced.graph, single, d);
    for (int i = 0; i < p->traced.end.n_texts && ok; i++)
        ok = check_constants(m, p->info, p->traced.end.texts[i].graph, single, d);
    return ok;
}

static emit_text text_of(const pipeline_kernel *p)
{
    return (emit_text){p->schedule, p->blocks, &p->traced.end, p->counts, p->traced.words};
}

bool pipeline_generate(arena *memory, const model *m, const kernel_info *const *kernels, const emit_options *o,
                       folder *f, diag *d)
{
    emit_kernel made[PIPELINE_KERNELS];
    pipeline_kernel plain[PIPELINE_KERNELS], vectors[PIPELINE_KERNELS];
    int n = 0;
    bool ok = true;
    if (!pipeline_check(m, kernels, &o->trace, d)) return false;
    robot_frames frames = {NULL, NULL};
    robot_trees t = {.plain = pipeline_tree(memory, m)};
    t.vectors = !search_large(t.plain) && !o->plain;
    t.wide = t.vectors ? tree_with_lanes(memory, t.plain) : NULL;
    for (; kernels[n] && ok; n++) {
        purpose use = o->n_lanes > 0 ? FOR_STATES : FOR_NUMBERS;
        plain[n] = pipeline_trace(memory, kernels[n], t.plain, &o->trace, use, &frames.plain);
        vectors[n] = trace_vectors(memory, kernels[n], &t, &o->trace, &plain[n].traced, &frames);
        made[n] = (emit_kernel){kernels[n], text_of(&plain[n]), text_of(&vectors[n])};
        ok = check_texts(m, &plain[n], o->single, d) && check_texts(m, &vectors[n], o->single, d);
    }
    ok = ok && emit_robot(f, m, o, made, n, d);
    while (n-- > 0) {
        pipeline_free(&plain[n]);
        pipeline_free(&vectors[n]);
    }
    return ok;
}
