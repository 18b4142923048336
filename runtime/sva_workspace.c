/* The workspace: one block of memory cut into arrays. */
#include "sva_tree.h"

#include <stdlib.h>

/* The block, and how much of it is cut off; without a block the cuts only add up. */
typedef struct cutting {
    char *base;
    size_t at;
    int overflow;
} cutting;

/* a b, or an overflow. */
static size_t product(cutting *c, size_t a, size_t b)
{
    if (b && a > SIZE_MAX / b) c->overflow = 1;
    return a * b;
}

static char *take(cutting *c, size_t bytes)
{
    char *start = c->base ? c->base + c->at : NULL;
    if (bytes > SIZE_MAX - c->at) c->overflow = 1;
    c->at += bytes;
    return start;
}

/* Cuts `count` elements off the block, `lead` of them before index 0. */
#define TAKE(type, field, lead, count)                                                                                 \
    do {                                                                                                               \
        char *start_ = take(c, product(c, sizeof(type), (size_t)(lead) + (size_t)(count)));                            \
        if (start_) w->field = (type *)(void *)start_ + (lead);                                                        \
    } while (0)

static void cut_bodies(const sva_model *m, SVA(workspace) * w, cutting *c)
{
    size_t n = (size_t)m->n_bodies;
    TAKE(real9, XR, 1, n);
    TAKE(real9, R, 1, n);
    TAKE(real3, Xp, 1, n);
    TAKE(real3, p, 1, n);
    TAKE(real6, v, 1, n);
    TAKE(real6, a, 1, n);
    TAKE(real6, f, 1, n);
    TAKE(real6, c, 1, n);
    TAKE(real6, pA, 1, n);
    TAKE(real6, vJ, 1, n);
    TAKE(real6, h, 1, n);
    TAKE(real6, dv, 1, n);
    TAKE(real6, da, 1, n);
    TAKE(real6, df, 1, n);
    TAKE(real6, s, 1, n);
    TAKE(real6, fext, 1, n);
    TAKE(inertia, I, 1, n);
    TAKE(half_map, B, 1, n);
    TAKE(half_map, K, 1, n);
    TAKE(articulated, IA, 1, n);
    TAKE(real, b, 6 * SVA_BLOCK, 6 * SVA_BLOCK * n);
}

static void cut_freedoms(const sva_model *m, SVA(workspace) * w, cutting *c)
{
    size_t n = (size_t)m->nv_tree;
    TAKE(real6, S, 0, n);
    TAKE(real6, Sdot, 0, n);
    TAKE(real6, Psi1, 0, n);
    TAKE(real6, Psi2, 0, n);
    TAKE(real6, SdotPsi1, 0, n);
    TAKE(real6, U, 0, n);
    TAKE(real6, dU, 0, n);
    TAKE(real6, Dinv, 0, n);
    TAKE(real6, dDinv, 0, n);
    TAKE(real, u, 0, n);
    TAKE(real, du, 0, n);
    TAKE(real, bu, 0, SVA_BLOCK * n);
    TAKE(real, F, 0, 6 * n);
    TAKE(real, P, 0, product(c, 6 * n, (size_t)m->depth));
}

static void cut_buffers(const sva_model *m, SVA(workspace) * w, cutting *c)
{
    size_t n = (size_t)m->nv, t = m->n_dependent ? (size_t)m->nv_tree : 0;
    TAKE(real, q_tree, 0, t ? m->nq_tree : 0);
    for (int i = 0; i < 3; i++) TAKE(real, vector_tree[i], 0, t);
    for (int i = 0; i < 2; i++) TAKE(real, matrix_tree[i], 0, product(c, t, t));
    TAKE(real, q, 0, m->nq);
    TAKE(real, q_real, 0, m->nq);
    for (int i = 0; i < 5; i++) TAKE(real, vector[i], 0, n);
    for (int i = 0; i < 2; i++) TAKE(real, matrix[i], 0, product(c, n, n));
}

/* The size of it all, 0 if that is no number. */
static size_t cut(const sva_model *m, SVA(workspace) * w, char *base)
{
    cutting c = {base, (sizeof(*w) + 15) / 16 * 16, 0};
    cut_bodies(m, w, &c);
    cut_freedoms(m, w, &c);
    cut_buffers(m, w, &c);
    return c.overflow ? 0 : c.at;
}

size_t SVA(workspace_size)(const sva_model *m) { return cut(m, NULL, NULL); }

SVA(workspace) * SVA(workspace_init)(const sva_model *m, void *memory)
{
    SVA(workspace) *w = (SVA(workspace) *)memory;
    if (!SVA(workspace_size)(m)) return NULL;
    cut(m, w, (char *)memory);
    for (int i = 0; i < 9; i++) w->R[-1][i] = (real)(i % 4 == 0);
    set_zero(3, w->p[-1]);
    set_zero(6, w->v[-1]);
    w->has_world = 0;
    return w;
}

SVA(workspace) * SVA(workspace_new)(const sva_model *m)
{
    size_t size = SVA(workspace_size)(m);
    void *memory = size ? malloc(size) : NULL;
    /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): where there is a size, it is the memory that comes back */
    return memory ? SVA(workspace_init)(m, memory) : NULL;
}

void SVA(workspace_free)(SVA(workspace) * w) { free(w); }
