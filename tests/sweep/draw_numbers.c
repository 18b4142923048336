/* The numbers of a link. Its style says which are zero, aligned or odd; sizes and signs differ from copy to copy. */
#include <math.h>
#include <string.h>
#include "sweep.h"

#define RIGHT 1.5707963267948966

/* Takes a choice of n out of a style. */
static int choice(uint64_t *style, int n)
{
    int c = (int)(*style % (uint64_t)n);
    *style /= (uint64_t)n;
    return c;
}

static double size_of(uint64_t *seed) { return draw_uniform(seed, 0.05, 0.8); }
static double with_sign(uint64_t *seed, double x) { return draw_chance(seed, 0.5) ? -x : x; }

/* Zero, along one axis, in a plane, or odd. */
static void draw_vector(uint64_t *seed, uint64_t *style, double x[3])
{
    int kind = choice(style, 5), k = choice(style, 3);
    for (int i = 0; i < 3; i++) {
        bool zero = kind == 0 || (kind == 1 && i != k) || (kind == 2 && i == k);
        x[i] = zero ? 0 : with_sign(seed, size_of(seed));
    }
}

static void draw_axis(uint64_t *seed, uint64_t *style, drawn_link *l)
{
    int kind = choice(style, 4), k = choice(style, 3);
    for (int i = 0; i < 3; i++) {
        bool zero = kind < 2 ? i != k : kind == 2 && i == k;
        l->axis[i] = zero ? 0 : with_sign(seed, kind < 2 ? 1 : size_of(seed));
    }
    double norm = sqrt(l->axis[0] * l->axis[0] + l->axis[1] * l->axis[1] + l->axis[2] * l->axis[2]);
    for (int i = 0; i < 3; i++) l->unit[i] = l->axis[i] / norm;
}

/* Quarters of a turn have exact sines. */
static void sine_of(double angle, double *s, double *c)
{
    static const double sines[] = {0, 1, 0, -1};
    double quarters = angle / RIGHT;
    int k = (int)lround(quarters);
    bool exact = fabs(quarters - k) < 1e-15;
    *s = exact ? sines[(k + 8) % 4] : sin(angle);
    *c = exact ? sines[(k + 9) % 4] : cos(angle);
}

/* R = Rz(yaw) Ry(pitch) Rx(roll) */
static void rotation_of(const double rpy[3], double R[9])
{
    double s[3], c[3];
    for (int i = 0; i < 3; i++) sine_of(rpy[i], &s[i], &c[i]);
    const double all[9] = {
        c[2] * c[1],
        c[2] * s[1] * s[0] - s[2] * c[0],
        c[2] * s[1] * c[0] + s[2] * s[0],
        s[2] * c[1],
        s[2] * s[1] * s[0] + c[2] * c[0],
        s[2] * s[1] * c[0] - c[2] * s[0],
        -s[1],
        c[1] * s[0],
        c[1] * c[0],
    };
    memcpy(R, all, sizeof all);
}

/* None, quarters of turns, one odd angle, odd. */
static void draw_rotation(uint64_t *seed, uint64_t *style, drawn_link *l)
{
    int kind = choice(style, 6), k = choice(style, 3);
    l->as_rpy = choice(style, 3) > 0;
    for (int i = 0; i < 3; i++) {
        double quarter = RIGHT * (draw_below(seed, 4) - 1), odd = draw_uniform(seed, -3, 3);
        bool turned = kind >= 5 || (kind >= 2 && i == k) || (kind == 3);
        l->rpy[i] = !turned ? 0 : kind <= 3 ? quarter : odd;
    }
    rotation_of(l->rpy, l->R);
}

/* Armature, damping, friction: none, one number, or one for each degree of freedom. */
static void draw_dofs(uint64_t *seed, uint64_t *style, drawn_link *l)
{
    for (int what = 0; what < 3; what++) {
        int kind = choice(style, what ? 4 : 6), nv = sva_joint_table[l->type].nv;
        l->scalar[what] = kind != 1;
        for (int i = 0; i < nv; i++)
            l->dof[what][i] = kind > 2 ? 0 : kind != 1 && i > 0 ? l->dof[what][0] : size_of(seed);
        if (kind == 1 && nv > 1 && draw_chance(seed, 0.5)) l->dof[what][draw_below(seed, nv)] = 0;
    }
}

/* I = R diag(b + c, a + c, a + b) R' for a, b, c >= 0: a body can have that. */
static void draw_inertia(uint64_t *seed, int kind, drawn_link *l)
{
    double R[9], d[3], scale = l->mass * 0.1;
    for (int i = 0; i < 3; i++) d[i] = scale * draw_uniform(seed, 0.02, 0.5);
    if (kind == 1) d[0] = d[1] = 0; /* a rod */
    const double moment[3] = {d[1] + d[2], d[0] + d[2], d[0] + d[1]};
    const double odd[3] = {draw_uniform(seed, -3, 3), draw_uniform(seed, -3, 3), draw_uniform(seed, -3, 3)},
                 none[3] = {0};
    rotation_of(kind < 4 ? none : odd, R);
    for (int i = 0, n = 0; i < 3; i++)
        for (int j = i; j < 3; j++, n++) {
            l->inertia[n] = 0;
            for (int k = 0; k < 3; k++) l->inertia[n] += R[3 * i + k] * moment[k] * R[3 * j + k];
        }
}

static void draw_body(uint64_t *seed, uint64_t *style, drawn_link *l)
{
    int kind = choice(style, 12);
    l->mass = kind == 0 ? 0 : exp(draw_uniform(seed, -2, 2));
    draw_vector(seed, style, l->com);
    if (kind > 1) draw_inertia(seed, kind - 2 < 2 ? kind - 1 : 2 + kind % 4, l);
}

void draw_numbers(uint64_t *seed, drawn_link *l)
{
    uint64_t style = l->style;
    draw_body(seed, &style, l);
    if (l->parent < 0) return;
    draw_rotation(seed, &style, l);
    draw_vector(seed, &style, l->p);
    draw_dofs(seed, &style, l);
    if (sva_joint_table[l->type].has_axis) draw_axis(seed, &style, l);
    if (l->weightless) {
        l->mass = l->dof[0][0] = 0;
        memset(l->inertia, 0, sizeof l->inertia);
    }
    if (l->type == SVA_HELICAL) l->pitch = with_sign(seed, size_of(seed));
}

/* Now and then a name that breaks what does not quote it. */
void draw_name(uint64_t *seed, const char *what, int number, char name[NAME])
{
    static const char *const odd[] = {"a b",   "\xc3\xbc", "q\"q",      "back\\slash", "two\nlines", "100%%d %%s",
                                      "{{x}}", "*/ /*",    "?\?/ ?\?=", "it's",        ": - #",      "tab\t",
                                      "a,b",   "-x",       "$HOME",     "null"};
    bool plain = draw_chance(seed, 0.93);
    const char *mark = plain ? "" : odd[draw_below(seed, (int)(sizeof odd / sizeof *odd))];
    if (number)
        snprintf(name, NAME, "%s%s_%d", mark, what, number);
    else
        snprintf(name, NAME, "%s%s", mark, what);
}
