#include "trees.h"
#include <math.h>
#include <string.h>

double tree_uniform(uint64_t *seed, double low, double high)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return low + (high - low) * (double)(z >> 11) * 0x1p-53;
}

static int pick(uint64_t *seed, int count) { return (int)tree_uniform(seed, 0, count); }

static void vector(uint64_t *seed, double size, double x[3])
{
    for (int i = 0; i < 3; i++) x[i] = tree_uniform(seed, -size, size);
}

static void unit(uint64_t *seed, int n, double x[])
{
    double norm = 0;
    while (norm < 0.1) {
        norm = 0;
        for (int i = 0; i < n; i++) {
            x[i] = tree_uniform(seed, -1, 1);
            norm += x[i] * x[i];
        }
    }
    for (int i = 0; i < n; i++) x[i] /= sqrt(norm);
}

static void rotation(uint64_t *seed, double R[9])
{
    double u[4];
    unit(seed, 4, u);
    double x = u[0], y = u[1], z = u[2], w = u[3];
    const double full[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                            2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                            2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(R, full, sizeof full);
}

/* Four points of mass: their inertia is that of a body that could exist. I = tr(Sigma) 1 - Sigma. */
static void inertia(uint64_t *seed, model_body *b)
{
    double sigma[3][3] = {{0}}, centre[3];
    vector(seed, 0.2, centre);
    for (int n = 0; n < 4; n++) {
        double mass = tree_uniform(seed, 0.2, 0.7), x[3];
        vector(seed, 0.2, x);
        b->mass += mass;
        for (int i = 0; i < 3; i++) b->h[i] += mass * (x[i] += centre[i]);
        for (int i = 0; i < 9; i++) sigma[i / 3][i % 3] += mass * x[i / 3] * x[i % 3];
    }
    double trace = sigma[0][0] + sigma[1][1] + sigma[2][2];
    const double I[6] = {trace - sigma[0][0], -sigma[0][1], -sigma[0][2],
                         trace - sigma[1][1], -sigma[1][2], trace - sigma[2][2]};
    memcpy(b->I, I, sizeof I);
}

/* Each type once, in turn, then any. */
static sva_joint_type type_of(uint64_t *seed, unsigned types, int body)
{
    sva_joint_type allowed[SVA_JOINT_TYPES] = {SVA_REVOLUTE};
    int n = 0;
    for (int t = SVA_FIXED + 1; t < SVA_JOINT_TYPES; t++)
        if (types == 0 || types >> t & 1) allowed[n++] = (sva_joint_type)t;
    return allowed[body < n ? body : pick(seed, n)];
}

/* Depth first: the parent is on the path from the body before to the ground, to which nothing but a floating base is
   joined where there is one. */
static int parent_of(uint64_t *seed, const model *m, int body)
{
    int parent = body - 1;
    while (parent >= 0 && tree_uniform(seed, 0, 1) < 0.25) parent = m->bodies[parent].parent;
    return parent < 0 && body > 0 && m->floating ? 0 : parent;
}

static int master_of(uint64_t *seed, const model *m, int body)
{
    for (int tries = 0; tries < 20 && body > 0; tries++) {
        int master = pick(seed, body);
        if (m->bodies[master].master < 0 && m->bodies[master].nv == 1) return master;
    }
    return -1;
}

static void number(model *m, model_body *b)
{
    b->nq = b->master < 0 ? sva_joint_table[b->type].nq : 0;
    b->nv = b->master < 0 ? sva_joint_table[b->type].nv : 0;
    b->iq = b->master < 0 ? m->nq : m->bodies[b->master].iq;
    b->iv = b->master < 0 ? m->nv : m->bodies[b->master].iv;
    m->nq += b->nq;
    m->nv += b->nv;
}

static void add_body(arena *memory, uint64_t *seed, model *m, tree_options o)
{
    int i = m->n_bodies;
    model_body *b = &m->bodies[i];
    b->name = arena_printf(memory, "body%d", i);
    b->joint_name = arena_printf(memory, "joint%d", i);
    b->type = o.floating && i == 0 ? SVA_FLOATING : type_of(seed, o.types, i - o.floating);
    b->parent = parent_of(seed, m, i);
    rotation(seed, b->R);
    vector(seed, 0.4, b->p);
    unit(seed, 3, b->axis);
    b->pitch = b->type == SVA_HELICAL ? tree_uniform(seed, -0.2, 0.2) : 0;
    b->master = o.mimic && sva_joint_table[b->type].nv == 1 && pick(seed, 3) == 0 ? master_of(seed, m, i) : -1;
    if (b->master >= 0) {
        b->multiplier = tree_uniform(seed, -2, 2);
        b->offset = tree_uniform(seed, -1, 1);
    }
    if (o.armature && i % 2 == 0)
        for (int k = 0; k < sva_joint_table[b->type].nv; k++) b->armature[k] = tree_uniform(seed, 0.01, 0.1);
    inertia(seed, b);
    number(m, b);
    m->n_bodies++;
}

model *tree_random(arena *memory, uint64_t seed, tree_options options)
{
    model *m = arena_alloc(memory, sizeof *m);
    m->name = arena_printf(memory, "tree%d_%llu", options.bodies, (unsigned long long)seed);
    m->floating = options.floating;
    const double gravity[3] = {0.3, -0.7, -9.7};
    memcpy(m->gravity, gravity, sizeof gravity);
    m->bodies = ARENA_ARRAY(memory, model_body, options.bodies);
    while (m->n_bodies < options.bodies) add_body(memory, &seed, m, options);
    return m;
}

/* ---- limbs of one shape */

/* Other numbers, of a body that could exist: the same one, larger and heavier, elsewhere. */
static void vary(uint64_t *seed, model_body *b)
{
    double mass = tree_uniform(seed, 0.5, 2), size = tree_uniform(seed, 0.5, 1.5);
    b->mass *= mass;
    for (int k = 0; k < 3; k++) b->h[k] *= mass * size;
    for (int k = 0; k < 6; k++) b->I[k] *= mass * size * size;
    for (int k = 0; k < 6; k++) b->armature[k] *= mass;
    rotation(seed, b->R);
    vector(seed, 0.4, b->p);
    unit(seed, 3, b->axis);
}

static int end_of(const model *m, int root)
{
    int end = root + 1;
    while (end < m->n_bodies && m->bodies[end].parent >= root) end++;
    return end;
}

/* Appends body i; number_of: where bodies of the old model are by now. */
static model_body *append(arena *memory, model *to, const model *from, int i, int *number_of)
{
    model_body *b = &to->bodies[to->n_bodies];
    *b = from->bodies[i];
    b->name = arena_printf(memory, "body%d", to->n_bodies);
    b->joint_name = arena_printf(memory, "joint%d", to->n_bodies);
    b->parent = b->parent < 0 ? -1 : number_of[b->parent];
    b->master = b->master < 0 ? -1 : number_of[b->master];
    number_of[i] = to->n_bodies++;
    return b;
}

model *tree_repeat(arena *memory, const model *m, int root, int copies, uint64_t seed)
{
    model *r = arena_alloc(memory, sizeof *r);
    int end = end_of(m, root), *number_of = ARENA_ARRAY(memory, int, m->n_bodies);
    *r = *m;
    r->n_bodies = r->nq = r->nv = 0;
    r->bodies = ARENA_ARRAY(memory, model_body, m->n_bodies + copies * (end - root));
    for (int i = 0; i < end; i++) append(memory, r, m, i, number_of);
    for (int copy = 0; copy < copies; copy++)
        for (int i = root; i < end; i++) vary(&seed, append(memory, r, m, i, number_of));
    for (int i = root; i < end; i++) number_of[i] = i;
    for (int i = end; i < m->n_bodies; i++) append(memory, r, m, i, number_of);
    for (int i = 0; i < r->n_bodies; i++) number(r, &r->bodies[i]);
    return r;
}

void tree_add_frames(arena *memory, model *m, uint64_t *seed)
{
    m->frames = ARENA_ARRAY(memory, model_frame, m->n_bodies + 1);
    for (m->n_frames = 0; m->n_frames <= m->n_bodies; m->n_frames++) {
        model_frame *f = &m->frames[m->n_frames];
        f->body = m->n_frames - 1;
        f->name = arena_printf(memory, "frame%d", m->n_frames);
        double x = tree_uniform(seed, -3, 3), R[9] = {cos(x), 0, sin(x), 0, 1, 0, -sin(x), 0, cos(x)};
        memcpy(f->R, R, sizeof R);
        for (int k = 0; k < 3; k++) f->p[k] = tree_uniform(seed, -0.5, 0.5);
    }
}

void tree_add_losses(model *m, uint64_t *seed)
{
    for (model_body *b = m->bodies; b < m->bodies + m->n_bodies; b++)
        for (int k = 0; k < sva_joint_table[b->type].nv; k++) {
            b->damping[k] = tree_uniform(seed, 0, 1);
            b->friction[k] = tree_uniform(seed, 0, 1);
        }
}
