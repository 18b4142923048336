/* The shipped robots: made again from their URDFs, read back, and compared with Pinocchio's numbers. */
#include "suite.h"

#include <math.h>
#include <string.h>
#include <unistd.h>
#include "golden.h"

static const struct {
    const char *name, *urdf;
    bool floating;
    int nv;             /* mimic joints dependent */
    const char *golden; /* NULL: there is none */
} shipped[] = {
    {"double_pendulum", "double_pendulum", false, 2, "double_pendulum"},
    {"ur3", "ur3", false, 6, NULL},
    {"ur5", "ur5", false, 6, "ur5"},
    {"kuka_lwr", "kuka_lwr", false, 7, "kuka_lwr"},
    {"iiwa14", "iiwa14", false, 7, NULL},
    {"panda", "panda", false, 8, "panda"},
    {"hyq", "hyq", true, 18, "hyq_ff"},
    {"solo12", "solo12", true, 18, "solo12_ff"},
    {"baxter", "baxter", false, 17, "baxter"},
    {"atlas", "atlas", true, 36, "atlas_ff"},
    {"talos", "talos_apache", true, 38, "talos_apache_ff"},
};
enum { SHIPPED = sizeof shipped / sizeof *shipped };

static robot *read_robot(arena *memory, const char *path)
{
    diag d = diag_new(memory);
    robot *r = robot_read(memory, path, &(read_options){.clean = 1e-9}, &d);
    if (!r) diag_print(&d, DIAG_ERROR, stderr);
    ck_assert_msg(r != NULL, "%s", path);
    return r;
}

static const char *yaml_of(arena *memory, const robot *r)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    robot_write_yaml(r, out);
    fclose(out);
    const char *copy = arena_copy(memory, text, length);
    free(text);
    return copy;
}

static const char *contents(arena *memory, const char *path)
{
    static char text[1 << 20];
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "cannot open %s", path);
    size_t length = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    return arena_copy(memory, text, length);
}

static const char *yaml_path(arena *memory, int i) { return arena_printf(memory, "robots/%s.yaml", shipped[i].name); }

/* The program's way, as robots/README.md says. */
START_TEST(import_makes_them_again)
{
    for (int i = 0; i < SHIPPED; i++) {
        arena *memory = arena_new();
        const char *made = arena_printf(memory, "/tmp/svagen_import_%d_%s.yaml", (int)getpid(), shipped[i].name);
        const char *base = shipped[i].floating ? "--base floating" : "";
        const char *command = arena_printf(memory, "%s import tests/data/urdf/%s.urdf --name %s %s -o %s 2>/dev/null",
                                           SVAGEN_BINARY, shipped[i].urdf, shipped[i].name, base, made);
        ck_assert_msg(system(command) == 0, "%s", command);
        ck_assert_msg(!strcmp(contents(memory, made), contents(memory, yaml_path(memory, i))),
                      "%s is not what svagen import makes", yaml_path(memory, i));
        remove(made);
        arena_free(memory);
    }
}
END_TEST

/* URDF -> robot has the bits of YAML -> robot, and its YAML is the file's. */
START_TEST(round_trip)
{
    for (int i = 0; i < SHIPPED; i++) {
        arena *memory = arena_new();
        robot *a = read_robot(memory, arena_printf(memory, "tests/data/urdf/%s.urdf", shipped[i].urdf));
        robot *b = read_robot(memory, yaml_path(memory, i));
        ck_assert_str_eq(yaml_of(memory, b), contents(memory, yaml_path(memory, i)));
        ck_assert(a->n_links == b->n_links && b->floating == shipped[i].floating);
        for (int k = 0; k < a->n_links; k++) {
            const robot_link *x = &a->links[k], *y = &b->links[k];
            ck_assert_str_eq(x->name, y->name);
            ck_assert(x->parent == y->parent && x->joint.type == y->joint.type && x->joint.mimics == y->joint.mimics);
            ck_assert_mem_eq(&x->mass, &y->mass, sizeof x->mass);
            ck_assert_mem_eq(x->com, y->com, sizeof x->com);
            ck_assert_mem_eq(x->inertia, y->inertia, sizeof x->inertia);
            ck_assert_mem_eq(x->joint.R, y->joint.R, sizeof x->joint.R);
            ck_assert_mem_eq(x->joint.p, y->joint.p, sizeof x->joint.p);
            ck_assert_mem_eq(x->joint.damping, y->joint.damping, sizeof x->joint.damping);
            ck_assert_mem_eq(&x->joint.lower, &y->joint.lower, 4 * sizeof x->joint.lower);
            if (k > 0) ck_assert_mem_eq(x->joint.axis, y->joint.axis, sizeof x->joint.axis);
        }
        arena_free(memory);
    }
}
END_TEST

static model *build(arena *memory, const robot *r, bool mimic_independent)
{
    diag d = diag_new(memory);
    model *m = model_build(memory, r, &(model_options){.mimic_independent = mimic_independent}, &d);
    ck_assert(m != NULL);
    return m;
}

START_TEST(degrees_of_freedom)
{
    for (int i = 0; i < SHIPPED; i++) {
        arena *memory = arena_new();
        ck_assert_int_eq(build(memory, read_robot(memory, yaml_path(memory, i)), false)->nv, shipped[i].nv);
        arena_free(memory);
    }
}
END_TEST

static void near(const char *robot_name, const char *joint, const char *what, const double *x, const double *y, int n,
                 double tolerance)
{
    for (int i = 0; i < n; i++)
        ck_assert_msg(fabs(x[i] - y[i]) <= tolerance, "%s, joint %s, %s[%d]: %.17g, Pinocchio %.17g", robot_name, joint,
                      what, i, x[i], y[i]);
}

static const double *row(const golden *g, const char *block, int i)
{
    int rows, cols;
    const double *x = golden_block(g, block, -1, &rows, &cols);
    ck_assert_msg(x && i < rows, "no %s[%d]", block, i);
    return x + i * cols;
}

static const model_body *moved_by(const model *m, const char *joint)
{
    for (int i = 0; i < m->n_bodies; i++)
        if (!strcmp(m->bodies[i].joint_name, joint)) return &m->bodies[i];
    ck_abort_msg("no joint %s", joint);
    return NULL;
}

/* Mass, first moment m c and I + m (c.c 1 - c c'), the inertia about the joint frame's origin. */
static void compare_inertia(const char *name, const model_body *b, const golden *g, int i)
{
    static const int upper[6] = {0, 1, 2, 4, 5, 8};
    const double *I = row(g, "inertia_com", i), *c = row(g, "com", i), mass = *row(g, "mass", i);
    double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2], h[3], about[6];
    for (int k = 0; k < 3; k++) h[k] = mass * c[k];
    for (int k = 0; k < 6; k++) {
        int a = upper[k] / 3, e = upper[k] % 3;
        about[k] = I[upper[k]] + mass * ((a == e ? square : 0) - c[a] * c[e]);
    }
    near(name, b->joint_name, "mass", &b->mass, &mass, 1, 1e-9 * mass);
    near(name, b->joint_name, "first moment", b->h, h, 3, 1e-9 * mass);
    near(name, b->joint_name, "inertia", b->I, about, 6, 1e-9 * (about[0] + about[3] + about[5]));
}

/* Column of S, linear above angular, of joints with one degree of freedom. */
static void compare_axis(const char *name, const model_body *b, const golden *g, const golden_joint *j)
{
    int rows, cols;
    const double *S = golden_block(g, "S", -1, &rows, &cols);
    ck_assert(S && rows == 6);
    int first = b->type == SVA_PRISMATIC ? 0 : 3;
    for (int k = 0; k < 3; k++) near(name, b->joint_name, "axis", &b->axis[k], &S[(first + k) * cols + j->iv], 1, 1e-9);
}

static void compare(int i)
{
    arena *memory = arena_new();
    const char *name = shipped[i].name;
    model *m = build(memory, read_robot(memory, yaml_path(memory, i)), true);
    golden *g = golden_read(memory, arena_printf(memory, "tests/data/golden/%s.txt", shipped[i].golden));
    ck_assert(g != NULL);
    const golden_joint *joints;
    int n = golden_joints(g, &joints);
    ck_assert_int_eq(m->n_bodies, n);
    ck_assert_int_eq(m->nv, golden_nv(g));
    for (int k = 0; k < n; k++) {
        const model_body *b = moved_by(m, joints[k].name);
        const char *parent = b->parent < 0 ? "" : m->bodies[b->parent].joint_name;
        ck_assert_str_eq(parent, joints[k].parent < 0 ? "" : joints[joints[k].parent].name);
        near(name, b->joint_name, "rotation", b->R, row(g, "placement_R", k), 9, 1e-9);
        near(name, b->joint_name, "position", b->p, row(g, "placement_p", k), 3, 1e-9);
        compare_inertia(name, b, g, k);
        if (b->nv == 1) compare_axis(name, b, g, &joints[k]);
    }
    arena_free(memory);
}

START_TEST(agree_with_pinocchio)
{
    for (int i = 0; i < SHIPPED; i++)
        if (shipped[i].golden) compare(i);
}
END_TEST

SUITE("robots", import_makes_them_again, round_trip, degrees_of_freedom, agree_with_pinocchio)
