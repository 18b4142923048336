#include "bench/bench.h"

#include <stddef.h>
#include <string.h>
#include "cli.h"
#include "model/bridge.h"

typedef struct bench_values {
    cli_robot robot;
    bool csv;
    int links;
} bench_values;

static const cli_option own_options[] = {
    {"--csv", CLI_FLAG, offsetof(bench_values, csv), NULL, NULL, "comma-separated values"},
    {"--links", CLI_INT, offsetof(bench_values, links), "N", "200", "of the largest synthetic tree"},
    {0},
};

typedef struct bench_kind {
    const char *name;
    void (*heading)(bench_table *t);
    bool (*rows)(bench_table *t, const char *name, const sva_model *m);
} bench_kind;

static const bench_kind kinds[] = {
    {"accuracy", bench_accuracy_heading, bench_accuracy},
#ifdef SVAGEN_COUNTS
    {"complexity", bench_complexity_heading, bench_complexity},
#endif
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool print_rows(cli *c, const bench_kind *k, bench_table *t, const model *m)
{
    sva_status status = SVA_OK;
    sva_model *s = sva_model_from(m, &status);
    if (!s) return diag_error(&c->diag, (place){0}, "the generic library refuses the robot: %s", sva_message(status));
    bool ok = k->rows(t, m->name, s) || diag_error(&c->diag, (place){0}, "out of memory");
    sva_model_free(s);
    return ok;
}

static bool print_robots(cli *c, const bench_kind *k, bench_table *t)
{
    model *m;
    for (int i = 1; i < c->n_args; i++)
        if (!cli_load(c, c->args[i], NULL, &m) || !print_rows(c, k, t, m)) return false;
    return true;
}

/* The papers' trees, with 1, 2 or 5 children a body. */
static bool print_trees(cli *c, const bench_kind *k, bench_table *t, int most)
{
    static const int branchings[] = {1, 2, 5}, lengths[] = {10, 20, 50, 100, 200, 500};
    for (int b = 0; b < 3; b++)
        for (int l = 0; l < 6 && lengths[l] <= most; l++) {
            const robot *r = robot_chain(c->memory, lengths[l], branchings[b]);
            const model *m = model_build(c->memory, r, &(model_options){0}, &c->diag);
            if (!m || !print_rows(c, k, t, m)) return false;
        }
    return true;
}

static int run(cli *c)
{
    const bench_values *v = c->options;
    bench_table t = {stdout, v->csv, 0};
    int k = 0;
    while (k < KINDS && strcmp(c->args[0], kinds[k].name)) k++;
    if (k == KINDS)
        return cli_usage_error(c, "'%s' found, accuracy or complexity (if built with a C++ compiler) expected",
                               c->args[0]);
    kinds[k].heading(&t);
    bool ok = c->n_args > 1 ? print_robots(c, &kinds[k], &t) : print_trees(c, &kinds[k], &t, v->links);
    return ok ? CLI_OK : CLI_FAILED;
}

const cli_verb cli_bench = {
    .name = "bench",
    .summary = "Tables of the generic library: accuracy, or operations and times",
    .arguments = "accuracy|complexity [ROBOT...]",
    .help =
        "accuracy: errors of every algorithm in double and float against quadruple precision. complexity: operation\n"
        "counts, exact, and times. Of the robots given, or else of the papers' synthetic trees of 10, 20, 50... links\n"
        "with 1, 2 or 5 children each.",
    .min_args = 1,
    .max_args = 1000,
    .size = sizeof(bench_values),
    .options = {cli_robot_options, own_options},
    .run = run,
};
