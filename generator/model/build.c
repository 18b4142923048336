#include "inverse.h"
#include <math.h>
#include <string.h>
#include "base/rotation.h"

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3];

typedef struct pose {
    double R[9], p[3];
} pose;

/* x_a = A (B x): R = A.R B.R, p = A.R B.p + A.p */
static pose compose(const double AR[9], const double Ap[3], const double BR[9], const double Bp[3])
{
    pose c;
    rotation_compose(AR, BR, c.R);
    rotation_apply(AR, Bp, Ap, c.p);
    return c;
}

/* R I R' of a symmetric matrix xx xy xz yy yz zz */
static void rotate_inertia(const double R[9], const double I[6], double out[6])
{
    const double full[9] = {I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]};
    double transposed[9], turned[9];
    for (int i = 0; i < 9; i++) transposed[i] = R[i % 3 * 3 + i / 3];
    rotation_compose(R, full, turned);
    rotation_compose(turned, transposed, turned);
    static const int upper[6] = {0, 1, 2, 4, 5, 8};
    for (int i = 0; i < 6; i++) out[i] = turned[upper[i]];
}

/* Adds a link's inertia, moved from its centre of mass to the body's origin: I + m (c.c 1 - c c'). */
static void add_inertia(model_body *b, const robot_link *link, const model_frame *f)
{
    double c[3], I[6], m = link->mass;
    rotation_apply(f->R, link->com, f->p, c);
    rotate_inertia(f->R, link->inertia, I);
    double xx = c[0] * c[0], yy = c[1] * c[1], zz = c[2] * c[2];
    const double moved[6] = {yy + zz, -c[0] * c[1], -c[0] * c[2], xx + zz, -c[1] * c[2], xx + yy};
    for (int i = 0; i < 6; i++) b->I[i] += I[i] + m * moved[i];
    for (int i = 0; i < 3; i++) b->h[i] += m * c[i];
    b->mass += m;
}

static model_body *add_body(model *m, const char *name, const char *joint_name, sva_joint_type type, int parent)
{
    model_body *b = &m->bodies[m->n_bodies++];
    *b = (model_body){.name = name, .joint_name = joint_name, .type = type, .parent = parent, .axis = {0, 0, 1}};
    b->master = -1;
    b->multiplier = 1;
    b->lower = -INFINITY;
    b->upper = b->velocity = b->effort = INFINITY;
    memcpy(b->R, identity, sizeof b->R);
    return b;
}

/* Files give 0 for what they do not know; a continuous joint has no range whatever they say. */
static void set_limits(model_body *b, const robot_joint *j)
{
    bool range = j->type != SVA_CONTINUOUS && (j->lower != 0 || j->upper != 0);
    if (!j->has_limits) return;
    if (range) b->lower = j->lower, b->upper = j->upper;
    if (j->velocity != 0) b->velocity = j->velocity;
    if (j->effort != 0) b->effort = j->effort;
}

static void add_joint_body(model *m, const robot_link *link, int parent, const pose *at)
{
    const robot_joint *j = &link->joint;
    model_body *b = add_body(m, link->name, j->name, j->type, parent);
    b->at = j->at;
    memcpy(b->R, at->R, sizeof b->R);
    memcpy(b->p, at->p, sizeof b->p);
    memcpy(b->axis, j->axis, sizeof b->axis);
    b->pitch = j->pitch;
    set_limits(b, j);
    memcpy(b->armature, j->armature, sizeof b->armature);
    memcpy(b->damping, j->damping, sizeof b->damping);
    memcpy(b->friction, j->friction, sizeof b->friction);
}

/* The frame of link i: in its own body if its joint moves, else in the body of its parent. */
static void place_link(model *m, const robot *r, int i)
{
    const robot_link *link = &r->links[i];
    model_frame *f = &m->frames[i];
    pose at = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    int body = m->floating ? 0 : -1;
    if (i > 0) {
        const model_frame *parent = &m->frames[link->parent];
        at = compose(parent->R, parent->p, link->joint.R, link->joint.p);
        body = parent->body;
        if (link->joint.type != SVA_FIXED) {
            add_joint_body(m, link, body, &at);
            body = m->n_bodies - 1;
            memcpy(at.R, identity, sizeof at.R);
            memcpy(at.p, origin, sizeof at.p);
        }
    }
    f->name = link->name;
    f->body = body;
    memcpy(f->R, at.R, sizeof f->R);
    memcpy(f->p, at.p, sizeof f->p);
    if (body >= 0) add_inertia(&m->bodies[body], link, f);
}

/* Follows a chain of mimic joints to its end: q_i = k_i q_j + c_i and q_j = k_j q_m + c_j give
   q_i = k_i k_j q_m + k_i c_j + c_i. Done from the end back, so that each joint is resolved once. */
static void resolve_mimic(model *m, const robot *r, int link, int *stack)
{
    int depth = 0;
    for (; r->links[link].joint.mimics >= 0 && m->bodies[m->frames[link].body].master < 0;
         link = r->links[link].joint.mimics)
        stack[depth++] = link;
    while (depth-- > 0) {
        const model_body *followed = &m->bodies[m->frames[link].body];
        link = stack[depth];
        const robot_joint *j = &r->links[link].joint;
        model_body *b = &m->bodies[m->frames[link].body];
        b->master = followed->master >= 0 ? followed->master : (int)(followed - m->bodies);
        b->multiplier = j->multiplier * followed->multiplier;
        b->offset = j->multiplier * followed->offset + j->offset;
    }
}

static void number_coordinates(model *m)
{
    for (int i = 0; i < m->n_bodies; i++) {
        model_body *b = &m->bodies[i];
        if (b->master >= 0) continue;
        b->nq = sva_joint_table[b->type].nq;
        b->nv = sva_joint_table[b->type].nv;
        b->iq = m->nq;
        b->iv = m->nv;
        m->nq += b->nq;
        m->nv += b->nv;
    }
    for (int i = 0; i < m->n_bodies; i++) {
        model_body *b = &m->bodies[i];
        if (b->master < 0) continue;
        b->iq = m->bodies[b->master].iq;
        b->iv = m->bodies[b->master].iv;
    }
}

static bool has_armature(const model_body *b)
{
    for (int i = 0; i < sva_joint_table[b->type].nv; i++)
        if (b->armature[i] == 0) return false;
    return true;
}

static bool has_inertia(const model_body *b)
{
    bool any = b->mass != 0;
    for (int i = 0; i < 6; i++) any |= b->I[i] != 0;
    return any;
}

/* Leaves first, what a joint moves: its subtree, and the subtrees and rotors of the joints that follow it. */
static void mark_weightless(model *m)
{
    for (int i = 0; i < m->n_bodies; i++) m->bodies[i].weightless = !has_inertia(&m->bodies[i]);
    for (int i = m->n_bodies - 1; i >= 0; i--) {
        const model_body *b = &m->bodies[i];
        if (!b->weightless && b->parent >= 0) m->bodies[b->parent].weightless = false;
    }
    for (int i = 0; i < m->n_bodies; i++) {
        const model_body *b = &m->bodies[i];
        bool moves = b->master >= 0 && b->multiplier != 0;
        if (moves && (!b->weightless || has_armature(b))) m->bodies[b->master].weightless = false;
    }
}

static void give_armature(model *m, double armature)
{
    for (model_body *b = m->bodies; b < m->bodies + m->n_bodies; b++)
        for (int i = 0; i < b->nv && b->type != SVA_FLOATING; i++)
            if (b->armature[i] == 0) b->armature[i] = armature;
}

static bool all_finite(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static bool check_range(const model *m, const robot *r, diag *d)
{
    for (int i = 0; i < m->n_frames; i++) {
        const model_frame *f = &m->frames[i];
        const model_body *b = f->body < 0 ? NULL : &m->bodies[f->body];
        bool fine = all_finite(f->p, 3);
        if (b)
            fine = fine && all_finite(b->p, 3) && all_finite(b->I, 6) && all_finite(b->h, 3) && isfinite(b->mass) &&
                   isfinite(b->multiplier) && isfinite(b->offset);
        if (!fine) return diag_error(d, r->links[i].at, "link '%s': its numbers are too large to work with", f->name);
    }
    return true;
}

static void build(model *m, const robot *r, const model_options *o, arena *scratch)
{
    if (m->floating) add_body(m, r->links[0].name, "root_joint", SVA_FLOATING, -1)->at = r->links[0].at;
    for (int i = 0; i < r->n_links; i++) place_link(m, r, i);
    int *stack = ARENA_ARRAY(scratch, int, r->n_links);
    for (int i = 0; i < r->n_links && !o->mimic_independent; i++) resolve_mimic(m, r, i, stack);
    number_coordinates(m);
    give_armature(m, o->armature);
    mark_weightless(m);
}

model *model_build(arena *memory, const robot *r, const model_options *options, diag *d)
{
    static const model_options none;
    const model_options *o = options ? options : &none;
    model *m = ARENA_ARRAY(memory, model, 1);
    *m = (model){.name = o->name ? o->name : r->name, .n_frames = r->n_links};
    m->floating = o->base == BASE_AS_FILE ? r->floating : o->base == BASE_FLOATING;
    memcpy(m->gravity, o->gravity ? o->gravity : r->gravity, sizeof m->gravity);
    m->bodies = ARENA_ARRAY(memory, model_body, r->n_links);
    m->frames = ARENA_ARRAY(memory, model_frame, r->n_links);
    arena *scratch = arena_new();
    build(m, r, o, scratch);
    arena_free(scratch);
    if (!check_range(m, r, d)) return NULL;
    inverse_examine(m);
    return m;
}
