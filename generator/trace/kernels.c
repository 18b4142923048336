#include "kernels.h"

#include <string.h>

const arg_info arg_table[ARG_COUNT] = {
    [ARG_Q] = {"q", "configuration"},
    [ARG_V] = {"v", "velocity"},
    [ARG_A] = {"a", "acceleration"},
    [ARG_TAU_IN] = {"tau", "joint forces"},
    [ARG_FEXT] = {"fext", "external forces: (force, moment) for each body, in link axes at the link's origin"},
    [ARG_GRAVITY_IN] = {"gravity", "gravity in world axes"},
    [ARG_TAU] = {"tau", "joint forces"},
    [ARG_QDD] = {"qdd", "joint accelerations"},
    [ARG_M] = {"M", "joint-space inertia"},
    [ARG_MINV] = {"minv", "inverse of the joint-space inertia"},
    [ARG_H] = {"h", "joint forces at zero acceleration"},
    [ARG_G] = {"g", "joint forces that hold against gravity"},
    [ARG_DTAU_DQ] = {"dtau_dq", "derivative of tau by q"},
    [ARG_DTAU_DV] = {"dtau_dv", "derivative of tau by v"},
    [ARG_DQDD_DQ] = {"dqdd_dq", "derivative of qdd by q"},
    [ARG_DQDD_DV] = {"dqdd_dv", "derivative of qdd by v"},
    [ARG_POSE] = {"pose", "for each frame the 3x4 matrix [R p] in the world, by rows"},
    [ARG_L] = {"L", ""},
    [ARG_DINV] = {"Dinv", ""},
    [ARG_X] = {"X", ""},
    [ARG_COLUMNS] = {"A", ""},
    [ARG_FORCES] = {"T", ""},
    [ARG_BLOCK] = {"x", ""},
    [ARG_SOLVED] = {"out", ""},
    [ARG_J] = {"J", "for each frame six rows: linear velocity of its origin, angular velocity, in world axes"},
};

void arg_size(arg a, const model *m, const trace_options *o, int *rows, int *cols)
{
    *rows = m->nv, *cols = 1;
    switch (a) {
    case ARG_Q: *rows = m->nq; break;
    case ARG_FEXT: *rows = 6 * o->n_fext; break;
    case ARG_GRAVITY_IN: *rows = 3; break;
    case ARG_POSE: *rows = 12 * m->n_frames; break;
    case ARG_J: *rows = 6 * o->n_places, *cols = m->nv; break;
    case ARG_M:
    case ARG_MINV:
    case ARG_DTAU_DQ:
    case ARG_DTAU_DV:
    case ARG_DQDD_DQ:
    case ARG_DQDD_DV: *cols = m->nv; break;
    default: break;
    }
}

/* ---- pieces */

static int *ground_frame(arena *memory, const tree *t) { return ARENA_ARRAY(memory, int, t->n); }

/* Inverse dynamics in body frames, reduced to degrees of freedom, with friction where v counts. */
static table torques(trace *tr, const id_inputs *in)
{
    expr *tau = text_rnea(tr, in);
    table x = table_new(tr, tr->t->model->nv, 1);
    for (int i = 1; i < tr->t->n; i++)
        for (int k = 0; k < tr->t->node[i].nv; k++) {
            expr e = tau[tr->t->node[i].column + k];
            if (in->use_v) e = graph_add(tr->g, e, trace_friction(tr, i, k));
            table_add_row(tr, &x, i, k, e);
        }
    return x;
}

static trace *body_trace(arena *memory, graph *g, const tree *t, const trace_options *o)
{
    return trace_new(memory, g, t, trace_body_frames(memory, t), o);
}

static void id_text(arena *memory, graph *g, const tree *t, const trace_options *o, id_inputs in, arg a, arg out)
{
    trace *tr = body_trace(memory, g, t, o);
    if (a != ARG_COUNT) in.a = text_accelerations(tr, a);
    table tau = torques(tr, &in);
    table_output(tr, &tau, out);
}

static void add_friction(trace *tr, table *dtau_dv)
{
    for (int i = 1; i < tr->t->n; i++)
        for (int k = 0; k < tr->t->node[i].nv; k++) table_add(tr, dtau_dv, i, k, i, k, trace_friction_dv(tr, i, k));
}

static table square(trace *tr) { return table_new(tr, tr->t->model->nv, tr->t->model->nv); }

/* ---- kernels */

#define TEXT(name)                                                                                                     \
    static void name(arena *memory, graph *g, const tree *t, const trace_options *o, const strategy *s, tail *end)

TEXT(rnea) { (void)s, (void)end, id_text(memory, g, t, o, (id_inputs){true, true, false, NULL}, ARG_A, ARG_TAU); }
TEXT(rnea_fext) { (void)s, (void)end, id_text(memory, g, t, o, (id_inputs){true, true, true, NULL}, ARG_A, ARG_TAU); }
TEXT(bias) { (void)s, (void)end, id_text(memory, g, t, o, (id_inputs){true, true, false, NULL}, ARG_COUNT, ARG_H); }
TEXT(gravity) { (void)s, (void)end, id_text(memory, g, t, o, (id_inputs){false, true, false, NULL}, ARG_COUNT, ARG_G); }

TEXT(crba)
{
    if (s->looped) {
        end->loops = large_pairs(memory, g, t, o, &(id_inputs){0}, true, NULL);
        return;
    }
    trace *tr = trace_new(memory, g, t, s->frame, o);
    table M = text_crba(tr);
    table_output_symmetric(tr, &M, ARG_M);
}

static solver *new_solver(arena *memory, graph *g, const tree *t, const trace_options *o, const strategy *s)
{
    trace *tr = trace_new(memory, g, t, s->solve_frame, o);
    if (s->solver == SOLVE_AZA) return solver_new(tr, SOLVE_AZA, NULL);
    table M = text_crba(tr);
    return solver_new(tr, s->solver, &M);
}

static void output_inverse(solver *s)
{
    const expr *Z = solver_inverse(s);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            graph_set(s->tr->g, (graph_slot){ARG_MINV, i * s->n + j}, Z[i > j ? i * s->n + j : j * s->n + i], 0);
}

TEXT(minv)
{
    if (s->looped) {
        solver *aza = solver_new(body_trace(memory, g, t, o), SOLVE_AZA, NULL);
        end->loops = large_inverse(memory, g, t, o, aza, &(id_inputs){0});
        return;
    }
    solver *solve = new_solver(memory, g, t, o, s);
    if (!s->columns) {
        output_inverse(solve);
        return;
    }
    text_rows(solve, s->columns, 1, (const rhs[]){{NULL, ARG_MINV}}, end);
}

/* tau - h, what is left to accelerate. */
static expr *remainder_of(arena *memory, graph *g, const tree *t, const trace_options *o, bool fext)
{
    trace *tr = body_trace(memory, g, t, o);
    table h = torques(tr, &(id_inputs){true, true, fext, NULL});
    expr *b = ARENA_ARRAY(memory, expr, t->model->nv);
    for (int i = 1; i < t->n; i++)
        for (int k = 0; k < t->node[i].nv && !t->node[i].dependent; k++) {
            int dof = t->node[i].lane->iv + k;
            b[dof] = graph_sub(g, trace_rate(tr, ARG_TAU_IN, i, k), h.at[dof].value);
        }
    return b;
}

/* A vector of unknowns, at the degrees of freedom of first lanes. */
static void output_vector(graph *g, const tree *t, const expr *x, arg out)
{
    for (int i = 1; i < t->n; i++)
        for (int k = 0; k < t->node[i].nv && !t->node[i].dependent; k++)
            for (int l = 0; l < t->node[i].width; l++)
                graph_set(g, (graph_slot){(int)out, t->node[i].lane[l].iv + k}, x[t->node[i].lane->iv + k], l);
}

TEXT(aba)
{
    (void)end;
    expr *qdd = remainder_of(memory, g, t, o, false);
    solver_solve(new_solver(memory, g, t, o, s), qdd);
    output_vector(g, t, qdd, ARG_QDD);
}

static void idsva_text(arena *memory, graph *g, const tree *t, const trace_options *o, const strategy *s, bool fext,
                       tail *end)
{
    trace *tr = trace_new(memory, g, t, s->frame, o);
    id_inputs in = {true, true, fext, text_accelerations(tr, ARG_A)};
    if (s->looped) {
        end->loops = large_pairs(memory, g, t, o, &in, false, NULL);
        return;
    }
    table dq = square(tr), dv = square(tr);
    text_idsva(tr, &in, &(idsva_outputs){.dtau_dq = &dq, .dtau_dv = &dv});
    add_friction(tr, &dv);
    table_output(tr, &dq, ARG_DTAU_DQ);
    table_output(tr, &dv, ARG_DTAU_DV);
}

TEXT(idsva) { idsva_text(memory, g, t, o, s, false, end); }
TEXT(idsva_fext) { idsva_text(memory, g, t, o, s, true, end); }

TEXT(id_all)
{
    trace *tr = trace_new(memory, g, t, s->frame, o);
    id_inputs in = {true, true, false, text_accelerations(tr, ARG_A)};
    table tau = table_new(tr, t->model->nv, 1);
    if (s->looped) {
        end->loops = large_pairs(memory, g, t, o, &in, true, &tau);
        table_output(tr, &tau, ARG_TAU);
        return;
    }
    table dq = square(tr), dv = square(tr), M = square(tr);
    text_idsva(tr, &in, &(idsva_outputs){&dq, &dv, &M, &tau, NULL});
    add_friction(tr, &dv);
    for (int i = 1; i < t->n; i++)
        for (int k = 0; k < t->node[i].nv; k++) table_add_row(tr, &tau, i, k, trace_friction(tr, i, k));
    table_output(tr, &tau, ARG_TAU);
    table_output_symmetric(tr, &M, ARG_M);
    table_output(tr, &dq, ARG_DTAU_DQ);
    table_output(tr, &dv, ARG_DTAU_DV);
}

/* -M^-1 X, column by column. */
static void output_solved(solver *s, const table *X, arg out)
{
    graph *g = s->tr->g;
    expr *x = ARENA_ARRAY(s->tr->memory, expr, s->n);
    for (int c = 0; c < s->n; c++) {
        for (int i = 0; i < s->n; i++) x[i] = graph_neg(g, X->at[i * s->n + c].value);
        solver_solve(s, x);
        for (int i = 0; i < s->n; i++) graph_set(g, (graph_slot){(int)out, i * s->n + c}, x[i], 0);
    }
}

/* dqdd/dx = -M^-1 dID/dx at a = qdd (papers 000 and 002): qdd first, then IDSVA there, then the solves. */
static void fdsva_text(arena *memory, graph *g, const tree *t, const trace_options *o, const strategy *s, bool fext,
                       tail *end)
{
    trace *tr = trace_new(memory, g, t, s->frame, o);
    solver *solve;
    if (s->looped) {
        solve = solver_new(tr, SOLVE_AZA, NULL);
    } else if (s->shared_M) {
        table M = square(tr);
        text_idsva(tr, &(id_inputs){0}, &(idsva_outputs){.M = &M});
        solve = solver_new(tr, s->solver, &M);
    } else {
        solve = new_solver(memory, g, t, o, s);
    }
    expr *qdd = remainder_of(memory, g, t, o, fext), *a = ARENA_ARRAY(memory, expr, t->columns);
    solver_solve(solve, qdd);
    for (int i = 1; i < t->n; i++)
        for (int k = 0; k < t->node[i].nv; k++) {
            expr e = qdd[t->node[i].lane->iv + k];
            if (t->node[i].dependent) e = graph_mul(g, trace_number(tr, i, &t->node[i].lane->multiplier), e);
            a[t->node[i].column + k] = e;
        }
    if (s->looped) {
        output_vector(g, t, qdd, ARG_QDD);
        end->loops = large_inverse(memory, g, t, o, solve, &(id_inputs){true, true, fext, a});
        return;
    }
    table dq = square(tr), dv = square(tr);
    text_idsva(tr, &(id_inputs){true, true, fext, a}, &(idsva_outputs){.dtau_dq = &dq, .dtau_dv = &dv});
    add_friction(tr, &dv);
    output_vector(g, t, qdd, ARG_QDD);
    if (s->columns) {
        text_rows(solve, s->columns, 3, (const rhs[]){{&dq, ARG_DQDD_DQ}, {&dv, ARG_DQDD_DV}, {NULL, ARG_MINV}}, end);
        return;
    }
    output_inverse(solve);
    output_solved(solve, &dq, ARG_DQDD_DQ);
    output_solved(solve, &dv, ARG_DQDD_DV);
}

TEXT(fdsva) { fdsva_text(memory, g, t, o, s, false, end); }
TEXT(fdsva_fext) { fdsva_text(memory, g, t, o, s, true, end); }

TEXT(fk)
{
    (void)s, (void)end;
    text_poses(trace_new(memory, g, t, ground_frame(memory, t), o));
}

TEXT(jac)
{
    (void)s, (void)end;
    text_jacobian(trace_new(memory, g, t, ground_frame(memory, t), o));
}

#define END   ARG_COUNT
#define ID    ARG_Q, ARG_V, ARG_A
#define FD    ARG_Q, ARG_V, ARG_TAU_IN
#define DID   ARG_DTAU_DQ, ARG_DTAU_DV
#define DFD   ARG_QDD, ARG_DQDD_DQ, ARG_DQDD_DV, ARG_MINV
#define DEF   KERNEL_DEFAULT
#define GRAV  KERNEL_GRAVITY
#define FRAME (KERNEL_GRAVITY | KERNEL_FRAME)
#define SOLVE (KERNEL_GRAVITY | KERNEL_MINV | KERNEL_SOLVER)
#define FEXT  (KERNEL_FEXT | KERNEL_BODIES)

/* clang-format off */
const kernel_info kernel_table[] = {
    {"rnea", "inverse dynamics", {ID, END}, {ARG_TAU, END}, DEF | GRAV, rnea},
    {"aba", "forward dynamics", {FD, END}, {ARG_QDD, END}, DEF | SOLVE, aba},
    {"crba", "inertia matrix", {ARG_Q, END}, {ARG_M, END}, DEF | KERNEL_FRAME, crba},
    {"minv", "inverse of the inertia matrix", {ARG_Q, END}, {ARG_MINV, END}, DEF | KERNEL_MINV | KERNEL_SOLVER | KERNEL_ROWS, minv},
    {"bias", "inverse dynamics at zero acceleration", {ARG_Q, ARG_V, END}, {ARG_H, END}, DEF | GRAV, bias},
    {"gravity", "inverse dynamics at rest", {ARG_Q, END}, {ARG_G, END}, DEF | GRAV, gravity},
    {"idsva", "derivatives of inverse dynamics", {ID, END}, {DID, END}, DEF | FRAME, idsva},
    {"fdsva", "forward dynamics and its derivatives", {FD, END}, {DFD, END}, DEF | FRAME | SOLVE | KERNEL_ROWS, fdsva},
    {"id_all", "inverse dynamics, inertia matrix and derivatives", {ID, END}, {ARG_TAU, ARG_M, DID, END}, DEF | FRAME, id_all},
    {"fk", "poses of all frames", {ARG_Q, END}, {ARG_POSE, END}, DEF | KERNEL_BODIES, fk},
    {"jac", "Jacobians of frames", {ARG_Q, END}, {ARG_J, END}, KERNEL_PLACE | KERNEL_BODIES, jac},
    {"rnea_fext", "inverse dynamics with external forces", {ID, ARG_FEXT, END}, {ARG_TAU, END}, FEXT | GRAV, rnea_fext},
    {"idsva_fext", "derivatives of inverse dynamics with external forces", {ID, ARG_FEXT, END}, {DID, END}, FEXT | FRAME, idsva_fext},
    {"fdsva_fext", "forward dynamics and its derivatives with external forces", {FD, ARG_FEXT, END}, {DFD, END}, FEXT | FRAME | SOLVE | KERNEL_ROWS, fdsva_fext},
};
/* clang-format on */
const int kernel_count = sizeof kernel_table / sizeof *kernel_table;

const kernel_info *kernel_find(const char *name)
{
    for (int i = 0; i < kernel_count; i++)
        if (!strcmp(kernel_table[i].name, name)) return &kernel_table[i];
    return NULL;
}
