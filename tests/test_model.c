#include "suite.h"

#include <math.h>
#include <string.h>
#include "base/rotation.h"
#include "model/inertia.h"
#include "model/inverse.h"
#include "model/model.h"

static arena *memory;
static diag notes;

static robot *read_text(const char *text)
{
    memory = arena_new();
    notes = diag_new(memory);
    robot *r = robot_read_yaml(memory, "test", text, strlen(text), &(read_options){0}, &notes);
    if (!r) diag_print(&notes, DIAG_ERROR, stderr);
    ck_assert_ptr_nonnull(r);
    notes = diag_new(memory);
    return r;
}

static model *build_text(const char *text, const model_options *options)
{
    const robot *r = read_text(text);
    return model_build(memory, r, options, &notes);
}

static void done(void) { arena_free(memory); }

static void assert_near(const double *a, const double *b, int n, double tolerance)
{
    for (int i = 0; i < n; i++) ck_assert_msg(fabs(a[i] - b[i]) <= tolerance, "[%d]: %.17g and %.17g", i, a[i], b[i]);
}

#define HEAD "svagen: 1\nname: r\nlinks:\n"

/* Six point masses with the mass, centre and inertia of a link are an independent picture of it. */
typedef struct cloud {
    double at[64][3], mass[64];
    int n;
} cloud;

/* Points at c +- s_k e_k on the three axes, each pair of mass m/3, have the diagonal inertia with
   Sigma_kk = sum of m x_k^2 = 2 (m/6) s_k^2 = (tr I / 2 - I_kk). */
static void add_cloud(cloud *c, double m, const double com[3], const double diagonal[3])
{
    for (int k = 0; k < 6; k++) {
        int axis = k / 2;
        double sigma = (diagonal[0] + diagonal[1] + diagonal[2]) / 2 - diagonal[axis];
        memcpy(c->at[c->n], com, 3 * sizeof(double));
        c->at[c->n][axis] += (k % 2 ? 1 : -1) * sqrt(3 * sigma / m);
        c->mass[c->n++] = m / 6;
    }
}

/* x -> Rz(yaw) Ry(pitch) Rx(roll) x + p, one elementary rotation after the other, from point number `first` on. */
static void move_cloud(cloud *c, int first, const double rpy[3], const double p[3])
{
    for (int i = first; i < c->n; i++) {
        double *x = c->at[i];
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            double u = x[a] * cos(rpy[k]) - x[b] * sin(rpy[k]), v = x[a] * sin(rpy[k]) + x[b] * cos(rpy[k]);
            x[a] = u;
            x[b] = v;
        }
        for (int k = 0; k < 3; k++) x[k] += p[k];
    }
}

static void assert_inertia_of_cloud(const model_body *b, const cloud *c)
{
    double mass = 0, h[3] = {0}, I[6] = {0};
    for (int i = 0; i < c->n; i++) {
        const double *x = c->at[i], m = c->mass[i];
        mass += m;
        for (int k = 0; k < 3; k++) h[k] += m * x[k];
        I[0] += m * (x[1] * x[1] + x[2] * x[2]);
        I[1] -= m * x[0] * x[1];
        I[2] -= m * x[0] * x[2];
        I[3] += m * (x[0] * x[0] + x[2] * x[2]);
        I[4] -= m * x[1] * x[2];
        I[5] += m * (x[0] * x[0] + x[1] * x[1]);
    }
    assert_near(&b->mass, &mass, 1, 1e-13);
    assert_near(b->h, h, 3, 1e-13);
    assert_near(b->I, I, 6, 1e-13);
}

START_TEST(fixed_joints_are_lumped)
{
    static const char text[] = HEAD
        "- {name: g, mass: 99, inertia: {xx: 9, yy: 9, zz: 9}}\n"
        "- {name: arm, parent: g, joint: {name: j, type: revolute, axis: [0, 0, 1], xyz: [0.1, 0.2, 0.3]}, mass: 2, "
        "com: [0.1, -0.2, 0.3], inertia: {xx: 0.3, yy: 0.4, zz: 0.5}}\n"
        "- {name: tool, parent: arm, joint: {name: f, type: fixed, xyz: [0.5, 0, -0.1], rpy: [0.3, -0.7, 1.1]}, mass: "
        "0.7, com: [0.05, 0.06, 0.07], inertia: {xx: 0.02, yy: 0.03, zz: 0.04}}\n"
        "- {name: tip, parent: tool, joint: {name: f2, type: fixed, xyz: [0, 0.2, 0], rpy: [-1, 0.2, 0.4]}, mass: 0.1, "
        "inertia: {xx: 0.002, yy: 0.002, zz: 0.001}}\n"
        "- {name: last, parent: tip, joint: {name: j2, type: prismatic, axis: [1, 0, 0], xyz: [0.3, 0.1, 0.2]}, mass: "
        "1, inertia: {xx: 1, yy: 1, zz: 1}}\n";
    const model *m = build_text(text, NULL);
    ck_assert(m->n_bodies == 2 && m->nq == 2 && m->nv == 2 && m->n_frames == 5);
    cloud c = {.n = 0};
    add_cloud(&c, 0.1, (double[]){0, 0, 0}, (double[]){0.002, 0.002, 0.001});
    move_cloud(&c, 0, (double[]){-1, 0.2, 0.4}, (double[]){0, 0.2, 0});
    add_cloud(&c, 0.7, (double[]){0.05, 0.06, 0.07}, (double[]){0.02, 0.03, 0.04});
    move_cloud(&c, 0, (double[]){0.3, -0.7, 1.1}, (double[]){0.5, 0, -0.1});
    add_cloud(&c, 2, (double[]){0.1, -0.2, 0.3}, (double[]){0.3, 0.4, 0.5});
    assert_inertia_of_cloud(&m->bodies[0], &c);
    /* the second body hangs from the tip, whose place in the arm is that of a point moved the same way */
    cloud origin = {.mass = {1}, .at = {{0.3, 0.1, 0.2}}, .n = 1};
    move_cloud(&origin, 0, (double[]){-1, 0.2, 0.4}, (double[]){0, 0.2, 0});
    move_cloud(&origin, 0, (double[]){0.3, -0.7, 1.1}, (double[]){0.5, 0, -0.1});
    assert_near(m->bodies[1].p, origin.at[0], 3, 1e-15);
    ck_assert_int_eq(m->bodies[1].parent, 0);
    ck_assert(rotation_error(m->bodies[1].R) < 1e-15);
    done();
}
END_TEST

START_TEST(links_stay_as_frames)
{
    static const char text[] =
        HEAD "- name: g\n"
             "- {name: stand, parent: g, joint: {name: f, type: fixed, xyz: [1, 2, 3]}, mass: 5}\n"
             "- {name: arm, parent: stand, joint: {name: j, type: revolute, axis: [0, 1, 0], xyz: [0, 0, 1]}}\n"
             "- {name: cam, parent: arm, joint: {name: c, type: fixed, xyz: [0.5, 0, 0], rpy: "
             "[0, 0, 1.5707963267948966]}, mass: 1}\n";
    const struct {
        const char *name;
        int body;
        double p[3];
    } frames[] = {{"g", -1, {0, 0, 0}}, {"stand", -1, {1, 2, 3}}, {"arm", 0, {0, 0, 0}}, {"cam", 0, {0.5, 0, 0}}};
    const double turned[] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    const model *m = build_text(text, NULL);
    for (int i = 0; i < 4; i++) {
        ck_assert_str_eq(m->frames[i].name, frames[i].name);
        ck_assert_int_eq(m->frames[i].body, frames[i].body);
        ck_assert_mem_eq(m->frames[i].p, frames[i].p, sizeof frames[i].p);
    }
    ck_assert_mem_eq(m->frames[3].R, turned, sizeof turned);
    ck_assert_mem_eq(m->bodies[0].p, ((double[]){1, 2, 4}), 3 * sizeof(double));
    ck_assert(m->bodies[0].mass == 1); /* the stand's is the ground's */
    done();
}
END_TEST

START_TEST(floating_base)
{
    static const char text[] =
        "svagen: 1\nname: r\nbase: floating\nlinks:\n"
        "- {name: trunk, mass: 3, com: [0.1, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}}\n"
        "- {name: imu, parent: trunk, joint: {name: f, type: fixed, xyz: [0, 0, 1]}, mass: 1}\n"
        "- {name: leg, parent: imu, joint: {name: j, type: revolute, axis: [0, 1, 0]}, mass: 1}\n";
    const robot *r = read_text(text);
    const model *m = model_build(memory, r, NULL, &notes);
    ck_assert(m->floating && m->n_bodies == 2 && m->nq == 8 && m->nv == 7);
    const model_body *base = &m->bodies[0];
    ck_assert_str_eq(base->name, "trunk");
    ck_assert_str_eq(base->joint_name, "root_joint");
    ck_assert(base->type == SVA_FLOATING && base->parent == -1 && base->iq == 0 && base->nq == 7);
    ck_assert(base->mass == 4 && base->h[0] == 3 * 0.1 && base->h[2] == 1);
    ck_assert(m->bodies[1].parent == 0 && m->bodies[1].iq == 7 && m->bodies[1].iv == 6 && m->bodies[1].p[2] == 1);
    m = model_build(memory, r, &(model_options){.base = BASE_FIXED, .gravity = (double[]){1, 2, 3}, .name = "other"},
                    &notes);
    ck_assert(!m->floating && m->n_bodies == 1 && m->nv == 1 && m->bodies[0].parent == -1 && m->bodies[0].p[2] == 1);
    ck_assert(m->gravity[0] == 1 && m->gravity[2] == 3 && !strcmp(m->name, "other"));
    done();
}
END_TEST

#define SLIDE(name, parent, mimic)                                                                                     \
    "- {name: " name ", parent: " parent ", joint: {name: j" name ", type: prismatic, axis: [0, 0, 1]" mimic           \
    "}, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}\n"

/* a = 2 b + 1, b = -3 d + 0.5, c free, d free, e = 4 a: masters later in the order, and a chain of three */
static const char mimics[] = HEAD "- name: g\n" SLIDE("a", "g", ", mimic: {joint: jb, multiplier: 2, offset: 1}")
    SLIDE("b", "a", ", mimic: {joint: jd, multiplier: -3, offset: 0.5}") SLIDE("c", "b", "") SLIDE("d", "g", "")
        SLIDE("e", "d", ", mimic: {joint: ja, multiplier: 4}");

START_TEST(mimic_joints_are_flattened)
{
    const model *m = build_text(mimics, NULL);
    static const struct {
        int nv, iv, master;
        double multiplier, offset;
    } expected[] = {{0, 1, 3, -6, 2}, {0, 1, 3, -3, 0.5}, {1, 0, -1, 1, 0}, {1, 1, -1, 1, 0}, {0, 1, 3, -24, 8}};
    ck_assert(m->n_bodies == 5 && m->nq == 2 && m->nv == 2);
    for (int i = 0; i < 5; i++) {
        const model_body *b = &m->bodies[i];
        ck_assert(b->nv == expected[i].nv && b->nq == expected[i].nv && b->iv == expected[i].iv && b->iq == b->iv);
        ck_assert(b->master == expected[i].master);
        ck_assert(b->multiplier == expected[i].multiplier && b->offset == expected[i].offset);
    }
    done();
}
END_TEST

START_TEST(mimic_joints_kept_independent)
{
    const model *m = build_text(mimics, &(model_options){.mimic_independent = true});
    ck_assert(m->nq == 5 && m->nv == 5);
    for (int i = 0; i < 5; i++) ck_assert(m->bodies[i].master == -1 && m->bodies[i].iv == i && m->bodies[i].nv == 1);
    done();
}
END_TEST

#define LIGHT(name, parent, more)                                                                                      \
    "- {name: " name ", parent: " parent ", joint: {name: j" name ", type: revolute, axis: [0, 0, 1]" more "}}\n"

static const struct {
    const char *text, *warned; /* the joint named by the one warning; NULL: there is none */
    unsigned weightless;       /* bit i: body i */
} light[] = {
    {HEAD "- name: g\n" LIGHT("a", "g", ""), "'ja'", 1},
    {HEAD "- name: g\n" LIGHT("a", "g", ", armature: 1"), NULL, 1},
    {HEAD "- name: g\n" LIGHT("a", "g", "") SLIDE("b", "a", ""), NULL, 0},
    {HEAD "- name: g\n" SLIDE("b", "g", "") LIGHT("a", "b", ""), "'ja'", 2},
    {HEAD "- name: g\n" LIGHT("a", "g", "") SLIDE("b", "g", ", mimic: {joint: ja}"), NULL, 0},
    {HEAD "- name: g\n" LIGHT("a", "g", "") SLIDE("b", "g", ", mimic: {joint: ja, multiplier: 0}"), "'ja'", 1},
    {HEAD "- name: g\n" SLIDE("b", "g", "") LIGHT("a", "g", ", mimic: {joint: jb}"), NULL, 2},
    {HEAD "- name: g\n- {name: s, parent: g, joint: {name: js, type: spherical, armature: [1, 1, 0]}}\n", "'js'", 1},
    {"svagen: 1\nname: r\nbase: floating\nlinks:\n- name: g\n", "'root_joint'", 1},
};

START_TEST(weightless_joints)
{
    for (size_t i = 0; i < sizeof light / sizeof *light; i++) {
        const model *m = build_text(light[i].text, NULL);
        inverse_report(m, &notes);
        unsigned weightless = 0;
        for (int b = 0; b < m->n_bodies; b++) weightless |= (unsigned)m->bodies[b].weightless << b;
        ck_assert_msg(weightless == light[i].weightless, "case %zu: %x", i, weightless);
        ck_assert_msg(notes.warnings == (light[i].warned != NULL), "case %zu: %d warnings", i, notes.warnings);
        if (light[i].warned)
            ck_assert(strstr(notes.first->text, light[i].warned) && strstr(notes.first->text, "no inverse"));
        done();
    }
}
END_TEST

START_TEST(no_degrees_of_freedom)
{
    const model *m = build_text(HEAD "- name: g\n", NULL);
    ck_assert(m && m->n_bodies == 0 && m->nv == 0 && m->nq == 0 && m->n_frames == 1);
    done();
}
END_TEST

START_TEST(numbers_out_of_range)
{
    static const char *const texts[] = {
        HEAD "- name: g\n- {name: a, parent: g, joint: {name: j, type: revolute, axis: [0, 0, 1]}, mass: 1e300, com: "
             "[1e200, 0, 0]}\n",
        HEAD
        "- name: g\n- {name: a, parent: g, joint: {name: j, type: fixed, xyz: [1.7e308, 0, 0]}}\n- {name: b, parent: "
        "a, joint: {name: k, type: revolute, axis: [0, 0, 1], xyz: [1.7e308, 0, 0]}}\n",
        HEAD "- name: g\n" SLIDE("c", "g", "") SLIDE("b", "g", ", mimic: {joint: jc, multiplier: 1e200}")
            SLIDE("a", "g", ", mimic: {joint: jb, multiplier: 1e200}"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_ptr_null(build_text(texts[i], NULL));
        ck_assert_int_eq(notes.errors, 1);
        ck_assert_ptr_nonnull(strstr(notes.last->text, "too large"));
        done();
    }
}
END_TEST

START_TEST(every_joint_is_a_model)
{
    memory = arena_new();
    notes = diag_new(memory);
    const robot *r = robot_read(memory, "robots/every_joint.yaml", &(read_options){0}, &notes);
    ck_assert_ptr_nonnull(r);
    double file_mass = 0, body_mass = 0;
    for (int i = 1; i < r->n_links; i++) file_mass += r->links[i].mass;
    const model *m = model_build(memory, r, &(model_options){.mimic_independent = false}, &notes);
    ck_assert(m && notes.warnings == 0);
    int nq = 0, nv = 0;
    for (int i = 0; i < m->n_bodies; i++) {
        const model_body *b = &m->bodies[i];
        body_mass += b->mass;
        ck_assert(b->parent < i && b->type != SVA_FIXED);
        if (b->master >= 0) continue;
        ck_assert(b->iq == nq && b->iv == nv);
        nq += b->nq;
        nv += b->nv;
    }
    ck_assert(nq == m->nq && nv == m->nv && nq == 26 && nv == 23);
    /* the pedestal is the ground */
    ck_assert(fabs(file_mass - 5 - body_mass) < 1e-12);
    /* depth first: a body's parent is the one before or an ancestor of that */
    for (int i = 1; i < m->n_bodies; i++) {
        int k = i - 1;
        while (k >= 0 && k != m->bodies[i].parent) k = m->bodies[k].parent;
        ck_assert_int_eq(k, m->bodies[i].parent);
    }
    done();
}
END_TEST

START_TEST(chains_of_the_papers)
{
    static const struct {
        int n, branching, depth;
    } cases[] = {{1, 1, 1}, {10, 1, 10}, {10, 2, 4}, {15, 2, 4}, {16, 2, 5}, {31, 5, 3}, {32, 5, 4}, {500, 5, 5}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        memory = arena_new();
        notes = diag_new(memory);
        const robot *r = robot_chain(memory, cases[c].n, cases[c].branching);
        const model *m = model_build(memory, r, NULL, &notes);
        int deepest = 0, depth[512], children[512] = {0};
        ck_assert(m->nv == cases[c].n && m->n_bodies == cases[c].n);
        for (int i = 0; i < m->n_bodies; i++) {
            const model_body *b = &m->bodies[i];
            depth[i] = b->parent < 0 ? 1 : depth[b->parent] + 1;
            if (depth[i] > deepest) deepest = depth[i];
            if (b->parent >= 0) ck_assert_int_le(++children[b->parent], cases[c].branching);
            ck_assert(b->mass == 1 && b->h[0] == 0.5 && b->I[5] == 1.25 && b->I[0] == 0 && b->axis[2] == 1);
            ck_assert(b->p[0] == (b->parent >= 0));
        }
        ck_assert_int_eq(deepest, cases[c].depth);
        done();
    }
    memory = arena_new();
    ck_assert_str_eq(robot_chain(memory, 7, 2)->name, "chain_7_2");
    done();
}
END_TEST

START_TEST(eigenvalues)
{
    static const struct {
        double I[6], value[3];
    } cases[] = {{{3, 0, 0, 1, 0, 2}, {1, 2, 3}}, {{2, 1, 0, 2, 0, 5}, {1, 3, 5}},
                 {{1, 1, 1, 1, 1, 1}, {0, 0, 3}}, {{0, 1, 0, 0, 0, 0}, {-1, 0, 1}},
                 {{0, 0, 0, 0, 0, 0}, {0, 0, 0}}, {{1e300, 1e300, 0, 1e300, 0, 1}, {0, 1, 2e300}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value[3], scale = fmax(1, fabs(cases[i].value[2]));
        inertia_eigenvalues(cases[i].I, value);
        for (int k = 0; k < 3; k++)
            ck_assert_msg(fabs(value[k] - cases[i].value[k]) <= 1e-14 * scale, "case %zu: %g", i, value[k]);
    }
}
END_TEST

SUITE("model", fixed_joints_are_lumped, links_stay_as_frames, floating_base, mimic_joints_are_flattened,
      mimic_joints_kept_independent, weightless_joints, no_degrees_of_freedom, numbers_out_of_range,
      every_joint_is_a_model, chains_of_the_papers, eigenvalues)
