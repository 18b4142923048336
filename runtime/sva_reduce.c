/* Dependent joints: from the user's coordinates to the tree's and back, q_tree = G q + c, v_tree = G v. G has one entry
   a row: 1, or the multiplier of a dependent joint in its master's column. */
#include "sva_tree.h"

static real gain(const sva_body *b) { return b->dependent ? (real)b->multiplier : (real)1; }

const real *SVA(q_of_tree)(const sva_model *m, SVA(workspace) * w, const real *q)
{
    if (!m->n_dependent) return q;
    for (int i = 0; i < m->n_bodies; i++) {
        const sva_body *b = m->bodies + i;
        for (int k = 0; k < b->mq; k++) w->q_tree[b->jq + k] = gain(b) * q[b->iq + k];
        if (b->dependent) w->q_tree[b->jq] += (real)b->offset;
    }
    return w->q_tree;
}

const real *SVA(v_of_tree)(const sva_model *m, SVA(workspace) * w, int buffer, const real *v)
{
    if (!m->n_dependent) return v;
    real *out = w->vector_tree[buffer];
    for (int i = 0; i < m->n_bodies; i++) {
        const sva_body *b = m->bodies + i;
        for (int k = 0; k < b->mv; k++) out[b->jv + k] = gain(b) * v[b->iv + k];
    }
    return out;
}

real *SVA(vector_of_tree)(const sva_model *m, SVA(workspace) * w, int buffer, real *out)
{
    return m->n_dependent ? w->vector_tree[buffer] : out;
}

real *SVA(matrix_of_tree)(const sva_model *m, SVA(workspace) * w, int buffer, real *out)
{
    return m->n_dependent ? w->matrix_tree[buffer] : out;
}

void SVA(reduce_vector)(const sva_model *m, const real *x, real *out)
{
    if (x == out) return;
    set_zero(m->nv, out);
    for (int i = 0; i < m->n_bodies; i++) {
        const sva_body *b = m->bodies + i;
        for (int k = 0; k < b->mv; k++) out[b->iv + k] += gain(b) * x[b->jv + k];
    }
}

void SVA(reduce_columns)(const sva_model *m, int rows, const real *X, real *out)
{
    if (X == out) return;
    for (int r = 0; r < rows; r++) SVA(reduce_vector)(m, X + r * m->nv_tree, out + r * m->nv);
}

/* Row by row: each row of X G is added to the row of its degree of freedom, or of its master's. */
void SVA(reduce_matrix)(const sva_model *m, const real *X, real *out)
{
    if (X == out) return;
    set_zero(m->nv * m->nv, out);
    for (int i = 0; i < m->n_bodies; i++) {
        const sva_body *b = m->bodies + i;
        for (int k = 0; k < b->mv; k++)
            for (int j = 0; j < m->n_bodies; j++) {
                const sva_body *d = m->bodies + j;
                for (int l = 0; l < d->mv; l++)
                    out[(b->iv + k) * m->nv + d->iv + l] += gain(b) * gain(d) * X[(b->jv + k) * m->nv_tree + d->jv + l];
            }
    }
}
