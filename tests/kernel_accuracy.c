/* A program of its own, so that the suite can build it by any compiler, with any options, for either number type:
   kernel_accuracy COUNT LIMIT compares the sines and cosines of sva_kernel.h with long double ones at COUNT random
   angles and at special ones, prints the largest errors and fails above LIMIT ulp, or if scalar and lanes differ in a
   bit. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sva_kernel.h"

#if SVA_REAL_IS_FLOAT
static const int digits = FLT_MANT_DIG, smallest = FLT_MIN_EXP;
#else
static const int digits = DBL_MANT_DIG, smallest = DBL_MIN_EXP;
#endif
static const double range = SVA_SINCOS_RANGE;
#define WIDTH 8

static struct {
    sva_real angle;
    double ulps;
} worst[2]; /* of the sine, of the cosine */
static int differences;

/* |x - truth| in units of the last place of the number type at truth. */
static double ulps(sva_real x, long double truth)
{
    int exponent;
    frexpl(truth, &exponent);
    if (exponent < smallest) exponent = smallest;
    return (double)(fabsl((long double)x - truth) / ldexpl(1, exponent - digits));
}

static void check_error(int which, sva_real angle, sva_real got, long double truth)
{
    double error = ulps(got, truth);
    if (error <= worst[which].ulps) return; /* a NaN goes on */
    worst[which].ulps = error == error ? error : HUGE_VAL;
    worst[which].angle = angle;
}

/* Through a pointer, lest -ffast-math put a bad instruction in their place. */
static long double (*volatile true_sine)(long double) = sinl, (*volatile true_cosine)(long double) = cosl;

typedef void form(const sva_real *x, sva_real *s, sva_real *c);
static void scalars(const sva_real *x, sva_real *s, sva_real *c)
{
    for (int i = 0; i < WIDTH; i++) sva_sincos(x[i], s + i, c + i);
}

static void counted(const sva_real *x, sva_real *s, sva_real *c)
{
    sva_sincos_n(WIDTH - 3, x, s, c);
    for (int i = WIDTH - 3; i < WIDTH; i++) sva_sincos(x[i], s + i, c + i);
}

static void in_place(const sva_real *x, sva_real *s, sva_real *c)
{
    memcpy(s, x, WIDTH * sizeof *s);
    sva_sincos_n(WIDTH, s, s, c);
}

#if SVA_VECTORS
#define FORM(W)                                                                                                        \
    static void lanes##W(const sva_real *x, sva_real *s, sva_real *c)                                                  \
    {                                                                                                                  \
        for (int i = 0; i < WIDTH; i += W) {                                                                           \
            const sva_v##W angle = *(const sva_u##W *)(x + i);                                                         \
            sva_v##W sine, cosine;                                                                                     \
            sva_sincos_v##W(&angle, &sine, &cosine);                                                                   \
            *(sva_u##W *)(s + i) = sine;                                                                               \
            *(sva_u##W *)(c + i) = cosine;                                                                             \
        }                                                                                                              \
    }
FORM(2)
FORM(4)
FORM(8)
static form *const forms[] = {counted, in_place, lanes2, lanes4, lanes8};
#else
static form *const forms[] = {counted, in_place};
#endif

/* The scalar form against the truth, the others against the scalar form. */
static void check(const sva_real x[WIDTH])
{
    sva_real s[WIDTH], c[WIDTH], s2[WIDTH], c2[WIDTH];
    scalars(x, s, c);
    for (int i = 0; i < WIDTH; i++) {
        check_error(0, x[i], s[i], true_sine((long double)x[i]));
        check_error(1, x[i], c[i], true_cosine((long double)x[i]));
    }
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        forms[f](x, s2, c2);
        differences += memcmp(s, s2, sizeof s) || memcmp(c, c2, sizeof c);
    }
}

static sva_real batch[WIDTH];
static int in_batch;

static void add(double angle)
{
    batch[in_batch++] = (sva_real)angle;
    if (in_batch < WIDTH) return;
    check(batch);
    in_batch = 0;
}

static double random_unit(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

static void add_both(double angle)
{
    add(angle);
    add(-angle);
}

/* Uniform over the range, over one turn, and in the exponent. */
static void random_angles(long count)
{
    for (long i = 0; i < count; i += 3) {
        add((2 * random_unit() - 1) * range);
        add((2 * random_unit() - 1) * 3.15);
        add((random_unit() < 0.5 ? -1 : 1) * exp(log(range) * (1 - 2 * random_unit())));
    }
}

/* The numbers around the multiples of pi/4: where a result nearly vanishes or the quadrant changes. */
static void near_multiples(long count)
{
    const long double quarter = 0.785398163397448309615660845819875721L;
    const double last = range / (double)quarter, step = last / (double)count;
    for (double i = 1; i < last; i = floor(i + 1 + (i > 1000 ? random_unit() * 2 * step : 0))) {
        const sva_real x = (sva_real)((long double)i * quarter);
        const double ulp = ldexp(1, ilogb((double)x) + 1 - digits);
        for (int j = -1; j <= 1; j++) add_both((double)x + j * ulp);
    }
}

static void extremes(void)
{
    add_both(0);
    add_both(range);
    for (int i = 0; i > smallest - digits; i--) {
        const double x = ldexp(1, i);
        add_both(x);
        add_both(x * (1 + ldexp(1, 1 - digits)));
    }
}

/* Zeros keep their sign; what is no number stays none. */
static int odd_values(void)
{
    sva_real s, c, x[] = {-(sva_real)0, (sva_real)HUGE_VAL, -(sva_real)HUGE_VAL, (sva_real)(HUGE_VAL - HUGE_VAL)};
    sva_sincos(x[0], &s, &c);
    int good = s == 0 && signbit(s) && c == 1;
    for (int i = 1; i < 4; i++) {
        sva_sincos(x[i], &s, &c);
        good = good && isnan(s) && isnan(c);
    }
    return good;
}

/* Beyond the promised range the error grows with the last place of the angle: no cliff. */
static int far_angles(void)
{
    int good = 1;
    for (double x = range; x < (SVA_REAL_IS_FLOAT ? 1e6 : 1e15); x *= 1.0001) {
        const sva_real angle = (sva_real)x;
        sva_real s, c;
        sva_sincos(angle, &s, &c);
        const long double bound = 2 * ldexpl(1, ilogb((double)angle) + 1 - digits);
        good = good && fabsl((long double)s - true_sine((long double)angle)) < bound;
        good = good && fabsl((long double)c - true_cosine((long double)angle)) < bound;
    }
    return good;
}

/* States to lanes and back, in their order and with the first row for the odd ones; nothing behind the end. */
static int lanes_of_states(void)
{
    int good = 1;
#if SVA_VECTORS
    enum { MOST = 13 };
    for (int W = 2; W <= 8; W *= 2)
        for (int n = 1; n <= MOST; n++) {
            sva_real x[8 * MOST + 1], y[8 * MOST + 1], back[8 * MOST + 1], some[8 * MOST + 1];
            unsigned short row[MOST];
            for (int i = 0; i <= W * n; i++) x[i] = (sva_real)i, y[i] = back[i] = some[i] = -1;
            for (int i = 0; i < n; i++) row[i] = (unsigned short)(i % 2 ? 0 : i);
            sva_to_lanes(W, n, x, y);
            sva_from_lanes(W, n, y, back);
            sva_rows_from_lanes(W, n, row, y, some);
            for (int i = 0; i < W * n; i++) {
                const int at = i % n * W + i / n;
                good = good && y[at] == x[i] && back[i] == x[i] && some[i] == x[i / n * n + row[i % n]];
            }
            good = good && y[W * n] == -1 && back[W * n] == -1 && some[W * n] == -1;
        }
#endif
    return good;
}

int main(int argc, char **argv)
{
    const long count = argc > 1 ? atol(argv[1]) : 2000000;
    const double limit = argc > 2 ? atof(argv[2]) : 1;
    random_angles(count);
    near_multiples(count / 10);
    extremes();
    while (in_batch) add(1);
    for (int i = 0; i < 2; i++)
        printf("%s %.3f ulp at %.17g  ", i ? "cosine" : "sine", worst[i].ulps, (double)worst[i].angle);
    const int odd = SVA_SINCOS_BY_LIBM || odd_values(), far = far_angles(), states = lanes_of_states();
    printf("lanes that differ %d, odd values %s, far angles %s, lanes of states %s\n", differences,
           odd ? "good" : "bad", far ? "good" : "bad", states ? "good" : "bad");
    return worst[0].ulps > limit || worst[1].ulps > limit || differences || !odd || !far || !states;
}
