#include "suite.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include "fixture.h"
#include "model/inverse.h"

static arena *memory;
static diag notes;

static model *build_text(const char *text, model_options options)
{
    memory = arena_new();
    notes = diag_new(memory);
    robot *r = robot_read_yaml(memory, "test", text, strlen(text), &(read_options){0}, &notes);
    if (!r) diag_print(&notes, DIAG_ERROR, stderr);
    ck_assert_ptr_nonnull(r);
    notes = diag_new(memory);
    return model_build(memory, r, &options, &notes);
}

static void done(void) { arena_free(memory); }

#define HEAD  "svagen: 1\nname: r\nlinks:\n- name: g\n"
#define FREE  "svagen: 1\nname: r\nbase: floating\nlinks:\n"
#define TRUNK "- {name: t, mass: 4, com: [0.1, 0, 0.2], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}\n"
#define JOINT(name, parent, type, more, body)                                                                          \
    "- {name: " name ", parent: " parent ", joint: {name: j" name ", type: " type more "}" body "}\n"
#define TURN(name, parent, more, body) JOINT(name, parent, "revolute", ", axis: [0.3, 0.5, 0.8]" more, body)
/* An ordinary upper arm; `rpy` and `xyz` keep everything away from the axes. */
#define ARM                                                                                                            \
    HEAD TURN("a", "g", ", xyz: [0.1, 0.2, 0.3], rpy: [0.3, 0.2, 0.1]",                                                \
              ", mass: 5, com: [0.3, 0.1, 0.2], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}")
#define AWAY           ", xyz: [0.4, 0.1, 0], rpy: [1, 0.3, 0.2]"
#define ROUND(moment)  ", inertia: {xx: " moment ", yy: " moment ", zz: " moment "}"
#define HAND           ", mass: 3, com: [0.2, 0.1, 0]" ROUND("0.03")
#define ON_AXIS(value) ", mass: 0.1, com: [0.06, 0.1, 0.16]" ROUND(value)

static const struct {
    const char *text, *joint;
    obstacle obstacle;
} denied[] = {
    {ARM TURN("w", "a", AWAY, ""), "jw", OBSTACLE_NO_MASS},
    {ARM JOINT("w", "a", "prismatic", ", axis: [0, 0, 1]", ROUND("0.1")), "jw", OBSTACLE_NO_MASS},
    {ARM TURN("w", "a", AWAY, ", mass: 0.1"), "jw", OBSTACLE_AXIS},
    {ARM TURN("w", "a", AWAY, ", mass: 0.1, com: [0.06, 0.1, 0.16]"), "jw", OBSTACLE_AXIS},
    {ARM TURN("w", "a", AWAY, ON_AXIS("1e-20")), "jw", OBSTACLE_AXIS},
    {ARM TURN("w", "a", AWAY, ", mass: 0.1" ROUND("-1e-20")), "jw", OBSTACLE_AXIS},
    {ARM JOINT("w", "a", "spherical", AWAY, ", mass: 0.1, com: [0.1, 0.2, 0.3]"), "jw", OBSTACLE_AXIS},
    {ARM TURN("w", "a", AWAY, "") TURN("h", "w", "", HAND), "jw", OBSTACLE_REDUNDANT},
    {ARM JOINT("w", "a", "prismatic", ", axis: [0, 0, 1]", "") JOINT("h", "w", "prismatic", ", axis: [0, 0, -1]", HAND),
     "jw", OBSTACLE_REDUNDANT},
    {ARM TURN("w", "a", AWAY, "") TURN("h", "w", ", rpy: [0, 0, 0]", HAND), "jw", OBSTACLE_REDUNDANT},
    {FREE "- {name: t, mass: 1}\n" TURN("h", "t", "", HAND), "root_joint", OBSTACLE_REDUNDANT},
    {FREE "- {name: t, mass: 1, com: [1, 2, 3]}\n", "root_joint", OBSTACLE_AXIS},
};

START_TEST(joints_that_leave_no_inverse)
{
    for (size_t i = 0; i < sizeof denied / sizeof *denied; i++) {
        model *m = build_text(denied[i].text, (model_options){0});
        ck_assert_msg(notes.warnings == 0 && m->inverse.n_obstacles == 1, "case %zu: %d", i, m->inverse.n_obstacles);
        for (int b = 0; b < m->n_bodies; b++) {
            bool here = !strcmp(m->bodies[b].joint_name, denied[i].joint);
            ck_assert_msg(m->bodies[b].obstacle == (here ? denied[i].obstacle : OBSTACLE_NONE), "case %zu: %s: %d", i,
                          m->bodies[b].joint_name, (int)m->bodies[b].obstacle);
        }
        inverse_report(m, &notes);
        ck_assert_int_eq(notes.warnings, 1);
        ck_assert(strstr(notes.first->text, denied[i].joint) && strstr(notes.first->text, "M has no inverse"));
        ck_assert_int_eq(notes.first->at.line, m->floating ? 5 : 6);
        done();
    }
}
END_TEST

static const struct {
    const char *text, *warned; /* what the one warning says; NULL: there is none */
} granted[] = {
    {ARM TURN("w", "a", AWAY, HAND), NULL},
    {ARM TURN("w", "a", AWAY ", armature: 0.01", ", mass: 0.1"), NULL},
    {ARM TURN("w", "a", AWAY, ON_AXIS("1e-9")), NULL}, /* a wire about itself */
    {ARM TURN("w", "a", AWAY, ON_AXIS("1e-15")), "joint 'jw' moves almost nothing of its own"},
    {ARM TURN("w", "a", AWAY, ROUND("1e-12")) TURN("h", "w", "", HAND), "in double keeps about 4 digits"},
    {ARM TURN("w", "a", AWAY, ", mass: 0.1" ROUND("1e-20")), "joint 'jw' moves next to nothing"},
    {ARM TURN("w", "a", AWAY, ", mass: 0.1, inertia: {xx: -1e-8, yy: 1, zz: 1}")
         JOINT("x", "a", "revolute", ", axis: [1, 0, 0]", ", mass: 1, inertia: {xx: -1e-8, yy: 1, zz: 1}"),
     "joint 'jx' moves a negative inertia"},
    /* 1 g of gripper, turning and sliding, on 800 kg of machine */
    {HEAD TURN("a", "g", AWAY, ", mass: 500, com: [1, 0.1, 0.2]" ROUND("60"))
         TURN("b", "a", ", xyz: [2, 0, 0]", ", mass: 300, com: [1, 0.1, 0.2]" ROUND("30"))
             TURN("f", "b", ", xyz: [2, 0, 0]", ", mass: 0.001, com: [0.003, 0.001, 0]" ROUND("1e-9"))
                 JOINT("s", "b", "prismatic", ", axis: [1, 0, 0]", ", mass: 0.001" ROUND("1e-9")),
     NULL},
    {FREE TRUNK TURN("a", "t", AWAY, HAND) JOINT("f", "a", "floating", AWAY, HAND), NULL},
};

START_TEST(joints_that_leave_one)
{
    for (size_t i = 0; i < sizeof granted / sizeof *granted; i++) {
        model *m = build_text(granted[i].text, (model_options){0});
        inverse_report(m, &notes);
        ck_assert_msg(m->inverse.n_obstacles == 0 && !inverse_denied(memory, m), "case %zu", i);
        ck_assert_msg(notes.warnings == (granted[i].warned != NULL), "case %zu: %d", i, notes.warnings);
        if (granted[i].warned)
            ck_assert_msg(strstr(notes.first->text, granted[i].warned), "case %zu: %s", i, notes.first->text);
        done();
    }
}
END_TEST

/* The worst error of forward dynamics at some states, relative to the largest acceleration. */
static double forward_error(const sva_model *s)
{
    enum { N = 8 };
    double q[N], v[N], tau[N], qdd[N], truth[N], worst = 0;
    __float128 Q[N], V[N], T[N], A[N];
    uint64_t seed = 7;
    sva_workspace *w = sva_workspace_new(s);
    svaq_workspace *wq = svaq_workspace_new(s);
    for (int state = 0; state < 10; state++) {
        sva_random_configuration(s, &seed, q);
        sva_random_vector(s->nv, &seed, v);
        sva_random_vector(s->nv, &seed, tau);
        for (int i = 0; i < s->nv; i++) Q[i] = q[i], V[i] = v[i], T[i] = tau[i];
        sva_aba(s, w, q, v, tau, NULL, qdd);
        svaq_aba(s, wq, Q, V, T, NULL, A);
        for (int i = 0; i < s->nv; i++) truth[i] = (double)A[i];
        worst = fmax(worst, relative_error(s->nv, qdd, truth));
    }
    sva_workspace_free(w);
    svaq_workspace_free(wq);
    return worst;
}

/* From a hand of its own to one of which nothing is left. */
START_TEST(ratio_tells_the_digits)
{
    static const char *const texts[] = {
        ARM TURN("w", "a", AWAY, ROUND("1e-3")) TURN("h", "w", "", HAND),
        ARM TURN("w", "a", AWAY, ROUND("1e-5")) TURN("h", "w", "", HAND),
        ARM TURN("w", "a", AWAY, ROUND("1e-7")) TURN("h", "w", "", HAND),
        ARM TURN("w", "a", AWAY, ROUND("1e-9")) TURN("h", "w", "", HAND),
        ARM TURN("w", "a", AWAY, ROUND("1e-11")) TURN("h", "w", "", HAND),
    };
    for (int i = 0; i < 5; i++) {
        fixture f = fixture_model(arena_new(), build_text(texts[i], (model_options){0}));
        double expected = DBL_EPSILON / f.model->inverse.ratio, error = forward_error(f.sva);
        ck_assert_msg(error < 20 * expected && error > expected / 100, "%d: %g, %g expected", i, error, expected);
        done();
        fixture_free(&f);
    }
}
END_TEST

/* A revolute joint alone, whose M is the same number everywhere: its condition is 1. Two that do not meet: their ratio.
 */
START_TEST(condition_of_known_matrices)
{
    model *m =
        build_text(HEAD JOINT("a", "g", "revolute", ", axis: [0, 0, 1]", ", mass: 1" ROUND("0.1")), (model_options){0});
    ck_assert_double_eq_tol(m->inverse.condition, 1, 1e-15);
    ck_assert_double_eq_tol(m->inverse.ratio, 1.0 / 3, 1e-15);
    done();
    m = build_text(HEAD JOINT("a", "g", "revolute", ", axis: [0, 0, 1]", ", mass: 1" ROUND("0.1"))
                       JOINT("b", "g", "prismatic", ", axis: [0, 0, 1]", ", mass: 20"),
                   (model_options){0});
    ck_assert_double_eq_tol(m->inverse.condition, 200, 1e-12);
    done();
}
END_TEST

#define LIGHT(name, parent, more) TURN(name, parent, AWAY more, "")

static const struct {
    const char *text;
    model_options options;
    double armature[5]; /* of the bodies' first degrees of freedom */
    int obstacles;
} rotors[] = {
    {ARM LIGHT("b", "a", "") LIGHT("c", "b", ", armature: 2"), {.armature = 0.5}, {0.5, 0.5, 2}, 0},
    {ARM LIGHT("b", "a", ""), {.armature = 0}, {0, 0}, 1},
    {ARM LIGHT("b", "a", ", mimic: {joint: ja}"), {.armature = 0.5}, {0.5, 0}, 0},
    {ARM LIGHT("b", "a", ", mimic: {joint: ja}"), {.armature = 0.5, .mimic_independent = true}, {0.5, 0.5}, 0},
    {FREE TRUNK LIGHT("a", "t", ""), {.armature = 0.5}, {0, 0.5}, 0},
    {ARM JOINT("f", "a", "floating", "", HAND), {.armature = 0.5}, {0.5, 0}, 0},
    {ARM JOINT("f", "a", "floating", "", ""), {.armature = 0.5}, {0.5, 0}, 1},
    {ARM JOINT("s", "a", "spherical", ", armature: [0, 3, 0]", ""), {.armature = 0.5}, {0.5, 0.5}, 0},
};

START_TEST(armature_for_all)
{
    for (size_t i = 0; i < sizeof rotors / sizeof *rotors; i++) {
        model *m = build_text(rotors[i].text, rotors[i].options);
        for (int b = 0; b < m->n_bodies; b++)
            ck_assert_msg(m->bodies[b].armature[0] == rotors[i].armature[b], "case %zu, body %d: %g", i, b,
                          m->bodies[b].armature[0]);
        ck_assert_msg(m->inverse.n_obstacles == rotors[i].obstacles, "case %zu: %d", i, m->inverse.n_obstacles);
        done();
    }
    model *m = build_text(ARM JOINT("s", "a", "spherical", ", armature: [0, 3, 0]", ""), rotors[0].options);
    ck_assert(m->bodies[1].armature[1] == 3 && m->bodies[1].armature[2] == 0.5 && m->bodies[1].armature[3] == 0);
    done();
}
END_TEST

START_TEST(many_joints_are_one_warning)
{
    model *m = build_text(ARM LIGHT("b", "a", "") LIGHT("c", "a", "") LIGHT("d", "a", "") LIGHT("e", "a", "")
                              TURN("f", "a", AWAY, ", mass: 1"),
                          (model_options){0});
    inverse_report(m, &notes);
    ck_assert_int_eq(notes.warnings, 1);
    ck_assert_msg(strstr(notes.first->text, "joint 'jb' moves no mass and has no armature (and 4 more joints: 'jc', "
                                            "'jd', 'je', ...), so M has no inverse"),
                  "%s", notes.first->text);
    done();
    m = build_text(ARM LIGHT("b", "a", "") LIGHT("c", "a", "") LIGHT("d", "a", ""), (model_options){0});
    ck_assert_ptr_nonnull(strstr(inverse_denied(memory, m), "(and 2 more joints: 'jc' and 'jd'), so"));
    done();
}
END_TEST

START_TEST(floating_links_need_mass)
{
    model *m = build_text(FREE "- {name: t, mass: 1}\n", (model_options){.armature = 1});
    ck_assert_ptr_nonnull(strstr(inverse_denied(memory, m), "'root_joint' moves what has no inertia about some axis"));
    ck_assert_ptr_nonnull(strstr(inverse_remedy(m), "mass and inertia"));
    done();
}
END_TEST

START_TEST(float_has_fewer_digits)
{
    model *m = build_text(ARM TURN("w", "a", AWAY, ROUND("1e-6")) TURN("h", "w", "", HAND), (model_options){0});
    inverse_warn(m, false, &notes);
    ck_assert_int_eq(notes.warnings, 0);
    inverse_warn(m, true, &notes);
    ck_assert_int_eq(notes.warnings, 1);
    ck_assert_msg(strstr(notes.first->text, "in float keeps about 1 digit"), "%s", notes.first->text);
    ck_assert_msg(!strstr(notes.first->text, "digits"), "%s", notes.first->text);
    done();
}
END_TEST

/* None of them is warned about, in double or float, on the ground or free. */
START_TEST(ordinary_robots)
{
    for (const shipped *r = shipped_robots; r->name; r++)
        for (int independent = 0; independent < 2; independent++) {
            fixture f = fixture_robot(r->path, (model_options){.base = r->base, .mimic_independent = independent});
            diag d = diag_new(f.memory);
            inverse_report(f.model, &d);
            inverse_warn(f.model, true, &d);
            ck_assert_msg(d.warnings == 0, "%s: %s", r->name, d.warnings ? d.first->text : "");
            ck_assert(f.model->inverse.condition >= 1 && f.model->inverse.ratio < 1);
            fixture_free(&f);
        }
}
END_TEST

START_TEST(large_trees)
{
    static const int lengths[] = {100, INVERSE_LARGEST, INVERSE_LARGEST + 1, 5000};
    for (int i = 0; i < 4; i++) {
        fixture f = fixture_chain(lengths[i], 1);
        ck_assert_int_eq(f.model->inverse.n_obstacles, 0);
        ck_assert_int_eq(f.model->inverse.condition > 0, lengths[i] <= INVERSE_LARGEST);
        model_body *last = &f.model->bodies[f.model->n_bodies - 1];
        *last = (model_body){.name = "x",
                             .joint_name = "x",
                             .type = SVA_REVOLUTE,
                             .parent = last->parent,
                             .nq = 1,
                             .nv = 1,
                             .iq = last->iq,
                             .iv = last->iv,
                             .R = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                             .axis = {0, 0, 1},
                             .master = -1,
                             .weightless = true};
        inverse_examine(f.model);
        ck_assert(f.model->inverse.n_obstacles == 1 && last->obstacle == OBSTACLE_NO_MASS);
        fixture_free(&f);
    }
}
END_TEST

SUITE("inverse", joints_that_leave_no_inverse, joints_that_leave_one, ratio_tells_the_digits,
      condition_of_known_matrices, armature_for_all, many_joints_are_one_warning, floating_links_need_mass,
      float_has_fewer_digits, ordinary_robots, large_trees)
