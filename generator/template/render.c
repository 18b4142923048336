#include "render.h"

#include <stdlib.h>
#include <string.h>
#include "base/invariant.h"
#include "base/embedded.h"
#include "mustach.h"

typedef enum entry_kind { ENTRY_TEXT, ENTRY_FLAG, ENTRY_LIST } entry_kind;

typedef struct entry {
    const char *key;
    entry_kind kind;
    const char *text;
    bool on;
    value *first, *last; /* a list's objects */
    struct entry *next;
} entry;

struct value {
    arena *memory;
    entry *entries; /* the latest first */
    value *next;    /* in its list */
};

value *value_object(arena *memory)
{
    value *v = ARENA_ARRAY(memory, value, 1);
    v->memory = memory;
    return v;
}

static entry *add(value *object, const char *key, entry_kind kind)
{
    entry *e = ARENA_ARRAY(object->memory, entry, 1);
    e->key = key;
    e->kind = kind;
    e->next = object->entries;
    object->entries = e;
    return e;
}

static entry *find(const value *object, const char *key)
{
    entry *e = object->entries;
    while (e && strcmp(e->key, key)) e = e->next;
    return e;
}

void value_set(value *object, const char *key, const char *text) { add(object, key, ENTRY_TEXT)->text = text; }
void value_flag(value *object, const char *key, bool on) { add(object, key, ENTRY_FLAG)->on = on; }
void value_list(value *object, const char *key) { add(object, key, ENTRY_LIST); }

value *value_append(value *object, const char *key)
{
    entry *e = find(object, key);
    if (!e) e = add(object, key, ENTRY_LIST);
    INVARIANT(e->kind == ENTRY_LIST);
    value *item = value_object(object->memory);
    if (e->last)
        e->last->next = item;
    else
        e->first = item;
    return e->last = item;
}

typedef struct binding {
    VEC(const value *) frames; /* the current object of each open section; NULL for flags and texts */
    VEC(const char *) names;   /* of the template and the partials open inside it */
    diag *d;
} binding;

enum { REPORTED = MUSTACH_ERROR_USER(0) }; /* the diagnostics have it already */

static int fail(binding *b, const char *what, const char *tag)
{
    diag_error(b->d, (place){.file = b->names.at[b->names.n - 1]}, "%s '%s'", what, tag);
    return REPORTED;
}

static const entry *look_up(binding *b, const char *key)
{
    const entry *e = NULL;
    for (int i = b->frames.n - 1; i >= 0 && !e; i--)
        if (b->frames.at[i]) e = find(b->frames.at[i], key);
    if (!e) fail(b, "no value for tag", key);
    return e;
}

static int enter(void *closure, const char *key)
{
    binding *b = closure;
    const entry *e = look_up(b, key);
    if (!e) return REPORTED;
    if (!(e->kind == ENTRY_LIST ? e->first != NULL : e->kind == ENTRY_FLAG ? e->on : *e->text != 0)) return 0;
    VEC_PUSH(&b->frames, e->first);
    return 1;
}

static int next(void *closure)
{
    binding *b = closure;
    const value **top = &b->frames.at[b->frames.n - 1];
    if (!*top || !(*top)->next) return 0;
    *top = (*top)->next;
    return 1;
}

static int leave(void *closure)
{
    ((binding *)closure)->frames.n--;
    return 0;
}

static int get(void *closure, const char *key, struct mustach_sbuf *sbuf)
{
    const entry *e = look_up(closure, key);
    if (!e) return REPORTED;
    if (e->kind != ENTRY_TEXT) return fail(closure, "a text expected, not a list or flag, for tag", key);
    sbuf->value = e->text;
    return 0;
}

static const embedded_file *find_template(arena *memory, const char *name)
{
    const char *file = arena_printf(memory, "%s.mustache", name);
    const embedded_file *f = embedded_files;
    while (f->name && strcmp(f->name, file)) f++;
    return f->name ? f : NULL;
}

static void close_partial(const char *text, void *closure)
{
    (void)text;
    ((binding *)closure)->names.n--;
}

static int partial(void *closure, const char *name, struct mustach_sbuf *sbuf)
{
    binding *b = closure;
    const embedded_file *f = find_template(b->d->memory, name);
    if (!f) return fail(b, "no template for the partial", name);
    VEC_PUSH(&b->names, f->name);
    *sbuf = (struct mustach_sbuf){.value = f->text, .length = f->length, .releasecb = close_partial, .closure = b};
    return 0;
}

static int emit(void *closure, const char *buffer, size_t size, int escape, FILE *out)
{
    (void)closure, (void)escape;
    return fwrite(buffer, 1, size, out) == size ? MUSTACH_OK : MUSTACH_ERROR_SYSTEM;
}

static const char *const messages[] = {
    [-MUSTACH_ERROR_SYSTEM] = "cannot write the output",
    [-MUSTACH_ERROR_UNEXPECTED_END] = "the text ends inside a tag or a section",
    [-MUSTACH_ERROR_EMPTY_TAG] = "a tag without a name",
    [-MUSTACH_ERROR_TAG_TOO_LONG] = "a tag's name is too long",
    [-MUSTACH_ERROR_BAD_SEPARATORS] = "wrong delimiters, two words between = and = expected",
    [-MUSTACH_ERROR_TOO_DEEP] = "sections are nested too deep",
    [-MUSTACH_ERROR_CLOSING] = "a closing tag does not match the open section",
    [-MUSTACH_ERROR_BAD_UNESCAPE_TAG] = "a tag with three braces is not closed by three",
    [-MUSTACH_ERROR_TOO_MUCH_NESTING] = "partials are nested too deep",
};

bool render_text(const char *name, const char *text, size_t length, const value *v, FILE *out, diag *d)
{
    static const struct mustach_itf itf = {
        .enter = enter, .next = next, .leave = leave, .partial = partial, .emit = emit, .get = get};
    binding b = {.d = d};
    VEC_PUSH(&b.frames, v);
    VEC_PUSH(&b.names, name);
    int status = length ? mustach_file(text, length, &itf, &b, Mustach_With_NoExtensions, out) : MUSTACH_OK;
    if (status != MUSTACH_OK && status != REPORTED)
        diag_error(d, (place){.file = name}, "in this template or a partial of it: %s", messages[-status]);
    free(b.frames.at);
    free(b.names.at);
    return status == MUSTACH_OK;
}

bool render(const char *name, const value *v, FILE *out, diag *d)
{
    const embedded_file *f = find_template(d->memory, name);
    INVARIANT(f);
    return render_text(f->name, f->text, f->length, v, out, d);
}
