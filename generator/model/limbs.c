#include "limbs.h"

#include <stdlib.h>
#include "base/names.h"

/* A range of bodies searched on its own: all, or the inside of a limb. */
typedef struct region {
    int from, to, outer;
} region;

typedef struct finder {
    const model *m;
    arena *scratch, *memory;
    names *pairs; /* numbers of the pairs met so far */
    int n_pairs;
    int *end;    /* of each body's subtree */
    int *closed; /* of a dependent body: the smallest subtree that holds its master too, or -1 */
    int *shape;  /* of each body's subtree: a number, equal for equal shapes */
    int *count;  /* per shape: bodies of it in the region */
    int *limbs;  /* per shape: limbs of it in the region */
    int *group;  /* per shape: its group in the region, or -1 */
    VEC(region) regions;
    VEC(limb_group) groups;
} finder;

/* A sequence's number is made by pairing the number of what came before with the next item. */
static int paired(finder *f, int before, int item)
{
    const char *key = arena_printf(f->scratch, "%d,%d", before, item);
    int known = names_add(f->pairs, key, f->n_pairs);
    return known >= 0 ? known : f->n_pairs++;
}

static void find_ends(finder *f)
{
    const model_body *b = f->m->bodies;
    for (int i = 0; i < f->m->n_bodies; i++) f->end[i] = i + 1;
    for (int i = f->m->n_bodies - 1; i >= 0; i--)
        if (b[i].parent >= 0 && f->end[b[i].parent] < f->end[i]) f->end[b[i].parent] = f->end[i];
}

static void find_closed(finder *f)
{
    for (int i = 0; i < f->m->n_bodies; i++) {
        int master = f->m->bodies[i].master, r = i;
        while (master >= 0 && r >= 0 && !(r <= master && master < f->end[r])) r = f->m->bodies[r].parent;
        f->closed[i] = r;
    }
}

/* Numbers what the limbs at body r must share. inside[] is the shape but for masters outside of the subtree. */
static void number_shape(finder *f, int r, int *inside, const int *dependent, const int *first)
{
    enum { TYPE = -1, CLOSED = -2, OPEN = -3 }; /* mark what follows */
    const model_body *b = f->m->bodies;
    int s = paired(f, TYPE, 2 * (int)b[r].type + (b[r].master >= 0));
    for (int c = r + 1; c < f->end[r]; c = f->end[c]) s = paired(f, s, inside[c]);
    s = paired(f, s, CLOSED);
    int open = paired(f, OPEN, OPEN);
    for (int k = first[r]; k < first[f->end[r]]; k++) {
        int i = dependent[k];
        if (f->closed[i] == r) s = paired(f, paired(f, s, i - r), b[i].master - r);
        if (f->closed[i] < r) open = paired(f, paired(f, open, i - r), b[i].master);
    }
    inside[r] = s;
    f->shape[r] = paired(f, s, open);
}

static void number_shapes(finder *f)
{
    int n = f->m->n_bodies, n_dependent = 0;
    int *inside = ARENA_ARRAY(f->scratch, int, n);
    int *dependent = ARENA_ARRAY(f->scratch, int, n);
    int *first = ARENA_ARRAY(f->scratch, int, n + 1); /* of the dependent bodies from i on */
    for (int i = 0; i < n; i++) {
        first[i] = n_dependent;
        if (f->m->bodies[i].master >= 0) dependent[n_dependent++] = i;
    }
    first[n] = n_dependent;
    for (int r = n - 1; r >= 0; r--) number_shape(f, r, inside, dependent, first);
}

/* A new group with room for its limbs: those of the region, once for each limb of the outer group. */
static int add_group(finder *f, int root, int outer)
{
    int copies = outer < 0 ? 1 : f->groups.at[outer].n_limbs;
    int *roots = ARENA_ARRAY(f->memory, int, copies * f->limbs[f->shape[root]]);
    limb_group g = {.n_bodies = f->end[root] - root, .outer = outer, .roots = roots};
    VEC_PUSH(&f->groups, g);
    return f->groups.n - 1;
}

static void add_limb(finder *f, int g, int root)
{
    limb_group *group = &f->groups.at[g];
    int per_outer = f->limbs[f->shape[root]];
    const limb_group *outer = group->outer < 0 ? NULL : &f->groups.at[group->outer];
    for (int i = 0; i < (outer ? outer->n_limbs : 1); i++)
        group->roots[i * per_outer + group->n_limbs] = root + (outer ? outer->roots[i] - outer->roots[0] : 0);
    group->n_limbs++;
}

/* The next limb from body i on, where limbs are not looked into; r->to if there is none. */
static int next_limb(const finder *f, const region *r, int i)
{
    while (i < r->to && f->count[f->shape[i]] < 2) i++;
    return i;
}

#define EACH_LIMB(f, r, i) for (int i = next_limb(f, r, (r)->from); i < (r)->to; i = next_limb(f, r, (f)->end[i]))

static void search(finder *f, region r)
{
    int known = f->groups.n;
    for (int i = r.from; i < r.to; i++) {
        f->count[f->shape[i]] = f->limbs[f->shape[i]] = 0;
        f->group[f->shape[i]] = -1;
    }
    for (int i = r.from; i < r.to; i++) f->count[f->shape[i]]++;
    EACH_LIMB(f, &r, i) f->limbs[f->shape[i]]++;
    EACH_LIMB(f, &r, i)
    {
        int s = f->shape[i];
        if (f->limbs[s] < 2) {
            VEC_PUSH(&f->regions, ((region){i + 1, f->end[i], r.outer}));
            continue;
        }
        if (f->group[s] < 0) f->group[s] = add_group(f, i, r.outer);
        add_limb(f, f->group[s], i);
    }
    for (int g = known; g < f->groups.n; g++) {
        limb_group *group = &f->groups.at[g];
        if (r.outer >= 0) group->n_limbs *= f->groups.at[r.outer].n_limbs;
        VEC_PUSH(&f->regions, ((region){group->roots[0] + 1, group->roots[0] + group->n_bodies, g}));
    }
}

limbs limbs_find(arena *memory, const model *m)
{
    finder f = {.m = m, .scratch = arena_new(), .memory = memory};
    f.pairs = names_new(f.scratch);
    f.end = ARENA_ARRAY(f.scratch, int, m->n_bodies);
    f.closed = ARENA_ARRAY(f.scratch, int, m->n_bodies);
    f.shape = ARENA_ARRAY(f.scratch, int, m->n_bodies);
    find_ends(&f);
    find_closed(&f);
    number_shapes(&f);
    f.count = ARENA_ARRAY(f.scratch, int, f.n_pairs);
    f.limbs = ARENA_ARRAY(f.scratch, int, f.n_pairs);
    f.group = ARENA_ARRAY(f.scratch, int, f.n_pairs);
    VEC_PUSH(&f.regions, ((region){0, m->n_bodies, -1}));
    for (int i = 0; i < f.regions.n; i++) search(&f, f.regions.at[i]);
    limbs found = {.n_groups = f.groups.n, .groups = ARENA_ARRAY(memory, limb_group, f.groups.n)};
    for (int i = 0; i < f.groups.n; i++) found.groups[i] = f.groups.at[i];
    free(f.groups.at);
    free(f.regions.at);
    arena_free(f.scratch);
    return found;
}
