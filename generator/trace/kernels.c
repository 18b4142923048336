#include "kernels.h"

#include <string.h>
#include "base/invariant.h"
#include "plan/limits.h"

/* ---- sizes */

arg_sizes sizes_of(const model *m, const trace_options *o)
{
    return (arg_sizes){.of = {[SIZE_ONE] = 1,
                              [SIZE_NQ] = m->nq,
                              [SIZE_NV] = m->nv,
                              [SIZE_FRAMES] = m->n_frames,
                              [SIZE_FEXT] = o->n_fext,
                              [SIZE_JAC] = o->n_jac_frames}};
}

void arg_size(arg a, const model *m, const trace_options *o, int *rows, int *cols)
{
    arg_sizes s = sizes_of(m, o);
    *rows = arg_rows(a, &s);
    *cols = arg_cols(a, &s);
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

static trace *new_trace(program *p, const tree *t, const int *frame, const trace_options *o)
{
    return trace_new(p->scratch, program_graph(p), t, frame, o);
}

static trace *body_trace(program *p, const tree *t, const trace_options *o)
{
    return new_trace(p, t, trace_body_frames(p->scratch, t), o);
}

static void id_text(program *p, const tree *t, const trace_options *o, id_inputs in, arg a, arg out)
{
    trace *tr = body_trace(p, t, o);
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

#define TEXT(name) static void name(program *p, const tree *t, const trace_options *o, const strategy *s)

TEXT(rnea) { (void)s, id_text(p, t, o, (id_inputs){.use_v = true, .use_gravity = true}, ARG_A, ARG_TAU); }
TEXT(rnea_fext)
{
    (void)s, id_text(p, t, o, (id_inputs){.use_v = true, .use_gravity = true, .use_fext = true}, ARG_A, ARG_TAU);
}
TEXT(bias) { (void)s, id_text(p, t, o, (id_inputs){.use_v = true, .use_gravity = true}, ARG_COUNT, ARG_H); }
TEXT(gravity) { (void)s, id_text(p, t, o, (id_inputs){.use_gravity = true}, ARG_COUNT, ARG_G); }

TEXT(crba)
{
    if (s->looped) {
        large_pairs(p, t, o, &(id_inputs){0}, true, NULL);
        return;
    }
    trace *tr = new_trace(p, t, s->frame, o);
    table M = text_crba(tr);
    table_output_symmetric(tr, &M, ARG_M);
}

static solver *new_solver(program *p, const tree *t, const trace_options *o, const strategy *s)
{
    trace *tr = new_trace(p, t, s->solve_frame, o);
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
        large_inverse(p, t, o, solver_new(body_trace(p, t, o), SOLVE_AZA, NULL), &(id_inputs){0});
        return;
    }
    solver *solve = new_solver(p, t, o, s);
    if (!s->columns) {
        output_inverse(solve);
        return;
    }
    text_rows(p, solve, s, 1, (const rhs[]){{.out = ARG_MINV}});
}

/* ---- free bases (trace.h). Solved for is b in place of their linear acceleration; nothing else of the solution
   depends on their pose and their linear velocity:
       qdd_lin       = b + R'g - w x v_lin
       dqdd_lin/dq_k = R'g x e_k               for a rotation about axis k
       dqdd_lin/dv_k = -w x e_k                for the linear velocity along axis k
       dqdd_lin/dv_k = db/dv_k + v_lin x e_k   for the angular velocity about axis k
   and the other derivatives by pose and linear velocity are zero. */

static void add_fall(trace *tr, expr *qdd)
{
    graph *g = tr->g;
    for (int i = 1; i < tr->t->n; i++) {
        if (!trace_is_free(tr, i)) continue;
        trace_begin(tr, i);
        vec turning = vec_cross(g, trace_base_rate(tr, i, 3), trace_base_rate(tr, i, 0));
        vec fall = vec_sub(g, trace_fall(tr, i), turning);
        for (int k = 0; k < 3; k++) {
            expr *e = &qdd[tr->t->node[i].lane->iv + k];
            *e = graph_add(g, *e, fall.x[k]);
        }
    }
}

/* x cross e_k, into the linear rows of a base's columns from `first`. */
static void add_cross(trace *tr, table *added, int i, int first, vec x)
{
    for (int k = 0; k < 3; k++) {
        vec e = vec_zero(tr->g);
        e.x[k] = graph_const(tr->g, 1.0);
        vec column = vec_cross(tr->g, x, e);
        for (int row = 0; row < 3; row++) table_add(tr, added, i, row, i, first + k, column.x[row]);
    }
}

/* Columns of a base, n of them, in all its lanes. */
static void set_known(const tree *t, int i, int n, bool *known)
{
    for (int l = 0; l < t->node[i].width; l++)
        for (int k = 0; k < n; k++) known[t->node[i].lane[l].iv + k] = true;
}

typedef struct fall {
    table dq, dv;
    bool *known_q, *known_v;
} fall;

static fall fall_of(trace *tr)
{
    int nv = tr->t->model->nv;
    fall f = {square(tr), square(tr), ARENA_ARRAY(tr->memory, bool, nv), ARENA_ARRAY(tr->memory, bool, nv)};
    for (int i = 1; i < tr->t->n; i++) {
        if (!trace_is_free(tr, i)) continue;
        trace_begin(tr, i);
        add_cross(tr, &f.dq, i, 3, trace_fall(tr, i));
        add_cross(tr, &f.dv, i, 0, vec_neg(tr->g, trace_base_rate(tr, i, 3)));
        add_cross(tr, &f.dv, i, 3, trace_base_rate(tr, i, 0));
        set_known(tr->t, i, 6, f.known_q);
        set_known(tr->t, i, 3, f.known_v);
    }
    return f;
}

/* tau - h, what is left to accelerate. */
static expr *remainder_of(program *p, const tree *t, const trace_options *o, bool fext, bool falling)
{
    trace *tr = body_trace(p, t, o);
    table h = torques(tr, &(id_inputs){true, true, fext, NULL, falling});
    expr *b = ARENA_ARRAY(p->scratch, expr, t->model->nv);
    for (int i = 1; i < t->n; i++)
        for (int k = 0; k < t->node[i].nv && !t->node[i].dependent; k++) {
            int dof = t->node[i].lane->iv + k;
            b[dof] = graph_sub(tr->g, trace_rate(tr, ARG_TAU_IN, i, k), h.at[dof].value);
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
    expr *qdd = remainder_of(p, t, o, false, true);
    solver *solve = new_solver(p, t, o, s);
    solver_solve(solve, 1, &qdd);
    add_fall(solve->tr, qdd);
    output_vector(program_graph(p), t, qdd, ARG_QDD);
}

static void idsva_text(program *p, const tree *t, const trace_options *o, const strategy *s, bool fext)
{
    trace *tr = new_trace(p, t, s->frame, o);
    id_inputs in = {true, true, fext, text_accelerations(tr, ARG_A), false};
    if (s->looped) {
        large_pairs(p, t, o, &in, false, NULL);
        return;
    }
    table dq = square(tr), dv = square(tr);
    text_idsva(tr, &in, &(idsva_outputs){.dtau_dq = &dq, .dtau_dv = &dv});
    add_friction(tr, &dv);
    table_output(tr, &dq, ARG_DTAU_DQ);
    table_output(tr, &dv, ARG_DTAU_DV);
}

TEXT(idsva) { idsva_text(p, t, o, s, false); }
TEXT(idsva_fext) { idsva_text(p, t, o, s, true); }

TEXT(id_all)
{
    trace *tr = new_trace(p, t, s->frame, o);
    id_inputs in = {true, true, false, text_accelerations(tr, ARG_A), false};
    table tau = table_new(tr, t->model->nv, 1);
    if (s->looped) {
        large_pairs(p, t, o, &in, true, &tau);
        table_output(tr, &tau, ARG_TAU);
        return;
    }
    table dq = square(tr), dv = square(tr), M = square(tr);
    text_idsva(tr, &in, &(idsva_outputs){.dtau_dq = &dq, .dtau_dv = &dv, .M = &M, .tau = &tau});
    add_friction(tr, &dv);
    for (int i = 1; i < t->n; i++)
        for (int k = 0; k < t->node[i].nv; k++) table_add_row(tr, &tau, i, k, trace_friction(tr, i, k));
    table_output(tr, &tau, ARG_TAU);
    table_output_symmetric(tr, &M, ARG_M);
    table_output(tr, &dq, ARG_DTAU_DQ);
    table_output(tr, &dv, ARG_DTAU_DV);
}

static expr *negative_column(solver *s, const table *X, int c)
{
    expr *x = ARENA_ARRAY(s->tr->memory, expr, s->n);
    for (int i = 0; i < s->n; i++) x[i] = graph_neg(s->tr->g, X->at[i * s->n + c].value);
    return x;
}

/* Column c of the solution; x NULL: zero, and what is added. */
static void output_column(solver *s, const rhs *b, int c, const expr *x)
{
    graph *g = s->tr->g;
    for (int i = 0; i < s->n; i++) {
        const expr *added = &b->added->at[i * s->n + c].value;
        graph_set(g, (graph_slot){(int)b->out, i * s->n + c}, x ? graph_add(g, x[i], *added) : *added, 0);
    }
}

typedef struct solving {
    solver *s;
    int n_rhs;
    const rhs *list;
} solving;

/* The columns of a node, of all right-hand sides side by side. */
static void solve_node(void *closure, int i)
{
    const solving *y = closure;
    const tree_node *node = &y->s->tr->t->node[i];
    expr *x[2 * 6], **next = x;
    INVARIANT(y->n_rhs * node->nv <= (int)(sizeof x / sizeof *x));
    for (int k = 0; k < y->n_rhs * node->nv && !node->dependent; k++) {
        int c = node->lane->iv + k / y->n_rhs;
        const rhs *b = &y->list[k % y->n_rhs];
        if (!b->known[c]) *next++ = negative_column(y->s, b->table, c);
    }
    solver_solve(y->s, (int)(next - x), x);
    next = x;
    for (int k = 0; k < y->n_rhs * node->nv && !node->dependent; k++) {
        int c = node->lane->iv + k / y->n_rhs;
        const rhs *b = &y->list[k % y->n_rhs];
        output_column(y->s, b, c, b->known[c] ? NULL : *next++);
    }
}

/* Whether columns are solved for as soon as IDSVA has them: then few of them live at the same time, but in a large
   robot all of the factors are read again each time. A dependent joint may come later than its master. */
static bool solves_at_once(const tree *t, const strategy *s)
{
    return !s->columns && !t->mimic && t->model->nv <= COLUMNS_AT_ONCE;
}

/* dqdd/dx = -M^-1 dID/dx at a = qdd ([SRW21] and [SRW22]): qdd first, then IDSVA there, then the solves. */
static void fdsva_text(program *p, const tree *t, const trace_options *o, const strategy *s, bool fext)
{
    trace *tr = new_trace(p, t, s->frame, o);
    solver *solve;
    if (s->looped) {
        solve = solver_new(tr, SOLVE_AZA, NULL);
    } else if (s->shared_M) {
        table M = square(tr);
        text_idsva(tr, &(id_inputs){0}, &(idsva_outputs){.M = &M});
        solve = solver_new(tr, s->solver, &M);
    } else {
        solve = new_solver(p, t, o, s);
    }
    bool falling = !s->looped;
    expr *qdd = remainder_of(p, t, o, fext, falling), *a = ARENA_ARRAY(p->scratch, expr, t->columns);
    solver_solve(solve, 1, &qdd);
    for (int i = 1; i < t->n; i++)
        for (int k = 0; k < t->node[i].nv; k++) {
            expr e = qdd[t->node[i].lane->iv + k];
            if (t->node[i].dependent) e = graph_mul(tr->g, trace_number(tr, i, &t->node[i].lane->multiplier), e);
            a[t->node[i].column + k] = e;
        }
    if (s->looped) {
        output_vector(program_graph(p), t, qdd, ARG_QDD);
        large_inverse(p, t, o, solve, &(id_inputs){true, true, fext, a, false});
        return;
    }
    table dq = square(tr), dv = square(tr);
    fall f = fall_of(tr);
    const rhs list[] = {{&dq, ARG_DQDD_DQ, &f.dq, f.known_q}, {&dv, ARG_DQDD_DV, &f.dv, f.known_v}, {.out = ARG_MINV}};
    bool at_once = solves_at_once(t, s);
    if (!s->columns) output_inverse(solve);
    add_friction(tr, &dv);
    text_idsva(tr, &(id_inputs){true, true, fext, a, falling},
               &(idsva_outputs){.dtau_dq = &dq,
                                .dtau_dv = &dv,
                                .complete = at_once ? solve_node : NULL,
                                .closure = &(solving){solve, 2, list}});
    if (falling) add_fall(tr, qdd);
    output_vector(program_graph(p), t, qdd, ARG_QDD);
    if (s->columns) text_rows(p, solve, s, 3, list);
    for (int r = 0; r < 2 && !s->columns && !at_once; r++)
        for (int i = 1; i < t->n; i++) solve_node(&(solving){solve, 1, list + r}, i);
}

TEXT(fdsva) { fdsva_text(p, t, o, s, false); }
TEXT(fdsva_fext) { fdsva_text(p, t, o, s, true); }

TEXT(coriolis_matrix)
{
    trace *tr = new_trace(p, t, s->frame, o);
    table C = text_coriolis(tr);
    table_output(tr, &C, ARG_C);
}

TEXT(fk)
{
    (void)s;
    text_poses(new_trace(p, tree_at_links(p->scratch, t), ground_frame(p->scratch, t), o));
}

TEXT(jac)
{
    (void)s;
    text_jacobian(new_trace(p, tree_at_links(p->scratch, t), ground_frame(p->scratch, t), o));
}

#define ARGS(...)                                                                                                      \
    (const arg[]) { __VA_ARGS__, ARG_COUNT }
#define ID  ARG_Q, ARG_V, ARG_A
#define FD  ARG_Q, ARG_V, ARG_TAU_IN
#define DID ARG_DTAU_DQ, ARG_DTAU_DV
#define DFD ARG_QDD, ARG_DQDD_DQ, ARG_DQDD_DV, ARG_MINV

/* clang-format off */
const kernel_info kernel_table[] = {
    {"rnea", "inverse dynamics", "tau = M(q) a + h(q, v)", ARGS(ID),
     ARGS(ARG_TAU), rnea, .by_default = true, .gravity = true},
    {"aba", "forward dynamics", "qdd = M(q)^-1 (tau - h(q, v))", ARGS(FD),
     ARGS(ARG_QDD), aba, .by_default = true, .gravity = true, .inverse = true, .solver = true},
    {"crba", "inertia matrix", "M(q), so that the kinetic energy is v' M v / 2", ARGS(ARG_Q),
     ARGS(ARG_M), crba, .by_default = true, .frames = FRAMES_OWN, .loops = true},
    {"minv", "inverse of the inertia matrix", "minv = M(q)^-1", ARGS(ARG_Q),
     ARGS(ARG_MINV), minv, .by_default = true, .inverse = true, .solver = true, .blocks = true, .loops = true},
    {"bias", "inverse dynamics at zero acceleration", "h(q, v) = tau at a = 0: Coriolis and centrifugal forces, gravity, friction", ARGS(ARG_Q, ARG_V),
     ARGS(ARG_H), bias, .by_default = true, .gravity = true},
    {"gravity", "inverse dynamics at rest", "g(q) = h(q, 0)", ARGS(ARG_Q),
     ARGS(ARG_G), gravity, .by_default = true, .gravity = true},
    {"coriolis", "Coriolis matrix", "C(q, v) with C v = h(q, v) - g(q) without friction; Mdot - 2 C is skew-symmetric", ARGS(ARG_Q, ARG_V),
     ARGS(ARG_C), coriolis_matrix, .frames = FRAMES_OWN},
    {"idsva", "derivatives of inverse dynamics", "dtau_dq[i][j] = d tau_i / d q_j, dtau_dv[i][j] = d tau_i / d v_j of tau = M a + h; d tau / d a is M", ARGS(ID),
     ARGS(DID), idsva, .by_default = true, .gravity = true, .frames = FRAMES_IDSVA, .loops = true},
    {"fdsva", "forward dynamics and its derivatives", "qdd = M^-1 (tau - h); dqdd_dq[i][j] = d qdd_i / d q_j, dqdd_dv[i][j] = d qdd_i / d v_j; d qdd / d tau is minv", ARGS(FD),
     ARGS(DFD), fdsva, .by_default = true, .gravity = true, .inverse = true, .frames = FRAMES_IDSVA, .solver = true, .blocks = true, .loops = true},
    {"id_all", "inverse dynamics, inertia matrix and derivatives", "tau = M a + h; dtau_dq[i][j] = d tau_i / d q_j, dtau_dv[i][j] = d tau_i / d v_j", ARGS(ID),
     ARGS(ARG_TAU, ARG_M, DID), id_all, .by_default = true, .gravity = true, .frames = FRAMES_IDSVA, .loops = true},
    {"fk", "poses of all frames", "pose[f] = [R p]: x_world = R x_frame + p", ARGS(ARG_Q),
     ARGS(ARG_POSE), fk, .by_default = true, .single_bodies = true},
    {"jac", "Jacobians of frames", "(velocity of the frame's origin, angular velocity) = J[f] v, in world axes", ARGS(ARG_Q),
     ARGS(ARG_J), jac, .single_bodies = true},
    {"rnea_fext", "inverse dynamics with external forces", "tau = M(q) a + h(q, v) - sum of J_i' fext_i", ARGS(ID, ARG_FEXT),
     ARGS(ARG_TAU), rnea_fext, .gravity = true, .single_bodies = true},
    {"idsva_fext", "derivatives of inverse dynamics with external forces", "derivatives of tau = M a + h - sum of J_i' fext_i, fext fixed in link axes", ARGS(ID, ARG_FEXT),
     ARGS(DID), idsva_fext, .gravity = true, .single_bodies = true, .frames = FRAMES_IDSVA, .loops = true},
    {"fdsva_fext", "forward dynamics and its derivatives with external forces", "qdd = M^-1 (tau - h + sum of J_i' fext_i) and its derivatives, fext fixed in link axes", ARGS(FD, ARG_FEXT),
     ARGS(DFD), fdsva_fext, .gravity = true, .inverse = true, .single_bodies = true, .frames = FRAMES_IDSVA, .solver = true, .blocks = true, .loops = true},
};
/* clang-format on */
const int kernel_count = sizeof kernel_table / sizeof *kernel_table;

const kernel_info *kernel_find(const char *name)
{
    for (int i = 0; i < kernel_count; i++)
        if (!strcmp(kernel_table[i].name, name)) return &kernel_table[i];
    return NULL;
}

static bool has_arg(const arg *list, arg a)
{
    while (*list != ARG_COUNT && *list != a) list++;
    return *list == a;
}

bool kernel_takes(const kernel_info *k, arg a) { return has_arg(k->in, a); }
bool kernel_gives(const kernel_info *k, arg a) { return has_arg(k->out, a); }

static int append(arg list[ARG_COUNT], int n, arg a)
{
    INVARIANT(n < (int)ARG_COUNT);
    list[n] = a;
    return n + 1;
}

int kernel_args(const kernel_info *k, const trace_options *o, arg list[ARG_COUNT], int *n_in)
{
    int n = 0;
    for (const arg *a = k->in; *a != ARG_COUNT; a++) n = append(list, n, *a);
    if (o->gravity_input && k->gravity) n = append(list, n, ARG_GRAVITY_IN);
    *n_in = n;
    for (const arg *a = k->out; *a != ARG_COUNT; a++) n = append(list, n, *a);
    return n;
}
