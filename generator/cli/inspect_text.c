#include "inspect.h"

#include <stdlib.h>
#include <string.h>
#include "base/text.h"

enum {
    NAME_COLUMNS = 36, /* longer names are cut */
    TREE_COLUMNS = 60, /* for the lines of the tree and the joint's name */
    LEVELS = 8,        /* of branches that are drawn; deeper ones are shifted no further */
    LIMBS_NAMED = 8,
    PICTURE = 60, /* rows of a matrix that are drawn */
};

/* What the tree is drawn with: the last branch, another one, beside another one. */
typedef struct pen {
    const char *last, *branch, *beside;
} pen;

static const pen pens[] = {{"└─ ", "├─ ", "│  "}, {"`- ", "|- ", "|  "}};

typedef struct drawing {
    const model *m;
    bool ascii;
    FILE *out;
    int *level;  /* of each body: branches on the way to it */
    int *branch; /* of each body: the one at whose branch its column begins */
    bool *last;  /* it is the last one that hangs from its parent */
    int columns; /* of the tree with the joints' names */
    int axis_columns;
} drawing;

static void pad(FILE *out, int used, int columns) { fprintf(out, "%*s", used < columns ? columns - used : 0, ""); }

static void find_siblings(drawing *d, arena *memory)
{
    int n = d->m->n_bodies, *follower = ARENA_ARRAY(memory, int, n + 1);
    d->level = ARENA_ARRAY(memory, int, n + 1);
    d->last = ARENA_ARRAY(memory, bool, n + 1);
    d->branch = ARENA_ARRAY(memory, int, n + 1);
    for (int i = n - 1; i >= 0; i--) {
        int *later = &follower[d->m->bodies[i].parent + 1]; /* siblings seen already */
        d->last[i] = (*later)++ == 0;
    }
    for (int i = 0; i < n; i++) {
        int parent = d->m->bodies[i].parent;
        bool only = parent >= 0 && follower[parent + 1] == 1;
        d->branch[i] = only ? d->branch[parent] : i;
        d->level[i] = (parent < 0 ? 0 : d->level[parent]) + !only;
    }
}

/* The lines in front of a body, outermost first, and how many columns they take. */
static int draw_lines(const drawing *d, int i, bool quiet)
{
    const pen *p = &pens[d->ascii];
    const char *parts[LEVELS];
    int n = 0;
    for (int b = i; b >= 0 && n < LEVELS; b = d->m->bodies[b].parent) {
        b = d->branch[b];
        parts[n++] = b == i ? (d->last[b] ? p->last : p->branch) : d->last[b] ? "   " : p->beside;
    }
    bool cut = d->level[i] > LEVELS;
    if (quiet) return 3 * n + 4 * cut;
    if (cut) fputs("... ", d->out);
    for (int k = n - 1; k >= 0; k--) fputs(parts[k], d->out);
    return 3 * n + 4 * cut;
}

/* x, -y for the coordinate axes, else its three numbers. */
static const char *axis_words(const model_body *b, char buffer[64])
{
    if (!sva_joint_table[b->type].has_axis) return "";
    for (int i = 0; i < 3; i++) {
        bool alone = b->axis[(i + 1) % 3] == 0 && b->axis[(i + 2) % 3] == 0;
        if (!alone) continue;
        snprintf(buffer, 64, "%s%c", b->axis[i] < 0 ? "-" : "", "xyz"[i]);
        return buffer;
    }
    snprintf(buffer, 64, "(%.3g, %.3g, %.3g)", b->axis[0], b->axis[1], b->axis[2]);
    return buffer;
}

static void measure_columns(drawing *d)
{
    for (int i = 0; i < d->m->n_bodies; i++) {
        char axis[64];
        int lines = draw_lines(d, i, true);
        int used = lines + text_print_cut(d->m->bodies[i].joint_name, NAME_COLUMNS, d->ascii, NULL);
        if (used > d->columns) d->columns = used < TREE_COLUMNS ? used : TREE_COLUMNS;
        int axis_columns = (int)strlen(axis_words(&d->m->bodies[i], axis));
        if (axis_columns > d->axis_columns) d->axis_columns = axis_columns;
    }
}

static void draw_mimic(const drawing *d, const model_body *b)
{
    if (b->master < 0) return;
    fputs("  = ", d->out);
    if (b->multiplier == -1) fputc('-', d->out);
    if (b->multiplier != 1 && b->multiplier != -1) fprintf(d->out, "%g * ", b->multiplier);
    text_print_cut(d->m->bodies[b->master].joint_name, NAME_COLUMNS, d->ascii, d->out);
    if (b->offset != 0) fprintf(d->out, " %c %g", b->offset < 0 ? '-' : '+', b->offset < 0 ? -b->offset : b->offset);
}

static void draw_body(const drawing *d, int i)
{
    const model_body *b = &d->m->bodies[i];
    char axis[64], mass[32];
    int used = draw_lines(d, i, false);
    used += text_print_cut(b->joint_name, NAME_COLUMNS, d->ascii, d->out);
    pad(d->out, used, d->columns);
    snprintf(mass, sizeof mass, "%.4g kg", b->mass);
    fprintf(d->out, "  %-11s %-*s %11s  ", sva_joint_table[b->type].name, d->axis_columns, axis_words(b, axis), mass);
    text_print_cut(b->name, NAME_COLUMNS, d->ascii, d->out);
    draw_mimic(d, b);
    fputc('\n', d->out);
}

static void draw_tree(const inspection *in, bool ascii, FILE *out)
{
    arena *scratch = arena_new();
    drawing d = {.m = in->model, .ascii = ascii, .out = out};
    find_siblings(&d, scratch);
    measure_columns(&d);
    fputs("\nground\n", out);
    for (int i = 0; i < d.m->n_bodies; i++) draw_body(&d, i);
    arena_free(scratch);
}

static void print_summary(const inspection *in, bool ascii, FILE *out)
{
    const model *m = in->model;
    text_print_cut(m->name, 2 * NAME_COLUMNS, ascii, out);
    fprintf(out, ": %s base, nq %d, nv %d\n", m->floating ? "floating" : "fixed", m->nq, m->nv);
    fprintf(out, "%d bodies, depth %d, branches %d, frames %d\n", m->n_bodies, in->depth, in->branches, m->n_frames);
    fprintf(out, "mass %.6g kg, of which %.6g kg move; gravity ", in->mass, in->moving_mass);
    if (in->gravity_at_runtime)
        fputs("at run time\n", out);
    else
        fprintf(out, "(%g, %g, %g) m/s^2\n", m->gravity[0], m->gravity[1], m->gravity[2]);
}

/* Whether any entry of a square of `side` entries can be non-zero. */
static bool any_in(const sparsity *s, int row, int column, int side)
{
    for (int i = row; i < row + side && i < s->nv; i++)
        for (int j = column; j < column + side && j < s->nv; j++)
            if (sparsity_at(s, i, j)) return true;
    return false;
}

static void print_pattern(const sparsity *s, FILE *out)
{
    if (!s || s->nv == 0) return;
    double percent = 100.0 * (double)s->nonzeros / ((double)s->nv * s->nv);
    fprintf(out, "\nmass matrix: %ld of %ld entries can be non-zero (%.3g%%)\n", s->nonzeros, (long)s->nv * s->nv,
            percent);
    int side = (s->nv + PICTURE - 1) / PICTURE;
    if (side > 1) fprintf(out, "  each sign stands for %d x %d entries\n", side, side);
    for (int i = 0; i < s->nv; i += side) {
        fputs("  ", out);
        for (int j = 0; j < s->nv; j += side) fputs(any_in(s, i, j, side) ? "x" : ".", out);
        fputc('\n', out);
    }
}

/* A group and, indented below it, those inside its limbs. */
static void print_group(const inspection *in, int g, int indentation, bool ascii, FILE *out)
{
    const limb_group *group = &in->limbs.groups[g];
    fprintf(out, "%*s%d x %d %s:", indentation, "", group->n_limbs, group->n_bodies,
            group->n_bodies == 1 ? "body" : "bodies");
    for (int i = 0; i < group->n_limbs && i < LIMBS_NAMED; i++) {
        fputs(i ? ", " : " ", out);
        text_print_cut(in->model->bodies[group->roots[i]].joint_name, NAME_COLUMNS, ascii, out);
    }
    fputs(group->n_limbs > LIMBS_NAMED ? ", ...\n" : "\n", out);
    for (int inner = g + 1; inner < in->limbs.n_groups; inner++)
        if (in->limbs.groups[inner].outer == g) print_group(in, inner, indentation + 2, ascii, out);
}

static void print_limbs(const inspection *in, bool ascii, FILE *out)
{
    if (in->limbs.n_groups == 0) return;
    fputs("\nlimbs of one shape\n", out);
    for (int g = 0; g < in->limbs.n_groups; g++)
        if (in->limbs.groups[g].outer < 0) print_group(in, g, 2, ascii, out);
}

/* Each with the link that moves it. */
static void print_frames(const inspection *in, bool ascii, FILE *out)
{
    const model *m = in->model;
    fputs("\nframes, and what carries them\n", out);
    for (int i = 0; i < m->n_frames; i++) {
        int body = m->frames[i].body;
        fputs("  ", out);
        int used = text_print_cut(m->frames[i].name, NAME_COLUMNS, ascii, out);
        pad(out, used, NAME_COLUMNS + 2);
        text_print_cut(body < 0 ? "the ground" : m->bodies[body].name, NAME_COLUMNS, ascii, out);
        fputc('\n', out);
    }
}

static void print_messages(const diag *d, FILE *out)
{
    int notes = 0;
    for (const diag_item *i = d->first; i; i = i->next) notes += i->level == DIAG_NOTE;
    fprintf(out, "\n%d warning%s, %d note%s%s\n", d->warnings, d->warnings == 1 ? "" : "s", notes,
            notes == 1 ? "" : "s", notes ? " (--json lists them)" : "");
    diag_print(d, DIAG_WARNING, out);
}

void inspect_text(const inspection *in, bool ascii, FILE *out)
{
    print_summary(in, ascii, out);
    draw_tree(in, ascii, out);
    print_pattern(in->mass_matrix, out);
    print_limbs(in, ascii, out);
    if (in->list_frames) print_frames(in, ascii, out);
    print_messages(in->diag, out);
}
