#include "single.h"

#include <string.h>
#include "base/invariant.h"

static int file_called(const folder *f, const char *name, size_t length)
{
    for (int i = 0; i < folder_count(f); i++)
        if (strlen(folder_name(f, i)) == length && !strncmp(folder_name(f, i), name, length)) return i;
    return -1;
}

/* The file that a line includes, if it is one of the folder; -1. */
static int included(const folder *f, const char *line)
{
    static const char include[] = "#include \"";
    if (strncmp(line, include, strlen(include)) != 0) return -1;
    const char *name = line + strlen(include);
    return file_called(f, name, strcspn(name, "\"\n"));
}

/* The text with what it includes; `header` is included as it is, and once is enough. */
static void put(folder *f, int file, int header, FILE *out)
{
    size_t length, line;
    for (const char *c = folder_text(f, file, &length); *c; c += line) {
        line = strcspn(c, "\n") + (strchr(c, '\n') != NULL);
        int inside = included(f, c);
        if (inside < 0)
            fwrite(c, 1, line, out);
        else if (inside != header)
            put(f, inside, header, out);
    }
}

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n > m && !strcmp(name + n - m, end);
}

void single_merge(folder *f, const char *robot)
{
    size_t length = strlen(robot);
    char name[300];
    INVARIANT(length + 3 < sizeof name);
    snprintf(name, sizeof name, "%s.h", robot);
    int n = folder_count(f), header = file_called(f, name, strlen(name));
    INVARIANT(header >= 0);
    FILE *h = folder_file(f, ".h"), *c = folder_file(f, ".c");
    put(f, header, header, h);
    fprintf(c, "#include \"%s\"\n", name);
    for (int i = 0; i < n; i++)
        if (ends_with(folder_name(f, i), ".c")) put(f, i, header, c);
    for (int i = n; i-- > 0;) {
        const char *each = folder_name(f, i);
        if (ends_with(each, ".c") || ends_with(each, ".h") || !strcmp(each, "CMakeLists.txt")) folder_drop(f, i);
    }
    n = folder_count(f);
    folder_rename(f, n - 2, name);
    snprintf(name, sizeof name, "%s.c", robot);
    folder_rename(f, n - 1, name);
}
