#include "tree.h"

#include <math.h>
#include <string.h>
#include "model/limbs.h"
#include "plan/limits.h"

/* ---- numbers only: 3x3 row-major, second moments xx xy xz yy yz zz */

static const int sym_at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

static void mul(const double a[9], const double b[9], double r[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

static void transpose(const double a[9], double r[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) r[3 * i + j] = a[3 * j + i];
}

static void apply(const double a[9], const double x[3], double r[3])
{
    double t[3];
    for (int i = 0; i < 3; i++) t[i] = a[3 * i] * x[0] + a[3 * i + 1] * x[1] + a[3 * i + 2] * x[2];
    memcpy(r, t, sizeof t);
}

/* R S R' */
static void rotate_sym(const double R[9], const double S[6], double r[6])
{
    double full[9], RS[9], Rt[9], out[9];
    for (int i = 0; i < 9; i++) full[i] = S[sym_at[i / 3][i % 3]];
    mul(R, full, RS);
    transpose(R, Rt);
    mul(RS, Rt, out);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) r[sym_at[i][j]] = out[3 * i + j];
}

/* Products of nearly exact rotations: entries within 1e-15 of 0 and +-1 are those. */
static void snap(double R[9])
{
    for (int i = 0; i < 9; i++) {
        if (fabs(R[i]) < 1e-15) R[i] = 0;
        if (fabs(fabs(R[i]) - 1) < 1e-15) R[i] = R[i] > 0 ? 1 : -1;
    }
}

/* ---- one body */

static void align_frame(const model_body *b, tree_lane *l)
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(l->A, one, sizeof one);
    if (!sva_joint_table[b->type].has_axis) return;
    double x[3], y[3];
    sva_plane_axes(b->axis, x, y);
    for (int i = 0; i < 3; i++) {
        l->A[3 * i] = x[i];
        l->A[3 * i + 1] = y[i];
        l->A[3 * i + 2] = b->axis[i];
    }
    snap(l->A);
}

/* Sigma = tr(I)/2 1 - I, all turned into the new frame. */
static void rotate_inertia(const model_body *b, tree_lane *l)
{
    double At[9], S[6], half = (b->I[0] + b->I[3] + b->I[5]) / 2;
    for (int i = 0; i < 6; i++) S[i] = -b->I[i];
    S[0] += half, S[3] += half, S[5] += half;
    transpose(l->A, At);
    rotate_sym(At, S, l->S);
    apply(At, b->h, l->h);
    l->m = b->mass;
}

static void place_lane(const model_body *b, const tree_lane *parent, tree_lane *l)
{
    double RA[9];
    mul(b->R, l->A, RA);
    memcpy(l->p, b->p, sizeof l->p);
    memcpy(l->R, RA, sizeof RA);
    if (parent) {
        double At[9];
        transpose(parent->A, At);
        mul(At, RA, l->R);
        apply(At, b->p, l->p);
    }
    snap(l->R);
    memcpy(l->at, l->p, sizeof l->at);
}

static void copy_joint(const model *m, int i, tree_lane *l)
{
    const model_body *b = &m->bodies[i];
    l->body = i;
    l->iq = b->iq;
    l->iv = b->iv;
    l->pitch = b->pitch;
    l->multiplier = b->multiplier;
    l->offset = b->offset;
    memcpy(l->armature, b->armature, sizeof l->armature);
    memcpy(l->damping, b->damping, sizeof l->damping);
    memcpy(l->friction, b->friction, sizeof l->friction);
}

/* ---- mass of one frame in another */

/* A mass m, first moment h and second moment S given in the child's frame at q = 0, added to the parent's. */
static void move_to_parent(tree_lane *parent, const tree_lane *l, double m, const double h[3], const double S[6])
{
    double Rh[3], RS[6];
    apply(l->R, h, Rh);
    rotate_sym(l->R, S, RS);
    const double *p = l->p;
    parent->m += m;
    for (int i = 0; i < 3; i++) {
        parent->h[i] += Rh[i] + m * p[i];
        for (int j = i; j < 3; j++)
            parent->S[sym_at[i][j]] += RS[sym_at[i][j]] + Rh[i] * p[j] + p[i] * Rh[j] + m * p[i] * p[j];
    }
}

/* ---- origins. A revolute joint does not feel where on its axis the frame's origin is, but roundings do: a head that
   pans and tilts on a mast, 20 m above the joint that pans, has h D where its inertia is felt, and of that h D only
   roundings stay. So an origin that is far from what it carries slides along the axis to the next joint. */

/* What each node carries at q = 0, itself included, in its own frame: m, h and S. */
static tree_lane *carried(arena *memory, const tree *t)
{
    tree_lane *all = ARENA_ARRAY(memory, tree_lane, t->n);
    for (int i = 0; i < t->n; i++) all[i] = *t->node[i].lane;
    for (int i = t->n - 1; i > 0; i--) move_to_parent(&all[t->node[i].parent], &all[i], all[i].m, all[i].h, all[i].S);
    return all;
}

/* The largest inertia that a joint feels at q = 0, in kg or kg m^2. */
static double largest_felt(const tree *t, const tree_lane *all)
{
    double largest = 0;
    for (int i = 1; i < t->n; i++) {
        bool turns = t->node[i].type != SVA_PRISMATIC && t->node[i].type != SVA_TRANSLATION;
        bool moves = t->node[i].type != SVA_REVOLUTE && t->node[i].type != SVA_CONTINUOUS;
        if (turns) largest = fmax(largest, all[i].S[0] + all[i].S[3]);
        if (moves) largest = fmax(largest, all[i].m);
    }
    return largest;
}

static int heaviest_child(const tree *t, const tree_lane *all, int i)
{
    int child = 0;
    for (int k = i + 1; k < t->n; k++)
        if (t->node[k].parent == i && (!child || all[k].m > all[child].m)) child = k;
    return child;
}

/* The origin of node i goes to d on its axis. */
static void slide(tree *t, int i, double d)
{
    tree_lane *l = t->node[i].lane;
    for (int k = 0; k < 3; k++) l->p[k] += l->R[3 * k + 2] * d;
    l->S[2] -= d * l->h[0];
    l->S[4] -= d * l->h[1];
    l->S[5] += d * (d * l->m - 2 * l->h[2]);
    l->h[2] -= d * l->m;
    l->slide[2] = -d;
    for (int k = i + 1; k < t->n; k++)
        if (t->node[k].parent == i) t->node[k].lane->p[2] -= d;
}

/* From the leaves, so that a row of parallel axes slides as one. */
static void slide_origins(arena *memory, tree *t)
{
    enum { FAR = 10 }; /* times what is felt: a digit, and one more where the outputs are small */
    const tree_lane *all = carried(memory, t);
    double felt = largest_felt(t, all);
    for (int i = t->n - 1; i > 0; i--) {
        int child = heaviest_child(t, all, i);
        bool turns = t->node[i].type == SVA_REVOLUTE || t->node[i].type == SVA_CONTINUOUS;
        if (!child || !turns) continue;
        double d = t->node[child].lane->p[2];
        if (all[child].m * d * d > FAR * felt) slide(t, i, d);
    }
}

/* ---- base parameters: what a joint does not feel moves to the parent */

/* What stays where it is in the parent whatever q: a rod on the axis of a revolute joint; the second moment of a joint
   that does not turn; its zz of a joint whose axis keeps its direction; the mass at the centre of a spherical joint. */
static void move_unfelt(sva_joint_type type, tree_lane *parent, tree_lane *l)
{
    double m = 0, h[3] = {0}, S[6] = {0};
    switch (type) {
    case SVA_REVOLUTE:
    case SVA_CONTINUOUS: m = l->m, h[2] = l->h[2], S[5] = l->S[5]; break;
    case SVA_PRISMATIC:
    case SVA_TRANSLATION: memcpy(S, l->S, sizeof S); break;
    case SVA_HELICAL:
    case SVA_CYLINDRICAL:
    case SVA_PLANAR: S[5] = l->S[5]; break;
    case SVA_SPHERICAL: m = l->m; break;
    default: return;
    }
    if (parent) move_to_parent(parent, l, m, h, S);
    l->m -= m;
    for (int i = 0; i < 3; i++) l->h[i] -= h[i];
    for (int i = 0; i < 6; i++) l->S[i] -= S[i];
}

static void fill_node(const model *m, int i, tree *t, tree_node *node)
{
    const model_body *b = &m->bodies[i];
    node->parent = b->parent + 1;
    node->type = b->type;
    node->dependent = b->master >= 0;
    node->nv = sva_joint_table[b->type].nv;
    node->column = t->columns;
    node->width = 1;
    t->columns += node->nv;
    t->mimic = t->mimic || node->dependent;
    copy_joint(m, i, node->lane);
    align_frame(b, node->lane);
    rotate_inertia(b, node->lane);
    place_lane(b, b->parent >= 0 ? t->node[node->parent].lane : NULL, node->lane);
}

tree *tree_new(arena *memory, const model *m, bool regroup)
{
    tree *t = ARENA_ARRAY(memory, tree, 1);
    t->model = m;
    t->n = m->n_bodies + 1;
    t->node = ARENA_ARRAY(memory, tree_node, t->n);
    t->node[0].parent = -1;
    t->node[0].width = 1;
    tree_lane *lanes = ARENA_ARRAY(memory, tree_lane, t->n);
    for (int i = 0; i < t->n; i++) t->node[i].lane = &lanes[i];
    for (int i = 1; i < t->n; i++) fill_node(m, i - 1, t, &t->node[i]);
    slide_origins(memory, t);
    for (int i = t->n - 1; i > 0 && regroup; i--)
        move_unfelt(t->node[i].type, t->node[i].parent ? t->node[t->node[i].parent].lane : NULL, t->node[i].lane);
    return t;
}

tree *tree_at_links(arena *memory, const tree *t)
{
    tree *r = ARENA_ARRAY(memory, tree, 1);
    *r = *t;
    r->node = ARENA_ARRAY(memory, tree_node, t->n);
    for (int i = 0; i < t->n; i++) {
        tree_node *node = &r->node[i];
        *node = t->node[i];
        node->lane = ARENA_ARRAY(memory, tree_lane, node->width);
        for (int l = 0; l < node->width; l++) {
            node->lane[l] = t->node[i].lane[l];
            memcpy(node->lane[l].p, node->lane[l].at, sizeof node->lane[l].p);
            memset(node->lane[l].slide, 0, sizeof node->lane[l].slide);
        }
    }
    return r;
}

int *tree_walk(arena *memory, const tree *t)
{
    int *walk = ARENA_ARRAY(memory, int, 2 * t->n), n = 0;
    for (int i = 1; i < t->n; i++) {
        int next = i + 1 < t->n ? t->node[i + 1].parent : 0;
        walk[n++] = i;
        for (int j = i; j > next; j = t->node[j].parent) walk[n++] = -j;
    }
    walk[n] = 0;
    return walk;
}

/* ---- limbs as lanes */

/* The limbs at roots[0..n): the nodes of the first get the others' lanes, and those are left without any. */
static void join_limbs(arena *memory, tree *t, const int *roots, int n, int bodies)
{
    for (int k = 0; k < bodies; k++) {
        tree_lane *lanes = ARENA_ARRAY(memory, tree_lane, n);
        for (int l = 0; l < n; l++) {
            lanes[l] = *t->node[roots[l] + k].lane;
            t->node[roots[l] + k].width = 0;
        }
        t->node[roots[0] + k].lane = lanes;
        t->node[roots[0] + k].width = n;
    }
}

/* The limbs of a group that hang from one body, for each such body. What an outer group took is left alone. */
static int join_group(arena *memory, tree *t, const limb_group *group)
{
    int joined = 0;
    for (int i = 0; i < group->n_limbs; i++) {
        int roots[LIMBS_SIDE_BY_SIDE], n = 0, parent = t->node[group->roots[i] + 1].parent;
        for (int j = i; j < group->n_limbs && n < LIMBS_SIDE_BY_SIDE; j++) {
            const tree_node *root = &t->node[group->roots[j] + 1];
            if (root->parent == parent && root->width == 1) roots[n++] = group->roots[j] + 1;
        }
        if (n < 2 || t->node[group->roots[i] + 1].width != 1) continue;
        join_limbs(memory, t, roots, n, group->n_bodies);
        joined++;
    }
    return joined;
}

/* Nodes without lanes go. */
static void close_ranks(arena *memory, tree *t)
{
    int *number = ARENA_ARRAY(memory, int, t->n), n = 1;
    t->columns = 0;
    for (int i = 1; i < t->n; i++) {
        if (!t->node[i].width) continue;
        number[i] = n;
        t->node[n] = t->node[i];
        t->node[n].parent = number[t->node[n].parent];
        t->node[n].column = t->columns;
        t->columns += t->node[n++].nv;
    }
    t->n = n;
}

/* Whether every dependent joint is in the same lane as its master, or both are in none: then what they share is one
   lane of one node. */
static bool masters_beside(arena *memory, const tree *t)
{
    const model_body *bodies = t->model->bodies;
    struct {
        int lane, width;
    } *at = arena_alloc(memory, sizeof *at * (size_t)t->model->n_bodies);
    for (int i = 1; i < t->n; i++)
        for (int l = 0; l < t->node[i].width; l++) {
            at[t->node[i].lane[l].body].lane = l;
            at[t->node[i].lane[l].body].width = t->node[i].width;
        }
    for (int i = 0; i < t->model->n_bodies; i++) {
        int master = bodies[i].master;
        if (master >= 0 && (at[i].lane != at[master].lane || at[i].width != at[master].width)) return false;
    }
    return true;
}

tree *tree_with_lanes(arena *memory, const tree *t)
{
    limbs found = limbs_find(memory, t->model);
    tree *r = ARENA_ARRAY(memory, tree, 1);
    int joined = 0;
    *r = *t;
    r->node = ARENA_ARRAY(memory, tree_node, t->n);
    memcpy(r->node, t->node, sizeof *r->node * (size_t)t->n);
    for (int i = 0; i < found.n_groups; i++) joined += join_group(memory, r, &found.groups[i]);
    close_ranks(memory, r);
    return joined && masters_beside(memory, r) ? r : NULL;
}
