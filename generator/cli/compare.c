#include "compare/compare.h"

#include <stddef.h>
#include "base/text.h"
#include "generate.h"

typedef struct compare_values {
    cli_generate_values common;
    const char *cc, *cflags;
    int states, seed;
} compare_values;

static const cli_option own_options[] = {
    {"--cc", CLI_TEXT, offsetof(compare_values, cc), "CC", NULL, "compiler, instead of $CC or cc"},
    {"--cflags", CLI_TEXT, offsetof(compare_values, cflags), "FLAGS", BUILD_FLAGS, "its options, one word"},
    {"--states", CLI_INT, offsetof(compare_values, states), "N", "7", "random states to compare at"},
    {"--seed", CLI_INT, offsetof(compare_values, seed), "N", "1", "of the random states"},
    {0},
};

static void print_result(const comparison *c)
{
    text_print(c->model->name, false, stdout);
    printf(": %d degrees of freedom, %s base, %s\n\n", c->model->nv, c->model->floating ? "floating" : "fixed",
           c->options->single ? "float" : "double");
    compare_print(c, stdout);
    puts("\nerror: |x - truth| over the largest |truth| of an output, the worst of all; truth is the generic library "
         "in\n"
         "quadruple precision. An output that is zero but for roundings is measured against a bound of its size. Bytes "
         "of\n"
         "code: the executable sections of the kernel's object file, lanes included. Times of one state, the best of "
         "many\n"
         "turns that the contestants take; ratios are to the generic library.");
}

static int compare(cli *c)
{
    const compare_values *v = c->options;
    model *m;
    generate_choice choice;
    if (v->states < 1) return cli_usage_error(c, "--states: at least 1 is needed");
    if (!cli_load(c, c->args[0], NULL, &m)) return CLI_FAILED;
    if (!cli_generate_choose(c, m, &v->common, &choice)) return CLI_USAGE;
    compare_options o = {{v->cc, v->cflags, true, NULL}, v->states, (uint64_t)v->seed, true};
    comparison result;
    bool ok = compare_robot(&result, m, choice.kernels, &choice.options, &o, &c->diag);
    if (ok) print_result(&result);
    if (ok && !result.agrees)
        ok = diag_error(&c->diag, (place){0},
                        "the rows marked WRONG disagree: with the truth, or lanes with single states");
    comparison_free(&result);
    return ok ? CLI_OK : CLI_FAILED;
}

const cli_verb cli_compare = {
    "compare",
    "generate, compile, run beside the generic library: errors and times",
    "ROBOT",
    "Generates the kernels of the robot into a temporary folder, compiles and loads them, and compares them at random\n"
    "states with the generic library. Exit code 1 if they disagree.",
    1,
    1,
    sizeof(compare_values),
    {cli_robot_options, cli_generate_options, own_options},
    compare,
};
