/* sweep [--seed S] [--count N] [--from I] [--only I] [--cc gcc|clang] [--svagen PATH] [--keep] [--verbose]

   Pair I is drawn from S and I alone; it runs in a process of its own. A line for each failure, with the command; the
   folder stays with --keep. Exit code 1 if anything failed. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "sweep.h"

typedef struct settings {
    unsigned long long seed;
    long count, from, only;
    const char *cc, *svagen;
    bool keep, verbose;
    char folder[64];
} settings;

void pair_failed(pair *p, const char *format, ...)
{
    va_list args;
    if (p->failures++ >= 6) return; /* the rest is more of the same */
    va_start(args, format);
    printf("FAILED %s: ", p->label);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
}

/* ---- what should happen */

static bool any(const drawn_options *o, bool (*of)(const kernel_row *row))
{
    for (int i = 0; i < o->n_kernels; i++)
        if (of(&kernel_rows[o->order[i]])) return true;
    return false;
}

static bool solves(const kernel_row *row) { return row->inverse; }

static bool has_no_inverse(const drawn_robot *r, const drawn_options *o) { return r->weightless && !o->armature; }

/* Of the kernels made by default, those are left out that need an inverse where there is none. */
static void leave_out(drawn_options *o)
{
    int n = 0;
    for (int i = 0; i < o->n_kernels; i++)
        if (solves(&kernel_rows[o->order[i]]))
            o->kernels[o->order[i]] = false;
        else
            o->order[n++] = o->order[i];
    o->n_kernels = n;
}

/* The exit code that the documentation asks for. */
static int due(const witness *y)
{
    const drawn_options *o = y->o;
    if (o->twice || o->idle || (o->kernels[JAC] && !o->n_frames)) return 2;
    if (y->nv == 0 || (has_no_inverse(y->r, o) && any(o, solves))) return 1;
    bool aza = o->solver && !strcmp(o->solver, "aza");
    return aza && y->m->n_dependent && any(o, solves) ? 1 : 0;
}

static int count_of(const char *text, const char *word)
{
    int n = 0;
    for (; (text = strstr(text, word)); text++) n++;
    return n;
}

/* Whether there is something to compile. */
static bool went_well(pair *p, const outcome *done, const char *folder)
{
    int status = due(p->y), errors = count_of(done->text, "error: ");
    if (done->status != status)
        pair_failed(p, "svagen exits with %d, %d expected: %.600s", done->status, status, done->text);
    else if (status && errors != 1)
        pair_failed(p, "%d error messages, 1 expected: %.600s", errors, done->text);
    else if (status && !access(folder, F_OK))
        pair_failed(p, "an error, but files were written");
    else if (!status && errors)
        pair_failed(p, "error messages, but exit code 0: %.600s", done->text);
    return !done->status && !p->failures;
}

/* ---- one pair */

static void write_file(const drawn_robot *r, const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out) abort();
    write_robot(r, out);
    fclose(out);
}

/* M^-1 is asked for where M is well away from singular. */
static bool is_regular(witness *y, uint64_t seed)
{
    drawn_state s;
    double worst = 1;
    for (int i = 0; i < STATES && y->nv; i++) {
        witness_state(y, &seed, &s);
        worst = fmax(worst, witness_condition(y, s.in[IN_Q]));
    }
    return worst < 1e7;
}

static void draw_pair(uint64_t seed, const char *cc, drawn_robot *r, drawn_options *o, witness *y)
{
    draw_robot(&seed, r);
    uint64_t again = seed;
    draw_options(&seed, r, true, cc, o);
    const char *wrong = witness_make(y, r, o);
    if (wrong) {
        printf("FAILED: the library refuses a robot: %s\n", wrong);
        _exit(1);
    }
    if (has_no_inverse(r, o) && o->default_kernels) leave_out(o);
    if (is_regular(y, again) || has_no_inverse(r, o)) return;
    draw_options(&again, r, false, cc, o);
    witness_make(y, r, o);
}

static void check_pair(pair *p, const char *folder, made *m)
{
    const char *wrong = compile_folder(folder, p->o, m);
    p->m = m;
    if (wrong) {
        pair_failed(p, "%s %s %s %s: %.800s", p->o->cc, p->o->level, p->o->machine, p->o->standard, wrong);
        return;
    }
    check_description(p);
    if (p->failures) return;
    for (int i = 0; i < STATES; i++) witness_state(p->y, &p->seed, &p->states[i]);
    for (int i = 0; i < STATES; i++) witness_truth(p->y, &p->states[i]);
    check_kernels(p);
    check_identities(p);
}

static void remove_all(const char *folder)
{
    char robot[128], so[128];
    snprintf(robot, sizeof robot, "%s.yaml", folder);
    snprintf(so, sizeof so, "%s.so", folder);
    char rm[] = "rm", rf[] = "-rf", all[128];
    snprintf(all, sizeof all, "%s", folder);
    char *words[] = {rm, rf, robot, so, all, NULL};
    free(run_words(words, 60).text);
}

static int run_pair(const settings *s, long index)
{
    static drawn_robot r;
    static drawn_options o;
    static witness y;
    static pair p;
    uint64_t seed = s->seed * 0x100000001b3u + (uint64_t)index, words_seed = seed + 1;
    char robot[128], folder[96], label[64], *words[MOST_WORDS];
    draw_bits(&seed);
    draw_pair(seed, s->cc, &r, &o, &y);
    snprintf(folder, sizeof folder, "%s/%ld", s->folder, index);
    snprintf(robot, sizeof robot, "%s.yaml", folder);
    snprintf(label, sizeof label, "seed %llu pair %ld", s->seed, index);
    write_file(&r, robot);
    write_command(&words_seed, &r, &o, s->svagen, robot, folder, words);
    p = (pair){.seed = words_seed, .label = label, .y = &y, .o = &o};
    outcome done = run_words(words, 400);
    made m = {0};
    if (went_well(&p, &done, folder)) check_pair(&p, folder, &m);
    if (p.failures || s->verbose) {
        printf("%s: ", label);
        print_command(words, stdout);
        printf(" && %s %s %s %s\n", o.cc, o.level, o.machine, o.standard);
    }
    if (!s->keep) remove_all(folder);
    fflush(stdout);
    return p.failures != 0;
}

static int run_apart(const settings *s, long index)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) _exit(run_pair(s, index));
    if (child < 0 || waitpid(child, &status, 0) != child) return 1;
    if (WIFSIGNALED(status))
        printf("FAILED seed %llu pair %ld: killed by signal %d\n", s->seed, index, WTERMSIG(status));
    return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : 1;
}

/* ---- the command line */

static bool read_option(settings *s, const char *name, const char *value)
{
    if (!strcmp(name, "--seed"))
        s->seed = strtoull(value, NULL, 10);
    else if (!strcmp(name, "--count"))
        s->count = strtol(value, NULL, 10);
    else if (!strcmp(name, "--from"))
        s->from = strtol(value, NULL, 10);
    else if (!strcmp(name, "--only"))
        s->only = strtol(value, NULL, 10);
    else if (!strcmp(name, "--cc"))
        s->cc = value;
    else if (!strcmp(name, "--svagen"))
        s->svagen = value;
    else
        return false;
    return true;
}

static bool read_options(settings *s, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--keep"))
            s->keep = true;
        else if (!strcmp(argv[i], "--verbose"))
            s->verbose = true;
        else if (i + 1 == argc || !read_option(s, argv[i], argv[i + 1]))
            return false;
        else
            i++;
    }
    return true;
}

int main(int argc, char **argv)
{
    const char *quick = getenv("SVAGEN_QUICK");
    settings s = {.seed = 1, .count = quick && !strcmp(quick, "1") ? 12 : 36, .only = -1, .svagen = SVAGEN_BINARY};
    if (!read_options(&s, argc, argv)) {
        fputs("usage: sweep [--seed S] [--count N] [--from I] [--only I] [--cc gcc|clang] [--svagen PATH] [--keep] "
              "[--verbose]\n",
              stderr);
        return 2;
    }
    const char *tmp = getenv("TMPDIR");
    snprintf(s.folder, sizeof s.folder, "%.40s/svagen_sweep_XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(s.folder)) return perror("sweep"), 2;
    if (s.only >= 0) s.from = s.only, s.count = 1;
    long failed = 0;
    for (long i = s.from; i < s.from + s.count; i++) failed += run_apart(&s, i);
    printf("%ld pairs, %ld failed\n", s.count, failed);
    if (s.keep)
        printf("kept in %s\n", s.folder);
    else
        rmdir(s.folder);
    return failed ? 1 : 0;
}
