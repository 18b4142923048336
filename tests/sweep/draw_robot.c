/* Random robots: a tree of limbs, some of them repeated with other numbers, and the numbers by style. */
#include <math.h>
#include <string.h>
#include "sweep.h"

/* splitmix64 */
uint64_t draw_bits(uint64_t *seed)
{
    uint64_t x = *seed += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

double draw_uniform(uint64_t *seed, double low, double high)
{
    return low + (high - low) * ((double)(draw_bits(seed) >> 11) * 0x1p-53);
}

int draw_below(uint64_t *seed, int n) { return (int)(draw_bits(seed) % (uint64_t)n); }
bool draw_chance(uint64_t *seed, double probability) { return draw_uniform(seed, 0, 1) < probability; }

/* ---- the tree */

typedef struct grower {
    drawn_robot *r;
    uint64_t *seed;
    int joints, nv, most;
    bool any_type;
} grower;

static sva_joint_type draw_type(const grower *g)
{
    static const sva_joint_type plain[] = {SVA_REVOLUTE, SVA_REVOLUTE, SVA_REVOLUTE, SVA_CONTINUOUS, SVA_PRISMATIC};
    static const sva_joint_type any[] = {SVA_REVOLUTE,    SVA_REVOLUTE, SVA_REVOLUTE,  SVA_CONTINUOUS,  SVA_PRISMATIC,
                                         SVA_PRISMATIC,   SVA_HELICAL,  SVA_HELICAL,   SVA_CYLINDRICAL, SVA_PLANAR,
                                         SVA_TRANSLATION, SVA_PLANAR,   SVA_SPHERICAL, SVA_SPHERICAL,   SVA_FLOATING};
    if (g->any_type) return any[draw_below(g->seed, (int)(sizeof any / sizeof *any))];
    return plain[draw_below(g->seed, (int)(sizeof plain / sizeof *plain))];
}

static int add_link(grower *g, int parent, sva_joint_type type)
{
    int i = g->r->n++;
    drawn_link *l = &g->r->links[i];
    *l = (drawn_link){.parent = parent, .type = type, .mimics = -1, .copy_of = -1, .multiplier = 1};
    l->style = draw_bits(g->seed);
    g->joints += type != SVA_FIXED;
    g->nv += sva_joint_table[type].nv;
    return i;
}

static bool has_room(const grower *g, int links, int joints, int nv)
{
    return g->r->n + links + 2 < MOST_LINKS && g->joints + joints <= g->most && g->nv + nv <= MOST_NV - 6;
}

/* The limb [start, end) once more, with the same styles, mostly. */
static void repeat_limb(grower *g, int start, int end, int parent)
{
    int shift = g->r->n - start, joints = 0, nv = 0;
    for (int i = start; i < end; i++) {
        joints += g->r->links[i].type != SVA_FIXED;
        nv += sva_joint_table[g->r->links[i].type].nv;
    }
    if (!has_room(g, end - start, joints, nv)) return;
    bool alike = draw_chance(g->seed, 0.85);
    for (int i = start; i < end; i++) {
        const drawn_link *from = &g->r->links[i];
        drawn_link *l = &g->r->links[add_link(g, i == start ? parent : from->parent + shift, from->type)];
        if (alike) l->style = from->style;
        l->copy_of = i;
        l->limb = start;
        l->limb_end = end;
    }
}

static void grow_limb(grower *g, int parent, int depth)
{
    int at = parent;
    for (int left = 1 + draw_below(g->seed, depth ? 2 : 4); left > 0; left--) {
        sva_joint_type type = draw_type(g);
        if (!has_room(g, 1, 1, sva_joint_table[type].nv)) return;
        if (draw_chance(g->seed, 0.12)) at = add_link(g, at, SVA_FIXED);
        at = add_link(g, at, type);
        if (draw_chance(g->seed, 0.15)) add_link(g, at, SVA_FIXED);
    }
    if (depth > 1 || !draw_chance(g->seed, 0.35)) return;
    int start = g->r->n;
    grow_limb(g, at, depth + 1);
    int end = g->r->n;
    for (int copies = 1 + draw_below(g->seed, 3); copies > 0 && end > start; copies--) repeat_limb(g, start, end, at);
}

static int one_of(uint64_t *seed, const int *list, int n) { return list[draw_below(seed, n)]; }

static void grow_tree(grower *g)
{
    static const int copies_of[] = {0, 0, 0, 1, 1, 2, 2, 3, 4};
    add_link(g, -1, SVA_FIXED);
    for (int tries = 0; tries < 8 && g->joints < g->most; tries++) {
        int start = g->r->n, parent = draw_chance(g->seed, 0.4) ? 0 : draw_below(g->seed, start);
        grow_limb(g, parent, 0);
        int end = g->r->n;
        int copies = one_of(g->seed, copies_of, (int)(sizeof copies_of / sizeof *copies_of));
        for (; copies > 0 && end > start; copies--)
            repeat_limb(g, start, end, draw_chance(g->seed, 0.75) ? parent : draw_below(g->seed, start));
    }
}

/* ---- mimic joints */

static bool one_dof(const drawn_link *l) { return sva_joint_table[l->type].nv == 1; }

static bool follows(const drawn_robot *r, int i, int other)
{
    for (; i >= 0; i = r->links[i].mimics)
        if (i == other) return true;
    return false;
}

/* What the link that i repeats follows, seen from i: in its own limb where that one is in its limb. */
static int repeated_master(const drawn_robot *r, int i)
{
    const drawn_link *l = &r->links[i];
    if (l->copy_of < 0 || r->links[l->copy_of].mimics < 0) return -1;
    int master = r->links[l->copy_of].mimics;
    return master >= l->limb && master < l->limb_end ? master + i - l->copy_of : master;
}

static void draw_mimics(uint64_t *seed, drawn_robot *r)
{
    static const double multipliers[] = {1, -1, 0.5, -2.25, 1e-3, 0};
    for (int i = 1; i < r->n; i++) {
        drawn_link *l = &r->links[i];
        int master = repeated_master(r, i);
        if (master < 0 && draw_chance(seed, l->copy_of < 0 ? 0.3 : 0.05)) master = 1 + draw_below(seed, r->n - 1);
        if (!one_dof(l) || master < 0 || !one_dof(&r->links[master]) || follows(r, master, i)) continue;
        l->mimics = master;
        l->multiplier = draw_chance(seed, 0.7) ? multipliers[draw_below(seed, 6)] : draw_uniform(seed, -2, 2);
        l->offset = draw_chance(seed, 0.5) ? 0 : draw_uniform(seed, -1, 1);
    }
}

/* ---- order */

/* The children of a link keep their order in the file: that is what numbers the joints. */
static void shuffle(uint64_t *seed, drawn_robot *r)
{
    bool shuffled = draw_chance(seed, 0.3);
    for (int i = 0; i < r->n; i++) r->links[i].place = i;
    for (int i = r->n - 1; i > 0 && shuffled; i--) {
        int j = draw_below(seed, i + 1), place = r->links[i].place;
        r->links[i].place = r->links[j].place;
        r->links[j].place = place;
    }
}

/* The child of `parent` that comes next in the file after place `after`, or -1. */
static int next_child(const drawn_robot *r, int parent, int after)
{
    int best = -1;
    for (int i = 0; i < r->n; i++)
        if (r->links[i].parent == parent && r->links[i].place > after &&
            (best < 0 || r->links[i].place < r->links[best].place))
            best = i;
    return best;
}

static int visit(const drawn_robot *r, int link, int count, int *order)
{
    order[count++] = link;
    for (int child = -1; (child = next_child(r, link, child < 0 ? -1 : r->links[child].place)) >= 0;)
        count = visit(r, child, count, order);
    return count;
}

static void sort_depth_first(drawn_robot *r)
{
    drawn_link old[MOST_LINKS];
    int order[MOST_LINKS], at[MOST_LINKS];
    memcpy(old, r->links, sizeof old);
    visit(r, 0, 0, order);
    for (int i = 0; i < r->n; i++) at[order[i]] = i;
    for (int i = 0; i < r->n; i++) {
        drawn_link *l = &r->links[i];
        *l = old[order[i]];
        if (l->parent >= 0) l->parent = at[l->parent];
        if (l->mimics >= 0) l->mimics = at[l->mimics];
    }
}

/* A last joint that moves nothing, has no rotor and is nobody's master. */
static void add_weightless(grower *g)
{
    if (!has_room(g, 1, 0, 1) || !draw_chance(g->seed, 0.03)) return;
    drawn_link *l = &g->r->links[add_link(g, draw_below(g->seed, g->r->n), SVA_REVOLUTE)];
    l->weightless = g->r->weightless = true;
}

static void draw_gravity(uint64_t *seed, drawn_robot *r)
{
    static const double known[][3] = {{0, 0, -9.81}, {0, 0, 0}, {-9.81, 0, 0}, {0, 1.62, 0}};
    r->has_gravity = draw_chance(seed, 0.5);
    int which = r->has_gravity ? draw_below(seed, 6) : 0;
    for (int i = 0; i < 3; i++) r->gravity[i] = which < 4 ? known[which][i] : draw_uniform(seed, -10, 10);
}

void draw_robot(uint64_t *seed, drawn_robot *r)
{
    *r = (drawn_robot){.floating = draw_chance(seed, 0.3), .world = draw_chance(seed, 0.05)};
    draw_name(seed, "robot", 0, r->name);
    draw_gravity(seed, r);
    grower g = {.r = r, .seed = seed, .any_type = draw_chance(seed, 0.6)};
    g.most = 1 + draw_below(seed, draw_chance(seed, 0.7) ? 6 : MOST_JOINTS);
    grow_tree(&g);
    if (draw_chance(seed, 0.4)) draw_mimics(seed, r);
    add_weightless(&g);
    shuffle(seed, r);
    sort_depth_first(r);
    for (int i = 0; i < r->n; i++) {
        draw_name(seed, "link", i, r->links[i].name);
        draw_name(seed, "joint", i, r->links[i].joint);
        draw_numbers(seed, &r->links[i]);
    }
    if (!r->world) return;
    r->links[0] = (drawn_link){.name = "world", .parent = -1, .mimics = -1, .place = r->links[0].place};
}
