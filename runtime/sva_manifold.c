/* The configuration manifold: exponential and logarithm of each joint's group, on the right: q (+) dv = q exp(dv). */
#include "sva_spatial.h"

/* phi_k(x) = sum over n of (-x)^n / (2n + k)!, analytic at 0. With x = t^2: phi_0 = cos t, phi_1 = sin t / t,
   phi_2 = (1 - cos t) / t^2, phi_3 = (t - sin t) / t^3. */
static real phi(int k, real x)
{
    if (real_part(x) > 1) {
        real t = real_sqrt(x);
        if (k == 0) return real_cos(t);
        if (k == 1) return real_sin(t) / t;
        return (1 - phi(k - 2, x)) / x;
    }
    real term = (real)1, sum = (real)0;
    for (int i = 2; i <= k; i++) term = term / (real)i;
    for (int n = 1; n <= 16; n++) {
        sum += term;
        term *= -x / (real)((2 * n + k) * (2 * n + k - 1));
    }
    return sum;
}

/* Quaternions x y z w: c = a b. */
static void quaternion_product(const real a[4], const real b[4], real c[4])
{
    cross3(a, b, c);
    for (int k = 0; k < 3; k++) c[k] += a[3] * b[k] + b[3] * a[k];
    c[3] = a[3] * b[3] - dot3(a, b);
}

/* y = x turned by the quaternion: x + 2 w (u x x) + 2 u x (u x x). */
static void quaternion_rotate(const real q[4], const real x[3], real y[3])
{
    real t[3];
    cross3(q, x, t);
    copy(3, x, y);
    add_scaled(3, 2 * q[3], t, y);
    for (int k = 0; k < 3; k++) t[k] = 2 * t[k];
    add_cross3(q, t, y);
}

static void quaternion_exp(const real w[3], real q[4])
{
    real x = dot3(w, w) * (real)0.25, s = phi(1, x) * (real)0.5;
    for (int k = 0; k < 3; k++) q[k] = s * w[k];
    q[3] = phi(0, x);
}

/* angle / sin(angle / 2) for the sine n = |u|, the cosine c >= 0: near 0 by the series of the arcsine in n^2. */
static real half_angle_ratio(real n2, real c)
{
    if (real_part(n2) > 0.02) {
        real n = real_sqrt(n2);
        return 2 * real_atan2(n, c) / n;
    }
    real term = (real)2, sum = (real)0;
    for (int k = 0; k < 20; k++) {
        sum += term / (real)(2 * k + 1);
        term *= n2 * (real)(2 * k + 1) / (real)(2 * k + 2);
    }
    return sum;
}

static void quaternion_log(const real q[4], real w[3])
{
    real sign = (real)(real_part(q[3]) < 0 ? -1 : 1);
    real s = sign * half_angle_ratio(dot3(q, q), sign * q[3]);
    for (int k = 0; k < 3; k++) w[k] = s * q[k];
}

/* conj(a) b */
static void quaternion_between(const real a[4], const real b[4], real c[4])
{
    real conjugate[4] = {-a[0], -a[1], -a[2], a[3]};
    quaternion_product(conjugate, b, c);
}

static void scale_to_unit(int n, real *x)
{
    real s = (real)0;
    for (int k = 0; k < n; k++) s += x[k] * x[k];
    s = 1 / real_sqrt(s);
    for (int k = 0; k < n; k++) x[k] *= s;
}

static uint64_t next_bits(uint64_t *seed) /* splitmix64 */
{
    uint64_t z = (*seed += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double next_uniform(uint64_t *seed) { return (double)(next_bits(seed) >> 11) * 0x1p-52 - 1; }

void SVA(random_vector)(int n, uint64_t *seed, real x[])
{
    for (int k = 0; k < n; k++) x[k] = (real)next_uniform(seed);
}

/* A point on the sphere of n - 1 dimensions: of the ball, by rejection, then scaled. */
static void random_unit(int n, uint64_t *seed, real *x)
{
    double s = 0, y[4] = {0};
    while (s > 1 || s < 0.01) {
        s = 0;
        for (int k = 0; k < n; k++) {
            y[k] = next_uniform(seed);
            s += y[k] * y[k];
        }
    }
    for (int k = 0; k < n; k++) x[k] = (real)y[k];
    scale_to_unit(n, x);
}

/* A joint's group. The first `flat` numbers of q are a vector, the other `round` of unit length. */
typedef struct group {
    int flat, round;
    void (*integrate)(const sva_body *b, const real *q, const real *dv, real *out);
    void (*difference)(const sva_body *b, const real *q0, const real *q1, real *dv);
} group;

static void vector_integrate(const sva_body *b, const real *q, const real *dv, real *out)
{
    for (int k = 0; k < b->nq; k++) out[k] = q[k] + dv[k];
}

static void vector_difference(const sva_body *b, const real *q0, const real *q1, real *dv)
{
    for (int k = 0; k < b->nq; k++) dv[k] = q1[k] - q0[k];
}

static void spherical_integrate(const sva_body *b, const real *q, const real *dv, real *out)
{
    real e[4], r[4];
    (void)b;
    quaternion_exp(dv, e);
    quaternion_product(q, e, r);
    copy(4, r, out);
}

static void spherical_difference(const sva_body *b, const real *q0, const real *q1, real *dv)
{
    real d[4];
    (void)b;
    quaternion_between(q0, q1, d);
    quaternion_log(d, dv);
}

/* The translation of exp(u, w) is V u with V = 1 + phi_2 w x + phi_3 w x w x; rows of V. */
static void left_jacobian(const real w[3], real V[9])
{
    real x = dot3(w, w), a = phi(2, x);
    set_zero(9, V);
    add_cross_cross(phi(3, x), w, w, V);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        V[4 * i] += 1;
        V[3 * i + j] -= a * w[l];
        V[3 * j + i] += a * w[l];
    }
}

/* x with V x = d, by cross products of V's rows. */
static void solve3(const real V[9], const real d[3], real x[3])
{
    real c0[3], c1[3], c2[3];
    cross3(V + 3, V + 6, c0);
    cross3(V + 6, V, c1);
    cross3(V, V + 3, c2);
    real det = dot3(V, c0);
    for (int k = 0; k < 3; k++) x[k] = (d[0] * c0[k] + d[1] * c1[k] + d[2] * c2[k]) / det;
}

static void floating_integrate(const sva_body *b, const real *q, const real *dv, real *out)
{
    real V[9], u[3], p[3];
    left_jacobian(dv + 3, V);
    rotate(V, dv, u);
    quaternion_rotate(q + 3, u, p);
    for (int k = 0; k < 3; k++) out[k] = q[k] + p[k];
    spherical_integrate(b, q + 3, dv + 3, out + 3);
}

static void floating_difference(const sva_body *b, const real *q0, const real *q1, real *dv)
{
    real V[9], p[3], d[3], back[4] = {-q0[3], -q0[4], -q0[5], q0[6]};
    spherical_difference(b, q0 + 3, q1 + 3, dv + 3);
    for (int k = 0; k < 3; k++) p[k] = q1[k] - q0[k];
    quaternion_rotate(back, p, d);
    left_jacobian(dv + 3, V);
    solve3(V, d, dv);
}

/* In the plane V = [s, -c; c, s] with s = sin w / w, c = (1 - cos w) / w. */
static void planar_integrate(const sva_body *b, const real *q, const real *dv, real *out)
{
    real w = dv[2], x = w * w, s = phi(1, x), c = w * phi(2, x), cw = phi(0, x), sw = w * s;
    real ux = s * dv[0] - c * dv[1], uy = c * dv[0] + s * dv[1], cq = q[2], sq = q[3];
    (void)b;
    out[0] = q[0] + cq * ux - sq * uy;
    out[1] = q[1] + sq * ux + cq * uy;
    out[2] = cq * cw - sq * sw;
    out[3] = sq * cw + cq * sw;
}

static void planar_difference(const sva_body *b, const real *q0, const real *q1, real *dv)
{
    real cw = q0[2] * q1[2] + q0[3] * q1[3], sw = q0[2] * q1[3] - q0[3] * q1[2], w = real_atan2(sw, cw);
    real px = q1[0] - q0[0], py = q1[1] - q0[1], ux = q0[2] * px + q0[3] * py, uy = q0[2] * py - q0[3] * px;
    real x = w * w, s = phi(1, x), c = w * phi(2, x), d = s * s + c * c;
    (void)b;
    dv[0] = (s * ux + c * uy) / d;
    dv[1] = (s * uy - c * ux) / d;
    dv[2] = w;
}

static const group group_table[SVA_JOINT_TYPES] = {
    {0, 0, vector_integrate, vector_difference},       /* fixed */
    {1, 0, vector_integrate, vector_difference},       /* revolute */
    {1, 0, vector_integrate, vector_difference},       /* continuous */
    {1, 0, vector_integrate, vector_difference},       /* prismatic */
    {1, 0, vector_integrate, vector_difference},       /* helical */
    {2, 0, vector_integrate, vector_difference},       /* cylindrical */
    {2, 2, planar_integrate, planar_difference},       /* planar */
    {0, 4, spherical_integrate, spherical_difference}, /* spherical */
    {3, 0, vector_integrate, vector_difference},       /* translation */
    {3, 4, floating_integrate, floating_difference},   /* floating */
};

void SVA(integrate)(const sva_model *m, const real q[], const real dv[], real q_out[])
{
    for (const sva_body *b = m->bodies; b < m->bodies + m->n_bodies; b++)
        if (b->nq) group_table[b->type].integrate(b, q + b->iq, dv + b->iv, q_out + b->iq);
}

void SVA(difference)(const sva_model *m, const real q0[], const real q1[], real dv[])
{
    for (const sva_body *b = m->bodies; b < m->bodies + m->n_bodies; b++)
        if (b->nq) group_table[b->type].difference(b, q0 + b->iq, q1 + b->iq, dv + b->iv);
}

void SVA(normalise)(const sva_model *m, real q[])
{
    for (const sva_body *b = m->bodies; b < m->bodies + m->n_bodies; b++) {
        const group *g = group_table + b->type;
        if (b->nq && g->round) scale_to_unit(g->round, q + b->iq + g->flat);
    }
}

/* The identity: zero, a quaternion's w = 1, a plane's cos = 1. */
void SVA(neutral)(const sva_model *m, real q[])
{
    set_zero(m->nq, q);
    for (const sva_body *b = m->bodies; b < m->bodies + m->n_bodies; b++) {
        const group *g = group_table + b->type;
        if (b->nq && g->round) q[b->iq + g->flat + (g->round == 4 ? 3 : 0)] = (real)1;
    }
}

/* Angles in [-pi, pi], displacements in [-1, 1], rotations uniform. */
void SVA(random_configuration)(const sva_model *m, uint64_t *seed, real q[])
{
    for (const sva_body *b = m->bodies; b < m->bodies + m->n_bodies; b++) {
        const group *g = group_table + b->type;
        int angle = b->type == SVA_REVOLUTE || b->type == SVA_CONTINUOUS || b->type == SVA_HELICAL;
        if (!b->nq) continue;
        for (int k = 0; k < g->flat; k++) {
            double x = next_uniform(seed);
            q[b->iq + k] = (real)(angle || (b->type == SVA_CYLINDRICAL && k) ? 3.141592653589793 * x : x);
        }
        if (g->round) random_unit(g->round, seed, q + b->iq + g->flat);
    }
}
