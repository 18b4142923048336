#include "robot.h"
#include <string.h>
#include <strings.h>
#include "base/number.h"
#include "base/utf8.h"

/* Whether n numbers have the bits of another n. */
static bool same(const double *a, const double *b, int n) { return !memcmp(a, b, sizeof *a * (size_t)n); }

static bool all_zero(const double *a, int n)
{
    static const double zero[6];
    return same(a, zero, n);
}

/* Whether YAML reads the text back as it is, and as a text. */
static bool is_plain(const char *s)
{
    static const char *const words[] = {"y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    if (!*s || !strchr(letters, *s)) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcasecmp(s, words[i])) return false;
    return s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-./")] == '\0';
}

/* Characters that a YAML file may hold between double quotes without being changed. */
static bool is_printable(uint32_t c)
{
    if (c < 0xa0) return c >= 0x20 && c < 0x7f;
    return c != 0x2028 && c != 0x2029 && c != 0xfeff && c != 0xfffe && c != 0xffff;
}

static void write_text(FILE *out, const char *s)
{
    if (is_plain(s)) {
        fputs(s, out);
        return;
    }
    fputc('"', out);
    uint32_t code;
    for (int n; *s && (n = utf8_decode(s, &code)) > 0; s += n)
        if (code == '"' || code == '\\')
            fprintf(out, "\\%c", (int)code);
        else if (is_printable(code))
            fwrite(s, 1, (size_t)n, out);
        else
            fprintf(out, code < 256 ? "\\x%02X" : "\\u%04X", (unsigned)code);
    fputc('"', out);
}

static void write_number(FILE *out, double x)
{
    char text[NUMBER_SIZE];
    fputs(number_print(text, x), out);
}

static void write_list(FILE *out, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        fputs(i ? ", " : "[", out);
        write_number(out, x[i]);
    }
    fputc(']', out);
}

static void write_vector(FILE *out, const char *key, const double x[3])
{
    if (all_zero(x, 3)) return;
    fputs(key, out);
    write_list(out, x, 3);
    fputc('\n', out);
}

static void write_rotation(FILE *out, const double R[9])
{
    static const double identity[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (same(R, identity, 9)) return;
    fputs("      rotation:\n", out);
    for (int i = 0; i < 9; i += 3) {
        fputs("        - ", out);
        write_list(out, R + i, 3);
        fputc('\n', out);
    }
}

static void write_scalar(FILE *out, const char *key, double x)
{
    fputs(key, out);
    write_number(out, x);
}

/* One number where all degrees of freedom have the same. */
static void write_dofs(FILE *out, const char *key, const double *x, int nv)
{
    if (all_zero(x, nv)) return;
    fputs(key, out);
    if (same(x, x + 1, nv - 1))
        write_number(out, x[0]);
    else
        write_list(out, x, nv);
    fputc('\n', out);
}

static void write_mimic(const robot *r, const robot_joint *j, FILE *out)
{
    fputs("      mimic: {joint: ", out);
    write_text(out, r->links[j->mimics].joint.name);
    write_scalar(out, ", multiplier: ", j->multiplier);
    if (!all_zero(&j->offset, 1)) write_scalar(out, ", offset: ", j->offset);
    fputs("}\n", out);
}

static void write_limits(const robot_joint *j, FILE *out)
{
    write_scalar(out, "      limits: {lower: ", j->lower);
    write_scalar(out, ", upper: ", j->upper);
    write_scalar(out, ", effort: ", j->effort);
    write_scalar(out, ", velocity: ", j->velocity);
    fputs("}\n", out);
}

static void write_joint(const robot *r, const robot_joint *j, FILE *out)
{
    const sva_joint_info *info = &sva_joint_table[j->type];
    fputs("    joint:\n      name: ", out);
    write_text(out, j->name);
    fprintf(out, "\n      type: %s\n", info->name);
    write_vector(out, "      xyz: ", j->p);
    write_rotation(out, j->R);
    if (info->has_axis) write_vector(out, "      axis: ", j->axis);
    if (j->type == SVA_HELICAL) {
        write_scalar(out, "      pitch: ", j->pitch);
        fputc('\n', out);
    }
    write_dofs(out, "      armature: ", j->armature, info->nv);
    write_dofs(out, "      damping: ", j->damping, info->nv);
    write_dofs(out, "      friction: ", j->friction, info->nv);
    if (j->has_limits) write_limits(j, out);
    if (j->mimics >= 0) write_mimic(r, j, out);
}

static void write_inertia(const double I[6], FILE *out)
{
    static const char *const keys[] = {"xx", "xy", "xz", "yy", "yz", "zz"};
    if (all_zero(I, 6)) return;
    const char *before = "    inertia: {";
    for (int i = 0; i < 6; i++) {
        bool diagonal = keys[i][0] == keys[i][1];
        if (!diagonal && all_zero(&I[i], 1)) continue;
        fprintf(out, "%s%s: ", before, keys[i]);
        write_number(out, I[i]);
        before = ", ";
    }
    fputs("}\n", out);
}

static void write_link(const robot *r, const robot_link *link, FILE *out)
{
    fputs(link->parent < 0 ? "  - name: " : "\n  - name: ", out);
    write_text(out, link->name);
    fputc('\n', out);
    if (link->parent >= 0) {
        fputs("    parent: ", out);
        write_text(out, r->links[link->parent].name);
        fputc('\n', out);
        write_joint(r, &link->joint, out);
    }
    if (!all_zero(&link->mass, 1)) {
        write_scalar(out, "    mass: ", link->mass);
        fputc('\n', out);
    }
    write_vector(out, "    com: ", link->com);
    write_inertia(link->inertia, out);
}

void robot_write_yaml(const robot *r, FILE *out)
{
    static const double usual[] = {0, 0, -9.81};
    fputs("svagen: 1\nname: ", out);
    write_text(out, r->name);
    fprintf(out, "\nbase: %s\n", r->floating ? "floating" : "fixed");
    if (!same(r->gravity, usual, 3)) {
        fputs("gravity: ", out);
        write_list(out, r->gravity, 3);
        fputc('\n', out);
    }
    fputs("links:\n", out);
    for (int i = 0; i < r->n_links; i++) write_link(r, &r->links[i], out);
}
