/* What the numeric suites try things on: every shipped robot and a set of random trees, each in a random state. */
#ifndef TESTS_SUBJECT_H
#define TESTS_SUBJECT_H

#include <complex.h>
#undef I /* a field of bodies */
#include "fixture.h"

typedef double complex cplx;

typedef struct subject {
    fixture f;
    const char *name;
    const sva_model *m;
    int nq, nv;
    bool has_inverse; /* M is not singular: no weightless bodies */
    sva_workspace *w;
    svac_workspace *wc;
    uint64_t seed;
    double *q, *v, *a, *tau;
    double *body_forces; /* 6 per body */
    sva_world_force world[3];
    sva_forces forces; /* all of both kinds */
} subject;

/* Runs the test on every robot and tree, `states` random states each. */
void each_subject(void (*test)(subject *s), int states);

/* Zeroed, as long as the subject lives. */
double *vec(subject *s, int n);
cplx *cvec(subject *s, int n);

/* Complex copies, and the parts again: x + i h y; the imaginary part over h. */
enum { STEP_EXPONENT = -300 };
void to_complex(int n, const double x[], const double y[], cplx z[]);
void derivative_of(int n, const cplx z[], double dx[]);
/* q (+) i h dv */
void complex_configuration(subject *s, const double dv[], cplx q[]);
svac_forces complex_forces(subject *s);

/* e_j */
double *unit_vector(subject *s, int j);

/* |M| |M^-1| in the maximum norm: how much solving with M may magnify rounding. */
double condition(subject *s);

/* Fails, with names, unless max |x - y| <= tolerance max |y|; or tolerance max(|y|, size), where y may vanish. */
void expect_near(const subject *s, const char *what, int n, const double x[], const double y[], double tolerance);
void expect_near_by(const subject *s, const char *what, int n, const double x[], const double y[], double size,
                    double tolerance);

#endif
