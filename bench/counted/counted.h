/* A number that counts the operations on it: the `real` of the runtime's texts, for SVA_CUSTOM. C++ only. */
#ifndef COUNTED_H
#define COUNTED_H

#include <math.h>
#include "counts.h"

extern operation_counts counted_so_far;

struct counted {
    double x;
    counted() = default; /* trivial: workspaces are raw memory */
    counted(double value) : x(value) {}
    explicit operator double() const { return x; }
    counted operator-() const { return counted(-x); }
    counted &operator+=(counted b) { return *this = counted(x + b.x, counted_so_far.adds); }
    counted &operator-=(counted b) { return *this = counted(x - b.x, counted_so_far.adds); }
    counted &operator*=(counted b) { return *this = counted(x * b.x, counted_so_far.muls); }
    counted &operator/=(counted b) { return *this = counted(x / b.x, counted_so_far.divs); }
    counted(double value, long &count) : x(value) { count++; }
};

inline counted operator+(counted a, counted b) { return counted(a.x + b.x, counted_so_far.adds); }
inline counted operator-(counted a, counted b) { return counted(a.x - b.x, counted_so_far.adds); }
inline counted operator*(counted a, counted b) { return counted(a.x * b.x, counted_so_far.muls); }
inline counted operator/(counted a, counted b) { return counted(a.x / b.x, counted_so_far.divs); }

typedef counted real;
#define SVA(x)         svan_##x
#define SVA_IS_COMPLEX 0

static inline real real_sin(real x) { return counted(sin(x.x), counted_so_far.funcs); }
static inline real real_cos(real x) { return counted(cos(x.x), counted_so_far.funcs); }
static inline real real_sqrt(real x) { return counted(sqrt(x.x), counted_so_far.funcs); }
static inline real real_atan2(real y, real x) { return counted(atan2(y.x, x.x), counted_so_far.funcs); }
static inline double real_part(real x) { return x.x; }

#define SVA_REAL    counted
#define SVA_NAME(x) svan_##x
extern "C" {
#include "sva_api.h"
}
#undef SVA_REAL
#undef SVA_NAME

#endif
