/* For suites that work in an empty folder of their own: SUITE_AROUND(..., enter_own_folder, leave_own_folder, ...). */
#ifndef OWN_FOLDER_H
#define OWN_FOLDER_H

#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include "command.h"

static char here[PATH_MAX]; /* where robots/ is */
static char own[64];        /* an empty folder; the working directory of every test */

static inline void enter_own_folder(void)
{
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    strcpy(own, "/tmp/svagen_output.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(own));
    ck_assert_int_eq(chdir(own), 0);
}

static inline command __attribute__((format(printf, 1, 2))) shell(const char *format, ...)
{
    char line[16000];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line - 16, format, args);
    va_end(args);
    ck_assert_int_lt(n, (int)sizeof line - 16);
    char whole[sizeof line + 16];
    snprintf(whole, sizeof whole, "{ %s\n} 2>&1", line);
    return run_shell(whole);
}

/* A command that must succeed. */
#define MUST(...)                                                                                                      \
    do {                                                                                                               \
        command c_ = shell(__VA_ARGS__);                                                                               \
        ck_assert_msg(c_.status == 0, "%s", c_.out);                                                                   \
        free(c_.out);                                                                                                  \
    } while (0)

static inline bool can(const char *line)
{
    command c = shell("%s", line);
    free(c.out);
    return c.status == 0;
}

static inline void leave_own_folder(void)
{
    ck_assert_int_eq(chdir(here), 0);
    MUST("rm -rf '%s'", own);
}

static inline void generate(const char *name, const char *options, const char *to)
{
    MUST("'%s' generate '%s/robots/%s.yaml' -o %s %s", SVAGEN_BINARY, here, name, to, options);
}

/* ---- compilers */

typedef struct compiler {
    const char *command, *name;
} compiler;

static const compiler compilers[] = {
    {"gcc -std=c99", "gcc, C99"},
    {"gcc -std=c++11 -x c++", "gcc, C++"},
    {"clang -std=c99", "clang, C99"},
    {"clang -std=c++11 -x c++", "clang, C++"},
};
enum { COMPILERS = sizeof compilers / sizeof *compilers };
#define STRICT "-Wall -Wextra -pedantic -Werror"

static inline bool present(const compiler *c)
{
    char line[200];
    snprintf(line, sizeof line, "echo 'int x;' >t.c && %s -c t.c -o t.o", c->command);
    bool works = can(line);
    if (!works) printf("note: %s is not here; nothing is compiled by it\n", c->name);
    return works;
}

#endif
