/* Spatial vector algebra on `real`: motions (w; u) and forces (n; f), angular first, as in the papers. */
#ifndef SVA_SPATIAL_H
#define SVA_SPATIAL_H

#include "sva_real.h"

static inline real dot3(const real a[3], const real b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline real dot6(const real a[6], const real b[6]) { return dot3(a, b) + dot3(a + 3, b + 3); }

/* c = a x b; c += a x b. c must not overlap a or b. */
static inline void cross3(const real a[3], const real b[3], real c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline void add_cross3(const real a[3], const real b[3], real c[3])
{
    c[0] += a[1] * b[2] - a[2] * b[1];
    c[1] += a[2] * b[0] - a[0] * b[2];
    c[2] += a[0] * b[1] - a[1] * b[0];
}

static inline void set_zero(int n, real *x)
{
    for (int i = 0; i < n; i++) x[i] = (real)0;
}

static inline void copy(int n, const real *x, real *y)
{
    for (int i = 0; i < n; i++) y[i] = x[i];
}

/* y += s x */
static inline void add_scaled(int n, real s, const real *x, real *y)
{
    for (int i = 0; i < n; i++) y[i] += s * x[i];
}

static inline void add(int n, const real *x, real *y)
{
    for (int i = 0; i < n; i++) y[i] += x[i];
}

static inline void subtract(int n, const real *x, real *y)
{
    for (int i = 0; i < n; i++) y[i] -= x[i];
}

/* y = R x; y = R' x. */
static inline void rotate(const real R[9], const real x[3], real y[3])
{
    y[0] = R[0] * x[0] + R[1] * x[1] + R[2] * x[2];
    y[1] = R[3] * x[0] + R[4] * x[1] + R[5] * x[2];
    y[2] = R[6] * x[0] + R[7] * x[1] + R[8] * x[2];
}

static inline void rotate_back(const real R[9], const real x[3], real y[3])
{
    y[0] = R[0] * x[0] + R[3] * x[1] + R[6] * x[2];
    y[1] = R[1] * x[0] + R[4] * x[1] + R[7] * x[2];
    y[2] = R[2] * x[0] + R[5] * x[1] + R[8] * x[2];
}

/* C = A B, 3 x 3. */
static inline void multiply3(const real A[9], const real B[9], real C[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

/* c = v x m, of two motions ([SRW22], eq. 6); c += v x m. */
static inline void cross_motion(const real v[6], const real m[6], real c[6])
{
    cross3(v, m, c);
    cross3(v, m + 3, c + 3);
    add_cross3(v + 3, m, c + 3);
}

static inline void add_cross_motion(const real v[6], const real m[6], real c[6])
{
    add_cross3(v, m, c);
    add_cross3(v, m + 3, c + 3);
    add_cross3(v + 3, m, c + 3);
}

/* c = v x* f ([SRW22], eq. 7); c += v x* f. */
static inline void cross_force(const real v[6], const real f[6], real c[6])
{
    cross3(v, f, c);
    add_cross3(v + 3, f + 3, c);
    cross3(v, f + 3, c + 3);
}

static inline void add_cross_force(const real v[6], const real f[6], real c[6])
{
    add_cross3(v, f, c);
    add_cross3(v + 3, f + 3, c);
    add_cross3(v, f + 3, c + 3);
}

/* The pose (R, p) of a child's frame in its parent's (or of a body's in the ground). Coordinates change by
   to_parent: m_parent = (R w; R u + p x R w),  f_parent = (R n + p x R f; R f), and by the inverses to_child. */
static inline void motion_to_parent(const real R[9], const real p[3], const real m[6], real out[6])
{
    rotate(R, m, out);
    rotate(R, m + 3, out + 3);
    add_cross3(p, out, out + 3);
}

static inline void motion_to_child(const real R[9], const real p[3], const real m[6], real out[6])
{
    real u[3];
    copy(3, m + 3, u);
    add_cross3(m, p, u);
    rotate_back(R, m, out);
    rotate_back(R, u, out + 3);
}

static inline void force_to_parent(const real R[9], const real p[3], const real f[6], real out[6])
{
    rotate(R, f, out);
    rotate(R, f + 3, out + 3);
    add_cross3(p, out + 3, out);
}

static inline void force_to_child(const real R[9], const real p[3], const real f[6], real out[6])
{
    real n[3];
    copy(3, f, n);
    add_cross3(f + 3, p, n);
    rotate_back(R, n, out);
    rotate_back(R, f + 3, out + 3);
}

/* A rigid body's spatial inertia [Ibar, h x; -h x, m 1], about the origin of the frame it is expressed in. */
typedef struct inertia {
    real m, h[3], I[6]; /* xx xy xz yy yz zz */
} inertia;

/* y = A x of a symmetric A; y += A x. */
static inline void symmetric3(const real A[6], const real x[3], real y[3])
{
    y[0] = A[0] * x[0] + A[1] * x[1] + A[2] * x[2];
    y[1] = A[1] * x[0] + A[3] * x[1] + A[4] * x[2];
    y[2] = A[2] * x[0] + A[4] * x[1] + A[5] * x[2];
}

/* f = I m: n = Ibar w + h x u, f = m u - h x w. */
static inline void inertia_times(const inertia *I, const real m[6], real f[6])
{
    symmetric3(I->I, m, f);
    add_cross3(I->h, m + 3, f);
    for (int k = 0; k < 3; k++) f[3 + k] = I->m * m[3 + k];
    add_cross3(m, I->h, f + 3);
}

static inline void inertia_add(const inertia *I, inertia *sum)
{
    sum->m += I->m;
    add(3, I->h, sum->h);
    add(6, I->I, sum->I);
}

/* B = R A R' of a symmetric A. */
static inline void symmetric_to_parent(const real R[9], const real A[6], real B[6])
{
    real T[9]; /* row i: A times row i of R */
    for (int i = 0; i < 3; i++) symmetric3(A, R + 3 * i, T + 3 * i);
    B[0] = dot3(R, T);
    B[1] = dot3(R, T + 3);
    B[2] = dot3(R, T + 6);
    B[3] = dot3(R + 3, T + 3);
    B[4] = dot3(R + 3, T + 6);
    B[5] = dot3(R + 6, T + 6);
}

/* h' = R h + m p;  Ibar' = R Ibar R' + sum over mass of what x = p + R r adds: (2 p.Rh + m p.p) 1 - p Rh' - Rh p' - m p
 * p'. */
static inline void inertia_to_parent(const real R[9], const real p[3], const inertia *in, inertia *out)
{
    real Rh[3], t[3]; /* t = Rh + m p / 2: the sum is 2 p.t 1 - p t' - t p' */
    rotate(R, in->h, Rh);
    symmetric_to_parent(R, in->I, out->I);
    out->m = in->m;
    for (int k = 0; k < 3; k++) {
        t[k] = Rh[k] + (real)0.5 * in->m * p[k];
        out->h[k] = Rh[k] + in->m * p[k];
    }
    real x = p[0] * t[0], y = p[1] * t[1], z = p[2] * t[2];
    out->I[0] += 2 * (y + z);
    out->I[3] += 2 * (x + z);
    out->I[5] += 2 * (x + y);
    out->I[1] -= p[0] * t[1] + t[0] * p[1];
    out->I[2] -= p[0] * t[2] + t[0] * p[2];
    out->I[4] -= p[1] * t[2] + t[1] * p[2];
}

/* A map from motions to forces of the form [A, 0; -(p x), 0]. The Coriolis matrix B of a body has it, and so has the
   geometric term of a force that is constant in the world. */
typedef struct half_map {
    real A[9], p[3];
} half_map;

/* f = K m = (A w; -p x w) */
static inline void half_times(const half_map *K, const real m[6], real f[6])
{
    rotate(K->A, m, f);
    cross3(m, K->p, f + 3);
}

/* The angular half of K' m = (A' w + p x u; 0); the linear half vanishes. */
static inline void half_transpose_times(const half_map *K, const real m[6], real n[3])
{
    rotate_back(K->A, m, n);
    add_cross3(K->p, m + 3, n);
}

static inline void half_zero(half_map *K)
{
    set_zero(9, K->A);
    set_zero(3, K->p);
}

static inline void half_add(const half_map *K, half_map *sum)
{
    add(9, K->A, sum->A);
    add(3, K->p, sum->p);
}

/* A += s (a x)(b x) = s (b a' - (a.b) 1) */
static inline void add_cross_cross(real s, const real a[3], const real b[3], real A[9])
{
    real d = dot3(a, b);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) A[3 * i + j] += s * b[i] * a[j];
        A[4 * i] -= s * d;
    }
}

/* K' = X* K X^-1: A' = R A R' - p x (R p_K) x,  p' = R p_K. */
static inline void half_to_parent(const real R[9], const real p[3], const half_map *in, half_map *out)
{
    real T[9];
    multiply3(R, in->A, T);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out->A[3 * i + j] = dot3(T + 3 * i, R + 3 * j);
    rotate(R, in->p, out->p);
    add_cross_cross((real)-1, p, out->p, out->A);
}

/* B(v, I) of [SRW22], eq. 28, twice, multiplied out: A = 2 w x Ibar - tr(Ibar) w x - 2 h x u x,  p = 2 (m u + w x h).
 */
static inline void coriolis_twice(const real v[6], const inertia *I, half_map *B)
{
    const real *w = v, *u = v + 3, *J = I->I;
    real trace = J[0] + J[3] + J[5];
    real G[9] = {2 * J[0] - trace, 2 * J[1], 2 * J[2], 2 * J[1],        2 * J[3] - trace,
                 2 * J[4],         2 * J[2], 2 * J[4], 2 * J[5] - trace};
    for (int j = 0; j < 3; j++) {
        B->A[j] = w[1] * G[6 + j] - w[2] * G[3 + j];
        B->A[3 + j] = w[2] * G[j] - w[0] * G[6 + j];
        B->A[6 + j] = w[0] * G[3 + j] - w[1] * G[j];
    }
    add_cross_cross((real)-2, I->h, u, B->A);
    cross3(w, I->h, B->p);
    for (int k = 0; k < 3; k++) B->p[k] = 2 * (B->p[k] + I->m * u[k]);
}

#endif
