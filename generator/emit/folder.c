#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/invariant.h"

typedef struct entry {
    const char *name;
    FILE *stream;
    char *text;
    size_t length;
    const char *temporary;
} entry;

struct folder {
    arena *memory;
    VEC(entry *) files;
};

folder *folder_new(arena *memory)
{
    folder *f = ARENA_ARRAY(memory, folder, 1);
    f->memory = memory;
    return f;
}

FILE *folder_file(folder *f, const char *name)
{
    entry *e = ARENA_ARRAY(f->memory, entry, 1);
    VEC_PUSH(&f->files, e);
    e->name = arena_printf(f->memory, "%s", name);
    e->stream = open_memstream(&e->text, &e->length);
    INVARIANT(e->stream);
    return e->stream;
}

static void close_stream(entry *e)
{
    if (e->stream) fclose(e->stream);
    e->stream = NULL;
}

static void free_entry(entry *e)
{
    close_stream(e);
    free(e->text);
}

void folder_free(folder *f)
{
    for (int i = 0; i < f->files.n; i++) free_entry(f->files.at[i]);
    free(f->files.at);
    memset(&f->files, 0, sizeof f->files);
}

int folder_count(const folder *f) { return f->files.n; }
const char *folder_name(const folder *f, int i) { return f->files.at[i]->name; }

const char *folder_text(folder *f, int i, size_t *length)
{
    entry *e = f->files.at[i];
    close_stream(e);
    *length = e->length;
    return e->text;
}

void folder_drop(folder *f, int i)
{
    free_entry(f->files.at[i]);
    memmove(f->files.at + i, f->files.at + i + 1, sizeof *f->files.at * (size_t)(--f->files.n - i));
}

void folder_rename(folder *f, int i, const char *name) { f->files.at[i]->name = arena_printf(f->memory, "%s", name); }

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

/* ---- files of an earlier set */

static unsigned long long hash_of(const char *text, size_t length)
{
    unsigned long long h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    return h;
}

static void write_list(folder *f)
{
    int n = f->files.n;
    FILE *list = folder_file(f, FOLDER_LIST);
    fputs("# What svagen wrote here, and a hash of each text: the next run removes what it does not write again.\n",
          list);
    for (int i = 0; i < n; i++) {
        size_t length;
        const char *text = folder_text(f, i, &length);
        fprintf(list, "%016llx %s\n", hash_of(text, length), folder_name(f, i));
    }
}

static bool has(const folder *f, const char *name)
{
    for (int i = 0; i < f->files.n; i++)
        if (!strcmp(f->files.at[i]->name, name)) return true;
    return false;
}

static char *whole_file(const folder *f, const char *path, size_t *length)
{
    struct stat st;
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    if (in && !fstat(fileno(in), &st) && S_ISREG(st.st_mode)) {
        text = arena_alloc(f->memory, (size_t)st.st_size + 1);
        *length = fread(text, 1, (size_t)st.st_size, in);
    }
    if (in) fclose(in);
    return text;
}

static bool plain_name(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    return *name && *name != '.' && !name[strspn(name, plain)];
}

static void remove_unchanged(const folder *f, const char *path, const char *name, unsigned long long hash, diag *d)
{
    const char *whole = arena_printf(f->memory, "%s/%s", path, name);
    size_t length = 0;
    const char *text = whole_file(f, whole, &length);
    if (!text) return;
    if (hash_of(text, length) == hash)
        unlink(whole);
    else
        diag_warning(d, (place){.file = whole},
                     "an earlier run wrote this file and it was changed since: it stays, but belongs to no kernel now");
}

/* What is on the old list and not in this set. */
static void remove_old(const folder *f, const char *path, char *list, diag *d)
{
    char *rest = NULL;
    for (char *row = list ? strtok_r(list, "\n", &rest) : NULL; row; row = strtok_r(NULL, "\n", &rest)) {
        unsigned long long hash;
        int name = 0;
        if (sscanf(row, "%16llx %n", &hash, &name) == 1 && name == 17 && plain_name(row + name) && !has(f, row + name))
            remove_unchanged(f, path, row + name, hash, d);
    }
}

bool folder_commit(folder *f, const char *path, diag *d)
{
    size_t length;
    if (!make_folder(f, path, d)) return false;
    char *old = whole_file(f, arena_printf(f->memory, "%s/" FOLDER_LIST, path), &length);
    bool ok = true;
    write_list(f);
    for (int i = 0; i < f->files.n && ok; i++) ok = write_entry(f, f->files.at[i], path, d);
    for (int i = 0; i < f->files.n && ok; i++) {
        const char *to = arena_printf(f->memory, "%s/%s", path, f->files.at[i]->name);
        ok = !rename(f->files.at[i]->temporary, to) ||
             diag_error(d, (place){.file = to}, "cannot replace: %s", strerror(errno));
    }
    for (int i = 0; i < f->files.n && !ok; i++)
        if (f->files.at[i]->temporary) unlink(f->files.at[i]->temporary);
    if (ok) remove_old(f, path, old, d);
    folder_drop(f, f->files.n - 1); /* the list */
    return ok;
}

int folder_others(const folder *f, const char *path)
{
    int n = 0;
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        struct stat st;
        const char *whole = arena_printf(f->memory, "%s/%s", path, e->d_name);
        n += e->d_name[0] != '.' && !has(f, e->d_name) && !stat(whole, &st) && S_ISREG(st.st_mode);
    }
    if (dir) closedir(dir);
    return n;
}
