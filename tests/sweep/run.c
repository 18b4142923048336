/* Runs svagen and the compiler without a shell between, and loads what came out. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "sweep.h"

static void start(char *const words[], int seconds, FILE *log)
{
    struct rlimit limit = {(rlim_t)seconds, (rlim_t)seconds};
    setrlimit(RLIMIT_CPU, &limit);
    dup2(fileno(log), STDOUT_FILENO);
    dup2(fileno(log), STDERR_FILENO);
    execvp(words[0], words);
    fprintf(stderr, "cannot run %s\n", words[0]);
    _exit(127);
}

static char *text_of(FILE *f)
{
    long size = (fseek(f, 0, SEEK_END), ftell(f));
    char *text = calloc((size_t)size + 1, 1);
    if (!text) abort();
    rewind(f);
    size_t n = fread(text, 1, (size_t)size, f);
    text[n] = 0;
    fclose(f);
    return text;
}

outcome run_words(char *const words[], int seconds)
{
    int status = 0;
    FILE *log = tmpfile();
    if (!log) abort();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) start(words, seconds, log);
    if (child < 0 || waitpid(child, &status, 0) != child) return (outcome){127, text_of(log)};
    return (outcome){WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(log)};
}

/* ---- the compiler */

typedef struct words {
    char *at[160];
    int n;
} words;

static void add(words *w, const char *format, const char *a, const char *b)
{
    size_t size = strlen(format) + strlen(a) + strlen(b) + 1;
    char *word = malloc(size);
    if (!word || w->n > 150) abort();
    snprintf(word, size, format, a, b);
    w->at[w->n++] = word;
}

/* Words between spaces. */
static void add_split(words *w, const char *text)
{
    for (size_t n; *text; text += n) {
        n = strcspn(text, " ");
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        if (n) add(w, "%s%s", word, "");
        n += text[n] == ' ';
    }
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

static long size_of(const char *path)
{
    struct stat s;
    return stat(path, &s) ? 0 : (long)s.st_size;
}

/* Adds the sources; the one of the description has the robot's name in C. */
static void add_sources(words *w, const char *folder, made *m)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        bool lanes = ends_with(e->d_name, "_lanes.h");
        if (!lanes && !ends_with(e->d_name, ".c")) continue;
        add(w, "%s/%s", folder, e->d_name);
        m->size += size_of(w->at[w->n - 1]) * (lanes ? 2 : 1);
        if (lanes) free(w->at[--w->n]);
        if (!ends_with(e->d_name, "_robot.c")) continue;
        size_t n = strlen(e->d_name) - strlen("_robot.c");
        if (n < sizeof m->id) memcpy(m->id, e->d_name, n), m->id[n] = 0;
    }
    if (d) closedir(d);
}

/* Optimising what is larger would take most of the time. */
enum { MOST_OPTIMISED = 60000 };

const char *compile_folder(const char *folder, const drawn_options *o, made *m)
{
    words w = {.n = 0};
    char name[sizeof m->id + 8];
    snprintf(m->so, sizeof m->so, "%s.so", folder);
    add(&w, "%s%s", o->cc, "");
    add_split(&w, o->machine);
    add_split(&w, o->standard);
    add_split(&w, "-pipe -shared -fPIC -o");
    add(&w, "%s%s", m->so, "");
    add_sources(&w, folder, m);
    add(&w, "%s%s", m->size > MOST_OPTIMISED ? "-O0" : o->level, "");
    add(&w, "%s%s", "-lm", "");
    outcome done = run_words(w.at, 600);
    if (done.status) return done.text[0] ? done.text : "the compiler was killed";
    m->library = dlopen(m->so, RTLD_NOW | RTLD_LOCAL);
    if (!m->library) return dlerror();
    snprintf(name, sizeof name, "%s_robot", m->id);
    m->robot = dlsym(m->library, name);
    return m->robot ? NULL : "no description";
}
