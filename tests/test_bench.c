/* svagen bench kernels. Times are what they are: only that they are there, and what they are made of, is tested. */
#include <stdarg.h>
#include <string.h>
#include "command.h"
#include "compare/contest.h"
#include "fixture.h"
#include "pipeline.h"
#include "suite.h"

static char own[64]; /* a folder for what tests make */

static void make_own_folder(void)
{
    strcpy(own, "/tmp/svagen_bench.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(own));
}

static command __attribute__((format(printf, 1, 2))) shell(const char *format, ...)
{
    char line[4000];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    ck_assert_int_lt(n, (int)sizeof line);
    return run_shell(line);
}

/* What a command that must succeed printed. */
#define MUST(...)                                                                                                      \
    __extension__({                                                                                                    \
        command c_ = shell(__VA_ARGS__);                                                                               \
        ck_assert_msg(c_.status == 0, "%s", c_.out);                                                                   \
        c_.out;                                                                                                        \
    })

static void remove_own_folder(void) { free(MUST("rm -r %s", own)); }

#define BENCH SVAGEN_BINARY "' bench kernels robots/double_pendulum.yaml --lanes 2 --cflags -O1"

/* ---- tables of comma-separated values, cut in place */

enum { CELLS = 32, ROWS = 16 };
typedef struct sheet {
    char *text;
    int rows, cells; /* the heading is row 0; of each row */
    const char *at[ROWS][CELLS];
} sheet;

static int cut_row(char *line, const char *cells[CELLS])
{
    int n = 0;
    for (char *comma; (comma = strchr(line, ',')); line = comma + 1) {
        *comma = 0;
        cells[n++] = line;
        ck_assert_int_lt(n, CELLS);
    }
    cells[n++] = line;
    return n;
}

static sheet cut(char *text)
{
    sheet t = {.text = text};
    for (char *end; (end = strchr(text, '\n')); text = end + 1) {
        *end = 0;
        ck_assert_int_lt(t.rows, ROWS);
        int n = cut_row(text, t.at[t.rows++]);
        if (t.rows == 1) t.cells = n;
        ck_assert_int_eq(n, t.cells);
    }
    ck_assert_int_eq(*text, 0);
    return t;
}

static const char *cell_of(const sheet *t, int row, const char *column)
{
    for (int i = 0; i < t->cells; i++)
        if (!strcmp(t->at[0][i], column)) return t->at[row][i];
    ck_abort_msg("no column %s", column);
    return NULL;
}

static double number(const sheet *t, int row, const char *column)
{
    char *end;
    const char *text = cell_of(t, row, column);
    double x = strtod(text, &end);
    ck_assert_msg(end != text && !*end, "%s: '%s'", column, text);
    return x;
}

static int row_of(const sheet *t, const char *kernel)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\"", kernel);
    for (int i = 1; i < t->rows; i++)
        if (!strcmp(cell_of(t, i, "\"kernel\""), quoted)) return i;
    ck_abort_msg("no row %s", kernel);
    return -1;
}

/* ---- the table */

#define HEADING                                                                                                        \
    "\"robot\",nv,\"kernel\",muls,adds,bytes,compile_s,generic_ns,one_ns,one_cycles,x2_ns,batch_ns,one_ratio,"         \
    "lanes_ratio,peak_fraction"

static void check_row(const sheet *t, int row)
{
    static const char *const positive[] = {"muls",   "adds",  "bytes",    "compile_s", "generic_ns",
                                           "one_ns", "x2_ns", "batch_ns", "one_ratio", "lanes_ratio"};
    ck_assert_str_eq(cell_of(t, row, "\"robot\""), "\"double_pendulum\"");
    ck_assert_str_eq(cell_of(t, row, "nv"), "2");
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        ck_assert_msg(number(t, row, positive[i]) > 0, "row %d, %s", row, positive[i]);
    double fraction = number(t, row, "peak_fraction"), ratio = number(t, row, "generic_ns") / number(t, row, "one_ns");
    ck_assert_msg(fraction > 0 && fraction < 1.2, "row %d: %g", row, fraction);
    ck_assert_double_eq_tol(number(t, row, "one_ratio"), ratio, 0.06 + 0.01 * ratio);
    if (*cell_of(t, row, "one_cycles")) ck_assert_double_gt(number(t, row, "one_cycles"), 0);
}

/* The text of the description that is generated, which has the counts of every text of a kernel. */
static const char *description(arena *memory, const model *m, const kernel_info *const *list)
{
    folder *f = folder_new(memory);
    diag d = diag_new(memory);
    const char *text = NULL;
    size_t length = 0;
    ck_assert(pipeline_generate(memory, m, list, &(emit_options){.n_lanes = 1, .lanes = {2}, .words = ""}, f, &d));
    for (int i = 0; i < folder_count(f); i++)
        if (strstr(folder_name(f, i), "_robot.c")) text = folder_text(f, i, &length);
    text = arena_copy(memory, text, length);
    folder_free(f);
    return text;
}

static void check_counts(const sheet *t, const char *kernel, const char *says)
{
    char row[200], counts[200];
    int i = row_of(t, kernel);
    snprintf(row, sizeof row, "_call_%s, %s, %s, ", kernel, cell_of(t, i, "adds"), cell_of(t, i, "muls"));
    snprintf(counts, sizeof counts, "_COUNTS_%s %s, %s, ", kernel, cell_of(t, i, "adds"), cell_of(t, i, "muls"));
    ck_assert_msg(strstr(says, row) || strstr(says, counts), "neither \"%s\" nor \"%s\"", row, counts);
}

START_TEST(a_row_for_each_kernel)
{
    fixture f = fixture_robot("robots/double_pendulum.yaml", (model_options){0});
    const kernel_info *list[64] = {NULL};
    int n = 0;
    for (int i = 0; i < kernel_count; i++)
        if (kernel_table[i].by_default) list[n++] = &kernel_table[i];
    char *text = MUST("'" BENCH " --csv");
    ck_assert_msg(!strncmp(text, HEADING "\n", sizeof HEADING), "%s", text);
    sheet t = cut(text);
    ck_assert_int_eq(t.rows, n + 1);
    const char *says = description(f.memory, f.model, list);
    for (int i = 1; i <= n; i++) check_row(&t, i);
    for (int i = 0; i < n; i++) check_counts(&t, list[i]->name, says);
    free(text);
    fixture_free(&f);
}
END_TEST

START_TEST(table_and_file)
{
    char *shown = MUST("'" BENCH " --kernels rnea --real float -o %s/rows.csv", own),
         *file = MUST("cat %s/rows.csv", own);
    ck_assert_msg(!strncmp(shown, "robot    ", 9) && strstr(shown, "\ndouble_pendulum    2 rnea  "), "%s", shown);
    sheet t = cut(file);
    ck_assert_int_eq(t.rows, 2);
    check_row(&t, row_of(&t, "rnea"));
    ck_assert_ptr_nonnull(strstr(shown, cell_of(&t, 1, "generic_ns")));
    free(shown);
    free(file);
}
END_TEST

START_TEST(synthetic_trees)
{
    char *text = MUST("'" SVAGEN_BINARY "' bench kernels --links 10 --lanes 2 --cflags -O0 --kernels gravity --csv");
    sheet t = cut(text);
    ck_assert_int_eq(t.rows, 4);
    ck_assert_str_eq(cell_of(&t, 3, "\"robot\""), "\"chain_10_5\"");
    free(text);
}
END_TEST

/* ---- rivals */

static void compile_rival(const char *source, const char *flags)
{
    free(MUST("${CC:-cc} -O1 -shared -fPIC -I bench %s %s -o %s/rival.so -lm 2>&1", flags, source, own));
}

START_TEST(a_rival_has_its_columns)
{
    compile_rival("tests/data/rival/fake.c", "");
    char *text = MUST("'" BENCH " --kernels gravity,crba,rnea --csv --rival %s/rival.so 2>%s/said", own, own);
    sheet t = cut(text);
    int row = row_of(&t, "gravity");
    double ns = number(&t, row, "fake_ns"), ratio = ns / number(&t, row, "one_ns");
    ck_assert_double_gt(ns, 0);
    ck_assert_double_eq_tol(number(&t, row, "fake_one_ratio"), ratio, 0.06 + 0.01 * ratio);
    ck_assert_double_gt(number(&t, row, "fake_lanes_ratio"), 0);
    ck_assert_str_eq(cell_of(&t, row_of(&t, "rnea"), "fake_ns"), ""); /* it has none */
    ck_assert_str_eq(cell_of(&t, row_of(&t, "crba"), "fake_ns"), ""); /* it is wrong */
    char *said = MUST("cat %s/said", own);
    ck_assert_msg(strstr(said, "warning: robot 'double_pendulum', kernel crba: fake differs by "), "%s", said);
    ck_assert_ptr_null(strstr(said, "gravity"));
    free(said);
    free(text);
}
END_TEST

START_TEST(a_robot_that_a_rival_cannot_have)
{
    static const char *const options[] = {"--base floating", "--real float", "--gravity runtime"};
    compile_rival("tests/data/rival/fake.c", "");
    for (int i = 0; i < (quick() ? 1 : 3); i++) {
        char *text = MUST("'" BENCH " --kernels gravity --csv --rival %s/rival.so %s 2>&1", own, options[i]);
        sheet t = cut(text);
        ck_assert_str_eq(cell_of(&t, 1, "fake_ns"), "");
        ck_assert_double_gt(number(&t, 1, "one_ns"), 0);
        free(text);
    }
}
END_TEST

/* ---- errors */

static void expect_error(int status, const char *arguments, const char *says)
{
    command c = shell("'" BENCH " %s 2>&1", arguments);
    const char *newline = strchr(c.out, '\n');
    ck_assert_msg(c.status == status && strstr(c.out, says), "%s: %d\n%s", arguments, c.status, c.out);
    ck_assert_msg(newline && !newline[1], "%s: more than a line\n%s", arguments, c.out);
    free(c.out);
}

START_TEST(errors)
{
    char rival[128];
    snprintf(rival, sizeof rival, "--rival %s/rival.so", own);
    expect_error(1, rival, "/rival.so: error: cannot load the rival: ");
    expect_error(1, "--rival README.md", "README.md: error: cannot load the rival: ");
    compile_rival("tests/data/rival/fake.c", "-Dsvagen_rival=other");
    expect_error(1, rival, "/rival.so: error: has no function svagen_rival: bench/rival.h says");
    compile_rival("tests/data/rival/fake.c", "-DVERSION=99");
    expect_error(1, rival, "/rival.so: error: version 99 of bench/rival.h found, 1 expected");
    expect_error(2, "--kernels zebra", "--kernels: there is no kernel 'zebra'");
    expect_error(2, "--lanes 3", "--lanes: '3' is not one of 2, 4, 8");
}
END_TEST

START_TEST(nothing_is_left_of_a_failure)
{
    command c = shell("cd robots && TMPDIR=%s '" SVAGEN_BINARY "' bench kernels double_pendulum.yaml --kernels rnea "
                      "--cc /nowhere/cc -o %s/rows.csv 2>&1; ls %s",
                      own, own, own);
    ck_assert_msg(strstr(c.out, "error: cannot run the compiler '/nowhere/cc'"), "%s", c.out);
    ck_assert_msg(!strstr(c.out, "rows.csv") && !strstr(c.out, "svagen."), "%s", c.out);
    free(c.out);
}
END_TEST

/* ---- the timer */

typedef struct work {
    int loops;
    long runs;
    volatile double x;
} work;

static void run_work(void *subject)
{
    work *w = subject;
    w->runs++;
    for (int i = 0; i < w->loops; i++) w->x = w->x * 0.5 + 1;
}

START_TEST(turns)
{
    work little = {.loops = 50}, much = {.loops = 5000};
    contestant list[] = {
        {.run = run_work, .subject = &little, .states = 1},
        {.run = NULL, .ns = 7},
        {.run = run_work, .subject = &much, .states = 1},
        {.run = run_work, .subject = &much, .states = 5000},
    };
    contest(list, 4, 9, -1);
    ck_assert_double_gt(list[0].ns, 0);
    ck_assert_double_gt(list[2].ns, 5 * list[0].ns);
    ck_assert_double_lt(list[3].ns, list[0].ns); /* of one state */
    ck_assert_double_eq(list[1].ns, 0);
    ck_assert_double_eq(list[0].cycles, 0);
    ck_assert_int_ge(little.runs, 9 * list[0].repeats);
    ck_assert_int_gt(list[0].repeats, list[2].repeats);
}
END_TEST

SUITE_AROUND("bench", make_own_folder, remove_own_folder, a_row_for_each_kernel, table_and_file, synthetic_trees,
             a_rival_has_its_columns, a_robot_that_a_rival_cannot_have, errors, nothing_is_left_of_a_failure, turns)
