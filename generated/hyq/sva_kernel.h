/* The header that travels with generated code: what a robot says of itself to programs that do not know it, lanes, and
   a sine and cosine without branches. Needs nothing of libc; C99 or C++.

   Two number types in one file. The header may be included any number of times, each time for one number type: float if
   SVA_REAL_IS_FLOAT is defined as 1, else double; the copies beside robots of float define it where nobody did. What
   depends on the type is there once for each type that was asked for, with the type behind its name: sva_real_double,
   sva_robot_float. The short names, sva_real, sva_kernel, sva_robot and those of the functions, are macros for the type
   that was asked for last. So a program whose robots have one type, as nearly every program's have, uses the short
   names and need not know of the others; one with both writes sva_robot_double and sva_robot_float where it means one
   of them. The header of a robot asks for the robot's type whenever it is included, for the second time too, and so do
   the sources of its folder, through that header: all of them may be included into one file, in any order.

   Structures grow at their end only. Who reads a description that was compiled elsewhere looks at sva_robot.abi: what
   was there in one version is at the same place in all later ones. */
#ifndef SVA_KERNEL_H
#define SVA_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#define SVA_ABI 1 /* counts additions to the structures */

#if defined(__GNUC__)
#define SVA_INFINITE __builtin_huge_val()
#else
#include <math.h>
#define SVA_INFINITE HUGE_VAL
#endif

typedef struct sva_arg {
    const char *name;
    int rows, cols;             /* its first index, and all others together */
    const char *unit, *meaning; /* one line each */
    int shape[3];               /* extents of its indices; 1: there is no such index */
    long nonzeros;              /* of an output: entries that are not zero in every state; of an input: all */
} sva_arg;

typedef struct sva_joint {
    const char *name, *type;
    int parent, iq, nq, iv, nv;            /* parent -1: the base; iq, iv: where it starts in q and v */
    double lower, upper, velocity, effort; /* limits as the robot's file has them, SVA_INFINITE where it has none */
} sva_joint;

/* Short names are those of the type that was asked for last. */
#define SVA_JOIN_(a, b)     a##b
#define SVA_JOIN(a, b)      SVA_JOIN_(a, b)
#define SVA_TYPED(name)     SVA_JOIN(name, SVA_SUFFIX)
#define sva_real            SVA_TYPED(sva_real)
#define sva_kernel          SVA_TYPED(sva_kernel)
#define sva_robot           SVA_TYPED(sva_robot)
#define sva_word            SVA_TYPED(sva_word)
#define sva_pun             SVA_TYPED(sva_pun)
#define sva_word_of         SVA_TYPED(sva_word_of)
#define sva_real_of         SVA_TYPED(sva_real_of)
#define sva_sincos          SVA_TYPED(sva_sincos)
#define sva_sincos_n        SVA_TYPED(sva_sincos_n)
#define sva_item            SVA_TYPED(sva_item)
#define sva_item_at         SVA_TYPED(sva_item_at)
#define sva_copy            SVA_TYPED(sva_copy)
#define sva_two_to_lanes    SVA_TYPED(sva_two_to_lanes)
#define sva_to_lanes        SVA_TYPED(sva_to_lanes)
#define sva_four_from_lanes SVA_TYPED(sva_four_from_lanes)
#define sva_from_lanes      SVA_TYPED(sva_from_lanes)
#define sva_rows_from_lanes SVA_TYPED(sva_rows_from_lanes)
#define sva_from_items      SVA_TYPED(sva_from_items)
#define sva_eight_columns   SVA_TYPED(sva_eight_columns)
#define sva_v1              SVA_TYPED(sva_v1)
#define sva_u1              SVA_TYPED(sva_u1)
#define sva_sincos_v1       SVA_TYPED(sva_sincos_v1)
#define sva_v2              SVA_TYPED(sva_v2)
#define sva_u2              SVA_TYPED(sva_u2)
#define sva_words2          SVA_TYPED(sva_words2)
#define sva_sincos_half2    SVA_TYPED(sva_sincos_half2)
#define sva_sincos_v2       SVA_TYPED(sva_sincos_v2)
#define sva_sincos_at2      SVA_TYPED(sva_sincos_at2)
#define sva_v4              SVA_TYPED(sva_v4)
#define sva_u4              SVA_TYPED(sva_u4)
#define sva_words4          SVA_TYPED(sva_words4)
#define sva_sincos_half4    SVA_TYPED(sva_sincos_half4)
#define sva_sincos_v4       SVA_TYPED(sva_sincos_v4)
#define sva_sincos_at4      SVA_TYPED(sva_sincos_at4)
#define sva_v8              SVA_TYPED(sva_v8)
#define sva_u8              SVA_TYPED(sva_u8)
#define sva_words8          SVA_TYPED(sva_words8)
#define sva_sincos_half8    SVA_TYPED(sva_sincos_half8)
#define sva_sincos_v8       SVA_TYPED(sva_sincos_v8)
#define sva_sincos_at8      SVA_TYPED(sva_sincos_at8)

#if defined(__GNUC__) || defined(_MSC_VER)
#define SVA_RESTRICT __restrict
#elif !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#define SVA_RESTRICT restrict
#else
#define SVA_RESTRICT
#endif

/* Functions with wide vectors: clang stores those that find no register where the caller's stack happens to be, across
   lines of the cache, unless it is told to align the stack. */
#if defined(__clang__) && (defined(__x86_64__) || defined(__i386__))
#define SVA_STACK __attribute__((force_align_arg_pointer))
#else
#define SVA_STACK
#endif

#if defined(__clang__)
#define SVA_VECTORS (__clang_major__ >= 9)
#elif defined(__GNUC__) && !defined(__INTEL_COMPILER)
#define SVA_VECTORS (__GNUC__ >= 9)
#else
#define SVA_VECTORS 0
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
#define sva_splat1(x) (x)

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
/* W lanes in an array of sva_real, from item i on. */
#define SVA_AT(W, x, i)     (*(const sva_u##W *)((x) + (i)))
#define SVA_PUT(W, x, i, y) (*(sva_u##W *)((x) + (i)) = (y))
#define SVA_PART(W, x, i)   (((const sva_u##W *)&(x))[i]) /* the i-th W lanes of a wider vector */
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
#endif

/* What was read from memory is read again: multiply-adds do that at no cost, while registers are few. */
#if defined(__GNUC__)
#define SVA_RELOAD __asm__ __volatile__("" ::: "memory")
#else
#define SVA_RELOAD ((void)0)
#endif

/* Items of the loops of large trees: as many numbers of one state as the machine computes at once. */
#if !SVA_VECTORS
#define SVA_ITEM 1
#elif defined(__AVX512F__)
#define SVA_ITEM 8
#elif defined(__AVX2__)
#define SVA_ITEM 4
#else
#define SVA_ITEM 2
#endif
#if SVA_VECTORS
#define SVA_ALIGN64 __attribute__((aligned(64)))
#define SVA_KEEP    __asm__ __volatile__("") /* so that a loop stays one and does not become a call of memcpy */
#define SVA_ITEMS(W)                                                                                                   \
    typedef sva_v##W sva_item __attribute__((may_alias));                                                              \
    typedef sva_u##W sva_item_at; /* anywhere in an array */
#else
#define SVA_ALIGN64
#define SVA_KEEP ((void)0)
#endif
#endif

/* ---- the number type that is asked for */

#ifndef SVA_REAL_IS_FLOAT
#define SVA_REAL_IS_FLOAT 0
#endif
#undef SVA_SUFFIX
#if SVA_REAL_IS_FLOAT
#define SVA_SUFFIX _float
#else
#define SVA_SUFFIX _double
#endif

#if SVA_REAL_IS_FLOAT ? !defined(SVA_KERNEL_FLOAT) : !defined(SVA_KERNEL_DOUBLE)
#if SVA_REAL_IS_FLOAT
#define SVA_KERNEL_FLOAT
typedef float sva_real;
#else
#define SVA_KERNEL_DOUBLE
typedef double sva_real;
#endif
#ifdef SVA_REAL /* who defines this too, as once was needed, must mean the same */
typedef char sva_real_is_as_declared[sizeof(sva_real) == sizeof(SVA_REAL) ? 1 : -1];
#endif

/* With W lanes every scalar of an argument is W consecutive ones: element i of lane l at [W*i + l]. */
typedef struct sva_kernel {
    const char *name;
    int lanes, n_in, n_out;
    const sva_arg *in, *out;
    void (*call)(const sva_real *const in[], sva_real *const out[]); /* out[i] NULL: not wanted */
    long adds, muls, divs, funcs;                                    /* operations of one call */
    const char *meaning;                                             /* one line */
    const char *choice;                                              /* which of the possible forms this is, and why */
    /* The arguments of `count` states, state after state; out[i] NULL: not wanted. NULL: generated without lanes, or a
       row for lanes. */
    void (*batch)(size_t count, const sva_real *const in[], sva_real *const out[]);
    const char *equation; /* what is computed, one line */
    long stack;           /* bytes, an upper bound for optimised code; of `batch` too */
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
    int abi;               /* SVA_ABI when it was generated */
    const char *model;     /* a hash of all that was known of the robot: two models, two hashes */
} sva_robot;

/* Sine and cosine together. The angle is r - d + k pi/2 with k the nearest whole number, found by adding 1.5 2^52
   (float: 1.5 2^23): that rounds, and leaves the quadrant in the lowest bits. pi/2 is a sum of four numbers; three are
   so short that their products with k, and x - k PI_1 - k PI_2, have no rounding error. With z = r^2, |r| <= pi/4:
       sin(r - d) = r - (d - z r S(z))
       cos(r - d) = w + (((1 - w) - z/2) + r d + z^2 C(z)),    w = 1 - z/2 rounded
   S and C are minimax polynomials. Error below 1 ulp for |x| <= SVA_SINCOS_RANGE; beyond, up to 1e15 (float: 1e6), that
   of rounding x; further out meaningless. NaN and infinities give NaN. No branches, no tables. */
#undef SVA_SINCOS_RANGE
#undef SVA_WORD_BITS
#undef SVA_ROUNDER
#undef SVA_TWO_BY_PI
#undef SVA_PI_1
#undef SVA_PI_2
#undef SVA_PI_3
#undef SVA_PI_4
#undef SVA_HALF
#undef SVA_ONE
#undef SVA_S
#undef SVA_C
#if SVA_REAL_IS_FLOAT
#define SVA_SINCOS_RANGE 6000
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
#define SVA_SINCOS_RANGE 1e7
typedef uint64_t sva_word;
#define SVA_WORD_BITS    64
#define SVA_ROUNDER      6755399441055744.0
#define SVA_TWO_BY_PI    0.63661977236758138
#define SVA_PI_1         1.570796325802803
#define SVA_PI_2         9.9209351844820048e-10
#define SVA_PI_3         6.1232339320535943e-17
#define SVA_PI_4         6.3683171635109499e-25
#define SVA_HALF         0.5
#define SVA_ONE          1.0
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

/* Lanes: sva_vW, and sva_uW to load and store them anywhere in arrays of sva_real. Functions take vectors by pointer:
   by value they would warn, and link differently, depending on the instruction set. */
#if SVA_VECTORS
typedef sva_real sva_v1;
typedef sva_real sva_u1 __attribute__((may_alias));
static inline void sva_sincos_v1(const sva_v1 *x, sva_v1 *s, sva_v1 *c) { sva_sincos(*x, s, c); }

SVA_LANES(2, 1)
SVA_LANES(4, 2)
SVA_LANES(8, 4)
#endif

#if !SVA_VECTORS
typedef sva_real sva_item;
typedef sva_real sva_item_at;
#elif SVA_ITEM == 8
SVA_ITEMS(8)
#elif SVA_ITEM == 4
SVA_ITEMS(4)
#else
SVA_ITEMS(2)
#endif

/* A row of n numbers. */
static inline void sva_copy(int n, const sva_real *from, sva_real *to)
{
    int i = 0;
    for (; i + SVA_ITEM <= n; i += SVA_ITEM) {
        *(sva_item_at *)(to + i) = *(const sva_item_at *)(from + i);
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

/* n items, as SVA_ITEM rows of n numbers. */
static inline void sva_from_items(int n, const sva_real *x, sva_real *y)
{
#if SVA_VECTORS && SVA_ITEM > 2
    sva_from_lanes(SVA_ITEM, n, x, y);
#else
    for (int l = 0; l < SVA_ITEM; l++)
        for (int i = 0; i < n; i++) y[l * n + i] = x[i * SVA_ITEM + l];
#endif
}

/* Eight rows, `apart` from each other, as columns of rows that are `step` apart. */
static inline void sva_eight_columns(int cols, const sva_real *from, long apart, sva_real *to, long step)
{
    int j = 0;
#if SVA_VECTORS
    for (const long n = apart; j + 2 <= cols; j += 2) {
        const sva_real *x = from + j;
        const sva_v4 a = SVA_STATES(x, 0, 2), b = SVA_STATES(x, 1, 3), c = SVA_STATES(x, 4, 6), d = SVA_STATES(x, 5, 7);
        SVA_PUT(4, to, step * j, SVA_EVEN4(a, b));
        SVA_PUT(4, to, step * j + 4, SVA_EVEN4(c, d));
        SVA_PUT(4, to, step * j + step, SVA_ODD4(a, b));
        SVA_PUT(4, to, step * j + step + 4, SVA_ODD4(c, d));
    }
#endif
    for (; j < cols; j++)
        for (int l = 0; l < 8; l++) to[step * j + l] = from[apart * l + j];
}

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
#undef SVA_REAL
