/* The texts that generated files have for machines with and without vectors, through every compiler and instruction set
   that is here, optimised as users do: one state, lanes and batch against quadruple precision. */
#include <string.h>
#include "agreement.h"
#include "command.h"
#include "fixture.h"
#include "suite.h"
#include "trees.h"

/* ---- compilers and machines */

static const char *const compilers[] = {"gcc", "clang"};
enum { COMPILERS = 2, FLAGS = 200 };

static bool present(const char *compiler)
{
    char line[100];
    snprintf(line, sizeof line, "command -v %s", compiler);
    command c = run_shell(line);
    free(c.out);
    if (c.status) printf("note: no %s; nothing is compiled by it\n", compiler);
    return c.status == 0;
}

/* What the texts are compiled for, and the lanes of the widest vector there (SVA_WIDEST in double). */
typedef struct machine {
    const char *name, *flags;
    int widest;
} machine;

#if defined(__x86_64__) && defined(__GNUC__)
static const machine plain = {"x86-64", "-O2", 2};
static const machine avx2 = {"AVX2", "-O2 -mavx2 -mfma", 4};
static const machine avx512 = {"AVX-512", "-O2 -mavx2 -mfma -mavx512f -mavx512dq -mavx512vl -mavx512bw", 8};

static bool runs(const machine *m)
{
    __builtin_cpu_init();
    bool here = m->widest < 4 || (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
    if (m->widest == 8)
        here = here && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    if (!here) printf("note: this machine has no %s; texts for it are not run\n", m->name);
    return here;
}
#else
static const machine plain = {"this machine", "-O2", 0}, avx2 = {0}, avx512 = {0};
static bool runs(const machine *m) { return m->name; }
#endif

/* The header takes it for a compiler that cannot do vectors. */
static const machine no_vectors = {"no vectors", "-O1 -D__INTEL_COMPILER -U__clang__", 1};

/* ---- which text it was */

static const char probe_text[] = "#include \"sva_kernel.h\"\n"
                                 "int probe_widest(void);\n"
                                 "int probe_widest(void) { return SVA_VECTORS ? SVA_WIDEST : 1; }\n";
static const embedded_file probe = {"probe.c", probe_text, sizeof probe_text - 1};

/* The vectors that a kernel's file asks for, before its text for them; 0: it has one text. */
static int lanes_asked(folder *f, const char *file)
{
    static const char line[] = "#if SVA_VECTORS && SVA_WIDEST >= ";
    for (int i = 0; i < folder_count(f); i++) {
        size_t length;
        const char *text = folder_text(f, i, &length), *at = strstr(text, line);
        if (strcmp(folder_name(f, i), file)) continue;
        ck_assert(!at == !strstr(text, "One state on a machine with vectors: "));
        return at ? atoi(at + strlen(line)) : 0;
    }
    ck_abort_msg("no file %s", file);
    return 0;
}

typedef struct texts_run {
    int plain, wide;
} texts_run; /* kernels whose text was the one for all machines though there was another, or that other */

static texts_run count_texts(const model *m, const kernel_info *const *kernels, const emit_options *o, int widest)
{
    texts_run n = {0, 0};
    arena *memory = arena_new();
    diag d = diag_new(memory);
    folder *f = folder_new(memory);
    ck_assert(pipeline_generate(memory, m, kernels, o, f, &d));
    for (; *kernels; kernels++) {
        int asked = lanes_asked(f, arena_printf(memory, "%s_%s.c", emit_identifier(memory, m->name), (*kernels)->name));
        if (asked) *(asked > widest ? &n.plain : &n.wide) += 1;
    }
    folder_free(f);
    arena_free(memory);
    return n;
}

static texts_run check(const char *name, const model *m, const kernel_info *const *kernels, const emit_options *o,
                       const char *compiler, const machine *on)
{
    enum { STATES = 11 }; /* some are left after groups of eight, of four and of two */
    char about[200];
    snprintf(about, sizeof about, "%s, %s, %s%s", name, compiler, on->name, o->single ? ", float" : "");
    compare_options how = {{.cc = compiler, .flags = on->flags, .extra = &probe}, STATES, 5, false};
    comparison c = agreement_compare(m, kernels, o, &how);
    agreement_print(about, &c);
    agreement_expect(about, &c);
    int widest = ((int (*)(void))build_symbol(&c.built, "probe_widest"))();
    if (on->widest) ck_assert_int_eq(widest, on->widest * (o->single && on->widest > 1 ? 2 : 1));
    comparison_free(&c);
    return count_texts(m, kernels, o, widest);
}

/* ---- shipped robots */

typedef struct subject {
    const char *path;
    base_choice base;
    int wide; /* how many of the six kernels have a text for vectors of four */
} subject;

static const subject subjects[] = {
    {"robots/hyq.yaml", BASE_FLOATING, 6},
    {"robots/solo12.yaml", BASE_FLOATING, 6},
    {"robots/ur5.yaml", BASE_FIXED, 2},
    {"robots/panda.yaml", BASE_FIXED, 2},
};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static const kernel_info **kernels_named(const char *const *names)
{
    static const kernel_info *list[16];
    int n = 0;
    for (; names[n]; n++) ck_assert_ptr_nonnull(list[n] = kernel_find(names[n]));
    list[n] = NULL;
    return list;
}

static void check_subject(const subject *s, const char *compiler, const machine *on)
{
    static const char *const names[] = {"rnea", "aba", "crba", "minv", "idsva", "fdsva", NULL};
    fixture f = fixture_robot(s->path, (model_options){.base = s->base});
    ck_assert_ptr_nonnull(f.model);
    emit_options o = {.words = "", .n_lanes = on->widest >= 4 ? 3 : 1, .lanes = {2, 4, 8}}; /* halves compile slowly */
    texts_run n = check(f.model->name, f.model, kernels_named(names), &o, compiler, on);
    ck_assert_int_eq(n.wide, on->widest >= 4 ? s->wide : on->widest ? 0 : n.wide);
    ck_assert_int_eq(n.plain + n.wide, s->wide);
    fixture_free(&f);
}

/* SVAGEN_THOROUGH=1: every subject by both compilers on every machine; else by one of them, in turns. */
static bool thorough(void)
{
    const char *set = getenv("SVAGEN_THOROUGH");
    return set && strcmp(set, "0") != 0;
}

static void check_subjects(const machine *on, int first)
{
    for (int c = 0; c < COMPILERS; c++)
        for (int s = 0; s < SUBJECTS && runs(on) && present(compilers[c]) && !quick(); s++)
            if ((s + c + first) % 2 == 0 || thorough()) check_subject(&subjects[s], compilers[c], on);
}

START_TEST(shipped_plain) { check_subjects(&plain, 0); }
END_TEST

START_TEST(shipped_avx2) { check_subjects(&avx2, 1); }
END_TEST

START_TEST(shipped_avx512) { check_subjects(&avx512, 0); }
END_TEST

START_TEST(shipped_without_vectors) { check_subjects(&no_vectors, 1); }
END_TEST

/* The least of each: limbs as lanes, columns as lanes, lanes of states. */
START_TEST(shipped_quickly)
{
    static const char *const names[] = {"idsva", "minv", NULL};
    for (int c = 0; c < COMPILERS; c++) {
        if (!runs(&avx2) || !present(compilers[c])) continue;
        fixture f = fixture_robot(subjects[c].path, (model_options){.base = subjects[c].base});
        emit_options o = {.words = "", .n_lanes = 1, .lanes = {4}};
        ck_assert_int_eq(check(f.model->name, f.model, kernels_named(names), &o, compilers[c], &avx2).wide, 2);
        fixture_free(&f);
    }
}
END_TEST

/* ---- loops over the joints */

static void check_loops(base_choice base, const char *compiler, const machine *on, bool single)
{
    static const char *const names[] = {"crba", "minv", "idsva", "fdsva", "id_all", NULL};
    fixture f = fixture_robot("robots/solo12.yaml", (model_options){.base = base});
    emit_options o = {.words = "", .single = single, .column_major = single, .n_lanes = 1, .lanes = {4}};
    o.trace.loops = LOOPS_ALWAYS;
    check("solo12 by loops", f.model, kernels_named(names), &o, compiler, on);
    fixture_free(&f);
}

START_TEST(by_loops)
{
    static const machine *const machines[] = {&avx2, &plain, &avx512, &no_vectors};
    for (int m = 0; m < (quick() ? 1 : 4); m++)
        for (int c = 0; c < (quick() ? 1 : COMPILERS); c++)
            if (runs(machines[m]) && present(compilers[c])) {
                check_loops(m % 2 == c ? BASE_FLOATING : BASE_FIXED, compilers[c], machines[m], m == 2);
            }
}
END_TEST

/* ---- trees of limbs that are alike */

/* A trunk of few bodies, the last of them and what hangs from it repeated, in some trees the last finger too. */
static model *limbs_number(arena *memory, int i)
{
    static const int copies[] = {1, 2, 3, 1, 4, 6, 7, 8};
    static const unsigned hinge = 1u << SVA_REVOLUTE, slide = 1u << SVA_PRISMATIC, ball = 1u << SVA_SPHERICAL;
    const unsigned types[] = {hinge, slide, hinge | slide, hinge | ball};
    int more = copies[i % 8], trunk = i % 4, limb = more < 4 || !trunk ? 2 : 1;
    tree_options o = {trunk + limb, i % 2, i % 7 == 4, i % 3 == 1, types[i / 2 % 4]};
    model *m = tree_random(memory, (uint64_t)i + 1, o);
    return tree_repeat(memory, m, trunk, more, (uint64_t)i + 1);
}

static emit_options options_number(const model *m, int i)
{
    emit_options o = {.words = "", .single = i % 6 == 5, .column_major = i / 2 % 2};
    o.trace.gravity_input = i % 5 == 3;
    o.trace.friction = i % 4 == 1 ? FRICTION_VISCOUS : FRICTION_NONE;
    o.trace.solver = i / 2 % (SOLVERS + 1);
    for (int b = 0; b < m->n_bodies; b++)
        if (m->bodies[b].master >= 0 && o.trace.solver == SOLVE_AZA + 1) o.trace.solver = 0;
    o.n_lanes = i % 5 == 0;
    o.lanes[0] = 2 << i / 5 % 3;
    return o;
}

static texts_run check_limbs(int i, const char *compiler, const machine *on)
{
    const kernel_info *list[64];
    arena *memory = arena_new();
    uint64_t seed = (uint64_t)i;
    model *m = limbs_number(memory, i);
    emit_options o = options_number(m, i);
    tree_add_frames(memory, m, &seed);
    tree_add_losses(m, &seed);
    agreement_kernels(m, true, 0, 1, list);
    const char *name = arena_printf(memory, "limbs %d, nv %d", i, m->nv);
    texts_run n = check(name, m, list, &o, compiler, on);
    arena_free(memory);
    return n;
}

static void check_all_limbs(const machine *on, int c)
{
    texts_run all = {0, 0};
    if (!runs(on) || !present(compilers[c])) return;
    for (int i = c; i < (quick() ? 14 : 24); i += quick() ? 12 : thorough() ? 2 : 4) {
        texts_run n = check_limbs(i, compilers[c], on);
        all.plain += n.plain;
        all.wide += n.wide;
    }
    printf("%s, %s: %d texts for vectors, %d for any machine beside one\n", compilers[c], on->name, all.wide,
           all.plain);
    if (on->widest >= 4) ck_assert_int_gt(all.wide, quick() ? 5 : 20);
    if (on->widest == 2) ck_assert_int_gt(all.plain, 20);
}

/* Limbs that are alike with another one behind the first: runs of lanes begin where no part of a vector does. */
START_TEST(a_limb_of_another_shape_between)
{
    static const char *const names[] = {"rnea", "crba", "aba", NULL};
    arena *memory = arena_new();
    uint64_t seed = 1;
    model *m = tree_random(memory, 3, (tree_options){.bodies = 6, .floating = true, .types = 1u << SVA_REVOLUTE});
    m->bodies[2].type = SVA_PRISMATIC;
    for (int i = 1; i < m->n_bodies; i++) m->bodies[i].parent = 0;
    tree_add_frames(memory, m, &seed);
    emit_options o = {.words = ""};
    if (runs(&avx2) && present(compilers[0]))
        ck_assert_int_eq(check("one between", m, kernels_named(names), &o, compilers[0], &avx2).wide, 3);
    arena_free(memory);
}
END_TEST

START_TEST(limbs_gcc_avx2) { check_all_limbs(&avx2, 0); }
END_TEST

START_TEST(limbs_clang_avx2) { check_all_limbs(&avx2, 1); }
END_TEST

START_TEST(limbs_gcc_avx512)
{
    if (!quick()) check_all_limbs(&avx512, 0);
}
END_TEST

START_TEST(limbs_clang_plain)
{
    if (!quick()) check_all_limbs(&plain, 1);
}
END_TEST

SUITE("texts", shipped_quickly, shipped_plain, shipped_avx2, shipped_avx512, shipped_without_vectors, by_loops,
      a_limb_of_another_shape_between, limbs_gcc_avx2, limbs_clang_avx2, limbs_gcc_avx512, limbs_clang_plain)
