/* Generated kernels, compiled and run: against quadruple precision, lanes against single states, the description. */
#include <math.h>
#include <string.h>
#include <unistd.h>
#include "agreement.h"
#include "command.h"
#include "compare/trial.h"
#include "fixture.h"
#include "suite.h"
#include "trees.h"

/* Optimisation would take most of the time and is the compiler's business. */
static const build_options plain = {.flags = "-O0 -pipe"};

static void check(const char *name, const fixture *f, const kernel_info *const *kernels, const emit_options *o,
                  int states)
{
    compare_options how = {plain, states, 7, false};
    agreement_check(name, f->model, kernels, o, &how);
}

/* ---- shipped robots */

static emit_options all_bodies_and_frames(arena *memory, const model *m)
{
    int *bodies = ARENA_ARRAY(memory, int, m->n_bodies + 1), *frames = ARENA_ARRAY(memory, int, m->n_frames + 1);
    for (int i = 0; i < m->n_bodies; i++) bodies[i] = i;
    for (int i = 0; i < m->n_frames; i++) frames[i] = m->n_frames - 1 - i; /* the last ones move */
    emit_options o = {.words = "", .trace = {.fext = bodies, .n_fext = m->n_bodies, .jac_frames = frames}};
    o.trace.n_jac_frames = m->n_frames < 3 ? m->n_frames : 3;
    return o;
}

/* Large robots: what is made by default. */
static void check_shipped(const shipped *s, bool single)
{
    const kernel_info *list[64];
    fixture f = fixture_robot(s->path, (model_options){.base = s->base});
    ck_assert_ptr_nonnull(f.sva);
    emit_options o = all_bodies_and_frames(f.memory, f.model);
    o.single = single;
    agreement_kernels(f.model, f.model->nv > 20, 0, 1, list);
    check(s->name, &f, list, &o, f.model->nv > 20 ? 2 : 4);
    fixture_free(&f);
}

static void each_shipped(bool floating, int most_nv)
{
    for (const shipped *s = shipped_robots; s->name; s++) {
        fixture f = fixture_robot(s->path, (model_options){.base = s->base});
        int nv = f.model->nv;
        fixture_free(&f);
        if ((s->base == BASE_FLOATING) == floating && nv <= most_nv) check_shipped(s, false);
    }
}

START_TEST(shipped_fixed) { each_shipped(false, quick() ? 6 : 1000); }
END_TEST

START_TEST(shipped_floating)
{
    if (!quick()) each_shipped(true, 1000);
}
END_TEST

START_TEST(shipped_single_precision)
{
    for (const shipped *s = shipped_robots; s->name; s++)
        if (!strcmp(s->name, "ur5") || (!quick() && (!strcmp(s->name, "iiwa14") || !strcmp(s->name, "hyq floating"))))
            check_shipped(s, true);
}
END_TEST

START_TEST(every_joint_type)
{
    check_shipped(&(shipped){"every_joint", "robots/every_joint.yaml", BASE_AS_FILE}, false);
}
END_TEST

/* ---- random trees, with every option in some of them */

/* Every second body, and every third frame. */
static emit_options tree_emission(arena *memory, const model *m, int i)
{
    emit_options o = all_bodies_and_frames(memory, m);
    int *bodies = ARENA_ARRAY(memory, int, m->n_bodies + 1), *frames = ARENA_ARRAY(memory, int, m->n_frames + 1);
    o.trace.n_fext = o.trace.n_jac_frames = 0;
    for (int b = i % 2; b < m->n_bodies; b += 2) bodies[o.trace.n_fext++] = b;
    for (int f = i % 3; f < m->n_frames; f += 3) frames[o.trace.n_jac_frames++] = f;
    o.trace.fext = bodies;
    o.trace.jac_frames = frames;
    o.single = i % 4 == 3;
    o.column_major = i / 2 % 2;
    o.trace.gravity_input = i % 4 == 1;
    o.trace.friction = (friction_kind)(i % 3);
    o.trace.friction_width = 0.3;
    if (i % 6 == 3) o.trace.loops = LOOPS_ALWAYS; /* no friction, no dependent joints: they can */
    o.n_lanes = i % 5 == 0 || i % 7 == 3;
    o.lanes[0] = m->nv > 10 ? 2 : 2 << i % 3; /* wide ones take long to compile */
    return o;
}

/* One in eight has every type; the others three types each. */
static model *tree_number(arena *memory, int i)
{
    unsigned types = 1u << (1 + i % 9) | 1u << (1 + (i + 2) % 9) | 1u << (1 + (i + 5) % 9);
    tree_options o = {3 + i % 5, i % 7 == 2, i % 2 == 0, i % 3 == 1, types};
    if (i % 8 == 7) o.types = 0, o.bodies = 9 + i % 7;
    return tree_random(memory, (uint64_t)i + 100, o);
}

static void check_tree(int i)
{
    const kernel_info *list[64];
    uint64_t seed = (uint64_t)i;
    fixture f = {.memory = arena_new()};
    f.model = tree_number(f.memory, i);
    tree_add_frames(f.memory, f.model, &seed);
    tree_add_losses(f.model, &seed);
    emit_options o = tree_emission(f.memory, f.model, i);
    bool small = f.model->nv <= 6;
    agreement_kernels(f.model, false, small ? 0 : i % 3, small ? 1 : 3, list);
    const char *name = arena_printf(f.memory, "tree %d, nv %d%s", i, f.model->nv, o.single ? " float" : "");
    check(name, &f, list, &o, 5);
    arena_free(f.memory);
}

START_TEST(random_trees_even)
{
    for (int i = 0; i < 50; i += quick() ? 10 : 2) check_tree(i);
}
END_TEST

START_TEST(random_trees_odd)
{
    for (int i = quick() ? 3 : 1; i < 50; i += quick() ? 22 : 2) check_tree(i); /* 3: by loops */
}
END_TEST

/* ---- the description and what it promises */

static void check_joints(const model *m, const sva_robot *r)
{
    ck_assert_str_eq(r->name, m->name);
    ck_assert_int_eq(r->nq, m->nq);
    ck_assert_int_eq(r->nv, m->nv);
    ck_assert_int_eq(r->n_joints, m->n_bodies);
    ck_assert_int_eq(r->n_frames, m->n_frames);
    for (int i = 0; i < m->n_frames; i++) ck_assert_str_eq(r->frames[i], m->frames[i].name);
    for (int i = 0; i < m->n_bodies; i++) {
        const model_body *b = &m->bodies[i];
        const sva_joint *j = &r->joints[i];
        const int numbers[] = {j->parent, j->iq, j->nq, j->iv, j->nv};
        const int expected[] = {b->parent, b->iq, b->nq, b->iv, b->nv};
        ck_assert_str_eq(j->name, b->joint_name);
        ck_assert_str_eq(j->type, sva_joint_table[b->type].name);
        ck_assert_mem_eq(numbers, expected, sizeof numbers);
    }
}

static void check_args(const trial *t)
{
    const sva_kernel *k = t->scalar;
    ck_assert_int_eq(k->lanes, 1);
    ck_assert_int_eq(k->n_in, t->n_in);
    ck_assert_int_eq(k->n_out, t->n_out);
    for (int i = 0; i < t->n_in + t->n_out; i++) {
        const trial_arg *a = i < t->n_in ? &t->in[i] : &t->out[i - t->n_in];
        const sva_arg *says = i < t->n_in ? &k->in[i] : &k->out[i - t->n_in];
        ck_assert_str_eq(says->name, arg_table[a->which].name);
        ck_assert_int_eq(says->rows, a->rows);
        ck_assert_int_eq(says->cols, a->cols);
    }
}

/* With some outputs missing the others have the same bits. */
static void check_missing_outputs(trial *t)
{
    for (unsigned wanted = 0; wanted < 1u << t->n_out; wanted++) {
        void *out[TRIAL_ARGS];
        for (int i = 0; i < t->n_out; i++) {
            out[i] = wanted >> i & 1 ? arena_alloc(t->memory, t->real * (size_t)t->out[i].size) : NULL;
            if (out[i]) trial_poison(t, out[i], t->out[i].size);
        }
        trial_call(t, 0, out);
        for (int i = 0; i < t->n_out; i++)
            if (out[i]) ck_assert_mem_eq(out[i], t->out[i].at, t->real * (size_t)t->out[i].size);
    }
}

/* Counts around the widths; nothing is written behind the last state. */
static void check_counts(trial *t)
{
    char *out[TRIAL_ARGS];
    for (int count = 0; count < t->states; count++) {
        for (int i = 0; i < t->n_out; i++) {
            out[i] = (char *)arena_alloc(t->memory, t->real * (size_t)(t->out[i].size * t->states + 1)) + t->real;
            trial_poison(t, out[i], (long)t->out[i].size * t->states);
        }
        trial_batch(t, count, out);
        for (int i = 0; i < t->n_out; i++) {
            long written = (long)t->out[i].size * count, all = (long)t->out[i].size * t->states;
            for (long e = 0; e < all; e++)
                ck_assert_msg(isnan(trial_number(t, out[i], e)) == (e >= written), "%s, %d states, element %ld",
                              t->kernel->name, count, e);
        }
    }
}

START_TEST(description_and_calls)
{
    const kernel_info *list[64];
    fixture f = fixture_robot("robots/ur5.yaml", (model_options){.base = BASE_FLOATING});
    emit_options o = all_bodies_and_frames(f.memory, f.model);
    o.n_lanes = 2, o.lanes[0] = 2, o.lanes[1] = 4;
    o.trace.gravity_input = true;
    int n = agreement_kernels(f.model, false, 0, quick() ? 4 : 1, list);
    compare_options how = {plain, 7, 3, false};
    comparison c = agreement_compare(f.model, list, &o, &how);
    agreement_expect("ur5 floating", &c);
    check_joints(f.model, c.built.robot);
    ck_assert_int_eq(c.built.robot->n_kernels, 3 * n);
    diag d = diag_new(f.memory);
    for (int i = 0; i < n; i++) {
        trial *t = trial_new(f.memory, &c, list[i], 10, 1, 1, &d);
        ck_assert_ptr_nonnull(t);
        compare_row row = {0};
        trial_check(t, &row);
        check_args(t);
        check_missing_outputs(t);
        check_counts(t);
        trial_free(t);
    }
    comparison_free(&c);
    fixture_free(&f);
}
END_TEST

/* ---- the verb */

START_TEST(table_of_the_verb)
{
    command c = run_svagen("compare robots/double_pendulum.yaml --lanes 2 --cflags -O0 --kernels rnea,fdsva");
    ck_assert_msg(c.status == 0, "%s", c.out);
    ck_assert_ptr_nonnull(strstr(c.out, "\nrnea "));
    ck_assert_ptr_nonnull(strstr(c.out, "\nfdsva "));
    ck_assert_ptr_null(strstr(c.out, "WRONG"));
    free(c.out);
}
END_TEST

/* Runs the verb with a temporary folder of its own, which must be empty afterwards. */
static void expect_failure(const char *arguments, const char *message)
{
    char line[1000], own[] = "/tmp/svagen_test.XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(own));
    snprintf(line, sizeof line, "TMPDIR=%s '%s' compare robots/double_pendulum.yaml %s 2>&1", own, SVAGEN_BINARY,
             arguments);
    command c = run_shell(line);
    ck_assert_msg(rmdir(own) == 0, "something was left in the temporary folder");
    ck_assert_msg(c.status == 1 && strstr(c.out, message), "%s: %d: %s", arguments, c.status, c.out);
    free(c.out);
}

START_TEST(failures_of_the_verb)
{
    expect_failure("--cc no-such-compiler", "cannot run the compiler 'no-such-compiler'");
    expect_failure("--cc false", "the compiler 'false' failed on ");
    expect_failure("--cflags '-O0 -no-such-flag;touch$IFS/tmp/x'", "no-such-flag;touch$IFS/tmp/x");
}
END_TEST

/* Constants of single precision in kernels of double: what a wrong kernel looks like. */
START_TEST(disagreement_is_found)
{
    command gcc = run_shell("command -v gcc");
    if (gcc.status == 0)
        expect_failure("--kernels rnea --cc gcc --cflags '-O0 -fsingle-precision-constant'", "WRONG: at most");
    else
        puts("note: no gcc, whose options make a kernel wrong; the finding of errors is not tested");
    free(gcc.out);
}
END_TEST

SUITE("generate", every_joint_type, shipped_fixed, shipped_floating, shipped_single_precision, random_trees_even,
      random_trees_odd, description_and_calls, table_of_the_verb, failures_of_the_verb, disagreement_is_found)
