/* Building a model: checks, motion subspaces, numbering. Constants are double; compiled once. */
#include "sva_model.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *sva_message(sva_status status)
{
    static const char *const text[SVA_STATUSES] = {
        "no error",
        "the model is full",
        "the parent is not an earlier body",
        "bodies are not in depth-first order",
        "unknown joint type",
        "the joint's axis is not of unit length",
        "R is not a rotation",
        "the mass is negative",
        "a constant is not a finite number",
        "a dependent joint and its master must have one degree of freedom, and the master must be independent",
        "more bodies or degrees of freedom than can be numbered",
        "the text does not describe a model",
        "the file cannot be read or written",
        "out of memory",
    };
    return (unsigned)status < SVA_STATUSES ? text[status] : "unknown status";
}

const char *sva_version(void) { return SVA_VERSION; }

/* So that no index of a vector (6 x 8 columns per body), nor of a matrix, is beyond an int. */
enum { MAX_BODIES = INT_MAX / 48 - 1, MAX_FREEDOMS = 46340 };

size_t sva_model_size(int capacity)
{
    const size_t each = sizeof(sva_body) + 12 * sizeof(int);
    if (capacity < 0 || capacity > MAX_BODIES || (size_t)capacity > (SIZE_MAX - sizeof(sva_model)) / each) return 0;
    return sizeof(sva_model) + (size_t)capacity * each;
}

sva_model *sva_model_init(void *memory, int capacity, const double gravity[3])
{
    sva_model *m = (sva_model *)memory;
    if (!sva_model_size(capacity)) return NULL;
    memset(m, 0, sizeof *m);
    m->capacity = capacity;
    m->bodies = (sva_body *)(m + 1);
    m->tree_parent = (int *)(m->bodies + capacity);
    m->v_parent = m->tree_parent + 6 * (size_t)capacity;
    memcpy(m->gravity, gravity, sizeof m->gravity);
    return m;
}

sva_model *sva_model_new(int capacity, const double gravity[3])
{
    size_t size = sva_model_size(capacity);
    void *memory = size ? malloc(size) : NULL;
    return memory ? sva_model_init(memory, capacity, gravity) : NULL;
}

void sva_model_free(sva_model *model) { free(model); }

static int all_finite(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return 0;
    return 1;
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

sva_status sva_model_set_gravity(sva_model *m, const double gravity[3])
{
    if (!all_finite(3, gravity)) return SVA_BAD_NUMBER;
    memcpy(m->gravity, gravity, sizeof m->gravity);
    return SVA_OK;
}

int sva_model_find(const sva_model *m, const char *name)
{
    for (int i = 0; i < m->n_bodies; i++)
        if (!strcmp(m->bodies[i].name, name)) return i;
    return -1;
}

/* Rows orthonormal to 1e-6 and right-handed; the constants of a description need not be better. */
static int is_rotation(const double R[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            if (fabs(dot(R + 3 * i, R + 3 * j) - (i == j)) > 1e-6) return 0;
    double minor = R[4] * R[8] - R[5] * R[7], next = R[3] * R[8] - R[5] * R[6], last = R[3] * R[7] - R[4] * R[6];
    return R[0] * minor - R[1] * next + R[2] * last > 0;
}

static int is_finite(const sva_body *b)
{
    return all_finite(9, b->R) && all_finite(3, b->p) && all_finite(3, b->axis) && all_finite(1, &b->pitch) &&
           all_finite(1, &b->mass) && all_finite(3, b->h) && all_finite(6, b->I) && all_finite(6, b->armature) &&
           all_finite(6, b->damping) && all_finite(6, b->friction) && all_finite(1, &b->multiplier) &&
           all_finite(1, &b->offset);
}

/* Depth first: the parent is the last body or one of its ancestors. */
static int in_order(const sva_model *m, int parent)
{
    int last = m->n_bodies - 1;
    while (last > parent) last = m->bodies[last].parent;
    return last == parent;
}

static sva_status check(const sva_model *m, const sva_body *b)
{
    if (m->n_bodies == m->capacity) return SVA_BAD_CAPACITY;
    if (b->parent < -1 || b->parent >= m->n_bodies) return SVA_BAD_PARENT;
    if (!in_order(m, b->parent)) return SVA_BAD_ORDER;
    if ((unsigned)b->type >= SVA_JOINT_TYPES) return SVA_BAD_TYPE;
    if (!is_finite(b)) return SVA_BAD_NUMBER;
    if (sva_joint_table[b->type].has_axis && fabs(dot(b->axis, b->axis) - 1) > 1e-6) return SVA_BAD_AXIS;
    if (!is_rotation(b->R)) return SVA_BAD_ROTATION;
    if (b->mass < 0) return SVA_BAD_MASS;
    return SVA_OK;
}

/* The motion subspace, constant in the body's frame for every joint type: row k is (angular; linear) of v_k = 1. Each
   direction is named by what moves: A along (or about) the axis, P pitch times it, X Y in the plane, 0 1 2 the frame's
   axes. */
static const struct {
    const char *angular, *linear; /* a letter per degree of freedom, '.' for none */
} subspace[SVA_JOINT_TYPES] = {
    {"", ""},             /* fixed */
    {"A", "."},           /* revolute */
    {"A", "."},           /* continuous */
    {".", "A"},           /* prismatic */
    {"A", "P"},           /* helical */
    {".A", "A."},         /* cylindrical */
    {"..A", "XY."},       /* planar */
    {"012", "..."},       /* spherical */
    {"...", "012"},       /* translation */
    {"...012", "012..."}, /* floating */
};

static void direction(const sva_body *b, char letter, double d[3])
{
    double x[3], y[3];
    if (letter == 'A') memcpy(d, b->axis, sizeof x);
    if (letter == 'P')
        for (int i = 0; i < 3; i++) d[i] = b->pitch * b->axis[i];
    if (letter == 'X') sva_plane_axes(b->axis, d, y);
    if (letter == 'Y') sva_plane_axes(b->axis, x, d);
    if (letter >= '0' && letter <= '2') d[letter - '0'] = 1;
}

static void fill_subspace(sva_body *b)
{
    memset(b->S, 0, sizeof b->S);
    for (int k = 0; k < b->mv; k++) {
        direction(b, subspace[b->type].angular[k], b->S[k]);
        direction(b, subspace[b->type].linear[k], b->S[k] + 3);
    }
}

sva_status sva_model_add_body(sva_model *m, const sva_body *body)
{
    sva_status status = check(m, body);
    if (status != SVA_OK) return status;
    sva_body *b = m->bodies + m->n_bodies++;
    *b = *body;
    b->name[sizeof b->name - 1] = 0;
    b->depth = b->parent < 0 ? 0 : m->bodies[b->parent].depth + 1;
    if (b->depth >= m->depth) m->depth = b->depth + 1;
    b->mq = sva_joint_table[b->type].nq;
    b->mv = sva_joint_table[b->type].nv;
    b->jq = m->nq_tree;
    b->jv = m->nv_tree;
    m->nq_tree += b->mq;
    m->nv_tree += b->mv;
    fill_subspace(b);
    return SVA_OK;
}

/* With dependent joints M = G' M_tree G has no tree's sparsity: every degree of freedom follows the one before.
   Meanwhile subtree_v is the last degree of freedom on the path from the ground to the body, or -1. */
static void fill_parents(sva_model *m)
{
    for (int i = 0; i < m->n_bodies; i++) {
        sva_body *b = m->bodies + i;
        int above = b->parent < 0 ? -1 : m->bodies[b->parent].subtree_v;
        for (int k = 0; k < b->mv; k++) m->tree_parent[b->jv + k] = k ? b->jv + k - 1 : above;
        b->subtree_v = b->mv ? b->jv + b->mv - 1 : above;
    }
    for (int i = 0; i < m->nv; i++) m->v_parent[i] = m->n_dependent ? i - 1 : m->tree_parent[i];
}

/* Depth first, so the last child ends where its parent does. */
static void fill_subtrees(sva_model *m)
{
    for (int i = 0; i < m->n_bodies; i++) m->bodies[i].subtree = 0;
    for (int i = m->n_bodies - 1; i >= 0; i--) {
        sva_body *b = m->bodies + i, *parent = b->parent < 0 ? NULL : m->bodies + b->parent;
        if (!b->subtree) b->subtree = i + 1, b->subtree_v = b->jv + b->mv;
        if (parent && !parent->subtree) parent->subtree = b->subtree, parent->subtree_v = b->subtree_v;
    }
}

int sva_good_master(const sva_model *m, const sva_body *b)
{
    if (b->master < 0 || b->master >= m->n_bodies) return 0;
    const sva_body *master = m->bodies + b->master;
    return !master->dependent && master->mq == 1 && b->mq == 1;
}

sva_status sva_model_finish(sva_model *m)
{
    if (m->nv_tree > MAX_FREEDOMS) return SVA_BAD_SIZE;
    m->nq = m->nv = m->n_dependent = 0;
    for (int i = 0; i < m->n_bodies; i++) {
        sva_body *b = m->bodies + i;
        if (b->dependent && !sva_good_master(m, b)) return SVA_BAD_MASTER;
        b->iq = m->nq;
        b->iv = m->nv;
        m->nq += b->nq = b->dependent ? 0 : b->mq;
        m->nv += b->nv = b->dependent ? 0 : b->mv;
        m->n_dependent += b->dependent != 0;
    }
    for (int i = 0; i < m->n_bodies; i++) {
        sva_body *b = m->bodies + i;
        if (!b->dependent) continue;
        b->iq = m->bodies[b->master].iq;
        b->iv = m->bodies[b->master].iv;
    }
    fill_parents(m);
    fill_subtrees(m);
    return SVA_OK;
}
