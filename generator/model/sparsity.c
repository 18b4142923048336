#include "sparsity.h"

#include "base/invariant.h"

/* Only the lower triangle is kept. */
static size_t bit_of(const sparsity *s, int i, int j)
{
    return i > j ? (size_t)i * (size_t)s->nv + (size_t)j : (size_t)j * (size_t)s->nv + (size_t)i;
}

bool sparsity_at(const sparsity *s, int i, int j)
{
    size_t bit = bit_of(s, i, j);
    return s->bits[bit / 8] >> bit % 8 & 1;
}

static void set(sparsity *s, int i, int j)
{
    if (sparsity_at(s, i, j)) return;
    size_t bit = bit_of(s, i, j);
    s->bits[bit / 8] |= (unsigned char)(1u << bit % 8);
    s->nonzeros += i == j ? 1 : 2;
}

/* The degrees of freedom that move a joint: its own or its master's. */
static const model_body *mover(const model *m, const model_body *b)
{
    return b->master < 0 ? b : &m->bodies[b->master];
}

static void couple(sparsity *s, const model_body *a, const model_body *b)
{
    for (int i = a->iv; i < a->iv + a->nv; i++)
        for (int j = b->iv; j < b->iv + b->nv; j++) set(s, i, j);
}

sparsity sparsity_of_mass_matrix(arena *memory, const model *m)
{
    INVARIANT(m->nv <= SPARSITY_MAX);
    sparsity s = {.nv = m->nv};
    s.bits = ARENA_ARRAY(memory, unsigned char, (size_t)m->nv *(size_t)m->nv / 8 + 1);
    for (int i = 0; i < m->n_bodies; i++)
        for (int a = i; a >= 0; a = m->bodies[a].parent) couple(&s, mover(m, &m->bodies[i]), mover(m, &m->bodies[a]));
    return s;
}
