#include "words.h"

#include <stdlib.h>
#include <string.h>
#include "base/number.h"

/* ---- items of lists */

static int hex(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* One character, plain or after a backslash; moves on. */
static char unescaped(const char **from)
{
    const char *c = *from;
    int high = -1, low = -1;
    *from += 1;
    if (*c != '\\') return *c;
    if (c[1] == ',' || c[1] == '\\') return *from += 1, c[1];
    if (c[1] == 'x' && (high = hex(c[2])) >= 0 && (low = hex(c[3])) >= 0 && high + low > 0)
        return *from += 3, (char)(16 * high + low);
    return *c;
}

char *words_item(char **rest)
{
    char *item = *rest, *to = item;
    if (!item) return NULL;
    const char *from = item;
    while (*from && *from != ',') *to++ = unescaped(&from);
    *rest = *from ? item + (from + 1 - item) : NULL;
    *to = 0;
    return item;
}

const char *words_text(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) *to++ = unescaped(&from);
    *to = 0;
    return text;
}

/* ---- names */

const char *words_name(arena *memory, const char *name)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/+@%-",
                      quoted[] = " ,!\"#$&()<>;=[]^`{}|~";
    char *out = arena_alloc(memory, 4 * strlen(name) + 3), *to = out;
    bool quote = false;
    *to++ = '\'';
    for (const char *c = name; *c; c++) {
        bool plain = strchr(bare, *c) != NULL;
        quote = quote || !plain;
        if (*c == ',' || *c == '\\') *to++ = '\\';
        if (plain || strchr(quoted, *c) || *c == '\\')
            *to++ = *c;
        else
            to += sprintf(to, "\\x%02x", (unsigned char)*c);
    }
    if (!quote) return *to = 0, out + 1;
    *to = '\'';
    return out;
}

/* ---- options */

typedef struct line {
    arena *memory;
    const char *text;
} line;

static void add(line *l, const char *option, const char *value)
{
    l->text = arena_printf(l->memory, "%s%s%s%s%s", l->text, *l->text ? " " : "", option, *value ? " " : "", value);
}

static void add_number(line *l, const char *option, double x)
{
    char text[NUMBER_SIZE];
    add(l, option, number_print(text, x));
}

/* A choice that was made: words has one for each of its values, NULL for those that go without saying. */
static void add_choice(line *l, const char *option, int value, const char *const *words)
{
    if (words[value]) add(l, option, words[value]);
}

static void add_places(line *l, const char *option, const model *m, const int *frames, int n)
{
    const char *list = "";
    for (int i = 0; i < n; i++)
        list = arena_printf(l->memory, "%s%s%s", list, i ? "," : "", words_name(l->memory, m->frames[frames[i]].name));
    add(l, option, list);
}

static void add_gravity(line *l, const cli_gravity *g)
{
    char x[3][NUMBER_SIZE];
    if (g->runtime) add(l, "--gravity", "runtime");
    if (!g->given || g->runtime) return;
    for (int i = 0; i < 3; i++) number_print(x[i], g->value[i]);
    add(l, "--gravity", arena_printf(l->memory, "%s,%s,%s", x[0], x[1], x[2]));
}

static void add_robot(line *l, cli *c, const model *m, const cli_robot *r)
{
    static const char *const mimic[] = {"dependent", "dependent", "independent"};
    add(l, "--base", m->floating ? "floating" : "fixed");
    add_choice(l, "--mimic", r->mimic, mimic);
    if (r->name) add(l, "--name", words_name(l->memory, m->name));
    if (r->armature > 0) add_number(l, "--armature", r->armature);
    if (r->allow_unphysical) add(l, "--allow-unphysical", "");
    if (cli_given(c, "--clean")) add_number(l, "--clean", r->clean);
    add_gravity(l, &r->gravity);
}

static void add_lanes(line *l, const emit_options *o)
{
    const char *list = "";
    for (int i = 0; i < o->n_lanes; i++) list = arena_printf(l->memory, "%s%s%d", list, i ? "," : "", o->lanes[i]);
    if (o->n_lanes) add(l, "--lanes", list);
}

static void add_kernels(line *l, const kernel_info *const *kernels)
{
    const char *list = "";
    for (int i = 0; kernels[i]; i++) list = arena_printf(l->memory, "%s%s%s", list, i ? "," : "", kernels[i]->name);
    add(l, "--kernels", list);
}

const char *words_of(cli *c, const model *m, const cli_generate_values *v, const generate_choice *choice)
{
    static const char *const loopings[] = {NULL, NULL, "always", "never"}, *const vectors[] = {NULL, NULL, "never"},
                             *const solvers[] = {NULL, NULL, "ltl", "branches", "aza", "dmm"},
                             *const frictions[] = {NULL, NULL, "viscous", "full"};
    const trace_options *o = &choice->options.trace;
    line l = {c->memory, ""};
    add_robot(&l, c, m, &v->robot);
    add(&l, "--real", v->real == 2 ? "float" : "double");
    add(&l, "--layout", v->layout == 2 ? "col" : "row");
    add_lanes(&l, &choice->options);
    add_choice(&l, "--friction", v->friction, frictions);
    if (o->friction == FRICTION_FULL) add_number(&l, "--friction-width", o->friction_width);
    add_choice(&l, "--loops", v->loops, loopings);
    add_choice(&l, "--solver", v->solver, solvers);
    add_choice(&l, "--vectors", v->vectors, vectors);
    if (v->fext) add_places(&l, "--fext", m, o->fext_frames, o->n_fext);
    if (v->frames) add_places(&l, "--frames", m, o->jac_frames, o->n_jac_frames);
    if (v->single_file) add(&l, "--single-file", "");
    add_kernels(&l, choice->kernels);
    return l.text;
}
