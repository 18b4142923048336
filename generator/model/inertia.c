#include "inertia.h"
#include <float.h>
#include <math.h>

/* Files round their numbers: relative to the largest eigenvalue, this much is no finding. */
static const double tolerance = 1e-6;
/* What a subtraction of mass * |com|^2 leaves of a zero, relative to it. */
static const double shifted = 16 * DBL_EPSILON;

/* One Jacobi rotation that makes A[p][q] zero. */
static void annihilate(double A[3][3], int p, int q)
{
    if (A[p][q] == 0) return;
    double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
    double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; k++) {
        double a = A[k][p], b = A[k][q];
        A[k][p] = c * a - s * b;
        A[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 3; k++) {
        double a = A[p][k], b = A[q][k];
        A[p][k] = c * a - s * b;
        A[q][k] = s * a + c * b;
    }
}

static void order(double *a, double *b)
{
    if (*a <= *b) return;
    double t = *a;
    *a = *b;
    *b = t;
}

static double largest_of(const double *x, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
    return largest;
}

void inertia_eigenvalues(const double I[6], double value[3])
{
    double scale = largest_of(I, 6), s[6];
    if (scale == 0) scale = 1;
    for (int i = 0; i < 6; i++) s[i] = I[i] / scale;
    double A[3][3] = {{s[0], s[1], s[2]}, {s[1], s[3], s[4]}, {s[2], s[4], s[5]}};
    for (int sweep = 0; sweep < 12; sweep++) {
        annihilate(A, 0, 1);
        annihilate(A, 0, 2);
        annihilate(A, 1, 2);
    }
    for (int i = 0; i < 3; i++) value[i] = A[i][i] * scale;
    order(&value[0], &value[1]);
    order(&value[1], &value[2]);
    order(&value[0], &value[1]);
}

typedef enum finding { FINE, NEGATIVE_MASS, NEGATIVE_INERTIA, TRIANGLE, NO_MASS, NO_INERTIA, FINDINGS } finding;

/* Texts that follow "link 'x': "; the three numbers are the mass or the principal moments. */
static const struct {
    diag_level level;
    bool one; /* has one number */
    const char *text, *many;
} findings[FINDINGS] = {
    [NEGATIVE_MASS] = {DIAG_ERROR, true, "the mass is negative (%.6g kg); expected 0 or more",
                       "links have a negative mass"},
    [NEGATIVE_INERTIA] = {DIAG_ERROR, false,
                          "the inertia is impossible: a principal moment is negative (%.6g, %.6g, %.6g kg m^2); "
                          "expected none below 0",
                          "links have a negative principal moment of inertia"},
    [TRIANGLE] = {DIAG_WARNING, false,
                  "no body has this inertia: of its principal moments (%.6g, %.6g, %.6g kg m^2) one is larger than the "
                  "sum of the others",
                  "links have an inertia that no body has, with one principal moment above the sum of the others"},
    [NO_MASS] = {DIAG_WARNING, false, "inertia without mass (principal moments %.6g, %.6g, %.6g kg m^2)",
                 "links have inertia without mass"},
    [NO_INERTIA] = {DIAG_NOTE, true, "a mass of %.6g kg without inertia: a point mass",
                    "links have a mass without inertia: point masses"},
};

static double rounding_of(const robot_link *link, double largest)
{
    const double *c = link->com;
    double lever = link->mass * (c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
    return fmax(fmax(tolerance * largest, shifted * lever), INERTIA_NOTHING);
}

static finding judge(const robot_link *link, double moments[3])
{
    inertia_eigenvalues(link->inertia, moments);
    double largest = largest_of(moments, 3), rounding = rounding_of(link, largest);
    if (link->mass < 0) return NEGATIVE_MASS;
    if (moments[0] < -rounding) return NEGATIVE_INERTIA;
    if (link->mass == 0) return largest > rounding ? NO_MASS : FINE;
    if (largest <= rounding) return NO_INERTIA;
    return moments[2] / 2 > moments[0] / 2 + moments[1] / 2 + rounding ? TRIANGLE : FINE;
}

/* What the rotations above leave of a zero is not worth reading. */
static double shown(const double m[3], int i) { return fabs(m[i]) < 1e-12 * largest_of(m, 3) ? 0 : m[i]; }

static bool report(const robot_link *link, finding f, const double m[3], diag_level level, diag *d)
{
    char text[400];
    /* every format above takes the numbers in this order and may leave out the last ones */
    if (findings[f].one)
        snprintf(text, sizeof text, findings[f].text, link->mass);
    else
        snprintf(text, sizeof text, findings[f].text, shown(m, 0), shown(m, 1), shown(m, 2));
    place at = findings[f].one ? link->mass_at : link->inertia_at;
    if (at.line == 0) at = link->at;
    if (level == DIAG_ERROR) return diag_error(d, at, "link '%s': %s", link->name, text);
    diag_each(d, level, at, findings[f].many, link->name, "link '%s': %s", link->name, text);
    return true;
}

bool inertia_check(const robot_link *links, int n, const read_options *options, diag *d)
{
    for (int i = 0; i < n; i++) {
        double moments[3];
        finding f = judge(&links[i], moments);
        if (f == FINE) continue;
        diag_level level = findings[f].level;
        if (level == DIAG_ERROR && options->allow_unphysical) level = DIAG_WARNING;
        if (!report(&links[i], f, moments, level, d)) return false;
    }
    return true;
}
