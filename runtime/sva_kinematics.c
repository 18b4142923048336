/* Poses, velocities and accelerations of bodies and frames, Jacobians, and the derivatives of [CM18], III-D. Computed
   in the ground frame, with ([SRW22], identities J; [SRW22b], K7) dv_i/dq_j = Psi1_j + S_j x v_i          da_i/dq_j =
   Psi2_j - v_i x Psi1_j + S_j x a_i dv_i/dv_j = S_j                         da_i/dv_j = Sdot_j + Psi1_j - v_i x S_j, j
   on the path of i, and then brought to the reference that the caller asks for. */
#include "sva_idsva.h"

void SVA(body_poses)(const sva_model *m, SVA(workspace) * w, const real *q, real *R, real *p)
{
    SVA(joint_poses)(m, w, SVA(q_of_tree)(m, w, q));
    SVA(ground_poses)(m, w);
    for (int i = 0; i < m->n_bodies; i++) {
        copy(9, w->R[i], R + 9 * i);
        copy(3, w->p[i], p + 3 * i);
    }
}

/* Pose of the frame in the ground, after ground_poses. */
static void pose_of(SVA(workspace) * w, const sva_frame *frame, real R[9], real p[3])
{
    real fR[9], fp[3];
    for (int k = 0; k < 9; k++) fR[k] = (real)frame->R[k];
    for (int k = 0; k < 3; k++) fp[k] = (real)frame->p[k];
    multiply3(w->R[frame->body], fR, R);
    rotate(w->R[frame->body], fp, p);
    add(3, w->p[frame->body], p);
}

void SVA(frame_pose)(const sva_model *m, SVA(workspace) * w, const real *q, const sva_frame *frame, real R[9],
                     real p[3])
{
    SVA(joint_poses)(m, w, SVA(q_of_tree)(m, w, q));
    SVA(ground_poses)(m, w);
    pose_of(w, frame, R, p);
}

/* A motion of the ground frame in another reference, (linear, angular). */
typedef struct viewpoint {
    sva_reference reference;
    real R[9], p[3];
} viewpoint;

static viewpoint viewpoint_of(SVA(workspace) * w, const sva_frame *frame, sva_reference reference)
{
    viewpoint view;
    view.reference = reference;
    pose_of(w, frame, view.R, view.p);
    return view;
}

static void seen_from(const viewpoint *view, const real m[6], real out[6])
{
    real t[6];
    copy(6, m, t);
    if (view->reference == SVA_LOCAL) motion_to_child(view->R, view->p, m, t);
    if (view->reference == SVA_ALIGNED) add_cross3(m, view->p, t + 3); /* u + w x p */
    copy(3, t + 3, out);
    copy(3, t, out + 3);
}

/* The derivative by q_j of a motion x that is seen from a moving frame: dx is its derivative in the ground frame. The
   frame's own motion S_j takes S_j x x away (LOCAL), or moves the origin by S_j (ALIGNED: w x dp is added). */
static void rate_seen_from(const viewpoint *view, const real S[6], const real x[6], real dx[6], real out[6])
{
    real t[6], dp[3];
    if (view->reference == SVA_LOCAL) {
        cross_motion(S, x, t);
        subtract(6, t, dx);
    }
    seen_from(view, dx, out);
    if (view->reference == SVA_ALIGNED) {
        copy(3, S + 3, dp);
        add_cross3(S, view->p, dp);
        add_cross3(x, dp, out);
    }
}

static void forward(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *a)
{
    real a0[6];
    const real *v_tree = SVA(v_of_tree)(m, w, 0, v);
    SVA(ground_subspaces)(m, w, SVA(q_of_tree)(m, w, q));
    SVA(ground_velocities)(m, w, v_tree);
    set_zero(6, a0);
    SVA(ground_accelerations)(m, w, v_tree, a ? SVA(v_of_tree)(m, w, 1, a) : a, a0);
}

void SVA(frame_velocity)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const sva_frame *frame,
                         sva_reference reference, real velocity[6])
{
    SVA(ground_subspaces)(m, w, SVA(q_of_tree)(m, w, q));
    SVA(ground_velocities)(m, w, SVA(v_of_tree)(m, w, 0, v));
    viewpoint view = viewpoint_of(w, frame, reference);
    seen_from(&view, w->v[frame->body], velocity);
}

void SVA(frame_acceleration)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *a,
                             const sva_frame *frame, sva_reference reference, real acceleration[6])
{
    forward(m, w, q, v, a);
    viewpoint view = viewpoint_of(w, frame, reference);
    seen_from(&view, w->a[frame->body], acceleration);
}

/* Column t of the 6 x nv_tree matrix w->F. */
static void put_column(const sva_model *m, SVA(workspace) * w, int t, const real column[6])
{
    for (int r = 0; r < 6; r++) w->F[r * m->nv_tree + t] = column[r];
}

void SVA(frame_jacobian)(const sva_model *m, SVA(workspace) * w, const real *q, const sva_frame *frame,
                         sva_reference reference, real *J)
{
    SVA(ground_subspaces)(m, w, SVA(q_of_tree)(m, w, q));
    viewpoint view = viewpoint_of(w, frame, reference);
    set_zero(6 * m->nv_tree, w->F);
    for (int j = frame->body; j >= 0; j = m->bodies[j].parent)
        for (int t = m->bodies[j].jv; t < m->bodies[j].jv + m->bodies[j].mv; t++) {
            real column[6];
            seen_from(&view, w->S[t], column);
            put_column(m, w, t, column);
        }
    SVA(reduce_columns)(m, 6, w->F, J);
}

/* One column of a derivative, body i, degree of freedom t. */
typedef void frame_column(SVA(workspace) * w, const viewpoint *view, int i, int t, real out[6]);

static void dvelocity_dq_column(SVA(workspace) * w, const viewpoint *view, int i, int t, real out[6])
{
    real x[6];
    copy(6, w->Psi1[t], x);
    add_cross_motion(w->S[t], w->v[i], x);
    rate_seen_from(view, w->S[t], w->v[i], x, out);
}

static void dacceleration_dq_column(SVA(workspace) * w, const viewpoint *view, int i, int t, real out[6])
{
    real x[6];
    copy(6, w->Psi2[t], x);
    add_cross_motion(w->Psi1[t], w->v[i], x);
    add_cross_motion(w->S[t], w->a[i], x);
    rate_seen_from(view, w->S[t], w->a[i], x, out);
}

static void dacceleration_dv_column(SVA(workspace) * w, const viewpoint *view, int i, int t, real out[6])
{
    real x[6];
    copy(6, w->SdotPsi1[t], x);
    add_cross_motion(w->S[t], w->v[i], x);
    seen_from(view, x, out);
}

void SVA(frame_derivatives)(const sva_model *m, SVA(workspace) * w, const real *q, const real *v, const real *a,
                            const sva_frame *frame, sva_reference reference, real *dvelocity_dq, real *dacceleration_dq,
                            real *dacceleration_dv)
{
    frame_column *const columns[3] = {dvelocity_dq_column, dacceleration_dq_column, dacceleration_dv_column};
    real *const outs[3] = {dvelocity_dq, dacceleration_dq, dacceleration_dv};
    forward(m, w, q, v, a);
    ground_columns(m, w);
    viewpoint view = viewpoint_of(w, frame, reference);
    for (int n = 0; n < 3; n++) {
        if (!outs[n]) continue;
        set_zero(6 * m->nv_tree, w->F);
        for (int j = frame->body; j >= 0; j = m->bodies[j].parent)
            for (int t = m->bodies[j].jv; t < m->bodies[j].jv + m->bodies[j].mv; t++) {
                real column[6];
                columns[n](w, &view, frame->body, t, column);
                put_column(m, w, t, column);
            }
        SVA(reduce_columns)(m, 6, w->F, outs[n]);
    }
}
