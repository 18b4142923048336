/* Second derivatives of inverse dynamics in the ground frame ([SRW22b], appendix B): N d^2 operations.

   For bodies k <= j <= i on one path, every entry is a product of a vector that belongs to the pair (i, j) with S_k,
   Sdot_k + Psi1_k, Psi1_k or Psi2_k; so the inner loop over k has only inner products. The matrices of a degree of
   freedom i keep the forms of a Coriolis matrix (12 numbers) and of an inertia (9):

       Bs = 2 B_i^C[S_i]
       E  = 2 (B_i^C[Psi1_i] + S_i x* B_i^C - B_i^C S_i x)
       A2 = S_i x* I_i^C - I_i^C S_i x

   Where the listing (Algorithm 1) and the appendix differ, or the appendix has a sign or a term that does not fit, the
   derivation decided, with these two identities:

       v x m . f = -m . (v x* f)
       2 B[u] w - 2 B[w] u = -2 I (u x w)

   An entry is linear in the joint's S, so a dependent joint is one whose columns are scaled by its multiplier and whose
   entries are added to its master's. */
#include "sva_idsva.h"

/* A degree of freedom: its body, its slot in the user's v, its columns. */
typedef struct freedom {
    int body, slot;
    const real *S, *SdotPsi1, *Psi1, *Psi2;
} freedom;

/* Degree of freedom i and what its subtree contributes; t1 to t4 as in the first order. */
typedef struct row {
    freedom i;
    const inertia *I;
    terms t;
    half_map Bs, E;
    inertia A2;
} row;

/* One of the tensors. */
typedef struct tensor {
    int n;
    real *at;
} tensor;

typedef void pair_entries(const sva_model *m, SVA(workspace) * w, const row *r, const freedom *j, tensor T);

static void put(tensor T, const freedom *i, const freedom *j, const freedom *k, real x)
{
    T.at[((size_t)i->slot * (size_t)T.n + (size_t)j->slot) * (size_t)T.n + (size_t)k->slot] += x;
}

static freedom freedom_of(const sva_model *m, SVA(workspace) * w, int body, int t)
{
    const sva_body *b = m->bodies + body;
    freedom d = {body, b->iv + t - b->jv, w->S[t], w->SdotPsi1[t], w->Psi1[t], w->Psi2[t]};
    return d;
}

/* Every degree of freedom from the joint of a body to the ground; `k` is what the text after it uses. */
#define ON_PATH(k, from)                                                                                               \
    for (int body_ = (from); body_ >= 0; body_ = m->bodies[body_].parent)                                              \
        for (int t_ = m->bodies[body_].jv, once_; t_ < m->bodies[body_].jv + m->bodies[body_].mv; t_++)                \
            for (freedom k = freedom_of(m, w, body_, (once_ = 1, t_)); once_; once_ = 0)

/* y = dK along the motion s = (w; u): A = w x A - A w x - u x p x,  p = w x p. */
static void add_half_rate(const real s[6], const half_map *K, half_map *out)
{
    for (int c = 0; c < 3; c++) {
        real column[3] = {K->A[c], K->A[3 + c], K->A[6 + c]}, turned[3];
        cross3(s, column, turned);
        for (int r = 0; r < 3; r++) out->A[3 * r + c] += turned[r];
    }
    for (int r = 0; r < 3; r++) add_cross3(s, K->A + 3 * r, out->A + 3 * r); /* -A w x: rows w x A_r */
    add_cross_cross((real)-1, s + 3, K->p, out->A);
    add_cross3(s, K->p, out->p);
}

/* dI along the motion s: h = w x h + m u,  Ibar = W + W' + 2 (u.h) 1 - u h' - h u'  with W = w x Ibar. */
static void inertia_rate(const real s[6], const inertia *I, inertia *out)
{
    const real *w = s, *u = s + 3, *J = I->I, *h = I->h;
    out->m = (real)0;
    for (int k = 0; k < 3; k++) out->h[k] = I->m * u[k];
    add_cross3(w, h, out->h);
    real d = 2 * dot3(u, h);
    out->I[0] = 2 * (w[1] * J[2] - w[2] * J[1] - u[0] * h[0]) + d;
    out->I[3] = 2 * (w[2] * J[1] - w[0] * J[4] - u[1] * h[1]) + d;
    out->I[5] = 2 * (w[0] * J[4] - w[1] * J[2] - u[2] * h[2]) + d;
    out->I[1] = w[1] * J[4] - w[2] * J[3] + w[2] * J[0] - w[0] * J[2] - u[0] * h[1] - h[0] * u[1];
    out->I[2] = w[1] * J[5] - w[2] * J[4] + w[0] * J[1] - w[1] * J[0] - u[0] * h[2] - h[0] * u[2];
    out->I[4] = w[2] * J[2] - w[0] * J[5] + w[0] * J[3] - w[1] * J[1] - u[1] * h[2] - h[1] * u[2];
}

static void fill_row(SVA(workspace) * w, const freedom *i, int t, row *r)
{
    const inertia *I = w->I + i->body;
    r->i = *i;
    r->I = I;
    column_terms(w, i->body, t, &r->t);
    coriolis_twice(i->S, I, &r->Bs);
    coriolis_twice(i->Psi1, I, &r->E);
    add_half_rate(i->S, w->B + i->body, &r->E);
    inertia_rate(i->S, I, &r->A2);
}

/* d2tau_i/dq_j dq_k = Psi1_k . (S_j x* t4 - Bs' Psi1_j) + Psi2_k . (S_j x* t1)                 k <= j <= i
   d2tau_k/dq_i dq_j = S_k . (S_j x* t3 + E Psi1_j + A2 Psi2_j)                                 k < j <= i
   d2tau_j/dq_k dq_i = Psi1_k . E' S_j + Psi2_k . A2 S_j                                        k <= j < i
   and with the two q exchanged, where they belong to different joints. */
static void pair_qq(const sva_model *m, SVA(workspace) * w, const row *r, const freedom *j, tensor T)
{
    const freedom *i = &r->i;
    real x[3], a1[6], y[6], t[6], z1[3], z2[6];
    half_transpose_times(&r->Bs, j->Psi1, t);
    cross3(j->S, r->t.t4, x);
    subtract(3, t, x);
    cross_force(j->S, r->t.t1, a1);
    half_times(&r->E, j->Psi1, y);
    inertia_times(&r->A2, j->Psi2, t);
    add(6, t, y);
    add_cross_force(j->S, r->t.t3, y);
    half_transpose_times(&r->E, j->S, z1);
    inertia_times(&r->A2, j->S, z2);
    ON_PATH(k, j->body)
    {
        real ijk = dot3(k.Psi1, x) + dot6(k.Psi2, a1);
        put(T, i, j, &k, ijk);
        if (k.body != j->body) {
            real kij = dot6(k.S, y);
            put(T, i, &k, j, ijk);
            put(T, &k, i, j, kij);
            if (j->body != i->body) put(T, &k, j, i, kij);
        }
        if (j->body != i->body) {
            real jki = dot3(k.Psi1, z1) + dot6(k.Psi2, z2);
            put(T, j, &k, i, jki);
            put(T, j, i, &k, jki);
        }
    }
}

/* d2tau_i/dv_j dv_k = -S_k . Bs' S_j  (k < j <= i),  -S_k . A2 S_j  (k = j <= i)
   d2tau_k/dv_i dv_j = S_k . Bs S_j  (k < j < i),  S_k . (S_j x* I^C S_i + S_i x* I^C S_j)  (k < j = i)
   d2tau_j/dv_k dv_i = S_k . Bs' S_j  (k <= j < i),  and with the two v exchanged. */
static void pair_vv(const sva_model *m, SVA(workspace) * w, const row *r, const freedom *j, tensor T)
{
    const freedom *i = &r->i;
    real x[3], y[6], z[6], t[6];
    half_transpose_times(&r->Bs, j->S, x);
    inertia_times(&r->A2, j->S, z);
    if (j->body != i->body)
        half_times(&r->Bs, j->S, y);
    else {
        inertia_times(r->I, j->S, t);
        cross_force(i->S, t, y);
        add_cross_force(j->S, r->t.t1, y);
    }
    ON_PATH(k, j->body)
    {
        real jki = dot3(k.S, x);
        if (k.body != j->body) {
            real kij = dot6(k.S, y);
            put(T, i, j, &k, -jki);
            put(T, i, &k, j, -jki);
            put(T, &k, i, j, kij);
            if (j->body != i->body) put(T, &k, j, i, kij);
        } else
            put(T, i, j, &k, -dot6(k.S, z));
        if (j->body != i->body) {
            put(T, j, &k, i, jki);
            put(T, j, i, &k, jki);
        }
    }
}

/* d2tau_i/dq_k dv_j = -Psi1_k . Bs' S_j  (k <= j <= i),   d2tau_j/dq_k dv_i = Psi1_k . Bs' S_j  (k <= j < i)
   d2tau_i/dq_j dv_k = S_k . (S_j x* t4 - Bs Psi1_j + 2 Psi1_j x* t1) + (Sdot_k + Psi1_k) . (S_j x* t1)    k < j <= i
   d2tau_k/dq_j dv_i = S_k . (S_j x* t2 + Bs Psi1_j)                                                      k < j <= i
   d2tau_j/dq_i dv_k = S_k . E' S_j + (Sdot_k + Psi1_k) . A2 S_j                                          k <= j < i
   d2tau_k/dq_i dv_j = S_k . (E S_j + A2 (Sdot_j + Psi1_j))                                               k < j < i */
static void pair_qv(const sva_model *m, SVA(workspace) * w, const row *r, const freedom *j, tensor T)
{
    const freedom *i = &r->i;
    real x[3], y1[6], y2[6], y3[6], a1[6], z1[3], z2[6], t[6];
    half_transpose_times(&r->Bs, j->S, x);
    cross_force(j->Psi1, r->t.t1, y1);
    add(6, y1, y1);
    half_times(&r->Bs, j->Psi1, t);
    subtract(6, t, y1);
    add_cross3(j->S, r->t.t4, y1);
    cross_force(j->S, r->t.t1, a1);
    copy(6, t, y2);
    add_cross_force(j->S, r->t.t2, y2);
    half_transpose_times(&r->E, j->S, z1);
    inertia_times(&r->A2, j->S, z2);
    half_times(&r->E, j->S, y3);
    inertia_times(&r->A2, j->SdotPsi1, t);
    add(6, t, y3);
    ON_PATH(k, j->body)
    {
        real jki = dot3(k.Psi1, x);
        put(T, i, &k, j, -jki);
        if (k.body != j->body) {
            put(T, i, j, &k, dot6(k.S, y1) + dot6(k.SdotPsi1, a1));
            put(T, &k, j, i, dot6(k.S, y2));
            if (j->body != i->body) put(T, &k, i, j, dot6(k.S, y3));
        }
        if (j->body != i->body) {
            put(T, j, &k, i, jki);
            put(T, j, i, &k, dot3(k.S, z1) + dot6(k.SdotPsi1, z2));
        }
    }
}

/* dM_ki/dq_j = dM_ik/dq_j = S_k . (S_j x* t1)  (k < j <= i),   dM_kj/dq_i = dM_jk/dq_i = S_k . A2 S_j  (k <= j < i) */
static void pair_dM(const sva_model *m, SVA(workspace) * w, const row *r, const freedom *j, tensor T)
{
    const freedom *i = &r->i;
    real a1[6], z[6];
    cross_force(j->S, r->t.t1, a1);
    inertia_times(&r->A2, j->S, z);
    ON_PATH(k, j->body)
    {
        if (k.body != j->body) {
            real kij = dot6(k.S, a1);
            put(T, &k, i, j, kij);
            put(T, i, &k, j, kij);
        }
        if (j->body != i->body) {
            real kji = dot6(k.S, z);
            put(T, &k, j, i, kji);
            if (k.body != j->body) put(T, j, &k, i, kji);
        }
    }
}

/* 2 B_i and f_i of each body, and the columns of dependent joints scaled. */
static void body_terms(const sva_model *m, SVA(workspace) * w)
{
    real no_force[6];
    set_zero(6, no_force);
    for (int i = 0; i < m->n_bodies; i++) {
        const sva_body *b = m->bodies + i;
        coriolis_and_force(w, i, no_force);
        for (int t = b->jv; b->dependent && t < b->jv + b->mv; t++)
            for (int c = 0; c < 6; c++) {
                real s = (real)b->multiplier;
                w->S[t][c] *= s;
                w->SdotPsi1[t][c] *= s;
                w->Psi1[t][c] *= s;
                w->Psi2[t][c] *= s;
            }
    }
}

static void add_to_parent(SVA(workspace) * w, int i, int parent)
{
    inertia_add(w->I + i, w->I + parent);
    half_add(w->B + i, w->B + parent);
    add(6, w->f[i], w->f[parent]);
}

void SVA(idsva_so)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *a,
                   real *d2tau_dq_dq, real *d2tau_dv_dv, real *d2tau_dq_dv, real *dM_dq)
{
    pair_entries *const entries[4] = {pair_qq, pair_vv, pair_qv, pair_dM};
    tensor T[4] = {{m->nv, d2tau_dq_dq}, {m->nv, d2tau_dv_dv}, {m->nv, d2tau_dq_dv}, {m->nv, dM_dq}};
    const real *v_tree = SVA(v_of_tree)(m, w, 0, v), *a_tree = SVA(v_of_tree)(m, w, 1, a);
    real a0[6];
    w->has_world = 0;
    SVA(minus_gravity)(m, a0);
    SVA(ground_subspaces)(m, w, SVA(q_of_tree)(m, w, q));
    SVA(ground_velocities)(m, w, v_tree);
    SVA(ground_accelerations)(m, w, v_tree, a_tree, a0);
    SVA(ground_inertias)(m, w);
    ground_columns(m, w);
    body_terms(m, w);
    for (int n = 0; n < 4; n++)
        for (size_t x = 0; T[n].at && x < (size_t)m->nv * (size_t)m->nv * (size_t)m->nv; x++) T[n].at[x] = (real)0;
    for (int body = m->n_bodies - 1; body >= 0; body--) {
        const sva_body *b = m->bodies + body;
        for (int t = b->jv; t < b->jv + b->mv; t++) {
            freedom i = freedom_of(m, w, body, t);
            row r;
            fill_row(w, &i, t, &r);
            ON_PATH(j, body)
            for (int n = 0; n < 4; n++)
                if (T[n].at) entries[n](m, w, &r, &j, T[n]);
        }
        if (b->parent >= 0) add_to_parent(w, body, b->parent);
    }
}
