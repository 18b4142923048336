/* The number type that an algorithm text is compiled for: -DSVA_TYPE=SVA_DOUBLE (the default), SVA_FLOAT, SVA_COMPLEX
   or SVA_QUAD. A text is written once, in the common subset of C and C++, on `real` and the functions below, with
   its public names in SVA(...).

   Another number type (say, one that counts its operations, in C++) defines SVA_CUSTOM as the name of a header, quoted,
   that provides: real, SVA(x), SVA_IS_COMPLEX as 0, real_sin, real_cos, real_sqrt, real_atan2, real_part, and includes
   sva_api.h with SVA_REAL and SVA_NAME set to it. */
#ifndef SVA_REAL_H
#define SVA_REAL_H

#define SVA_DOUBLE  0
#define SVA_FLOAT   1
#define SVA_COMPLEX 2
#define SVA_QUAD    3

#include "sva.h"

#ifdef SVA_CUSTOM
#include SVA_CUSTOM
#else
#ifndef SVA_TYPE
#define SVA_TYPE SVA_DOUBLE
#endif

#define SVA_IS_COMPLEX (SVA_TYPE == SVA_COMPLEX)

#if SVA_TYPE == SVA_DOUBLE
#include <math.h>
#define SVA(x) sva_##x
typedef double real;
static inline real real_sin(real x) { return sin(x); }
static inline real real_cos(real x) { return cos(x); }
static inline real real_sqrt(real x) { return sqrt(x); }
static inline real real_atan2(real y, real x) { return atan2(y, x); }
static inline double real_part(real x) { return x; }

#elif SVA_TYPE == SVA_FLOAT
#include <math.h>
#define SVA(x) svaf_##x
typedef float real;
static inline real real_sin(real x) { return sinf(x); }
static inline real real_cos(real x) { return cosf(x); }
static inline real real_sqrt(real x) { return sqrtf(x); }
static inline real real_atan2(real y, real x) { return atan2f(y, x); }
static inline double real_part(real x) { return (double)x; }

#elif SVA_TYPE == SVA_COMPLEX
#include <complex.h>
#undef I /* an inertia, here */
#include <math.h>
#define SVA(x) svac_##x
typedef double _Complex real;
static inline real real_sin(real x) { return csin(x); }
static inline real real_cos(real x) { return ccos(x); }
static inline real real_sqrt(real x) { return csqrt(x); }
/* The angle to first order in the imaginary parts, all that the complex step needs: d angle = (x dy - y dx) / (x^2 +
 * y^2). */
static inline real real_atan2(real y, real x)
{
    double c = creal(x), s = creal(y);
    return atan2(s, c) + (c * cimag(y) - s * cimag(x)) / (c * c + s * s) * _Complex_I;
}
static inline double real_part(real x) { return creal(x); }

#else
#define SVA(x) svaq_##x
typedef __float128 real;
/* In glibc's libm; declared here because not every compiler's math.h shows them. */
real sinf128(real x);
real cosf128(real x);
real sqrtf128(real x);
real atan2f128(real y, real x);
static inline real real_sin(real x) { return sinf128(x); }
static inline real real_cos(real x) { return cosf128(x); }
static inline real real_sqrt(real x) { return sqrtf128(x); }
static inline real real_atan2(real y, real x) { return atan2f128(y, x); }
static inline double real_part(real x) { return (double)x; }
#endif
#endif

#endif
