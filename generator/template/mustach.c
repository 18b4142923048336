/* One pass over the text. Whether a line stands alone (blanks and tags that print nothing) is found by looking ahead at
   its start; everything that a section must come back to for its next item is one small struct, the cursor. */
#include "mustach.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct span {
    const char *at;
    size_t length;
} span;

typedef struct cursor {
    const char *at, *line; /* here, and where this line starts */
    bool alone;            /* this line prints nothing of its own */
    span open, close;      /* the delimiters */
} cursor;

typedef struct section {
    span name;
    cursor body;
    bool entered, inverted;
    bool enabled; /* outside of it */
} section;

typedef struct indent {
    span text;
    const struct indent *outer;
} indent;

typedef struct render {
    const struct mustach_itf *itf;
    void *closure;
    FILE *file;
    int flags;
    section *sections; /* of all levels */
    size_t n, cap;
    char name[MUSTACH_MAX_LENGTH + 1]; /* of the current tag */
} render;

/* The text itself or a partial inside it. */
typedef struct level {
    render *r;
    cursor c;
    const char *end;
    bool enabled; /* not inside a section that is skipped */
    size_t base;  /* its first section */
    const indent *indent;
    int nesting;
} level;

/* kind: the character behind the opening delimiter; '&' for {{{ too, 'v' for a plain variable. */
typedef struct tag {
    char kind;
    span text;
    const char *end;
} tag;

static bool is_break(char c) { return c == '\n' || c == '\r'; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
static bool is_space(char c) { return is_blank(c) || is_break(c); }

static bool starts_with(const char *at, const char *end, span s)
{
    return (size_t)(end - at) >= s.length && memcmp(at, s.at, s.length) == 0;
}

static span trim(const char *from, const char *to)
{
    while (from < to && is_space(*from)) from++;
    while (from < to && is_space(to[-1])) to--;
    return (span){from, (size_t)(to - from)};
}

/* Output */

static int write_all(const char *text, size_t length, FILE *file)
{
    return fwrite(text, 1, length, file) == length ? MUSTACH_OK : MUSTACH_ERROR_SYSTEM;
}

static const char *entity(char c)
{
    static const char *const entities[] = {"<&lt;", ">&gt;", "&&amp;", "\"&quot;"};
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (entities[i][0] == c) return entities[i] + 1;
    return NULL;
}

static int write_escaped(const char *text, size_t length, FILE *file)
{
    int status = MUSTACH_OK;
    for (size_t i = 0; i < length && status == MUSTACH_OK; i++) {
        const char *e = entity(text[i]);
        status = e ? write_all(e, strlen(e), file) : write_all(text + i, 1, file);
    }
    return status;
}

static int emit(const render *r, const char *text, size_t length, int escape)
{
    if (length == 0) return MUSTACH_OK;
    if (r->itf->emit) return r->itf->emit(r->closure, text, length, escape, r->file);
    return (escape ? write_escaped : write_all)(text, length, r->file);
}

static size_t sbuf_length(const struct mustach_sbuf *s)
{
    return s->length || !s->value ? s->length : strlen(s->value);
}

static void sbuf_release(struct mustach_sbuf *s)
{
    if (s->releasecb) s->releasecb(s->value, s->closure);
}

static int put(render *r, int escape)
{
    if (r->itf->put) return r->itf->put(r->closure, r->name, escape, r->file);
    struct mustach_sbuf s = {0};
    int status = r->itf->get(r->closure, r->name, &s);
    if (status < 0) return status;
    status = emit(r, s.value, sbuf_length(&s), escape);
    sbuf_release(&s);
    return status;
}

static int emit_indent(const level *l, const indent *i)
{
    if (!i) return MUSTACH_OK;
    int status = emit_indent(l, i->outer);
    return status < 0 ? status : emit(l->r, i->text.at, i->text.length, 0);
}

/* Tags */

static const char *find_close(const char *at, const char *end, span close)
{
    while (at < end && !starts_with(at, end, close)) at++;
    return at < end ? at : NULL;
}

/* {{{name}}}: the brace and the delimiter that close it, in this order; where the delimiter is }} itself, the first }}
   found is the brace and half the delimiter. */
static int read_unescaped(const cursor *c, const char *end, const char *close, tag *t)
{
    if (close > t->text.at && close[-1] == '}') {
        t->text.length--;
    } else if (*close == '}' && starts_with(close + 1, end, c->close)) {
        t->end++;
    } else {
        return MUSTACH_ERROR_BAD_UNESCAPE_TAG;
    }
    t->kind = '&';
    return MUSTACH_OK;
}

/* The tag at `at`, where the opening delimiter stands. */
static int read_tag(const cursor *c, const char *at, const char *end, int flags, tag *t)
{
    at += c->open.length;
    t->kind = at < end && *at && strchr("!=#^/>&{:", *at) ? *at : 'v';
    if (t->kind == ':' && !(flags & Mustach_With_Colon)) t->kind = 'v';
    if (t->kind != 'v') at++;
    if (t->kind == ':') t->kind = 'v';
    const char *close = find_close(at, end, c->close);
    if (!close) return MUSTACH_ERROR_UNEXPECTED_END;
    t->text = (span){at, (size_t)(close - at)};
    t->end = close + c->close.length;
    return t->kind == '{' ? read_unescaped(c, end, close, t) : MUSTACH_OK;
}

/* {{=open close=}} */
static int set_delimiters(cursor *c, const tag *t)
{
    if (t->text.length < 4 || t->text.at[t->text.length - 1] != '=') return MUSTACH_ERROR_BAD_SEPARATORS;
    span both = trim(t->text.at, t->text.at + t->text.length - 1);
    const char *end = both.at + both.length, *gap = both.at, *second;
    while (gap < end && !is_space(*gap)) gap++;
    for (second = gap; second < end && is_space(*second);) second++;
    span open = {both.at, (size_t)(gap - both.at)}, close = {second, (size_t)(end - second)};
    for (; second < end; second++)
        if (is_space(*second)) return MUSTACH_ERROR_BAD_SEPARATORS;
    if (!open.length || !close.length) return MUSTACH_ERROR_BAD_SEPARATORS;
    if (open.length > MUSTACH_MAX_DELIM_LENGTH || close.length > MUSTACH_MAX_DELIM_LENGTH)
        return MUSTACH_ERROR_BAD_SEPARATORS;
    c->open = open;
    c->close = close;
    return MUSTACH_OK;
}

/* The tag's name, also into r->name. */
static int read_name(render *r, const tag *t, span *name)
{
    *name = trim(t->text.at, t->text.at + t->text.length);
    if (!name->length && !(r->flags & Mustach_With_EmptyTag)) return MUSTACH_ERROR_EMPTY_TAG;
    if (name->length > MUSTACH_MAX_LENGTH) return MUSTACH_ERROR_TAG_TOO_LONG;
    if (name->length) memcpy(r->name, name->at, name->length);
    r->name[name->length] = 0;
    return MUSTACH_OK;
}

/* Lines */

static bool stands_alone(const level *l)
{
    cursor c = l->c;
    for (bool tags = false;; tags = true) {
        while (c.at < l->end && is_blank(*c.at)) c.at++;
        if (c.at == l->end || is_break(*c.at)) return tags;
        tag t;
        if (!starts_with(c.at, l->end, c.open) || read_tag(&c, c.at, l->end, l->r->flags, &t)) return false;
        if (t.kind == 'v' || t.kind == '&' || (t.kind == '=' && set_delimiters(&c, &t))) return false;
        c.at = t.end;
    }
}

static int begin_line(level *l)
{
    l->c.line = l->c.at;
    l->c.alone = stands_alone(l);
    bool empty = l->c.at == l->end || is_break(*l->c.at);
    return empty || l->c.alone || !l->enabled ? MUSTACH_OK : emit_indent(l, l->indent);
}

/* Up to the next tag or through the end of the line. */
static int do_text(level *l)
{
    const char *from = l->c.at, *at = from;
    while (at < l->end && !is_break(*at) && !starts_with(at, l->end, l->c.open)) at++;
    bool ended = at < l->end && is_break(*at);
    if (ended) at += *at == '\r' && at + 1 < l->end && at[1] == '\n' ? 2 : 1;
    l->c.at = at;
    int status = l->enabled && !l->c.alone ? emit(l->r, from, (size_t)(at - from), 0) : MUSTACH_OK;
    return status < 0 || !ended ? status : begin_line(l);
}

/* What tags do; the cursor is behind the tag already. */

static int do_comment(level *l, const tag *t) { return (void)l, (void)t, MUSTACH_OK; }

static int do_delimiters(level *l, const tag *t) { return set_delimiters(&l->c, t); }

static int do_variable(level *l, const tag *t)
{
    span name;
    int status = read_name(l->r, t, &name);
    return status || !l->enabled ? status : put(l->r, t->kind == 'v');
}

static section *push_section(level *l)
{
    render *r = l->r;
    if (r->n == r->cap) {
        size_t cap = r->cap ? 2 * r->cap : 16;
        section *grown = realloc(r->sections, cap * sizeof *grown);
        if (!grown) return NULL;
        r->sections = grown;
        r->cap = cap;
    }
    return &r->sections[r->n++];
}

static int do_open(level *l, const tag *t)
{
    section s = {.body = l->c, .inverted = t->kind == '^', .enabled = l->enabled};
    int status = read_name(l->r, t, &s.name);
    if (status) return status;
    if (l->r->n - l->base == MUSTACH_MAX_DEPTH) return MUSTACH_ERROR_TOO_DEEP;
    if (l->enabled) {
        status = l->r->itf->enter(l->r->closure, l->r->name);
        if (status < 0) return status;
        s.entered = status != 0;
        l->enabled = s.entered != s.inverted;
    }
    section *top = push_section(l);
    if (!top) return MUSTACH_ERROR_SYSTEM;
    *top = s;
    return MUSTACH_OK;
}

static int do_close(level *l, const tag *t)
{
    render *r = l->r;
    span name;
    int status = read_name(r, t, &name);
    if (status) return status;
    if (r->n == l->base) return MUSTACH_ERROR_CLOSING;
    const section *s = &r->sections[r->n - 1];
    if (s->name.length != name.length || memcmp(s->name.at, name.at, name.length)) return MUSTACH_ERROR_CLOSING;
    if (s->entered && !s->inverted && (status = r->itf->next(r->closure)) != 0) {
        if (status > 0) l->c = s->body;
        return status < 0 ? status : MUSTACH_OK;
    }
    if (s->entered) r->itf->leave(r->closure);
    l->enabled = s->enabled;
    r->n--;
    return MUSTACH_OK;
}

static void free_text(const char *value, void *closure)
{
    (void)value;
    free(closure);
}

/* A partial by put: what it would print is the text. */
static int load_by_put(render *r, struct mustach_sbuf *s)
{
    char *text = NULL;
    FILE *f = open_memstream(&text, &s->length);
    if (!f) return MUSTACH_ERROR_SYSTEM;
    int status = r->itf->put(r->closure, r->name, 0, f);
    if (fclose(f) && status >= 0) status = MUSTACH_ERROR_SYSTEM;
    if (status < 0) {
        free(text);
        return status;
    }
    s->value = s->closure = text;
    s->releasecb = free_text;
    return status;
}

static int load_partial(render *r, struct mustach_sbuf *s)
{
    if (r->itf->partial) return r->itf->partial(r->closure, r->name, s);
    return r->itf->get ? r->itf->get(r->closure, r->name, s) : load_by_put(r, s);
}

static int render_text(render *r, const char *text, size_t length, const indent *in, int nesting);

/* The indentation of a line that stands alone is put before every line of the partial. */
static int do_partial(level *l, const tag *t)
{
    span name;
    int status = read_name(l->r, t, &name);
    if (status || !l->enabled) return status;
    if (l->nesting == MUSTACH_MAX_NESTING) return MUSTACH_ERROR_TOO_MUCH_NESTING;
    struct mustach_sbuf s = {0};
    status = load_partial(l->r, &s);
    if (status < 0) return status;
    indent in = {.text = {l->c.line, 0}, .outer = l->indent};
    while (l->c.alone && is_blank(in.text.at[in.text.length])) in.text.length++;
    status = render_text(l->r, s.value, sbuf_length(&s), l->c.alone ? &in : NULL, l->nesting + 1);
    sbuf_release(&s);
    return status;
}

static const struct {
    char kind;
    int (*run)(level *l, const tag *t);
} actions[] = {
    {'v', do_variable}, {'&', do_variable}, {'#', do_open},    {'^', do_open},
    {'/', do_close},    {'>', do_partial},  {'!', do_comment}, {'=', do_delimiters},
};

static int do_tag(level *l)
{
    tag t;
    int status = read_tag(&l->c, l->c.at, l->end, l->r->flags, &t);
    if (status) return status;
    l->c.at = t.end;
    size_t i = 0;
    while (actions[i].kind != t.kind) i++;
    return actions[i].run(l, &t);
}

static int render_text(render *r, const char *text, size_t length, const indent *in, int nesting)
{
    if (length == 0) return MUSTACH_OK;
    level l = {.r = r, .end = text + length, .enabled = true, .base = r->n, .indent = in, .nesting = nesting};
    l.c = (cursor){.at = text, .open = {"{{", 2}, .close = {"}}", 2}};
    int status = begin_line(&l);
    while (status >= 0 && l.c.at < l.end) status = starts_with(l.c.at, l.end, l.c.open) ? do_tag(&l) : do_text(&l);
    if (status < 0) return status;
    return r->n > l.base ? MUSTACH_ERROR_UNEXPECTED_END : MUSTACH_OK;
}

int mustach_file(const char *text, size_t length, const struct mustach_itf *itf, void *closure, int flags, FILE *file)
{
    if (!itf->enter || !itf->next || !itf->leave || (!itf->put && !itf->get)) return MUSTACH_ERROR_INVALID_ITF;
    render r = {.itf = itf, .closure = closure, .file = file, .flags = flags};
    int status = itf->start ? itf->start(closure) : MUSTACH_OK;
    if (status == MUSTACH_OK) status = render_text(&r, text, length ? length : strlen(text), NULL, 0);
    if (itf->stop) itf->stop(closure, status);
    free(r.sections);
    return status;
}

int mustach_fd(const char *text, size_t length, const struct mustach_itf *itf, void *closure, int flags, int fd)
{
    FILE *f = fdopen(fd, "w");
    if (!f) return MUSTACH_ERROR_SYSTEM;
    int status = mustach_file(text, length, itf, closure, flags, f);
    return fclose(f) && status == MUSTACH_OK ? MUSTACH_ERROR_SYSTEM : status;
}

int mustach_mem(const char *text, size_t length, const struct mustach_itf *itf, void *closure, int flags, char **result,
                size_t *size)
{
    size_t ignored;
    if (!size) size = &ignored;
    *result = NULL;
    *size = 0;
    FILE *f = open_memstream(result, size);
    if (!f) return MUSTACH_ERROR_SYSTEM;
    int status = mustach_file(text, length, itf, closure, flags, f);
    if (fclose(f) && status == MUSTACH_OK) status = MUSTACH_ERROR_SYSTEM;
    if (status != MUSTACH_OK) {
        free(*result);
        *result = NULL;
        *size = 0;
    }
    return status;
}

int fmustach(const char *text, const struct mustach_itf *itf, void *closure, FILE *file)
{
    return mustach_file(text, 0, itf, closure, Mustach_With_AllExtensions, file);
}

int fdmustach(const char *text, const struct mustach_itf *itf, void *closure, int fd)
{
    return mustach_fd(text, 0, itf, closure, Mustach_With_AllExtensions, fd);
}

int mustach(const char *text, const struct mustach_itf *itf, void *closure, char **result, size_t *size)
{
    return mustach_mem(text, 0, itf, closure, Mustach_With_AllExtensions, result, size);
}
