/* Frames: poses, velocities, accelerations, Jacobians and their derivatives, against complex steps. */
#include "suite.h"
#include <math.h>
#include <string.h>
#include "subject.h"
#include "trees.h"

/* Lengths, rates and accelerations are all about 1: where a derivative vanishes, rounding is measured by that. */
static const double tolerance = 1e-13;
static const sva_reference references[] = {SVA_LOCAL, SVA_WORLD, SVA_ALIGNED};

/* A frame aside of the body's, turned. */
static sva_frame frame_at(subject *s, int body)
{
    sva_frame f = {.body = body};
    double angle = tree_uniform(&s->seed, -3, 3), c = cos(angle), z = sin(angle);
    const double R[9] = {c, 0, z, 0, 1, 0, -z, 0, c};
    memcpy(f.R, R, sizeof R);
    sva_random_vector(3, &s->seed, f.p);
    return f;
}

/* Column j of a 6 x nv matrix, from the complex step of a frame's six-vector. */
static void column(int n, int j, const cplx x[6], double *J)
{
    double d[6];
    derivative_of(6, x, d);
    for (int r = 0; r < 6; r++) J[r * n + j] = d[r];
}

typedef struct columns {
    double *velocity_dq, *acceleration_dq, *acceleration_dv, *velocity_dv;
} columns;

static columns columns_new(subject *s)
{
    int size = 6 * s->nv;
    return (columns){vec(s, size), vec(s, size), vec(s, size), vec(s, size)};
}

static void exact_columns(subject *s, const sva_frame *f, sva_reference reference, columns *x)
{
    int n = s->nv;
    cplx *q = cvec(s, s->nq), *v = cvec(s, n), *a = cvec(s, n), six[6];
    to_complex(n, s->a, NULL, a);
    for (int j = 0; j < n; j++) {
        double *e = unit_vector(s, j);
        to_complex(n, s->v, NULL, v);
        complex_configuration(s, e, q);
        svac_frame_velocity(s->m, s->wc, q, v, f, reference, six);
        column(n, j, six, x->velocity_dq);
        svac_frame_acceleration(s->m, s->wc, q, v, a, f, reference, six);
        column(n, j, six, x->acceleration_dq);
        to_complex(s->nq, s->q, NULL, q);
        to_complex(n, s->v, e, v);
        svac_frame_velocity(s->m, s->wc, q, v, f, reference, six);
        column(n, j, six, x->velocity_dv);
        svac_frame_acceleration(s->m, s->wc, q, v, a, f, reference, six);
        column(n, j, six, x->acceleration_dv);
    }
}

static void derivatives(subject *s, const sva_frame *f, sva_reference reference)
{
    int size = 6 * s->nv;
    columns exact = columns_new(s), x = columns_new(s);
    exact_columns(s, f, reference, &exact);
    sva_frame_derivatives(s->m, s->w, s->q, s->v, s->a, f, reference, x.velocity_dq, x.acceleration_dq,
                          x.acceleration_dv);
    sva_frame_jacobian(s->m, s->w, s->q, f, reference, x.velocity_dv);
    expect_near_by(s, "dvelocity_dq", size, x.velocity_dq, exact.velocity_dq, 1, tolerance);
    expect_near_by(s, "dacceleration_dq", size, x.acceleration_dq, exact.acceleration_dq, 1, tolerance);
    expect_near_by(s, "dacceleration_dv", size, x.acceleration_dv, exact.acceleration_dv, 1, tolerance);
    expect_near_by(s, "Jacobian", size, x.velocity_dv, exact.velocity_dv, 1, tolerance);
}

/* The pose moved along q (+) v t: dp/dt is the linear velocity and dR/dt = w x R, in the world's axes. */
static void pose_moves(subject *s, const sva_frame *f)
{
    cplx *q = cvec(s, s->nq), R[9], p[3];
    double dR[9], expected[9], velocity[6], plain[9], origin[3], dp[3];
    complex_configuration(s, s->v, q);
    svac_frame_pose(s->m, s->wc, q, f, R, p);
    derivative_of(9, R, dR);
    derivative_of(3, p, dp);
    sva_frame_pose(s->m, s->w, s->q, f, plain, origin);
    sva_frame_velocity(s->m, s->w, s->q, s->v, f, SVA_ALIGNED, velocity);
    const double *w = velocity + 3;
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            expected[3 * r + c] =
                w[(r + 1) % 3] * plain[3 * ((r + 2) % 3) + c] - w[(r + 2) % 3] * plain[3 * ((r + 1) % 3) + c];
    expect_near_by(s, "dR/dt", 9, dR, expected, 1, tolerance);
    expect_near_by(s, "dp/dt", 3, dp, velocity, 1, tolerance);
}

/* The velocity moved along (v, a): its rate is the acceleration, and for ALIGNED w x dp/dt more. */
static void velocity_moves(subject *s, const sva_frame *f, sva_reference reference)
{
    cplx *q = cvec(s, s->nq), *v = cvec(s, s->nv), six[6];
    double rate[6], expected[6], aligned[6];
    complex_configuration(s, s->v, q);
    to_complex(s->nv, s->v, s->a, v);
    svac_frame_velocity(s->m, s->wc, q, v, f, reference, six);
    derivative_of(6, six, rate);
    sva_frame_acceleration(s->m, s->w, s->q, s->v, s->a, f, reference, expected);
    sva_frame_velocity(s->m, s->w, s->q, s->v, f, SVA_ALIGNED, aligned);
    const double *u = aligned, *w = aligned + 3;
    for (int r = 0; r < 3 && reference == SVA_ALIGNED; r++)
        expected[r] += w[(r + 1) % 3] * u[(r + 2) % 3] - w[(r + 2) % 3] * u[(r + 1) % 3];
    expect_near_by(s, "acceleration", 6, rate, expected, 1, 1e-12);
}

static void frames(subject *s)
{
    const int bodies[] = {-1, 0, s->m->n_bodies / 2, s->m->n_bodies - 1};
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        sva_frame f = frame_at(s, bodies[b]);
        pose_moves(s, &f);
        for (size_t r = 0; r < sizeof references / sizeof *references; r++) {
            derivatives(s, &f, references[r]);
            velocity_moves(s, &f, references[r]);
        }
    }
}

/* Body poses are those of frames at the bodies. */
static void bodies(subject *s)
{
    int n = s->m->n_bodies;
    double *R = vec(s, 9 * n), *p = vec(s, 3 * n), fR[9], fp[3];
    sva_body_poses(s->m, s->w, s->q, R, p);
    for (int i = 0; i < n; i++) {
        sva_frame f = {.body = i, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        sva_frame_pose(s->m, s->w, s->q, &f, fR, fp);
        expect_near(s, "body's R", 9, fR, R + 9 * i, 0);
        expect_near(s, "body's p", 3, fp, p + 3 * i, 0);
    }
}

START_TEST(test_frames) { each_subject(frames, 1); }
END_TEST
START_TEST(test_bodies) { each_subject(bodies, 1); }
END_TEST

SUITE("kinematics", test_frames, test_bodies)
