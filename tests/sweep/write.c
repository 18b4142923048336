/* What was drawn, as svagen reads it. */
#include <stdlib.h>
#include <string.h>
#include "sweep.h"

/* ---- YAML */

static void write_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c == '\n')
            fputs("\\n", out);
        else if (*c == '\t')
            fputs("\\x09", out);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

static bool all_zero(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i] != 0) return false;
    return true;
}

static void write_list(const double *x, int n, FILE *out)
{
    for (int i = 0; i < n; i++) fprintf(out, "%s%.17g", i ? ", " : "[", x[i]);
    fputc(']', out);
}

static void write_vector(const char *key, const double *x, int n, FILE *out)
{
    if (all_zero(x, n)) return;
    fprintf(out, "%s: ", key);
    write_list(x, n, out);
    fputc('\n', out);
}

static void write_rotation(const drawn_link *l, FILE *out)
{
    if (l->as_rpy) {
        write_vector("      rpy", l->rpy, 3, out);
        return;
    }
    fputs("      rotation: [", out);
    for (int row = 0; row < 3; row++) {
        if (row) fputs(", ", out);
        write_list(l->R + 3 * row, 3, out);
    }
    fputs("]\n", out);
}

static void write_dofs(const drawn_link *l, FILE *out)
{
    static const char *const keys[] = {"armature", "damping", "friction"};
    int nv = sva_joint_table[l->type].nv;
    for (int what = 0; what < 3; what++) {
        if (all_zero(l->dof[what], nv)) continue;
        fprintf(out, "      %s: ", keys[what]);
        if (l->scalar[what])
            fprintf(out, "%.17g", l->dof[what][0]);
        else
            write_list(l->dof[what], nv, out);
        fputc('\n', out);
    }
}

static void write_mimic(const drawn_robot *r, const drawn_link *l, FILE *out)
{
    if (l->mimics < 0) return;
    fputs("      mimic: {joint: ", out);
    write_text(r->links[l->mimics].joint, out);
    if (l->multiplier != 1) fprintf(out, ", multiplier: %.17g", l->multiplier);
    if (l->offset != 0) fprintf(out, ", offset: %.17g", l->offset);
    fputs("}\n", out);
}

static void write_joint(const drawn_robot *r, const drawn_link *l, FILE *out)
{
    fputs("    parent: ", out);
    write_text(r->links[l->parent].name, out);
    fputs("\n    joint:\n      name: ", out);
    write_text(l->joint, out);
    fprintf(out, "\n      type: %s\n", sva_joint_table[l->type].name);
    write_vector("      xyz", l->p, 3, out);
    write_rotation(l, out);
    write_vector("      axis", l->axis, 3, out);
    if (l->type == SVA_HELICAL) fprintf(out, "      pitch: %.17g\n", l->pitch);
    write_dofs(l, out);
    write_mimic(r, l, out);
}

static void write_link(const drawn_robot *r, const drawn_link *l, FILE *out)
{
    const double *I = l->inertia;
    fputs("  - name: ", out);
    write_text(l->name, out);
    fputc('\n', out);
    if (l->parent >= 0) write_joint(r, l, out);
    if (l->mass > 0) fprintf(out, "    mass: %.17g\n", l->mass);
    write_vector("    com", l->com, 3, out);
    if (all_zero(I, 6)) return;
    if (l->style & 1)
        fprintf(out, "    inertia: {xx: %.17g, xy: %.17g, xz: %.17g, yy: %.17g, yz: %.17g, zz: %.17g}\n", I[0], I[1],
                I[2], I[3], I[4], I[5]);
    else
        fprintf(out, "    inertia: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]\n", I[0], I[1],
                I[2], I[1], I[3], I[4], I[2], I[4], I[5]);
}

void write_robot(const drawn_robot *r, FILE *out)
{
    fputs("svagen: 1\nname: ", out);
    write_text(r->name, out);
    fprintf(out, "\nbase: %s\n", r->floating ? "floating" : "fixed");
    if (r->has_gravity) {
        fputs("gravity: ", out);
        write_list(r->gravity, 3, out);
        fputc('\n', out);
    }
    fputs("links:\n", out);
    for (int place = 0; place < r->n; place++)
        for (int i = r->world; i < r->n; i++)
            if (r->links[i].place == place) write_link(r, &r->links[i], out);
}

/* ---- the command line */

typedef struct command {
    uint64_t *seed;
    char **words;
    int n;
} command;

static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (!copy) abort();
    return strcpy(copy, text);
}

/* --name value or --name=value */
static void add_option(command *c, const char *name, const char *value)
{
    if (!value) return;
    char *joined = malloc(strlen(name) + strlen(value) + 2);
    if (!joined) abort();
    if (draw_chance(c->seed, 0.7)) {
        free(joined);
        c->words[c->n++] = copy_of(name);
        c->words[c->n++] = copy_of(value);
        return;
    }
    sprintf(joined, "%s=%s", name, value);
    c->words[c->n++] = joined;
}

typedef const char *name_of(const drawn_robot *r, const drawn_options *o, int i);
static const char *kernel_of(const drawn_robot *r, const drawn_options *o, int i)
{
    (void)r;
    return kernel_rows[o->order[i]].name;
}
static const char *force_of(const drawn_robot *r, const drawn_options *o, int i) { return r->links[o->fext[i]].name; }
static const char *frame_of(const drawn_robot *r, const drawn_options *o, int i) { return r->links[o->frames[i]].name; }

static void add_list(command *c, const char *option, const drawn_robot *r, const drawn_options *o, int n, name_of *name)
{
    char *text;
    size_t size;
    if (!n) return;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    for (int i = 0; i < n; i++) fprintf(out, "%s%s", i ? "," : "", name(r, o, i));
    fclose(out);
    add_option(c, option, text);
    free(text);
}

static void add_gravity(command *c, const drawn_options *o)
{
    char text[128];
    snprintf(text, sizeof text, "%.17g,%.17g,%.17g", o->pull[0], o->pull[1], o->pull[2]);
    if (o->gravity != GRAVITY_OF_ROBOT) add_option(c, "--gravity", o->gravity == GRAVITY_RUNTIME ? "runtime" : text);
}

static void add_lanes(command *c, const drawn_options *o)
{
    char text[8] = "";
    for (int i = 0; i < o->n_lanes; i++) snprintf(text + 2 * i, 3, "%d,", o->lanes[i]);
    if (!o->n_lanes) return;
    text[2 * o->n_lanes - 1] = 0;
    add_option(c, "--lanes", text);
}

void write_command(uint64_t *seed, const drawn_robot *r, const drawn_options *o, const char *svagen, const char *robot,
                   const char *folder, char *words[MOST_WORDS])
{
    static const char *const losses[] = {NULL, "viscous", "full"};
    command c = {seed, words, 0};
    words[c.n++] = copy_of(svagen);
    words[c.n++] = copy_of("generate");
    words[c.n++] = copy_of(robot);
    add_option(&c, "-o", folder);
    add_option(&c, "--base", o->base < 0 ? NULL : o->base ? "floating" : "fixed");
    add_option(&c, "--real", o->single ? "float" : NULL);
    add_option(&c, "--layout", o->columns ? "col" : NULL);
    add_lanes(&c, o);
    add_gravity(&c, o);
    add_option(&c, "--mimic", o->independent ? "independent" : NULL);
    add_option(&c, "--armature", o->armature);
    add_option(&c, "--friction", losses[o->friction]);
    add_option(&c, "--friction-width", o->width);
    add_list(&c, "--fext", r, o, o->all_links ? 0 : o->n_fext, force_of);
    add_list(&c, "--frames", r, o, o->n_frames, frame_of);
    add_option(&c, "--loops", o->loops);
    add_option(&c, "--vectors", o->vectors);
    add_option(&c, "--solver", o->solver);
    add_list(&c, "--kernels", r, o, o->default_kernels ? 0 : o->n_kernels, kernel_of);
    add_option(&c, "--name", o->name);
    words[c.n] = NULL;
}

static bool needs_quotes(const char *word)
{
    for (const char *c = word; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,=+:", *c)) return true;
    return !*word;
}

void print_command(char *const words[], FILE *out)
{
    for (int i = 0; words[i]; i++) {
        if (i) fputc(' ', out);
        if (!needs_quotes(words[i])) {
            fputs(words[i], out);
            continue;
        }
        fputc('\'', out);
        for (const char *c = words[i]; *c; c++) fputs(*c == '\'' ? "'\\''" : (const char[]){*c, 0}, out);
        fputc('\'', out);
    }
}
