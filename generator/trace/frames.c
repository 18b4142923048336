/* Where frames are: poses and Jacobians, in the ground frame. */
#include "texts.h"

/* Pose of a model frame in the world; link axes, so the alignment of its body's frame is undone. */
static step frame_pose(trace *tr, const model_frame *f)
{
    graph *g = tr->g;
    mat R = mat_const(g, f->R);
    vec p = {{graph_const(g, f->p[0]), graph_const(g, f->p[1]), graph_const(g, f->p[2])}};
    if (f->body < 0) return step_general(&R, p);
    int i = f->body + 1;
    mat A = mat_const(g, tr->t->node[i].lane->A), At = mat_transpose(&A), AtR = mat_mul(g, &At, &R);
    mat Rw = mat_mul(g, &tr->R[i], &AtR);
    return step_general(&Rw, vec_add(g, mat_vec(g, &tr->R[i], mat_vec(g, &At, p)), tr->p[i]));
}

void text_poses(trace *tr)
{
    for (int f = 0; f < tr->t->model->n_frames; f++) {
        graph_begin(tr->g, tr->t->model->frames[f].body + 1);
        step pose = frame_pose(tr, &tr->t->model->frames[f]);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) graph_set(tr->g, (graph_slot){ARG_POSE, 12 * f + 4 * i + j}, pose.R.m[i][j], 0);
            graph_set(tr->g, (graph_slot){ARG_POSE, 12 * f + 4 * i + 3}, pose.p.x[i], 0);
        }
    }
}

/* Rows: linear velocity of the frame's origin, angular velocity, in world axes. Column (w; u) of the ground frame moves
   a point x with velocity u + w x x. */
static void jacobian(trace *tr, const model_frame *f, int first_row)
{
    graph *g = tr->g;
    const tree *t = tr->t;
    table J[6];
    for (int r = 0; r < 6; r++) J[r] = table_new(tr, t->model->nv, 1);
    vec x = frame_pose(tr, f).p;
    for (int i = f->body + 1; i > 0; i = t->node[i].parent)
        for (int k = 0; k < t->node[i].nv; k++) {
            motion S = tr->S[t->node[i].column + k];
            vec u = vec_add(g, S.u, vec_cross(g, S.w, x));
            for (int r = 0; r < 3; r++) {
                table_add_row(tr, &J[r], i, k, u.x[r]);
                table_add_row(tr, &J[3 + r], i, k, S.w.x[r]);
            }
        }
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < t->model->nv; c++)
            graph_set(g, (graph_slot){ARG_J, (first_row + r) * t->model->nv + c}, J[r].at[c].value, J[r].at[c].lane);
}

void text_jacobian(trace *tr)
{
    for (int k = 0; k < tr->options->n_jac_frames; k++)
        jacobian(tr, &tr->t->model->frames[tr->options->jac_frames[k]], 6 * k);
}
