#include "rotation.h"
#include <float.h>
#include <math.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "double arithmetic must round to double");

/* A number as the unevaluated sum of two doubles, about 106 bits. */
typedef struct dd {
    double hi, lo;
} dd;

/* a + b, exactly */
static dd two_sum(double a, double b)
{
    double s = a + b, bb = s - a;
    return (dd){s, (a - (s - bb)) + (b - bb)};
}

static void split(double a, double *high, double *low)
{
    double c = 134217729.0 * a; /* 2^27 + 1 */
    *high = c - (c - a);
    *low = a - *high;
}

/* a b, exactly */
static dd two_product(double a, double b)
{
    double p = a * b, ah, al, bh, bl;
    split(a, &ah, &al);
    split(b, &bh, &bl);
    return (dd){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static dd dd_add(dd a, dd b)
{
    dd s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    s = two_sum(s.hi, s.lo + t.hi);
    return two_sum(s.hi, s.lo + t.lo);
}

static dd dd_multiply(dd a, dd b)
{
    dd p = two_product(a.hi, b.hi);
    return two_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static dd dd_divide(dd a, double b)
{
    double q = a.hi / b;
    dd back = two_product(q, b);
    return two_sum(q, ((a.hi - back.hi) - back.lo + a.lo) / b);
}

/* The angle less k pi/2, with pi/2 to 160 bits: |result| <= pi/4 and a bit. */
static dd reduce(double angle, double k)
{
    static const double half_pi[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
    dd r = {angle, 0};
    for (int i = 0; i < 3; i++) r = dd_add(r, two_product(-k, half_pi[i]));
    return r;
}

/* 1 - x^2/(a (a+1)) (1 - x^2/((a+2) (a+3)) (...)): cos x for a = 1, sin x / x for a = 2; 14 terms reach 1e-32. */
static dd series(dd square, int a)
{
    const dd one = {1, 0};
    dd sum = one;
    for (int n = a + 26; n >= a; n -= 2) {
        dd term = dd_divide(dd_multiply(square, sum), n * (n + 1));
        sum = dd_add(one, (dd){-term.hi, -term.lo});
    }
    return sum;
}

/* The multiple of pi/2 nearest to the angle. */
static double quarters(double angle) { return floor(angle / 0x1.921fb54442d18p+0 + 0.5); }

/* Sine and cosine of k pi/2 + x from those of x. */
static void by_quadrant(double k, double s, double c, double *sine, double *cosine)
{
    double quarter = k - 4 * floor(k / 4);
    bool odd = quarter == 1 || quarter == 3;
    double sn = odd ? c : s, cs = odd ? s : c;
    *sine = quarter >= 2 ? 0 - sn : sn;
    *cosine = quarter == 1 || quarter == 2 ? 0 - cs : cs;
}

void exact_sincos(double angle, double *sine, double *cosine)
{
    if (fabs(angle) >= 1e5) angle = fmod(angle, 0x1.921fb54442d18p+2);
    double k = quarters(angle);
    dd x = reduce(angle, k), square = dd_multiply(x, x);
    by_quadrant(k, dd_multiply(x, series(square, 2)).hi, series(square, 1).hi, sine, cosine);
}

/* Like exact_sincos, but exact for angles within `clean` of a multiple of pi/2; says if that changed the angle. */
static bool clean_sincos(double angle, double clean, double *sine, double *cosine)
{
    exact_sincos(angle, sine, cosine);
    double small = fmin(fabs(*sine), fabs(*cosine));
    if (small > clean) return false;
    *sine = fabs(*sine) < 0.5 ? 0 : copysign(1, *sine);
    *cosine = fabs(*cosine) < 0.5 ? 0 : copysign(1, *cosine);
    return small > DBL_EPSILON * fabs(angle);
}

/* A rotation whose entries all are within `clean` of 0, 1 or -1 becomes a signed permutation. */
static bool clean_rotation(double clean, double R[9])
{
    bool changed = false;
    double nearest[9];
    for (int i = 0; i < 9; i++) {
        nearest[i] = floor(R[i] + 0.5) + 0.0;
        double off = fabs(R[i] - nearest[i]);
        if (off > clean) return false;
        changed |= off > 4 * DBL_EPSILON;
    }
    memcpy(R, nearest, sizeof nearest);
    return changed;
}

bool rotation_from_rpy(const double rpy[3], double clean, double R[9])
{
    double s[3], c[3];
    bool changed = false;
    for (int i = 0; i < 3; i++) changed |= clean_sincos(rpy[i], clean, &s[i], &c[i]);
    const double X[9] = {1, 0, 0, 0, c[0], -s[0], 0, s[0], c[0]};
    const double Y[9] = {c[1], 0, s[1], 0, 1, 0, -s[1], 0, c[1]};
    const double Z[9] = {c[2], -s[2], 0, s[2], c[2], 0, 0, 0, 1};
    rotation_compose(Y, X, R);
    rotation_compose(Z, R, R);
    bool rounded = clean_rotation(clean, R);
    return changed || rounded;
}

double rotation_error(const double R[9])
{
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double dot = R[i] * R[j] + R[3 + i] * R[3 + j] + R[6 + i] * R[6 + j];
            worst = fmax(worst, fabs(dot - (i == j)));
        }
    double determinant =
        R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
    return determinant > 0 ? worst : fmax(worst, 1);
}

/* A sum that starts from +0 never ends as -0. */
void rotation_compose(const double A[9], const double B[9], double C[9])
{
    double product[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) sum += A[3 * i + k] * B[3 * k + j];
            product[3 * i + j] = sum;
        }
    memcpy(C, product, sizeof product);
}

void rotation_apply(const double R[9], const double x[3], const double p[3], double y[3])
{
    double sum[3];
    for (int i = 0; i < 3; i++) sum[i] = (R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2]) + p[i] + 0.0;
    memcpy(y, sum, sizeof sum);
}

double axis_normalise(double axis[3])
{
    double largest = fmax(fmax(fabs(axis[0]), fabs(axis[1])), fabs(axis[2]));
    if (largest == 0) return 0;
    double unit[3], square = 0;
    for (int i = 0; i < 3; i++) {
        unit[i] = axis[i] / largest;
        square += unit[i] * unit[i];
    }
    double norm = sqrt(square);
    if (fabs(norm * largest - 1) <= 1e-12) return norm * largest;
    for (int i = 0; i < 3; i++) axis[i] = unit[i] / norm + 0.0;
    return norm * largest;
}
