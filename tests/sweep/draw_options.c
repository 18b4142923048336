/* Random options of `svagen generate`, and of the compiler. */
#include <string.h>
#include "sweep.h"

/* clang-format off */
#define ID  {IN_Q, IN_V, IN_A, IN_FEXT}
#define FD  {IN_Q, IN_V, IN_TAU, IN_FEXT}
#define DFD {OUT_QDD, OUT_DQDD_DQ, OUT_DQDD_DV, OUT_MINV}
const kernel_row kernel_rows[KERNELS] = {
    [RNEA] = {"rnea", 3, 1, ID, {OUT_TAU}, true, false, true, false},
    [ABA] = {"aba", 3, 1, FD, {OUT_QDD}, true, true, true, false},
    [CRBA] = {"crba", 1, 1, {IN_Q}, {OUT_M}, true, false, false, false},
    [MINV] = {"minv", 1, 1, {IN_Q}, {OUT_MINV}, true, true, false, false},
    [BIAS] = {"bias", 2, 1, ID, {OUT_H}, true, false, true, false},
    [GRAVITY] = {"gravity", 1, 1, {IN_Q}, {OUT_G}, true, false, true, false},
    [CORIOLIS] = {"coriolis", 2, 1, ID, {OUT_C}, false, false, false, false},
    [IDSVA] = {"idsva", 3, 2, ID, {OUT_DTAU_DQ, OUT_DTAU_DV}, true, false, true, false},
    [FDSVA] = {"fdsva", 3, 4, FD, DFD, true, true, true, false},
    [ID_ALL] = {"id_all", 3, 4, ID, {OUT_TAU, OUT_M, OUT_DTAU_DQ, OUT_DTAU_DV}, true, false, true, false},
    [FK] = {"fk", 1, 1, {IN_Q}, {OUT_POSE}, true, false, false, false},
    [JAC] = {"jac", 1, 1, {IN_Q}, {OUT_J}, false, false, false, false},
    [RNEA_FEXT] = {"rnea_fext", 4, 1, ID, {OUT_TAU}, false, false, true, true},
    [IDSVA_FEXT] = {"idsva_fext", 4, 2, ID, {OUT_DTAU_DQ, OUT_DTAU_DV}, false, false, true, true},
    [FDSVA_FEXT] = {"fdsva_fext", 4, 4, FD, DFD, false, true, true, true},
};
/* clang-format on */

const char *const input_names[INPUTS] = {"q", "v", "a", "tau", "fext", "gravity"};
const char *const output_names[OUTPUTS] = {"tau",     "qdd",     "M",       "minv", "h", "g", "dtau_dq",
                                           "dtau_dv", "dqdd_dq", "dqdd_dv", "pose", "J", "C"};

bool is_floating(const drawn_robot *r, const drawn_options *o) { return o->base < 0 ? r->floating : o->base == 1; }

bool moves(const drawn_robot *r, bool floating, int link)
{
    return link == 0 ? floating : r->links[link].type != SVA_FIXED;
}

/* Lists of names are separated by commas. */
bool can_be_listed(const char *name) { return !strchr(name, ','); }

static const char *draw_word(uint64_t *seed, double probability, const char *const *words, int n)
{
    bool given = draw_chance(seed, probability);
    const char *word = words[draw_below(seed, n)];
    return given ? word : NULL;
}

static void shuffle(uint64_t *seed, int *list, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int j = draw_below(seed, i + 1), x = list[i];
        list[i] = list[j];
        list[j] = x;
    }
}

static void draw_kernels(uint64_t *seed, const drawn_robot *r, bool minv, drawn_options *o)
{
    double share = draw_chance(seed, 0.15) && r->n < 7 ? 1 : 0.12;
    o->default_kernels = draw_chance(seed, 0.08) && minv;
    for (int k = 0; k < KERNELS; k++) {
        bool chosen = draw_chance(seed, share) && (minv || !kernel_rows[k].inverse);
        o->kernels[k] = o->default_kernels ? kernel_rows[k].by_default : chosen;
    }
    int one = draw_below(seed, KERNELS);
    o->kernels[kernel_rows[one].inverse && !minv ? RNEA : one] |= !o->default_kernels;
    for (int k = 0; k < KERNELS; k++)
        if (o->kernels[k]) o->order[o->n_kernels++] = k;
    if (!o->default_kernels) shuffle(seed, o->order, o->n_kernels);
}

/* Whether the link moves, by its own joint or by one that carries it. */
static bool is_carried(const drawn_robot *r, bool floating, int link)
{
    while (link > 0 && !moves(r, floating, link)) link = r->links[link].parent;
    return moves(r, floating, link);
}

static bool takes(const drawn_options *o, bool forces)
{
    bool any = false;
    for (int k = 0; k < KERNELS; k++) any |= o->kernels[k] && (forces ? kernel_rows[k].fext : k == JAC);
    return any;
}

/* Links whose joints move, or that they carry; without --fext all whose joints do, in order. An option that does
   nothing is an error, now and then. */
static void draw_forces(uint64_t *seed, const drawn_robot *r, drawn_options *o)
{
    o->all_links = draw_chance(seed, takes(o, true) ? 0.4 : 0.98);
    double share = draw_uniform(seed, 0.2, 1);
    for (int i = 0; i < r->n; i++) {
        bool chosen = draw_chance(seed, share) && can_be_listed(r->links[i].name);
        bool floating = is_floating(r, o);
        if (o->all_links ? moves(r, floating, i) : chosen && is_carried(r, floating, i)) o->fext[o->n_fext++] = i;
    }
    if (o->all_links) return;
    shuffle(seed, o->fext, o->n_fext);
    if (!o->n_fext) draw_forces(seed, r, (o->all_links = true, o));
}

static void draw_frames(uint64_t *seed, const drawn_robot *r, drawn_options *o)
{
    int all[MOST_LINKS];
    for (int i = 0; i < r->n; i++) all[i] = i;
    shuffle(seed, all, r->n);
    int most = o->kernels[JAC] || draw_chance(seed, 0.02) ? 1 + draw_below(seed, 4) : 0;
    for (int i = 0; i < r->n && o->n_frames < most; i++)
        if (can_be_listed(r->links[all[i]].name)) o->frames[o->n_frames++] = all[i];
}

static void draw_lanes(uint64_t *seed, drawn_options *o)
{
    int all[] = {2, 4, 8};
    shuffle(seed, all, 3);
    o->n_lanes = draw_chance(seed, 0.5) ? 1 + draw_below(seed, 3) : 0;
    for (int i = 0; i < o->n_lanes; i++) o->lanes[i] = all[i];
}

static void draw_pull(uint64_t *seed, drawn_options *o)
{
    o->gravity = draw_chance(seed, 0.65) ? GRAVITY_OF_ROBOT : draw_chance(seed, 0.5) ? GRAVITY_GIVEN : GRAVITY_RUNTIME;
    for (int i = 0; i < 3; i++) o->pull[i] = draw_chance(seed, 0.3) ? 0 : draw_uniform(seed, -10, 10);
}

static void draw_machine(uint64_t *seed, const char *cc, drawn_options *o)
{
    static const char *const compilers[] = {"gcc", "clang"}, *const levels[] = {"-O0", "-O0", "-O0",
                                                                                "-O0", "-O1", "-O2"};
    const char *machines[4] = {""};
    int n = 1;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) machines[n++] = "-mavx2 -mfma";
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        machines[n++] = "-mavx2 -mfma -mavx512f -mavx512vl -mavx512dq";
#endif
    const char *drawn = compilers[draw_below(seed, 2)];
    o->cc = cc ? cc : drawn;
    o->level = levels[draw_below(seed, 6)];
    int machine = draw_below(seed, 12);
    o->machine = machines[machine % n]; /* 12 is divisible by what n can be: the same seed draws the same afterwards */
    o->standard = draw_chance(seed, 0.5) ? "-std=c99 -pedantic -Wall -Wextra -Werror" : "";
}

static void repeat_one(uint64_t *seed, int *list, int *n, drawn_options *o)
{
    if (!*n || *n == MOST_LINKS) return;
    list[*n] = list[draw_below(seed, *n)];
    ++*n;
    o->twice = true;
}

/* Now and then a list with something twice. */
static void draw_repetition(uint64_t *seed, drawn_options *o)
{
    bool forces = draw_chance(seed, 0.01), frames = draw_chance(seed, 0.01);
    if (forces && !o->all_links) repeat_one(seed, o->fext, &o->n_fext, o);
    if (frames) repeat_one(seed, o->frames, &o->n_frames, o);
}

void draw_options(uint64_t *seed, const drawn_robot *r, bool minv, const char *cc, drawn_options *o)
{
    static const char *const widths[] = {"0.05", "0.3", "1", "2e-2"}, *const loops[] = {"auto", "always", "always",
                                                                                        "never"};
    static const char *const armatures[] = {"0.1", "2", "1e-2"};
    static const char *const vectors[] = {"auto", "never", "never"};
    static const char *const solvers[] = {"auto", "ltl", "branches", "aza", "dmm", "dmm"};
    static const char *const names[] = {"bot", "3rd robot", "a-b", "UPPER", "_"};
    bool mimic = false;
    for (int i = 1; i < r->n; i++) mimic |= r->links[i].mimics >= 0;
    int base = draw_below(seed, 5);
    *o = (drawn_options){.base = base < 2 ? base : -1};
    o->single = draw_chance(seed, 0.25);
    o->columns = draw_chance(seed, 0.3);
    o->independent = draw_chance(seed, mimic ? 0.4 : 0.1);
    o->friction = draw_chance(seed, 0.5) ? LOSS_NONE : draw_chance(seed, 0.5) ? LOSS_VISCOUS : LOSS_FULL;
    o->width = draw_word(seed, o->friction == LOSS_FULL ? 0.6 : 0.02, widths, 4);
    o->armature = draw_word(seed, 0.1, armatures, 3);
    o->loops = draw_word(seed, 0.5, loops, 4);
    o->vectors = draw_word(seed, 0.4, vectors, 3);
    o->solver = draw_word(seed, 0.6, solvers, 6);
    o->name = draw_word(seed, 0.2, names, 5);
    draw_lanes(seed, o);
    draw_pull(seed, o);
    draw_kernels(seed, r, minv, o);
    draw_forces(seed, r, o);
    draw_frames(seed, r, o);
    draw_repetition(seed, o);
    o->idle = (!o->all_links && !takes(o, true)) || (o->n_frames && !takes(o, false)) ||
              (o->width && o->friction != LOSS_FULL);
    draw_machine(seed, cc, o);
}
