/* A rival for tests: gravity of chains and trees of revolute joints, which is right, and an inertia matrix, which is
   not. */
#include "rival.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifndef VERSION
#define VERSION RIVAL_VERSION
#endif

typedef struct robot {
    rival_model model;
    rival_body *bodies;
    double (*R)[9], (*p)[3]; /* poses in the world */
    double *g;
} robot;

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void turn(const double A[9], const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++) y[i] = dot(A + 3 * i, x);
}

static void product(const double A[9], const double B[9], double C[9])
{
    for (int i = 0; i < 9; i++)
        C[i] = A[i / 3 * 3] * B[i % 3] + A[i / 3 * 3 + 1] * B[3 + i % 3] + A[i / 3 * 3 + 2] * B[6 + i % 3];
}

/* Rodrigues: cos 1 + sin [u]x + (1 - cos) u u' */
static void rotation(const double u[3], double angle, double R[9])
{
    double c = cos(angle), s = sin(angle);
    const double x[9] = {0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0};
    for (int i = 0; i < 9; i++) R[i] = c * (i % 4 == 0) + s * x[i] + (1 - c) * u[i / 3] * u[i % 3];
}

static void place(robot *r, int i, double q)
{
    static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3];
    const rival_body *b = &r->bodies[i];
    const double *R = b->parent < 0 ? unit : r->R[b->parent], *p = b->parent < 0 ? origin : r->p[b->parent];
    double joint[9], fixed[9];
    rotation(b->axis, q, joint);
    product(R, b->R, fixed);
    product(fixed, joint, r->R[i]);
    turn(R, b->p, r->p[i]);
    for (int k = 0; k < 3; k++) r->p[i][k] += p[k];
}

/* What body j's weight does to the joint of i, on its path to the ground: -z_i . ((m p_j + h_j - m p_i) x gravity) */
static double weight_on(const robot *r, int i, int j)
{
    double arm[3], moment[3], z[3];
    turn(r->R[j], r->bodies[j].h, arm);
    for (int k = 0; k < 3; k++) arm[k] += r->bodies[j].mass * (r->p[j][k] - r->p[i][k]);
    cross(arm, r->model.gravity, moment);
    turn(r->R[i], r->bodies[i].axis, z);
    return -dot(z, moment);
}

static void gravity(void *of, const double *const in[])
{
    robot *r = of;
    for (int i = 0; i < r->model.n_bodies; i++) place(r, i, in[0][r->bodies[i].iq]);
    memset(r->g, 0, sizeof *r->g * (size_t)r->model.nv);
    for (int j = 0; j < r->model.n_bodies; j++)
        for (int i = j; i >= 0; i = r->bodies[i].parent) r->g[r->bodies[i].iv] += weight_on(r, i, j);
}

static void gravity_results(void *of, double *const out[])
{
    const robot *r = of;
    memcpy(out[0], r->g, sizeof *r->g * (size_t)r->model.nv);
}

static void wrong(void *of, const double *const in[]) { (void)of, (void)in; }

static void wrong_results(void *of, double *const out[])
{
    const robot *r = of;
    for (int i = 0; i < r->model.nv * r->model.nv; i++) out[0][i] = 1e3;
}

static int can(const rival_model *m)
{
    for (int i = 0; i < m->n_bodies; i++)
        if (strcmp(m->bodies[i].type, "revolute") || m->bodies[i].master >= 0) return 0;
    return 1;
}

static void *open(const rival_model *m)
{
    size_t n = (size_t)m->n_bodies;
    if (!can(m)) return NULL;
    robot *r = malloc(sizeof *r);
    *r = (robot){*m, malloc(n * sizeof *r->bodies), malloc(n * sizeof *r->R), malloc(n * sizeof *r->p), NULL};
    r->g = malloc(sizeof *r->g * (size_t)m->nv);
    memcpy(r->bodies, m->bodies, n * sizeof *r->bodies);
    return r;
}

static void close(void *of)
{
    robot *r = of;
    free(r->bodies);
    free(r->R);
    free(r->p);
    free(r->g);
    free(r);
}

static const rival_kernel kernels[] = {
    {"gravity", gravity, gravity_results},
    {"crba", wrong, wrong_results},
    {0},
};

static const rival_library fake = {VERSION, "fake", open, close, kernels};
const rival_library *svagen_rival(void) { return &fake; }
