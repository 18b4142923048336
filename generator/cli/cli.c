#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/names.h"
#include "base/number.h"

static const place nowhere;
enum { MAX_WORDS = 64 }; /* considered for a guess */

int cli_usage_error(cli *c, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *verb = c->verb ? c->verb->name : "";
    diag_error(&c->diag, nowhere, "%s (see svagen %s%s--help)", text, verb, *verb ? " " : "");
    return CLI_USAGE;
}

static const char *guess(cli *c, const char *word, const char *const *known, int n)
{
    const char *nearest = names_closest(word, known, n);
    return nearest ? arena_printf(c->memory, ", did you mean '%s'?", nearest) : "";
}

static bool parse_text(const cli_option *o, const char *text, void *target)
{
    (void)o;
    *(const char **)target = text;
    return *text != 0;
}

static bool parse_int(const cli_option *o, const char *text, void *target)
{
    (void)o;
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    *(int *)target = (int)value;
    return end != text && !*end && !errno && value >= 0 && value <= INT_MAX;
}

static bool parse_real(const cli_option *o, const char *text, void *target)
{
    (void)o;
    double *value = target;
    return number_parse(text, strlen(text), value) && *value >= 0;
}

static bool parse_choice(const cli_option *o, const char *text, void *target)
{
    int i = 1;
    for (const char *word = o->value; *word; i++) {
        size_t length = strcspn(word, "|");
        if (strlen(text) == length && !strncmp(text, word, length)) {
            *(int *)target = i;
            return true;
        }
        word += length + (word[length] == '|');
    }
    return false;
}

static bool parse_gravity(const cli_option *o, const char *text, void *target)
{
    (void)o;
    cli_gravity *g = target;
    *g = (cli_gravity){.given = true, .runtime = !strcmp(text, "runtime")};
    if (g->runtime) return true;
    for (int i = 0; i < 3; i++) {
        size_t length = strcspn(text, ",");
        if (!number_parse(text, length, &g->value[i]) || text[length] != (i < 2 ? ',' : 0)) return false;
        text += length + 1;
    }
    return true;
}

static bool (*const parse_value[CLI_KINDS])(const cli_option *, const char *, void *) = {
    [CLI_TEXT] = parse_text,     [CLI_INT] = parse_int,         [CLI_REAL] = parse_real,
    [CLI_CHOICE] = parse_choice, [CLI_GRAVITY] = parse_gravity,
};

/* Calls for every option of the verb's tables. */
#define EACH_OPTION(o, verb)                                                                                           \
    for (const cli_option *const *table_ = (verb)->options; *table_; table_++)                                         \
        for (const cli_option *o = *table_; o->name; o++)

static void *target_of(cli *c, const cli_option *o) { return (char *)c->options + o->target; }

static void set_initial(cli *c)
{
    c->options = arena_alloc(c->memory, c->verb->size);
    EACH_OPTION(o, c->verb)
    if (o->initial) parse_value[o->kind](o, o->initial, target_of(c, o));
}

/* The option called by the first `length` characters of word. */
static const cli_option *find_option(cli *c, const char *word, size_t length)
{
    EACH_OPTION(o, c->verb)
    if (strlen(o->name) == length && !strncmp(o->name, word, length)) return o;
    const char *known[MAX_WORDS], *unknown = arena_copy(c->memory, word, length);
    int n = 0;
    EACH_OPTION(o, c->verb)
    if (n < MAX_WORDS) known[n++] = o->name;
    cli_usage_error(c, "unknown option '%s'%s", unknown, guess(c, unknown, known, n));
    return NULL;
}

/* One option: --name value or --name=value. Returns how many words it took, 0 after an error. */
static int parse_option(cli *c, int n, char **args)
{
    size_t length = strcspn(args[0], "=");
    const cli_option *o = find_option(c, args[0], length);
    if (!o) return 0;
    c->given[c->n_given++] = o;
    const char *inside = args[0][length] ? args[0] + length + 1 : NULL;
    if (o->kind == CLI_FLAG) {
        *(bool *)target_of(c, o) = true;
        return inside ? (cli_usage_error(c, "option %s takes no value", o->name), 0) : 1;
    }
    if (!inside && n < 2) return cli_usage_error(c, "option %s needs a value: %s", o->name, o->value), 0;
    const char *value = inside ? inside : args[1];
    if (!parse_value[o->kind](o, value, target_of(c, o)))
        return cli_usage_error(c, "option %s: '%s' found, %s expected", o->name, value, o->value), 0;
    return inside ? 1 : 2;
}

static bool parse(cli *c, int n, char **args)
{
    set_initial(c);
    c->args = ARENA_ARRAY(c->memory, const char *, n + 1);
    c->given = ARENA_ARRAY(c->memory, const cli_option *, n + 1);
    bool options_end = false;
    for (int i = 0, took; i < n; i += took) {
        took = 1;
        if (options_end || args[i][0] != '-' || !args[i][1])
            c->args[c->n_args++] = args[i];
        else if (!strcmp(args[i], "--"))
            options_end = true;
        else if (!(took = parse_option(c, n - i, args + i)))
            return false;
    }
    return true;
}

bool cli_given(const cli *c, const char *name)
{
    for (int i = 0; i < c->n_given; i++)
        if (!strcmp(c->given[i]->name, name)) return true;
    return false;
}

static bool check_count(cli *c)
{
    const cli_verb *v = c->verb;
    if (c->n_args < v->min_args)
        cli_usage_error(c, "an argument is missing: svagen %s %s", v->name, v->arguments);
    else if (c->n_args > v->max_args)
        cli_usage_error(c, "unexpected argument '%s'", c->args[v->max_args]);
    return !c->diag.errors;
}

static void print_options(const cli_verb *v)
{
    EACH_OPTION(o, v)
    {
        int used = printf("  %s%s%s", o->name, o->kind == CLI_FLAG ? "" : " ", o->kind == CLI_FLAG ? "" : o->value);
        printf("%*s%s", used < 34 ? 34 - used : 2, "", o->help);
        printf(o->initial ? " (%s)\n" : "\n", o->initial);
    }
    printf("  %-32s%s\n", "--help", "this text");
}

static int print_verb_help(const cli_verb *v)
{
    printf("usage: svagen %s %s\n\n%s.\n", v->name, v->arguments, v->summary);
    if (v->help) printf("\n%s\n", v->help);
    puts("\nOptions:");
    print_options(v);
    return CLI_OK;
}

static int print_help(const cli_verb *const *verbs)
{
    puts("usage: svagen VERB ARGUMENTS\n\nWrites C for the dynamics of one robot.\n\nVerbs:");
    for (; *verbs; verbs++) printf("  %-10s%s\n", (*verbs)->name, (*verbs)->summary);
    puts("\nsvagen VERB --help says more; svagen --version prints the version.\n"
         "Exit code: 0 done, 1 wrong input or a mismatch, 2 wrong command line.");
    return CLI_OK;
}

static bool is_help(const char *word) { return !strcmp(word, "--help") || !strcmp(word, "-h"); }

static bool wants_help(int n, char **args)
{
    for (int i = 0; i < n && strcmp(args[i], "--"); i++)
        if (is_help(args[i])) return true;
    return false;
}

static int unknown_verb(cli *c, const cli_verb *const *verbs, const char *word)
{
    const char *known[MAX_WORDS] = {"--help", "--version"};
    int n = 2;
    for (; *verbs && n < MAX_WORDS; verbs++) known[n++] = (*verbs)->name;
    return cli_usage_error(c, "unknown %s '%s'%s", *word == '-' ? "option" : "verb", word, guess(c, word, known, n));
}

int cli_run(cli *c, const cli_verb *const *verbs, int n, char **args)
{
    if (n == 0) return cli_usage_error(c, "no verb given");
    if (is_help(args[0])) return print_help(verbs);
    if (!strcmp(args[0], "--version")) return puts("svagen " SVAGEN_VERSION), CLI_OK;
    const cli_verb *const *v = verbs;
    while (*v && strcmp((*v)->name, args[0])) v++;
    if (!*v) return unknown_verb(c, verbs, args[0]);
    c->verb = *v;
    if (wants_help(n - 1, args + 1)) return print_verb_help(*v);
    if (!parse(c, n - 1, args + 1) || !check_count(c)) return CLI_USAGE;
    return (*v)->run(c);
}
