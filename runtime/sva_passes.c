/* What algorithms share: joint poses and the forward passes in the ground frame ([SRW22], Algorithm 1, first loop). */
#include "sva_tree.h"

/* R about the joint's axis k: c 1 + s k x + (1 - c) k k'. */
static void axis_rotation(const sva_body *b, real c, real s, real R[9])
{
    real k[3] = {(real)b->axis[0], (real)b->axis[1], (real)b->axis[2]}, d = 1 - c;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        R[4 * i] = c + d * k[i] * k[i];
        R[3 * i + j] = d * k[i] * k[j] - s * k[l];
        R[3 * j + i] = d * k[i] * k[j] + s * k[l];
    }
}

static void quaternion_rotation(const real q[4], real R[9])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        R[4 * i] = 1 - 2 * (q[j] * q[j] + q[l] * q[l]);
        R[3 * i + j] = 2 * (q[i] * q[j] - q[3] * q[l]);
        R[3 * j + i] = 2 * (q[i] * q[j] + q[3] * q[l]);
    }
}

static void along_axis(const sva_body *b, real s, real p[3])
{
    for (int k = 0; k < 3; k++) p[k] = (real)b->axis[k] * s;
}

/* The pose that a joint adds, R and p preset to the identity. */
typedef void joint_pose(const sva_body *b, const real *q, real R[9], real p[3]);

static void fixed_pose(const sva_body *b, const real *q, real R[9], real p[3]) { (void)b, (void)q, (void)R, (void)p; }

static void revolute_pose(const sva_body *b, const real *q, real R[9], real p[3])
{
    (void)p;
    axis_rotation(b, real_cos(q[0]), real_sin(q[0]), R);
}

static void prismatic_pose(const sva_body *b, const real *q, real R[9], real p[3])
{
    (void)R;
    along_axis(b, q[0], p);
}

static void helical_pose(const sva_body *b, const real *q, real R[9], real p[3])
{
    revolute_pose(b, q, R, p);
    along_axis(b, (real)b->pitch * q[0], p);
}

static void cylindrical_pose(const sva_body *b, const real *q, real R[9], real p[3])
{
    along_axis(b, q[0], p);
    revolute_pose(b, q + 1, R, p);
}

/* The plane's axes are the linear halves of the first two rows of S. */
static void planar_pose(const sva_body *b, const real *q, real R[9], real p[3])
{
    axis_rotation(b, q[2], q[3], R);
    for (int k = 0; k < 3; k++) p[k] = (real)b->S[0][3 + k] * q[0] + (real)b->S[1][3 + k] * q[1];
}

static void spherical_pose(const sva_body *b, const real *q, real R[9], real p[3])
{
    (void)b, (void)p;
    quaternion_rotation(q, R);
}

static void translation_pose(const sva_body *b, const real *q, real R[9], real p[3])
{
    (void)b, (void)R;
    copy(3, q, p);
}

static void floating_pose(const sva_body *b, const real *q, real R[9], real p[3])
{
    translation_pose(b, q, R, p);
    quaternion_rotation(q + 3, R);
}

static joint_pose *const pose_table[SVA_JOINT_TYPES] = {
    fixed_pose,       revolute_pose, revolute_pose,  prismatic_pose,   helical_pose,
    cylindrical_pose, planar_pose,   spherical_pose, translation_pose, floating_pose,
};

void SVA(joint_poses)(const sva_model *m, SVA(workspace) * w, const real *q)
{
    for (int i = 0; i < m->n_bodies; i++) {
        const sva_body *b = m->bodies + i;
        real T[9], J[9] = {(real)1, (real)0, (real)0, (real)0, (real)1, (real)0, (real)0, (real)0, (real)1};
        real p[3] = {(real)0, (real)0, (real)0};
        pose_table[b->type](b, q + b->jq, J, p);
        for (int k = 0; k < 9; k++) T[k] = (real)b->R[k];
        multiply3(T, J, w->XR[i]);
        rotate(T, p, w->Xp[i]);
        for (int k = 0; k < 3; k++) w->Xp[i][k] += (real)b->p[k];
    }
}

void SVA(ground_poses)(const sva_model *m, SVA(workspace) * w)
{
    for (int i = 0; i < m->n_bodies; i++) {
        int L = m->bodies[i].parent;
        multiply3(w->R[L], w->XR[i], w->R[i]);
        rotate(w->R[L], w->Xp[i], w->p[i]);
        add(3, w->p[L], w->p[i]);
    }
}

void SVA(ground_subspaces)(const sva_model *m, SVA(workspace) * w, const real *q)
{
    SVA(joint_poses)(m, w, q);
    SVA(ground_poses)(m, w);
    for (int i = 0; i < m->n_bodies; i++) {
        const sva_body *b = m->bodies + i;
        for (int k = 0; k < b->mv; k++) {
            real S[6];
            body_subspace(b, k, S);
            motion_to_parent(w->R[i], w->p[i], S, w->S[b->jv + k]);
        }
    }
}

void SVA(ground_velocities)(const sva_model *m, SVA(workspace) * w, const real *v)
{
    set_zero(6, w->v[-1]);
    for (int i = 0; i < m->n_bodies; i++) {
        const sva_body *b = m->bodies + i;
        copy(6, w->v[b->parent], w->v[i]);
        for (int k = b->jv; k < b->jv + b->mv; k++) add_scaled(6, v[k], w->S[k], w->v[i]);
    }
}

void SVA(ground_accelerations)(const sva_model *m, SVA(workspace) * w, const real *v, const real *a, const real a0[6])
{
    copy(6, a0, w->a[-1]);
    for (int i = 0; i < m->n_bodies; i++) {
        const sva_body *b = m->bodies + i;
        real vJ[6];
        set_zero(6, vJ);
        for (int k = b->jv; k < b->jv + b->mv; k++) add_scaled(6, v[k], w->S[k], vJ);
        copy(6, w->a[b->parent], w->a[i]);
        for (int k = b->jv; a && k < b->jv + b->mv; k++) add_scaled(6, a[k], w->S[k], w->a[i]);
        add_cross_motion(w->v[i], vJ, w->a[i]);
    }
}

void SVA(ground_inertias)(const sva_model *m, SVA(workspace) * w)
{
    for (int i = 0; i < m->n_bodies; i++) {
        inertia I;
        body_inertia(m->bodies + i, &I);
        inertia_to_parent(w->R[i], w->p[i], &I, w->I + i);
    }
}

void SVA(minus_gravity)(const sva_model *m, real a0[6])
{
    set_zero(3, a0);
    for (int k = 0; k < 3; k++) a0[3 + k] = (real)-m->gravity[k];
}

static void body_forces(const sva_model *m, SVA(workspace) * w, const real *f)
{
    for (int i = 0; i < m->n_bodies; i++) {
        copy(3, f + 6 * i, w->fext[i] + 3);
        copy(3, f + 6 * i + 3, w->fext[i]);
    }
}

/* In the body's frame, with r the point and F, N the force and moment turned into it: fext = (N + r x F; F). When the
   body turns by w, F turns by -w x F relative to it: fext changes by (r x (F x w) + N x w; F x w), and K is minus that.
 */
static void world_force(SVA(workspace) * w, const SVA(world_force) * f)
{
    real F[3], N[3];
    half_map *K = w->K + f->body;
    rotate_back(w->R[f->body], f->force, F);
    rotate_back(w->R[f->body], f->moment, N);
    add(3, N, w->fext[f->body]);
    add_cross3(f->point, F, w->fext[f->body]);
    add(3, F, w->fext[f->body] + 3);
    add_cross_cross((real)-1, f->point, F, K->A);
    for (int i = 0; i < 3; i++) { /* A -= N x */
        int j = (i + 1) % 3, l = (i + 2) % 3;
        K->A[3 * i + j] += N[l];
        K->A[3 * j + i] -= N[l];
    }
    add(3, F, K->p);
}

void SVA(external_forces)(const sva_model *m, SVA(workspace) * w, const SVA(forces) * f)
{
    w->has_world = f && f->n_world > 0;
    for (int i = 0; i < m->n_bodies; i++) set_zero(6, w->fext[i]);
    if (f && f->body) body_forces(m, w, f->body);
    if (!w->has_world) return;
    for (int i = 0; i < m->n_bodies; i++) half_zero(w->K + i);
    SVA(ground_poses)(m, w);
    for (int k = 0; k < f->n_world; k++) world_force(w, f->world + k);
}
