#include "bench/bench.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "bench/measure.h"
#include "generate.h"
#include "model/bridge.h"
#include "model/inverse.h"

typedef struct bench_values {
    cli_generate_values common;
    const char *cc, *cflags, *rival, *out;
    bool csv;
    int links;
} bench_values;

static const cli_option own_options[] = {
    {"--csv", CLI_FLAG, offsetof(bench_values, csv), NULL, NULL, "comma-separated values"},
    {"-o", CLI_TEXT, offsetof(bench_values, out), "FILE", NULL, "comma-separated values to a file, beside the table"},
    {"--links", CLI_INT, offsetof(bench_values, links), "N", NULL, "of the largest synthetic tree (200, kernels: 20)"},
    {"--cc", CLI_TEXT, offsetof(bench_values, cc), "CC", NULL, "kernels: compiler, instead of $CC or cc"},
    {"--cflags", CLI_TEXT, offsetof(bench_values, cflags), "FLAGS", BUILD_FLAGS, "kernels: its options, one word"},
    {"--rival", CLI_TEXT, offsetof(bench_values, rival), "FILE", NULL,
     "kernels: a library after bench/rival.h, to be measured too"},
    {0},
};

/* What the kinds share while they run. */
typedef struct session {
    cli *c;
    const bench_values *v;
    const struct bench_kind *kind;
    bench_table table;
    opponent rival;
    measure_table *measured; /* NULL: no heading yet */
} session;

typedef struct bench_kind {
    const char *name;
    void (*heading)(bench_table *t); /* NULL: the rows print it */
    bool (*generic)(bench_table *t, const char *name, const sva_model *m);
    int (*rows)(session *s, const model *m); /* a status */
    int links;                               /* of the largest tree, unless --links says so */
} bench_kind;

/* ---- of the generic library */

static int generic_rows(session *s, const model *m)
{
    sva_status status = SVA_OK;
    diag *d = &s->c->diag;
    inverse_report(m, d);
    sva_model *generic = sva_model_from(m, &status);
    if (!generic) diag_error(d, (place){0}, "the generic library refuses the robot: %s", sva_message(status));
    bool ok = generic && (s->kind->generic(&s->table, m->name, generic) || diag_error(d, (place){0}, "out of memory"));
    sva_model_free(generic);
    return ok ? CLI_OK : CLI_FAILED;
}

/* ---- of generated kernels */

static int kernel_rows(session *s, const model *m)
{
    generate_choice choice;
    measurements x;
    cli_generate_values common = s->v->common;
    if (!common.lanes) common.lanes = "4,8";
    if (!cli_generate_choose(s->c, m, &common, &choice)) return CLI_USAGE;
    const rival_library *r = s->rival.rival;
    if (!s->measured) s->measured = measure_heading(s->c->memory, &s->table, &choice.options, r ? r->name : NULL);
    build_options build = {.cc = s->v->cc, .flags = s->v->cflags, .progress = true};
    bool ok = measure_robot(&x, m, choice.kernels, &choice.options, &build, &s->rival, &s->c->diag);
    if (ok) measure_rows(s->measured, &x);
    measurements_free(&x);
    return ok ? CLI_OK : CLI_FAILED;
}

static const bench_kind kinds[] = {
    {"accuracy", bench_accuracy_heading, bench_accuracy, generic_rows, 200},
#ifdef SVAGEN_COUNTS
    {"complexity", bench_complexity_heading, bench_complexity, generic_rows, 200},
#endif
    {"kernels", NULL, NULL, kernel_rows, 20}, /* compiling takes its time */
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- of all robots */

static int print_robots(session *s)
{
    model *m;
    int status = CLI_OK;
    for (int i = 1; i < s->c->n_args && status == CLI_OK; i++)
        status = cli_load(s->c, s->c->args[i], NULL, &m) ? s->kind->rows(s, m) : CLI_FAILED;
    return status;
}

/* The papers' trees, with 1, 2 or 5 children a body. */
static int print_trees(session *s)
{
    static const int branchings[] = {1, 2, 5}, lengths[] = {10, 20, 50, 100, 200, 500};
    model_options options = {.armature = s->v->common.robot.armature};
    int status = CLI_OK, most = s->v->links ? s->v->links : s->kind->links;
    for (int b = 0; b < 3; b++)
        for (int l = 0; l < 6 && lengths[l] <= most && status == CLI_OK; l++) {
            const robot *r = robot_chain(s->c->memory, lengths[l], branchings[b]);
            const model *m = model_build(s->c->memory, r, &options, &s->c->diag);
            status = m ? s->kind->rows(s, m) : CLI_FAILED;
        }
    return status;
}

static int print_table(session *s)
{
    if (s->kind->heading) s->kind->heading(&s->table);
    return s->c->n_args > 1 ? print_robots(s) : print_trees(s);
}

/* The file is written when all is known. */
static int print_and_write(session *s)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    if (!memory) return diag_error(&s->c->diag, (place){0}, "out of memory"), CLI_FAILED;
    s->table.sinks[1] = (bench_sink){memory, true};
    int status = print_table(s);
    bool whole = fclose(memory) == 0;
    if (status == CLI_OK && !(whole && file_write(s->v->out, text, length, &s->c->diag))) status = CLI_FAILED;
    free(text);
    return status;
}

/* The options that a kind has no use for; NULL: it takes them all. */
static const char *useless(const cli *c, const session *s)
{
    static const char *const own[] = {"--cc", "--cflags", "--rival", NULL};
    bool kernels = !s->kind->generic;
    for (const cli_option *o = cli_generate_options; o->name && !kernels; o++)
        if (cli_given(c, o->name)) return o->name;
    for (int i = 0; own[i] && !kernels; i++)
        if (cli_given(c, own[i])) return own[i];
    for (const cli_option *o = cli_robot_options; o->name && c->n_args == 1; o++)
        if (cli_given(c, o->name) && !kernels) return o->name;
    return c->n_args > 1 && cli_given(c, "--links") ? "--links" : NULL;
}

static int run(cli *c)
{
    const bench_values *v = c->options;
    session s = {.c = c, .v = v, .kind = kinds, .table = {.sinks = {{stdout, v->csv}}}};
    while (s.kind < kinds + KINDS && strcmp(c->args[0], s.kind->name)) s.kind++;
    if (s.kind == kinds + KINDS)
        return cli_usage_error(c, "'%s' found, accuracy, complexity (if built with a C++ compiler) or kernels expected",
                               c->args[0]);
    const char *option = useless(c, &s);
    if (option)
        return cli_usage_error(c, "%s does nothing for bench %s%s", option, c->args[0],
                               c->n_args > 1 ? " of these robots" : "");
    if (v->rival && !opponent_load(&s.rival, v->rival, &c->diag)) return CLI_FAILED;
    int status = v->out ? print_and_write(&s) : print_table(&s);
    opponent_unload(&s.rival);
    return status;
}

const cli_verb cli_bench = {
    .name = "bench",
    .summary = "Tables: accuracy, or operations and times, of the generic library; times of generated kernels",
    .arguments = "accuracy|complexity|kernels [ROBOT...]",
    .help =
        "accuracy: errors of every algorithm in double and float against quadruple precision. complexity: operation\n"
        "counts, exact, and times. Of the robots given, or else of the papers' synthetic trees of 10, 20, 50... links\n"
        "with 1, 2 or 5 children each.\n"
        "kernels: generates, compiles and measures kernels beside the generic library, which take turns; --kernels,\n"
        "--lanes (4,8 unless given) and the like choose them as for generate. A row has multiplications and additions\n"
        "of a state, bytes of code and processor seconds of compiling it, and for a state the ns of the generic "
        "library,\n"
        "of one state (and its cycles, where the system counts them), of lanes and of a batch; how many times faster\n"
        "than the generic library one state and the best lanes are; and which part of the multiply-adds that the core\n"
        "can do these lanes reach.",
    .min_args = 1,
    .max_args = 1000,
    .size = sizeof(bench_values),
    .options = {cli_robot_options, cli_generate_options, own_options},
    .run = run,
};
