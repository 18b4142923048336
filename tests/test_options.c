/* What --dump, --solver and --vectors promise. */
#include <math.h>
#include <string.h>
#include <unistd.h>
#include "agreement.h"
#include "command.h"
#include "fixture.h"
#include "passes/passes.h"
#include "suite.h"

static const char subject[] = "robots/double_pendulum.yaml";

static char *dumped(const char *what, const char *kernels)
{
    char arguments[400];
    snprintf(arguments, sizeof arguments, "generate %s --kernels %s --dump %s", subject, kernels, what);
    command c = run_svagen(arguments), again = run_svagen(arguments);
    ck_assert_msg(c.status == 0, "%s: %s", what, c.out);
    ck_assert_str_eq(c.out, again.out);
    free(again.out);
    return c.out;
}

/* The line after the one at `text`; NULL at the end. */
static const char *next_line(const char *text)
{
    const char *end = strchr(text, '\n');
    return end && end[1] ? end + 1 : NULL;
}

static bool starts(const char *line, const char *with) { return !strncmp(line, with, strlen(with)); }

/* ---- --dump */

START_TEST(dump_of_the_model)
{
    char *text = dumped("model", "rnea");
    fixture f = fixture_robot(subject, (model_options){0});
    const char *line = text;
    ck_assert(starts(line, "# body parent type q v mass name\n"));
    for (int i = 0; i < f.model->n_bodies; i++) {
        const model_body *b = &f.model->bodies[i];
        int number, parent, iq, nq, iv, nv;
        char type[40], name[40];
        double mass;
        ck_assert_ptr_nonnull(line = next_line(line));
        ck_assert_int_eq(
            sscanf(line, "%d %d %39s %d+%d %d+%d %lf %39s", &number, &parent, type, &iq, &nq, &iv, &nv, &mass, name),
            9);
        const int numbers[] = {number, parent, iq, nq, iv, nv}, want[] = {i, b->parent, b->iq, b->nq, b->iv, b->nv};
        ck_assert_mem_eq(numbers, want, sizeof want);
        ck_assert_str_eq(type, sva_joint_table[b->type].name);
        ck_assert_str_eq(name, b->name);
        ck_assert_double_eq(mass, b->mass);
    }
    ck_assert_ptr_null(next_line(line));
    fixture_free(&f);
    free(text);
}
END_TEST

START_TEST(dump_of_traces)
{
    char *text = dumped("trace", "rnea,aba");
    const char *line = text;
    static const char *const begins[] = {
        "# rnea\n", "## for any machine", "# one way only: ", "straight text\n", "# aba\n", "## for any machine",
        "# ",       "straight text\n"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++, line = next_line(line))
        ck_assert_msg(line && starts(line, begins[i]), "%s", text);
    ck_assert(strstr(text, "L'DL") || strstr(text, "AZA") || strstr(text, "DMM"));
    free(text);
}
END_TEST

/* A dumped graph is a program: run at q, its nodes in order. Lines of outputs are M[i] = node. */
enum { NODES = 2000, ENTRIES = 4 };

static double operation(const char *op, double a, double b)
{
    for (const graph_op_info *o = graph_op_table; o < graph_op_table + OP_COUNT; o++)
        if (!strcmp(o->name, op) && o->eval) return o->eval(a, b);
    ck_abort_msg("operation %s", op);
    return NAN;
}

static double node_of_line(const char *op, const char *operands, const double *q, const double *value)
{
    int a = 0, b = 0;
    double x;
    if (!strcmp(op, "const") && sscanf(operands, "%lf", &x) == 1) return x;
    if (!strcmp(op, "input") && sscanf(operands, " q[%d]", &a) == 1) return q[a];
    ck_assert_int_ge(sscanf(operands, "%d %d", &a, &b), 1);
    return operation(op, value[a], value[b]);
}

static void run_dump(const char *line, const double *q, double *M)
{
    static double value[NODES];
    int nodes = EXPR_UNSET + 1, outputs = 0;
    for (; line; line = next_line(line)) {
        int number, node, used;
        char op[20];
        if (*line == '#') continue;
        if (sscanf(line, "M[%d] = %d", &number, &node) == 2) {
            ck_assert(number < ENTRIES && node < nodes);
            M[number] = value[node];
            outputs++;
            continue;
        }
        ck_assert_int_eq(sscanf(line, "%d %19s%n", &number, op, &used), 2);
        ck_assert(number == nodes && nodes < NODES);
        value[nodes++] = node_of_line(op, line + used, q, value);
    }
    ck_assert_int_eq(outputs, ENTRIES);
}

START_TEST(dumps_of_graphs)
{
    fixture f = fixture_robot(subject, (model_options){0});
    sva_workspace *w = sva_workspace_new(f.sva);
    const double q[2] = {0.3, -1.1};
    double want[ENTRIES], M[ENTRIES];
    sva_crba(f.sva, w, q, want);
    for (int passes = 0; passes < 2; passes++) {
        char *text = dumped(passes ? "passes" : "graph", "crba");
        ck_assert(starts(text, "# crba\n## for any machine, and for lanes of states\n### text 0\n"));
        for (int i = -1; i < pass_count && passes; i++) {
            char begin[100];
            snprintf(begin, sizeof begin, "\n# %s: ", i < 0 ? "traced" : pass_table[i].name);
            ck_assert_ptr_nonnull(strstr(text, begin));
        }
        run_dump(text, q, M);
        ck_assert_double_lt(relative_error(ENTRIES, M, want), 1e-14);
        free(text);
    }
    sva_workspace_free(w);
    fixture_free(&f);
}
END_TEST

START_TEST(dump_of_the_schedule)
{
    char *text = dumped("schedule", "crba");
    int statements, functions, angles, cross, defined = 0, stored = 0, node, output, next = 1;
    const char *line = strstr(text, "### text 0\n");
    ck_assert_ptr_nonnull(line = line ? next_line(line) : NULL);
    ck_assert_int_eq(sscanf(line, "# %d statements in %d functions, %d angles, %d values cross", &statements,
                            &functions, &angles, &cross),
                     4);
    while ((line = next_line(line))) {
        if (sscanf(line, "function %d", &output) == 1)
            ck_assert_int_eq(output, next++);
        else if (sscanf(line, "store %d to output %d", &node, &output) == 2)
            stored++;
        else
            defined += sscanf(line, "define %d", &node);
    }
    ck_assert_int_eq(defined + stored, statements);
    ck_assert_int_eq(stored, ENTRIES);
    ck_assert_int_eq(next, functions + 1);
    free(text);
}
END_TEST

START_TEST(dump_of_what_is_emitted)
{
    char own[] = "/tmp/svagen_options.XXXXXX", line[2000];
    ck_assert_ptr_nonnull(mkdtemp(own));
    snprintf(line, sizeof line,
             "mkdir %s/split && '%s' generate %s --kernels crba --lanes 2 -o %s/made 2>&1 && '%s' generate %s "
             "--kernels crba --lanes 2 --dump emit | awk -v to=%s/split '/^## [a-zA-Z_.]*$/ {f = $2; next} {print > "
             "(to \"/\" f)}' && diff -r -x .svagen %s/made %s/split; status=$?; rm -r %s; exit $status",
             own, SVAGEN_BINARY, subject, own, SVAGEN_BINARY, subject, own, own, own, own);
    command c = run_shell(line);
    ck_assert_msg(c.status == 0, "%s", c.out);
    free(c.out);
}
END_TEST

/* ---- --solver and --vectors */

static const char *const solver_options[SOLVERS] = {"ltl", "branches", "aza", "dmm"};

/* Of one kernel: its file, out of what is emitted. */
static char *kernel_text(int kind, const char *base, const char *vectors, const char *kernel)
{
    char arguments[400];
    snprintf(arguments, sizeof arguments,
             "generate robots/solo12.yaml --base %s --solver %s --vectors %s --kernels %s --dump emit", base,
             solver_options[kind], vectors, kernel);
    command c = run_svagen(arguments);
    ck_assert_msg(c.status == 0, "%s", c.out);
    snprintf(arguments, sizeof arguments, " --solver %s%s --kernels %s\n", solver_options[kind],
             strcmp(vectors, "never") ? "" : " --vectors never", kernel);
    ck_assert_msg(strstr(c.out, arguments), "the header does not show%s", arguments);
    snprintf(arguments, sizeof arguments, "\n## solo12_%s.c\n", kernel);
    char *from = strstr(c.out, arguments), *to = from ? strstr(from, "\n## sva_kernel.h\n") : NULL;
    ck_assert_ptr_nonnull(to);
    *to = 0;
    from = strdup(from);
    free(c.out);
    return from;
}

/* "Chosen by ...: x." ends with the solver's name, for every text there is. */
static int expect_solver(const char *text, int kind)
{
    static const char chosen[] = "Chosen by counting operations: ";
    int lines = 0;
    for (const char *at = text; (at = strstr(at, chosen)); at += sizeof chosen, lines++) {
        char words[400];
        snprintf(words, sizeof words, "%.*s", (int)strcspn(at, "\n"), at);
        for (int i = 0; i < SOLVERS; i++)
            ck_assert_msg(!strstr(words, solver_names[i]) == (i != kind), "--solver %s: %s", solver_options[kind],
                          words);
    }
    return lines;
}

START_TEST(the_file_says_the_solver)
{
    for (int kind = 0; kind < SOLVERS; kind++)
        for (int k = 0; k < (quick() ? 1 : 3); k++) {
            char *text = kernel_text(kind, "floating", "auto", (const char *[]){"minv", "aba", "fdsva"}[k]);
            ck_assert_int_ge(expect_solver(text, kind), 1);
            free(text);
        }
}
END_TEST

START_TEST(no_vectors_where_never)
{
    char *with = kernel_text(SOLVE_BRANCHES, "floating", "auto", "minv"),
         *without = kernel_text(SOLVE_BRANCHES, "floating", "never", "minv");
    static const char *const words[] = {"SVA_WIDEST", "sva_v4", "SVA_AT(", "machine with vectors"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        ck_assert_ptr_nonnull(strstr(with, words[i]));
        ck_assert_msg(!strstr(without, words[i]), "--vectors never: %s", words[i]);
    }
    free(with);
    free(without);
}
END_TEST

/* On a robot with limbs; the text for vectors where the machine that runs this has them. */
static void check_solver(int kind, base_choice base, bool plain)
{
    const kernel_info *const kernels[] = {kernel_find("aba"), kernel_find("minv"), kernel_find("fdsva"), NULL};
    fixture f = fixture_robot("robots/solo12.yaml", (model_options){.base = base});
    emit_options o = {.words = "", .plain = plain, .trace.solver = kind + 1};
    char name[100];
    snprintf(name, sizeof name, "%s, %s%s", solver_options[kind], base == BASE_FIXED ? "fixed" : "floating",
             plain ? ", plain" : "");
    agreement_check(name, f.model, kernels, &o, &(compare_options){{.flags = "-O0 -pipe -march=native"}, 3, 5, false});
    fixture_free(&f);
}

START_TEST(solvers_give_right_numbers)
{
    for (int kind = 0; kind < SOLVERS; kind++)
        for (int way = 0; way < 4; way++)
            if (!quick() || way == kind % 4) check_solver(kind, way & 1 ? BASE_FIXED : BASE_FLOATING, way & 2);
}
END_TEST

SUITE("options", dump_of_the_model, dump_of_traces, dumps_of_graphs, dump_of_the_schedule, dump_of_what_is_emitted,
      the_file_says_the_solver, no_vectors_where_never, solvers_give_right_numbers)
