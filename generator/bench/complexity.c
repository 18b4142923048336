#include "bench.h"

#include <stdlib.h>
#include <time.h>
#include "base/arena.h"
#include "counts.h"

typedef struct memory {
    const sva_model *m;
    sva_workspace *w;
    double *q, *v, *a, *x, *X[3], *T;
} memory;

static void rnea(memory *y) { sva_rnea(y->m, y->w, y->q, y->v, y->a, NULL, y->x); }
static void aba(memory *y) { sva_aba(y->m, y->w, y->q, y->v, y->a, NULL, y->x); }
static void crba(memory *y) { sva_crba(y->m, y->w, y->q, y->X[0]); }
static void idsva(memory *y) { sva_idsva(y->m, y->w, y->q, y->v, y->a, NULL, y->X[0], y->X[1]); }
static void fdsva(memory *y, sva_product product)
{
    sva_fdsva(y->m, y->w, y->q, y->v, y->a, NULL, product, y->x, y->X[0], y->X[1], y->X[2]);
}
static void fdsva_aza(memory *y) { fdsva(y, SVA_PRODUCT_AZA); }
static void fdsva_dmm(memory *y) { fdsva(y, SVA_PRODUCT_DMM); }
static void idsva_so(memory *y)
{
    for (int k = 0; k < 4; k++)
        sva_idsva_so(y->m, y->w, y->q, y->v, y->a, k == 0 ? y->T : NULL, k == 1 ? y->T : NULL, k == 2 ? y->T : NULL,
                     k == 3 ? y->T : NULL);
}

static void (*const runs[COUNTED_ALGORITHMS])(memory *y) = {rnea, aba, crba, idsva, fdsva_aza, fdsva_dmm, idsva_so};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* At least three calls and a hundredth of a second. */
static double least_ns(memory *y, void (*run)(memory *y))
{
    double least = 1e300, begin = now();
    for (int k = 0; k < 3 || now() - begin < 1e7; k++) {
        double start = now();
        run(y);
        double ns = now() - start;
        if (ns < least) least = ns;
    }
    return least;
}

void bench_complexity_heading(bench_table *t)
{
    bench_name(t, 16, "robot");
    bench_cell(t, 4, "nv");
    bench_cell(t, 5, "depth");
    bench_cell(t, 9, "algorithm");
    static const char *const columns[] = {"adds", "muls", "divs", "funcs", "ns"};
    for (int k = 0; k < 5; k++) bench_cell(t, 11, "%s", columns[k]);
    bench_end_row(t);
}

static void print_row(bench_table *t, const char *name, memory *y, int k)
{
    operation_counts c = count_operations(y->m, (counted_algorithm)k);
    const long counts[] = {c.adds, c.muls, c.divs, c.funcs};
    bench_name(t, 16, name);
    bench_cell(t, 4, "%d", y->m->nv);
    bench_cell(t, 5, "%d", y->m->depth);
    bench_cell(t, 9, "%s", counted_names[k]);
    for (int i = 0; i < 4; i++) bench_cell(t, 11, "%ld", counts[i]);
    bench_cell(t, 11, "%.0f", least_ns(y, runs[k]));
    bench_end_row(t);
}

bool bench_complexity(bench_table *t, const char *name, const sva_model *m)
{
    size_t nv = (size_t)m->nv;
    uint64_t seed = 1;
    arena *vectors = arena_new();
    memory y = {.m = m, .w = sva_workspace_new(m), .T = malloc(sizeof(double) * nv * nv * nv)};
    double **const places[] = {&y.q, &y.v, &y.a, &y.x};
    for (int k = 0; k < 4; k++) *places[k] = ARENA_ARRAY(vectors, double, m->nq + m->nv);
    for (int k = 0; k < 3; k++) y.X[k] = ARENA_ARRAY(vectors, double, nv *nv);
    sva_random_configuration(m, &seed, y.q);
    sva_random_vector(m->nv, &seed, y.v);
    sva_random_vector(m->nv, &seed, y.a);
    bool ok = y.w && y.T;
    for (int k = 0; k < COUNTED_ALGORITHMS && ok; k++) print_row(t, name, &y, k);
    free(y.T);
    sva_workspace_free(y.w);
    arena_free(vectors);
    return ok;
}
