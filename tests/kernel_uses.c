/* Compiled by the suite in many ways, never linked: the header alone (UNUSED), or each of its functions and types. */
#include "sva_kernel.h"

#ifndef UNUSED
#ifdef __cplusplus
extern "C" {
#endif
extern const sva_robot uses_robot;
void uses_scalar(const sva_real *SVA_RESTRICT x, sva_real *SVA_RESTRICT s, sva_real *SVA_RESTRICT c);
void uses_lanes(const sva_real *x, sva_real *s, sva_real *c);

static void call(const sva_real *const in[], sva_real *const out[]) { uses_scalar(in[0], out[0], out[1]); }

static const sva_arg in[] = {{"x", 8, 1, "rad", "angles", {8, 1, 1}, 8}};
static const sva_arg out[] = {{"s", 8, 1, "1", "sines", {8, 1, 1}, 8}, {"c", 8, 1, "1", "cosines", {8, 1, 1}, 8}};
static const sva_joint joints[] = {{"hinge", "revolute", -1, 0, 1, 0, 1, -SVA_INFINITE, SVA_INFINITE, 1, 2}};
static const sva_kernel kernels[] = {
    {"uses", 1, 1, 2, in, out, call, 0, 0, 0, 16, "sines and cosines", "the only one", NULL, "s = sin x", 100}};
static const char *const frames[] = {"hinge"};
const sva_robot uses_robot = {"uses",        1,      1, 1,        joints,  1,     kernels, 0, (int)sizeof(sva_real),
                              {0, 0, -9.81}, frames, 1, "a test", SVA_ABI, "none"};

void uses_scalar(const sva_real *SVA_RESTRICT x, sva_real *SVA_RESTRICT s, sva_real *SVA_RESTRICT c)
{
    sva_sincos(x[0], s, c);
    sva_sincos_n(7, x, s, c);
}

#if SVA_VECTORS
#define USE(W)                                                                                                         \
    {                                                                                                                  \
        sva_v##W angle = sva_splat##W(x[1]) + *(const sva_u##W *)x, sine, cosine;                                      \
        sva_sincos_v##W(&angle, &sine, &cosine);                                                                       \
        *(sva_u##W *)(s + 1) = sine;                                                                                   \
        *(sva_u##W *)(c + 1) = cosine;                                                                                 \
    }
void uses_lanes(const sva_real *x, sva_real *s, sva_real *c) { USE(2) USE(4) USE(8) }
#endif
#ifdef __cplusplus
}
#endif
#else
typedef int uses_nothing;
#endif
