/* How fast a core multiplies and adds: independent chains x <- a x + b of the widest vectors, more of them than the
   machine has multiply-adds under way. `svagen bench kernels` compiles this with the kernels, by the same compiler with
   the same options. */
#include "sva_kernel.h"

#if defined(__AVX512F__)
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif

typedef sva_real wide __attribute__((vector_size(BYTES)));
enum { STEPS = 1000, CHAINS = 12, LANES = BYTES / sizeof(sva_real) };

/* As variables: compilers keep arrays in memory when they optimise little. */
#define EACH_CHAIN(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define START(i)       wide x##i = zero + in[2 + i];
#define STEP(i)        x##i = x##i * a + b;
#define SUM(i)         sum += x##i;

/* How many operations it made. in: a, b and where the chains start, unknown to the compiler; out: a vector. */
int svagen_peak(const sva_real in[2 + CHAINS], sva_real out[LANES]);
int svagen_peak(const sva_real in[2 + CHAINS], sva_real out[LANES])
{
    const wide zero = {0}, a = zero + in[0], b = zero + in[1];
    wide sum = zero;
    EACH_CHAIN(START)
    for (int k = 0; k < STEPS; k++) { EACH_CHAIN(STEP) }
    EACH_CHAIN(SUM)
    for (int i = 0; i < LANES; i++) out[i] = sum[i];
    return 2 * STEPS * CHAINS * LANES;
}
