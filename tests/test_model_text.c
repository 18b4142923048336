/* Models as text: what is written reads back to the same bits, what is wrong is said, and nothing crashes. */
#include "suite.h"
#include "command.h"
#include "fixture.h"
#include "trees.h"

#include <dlfcn.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char *text_of(const sva_model *m, size_t *length)
{
    *length = sva_model_print(m, NULL, 0);
    char *text = malloc(*length + 1);
    ck_assert_uint_eq(sva_model_print(m, text, *length + 1), *length);
    ck_assert_uint_eq(strlen(text), *length);
    return text;
}

/* Fills three vectors of a random state. */
static void random_state(const sva_model *m, double **x)
{
    uint64_t seed = 7;
    for (int i = 0; i < 4; i++) x[i] = calloc((size_t)m->nq + 1, sizeof(double));
    sva_random_configuration(m, &seed, x[0]);
    sva_random_vector(m->nv, &seed, x[1]);
    sva_random_vector(m->nv, &seed, x[2]);
}

static void expect_same_torques(const sva_model *m, const sva_model *other)
{
    double *x[4], *y[4];
    sva_workspace *w = sva_workspace_new(m), *w2 = sva_workspace_new(other);
    ck_assert_int_eq(m->nv, other->nv);
    ck_assert_int_eq(m->nq, other->nq);
    random_state(m, x);
    random_state(other, y);
    sva_rnea(m, w, x[0], x[1], x[2], NULL, x[3]);
    sva_rnea(other, w2, y[0], y[1], y[2], NULL, y[3]);
    ck_assert_mem_eq(x[3], y[3], (size_t)m->nv * sizeof(double));
    for (int i = 0; i < 4; i++) free(x[i]), free(y[i]);
    sva_workspace_free(w), sva_workspace_free(w2);
}

static void expect_same_bodies(const sva_model *m, const sva_model *other)
{
    ck_assert_int_eq(m->n_bodies, other->n_bodies);
    ck_assert_mem_eq(m->gravity, other->gravity, sizeof m->gravity);
    for (int i = 0; i < m->n_bodies; i++) {
        const sva_body *a = m->bodies + i, *b = other->bodies + i;
        ck_assert_str_eq(a->name, b->name);
        ck_assert_mem_eq(a->damping, b->damping, sizeof a->damping);
        ck_assert_mem_eq(a->friction, b->friction, sizeof a->friction);
        ck_assert_int_eq(a->subtree_v, b->subtree_v);
    }
}

static void round_trip(const sva_model *m)
{
    size_t length, again;
    char *text = text_of(m, &length);
    sva_text_error error;
    sva_model *read = sva_model_parse(text, length, &error);
    ck_assert_msg(read, "line %d: %s", error.line, error.message);
    ck_assert_int_eq(error.status, SVA_OK);
    expect_same_bodies(m, read);
    expect_same_torques(m, read);
    char *second = text_of(read, &again);
    ck_assert_str_eq(text, second);
    free(second), free(text), sva_model_free(read);
}

START_TEST(robots_read_back)
{
    for (const shipped *s = shipped_robots; s->name; s++) {
        fixture f = fixture_robot(s->path, (model_options){.base = s->base});
        round_trip(f.sva);
        fixture_free(&f);
    }
}
END_TEST

/* Every joint type, dependent joints, armature. */
START_TEST(trees_read_back)
{
    for (uint64_t seed = 1; seed < 10; seed++) {
        arena *memory = arena_new();
        tree_options o = {.bodies = 30, .floating = seed % 2, .mimic = true, .armature = true};
        fixture f = fixture_model(memory, tree_random(memory, seed, o));
        round_trip(f.sva);
        fixture_free(&f);
    }
}
END_TEST

static const sva_body odd = {
    .type = SVA_REVOLUTE,
    .parent = -1,
    .R = {1, -0.0, 0, 0, 1, 0, 0, 0, 1},
    .p = {0.1, -0.0, 5e-324},
    .axis = {1, 0, 0},
    .mass = 1.7976931348623157e308,
    .h = {1.0 / 3, 2.2250738585072014e-308, -1e-7},
    .damping = {0.1},
    .name = " a\\b\n\t\"c\" # \x7f \xc3\xa9 ",
};

/* Makes a locale with a decimal comma known to this process, if the machine has what that takes. */
static void make_locale(char folder[])
{
    char line[300];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(line, sizeof line, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>&1", folder);
    free(run_shell(line).out);
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) setenv("LOCPATH", folder, 1);
}

/* Numbers at the ends of their range, bytes that a line cannot have; also where the locale has a comma. */
START_TEST(odd_values_read_back)
{
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "cs_CZ"};
    char folder[] = "/tmp/model_text_XXXXXX", line[100];
    make_locale(folder);
    static const double gravity[3] = {-0.0, 1e-300, -9.81};
    sva_model *m = sva_model_new(1, gravity);
    ck_assert_int_eq(sva_model_add_body(m, &odd), SVA_OK);
    ck_assert_int_eq(sva_model_finish(m), SVA_OK);
    size_t length;
    char *expected = text_of(m, &length);
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
        if (!setlocale(LC_ALL, locales[i])) continue;
        printf("locale %s, decimal point %s\n", locales[i], localeconv()->decimal_point);
        char *text = text_of(m, &length);
        ck_assert_str_eq(text, expected);
        sva_model *read = sva_model_parse(text, length, NULL);
        ck_assert_ptr_nonnull(read);
        ck_assert_mem_eq(read->bodies[0].R, odd.R, sizeof odd.R);
        ck_assert_mem_eq(read->bodies[0].p, odd.p, sizeof odd.p);
        ck_assert_mem_eq(read->bodies[0].h, odd.h, sizeof odd.h);
        ck_assert_mem_eq(&read->bodies[0].mass, &odd.mass, sizeof odd.mass);
        expect_same_bodies(m, read);
        free(text), sva_model_free(read);
    }
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    snprintf(line, sizeof line, "rm -r %s", folder);
    free(run_shell(line).out);
    free(expected), sva_model_free(m);
}
END_TEST

START_TEST(a_short_buffer_is_not_overrun)
{
    static const double gravity[3] = {0, 0, -9.81};
    sva_model *m = sva_model_new(0, gravity);
    char text[8] = "xxxxxxx";
    ck_assert_uint_eq(sva_model_print(m, text, 6), strlen("sva 1\ngravity 0 0 -9.81\n"));
    ck_assert_mem_eq(text, "sva 1\0x", 8);
    sva_model_free(m);
}
END_TEST

static const struct {
    const char *text;
    int line;
    sva_status status;
    const char *says;
} wrong[] = {
    {"", 0, SVA_BAD_TEXT, "'sva 1' expected, nothing found"},
    {"# only this\n", 1, SVA_BAD_TEXT, "nothing found"},
    {"robot: x\n", 1, SVA_BAD_TEXT, "'sva 1' expected in the first line"},
    {"sva 2\n", 1, SVA_BAD_TEXT, "version '2' found, 1 expected"},
    {"sva 1\n\nmess 3\n", 3, SVA_BAD_TEXT, "unknown keyword 'mess'"},
    {"sva 1\nmass 3\n", 2, SVA_BAD_TEXT, "'mass' before the first body"},
    {"sva 1\ngravity 0 0\n", 2, SVA_BAD_TEXT, "gravity: 3 numbers expected, 2 found"},
    {"sva 1\ngravity 0 0 1 2\n", 2, SVA_BAD_TEXT, "gravity: 3 numbers expected, '2' found after them"},
    {"sva 1\ngravity 0 0 nan\n", 2, SVA_BAD_TEXT, "a finite number expected, 'nan' found"},
    {"sva 1\ngravity 0 0 0x1p3\n", 2, SVA_BAD_TEXT, "'0x1p3' found"},
    {"sva 1\ngravity 0 0 1e999\n", 2, SVA_BAD_TEXT, "'1e999' found"},
    {"sva 1\ngravity 0,5 0 1\n", 2, SVA_BAD_TEXT, "'0,5' found"},
    {"sva 1\ngravity . 0 1\n", 2, SVA_BAD_TEXT, "'.' found"},
    {"sva 1\ngravity 1e 0 1\n", 2, SVA_BAD_TEXT, "'1e' found"},
    {"sva 1\ngravity 1e+ 0 1\n", 2, SVA_BAD_TEXT, "'1e+' found"},
    {"sva 1\nbody -1 fixed\ngravity 0 0 1\n", 3, SVA_BAD_TEXT, "gravity stands before the first body"},
    {"sva 1\nbody\n", 2, SVA_BAD_TEXT, "the parent's number expected, '' found"},
    {"sva 1\nbody 1x fixed a\n", 2, SVA_BAD_TEXT, "the parent's number expected, '1x' found"},
    {"sva 1\nbody 99999999999 fixed a\n", 2, SVA_BAD_TEXT, "the parent's number expected"},
    {"sva 1\nbody -1 hinge a\n", 2, SVA_BAD_TEXT, "a type of joint expected, 'hinge' found"},
    {"sva 1\nbody -1 fixed a\\q\n", 2, SVA_BAD_TEXT, "\\xHH expected"},
    {"sva 1\nbody -1 fixed a\\x0", 2, SVA_BAD_TEXT, "\\xHH expected"},
    {"sva 1\nbody -1 fixed a\\x00\n", 2, SVA_BAD_TEXT, "\\xHH expected"},
    {"sva 1\nbody -1 fixed 0123456789012345678901234567890123456789012345678901234567890123\n", 2, SVA_BAD_TEXT,
     "longer than 63 bytes"},
    {"sva 1\nbody -1 fixed a\n  mass 1\n  mass 1\n", 4, SVA_BAD_TEXT, "'mass' is given twice"},
    {"sva 1\nbody -1 revolute a\n  axis 1 0 0\n  armature 1 2\n", 4, SVA_BAD_TEXT, "1 numbers expected, '2' found"},
    {"sva 1\nbody -1 revolute a\n  mass 1\nbody 0 fixed b\n", 2, SVA_BAD_AXIS, "this body: the joint's axis"},
    {"sva 1\nbody 0 fixed a\n", 2, SVA_BAD_PARENT, "this body: the parent is not an earlier body"},
    {"sva 1\nbody -1 fixed a\nbody -1 fixed b\nbody 0 fixed c\n", 4, SVA_BAD_ORDER, "depth-first"},
    {"sva 1\nbody -1 fixed a\n  mass -1\n", 2, SVA_BAD_MASS, "the mass is negative"},
    {"sva 1\nbody -1 fixed a\n\nbody 0 prismatic b\n  axis 1 0 0\n  follows 0 1 0\n", 4, SVA_BAD_MASTER,
     "this body: a dep"},
    {"sva 1\nbody -1 fixed a\n  follows x 1 0\n", 3, SVA_BAD_TEXT, "the number of a body expected, 'x' found"},
    {"sva 1\nbody -1 fixed a\n  follows 0 1\n", 3, SVA_BAD_TEXT, "2 numbers expected, 1 found"},
    {"sva 1\nbody -1 fixed a\n  follows 0 1 0\n  follows 0 1 0\n", 4, SVA_BAD_TEXT, "'follows' is given twice"},
};

START_TEST(errors_name_lines)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sva_text_error error;
        ck_assert_ptr_null(sva_model_parse(wrong[i].text, strlen(wrong[i].text), &error));
        ck_assert_msg(strstr(error.message, wrong[i].says) != NULL, "case %zu: %s", i, error.message);
        ck_assert_msg(error.line == wrong[i].line, "case %zu: line %d", i, error.line);
        ck_assert_int_eq(error.status, wrong[i].status);
        ck_assert_ptr_null(sva_model_parse(wrong[i].text, strlen(wrong[i].text), NULL));
    }
}
END_TEST

START_TEST(reads_what_people_type)
{
    static const char text[] =
        "# a comment\r\n\r\nsva 1\r\n\tgravity 0 0 1\r\nbody  -1 \t revolute  shoulder pan #1 \r\n"
        "axis +1 0. .0e0\r\nmass 2.50\nbody 0 fixed";
    sva_model *m = sva_model_parse(text, strlen(text), NULL);
    ck_assert_ptr_nonnull(m);
    ck_assert_int_eq(m->n_bodies, 2);
    ck_assert_str_eq(m->bodies[0].name, "shoulder pan #1");
    ck_assert_str_eq(m->bodies[1].name, "");
    ck_assert_int_eq(sva_model_find(m, "shoulder pan #1"), 0);
    ck_assert_int_eq(sva_model_find(m, "elbow"), -1);
    ck_assert(m->bodies[0].mass == 2.5 && m->gravity[2] == 1);
    sva_model_free(m);
}
END_TEST

/* Of exactly that size on the heap, so that a sanitizer sees every byte read beyond it. */
static void parse_copy(const char *text, size_t length)
{
    char *copy = malloc(length ? length : 1);
    sva_text_error error;
    memcpy(copy, text, length);
    sva_model *m = sva_model_parse(copy, length, &error);
    ck_assert(m ? error.status == SVA_OK : error.status != SVA_OK && error.message[0]);
    sva_model_free(m);
    free(copy);
}

START_TEST(nothing_crashes)
{
    arena *memory = arena_new();
    tree_options o = {.bodies = 8, .floating = true, .mimic = true, .armature = true};
    fixture f = fixture_model(memory, tree_random(memory, 3, o));
    size_t length;
    char *text = text_of(f.sva, &length);
    static const char bytes[] = {0, '\n', ' ', '-', '.', 'e', '9', '\\', '#', 'b', (char)0xff};
    for (size_t i = 0; i <= length; i++) parse_copy(text, i);
    for (size_t i = 0; i < length; i += quick() ? 7 : 1) {
        char was = text[i];
        for (size_t k = 0; k < sizeof bytes; k++) text[i] = bytes[k], parse_copy(text, length);
        for (int bit = 0; bit < 8; bit++) text[i] = (char)(was ^ (1 << bit)), parse_copy(text, length);
        text[i] = was;
    }
    uint64_t seed = 11;
    for (int n = 0; n < 20000; n++) {
        char noise[64] = "sva 1\n";
        for (size_t i = n % 2 ? 6 : 0; i < sizeof noise; i++) noise[i] = (char)tree_uniform(&seed, 0, 256);
        parse_copy(noise, sizeof noise);
    }
    free(text);
    fixture_free(&f);
}
END_TEST

START_TEST(files)
{
    fixture f = fixture_robot("robots/panda.yaml", (model_options){0});
    char path[] = "/tmp/model_text_XXXXXX";
    sva_text_error error;
    close(mkstemp(path));
    ck_assert_int_eq(sva_model_save(f.sva, path), SVA_OK);
    sva_model *m = sva_model_load(path, &error);
    ck_assert_ptr_nonnull(m);
    expect_same_torques(f.sva, m);
    sva_model_free(m);
    remove(path);
    ck_assert_ptr_null(sva_model_load(path, &error));
    ck_assert_int_eq(error.status, SVA_BAD_FILE);
    ck_assert_ptr_null(sva_model_load("tests", &error)); /* a folder */
    ck_assert_int_eq(error.status, SVA_BAD_FILE);
    ck_assert_int_eq(sva_model_save(f.sva, "/nowhere/at/all.sva"), SVA_BAD_FILE);
    ck_assert_int_eq(sva_model_save(f.sva, "/dev/full"), SVA_BAD_FILE);
    fixture_free(&f);
}
END_TEST

/* A hundred thousand links in a row; every third hinge, then a fork at the root. */
START_TEST(long_chains)
{
    enum { LINKS = 100000 };
    char *text = malloc(40 * (LINKS + 2)), *to = text;
    to += sprintf(to, "sva 1\n");
    for (int i = 0; i < LINKS; i++)
        to += sprintf(to, i % 3 ? "body %d fixed\n" : "body %d revolute\naxis 1 0 0\n", i - 1);
    to += sprintf(to, "body 0 fixed\n");
    sva_model *m = sva_model_parse(text, (size_t)(to - text), NULL);
    ck_assert_ptr_nonnull(m);
    ck_assert_int_eq(m->n_bodies, LINKS + 1);
    ck_assert_int_eq(m->depth, LINKS);
    ck_assert_int_eq(m->bodies[0].subtree, LINKS + 1);
    ck_assert_int_eq(m->bodies[1].subtree, LINKS);
    ck_assert_int_eq(m->bodies[1].subtree_v, m->nv);
    ck_assert_int_eq(m->bodies[LINKS - 1].subtree, LINKS);
    ck_assert_int_eq(m->tree_parent[m->nv - 1], m->nv - 2);
    sva_model_free(m), free(text);
}
END_TEST

static void run(const char *format, const char *a, const char *b, const char *c)
{
    char line[500];
    ck_assert_int_lt(snprintf(line, sizeof line, format, a, b, c), (int)sizeof line);
    command done = run_shell(line);
    ck_assert_msg(done.status == 0, "%s: %s", line, done.out);
    free(done.out);
}

/* What --model writes: data of C, which algorithms do not write to, and text. */
static void expect_generated(const char *folder, const char *name, const sva_model *truth)
{
    char path[200], function[100];
    run("cc -std=c99 -Wall -Wextra -Wshadow -Wconversion -pedantic -Werror -shared -fPIC -I runtime "
        "%s/%s_model.c -o %s/model.so",
        folder, name, folder);
    run("if command -v c++; then c++ -Wall -Wextra -Wshadow -Wconversion -pedantic -Werror -I runtime -x c++ -c "
        "%s/%s_model.c -o %s/model.o; fi",
        folder, name, folder);
    snprintf(path, sizeof path, "%s/model.so", folder);
    void *library = dlopen(path, RTLD_NOW);
    ck_assert_msg(library != NULL, "%s", dlerror());
    snprintf(function, sizeof function, "%s_model", name);
    const sva_model *(*get)(void);
    *(void **)&get = dlsym(library, function);
    ck_assert(get != NULL);
    expect_same_bodies(get(), truth);
    expect_same_torques(get(), truth);
    dlclose(library);
    snprintf(path, sizeof path, "%s/%s.sva", folder, name);
    sva_model *loaded = sva_model_load(path, NULL);
    ck_assert_ptr_nonnull(loaded);
    expect_same_torques(loaded, truth);
    sva_model_free(loaded);
}

START_TEST(generated_models)
{
    static const struct {
        const char *file, *name;
        base_choice base;
    } rows[] = {{"ur5", "ur5", BASE_AS_FILE},
                {"panda", "panda", BASE_AS_FILE},
                {"hyq", "hyq", BASE_FLOATING},
                {"talos", "talos", BASE_AS_FILE},
                {"every_joint", "every_joint", BASE_AS_FILE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char folder[] = "/tmp/model_text_XXXXXX", path[100];
        ck_assert_ptr_nonnull(mkdtemp(folder));
        run("'" SVAGEN_BINARY "' generate robots/%s.yaml --model --kernels gravity %s -o %s 2>&1", rows[i].file,
            rows[i].base == BASE_FLOATING ? "--base floating" : "", folder);
        snprintf(path, sizeof path, "robots/%s.yaml", rows[i].file);
        fixture f = fixture_robot(path, (model_options){.base = rows[i].base});
        expect_generated(folder, rows[i].name, f.sva);
        fixture_free(&f);
        run("rm -r %s%s%s", folder, "", "");
    }
}
END_TEST

/* Names are data in both. */
START_TEST(hostile_names)
{
    static const char text[] =
        "svagen: 1\nname: \"r*/ \\\\ \\n\"\nlinks:\n  - name: a\n  - name: b\n    parent: a\n"
        "    mass: 1\n    joint: {name: \"\\\"}; int x; /* \\\\ ?\?/ \\n\\t#\", type: prismatic, "
        "axis: [0, 0, 1]}\n";
    char folder[] = "/tmp/model_text_XXXXXX", path[100];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/robot.yaml", folder);
    FILE *out = fopen(path, "w");
    fputs(text, out);
    fclose(out);
    run("'" SVAGEN_BINARY "' generate %s%s --model --kernels gravity -o %s 2>&1", path, "", folder);
    fixture f = fixture_robot(path, (model_options){0});
    ck_assert_str_eq(f.sva->bodies[0].name, "\"}; int x; /* \\ ?\?/ \n\t#");
    expect_generated(folder, "r______", f.sva);
    fixture_free(&f);
    run("rm -r %s%s%s", folder, "", "");
}
END_TEST

SUITE("model_text", robots_read_back, trees_read_back, odd_values_read_back, a_short_buffer_is_not_overrun,
      errors_name_lines, reads_what_people_type, nothing_crashes, long_chains, files, generated_models, hostile_names)
