/* Every algorithm of the generic library in one number type: REAL, library functions FN(x). Included by accuracy.c. */

static const REAL *FN(input)(int n, const float x[])
{
    REAL *y = (REAL *)malloc(sizeof(REAL) * (size_t)(n + 1));
    for (int i = 0; i < n; i++) y[i] = (REAL)x[i];
    return y;
}

static void FN(keep)(result *r, int n, const REAL x[])
{
    r->x = (quad *)realloc(r->x, sizeof(quad) * (size_t)(r->n + n));
    for (int i = 0; i < n; i++) r->x[r->n + i] = (quad)x[i];
    r->block[r->blocks++] = n;
    r->n += n;
}

static void FN(run)(const sva_model *m, const state *s, result out[ALGORITHMS])
{
    int n = m->nv, n2 = n * n, n3 = n * n * n;
    const REAL *q = FN(input)(m->nq, s->q), *v = FN(input)(n, s->v), *a = FN(input)(n, s->a);
    REAL *X[4];
    for (int k = 0; k < 4; k++) X[k] = (REAL *)malloc(sizeof(REAL) * (size_t)n3);
    FN(workspace) *w = FN(workspace_new)(m);
#define KEEP(algorithm, count, size)                                                                                   \
    for (int k = 0; k < (count); k++) FN(keep)(&out[algorithm], (size), X[k])
    FN(rnea)(m, w, q, v, a, NULL, X[0]);
    KEEP(RNEA, 1, n);
    FN(aba)(m, w, q, v, a, NULL, X[0]);
    KEEP(ABA, 1, n);
    FN(crba)(m, w, q, X[0]);
    KEEP(CRBA, 1, n2);
    FN(minv)(m, w, q, X[0]);
    KEEP(MINV, 1, n2);
    FN(idsva)(m, w, q, v, a, NULL, X[0], X[1]);
    KEEP(IDSVA, 2, n2);
    FN(idsva_body)(m, w, q, v, a, NULL, X[0], X[1]);
    KEEP(IDSVA_BODY, 2, n2);
    FN(rneacr)(m, w, q, v, a, NULL, X[0], X[1]);
    KEEP(RNEACR, 2, n2);
    FN(fdsva)(m, w, q, v, a, NULL, SVA_PRODUCT_DMM, NULL, X[0], X[1], NULL);
    KEEP(FDSVA_DMM, 2, n2);
    FN(fdsva)(m, w, q, v, a, NULL, SVA_PRODUCT_AZA, NULL, X[0], X[1], NULL);
    KEEP(FDSVA_AZA, 2, n2);
    FN(fdcr)(m, w, q, v, a, NULL, NULL, X[0], X[1], NULL);
    KEEP(FDCR, 2, n2);
    FN(abacr)(m, w, q, v, a, NULL, NULL, X[0], X[1]);
    KEEP(ABACR, 2, n2);
    FN(idsva_so)(m, w, q, v, a, X[0], X[1], X[2], X[3]);
    KEEP(IDSVA_SO, 4, n3);
#undef KEEP
    FN(workspace_free)(w);
    for (int k = 0; k < 4; k++) free(X[k]);
    free((void *)q);
    free((void *)v);
    free((void *)a);
}
