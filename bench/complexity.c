/* Prints, as CSV, operation counts and times of the generic library on the papers' trees: N = 10..500 links with 1, 2
   or 5 children each. Times are the least of several calls; those of idsva_so include writing nv^3 zeros per tensor. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "counts.h"
#include "fixture.h"

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

static double *numbers(size_t n)
{
    double *x = calloc(n + 1, sizeof *x);
    if (!x) exit(EXIT_FAILURE);
    return x;
}

static void measure(int n, int branching)
{
    fixture f = fixture_chain(n, branching);
    size_t nv = (size_t)f.sva->nv;
    uint64_t seed = 1;
    memory y = {.m = f.sva, .w = sva_workspace_new(f.sva), .q = numbers((size_t)f.sva->nq), .v = numbers(nv)};
    y.a = numbers(nv);
    y.x = numbers(nv);
    for (int k = 0; k < 3; k++) y.X[k] = numbers(nv * nv);
    y.T = numbers(nv * nv * nv);
    sva_random_configuration(y.m, &seed, y.q);
    sva_random_vector((int)nv, &seed, y.v);
    sva_random_vector((int)nv, &seed, y.a);
    for (int k = 0; k < COUNTED_ALGORITHMS; k++) {
        operation_counts c = count_operations(y.m, (counted_algorithm)k);
        printf("%s,%d,%d,%d,%ld,%ld,%ld,%ld,%.0f\n", counted_names[k], branching, n, y.m->depth, c.adds, c.muls, c.divs,
               c.funcs, least_ns(&y, runs[k]));
        fflush(stdout);
    }
    for (int k = 0; k < 3; k++) free(y.X[k]);
    free(y.T);
    free(y.x);
    free(y.a);
    free(y.v);
    free(y.q);
    sva_workspace_free(y.w);
    fixture_free(&f);
}

int main(void)
{
    static const int lengths[] = {10, 20, 50, 100, 200, 500}, branchings[] = {1, 2, 5};
    puts("algorithm,branching,N,depth,adds,muls,divs,funcs,ns");
    for (size_t b = 0; b < sizeof branchings / sizeof *branchings; b++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) measure(lengths[k], branchings[b]);
    return EXIT_SUCCESS;
}
