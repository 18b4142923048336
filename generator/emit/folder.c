#include "folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct entry {
    const char *name;
    FILE *stream;
    char *text;
    size_t length;
    const char *temporary;
} entry;

enum { MOST = 256 };

struct folder {
    arena *memory;
    int n;
    entry at[MOST];
};

folder *folder_new(arena *memory)
{
    folder *f = ARENA_ARRAY(memory, folder, 1);
    f->memory = memory;
    return f;
}

FILE *folder_file(folder *f, const char *name)
{
    if (f->n == MOST) abort();
    entry *e = &f->at[f->n++];
    e->name = arena_printf(f->memory, "%s", name);
    e->stream = open_memstream(&e->text, &e->length);
    if (!e->stream) abort();
    return e->stream;
}

static void close_stream(entry *e)
{
    if (e->stream) fclose(e->stream);
    e->stream = NULL;
}

void folder_free(folder *f)
{
    for (int i = 0; i < f->n; i++) {
        close_stream(&f->at[i]);
        free(f->at[i].text);
    }
    f->n = 0;
}

int folder_count(const folder *f) { return f->n; }
const char *folder_name(const folder *f, int i) { return f->at[i].name; }

const char *folder_text(folder *f, int i, size_t *length)
{
    close_stream(&f->at[i]);
    *length = f->at[i].length;
    return f->at[i].text;
}

/* The folder and those above it. */
static bool make_folder(const folder *f, const char *path, diag *d)
{
    char *part = arena_printf(f->memory, "%s", path);
    for (char *c = part + 1;; c++) {
        if (*c && *c != '/') continue;
        char end = *c;
        *c = 0;
        if (mkdir(part, 0777) && errno != EEXIST)
            return diag_error(d, (place){.file = part}, "cannot make this folder: %s", strerror(errno));
        *c = end;
        if (!end) break;
    }
    struct stat st;
    if (stat(path, &st) || !S_ISDIR(st.st_mode))
        return diag_error(d, (place){.file = path}, "a folder was expected, this is something else");
    return true;
}

static bool write_entry(const folder *f, entry *e, const char *path, diag *d)
{
    close_stream(e);
    e->temporary = arena_printf(f->memory, "%s/.%s.%ld.new", path, e->name, (long)getpid());
    FILE *out = fopen(e->temporary, "wb");
    bool ok = out && fwrite(e->text, 1, e->length, out) == e->length;
    ok = out && !fclose(out) && ok;
    return ok || diag_error(d, (place){.file = e->temporary}, "cannot write: %s", strerror(errno));
}

bool folder_commit(folder *f, const char *path, diag *d)
{
    if (!make_folder(f, path, d)) return false;
    bool ok = true;
    for (int i = 0; i < f->n && ok; i++) ok = write_entry(f, &f->at[i], path, d);
    for (int i = 0; i < f->n && ok; i++) {
        const char *to = arena_printf(f->memory, "%s/%s", path, f->at[i].name);
        ok = !rename(f->at[i].temporary, to) ||
             diag_error(d, (place){.file = to}, "cannot replace: %s", strerror(errno));
    }
    for (int i = 0; i < f->n && !ok; i++)
        if (f->at[i].temporary) unlink(f->at[i].temporary);
    return ok;
}
