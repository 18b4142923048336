#include "suite.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include "model/limbs.h"

/* A model from words: each body's parent, its type if not revolute (p, s), its master after a ~. */
static model *tree(arena *memory, const char *words)
{
    model *m = ARENA_ARRAY(memory, model, 1);
    m->bodies = ARENA_ARRAY(memory, model_body, strlen(words));
    for (int used; *words; words += used) {
        model_body *b = &m->bodies[m->n_bodies++];
        *b = (model_body){.type = SVA_REVOLUTE, .master = -1};
        ck_assert_int_eq(sscanf(words, "%d%n", &b->parent, &used), 1);
        if (words[used] == 'p') b->type = SVA_PRISMATIC, used++;
        if (words[used] == 's') b->type = SVA_SPHERICAL, used++;
        int more = 0;
        if (words[used] == '~') sscanf(words + used, "~%d%n", &b->master, &more);
        used += more;
        while (words[used] == ' ') used++;
    }
    return m;
}

/* Groups as text: limbs of bodies: roots, then @outer. */
static char *shown(const limbs *l)
{
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (int g = 0; g < l->n_groups; g++) {
        const limb_group *group = &l->groups[g];
        fprintf(f, "%s%dx%d:", g ? "; " : "", group->n_limbs, group->n_bodies);
        for (int i = 0; i < group->n_limbs; i++) fprintf(f, " %d", group->roots[i]);
        if (group->outer >= 0) fprintf(f, " @%d", group->outer);
    }
    fclose(f);
    return text;
}

static const struct {
    const char *about, *bodies, *groups;
} cases[] = {
    {"a chain", "-1 0 1 2", ""},
    {"nothing", "", ""},
    {"four legs", "-1 0 1 0 3 0 5 0 7", "4x2: 1 3 5 7"},
    {"legs that hang from the ground", "-1 0 -1 2", "2x2: 0 2"},
    {"another type is another shape", "-1 0 1p 0 3", ""},
    {"but its leaves are one", "-1 0 1p 0p 3 0 5p", "2x2: 1 5"},
    {"legs at different parents", "-1 0 1 2 0 4p 5 6", "2x2: 2 6"},
    {"order of children matters", "-1 0 1 1p 0 4p 4", "2x1: 2 6; 2x1: 3 5"},
    {"two arms with three fingers", "-1 0 1 1 1 0 5 5 5", "2x4: 1 5; 6x1: 2 3 4 6 7 8 @0"},
    {"hands within arms within pairs", "-1 0 1 2 2 1 5 5 0 8 9 9 8 12 12",
     "2x7: 1 8; 4x3: 2 5 9 12 @0; 8x1: 3 4 6 7 10 11 13 14 @1"},
    {"a limb without partner is searched", "-1 0 1 2 2 2 0p 6 7 7 7 0p 11 12 12 12",
     "2x5: 6 11; 3x1: 3 4 5; 6x1: 8 9 10 13 14 15 @0"},
    {"dependent and free differ", "-1 0 0~1", ""},
    {"masters inside", "-1 0 1~1 0 3~3", "2x2: 1 3"},
    {"masters at different places", "-1 0 1 2~1 0 4 5~5", ""},
    {"one master outside", "-1p 0 0~1 0~1", "2x1: 2 3"},
    {"two masters outside", "-1p 0 0s 0~1 0~2", ""},
    {"fingers follow their own hand", "-1 0 1~1 1~1 0 4~4 4~4", "2x3: 1 4; 4x1: 2 3 5 6 @0"},
    {"a master behind its follower", "-1 0~2 1 0~4 3", "2x2: 1 3"},
};

START_TEST(known_trees)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arena *memory = arena_new();
        limbs found = limbs_find(memory, tree(memory, cases[i].bodies));
        char *text = shown(&found);
        ck_assert_msg(!strcmp(text, cases[i].groups), "%s: %s, not %s", cases[i].about, text, cases[i].groups);
        free(text);
        arena_free(memory);
    }
}
END_TEST

static unsigned seed = 1;
static int any(int n) { return (int)((seed = seed * 1664525u + 1013904223u) >> 8) % n; }

/* Few types and shapes, so that many limbs are alike; some joints follow an independent one. */
static model *random_tree(arena *memory, int n)
{
    model *m = ARENA_ARRAY(memory, model, 1);
    m->bodies = ARENA_ARRAY(memory, model_body, n);
    m->n_bodies = n;
    for (int i = 0; i < n; i++) {
        int parent = i - 1;
        for (int up = any(4); up && parent >= 0; up--) parent = m->bodies[parent].parent;
        m->bodies[i] = (model_body){.type = any(8) ? SVA_REVOLUTE : SVA_PRISMATIC, .parent = parent, .master = -1};
    }
    for (int i = 0; i < n / 8; i++) {
        int j = any(n), master = any(2) ? m->bodies[j].parent : any(n);
        bool is_master = false;
        for (int k = 0; k < n; k++) is_master |= m->bodies[k].master == j;
        if (master >= 0 && master != j && m->bodies[master].master < 0 && !is_master) m->bodies[j].master = master;
    }
    return m;
}

static int end_of(const model *m, int r)
{
    int end = r + 1;
    while (end < m->n_bodies && m->bodies[end].parent >= r) end++;
    return end;
}

/* The definition in limbs.h, word by word. */
static bool same_shape(const model *m, int r, int s)
{
    int n = end_of(m, r) - r;
    if (end_of(m, s) - s != n) return false;
    for (int k = 0; k < n; k++) {
        const model_body *a = &m->bodies[r + k], *b = &m->bodies[s + k];
        if (a->type != b->type || (k && a->parent - r != b->parent - s)) return false;
        bool a_inside = a->master >= r && a->master < r + n, b_inside = b->master >= s && b->master < s + n;
        if (a_inside != b_inside || a->master - (a_inside ? r : 0) != b->master - (b_inside ? s : 0)) return false;
    }
    return true;
}

static bool occurs_twice(const model *m, int from, int to, int i)
{
    for (int j = from; j < to; j++)
        if (j != i && same_shape(m, i, j)) return true;
    return false;
}

/* How many groups the region and the insides of its limbs have; also checks that each is among those found. */
static int count_groups(const model *m, int from, int to, const limbs *found)
{
    int roots[256], n = 0, groups = 0;
    for (int i = from; i < to;) {
        bool limb = occurs_twice(m, from, to, i);
        if (limb) roots[n++] = i;
        i = limb ? end_of(m, i) : i + 1;
    }
    for (int a = 0; a < n; a++) {
        int partners = 0, earlier = 0;
        for (int b = 0; b < n; b++) {
            bool same = b != a && same_shape(m, roots[a], roots[b]);
            partners += same;
            earlier += same && b < a;
        }
        if (earlier) continue;
        groups += (partners > 0) + count_groups(m, roots[a] + 1, end_of(m, roots[a]), found);
        if (!partners) continue;
        int g = 0;
        while (g < found->n_groups && found->groups[g].roots[0] != roots[a]) g++;
        ck_assert_int_lt(g, found->n_groups);
        int outer = found->groups[g].outer;
        int copies = outer < 0 ? 1 : found->groups[outer].n_limbs;
        ck_assert_int_eq(found->groups[g].n_limbs, copies * (partners + 1));
    }
    return groups;
}

/* Limbs of a group: of one shape within a limb of the outer group; the same places in all limbs of it. */
static void check_group(const model *m, const limbs *found, const limb_group *g)
{
    const limb_group *outer = g->outer < 0 ? NULL : &found->groups[g->outer];
    int each = outer ? g->n_limbs / outer->n_limbs : g->n_limbs;
    ck_assert_int_ge(each, 2);
    for (int i = 0; i < g->n_limbs; i++) {
        ck_assert_int_eq(end_of(m, g->roots[i]) - g->roots[i], g->n_bodies);
        ck_assert(same_shape(m, g->roots[i / each * each], g->roots[i]));
        if (outer) ck_assert_int_eq(g->roots[i] - outer->roots[i / each], g->roots[i % each] - outer->roots[0]);
    }
}

START_TEST(random_trees_follow_the_definition)
{
    int inner = 0;
    for (int round = 0; round < 2000; round++) {
        arena *memory = arena_new();
        model *m = random_tree(memory, 1 + any(60));
        limbs found = limbs_find(memory, m);
        for (int g = 0; g < found.n_groups; g++) {
            check_group(m, &found, &found.groups[g]);
            inner += found.groups[g].outer >= 0;
        }
        ck_assert_int_eq(count_groups(m, 0, m->n_bodies, &found), found.n_groups);
        arena_free(memory);
    }
    ck_assert_int_gt(inner, 100);
}
END_TEST

START_TEST(large_trees_take_linear_time)
{
    arena *memory = arena_new();
    model m = {.n_bodies = 100000, .bodies = ARENA_ARRAY(memory, model_body, 100000)};
    for (int i = 0; i < m.n_bodies; i++)
        m.bodies[i] = (model_body){.type = SVA_REVOLUTE, .parent = i % 50000 ? i - 1 : -1, .master = -1};
    clock_t start = clock();
    limbs found = limbs_find(memory, &m);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_int_eq(found.n_groups, 1);
    ck_assert_int_eq(found.groups[0].n_bodies, 50000);
    ck_assert_msg(seconds < 5, "%g s", seconds); /* comparing limbs pairwise would take minutes */
    arena_free(memory);
}
END_TEST

SUITE("limbs", known_trees, random_trees_follow_the_definition, large_trees_take_linear_time)
