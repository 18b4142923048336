#include "trace.h"

#include "base/invariant.h"

/* ---- inputs and constants */

void trace_begin(trace *tr, int i) { graph_begin(tr->g, i ? tr->t->node[i].lane->body + 1 : 0); }

expr trace_number(trace *tr, int i, const double *field)
{
    const tree_node *node = &tr->t->node[i];
    double values[GRAPH_LANES];
    size_t offset = (size_t)((const char *)field - (const char *)&node->lane[0]);
    for (int l = 0; l < node->width; l++)
        values[l] = *(const double *)(const void *)((const char *)&node->lane[l] + offset);
    return graph_tuple(tr->g, node->width, values);
}

static expr input(trace *tr, arg which, int i, int k)
{
    const tree_node *node = &tr->t->node[i];
    graph_slot slots[GRAPH_LANES];
    for (int l = 0; l < node->width; l++)
        slots[l] = (graph_slot){(int)which, (which == ARG_Q ? node->lane[l].iq : node->lane[l].iv) + k};
    return graph_input(tr->g, node->width, slots);
}

expr trace_q(trace *tr, int i, int k)
{
    expr q = input(tr, ARG_Q, i, k);
    const tree_node *node = &tr->t->node[i];
    if (!node->dependent) return q;
    q = graph_mul(tr->g, trace_number(tr, i, &node->lane->multiplier), q);
    return graph_add(tr->g, q, trace_number(tr, i, &node->lane->offset));
}

expr trace_rate(trace *tr, arg which, int i, int k)
{
    expr v = input(tr, which, i, k);
    const tree_node *node = &tr->t->node[i];
    return node->dependent ? graph_mul(tr->g, trace_number(tr, i, &node->lane->multiplier), v) : v;
}

vec trace_gravity(trace *tr)
{
    vec r;
    for (int k = 0; k < 3; k++) {
        graph_slot slot = {ARG_GRAVITY_IN, k};
        r.x[k] =
            tr->options->gravity_input ? graph_input(tr->g, 1, &slot) : graph_const(tr->g, tr->t->model->gravity[k]);
    }
    return r;
}

/* ---- joints */

static step joint_step(trace *tr, int i)
{
    graph *g = tr->g;
    const tree_node *node = &tr->t->node[i];
    expr z = graph_const(g, 0.0), q[7] = {0};
    for (int k = 0; k < sva_joint_table[node->type].nq; k++) q[k] = trace_q(tr, i, k);
#define TURN(angle, px, py, pz)                                                                                        \
    step_turn(g, graph_call(g, OP_COS, angle), graph_call(g, OP_SIN, angle), (vec){{px, py, pz}})
    switch (node->type) {
    case SVA_REVOLUTE:
    case SVA_CONTINUOUS: return TURN(q[0], z, z, z);
    case SVA_PRISMATIC: return step_shift(g, (vec){{z, z, q[0]}});
    case SVA_HELICAL: return TURN(q[0], z, z, graph_mul(g, trace_number(tr, i, &node->lane->pitch), q[0]));
    case SVA_CYLINDRICAL: return TURN(q[1], z, z, q[0]);
    case SVA_PLANAR: return step_turn(g, q[2], q[3], (vec){{q[0], q[1], z}});
    case SVA_TRANSLATION: return step_shift(g, (vec){{q[0], q[1], q[2]}});
    case SVA_SPHERICAL: {
        mat R = mat_quaternion(g, q);
        return step_general(&R, (vec){{z, z, z}});
    }
    case SVA_FLOATING: {
        mat R = mat_quaternion(g, q + 3);
        return step_general(&R, (vec){{q[0], q[1], q[2]}});
    }
    default: INVARIANT(node->type != SVA_FIXED); return step_shift(g, vec_zero(g));
    }
#undef TURN
}

static step placement_step(trace *tr, int i)
{
    const tree_lane *l = tr->t->node[i].lane;
    mat R;
    vec p;
    for (int k = 0; k < 9; k++) R.m[k / 3][k % 3] = trace_number(tr, i, &l->R[k]);
    for (int k = 0; k < 3; k++) p.x[k] = trace_number(tr, i, &l->p[k]);
    return step_general(&R, p);
}

const subspace *trace_subspace(sva_joint_type type)
{
    static const subspace columns[SVA_JOINT_TYPES][6] = {
        [SVA_REVOLUTE] = {{2, -1}},
        [SVA_CONTINUOUS] = {{2, -1}},
        [SVA_PRISMATIC] = {{-1, 2}},
        [SVA_HELICAL] = {{2, 2}}, /* u times the pitch */
        [SVA_CYLINDRICAL] = {{-1, 2}, {2, -1}},
        [SVA_PLANAR] = {{-1, 0}, {-1, 1}, {2, -1}},
        [SVA_SPHERICAL] = {{0, -1}, {1, -1}, {2, -1}},
        [SVA_TRANSLATION] = {{-1, 0}, {-1, 1}, {-1, 2}},
        [SVA_FLOATING] = {{-1, 0}, {-1, 1}, {-1, 2}, {0, -1}, {1, -1}, {2, -1}},
    };
    return columns[type];
}

static motion column(trace *tr, int i, subspace s)
{
    graph *g = tr->g;
    const tree_node *node = &tr->t->node[i];
    motion m = motion_zero(g);
    if (s.w >= 0) {
        m.w = mat_col(&tr->R[i], s.w);
        m.u = vec_cross(g, tr->p[i], m.w);
    }
    if (s.u < 0) return m;
    vec u = mat_col(&tr->R[i], s.u);
    if (node->type == SVA_HELICAL) u = vec_scale(g, trace_number(tr, i, &node->lane->pitch), u);
    m.u = vec_add(g, m.u, u);
    return m;
}

/* ---- poses and edges */

static void pose_from_parent(trace *tr, int i)
{
    graph *g = tr->g;
    int L = tr->t->node[i].parent;
    const step *P = &tr->placement[i], *J = &tr->joint[i];
    mat A = mat_mul(g, &tr->R[L], &P->R);
    vec p = vec_add(g, tr->p[L], mat_vec(g, &tr->R[L], P->p));
    tr->p[i] = vec_add(g, p, mat_vec(g, &A, J->p));
    tr->R[i] = J->kind == STEP_TURN ? mat_turn(g, &A, J->c, J->s) : J->kind == STEP_SHIFT ? A : mat_mul(g, &A, &J->R);
}

/* The parent's pose from node i's, by the inverse transform. */
static void pose_of_parent(trace *tr, int i)
{
    graph *g = tr->g;
    int L = tr->t->node[i].parent;
    const step *P = &tr->placement[i], *J = &tr->joint[i];
    mat A = tr->R[i], Jt = mat_transpose(&J->R), Pt = mat_transpose(&P->R);
    if (J->kind == STEP_TURN) A = mat_turn(g, &A, J->c, graph_neg(g, J->s));
    if (J->kind == STEP_GENERAL) A = mat_mul(g, &A, &Jt);
    vec p = vec_sub(g, tr->p[i], mat_vec(g, &A, J->p));
    tr->R[L] = mat_mul(g, &A, &Pt);
    tr->p[L] = vec_sub(g, p, mat_vec(g, &tr->R[L], P->p));
}

static void poses(trace *tr)
{
    graph *g = tr->g;
    int n = tr->t->n;
    bool *done = ARENA_ARRAY(tr->memory, bool, n);
    for (int r = 0; r < n; r++) {
        if (tr->frame[r] != r) continue;
        tr->R[r] = mat_identity(g);
        tr->p[r] = vec_zero(g);
        done[r] = true;
        for (int i = r; i > 0 && tr->frame[tr->t->node[i].parent] == r; i = tr->t->node[i].parent) {
            pose_of_parent(tr, i);
            done[tr->t->node[i].parent] = true;
        }
    }
    for (int i = 0; i < n; i++) {
        if (done[i]) continue;
        trace_begin(tr, i);
        INVARIANT(tr->frame[i] == tr->frame[tr->t->node[i].parent]);
        pose_from_parent(tr, i);
    }
}

static step inverse_pose(trace *tr, int i)
{
    graph *g = tr->g;
    mat Rt = mat_transpose(&tr->R[i]);
    return step_general(&Rt, vec_neg(g, mat_vec(g, &Rt, tr->p[i])));
}

static edge edge_of(trace *tr, int i)
{
    int L = tr->t->node[i].parent;
    edge e = {0};
    if (tr->frame[i] == tr->frame[L]) return e;
    if (tr->frame[i] != i) e.s[e.n++] = inverse_pose(tr, i);
    e.s[e.n++] = tr->joint[i];
    e.s[e.n++] = tr->placement[i];
    if (tr->frame[L] != L) e.s[e.n++] = step_general(&tr->R[L], tr->p[L]);
    return e;
}

int *trace_body_frames(arena *memory, const tree *t)
{
    int *frame = ARENA_ARRAY(memory, int, t->n);
    for (int i = 0; i < t->n; i++) frame[i] = i;
    return frame;
}

trace *trace_new(arena *memory, graph *g, const tree *t, const int *frame, const trace_options *options)
{
    trace *tr = ARENA_ARRAY(memory, trace, 1);
    *tr = (trace){.g = g, .t = t, .options = options, .frame = frame, .memory = memory};
    tr->placement = ARENA_ARRAY(memory, step, t->n);
    tr->joint = ARENA_ARRAY(memory, step, t->n);
    tr->R = ARENA_ARRAY(memory, mat, t->n);
    tr->p = ARENA_ARRAY(memory, vec, t->n);
    tr->edge = ARENA_ARRAY(memory, edge, t->n);
    tr->S = ARENA_ARRAY(memory, motion, t->columns);
    for (int i = 1; i < t->n; i++) {
        trace_begin(tr, i);
        tr->placement[i] = placement_step(tr, i);
        tr->joint[i] = joint_step(tr, i);
    }
    poses(tr);
    for (int i = 1; i < t->n; i++) {
        trace_begin(tr, i);
        tr->edge[i] = edge_of(tr, i);
        for (int k = 0; k < t->node[i].nv; k++)
            tr->S[t->node[i].column + k] = column(tr, i, trace_subspace(t->node[i].type)[k]);
    }
    return tr;
}

/* ---- rigid-body quantities */

motion trace_down(trace *tr, int i, motion m)
{
    for (int k = tr->edge[i].n - 1; k >= 0; k--) m = step_motion_in(tr->g, &tr->edge[i].s[k], m);
    return m;
}

force trace_up(trace *tr, int i, force f)
{
    for (int k = 0; k < tr->edge[i].n; k++) f = step_force_out(tr->g, &tr->edge[i].s[k], f);
    return f;
}

void trace_sum(trace *tr, int i, expr *x, size_t n)
{
    const tree_node *node = &tr->t->node[i];
    if (node->width == tr->t->node[node->parent].width) return;
    for (size_t k = 0; k < n; k++) x[k] = graph_sum(tr->g, x[k], node->width);
}

/* With X, Y, Z the columns of R:  Sigma = X a' + a X' + Y b' + b Y' + Z c' + c Z' + m p p',
   a = Sxx/2 X + Sxy Y + Sxz Z + hx p,  b = Syy/2 Y + Syz Z + hy p,  c = Szz/2 Z + hz p. */
inertia trace_inertia(trace *tr, int i)
{
    static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    graph *g = tr->g;
    const tree_lane *l = tr->t->node[i].lane;
    expr half = graph_const(g, 0.5);
    inertia I = {trace_number(tr, i, &l->m), vec_zero(g), sym_zero(g)};
    for (int j = 0; j < 3; j++) {
        vec X = mat_col(&tr->R[i], j);
        expr h = trace_number(tr, i, &l->h[j]);
        vec a = vec_scale(g, graph_mul(g, half, trace_number(tr, i, &l->S[at[j][j]])), X);
        for (int k = j + 1; k < 3; k++)
            a = vec_add(g, a, vec_scale(g, trace_number(tr, i, &l->S[at[j][k]]), mat_col(&tr->R[i], k)));
        a = vec_add(g, a, vec_scale(g, h, tr->p[i]));
        sym s = sym_outer2(g, X, a);
        I.S = sym_add(g, &I.S, &s);
        I.h = vec_add(g, I.h, vec_scale(g, h, X));
    }
    sym s = sym_square(g, I.m, tr->p[i]);
    I.S = sym_add(g, &I.S, &s);
    I.h = vec_add(g, I.h, vec_scale(g, I.m, tr->p[i]));
    return I;
}

vec trace_origin(trace *tr, int i)
{
    const double *slide = tr->t->node[i].lane->slide;
    vec x = {{trace_number(tr, i, &slide[0]), trace_number(tr, i, &slide[1]), trace_number(tr, i, &slide[2])}};
    return vec_add(tr->g, tr->p[i], mat_vec(tr->g, &tr->R[i], x));
}

/* External force e in link axes at the link's origin. It comes as (force f, moment n) in the axes and at the origin of
   a frame, x_link = R x + p:  R f and R n + p x R f. */
static force fext_on_link(trace *tr, int e)
{
    graph *g = tr->g;
    const trace_options *o = tr->options;
    force x;
    for (int k = 0; k < 3; k++) {
        x.f.x[k] = graph_input(g, 1, &(graph_slot){ARG_FEXT, 6 * e + k});
        x.n.x[k] = graph_input(g, 1, &(graph_slot){ARG_FEXT, 6 * e + 3 + k});
    }
    if (!o->fext_frames) return x;
    const model_frame *at = &tr->t->model->frames[o->fext_frames[e]];
    mat R = mat_const(g, at->R);
    step pose = step_general(&R, (vec){{graph_const(g, at->p[0]), graph_const(g, at->p[1]), graph_const(g, at->p[2])}});
    return step_force_out(g, &pose, x);
}

force trace_fext(trace *tr, int i)
{
    graph *g = tr->g;
    const tree_node *node = &tr->t->node[i];
    force sum = force_zero(g);
    mat A;
    for (int k = 0; k < 9; k++) A.m[k / 3][k % 3] = trace_number(tr, i, &node->lane->A[k]);
    for (int e = 0; e < tr->options->n_fext; e++) {
        if (tr->options->fext[e] != node->lane->body) continue;
        INVARIANT(node->width == 1);
        force x = fext_on_link(tr, e), turned = {mat_tvec(g, &A, x.n), mat_tvec(g, &A, x.f)};
        sum = force_add(g, sum, turned);
    }
    step pose = step_general(&tr->R[i], trace_origin(tr, i));
    return step_force_out(g, &pose, sum);
}

/* ---- tables of results */

table table_new(trace *tr, int rows, int cols)
{
    table x = {rows, cols, ARENA_ARRAY(tr->memory, cell, (size_t)rows * (size_t)cols)};
    expr z = graph_const(tr->g, 0.0);
    for (int i = 0; i < rows * cols; i++) x.at[i].value = z;
    return x;
}

static expr weighted(trace *tr, int i, expr value)
{
    const tree_node *node = &tr->t->node[i];
    return node->dependent ? graph_mul(tr->g, trace_number(tr, i, &node->lane->multiplier), value) : value;
}

static void cell_add(trace *tr, cell *c, expr value, int lane)
{
    INVARIANT(graph_zero(tr->g, c->value) || c->lane == lane);
    *c = (cell){graph_add(tr->g, c->value, value), lane};
}

static int lane_dof(const tree_node *node, int lane, int k) { return node->lane[node->width > 1 ? lane : 0].iv + k; }

void table_add_row(trace *tr, table *x, int i, int k, expr value)
{
    const tree_node *node = &tr->t->node[i];
    value = weighted(tr, i, value);
    for (int lane = 0; lane < node->width; lane++) cell_add(tr, &x->at[lane_dof(node, lane, k)], value, lane);
}

void table_add(trace *tr, table *x, int i, int k, int j, int l, expr value)
{
    const tree_node *a = &tr->t->node[i], *b = &tr->t->node[j];
    int width = a->width > b->width ? a->width : b->width;
    value = weighted(tr, j, weighted(tr, i, value));
    for (int lane = 0; lane < width; lane++)
        cell_add(tr, &x->at[lane_dof(a, lane, k) * x->cols + lane_dof(b, lane, l)], value, lane);
}

void table_output(trace *tr, const table *x, arg which)
{
    for (int i = 0; i < x->rows * x->cols; i++)
        graph_set(tr->g, (graph_slot){(int)which, i}, x->at[i].value, x->at[i].lane);
}

void table_output_symmetric(trace *tr, const table *x, arg which)
{
    for (int i = 0; i < x->rows; i++)
        for (int j = 0; j < x->cols; j++) {
            const cell *c = &x->at[i > j ? i * x->cols + j : j * x->cols + i];
            graph_set(tr->g, (graph_slot){(int)which, i * x->cols + j}, c->value, c->lane);
        }
}

/* ---- free bases */

bool trace_is_free(const trace *tr, int i)
{
    const tree_node *node = &tr->t->node[i];
    if (node->parent || node->type != SVA_FLOATING || node->dependent) return false;
    for (int l = 0; l < node->width; l++)
        for (int k = 0; k < 6; k++) {
            const tree_lane *lane = &node->lane[l];
            bool rubs = tr->options->friction != FRICTION_NONE && (lane->damping[k] != 0 || lane->friction[k] != 0);
            if (lane->armature[k] != 0 || rubs) return false;
        }
    return true;
}

vec trace_fall(trace *tr, int i)
{
    return step_in(tr->g, &tr->joint[i], step_in(tr->g, &tr->placement[i], trace_gravity(tr)));
}

vec trace_base_rate(trace *tr, int i, int k)
{
    return (vec){{trace_rate(tr, ARG_V, i, k), trace_rate(tr, ARG_V, i, k + 1), trace_rate(tr, ARG_V, i, k + 2)}};
}

/* ---- friction: damping v + friction tanh(v / width) */

static expr slope(trace *tr, int i, int k)
{
    expr v = trace_rate(tr, ARG_V, i, k);
    return graph_call(tr->g, OP_TANH, graph_mul(tr->g, graph_const(tr->g, 1 / tr->options->friction_width), v));
}

expr trace_friction(trace *tr, int i, int k)
{
    graph *g = tr->g;
    const tree_lane *l = tr->t->node[i].lane;
    if (tr->options->friction == FRICTION_NONE) return graph_const(g, 0.0);
    expr r = graph_mul(g, trace_number(tr, i, &l->damping[k]), trace_rate(tr, ARG_V, i, k));
    if (tr->options->friction == FRICTION_VISCOUS) return r;
    return graph_add(g, r, graph_mul(g, trace_number(tr, i, &l->friction[k]), slope(tr, i, k)));
}

expr trace_friction_dv(trace *tr, int i, int k)
{
    graph *g = tr->g;
    const tree_lane *l = tr->t->node[i].lane;
    if (tr->options->friction == FRICTION_NONE) return graph_const(g, 0.0);
    expr r = trace_number(tr, i, &l->damping[k]);
    if (tr->options->friction == FRICTION_VISCOUS) return r;
    expr t = slope(tr, i, k),
         c = graph_mul(g, trace_number(tr, i, &l->friction[k]), graph_const(g, 1 / tr->options->friction_width));
    return graph_add(g, r, graph_mul(g, c, graph_sub(g, graph_const(g, 1.0), graph_mul(g, t, t))));
}
