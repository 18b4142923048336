#include "identifiers.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include "base/names.h"

static bool letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static void map(char *text)
{
    for (char *c = text; *c; c++)
        if (!letter_or_digit(*c)) *c = '_';
}

const char *emit_identifier(arena *memory, const char *name)
{
    char *id = arena_printf(memory, "%s%.200s", isdigit((unsigned char)*name) || !*name ? "robot_" : "", name);
    map(id);
    return id;
}

const char *identifier_upper(arena *memory, const char *name)
{
    char *up = arena_printf(memory, "%s", name);
    for (char *c = up; *c; c++)
        if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
    return up;
}

const char *const *identifiers_unique(arena *memory, int n, const char *const *list)
{
    enum { CUT = 100 };
    names *taken = names_new(memory);
    const char **out = ARENA_ARRAY(memory, const char *, n + 1);
    for (int i = 0; i < n; i++) {
        char *id = arena_printf(memory, "%.*s", CUT, *list[i] ? list[i] : "_");
        map(id);
        const char *up = identifier_upper(memory, id);
        out[i] = up;
        for (int k = 2; names_add(taken, out[i], i) >= 0; k++) out[i] = arena_printf(memory, "%s_%d", up, k);
    }
    return out;
}

static bool listed(const char *const *list, const char *word)
{
    while (*list && strcasecmp(*list, word) != 0) list++;
    return *list != NULL;
}

/* Headers that others include by <>, and would then find in the folder. */
static const char *const headers[] = {
    "alloca",  "assert",  "complex",  "ctype",  "dlfcn",  "endian", "errno",     "features", "fcntl",       "fenv",
    "float",   "getopt",  "inttypes", "iso646", "libgen", "limits", "locale",    "malloc",   "math",        "memory",
    "newlib",  "pthread", "reent",    "regex",  "sched",  "setjmp", "signal",    "stdalign", "stdarg",      "stdatomic",
    "stdbool", "stddef",  "stdint",   "stdio",  "stdlib", "string", "stdckdint", "stdbit",   "stdnoreturn", "strings",
    "tgmath",  "threads", "time",     "uchar",  "unistd", "values", "wchar",     "wctype",   "windows",     NULL,
};

bool emit_check_name(const char *name, diag *d)
{
    arena *memory = arena_new();
    const char *id = emit_identifier(memory, name);
    bool runtime = !strncasecmp(id, "sva", 3) && (!id[3] || id[3] == '_'), header = listed(headers, id);
    if (runtime)
        diag_error(
            d, (place){0},
            "the name '%s' would collide with the runtime's, which are sva and sva_...: choose another by --name",
            name);
    else if (header)
        diag_error(d, (place){0},
                   "the name '%s' would make a file %s.h, which hides the system's <%s.h>: choose another by --name",
                   name, id, id);
    arena_free(memory);
    return !runtime && !header;
}

const char *identifier_target(arena *memory, const char *identifier)
{
    static const char *const reserved[] = {
        "all",        "ALL_BUILD", "clean",          "depend",
        "edit_cache", "help",      "install",        "list_install_components",
        "package",    "none",      "package_source", "rebuild_cache",
        "RUN_TESTS",  "test",      "ZERO_CHECK",     "preinstall",
        NULL,
    };
    return listed(reserved, identifier) ? arena_printf(memory, "%s_dynamics", identifier) : identifier;
}
