#include "build.h"

#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/progress.h"

extern char **environ;

/* ---- programs */

static int start(char *const argv[], const char *log, pid_t *pid)
{
    posix_spawn_file_actions_t to;
    posix_spawn_file_actions_init(&to);
    posix_spawn_file_actions_addopen(&to, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&to, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&to, 1, 2);
    int error = posix_spawnp(pid, argv[0], &to, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&to);
    return error;
}

/* The exit code; a program that was killed has failed. */
static int finish(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int build_run(char *const argv[], const char *log)
{
    pid_t pid;
    int error = start(argv, log, &pid);
    if (error) return errno = error, -1;
    return finish(pid);
}

/* ---- the temporary folder */

char *build_temporary(arena *memory, diag *d)
{
    const char *base = getenv("TMPDIR");
    char *path = arena_printf(memory, "%s/svagen.XXXXXX", base && *base ? base : "/tmp");
    if (mkdtemp(path)) return path;
    diag_error(d, (place){.file = path}, "cannot make a temporary folder: %s", strerror(errno));
    return NULL;
}

void build_remove(const char *path)
{
    DIR *dir = opendir(path);
    if (!dir) return;
    for (struct dirent *e; (e = readdir(dir));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) unlinkat(dirfd(dir), e->d_name, 0);
    closedir(dir);
    rmdir(path);
}

/* ---- signals that end the program wait until the temporary folder is gone */

static volatile sig_atomic_t caught;
static void note_signal(int number) { caught = number; }
static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDING = sizeof ending / sizeof *ending };

static void hold_signals(struct sigaction old[ENDING])
{
    struct sigaction note = {.sa_handler = note_signal};
    caught = 0;
    for (int i = 0; i < ENDING; i++) sigaction(ending[i], &note, &old[i]);
}

static void release_signals(const struct sigaction old[ENDING])
{
    for (int i = 0; i < ENDING; i++) sigaction(ending[i], &old[i], NULL);
    if (caught) raise(caught);
}

/* ---- compiling */

typedef struct job {
    arena *memory;
    const char *folder, *cc;
    VEC(char *) words; /* the compiler and its flags */
    const build_options *o;
    diag *d;
} job;

typedef struct running {
    pid_t pid;
    const char *source, *log;
    double seconds;
} running;

static void split(job *j, const char *text)
{
    for (size_t n; *(text += strspn(text, " \t\n")); text += n) {
        n = strcspn(text, " \t\n");
        VEC_PUSH(&j->words, arena_copy(j->memory, text, n));
    }
}

/* $CC may hold flags too, as make has it. */
static bool choose_compiler(job *j)
{
    const char *env = getenv("CC");
    split(j, j->o->cc ? j->o->cc : env && *env ? env : "cc");
    if (!j->words.n) return diag_error(j->d, (place){0}, "the name of the compiler is empty");
    j->cc = j->words.at[0];
    split(j, j->o->flags ? j->o->flags : BUILD_FLAGS);
    return true;
}

/* The compiler, its flags, and what follows: `more`, which ends with NULL. */
static char **command(job *j, const char *const *more)
{
    int n = j->words.n, m = 0;
    while (more[m]) m++;
    char **argv = ARENA_ARRAY(j->memory, char *, n + m + 1);
    memcpy(argv, j->words.at, sizeof *argv * (size_t)n);
    for (int i = 0; i < m; i++) argv[n + i] = arena_printf(j->memory, "%s", more[i]);
    return argv;
}

static const char *first_lines(job *j, const char *log)
{
    char text[600];
    FILE *f = fopen(log, "rb");
    size_t n = f ? fread(text, 1, sizeof text, f) : 0;
    if (f) fclose(f);
    while (n && text[n - 1] == '\n') n--;
    return arena_copy(j->memory, text, n);
}

static bool not_started(job *j, int error)
{
    return diag_error(j->d, (place){0}, "cannot run the compiler '%s': %s (--cc chooses another)", j->cc,
                      strerror(error));
}

static bool check(job *j, int code, const char *what, const char *log)
{
    if (caught) return diag_error(j->d, (place){0}, "interrupted");
    return !code ||
           diag_error(j->d, (place){0}, "the compiler '%s' failed on %s: %s", j->cc, what, first_lines(j, log));
}

static bool start_source(job *j, const char *source, running *r)
{
    const char *path = arena_printf(j->memory, "%s/%s", j->folder, source);
    const char *const more[] = {
        "-fPIC", "-c", path, "-o", arena_printf(j->memory, "%.*s.o", (int)strlen(path) - 2, path), NULL};
    *r = (running){0, source, arena_printf(j->memory, "%s.log", path), 0};
    int error = start(command(j, more), r->log, &r->pid);
    return !error || not_started(j, error);
}

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

/* Of the programs that were waited for, and of those that they waited for. */
static double processor_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return seconds_of(u.ru_utime) + seconds_of(u.ru_stime);
}

static bool wait_source(job *j, running *r)
{
    double before = processor_seconds();
    int code = finish(r->pid);
    r->seconds = processor_seconds() - before;
    return check(j, code, r->source, r->log);
}

/* As many at a time as there are processors. */
static bool compile(job *j, char *const *sources, running *r, int n)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int most = processors > 1 ? (int)processors : 1, started = 0, waited = 0;
    bool ok = true;
    while (ok && waited < n) {
        while (ok && started < n && started - waited < most) {
            ok = start_source(j, sources[started], &r[started]);
            started += ok;
        }
        progress(j->o->progress, "compiling %d of %d: %s", waited + 1, n, sources[waited]);
        if (ok) ok = wait_source(j, &r[waited++]);
    }
    while (waited < started) finish(r[waited++].pid);
    progress_end(j->o->progress);
    return ok;
}

static bool link_objects(job *j, char *const *sources, int n, const char *library)
{
    const char **more = ARENA_ARRAY(j->memory, const char *, n + 5), *log = arena_printf(j->memory, "%s.log", library);
    memcpy(more, (const char *[]){"-shared", "-o", library}, 3 * sizeof *more);
    for (int i = 0; i < n; i++)
        more[3 + i] = arena_printf(j->memory, "%s/%.*s.o", j->folder, (int)strlen(sources[i]) - 2, sources[i]);
    more[3 + n] = "-lm";
    int code = build_run(command(j, more), log);
    return code < 0 ? not_started(j, errno) : check(j, code, "linking", log);
}

/* ---- sizes */

static bool read_at(FILE *f, long at, void *to, size_t size)
{
    return !fseek(f, at, SEEK_SET) && fread(to, size, 1, f);
}

/* Sum of the executable sections of an object file, 0 if it is not ELF of 64 bits. */
static long instruction_bytes(const char *path)
{
    Elf64_Ehdr e;
    Elf64_Shdr s;
    long sum = 0;
    FILE *f = fopen(path, "rb");
    if (!f) return 0;
    if (read_at(f, 0, &e, sizeof e) && !memcmp(e.e_ident, ELFMAG, SELFMAG) && e.e_ident[EI_CLASS] == ELFCLASS64)
        for (int i = 0; i < e.e_shnum && read_at(f, (long)e.e_shoff + i * e.e_shentsize, &s, sizeof s); i++)
            if (s.sh_flags & SHF_EXECINSTR) sum += (long)s.sh_size;
    fclose(f);
    return sum;
}

static void measure(job *j, const running *r, int n, built *b)
{
    b->n_objects = n;
    b->objects = ARENA_ARRAY(b->memory, build_object, n);
    for (int i = 0; i < n; i++) {
        const char *name = arena_copy(b->memory, r[i].source, strlen(r[i].source) - 2);
        long bytes = instruction_bytes(arena_printf(j->memory, "%s/%s.o", j->folder, name));
        b->objects[i] = (build_object){name, bytes, r[i].seconds};
    }
}

/* ---- loading */

static bool load(job *j, const char *library, built *b)
{
    b->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!b->library)
        return diag_error(j->d, (place){0}, "cannot load what was compiled (TMPDIR chooses another place): %s",
                          dlerror());
    b->robot = dlsym(b->library, arena_printf(j->memory, "%s_robot", b->identifier));
    if (b->robot) return true;
    build_free(b);
    return diag_error(j->d, (place){0}, "what was compiled has no description of the robot");
}

static bool make(job *j, folder *f, built *b)
{
    char **sources = ARENA_ARRAY(j->memory, char *, folder_count(f));
    const char *library = arena_printf(j->memory, "%s/robot.so", j->folder);
    int n = 0;
    for (int i = 0; i < folder_count(f); i++) {
        const char *name = folder_name(f, i), *dot = strrchr(name, '.');
        if (dot && !strcmp(dot, ".c")) sources[n++] = arena_printf(j->memory, "%s", name);
    }
    running *r = ARENA_ARRAY(j->memory, running, n);
    if (!compile(j, sources, r, n) || !link_objects(j, sources, n, library)) return false;
    measure(j, r, n, b);
    return load(j, library, b);
}

bool build_load(arena *memory, folder *f, const char *identifier, const build_options *o, built *b, diag *d)
{
    job j = {.memory = arena_new(), .o = o, .d = d};
    *b = (built){.memory = memory, .identifier = arena_printf(memory, "%s", identifier)};
    struct sigaction old[ENDING];
    hold_signals(old);
    if (o->extra) fwrite(o->extra->text, 1, o->extra->length, folder_file(f, o->extra->name));
    bool ok = choose_compiler(&j) && (j.folder = build_temporary(j.memory, d));
    if (ok) {
        ok = folder_commit(f, j.folder, d) && make(&j, f, b);
        build_remove(j.folder);
    }
    release_signals(old);
    free(j.words.at);
    arena_free(j.memory);
    return ok;
}

void build_free(built *b)
{
    if (b->library) dlclose(b->library);
    b->library = NULL;
}

build_function build_symbol(const built *b, const char *name)
{
    build_function f;
    void *symbol = dlsym(b->library, name);
    memcpy(&f, &symbol, sizeof f); /* as POSIX has it: ISO C does not turn one into the other */
    return f;
}

build_object build_kernel(const built *b, const char *kernel)
{
    const char *name = arena_printf(b->memory, "%s_%s", b->identifier, kernel);
    for (int i = 0; i < b->n_objects; i++)
        if (!strcmp(b->objects[i].name, name)) return b->objects[i];
    return (build_object){0};
}
