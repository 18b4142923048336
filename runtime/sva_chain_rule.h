/* The forward accumulation that RNEACR and ABACR share: how velocities change with one q or v, in body frames. */
#ifndef SVA_CHAIN_RULE_H
#define SVA_CHAIN_RULE_H

#include "sva_tree.h"

/* One direction u: degree of freedom k of joint j, of its q or of its v. */
typedef struct direction {
    int j, k, by_v;
    real S[6]; /* of that degree of freedom, in j's frame */
} direction;

static inline direction direction_of(const sva_model *m, int j, int k, int by_v)
{
    direction u;
    u.j = j;
    u.k = k;
    u.by_v = by_v;
    body_subspace(m->bodies + j, k, u.S);
    return u;
}

/* d(X m)/dq = (X m) x S ([CM18], eq. 13). */
static inline void add_moved(const SVA(workspace) * w, const direction *u, const real parent[6], real out[6])
{
    real m[6];
    motion_to_child(w->XR[u->j], w->Xp[u->j], parent, m);
    add_cross_motion(m, u->S, out);
}

/* dv_i, and s_i: S of the direction in i's frame. For i in the subtree of j. */
static inline void velocity_derivative(const sva_model *m, SVA(workspace) * w, const direction *u, int i)
{
    int L = m->bodies[i].parent;
    if (i != u->j) {
        motion_to_child(w->XR[i], w->Xp[i], w->dv[L], w->dv[i]);
        if (w->has_world) motion_to_child(w->XR[i], w->Xp[i], w->s[L], w->s[i]);
        return;
    }
    copy(6, u->S, w->s[i]);
    set_zero(6, w->dv[i]);
    if (u->by_v)
        copy(6, u->S, w->dv[i]);
    else
        add_moved(w, u, w->v[L], w->dv[i]);
}

/* d(v x vJ) = dv x vJ + v x dvJ; the last vanishes for one degree of freedom but not for more. */
static inline void bias_derivative(const SVA(workspace) * w, const direction *u, int i, real dc[6])
{
    cross_motion(w->dv[i], w->vJ[i], dc);
    if (u->by_v && i == u->j) add_cross_motion(w->v[i], u->S, dc);
}

/* d(v x* I v - fext) */
static inline void force_derivative(const SVA(workspace) * w, const direction *u, int i, const inertia *I, real df[6])
{
    real dh[6], x[6];
    inertia_times(I, w->dv[i], dh);
    cross_force(w->dv[i], w->h[i], df);
    add_cross_force(w->v[i], dh, df);
    if (!w->has_world || u->by_v) return;
    half_times(w->K + i, w->s[i], x);
    add(6, x, df);
}

/* vJ and h = I v of every body, from v. */
static inline void momenta(const sva_model *m, SVA(workspace) * w, const real *v)
{
    for (int i = 0; i < m->n_bodies; i++) {
        body_inertia(m->bodies + i, w->I + i);
        joint_motion(m->bodies + i, v, w->vJ[i]);
        inertia_times(w->I + i, w->v[i], w->h[i]);
    }
}

#endif
