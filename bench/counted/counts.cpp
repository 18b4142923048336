#include "counted.h"
#include <stdlib.h>

operation_counts counted_so_far;

const char *const counted_names[COUNTED_ALGORITHMS] = {"rnea",      "aba",       "crba",    "idsva",
                                                       "fdsva_aza", "fdsva_dmm", "idsva_so"};

namespace
{
struct memory {
    const sva_model *m;
    svan_workspace *w;
    real *q, *v, *a, *vector, *matrix[3], *tensor;
};

void rnea(memory &x) { svan_rnea(x.m, x.w, x.q, x.v, x.a, NULL, x.vector); }
void aba(memory &x) { svan_aba(x.m, x.w, x.q, x.v, x.a, NULL, x.vector); }
void crba(memory &x) { svan_crba(x.m, x.w, x.q, x.matrix[0]); }
void idsva(memory &x) { svan_idsva(x.m, x.w, x.q, x.v, x.a, NULL, x.matrix[0], x.matrix[1]); }

void fdsva(memory &x, sva_product product)
{
    svan_fdsva(x.m, x.w, x.q, x.v, x.a, NULL, product, x.vector, x.matrix[0], x.matrix[1], x.matrix[2]);
}
void fdsva_aza(memory &x) { fdsva(x, SVA_PRODUCT_AZA); }
void fdsva_dmm(memory &x) { fdsva(x, SVA_PRODUCT_DMM); }

/* One tensor after the other, so that one is all the memory needed; the first pass is counted four times. */
void idsva_so(memory &x)
{
    for (int k = 0; k < 4; k++) {
        real *out[4] = {NULL, NULL, NULL, NULL};
        out[k] = x.tensor;
        svan_idsva_so(x.m, x.w, x.q, x.v, x.a, out[0], out[1], out[2], out[3]);
    }
}

void (*const runs[COUNTED_ALGORITHMS])(memory &x) = {rnea, aba, crba, idsva, fdsva_aza, fdsva_dmm, idsva_so};

void fill(int n, real *x)
{
    for (int i = 0; i < n; i++) x[i] = real(0.1 * (1 + i % 7));
}
} // namespace

operation_counts count_operations(const sva_model *m, counted_algorithm algorithm)
{
    size_t n = (size_t)m->nv, tensor = algorithm == COUNT_IDSVA_SO ? n * n * n : 0;
    real *numbers = (real *)malloc(sizeof(real) * ((size_t)m->nq + 3 * n + 3 * n * n + tensor));
    memory x = {m, svan_workspace_new(m), numbers, numbers + m->nq, NULL, NULL, {NULL, NULL, NULL}, NULL};
    operation_counts none = {0, 0, 0, 0};
    counted_so_far = none;
    if (numbers && x.w) {
        x.a = x.v + n;
        x.vector = x.a + n;
        for (int k = 0; k < 3; k++) x.matrix[k] = x.vector + n + (size_t)k * n * n;
        x.tensor = x.matrix[2] + n * n;
        svan_neutral(m, x.q);
        fill(m->nv, x.v);
        fill(m->nv, x.a);
        counted_so_far = none;
        runs[algorithm](x);
    }
    svan_workspace_free(x.w);
    free(numbers);
    return counted_so_far;
}
