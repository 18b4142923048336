#include "yardstick.h"

#include <math.h>
#include <string.h>
#include "base/invariant.h"

#define REAL double
#define G(x) sva_##x
#define N(x) double_##x
#include "yardstick_type.h"
#undef REAL
#undef G
#undef N

#define REAL float
#define G(x) svaf_##x
#define N(x) float_##x
#include "yardstick_type.h"
#undef REAL
#undef G
#undef N

#define REAL quad
#define G(x) svaq_##x
#define N(x) quad_##x
#include "yardstick_type.h"
#undef REAL
#undef G
#undef N

const size_t yardstick_size[YARDSTICK_TYPES] = {sizeof(double), sizeof(float), sizeof(quad)};

static const struct {
    int (*find)(const char *name);
    void *(*workspace)(const sva_model *s);
    void (*free)(void *workspace);
    yardstick_fn run;
} types[YARDSTICK_TYPES] = {
    {double_find, double_workspace, double_free, double_run},
    {float_find, float_workspace, float_free, float_run},
    {quad_find, quad_workspace, quad_free, quad_run},
};

static const sva_frame *frames_of(arena *memory, const model *m)
{
    sva_frame *f = ARENA_ARRAY(memory, sva_frame, m->n_frames + 1);
    for (int i = 0; i < m->n_frames; i++) f[i] = sva_frame_from(&m->frames[i]);
    return f;
}

yardstick *yardstick_new(arena *memory, const model *m, const sva_model *s, const kernel_info *k,
                         const trace_options *o, yardstick_type type)
{
    yardstick *y = ARENA_ARRAY(memory, yardstick, 1);
    size_t size = yardstick_size[type];
    *y = (yardstick){.m = m, .s = s, .o = o, .frames = frames_of(memory, m), .type = type, .run = types[type].run};
    y->workspace = types[type].workspace(s);
    y->scratch = arena_alloc(memory, size * (size_t)(12 * m->n_bodies + m->nv));
    y->forces = arena_alloc(memory, size * (size_t)(6 * m->n_bodies));
    y->fext = kernel_takes(k, ARG_FEXT);
    while (k->out[y->n_out] != ARG_COUNT) y->n_out++;
    y->row = types[type].find(k->name);
    INVARIANT(y->workspace && y->row >= 0);
    return y;
}

void yardstick_free(yardstick *y) { types[y->type].free(y->workspace); }
