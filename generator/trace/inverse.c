/* Inverse dynamics, its derivatives and the inertia matrix. */
#include "large.h"

#include <stdlib.h>

#define ADD(a, b) graph_add(g, a, b)
#define SUB(a, b) graph_sub(g, a, b)
#define MUL(a, b) graph_mul(g, a, b)

static const tree_node *node_of(const trace *tr, int i) { return &tr->t->node[i]; }

expr *text_accelerations(trace *tr, arg which)
{
    expr *a = ARENA_ARRAY(tr->memory, expr, tr->t->columns);
    for (int i = 1; i < tr->t->n; i++)
        for (int k = 0; k < node_of(tr, i)->nv; k++) a[node_of(tr, i)->column + k] = trace_rate(tr, which, i, k);
    return a;
}

static bool falls(const trace *tr, const id_inputs *in, int i) { return in->falling && trace_is_free(tr, i); }

static expr velocity(trace *tr, const id_inputs *in, int i, int k)
{
    bool zero = !in->use_v || (falls(tr, in, i) && k < 3);
    return zero ? graph_const(tr->g, 0.0) : trace_rate(tr, ARG_V, i, k);
}

static expr acceleration(trace *tr, const id_inputs *in, int i, int k)
{
    return in->a ? in->a[node_of(tr, i)->column + k] : graph_const(tr->g, 0.0);
}

/* ---- Newton and Euler in body frames, with the acceleration b of the frame's origin in the classical sense, so that
   no linear velocity is needed. With U = wd x + w x w x, the matrix that gives points of the body their acceleration:
     b_i = R'(b_L + U_L p) + 2 w_L x u_J + u_J' + w_J x u_J,  wd_i = R' wd_L + w_J' + w_L x w_J
     f = m b + U h,  n = h x b + axial(U Sigma),  axial(X) = (X_zy - X_yz, X_xz - X_zx, X_yx - X_xy)   */

typedef struct newton {
    vec w, wd, b;
    mat U;
} newton;

static mat acceleration_matrix(graph *g, vec w, vec wd)
{
    expr xx = MUL(w.x[0], w.x[0]), yy = MUL(w.x[1], w.x[1]), zz = MUL(w.x[2], w.x[2]);
    expr xy = MUL(w.x[0], w.x[1]), xz = MUL(w.x[0], w.x[2]), yz = MUL(w.x[1], w.x[2]);
    return (mat){{{graph_neg(g, ADD(yy, zz)), SUB(xy, wd.x[2]), ADD(xz, wd.x[1])},
                  {ADD(xy, wd.x[2]), graph_neg(g, ADD(xx, zz)), SUB(yz, wd.x[0])},
                  {SUB(xz, wd.x[1]), ADD(yz, wd.x[0]), graph_neg(g, ADD(xx, yy))}}};
}

/* sum over columns of (constant unit column) * rate: the joint's motion in its own frame. */
static motion joint_motion(trace *tr, int i, const expr *rate)
{
    motion m = motion_zero(tr->g);
    for (int k = 0; k < node_of(tr, i)->nv; k++)
        m = motion_add(tr->g, m, motion_scale(tr->g, rate[k], tr->S[node_of(tr, i)->column + k]));
    return m;
}

static newton newton_step(trace *tr, const id_inputs *in, int i, const newton *L)
{
    graph *g = tr->g;
    expr qd[6], qdd[6];
    for (int k = 0; k < node_of(tr, i)->nv; k++) qd[k] = velocity(tr, in, i, k), qdd[k] = acceleration(tr, in, i, k);
    motion vJ = joint_motion(tr, i, qd), aJ = joint_motion(tr, i, qdd);
    const step *P = &tr->placement[i], *J = &tr->joint[i];
    vec w = step_in(g, J, step_in(g, P, L->w)), wd = step_in(g, J, step_in(g, P, L->wd));
    vec p = step_point(g, P, J->p); /* origin in the parent's frame */
    vec at_rest = falls(tr, in, i) ? vec_zero(g) : L->b;
    vec b = step_in(g, J, step_in(g, P, vec_add(g, at_rest, mat_vec(g, &L->U, p))));
    newton r;
    r.w = vec_add(g, w, vJ.w);
    r.wd = vec_add(g, vec_add(g, wd, aJ.w), vec_cross(g, w, vJ.w));
    vec twice = vec_cross(g, vec_add(g, vec_add(g, w, w), vJ.w), vJ.u); /* 2 w_L x u_J + w_J x u_J */
    r.b = vec_add(g, vec_add(g, b, aJ.u), twice);
    r.U = acceleration_matrix(g, r.w, r.wd);
    return r;
}

static force newton_force(trace *tr, int i, const newton *k)
{
    graph *g = tr->g;
    inertia I = trace_inertia(tr, i);
    mat S = sym_mat(&I.S), US = mat_mul(g, &k->U, &S);
    vec axial = {{SUB(US.m[2][1], US.m[1][2]), SUB(US.m[0][2], US.m[2][0]), SUB(US.m[1][0], US.m[0][1])}};
    return (force){vec_add(g, axial, vec_cross(g, I.h, k->b)),
                   vec_add(g, vec_scale(g, I.m, k->b), mat_vec(g, &k->U, I.h))};
}

expr *text_rnea(trace *tr, const id_inputs *in)
{
    graph *g = tr->g;
    int n = tr->t->n;
    newton *kin = ARENA_ARRAY(tr->memory, newton, n);
    force *f = ARENA_ARRAY(tr->memory, force, n);
    expr *tau = ARENA_ARRAY(tr->memory, expr, tr->t->columns);
    kin[0] = (newton){vec_zero(g), vec_zero(g), vec_zero(g), mat_const(g, (const double[9]){0})};
    if (in->use_gravity) kin[0].b = vec_neg(g, trace_gravity(tr));
    for (const int *walk = tree_walk(tr->memory, tr->t); *walk; walk++) {
        int i = abs(*walk), L = node_of(tr, i)->parent, c = node_of(tr, i)->column;
        trace_begin(tr, i);
        if (*walk > 0) {
            kin[i] = newton_step(tr, in, i, &kin[L]);
            f[i] = newton_force(tr, i, &kin[i]);
            if (in->use_fext) f[i] = force_sub(g, f[i], trace_fext(tr, i));
            continue;
        }
        for (int k = 0; k < node_of(tr, i)->nv; k++) {
            expr rotor = MUL(trace_number(tr, i, &node_of(tr, i)->lane->armature[k]), acceleration(tr, in, i, k));
            tau[c + k] = ADD(motion_dot(g, tr->S[c + k], f[i]), rotor);
        }
        if (!L) continue;
        force up = trace_up(tr, i, f[i]);
        TRACE_SUM(tr, i, &up);
        f[L] = force_add(g, f[L], up);
    }
    return tau;
}

/* ---- the inertia matrix: t1 = I^C S, M_ij = S_j . t1_i for j an ancestor of i or i itself */

static inertia inertia_up(trace *tr, int i, inertia I)
{
    for (int k = 0; k < tr->edge[i].n; k++) I = step_inertia_out(tr->g, &tr->edge[i].s[k], &I);
    return I;
}

void text_add_armature(trace *tr, table *M)
{
    for (int i = 1; i < tr->t->n; i++)
        for (int k = 0; k < node_of(tr, i)->nv; k++)
            table_add(tr, M, i, k, i, k, trace_number(tr, i, &node_of(tr, i)->lane->armature[k]));
}

/* The lower triangle of a reduced table: with dependent joints an entry (i, j) may belong above the diagonal, or, for
   two joints of one master, count twice on it. */
static void add_symmetric(trace *tr, table *M, int i, int k, int j, int l, expr value)
{
    const tree_lane *a = node_of(tr, i)->lane, *b = node_of(tr, j)->lane;
    if (a->iv + k < b->iv + l)
        table_add(tr, M, j, l, i, k, value);
    else
        table_add(tr, M, i, k, j, l, value);
    bool twice = (i != j || k != l) && a->iv + k == b->iv + l;
    if (twice) table_add(tr, M, i, k, j, l, value);
}

table text_crba(trace *tr)
{
    graph *g = tr->g;
    int n = tr->t->n;
    table M = table_new(tr, tr->t->model->nv, tr->t->model->nv);
    inertia *I = ARENA_ARRAY(tr->memory, inertia, n);
    for (const int *walk = tree_walk(tr->memory, tr->t); *walk; walk++) {
        int i = abs(*walk);
        const tree_node *b = node_of(tr, i);
        trace_begin(tr, i);
        if (*walk > 0) {
            I[i] = trace_inertia(tr, i);
            continue;
        }
        for (int k = 0; k < b->nv; k++) {
            force t1 = inertia_mul(g, &I[i], tr->S[b->column + k]);
            for (int l = 0; l <= k; l++) add_symmetric(tr, &M, i, k, i, l, motion_dot(g, tr->S[b->column + l], t1));
            for (int j = i; node_of(tr, j)->parent; j = node_of(tr, j)->parent) {
                int L = node_of(tr, j)->parent;
                t1 = trace_up(tr, j, t1);
                for (int l = 0; l < node_of(tr, L)->nv; l++)
                    add_symmetric(tr, &M, i, k, L, l, motion_dot(g, tr->S[node_of(tr, L)->column + l], t1));
            }
        }
        if (b->parent) {
            inertia up = inertia_up(tr, i, I[i]);
            TRACE_SUM(tr, i, &up);
            I[b->parent] = inertia_add(g, &I[b->parent], &up);
        }
    }
    text_add_armature(tr, &M);
    return M;
}

/* ---- IDSVA ([SRW22], algorithm 1; docs/MATH.md), with the 12-number Coriolis matrix
     B(v, I) = [ -w x Sigma - h x u x   0 ; -(p x)  0 ],  p = m u + w x h,  h x u x = u h' - (h.u) 1.
   B is kept for 2 v, so that no factor 2 is left in t2, t3, t4:  f = I a + B(v) v = I a + B(2v) v/2. */

typedef struct idsva_body {
    motion v, a;
    inertia I;
    coriolis B;
    force f;
} idsva_body;

typedef struct idsva {
    trace *tr;
    const id_inputs *in;
    idsva_body *b;
    motion *Psi1, *Psi2, *D; /* D = Sdot + Psi1 */
} idsva;

static coriolis coriolis_of(graph *g, motion v, const inertia *I)
{
    mat S = sym_mat(&I->S);
    coriolis c;
    c.p = vec_add(g, vec_scale(g, I->m, v.u), vec_cross(g, v.w, I->h));
    expr hu = vec_dot(g, I->h, v.u);
    for (int j = 0; j < 3; j++) {
        vec wS = vec_cross(g, v.w, mat_col(&S, j));
        for (int i = 0; i < 3; i++) {
            expr e = ADD(wS.x[i], MUL(v.u.x[i], I->h.x[j]));
            c.B.m[i][j] = i == j ? SUB(hu, e) : graph_neg(g, e);
        }
    }
    return c;
}

/* B s for a motion s: (B11 w ; w x p). */
static force coriolis_mul(graph *g, const coriolis *B, motion s)
{
    return (force){mat_vec(g, &B->B, s.w), vec_cross(g, s.w, B->p)};
}

/* The angular half of B' s, for a motion s: B11' w + p x u. The linear half is zero. */
static vec coriolis_tmul(graph *g, const coriolis *B, motion s)
{
    return vec_add(g, mat_tvec(g, &B->B, s.w), vec_cross(g, B->p, s.u));
}

static idsva new_idsva(trace *tr, const id_inputs *in)
{
    int columns = tr->t->columns;
    idsva x = {tr,
               in,
               ARENA_ARRAY(tr->memory, idsva_body, tr->t->n),
               ARENA_ARRAY(tr->memory, motion, columns),
               ARENA_ARRAY(tr->memory, motion, columns),
               ARENA_ARRAY(tr->memory, motion, columns)};
    x.b[0].v = x.b[0].a = motion_zero(tr->g);
    if (in->use_gravity) x.b[0].a.u = vec_neg(tr->g, mat_vec(tr->g, &tr->R[0], trace_gravity(tr)));
    return x;
}

static void idsva_forward(idsva *x, int i)
{
    trace *tr = x->tr;
    graph *g = tr->g;
    const tree_node *node = node_of(tr, i);
    idsva_body *b = &x->b[i], *L = &x->b[node->parent];
    motion vL = trace_down(tr, i, L->v), aL = falls(tr, x->in, i) ? motion_zero(g) : trace_down(tr, i, L->a);
    b->v = vL;
    for (int k = 0; k < node->nv; k++)
        b->v = motion_add(g, b->v, motion_scale(g, velocity(tr, x->in, i, k), tr->S[node->column + k]));
    b->a = aL;
    for (int k = 0; k < node->nv; k++) {
        int c = node->column + k;
        motion S = tr->S[c], P = motion_cross(g, vL, S);
        motion Sdot = node->nv > 1 ? motion_cross(g, b->v, S) : P;
        x->Psi1[c] = P;
        x->Psi2[c] = motion_add(g, motion_cross(g, aL, S), motion_cross(g, vL, P));
        x->D[c] = motion_add(g, Sdot, P);
        b->a = motion_add(g, b->a, motion_scale(g, acceleration(tr, x->in, i, k), S));
        b->a = motion_add(g, b->a, motion_scale(g, velocity(tr, x->in, i, k), Sdot));
    }
    b->I = trace_inertia(tr, i);
    b->B = coriolis_of(g, motion_add(g, b->v, b->v), &b->I);
    motion half = {vec_scale(g, graph_const(g, 0.5), b->v.w), vec_zero(g)};
    b->f = force_add(g, inertia_mul(g, &b->I, b->a), coriolis_mul(g, &b->B, half));
    if (x->in->use_fext) b->f = force_sub(g, b->f, trace_fext(tr, i));
}

/* The pairs of column (i, k) with every column of node j; same: j is i itself. */
static void idsva_pairs(idsva *x, int i, int k, int j, const force t[3], vec t4, const idsva_outputs *out)
{
    trace *tr = x->tr;
    graph *g = tr->g;
    for (int l = 0; l < node_of(tr, j)->nv; l++) {
        int c = node_of(tr, j)->column + l;
        motion S = tr->S[c];
        if (out->dtau_dq)
            table_add(tr, out->dtau_dq, i, k, j, l, ADD(vec_dot(g, x->Psi1[c].w, t4), motion_dot(g, x->Psi2[c], t[0])));
        if (out->dtau_dv)
            table_add(tr, out->dtau_dv, i, k, j, l, ADD(vec_dot(g, S.w, t4), motion_dot(g, x->D[c], t[0])));
        if (out->M && (i != j || l <= k)) add_symmetric(tr, out->M, i, k, j, l, motion_dot(g, S, t[0]));
        if (i == j) continue;
        if (out->dtau_dv) table_add(tr, out->dtau_dv, j, l, i, k, motion_dot(g, S, t[1]));
        if (out->dtau_dq) table_add(tr, out->dtau_dq, j, l, i, k, motion_dot(g, S, t[2]));
    }
}

static void idsva_column(idsva *x, int i, int k, const idsva_outputs *out)
{
    trace *tr = x->tr;
    graph *g = tr->g;
    const idsva_body *b = &x->b[i];
    int c = node_of(tr, i)->column + k;
    motion S = tr->S[c];
    force t[3];
    trace_begin(tr, i);
    t[0] = inertia_mul(g, &b->I, S);
    t[1] = force_add(g, coriolis_mul(g, &b->B, S), inertia_mul(g, &b->I, x->D[c]));
    t[2] = force_add(g, force_add(g, coriolis_mul(g, &b->B, x->Psi1[c]), inertia_mul(g, &b->I, x->Psi2[c])),
                     force_cross(g, S, b->f));
    vec t4 = coriolis_tmul(g, &b->B, S);
    if (out->columns) {
        large_column(g, c, &(large_vectors){S, x->Psi1[c], x->Psi2[c], x->D[c], {t[0], t[1], t[2]}, t4});
        return;
    }
    idsva_pairs(x, i, k, i, t, t4, out);
    for (int j = i; node_of(tr, j)->parent; j = node_of(tr, j)->parent) {
        force t4f = {t4, vec_zero(g)};
        trace_begin(tr, i);
        for (int m = 0; m < 3; m++) t[m] = trace_up(tr, j, t[m]);
        t4 = trace_up(tr, j, t4f).n;
        idsva_pairs(x, i, k, node_of(tr, j)->parent, t, t4, out);
    }
}

static void idsva_up(idsva *x, int i)
{
    trace *tr = x->tr;
    graph *g = tr->g;
    idsva_body *b = &x->b[i], *L = &x->b[node_of(tr, i)->parent];
    inertia I = inertia_up(tr, i, b->I);
    coriolis B = b->B;
    for (int k = 0; k < tr->edge[i].n; k++) B = step_coriolis_out(g, &tr->edge[i].s[k], &B);
    force f = trace_up(tr, i, b->f);
    TRACE_SUM(tr, i, &I);
    TRACE_SUM(tr, i, &B);
    TRACE_SUM(tr, i, &f);
    L->I = inertia_add(g, &L->I, &I);
    L->B = coriolis_add(g, &L->B, &B);
    L->f = force_add(g, L->f, f);
}

static void idsva_backward(idsva *x, int i, const idsva_outputs *out)
{
    trace *tr = x->tr;
    const tree_node *b = node_of(tr, i);
    for (int k = 0; k < b->nv; k++) {
        idsva_column(x, i, k, out);
        if (!out->tau) continue;
        expr rotor = graph_mul(tr->g, trace_number(tr, i, &b->lane->armature[k]), acceleration(tr, x->in, i, k));
        table_add_row(tr, out->tau, i, k, graph_add(tr->g, motion_dot(tr->g, tr->S[b->column + k], x->b[i].f), rotor));
    }
    if (b->parent) idsva_up(x, i);
    if (out->complete) out->complete(out->closure, i);
}

/* Limb after limb, out and back: then what is known of the bodies of one is not kept while another is visited. */
void text_idsva(trace *tr, const id_inputs *in, const idsva_outputs *out)
{
    idsva x = new_idsva(tr, in);
    for (const int *walk = tree_walk(tr->memory, tr->t); *walk; walk++) {
        trace_begin(tr, abs(*walk));
        if (*walk > 0)
            idsva_forward(&x, *walk);
        else
            idsva_backward(&x, -*walk, out);
    }
    if (out->M) text_add_armature(tr, out->M);
}

/* ---- the Coriolis matrix ([SRW21], equation 23), with B^C half of what IDSVA's bodies have:
       C_ij = S_i . (B^C S_j + I^C Sdot_j),   B^C and I^C of the outer one of the two bodies.
   Then C v = h - g, and Mdot - 2 C is skew-symmetric. */

static void coriolis_column(idsva *x, int i, int k, table *C)
{
    trace *tr = x->tr;
    graph *g = tr->g;
    const idsva_body *b = &x->b[i];
    expr half = graph_const(g, 0.5);
    int c = node_of(tr, i)->column + k;
    motion S = tr->S[c], Sdot = motion_add(g, x->D[c], motion_scale(g, graph_const(g, -1.0), x->Psi1[c]));
    force t1 = inertia_mul(g, &b->I, S), below = {vec_scale(g, half, coriolis_tmul(g, &b->B, S)), vec_zero(g)};
    force above = force_add(g, force_scale(g, half, coriolis_mul(g, &b->B, S)), inertia_mul(g, &b->I, Sdot));
    for (int j = i; j > 0; j = node_of(tr, j)->parent) {
        trace_begin(tr, i);
        for (int l = 0; l < node_of(tr, j)->nv; l++) {
            int d = node_of(tr, j)->column + l;
            motion outer = motion_add(g, x->D[d], motion_scale(g, graph_const(g, -1.0), x->Psi1[d]));
            table_add(tr, C, i, k, j, l, ADD(motion_dot(g, tr->S[d], below), motion_dot(g, outer, t1)));
            if (i != j) table_add(tr, C, j, l, i, k, motion_dot(g, tr->S[d], above));
        }
        t1 = trace_up(tr, j, t1);
        below = trace_up(tr, j, below);
        above = trace_up(tr, j, above);
    }
}

table text_coriolis(trace *tr)
{
    table C = table_new(tr, tr->t->model->nv, tr->t->model->nv);
    idsva x = new_idsva(tr, &(id_inputs){.use_v = true});
    for (const int *walk = tree_walk(tr->memory, tr->t); *walk; walk++) {
        int i = abs(*walk);
        trace_begin(tr, i);
        if (*walk > 0) idsva_forward(&x, i);
        for (int k = 0; k < node_of(tr, i)->nv && *walk < 0; k++) coriolis_column(&x, i, k, &C);
        if (*walk < 0 && node_of(tr, i)->parent) idsva_up(&x, i);
    }
    return C;
}
