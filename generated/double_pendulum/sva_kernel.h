/* The header that travels with generated code: what a robot says of itself to programs that do not know it, lanes, and
   a sine and cosine without branches. Needs nothing of libc; C99 or C++. */
#ifndef SVA_KERNEL_H
#define SVA_KERNEL_H

#include <stdint.h>

#ifndef SVA_REAL
#define SVA_REAL double
#endif
#ifndef SVA_REAL_IS_FLOAT /* the preprocessor cannot compare types: who defines SVA_REAL as float defines this as 1 */
#define SVA_REAL_IS_FLOAT 0
#endif

typedef SVA_REAL sva_real;
typedef char sva_real_is_as_declared[sizeof(sva_real) == (SVA_REAL_IS_FLOAT ? 4 : 8) ? 1 : -1];

typedef struct sva_arg {
    const char *name;
    int rows, cols;
} sva_arg;

typedef struct sva_joint {
    const char *name, *type;
    int parent, iq, nq, iv, nv; /* parent -1: the base; iq, iv: where it starts in q and v */
} sva_joint;

/* With W lanes every scalar of an argument is W consecutive ones: element i of lane l at [W*i + l]. */
typedef struct sva_kernel {
    const char *name;
    int lanes, n_in, n_out;
    const sva_arg *in, *out;
    void (*call)(const sva_real *const in[], sva_real *const out[]); /* out[i] NULL: not wanted */
    long adds, muls, divs, funcs;                                    /* operations of one call */
    const char *meaning;                                             /* one line */
    const char *choice;                                              /* which of the possible forms this is, and why */
} sva_kernel;

typedef struct sva_robot {
    const char *name;
    int nq, nv, n_joints;
    const sva_joint *joints;
    int n_kernels;
    const sva_kernel *kernels;
    int column_major;          /* how matrices are stored: 0 by rows, 1 by columns */
    int real_size;             /* sizeof(sva_real) the code was generated for */
    double gravity[3];         /* as baked in; zeros where it is an argument */
    const char *const *frames; /* names, in the order in which kernels number them */
    int n_frames;
    const char *generator; /* program and version */
} sva_robot;

#if defined(__GNUC__) || defined(_MSC_VER)
#define SVA_RESTRICT __restrict
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define SVA_RESTRICT restrict
#else
#define SVA_RESTRICT
#endif

#if defined(__clang__)
#define SVA_VECTORS (__clang_major__ >= 9)
#elif defined(__GNUC__) && !defined(__INTEL_COMPILER)
#define SVA_VECTORS (__GNUC__ >= 9)
#else
#define SVA_VECTORS 0
#endif

/* Sine and cosine together. The angle is r - d + k pi/2 with k the nearest whole number, found by adding 1.5 2^52
   (float: 1.5 2^23): that rounds, and leaves the quadrant in the lowest bits. pi/2 is a sum of four numbers; three are
   so short that their products with k, and x - k PI_1 - k PI_2, have no rounding error. With z = r^2, |r| <= pi/4:
       sin(r - d) = r - (d - z r S(z))
       cos(r - d) = w + (((1 - w) - z/2) + r d + z^2 C(z)),    w = 1 - z/2 rounded
   S and C are minimax polynomials. Error below 1 ulp for |x| <= 1e7 (float: 6000); beyond, up to 1e15 (float: 1e6),
   that of rounding x; further out meaningless. NaN and infinities give NaN. No branches, no tables. */
#if SVA_REAL_IS_FLOAT
typedef uint32_t sva_word;
#define SVA_WORD_BITS  32
#define SVA_ROUNDER    12582912.0f
#define SVA_TWO_BY_PI  0.636619747f
#define SVA_PI_1       1.5703125f
#define SVA_PI_2       0.00048375129699707031f
#define SVA_PI_3       7.5495336204767227e-08f
#define SVA_PI_4       2.5633440682570896e-12f
#define SVA_HALF       0.5f
#define SVA_ONE        1.0f
#define SVA_S(K, z, y) (K(-0.166666552f) + K(0.00833218824f) * z) + K(-0.000195179935f) * y
#define SVA_C(K, z, y) (K(0.0416666456f) + K(-0.00138873118f) * z) + K(2.44326966e-05f) * y
#else
typedef uint64_t sva_word;
#define SVA_WORD_BITS 64
#define SVA_ROUNDER   6755399441055744.0
#define SVA_TWO_BY_PI 0.63661977236758138
#define SVA_PI_1      1.570796325802803
#define SVA_PI_2      9.9209351844820048e-10
#define SVA_PI_3      6.1232339320535943e-17
#define SVA_PI_4      6.3683171635109499e-25
#define SVA_HALF      0.5
#define SVA_ONE       1.0
#define SVA_S(K, z, y)                                                                                                 \
    (K(-0.16666666666666632) + K(0.008333333333322486) * z) +                                                          \
        ((K(-0.00019841269829853206) + K(2.7557313704946327e-06) * z) +                                                \
         (K(-2.5050759861917715e-08) + K(1.5896884431093375e-10) * z) * y) *                                           \
            y
#define SVA_C(K, z, y)                                                                                                 \
    (K(0.041666666666666602) + K(-0.001388888888887447) * z) +                                                         \
        ((K(2.4801587289666919e-05) + K(-2.7557314399274034e-07) * z) +                                                \
         (K(2.0875728995945042e-09) + K(-1.1359917441505861e-11) * z) * y) *                                           \
            y
#endif

/* The text for scalars and lanes: K(c) is c in every lane, WORD and REAL reinterpret. With bits n1 n0 of the quadrant,
   n0 exchanges sine and cosine, n1 negates the sine and n1 xor n0 the cosine. */
#define SVA_SINCOS_TEXT(V, U, K, WORD, REAL)                                                                           \
    const V biased = angle * K(SVA_TWO_BY_PI) + K(SVA_ROUNDER);                                                        \
    const V k = biased - K(SVA_ROUNDER);                                                                               \
    const V r2 = (angle - k * K(SVA_PI_1)) - k * K(SVA_PI_2);                                                          \
    const V t = k * K(SVA_PI_3);                                                                                       \
    const V r = r2 - t;                                                                                                \
    const V d = (t - (r2 - r)) + k * K(SVA_PI_4);                                                                      \
    const V z = r * r, y = z * z;                                                                                      \
    const U sine = WORD((r - (d - z * r * (SVA_S(K, z, y)))));                                                         \
    const V half = z * K(SVA_HALF), w = K(SVA_ONE) - half;                                                             \
    const U cosine = WORD((w + ((((K(SVA_ONE) - w) - half) + r * d) + y * (SVA_C(K, z, y)))));                         \
    const U quadrant = WORD(biased);                                                                                   \
    const U swap = (sine ^ cosine) & ((sva_word)0 - (quadrant & (sva_word)1));                                         \
    const U sign = (quadrant & (sva_word)2) << (SVA_WORD_BITS - 2);                                                    \
    const U sign_cosine = ((quadrant + (sva_word)1) & (sva_word)2) << (SVA_WORD_BITS - 2);                             \
    *s = REAL((sine ^ swap ^ sign));                                                                                   \
    *c = REAL((cosine ^ swap ^ sign_cosine));

/* Where the compiler may reorder sums (-ffast-math) or keeps more digits than the type has, the reduction fails and
   libm's functions serve. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)
#define SVA_SINCOS_BY_LIBM 1
#elif defined(__FLT_EVAL_METHOD__)
#define SVA_SINCOS_BY_LIBM (__FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16)
#else
#define SVA_SINCOS_BY_LIBM 0
#endif

#if SVA_SINCOS_BY_LIBM
#include <math.h>
static inline void sva_sincos(sva_real angle, sva_real *s, sva_real *c)
{
#if SVA_REAL_IS_FLOAT
    *s = sinf(angle);
    *c = cosf(angle);
#else
    *s = sin(angle);
    *c = cos(angle);
#endif
}
#else
#define sva_splat1(x) (x)
typedef union sva_pun {
    sva_real real;
    sva_word word;
} sva_pun;

static inline sva_word sva_word_of(sva_real x)
{
    sva_pun p;
    p.real = x;
    return p.word;
}

static inline sva_real sva_real_of(sva_word x)
{
    sva_pun p;
    p.word = x;
    return p.real;
}

static inline void sva_sincos(sva_real angle, sva_real *s, sva_real *c)
{
    SVA_SINCOS_TEXT(sva_real, sva_word, sva_splat1, sva_word_of, sva_real_of)
}
#endif

/* Lanes the machine computes at once; wider vectors are cut into halves, which compilers do badly themselves. */
#if SVA_SINCOS_BY_LIBM
#define SVA_WIDEST 1
#elif defined(__AVX512F__)
#define SVA_WIDEST (SVA_REAL_IS_FLOAT ? 16 : 8)
#elif defined(__AVX2__)
#define SVA_WIDEST (SVA_REAL_IS_FLOAT ? 8 : 4)
#elif defined(__SSE2__) || defined(__aarch64__) || defined(__VSX__)
#define SVA_WIDEST (SVA_REAL_IS_FLOAT ? 4 : 2)
#elif defined(__ARM_NEON)
#define SVA_WIDEST (SVA_REAL_IS_FLOAT ? 4 : 1)
#else
#define SVA_WIDEST 1
#endif

/* Lanes: sva_vW, and sva_uW to load and store them anywhere in arrays of sva_real. Functions take vectors by pointer:
   by value they would warn, and link differently, depending on the instruction set. */
#if SVA_VECTORS
#define SVA_LIST_2(x)  (x), (x)
#define SVA_LIST_4(x)  SVA_LIST_2(x), SVA_LIST_2(x)
#define SVA_LIST_8(x)  SVA_LIST_4(x), SVA_LIST_4(x)
#define sva_splat2(x)  (__extension__(sva_v2){SVA_LIST_2(x)}) /* evaluates x for each lane */
#define sva_splat4(x)  (__extension__(sva_v4){SVA_LIST_4(x)})
#define sva_splat8(x)  (__extension__(sva_v8){SVA_LIST_8(x)})
#define SVA_WORDS_2(x) ((sva_words2)(x))
#define SVA_WORDS_4(x) ((sva_words4)(x))
#define SVA_WORDS_8(x) ((sva_words8)(x))
#define SVA_REALS_2(x) ((sva_v2)(x))
#define SVA_REALS_4(x) ((sva_v4)(x))
#define SVA_REALS_8(x) ((sva_v8)(x))

typedef sva_real sva_v1;
typedef sva_real sva_u1 __attribute__((may_alias));
static inline void sva_sincos_v1(const sva_v1 *x, sva_v1 *s, sva_v1 *c) { sva_sincos(*x, s, c); }

#define SVA_LANES(W, HALF)                                                                                             \
    typedef sva_real sva_v##W __attribute__((vector_size(W * sizeof(sva_real))));                                      \
    typedef sva_v##W sva_u##W __attribute__((aligned(sizeof(sva_real)), may_alias));                                   \
    typedef sva_word sva_words##W __attribute__((vector_size(W * sizeof(sva_word))));                                  \
    static inline void sva_sincos_half##W(const void *x, void *s, void *c, int i)                                      \
    {                                                                                                                  \
        const sva_v##HALF angle = ((const sva_u##HALF *)x)[i];                                                         \
        sva_v##HALF sine, cosine;                                                                                      \
        sva_sincos_v##HALF(&angle, &sine, &cosine);                                                                    \
        ((sva_u##HALF *)s)[i] = sine;                                                                                  \
        ((sva_u##HALF *)c)[i] = cosine;                                                                                \
    }                                                                                                                  \
    static inline void sva_sincos_v##W(const sva_v##W *x, sva_v##W *s, sva_v##W *c)                                    \
    {                                                                                                                  \
        if (W > SVA_WIDEST) {                                                                                          \
            sva_sincos_half##W(x, s, c, 0);                                                                            \
            sva_sincos_half##W(x, s, c, 1);                                                                            \
        } else {                                                                                                       \
            const sva_v##W angle = *x;                                                                                 \
            SVA_SINCOS_TEXT(sva_v##W, sva_words##W, sva_splat##W, SVA_WORDS_##W, SVA_REALS_##W)                        \
        }                                                                                                              \
    }                                                                                                                  \
    static inline void sva_sincos_at##W(const sva_real *x, sva_real *s, sva_real *c)                                   \
    {                                                                                                                  \
        const sva_v##W angle = *(const sva_u##W *)x;                                                                   \
        sva_v##W sine, cosine;                                                                                         \
        sva_sincos_v##W(&angle, &sine, &cosine);                                                                       \
        *(sva_u##W *)s = sine;                                                                                         \
        *(sva_u##W *)c = cosine;                                                                                       \
    }
SVA_LANES(2, 1)
SVA_LANES(4, 2)
SVA_LANES(8, 4)
/* W lanes in an array of sva_real, from item i on. */
#define SVA_AT(W, x, i)     (*(const sva_u##W *)((x) + (i)))
#define SVA_PUT(W, x, i, y) (*(sva_u##W *)((x) + (i)) = (y))
#define SVA_PART(W, x, i)   (((const sva_u##W *)&(x))[i]) /* the i-th W lanes of a wider vector */
#endif

/* clang aligns what it spills only in functions that have an aligned variable. */
#if defined(__clang__)
#define SVA_FRAME(V)                                                                                                   \
    V frame;                                                                                                           \
    __asm__ __volatile__("" : "=m"(frame))
#else
#define SVA_FRAME(V) ((void)0)
#endif

/* What was read from memory is read again: multiply-adds do that at no cost, while registers are few. */
#if defined(__GNUC__)
#define SVA_RELOAD __asm__ __volatile__("" ::: "memory")
#else
#define SVA_RELOAD ((void)0)
#endif

/* Solving M X = B for all columns of B at once, given M = L' D L (L unit lower triangular, n by n; Dinv = 1/D). Rows
   are worked on as a whole, so that columns are lanes. X: n rows of `cols` items, B on entry. `below` lists for each
   row i the j with L_ij not zero, `above` for each j the rows i; each is n + 1 starts, then the numbers they point to.
   E: a coefficient, T: an item of a row. */
#define SVA_ROWS(NAME, E, T)                                                                                           \
    static inline void sva_row_##NAME(const E *L, long step, T *x, const T *X, int cols, const unsigned short *list,   \
                                      int count)                                                                       \
    {                                                                                                                  \
        int b = 0;                                                                                                     \
        for (; b + 4 <= cols; b += 4) {                                                                                \
            T s0 = x[b], s1 = x[b + 1], s2 = x[b + 2], s3 = x[b + 3];                                                  \
            for (int k = 0; k < count; k++) {                                                                          \
                const T *y = X + (long)list[k] * cols + b;                                                             \
                const E l = L[list[k] * step];                                                                         \
                s0 -= l * y[0];                                                                                        \
                s1 -= l * y[1];                                                                                        \
                s2 -= l * y[2];                                                                                        \
                s3 -= l * y[3];                                                                                        \
            }                                                                                                          \
            x[b] = s0;                                                                                                 \
            x[b + 1] = s1;                                                                                             \
            x[b + 2] = s2;                                                                                             \
            x[b + 3] = s3;                                                                                             \
        }                                                                                                              \
        for (; b + 2 <= cols; b += 2) {                                                                                \
            T s0 = x[b], s1 = x[b + 1];                                                                                \
            for (int k = 0; k < count; k++) {                                                                          \
                const T *y = X + (long)list[k] * cols + b;                                                             \
                const E l = L[list[k] * step];                                                                         \
                s0 -= l * y[0];                                                                                        \
                s1 -= l * y[1];                                                                                        \
            }                                                                                                          \
            x[b] = s0;                                                                                                 \
            x[b + 1] = s1;                                                                                             \
        }                                                                                                              \
        for (; b < cols; b++) {                                                                                        \
            T s0 = x[b];                                                                                               \
            for (int k = 0; k < count; k++) s0 -= L[list[k] * step] * X[(long)list[k] * cols + b];                     \
            x[b] = s0;                                                                                                 \
        }                                                                                                              \
    }                                                                                                                  \
    static inline void sva_solve_##NAME(int n, int cols, const unsigned short *below, const unsigned short *above,     \
                                        const E *L, const E *Dinv, T *X)                                               \
    {                                                                                                                  \
        for (int j = n - 1; j >= 0; j--)                                                                               \
            sva_row_##NAME(L + j, n, X + (long)j * cols, X, cols, above + above[j], above[j + 1] - above[j]);          \
        for (int i = 0; i < n; i++) {                                                                                  \
            for (int b = 0; b < cols; b++) X[(long)i * cols + b] = Dinv[i] * X[(long)i * cols + b];                    \
            sva_row_##NAME(L + (long)i * n, 1, X + (long)i * cols, X, cols, below + below[i],                          \
                           below[i + 1] - below[i]);                                                                   \
        }                                                                                                              \
    }
/* Large trees: all pairs of columns, as loops. span has for each column j the first column of its joint, the next
   joint's, and the end of its subtree, which is a contiguous range. A has 24 numbers for each j: S, Psi1 (angular
   half), Psi2, Sdot + Psi1, all about the body's own origin in the axes of the ground, and that origin p. T has 24 rows
   of n: t4 (angular half), t1, t2, t3 likewise about the own origin, and p. A force is moved from i's origin to j's,
   n + (p_i - p_j) x f, so that nothing large cancels. With i in j's subtree:
   - M_ij = S_j . t1_i
   - dtau_i/dq_j = Psi1_j . t4_i + Psi2_j . t1_i and dtau_i/dv_j = S_j . t4_i + (Sdot + Psi1)_j . t1_i
   - for i beyond j's joint also dtau_j/dq_i = S_j . t3_i and dtau_j/dv_i = S_j . t2_i
   sva_factor makes L' D L of M, in place. row: 4 n numbers of scratch; entry (r, c) is at r * rows + c * cols. */
#define SVA_TILE          64 /* rows of an output that stay in the cache while all columns are written */
#define SVA_FROM(x, tile) ((x) > (tile) ? (int)(x) : (tile))
#define SVA_TO(x, tile)   ((x) < (tile) + SVA_TILE ? (int)(x) : (tile) + SVA_TILE)
#define SVA_MOVED(V, r, T, k, n, i)                                                                                    \
    const V r##f0 = *(const V *)(T + (k + 3) * n + i), r##f1 = *(const V *)(T + (k + 4) * n + i),                      \
            r##f2 = *(const V *)(T + (k + 5) * n + i);                                                                 \
    const V r##n0 = *(const V *)(T + k * n + i) + (y * r##f2 - z * r##f1),                                             \
            r##n1 = *(const V *)(T + (k + 1) * n + i) + (z * r##f0 - x * r##f2),                                       \
            r##n2 = *(const V *)(T + (k + 2) * n + i) + (x * r##f1 - y * r##f0);
#define SVA_DOT6(w, u, r)                                                                                              \
    (((w)[0] * r##n0 + (w)[1] * r##n1 + (w)[2] * r##n2) + ((u)[0] * r##f0 + (u)[1] * r##f1 + (u)[2] * r##f2))
#define SVA_APART(V)                                                                                                   \
    const V x = *(const V *)(T + 21 * n + i) - a[21], y = *(const V *)(T + 22 * n + i) - a[22],                        \
            z = *(const V *)(T + 23 * n + i) - a[23];
#define SVA_PAIR(V)                                                                                                    \
    {                                                                                                                  \
        SVA_APART(V)                                                                                                   \
        const V b0 = *(const V *)(T + i), b1 = *(const V *)(T + n + i), b2 = *(const V *)(T + 2 * n + i);              \
        SVA_MOVED(V, p, T, 3, n, i)                                                                                    \
        *(V *)(row + i) = sign * ((a[6] * b0 + a[7] * b1 + a[8] * b2) + SVA_DOT6(a + 9, a + 12, p));                   \
        *(V *)(row + n + i) = sign * ((a[0] * b0 + a[1] * b1 + a[2] * b2) + SVA_DOT6(a + 15, a + 18, p));              \
        SVA_MOVED(V, q, T, 9, n, i)                                                                                    \
        *(V *)(row + 2 * n + i) = sign * SVA_DOT6(a, a + 3, q);                                                        \
        SVA_MOVED(V, r, T, 15, n, i)                                                                                   \
        *(V *)(row + 3 * n + i) = sign * SVA_DOT6(a, a + 3, r);                                                        \
    }
#define SVA_PAIRS(NAME, E, OUT, ITEM, N)                                                                               \
    static inline void sva_store_##NAME(const E *row, int from, int to, OUT *out, long step)                           \
    {                                                                                                                  \
        for (int i = from; i < to; i++) {                                                                              \
            out[i * step] = row[i];                                                                                    \
            SVA_KEEP;                                                                                                  \
        }                                                                                                              \
    }                                                                                                                  \
    static inline void sva_mass_row_##NAME(const E *a, const E *T, long n, int from, int to, E *row)                   \
    {                                                                                                                  \
        int i = from;                                                                                                  \
        for (; i + N <= to; i += N) {                                                                                  \
            SVA_APART(ITEM)                                                                                            \
            SVA_MOVED(ITEM, p, T, 3, n, i)                                                                             \
            *(ITEM *)(row + i) = SVA_DOT6(a, a + 3, p);                                                                \
        }                                                                                                              \
        for (; i < to; i++) {                                                                                          \
            SVA_APART(E)                                                                                               \
            SVA_MOVED(E, p, T, 3, n, i)                                                                                \
            row[i] = SVA_DOT6(a, a + 3, p);                                                                            \
        }                                                                                                              \
    }                                                                                                                  \
    static inline void sva_pair_row_##NAME(const E *a, sva_real sign, const E *T, long n, int from, int to, E *row)    \
    {                                                                                                                  \
        int i = from;                                                                                                  \
        for (; i + N <= to; i += N) SVA_PAIR(ITEM)                                                                     \
        for (; i < to; i++) SVA_PAIR(E)                                                                                \
    }                                                                                                                  \
    static inline void sva_mass_##NAME(int n, const unsigned short *span, const E *A, const E *T,                      \
                                       const sva_real *armature, E *row, OUT *M, long rows, long cols)                 \
    {                                                                                                                  \
        for (int tile = 0; tile < n; tile += SVA_TILE)                                                                 \
            for (int j = 0; j < n; j++) {                                                                              \
                const int first = SVA_FROM(span[3 * j], tile), next = SVA_FROM(span[3 * j + 1], tile);                 \
                const int end = SVA_TO(span[3 * j + 2], tile);                                                         \
                sva_mass_row_##NAME(A + 24 * (long)j, T, n, first, end, row);                                          \
                if (first <= j && j < end) row[j] += armature[j];                                                      \
                sva_store_##NAME(row, first, end, M + j * cols, rows);                                                 \
                sva_store_##NAME(row, next, end, M + j * rows, cols);                                                  \
            }                                                                                                          \
    }                                                                                                                  \
    static inline void sva_pairs_##NAME(int n, const unsigned short *span, const E *A, const E *T, sva_real sign,      \
                                        E *row, OUT *dq, OUT *dv, long rows, long cols)                                \
    {                                                                                                                  \
        for (int tile = 0; tile < n; tile += SVA_TILE)                                                                 \
            for (int j = 0; j < n; j++) {                                                                              \
                const int first = SVA_FROM(span[3 * j], tile), next = SVA_FROM(span[3 * j + 1], tile);                 \
                const int end = SVA_TO(span[3 * j + 2], tile);                                                         \
                sva_pair_row_##NAME(A + 24 * (long)j, sign, T, n, first, end, row);                                    \
                sva_store_##NAME(row, first, end, dq + j * cols, rows);                                                \
                sva_store_##NAME(row + n, first, end, dv + j * cols, rows);                                            \
                sva_store_##NAME(row + 2 * (long)n, next, end, dv + j * rows, cols);                                   \
                sva_store_##NAME(row + 3 * (long)n, next, end, dq + j * rows, cols);                                   \
            }                                                                                                          \
    }                                                                                                                  \
    static inline void sva_unrelated_##NAME(int n, const unsigned short *span, OUT *X, long rows, long cols)           \
    {                                                                                                                  \
        const E zero = {0};                                                                                            \
        for (int j = 0; j < n; j++)                                                                                    \
            for (int i = 0; i < n; i++)                                                                                \
                if (!(i >= span[3 * j] && i < span[3 * j + 2]) && !(j >= span[3 * i] && j < span[3 * i + 2]))          \
                    X[i * rows + j * cols] = zero;                                                                     \
    }                                                                                                                  \
    static inline void sva_identity_##NAME(int n, int cols, E *X, int stride)                                          \
    {                                                                                                                  \
        const E zero = {0};                                                                                            \
        for (int i = 0; i < n; i++)                                                                                    \
            for (int j = 0; j < cols; j++) {                                                                           \
                X[(long)i * stride + j] = zero;                                                                        \
                if (i == j) X[(long)i * stride + j] += 1;                                                              \
                SVA_KEEP;                                                                                              \
            }                                                                                                          \
    }                                                                                                                  \
    static inline void sva_factor_##NAME(int n, const unsigned short *below, E *L, E *Dinv)                            \
    {                                                                                                                  \
        for (int k = n - 1; k >= 0; k--) {                                                                             \
            E *row = L + (long)k * n;                                                                                  \
            Dinv[k] = (sva_real)1 / row[k];                                                                            \
            for (int b = below[k + 1] - 1; b >= below[k]; b--) {                                                       \
                const E a = row[below[b]] * Dinv[k];                                                                   \
                E *target = L + (long)below[b] * n;                                                                    \
                for (int c = below[k]; c <= b; c++) target[below[c]] -= a * row[below[c]];                             \
                row[below[b]] = a;                                                                                     \
            }                                                                                                          \
        }                                                                                                              \
    }
#if SVA_VECTORS
#define SVA_ALIGN64 __attribute__((aligned(64)))
#define SVA_KEEP    __asm__ __volatile__("") /* so that a loop stays one and does not become a call of memcpy */
#define SVA_ITEM    8
typedef sva_u8 sva_item; /* one state: eight columns an item */
SVA_ROWS(v1, sva_real, sva_item)
SVA_PAIRS(v1, sva_real, sva_real, sva_item, SVA_ITEM)
SVA_PAIRS(v2, sva_v2, sva_u2, sva_v2, 1)
SVA_PAIRS(v4, sva_v4, sva_u4, sva_v4, 1)
SVA_PAIRS(v8, sva_v8, sva_u8, sva_v8, 1)
SVA_ROWS(v2, sva_v2, sva_v2)
SVA_ROWS(v4, sva_v4, sva_v4)
SVA_ROWS(v8, sva_v8, sva_v8)
#else
#define SVA_ALIGN64
#define SVA_KEEP ((void)0)
#define SVA_ITEM 1
typedef sva_real sva_item;
SVA_ROWS(v1, sva_real, sva_item)
SVA_PAIRS(v1, sva_real, sva_real, sva_item, SVA_ITEM)
#endif

/* A row of n numbers. */
static inline void sva_copy(int n, const sva_real *from, sva_real *to)
{
    int i = 0;
    for (; i + SVA_ITEM <= n; i += SVA_ITEM) {
        *(sva_item *)(to + i) = *(const sva_item *)(from + i);
        SVA_KEEP;
    }
    for (; i < n; i++) {
        to[i] = from[i];
        SVA_KEEP;
    }
}

/* Between n numbers for each of W states, state after state, and lanes: [n*l + i] and [W*i + l]. Neighbours are loaded
   as halves of registers, so that only even and odd items remain to be sorted. Where n is no multiple of a block the
   last one begins earlier. */
#if SVA_VECTORS
#if defined(__clang__) || __GNUC__ >= 12
#define SVA_JOIN2(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3)
#define SVA_JOIN4(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define SVA_EVEN4(a, b) __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define SVA_ODD4(a, b)  __builtin_shufflevector(a, b, 1, 5, 3, 7)
#define SVA_EVEN8(a, b) __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define SVA_ODD8(a, b)  __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#else
#define SVA_JOIN2(a, b) (__extension__(sva_v4){a[0], a[1], b[0], b[1]})
#define SVA_JOIN4(a, b) (__extension__(sva_v8){a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]})
#define SVA_EVEN4(a, b) (__extension__(sva_v4){a[0], b[0], a[2], b[2]})
#define SVA_ODD4(a, b)  (__extension__(sva_v4){a[1], b[1], a[3], b[3]})
#define SVA_EVEN8(a, b) (__extension__(sva_v8){a[0], b[0], a[2], b[2], a[4], b[4], a[6], b[6]})
#define SVA_ODD8(a, b)  (__extension__(sva_v8){a[1], b[1], a[3], b[3], a[5], b[5], a[7], b[7]})
#endif
#define SVA_STATES(x, k, l) SVA_JOIN2(SVA_AT(2, x, (k)*n), SVA_AT(2, x, (l)*n))

/* Two numbers of W states. */
static inline void sva_two_to_lanes(int W, long n, const sva_real *x, sva_real *y)
{
    if (W == 8) {
        const sva_v4 a = SVA_STATES(x, 0, 2), b = SVA_STATES(x, 1, 3), c = SVA_STATES(x, 4, 6), d = SVA_STATES(x, 5, 7);
        const sva_v8 p = SVA_JOIN4(a, c), q = SVA_JOIN4(b, d);
        SVA_PUT(8, y, 0, SVA_EVEN8(p, q));
        SVA_PUT(8, y, 8, SVA_ODD8(p, q));
    } else if (W == 4) {
        const sva_v4 p = SVA_STATES(x, 0, 2), q = SVA_STATES(x, 1, 3);
        SVA_PUT(4, y, 0, SVA_EVEN4(p, q));
        SVA_PUT(4, y, 4, SVA_ODD4(p, q));
    } else {
        for (int l = 0; l < 2; l++) y[l] = x[l * n], y[2 + l] = x[l * n + 1];
    }
}

static inline void sva_to_lanes(int W, int n, const sva_real *x, sva_real *y)
{
    for (int next = 0; n >= 2 && next < n; next += 2) {
        const int i = next > n - 2 ? n - 2 : next;
        sva_two_to_lanes(W, n, x + i, y + (long)W * i);
    }
    for (int l = 0; n == 1 && l < W; l++) y[l] = x[l];
}

/* Four numbers of W states, of which the lanes are at a, b, c and d. */
static inline void sva_four_from_lanes(int W, const sva_real *a, const sva_real *b, const sva_real *c,
                                       const sva_real *d, long n, sva_real *y)
{
    for (int l = 0; l < W; l += 2) {
        const sva_v4 p = SVA_JOIN2(SVA_AT(2, a, l), SVA_AT(2, c, l)), q = SVA_JOIN2(SVA_AT(2, b, l), SVA_AT(2, d, l));
        SVA_PUT(4, y, l * n, SVA_EVEN4(p, q));
        SVA_PUT(4, y, l * n + n, SVA_ODD4(p, q));
    }
}

static inline void sva_from_lanes(int W, int n, const sva_real *x, sva_real *y)
{
    for (int next = 0; n >= 4 && next < n; next += 4) {
        const int i = next > n - 4 ? n - 4 : next;
        const sva_real *a = x + (long)W * i;
        sva_four_from_lanes(W, a, a + W, a + 2 * W, a + 3 * W, n, y + i);
    }
    for (int i = 0; n < 4 && i < n * W; i++) y[i] = x[i % n * W + i / n];
}

/* The same with number i at row[i] of the lanes. */
static inline void sva_rows_from_lanes(int W, int n, const unsigned short *row, const sva_real *x, sva_real *y)
{
    for (int next = 0; n >= 4 && next < n; next += 4) {
        const int i = next > n - 4 ? n - 4 : next;
        sva_four_from_lanes(W, x + (long)W * row[i], x + (long)W * row[i + 1], x + (long)W * row[i + 2],
                            x + (long)W * row[i + 3], n, y + i);
    }
    for (int i = 0; n < 4 && i < n * W; i++) y[i] = x[row[i % n] * W + i / n];
}
#endif

/* n angles of one state. The arrays have room for n rounded up to a multiple of 4; the padding may be read and
   written. s or c may be x. */
static inline void sva_sincos_n(int n, const sva_real *x, sva_real *s, sva_real *c)
{
    int i = 0;
#if SVA_VECTORS
    if (SVA_WIDEST >= 8)
        for (; n - i > 4; i += 8) sva_sincos_at8(x + i, s + i, c + i);
    if (SVA_WIDEST >= 2)
        for (; i < n; i += 4) sva_sincos_at4(x + i, s + i, c + i);
#endif
    for (; i < n; i++) sva_sincos(x[i], s + i, c + i);
}

#endif
