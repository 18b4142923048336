#include "suite.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/arena.h"
#include "mustach_cases.h"
#include "template/mustach.h"

/* A value of the cases: scalars have text only, lists and objects have items, an object's items have keys. */
typedef struct node {
    char kind; /* '{' '[' 's' (text or number) or 'n' (null, false) */
    const char *key, *text;
    struct node *first, *next;
} node;

static arena *memory;

static void skip_blanks(const char **s)
{
    while (isspace((unsigned char)**s)) ++*s;
}

static char *read_text(const char **s)
{
    char *text = arena_alloc(memory, strlen(*s)), *out = text;
    for (++*s; **s != '\''; ++*s) {
        bool escaped = **s == '\\';
        *s += escaped;
        *out++ = !escaped ? **s : **s == 'n' ? '\n' : **s == 't' ? '\t' : **s;
    }
    ++*s;
    return text;
}

static node *read_node(const char **s);

static void read_items(const char **s, node *parent)
{
    node **last = &parent->first;
    for (++*s; skip_blanks(s), **s != '}' && **s != ']'; last = &(*last)->next) {
        const char *key = NULL;
        if (parent->kind == '{') key = read_text(s), ++*s;
        *last = read_node(s);
        (*last)->key = key;
        if (**s == ',') ++*s;
    }
    ++*s;
}

static node *read_node(const char **s)
{
    skip_blanks(s);
    node *n = ARENA_ARRAY(memory, node, 1);
    n->kind = **s;
    if (**s == '{' || **s == '[') return read_items(s, n), n;
    n->kind = 's';
    if (**s == '\'') return n->text = read_text(s), n;
    size_t length = strcspn(*s, ",]}");
    n->text = arena_copy(memory, *s, length);
    *s += length;
    if (!strcmp(n->text, "null") || !strcmp(n->text, "false")) n->kind = 'n';
    return n;
}

static node *parse_data(const char *text) { return read_node(&text); }

static const node *member(const node *n, const char *key, size_t length)
{
    const node *m = n->kind == '{' ? n->first : NULL;
    while (m && (strlen(m->key) != length || memcmp(m->key, key, length))) m = m->next;
    return m;
}

/* The binding: a stack of items, names with dots, the item itself. Missing names are empty, as the specification says.
 */
typedef struct binding {
    const node *items[64];
    bool lists[64]; /* the item has successors */
    int n;
    const node *partials;
} binding;

static const node *find(const binding *b, const char *name)
{
    if (!strcmp(name, ".")) return b->items[b->n - 1];
    size_t length = strcspn(name, ".");
    const node *found = NULL;
    for (int i = b->n - 1; i >= 0 && !found; i--) found = member(b->items[i], name, length);
    while (found && name[length]) {
        name += length + 1;
        length = strcspn(name, ".");
        found = member(found, name, length);
    }
    return found;
}

static int enter(void *closure, const char *name)
{
    binding *b = closure;
    const node *found = find(b, name);
    if (!found || found->kind == 'n' || (found->kind == '[' && !found->first)) return 0;
    b->lists[b->n] = found->kind == '[';
    b->items[b->n++] = found->kind == '[' ? found->first : found;
    return 1;
}

static int next(void *closure)
{
    binding *b = closure;
    const node *after = b->lists[b->n - 1] ? b->items[b->n - 1]->next : NULL;
    if (after) b->items[b->n - 1] = after;
    return after != NULL;
}

static int leave(void *closure)
{
    ((binding *)closure)->n--;
    return 0;
}

static int get(void *closure, const char *name, struct mustach_sbuf *sbuf)
{
    const node *found = find(closure, name);
    sbuf->value = found && found->kind == 's' ? found->text : NULL;
    return 0;
}

static int partial(void *closure, const char *name, struct mustach_sbuf *sbuf)
{
    const node *found = member(((binding *)closure)->partials, name, strlen(name));
    sbuf->value = found ? found->text : NULL;
    return 0;
}

static const struct mustach_itf spec_itf = {
    .enter = enter, .next = next, .leave = leave, .partial = partial, .get = get};

static char *render(const spec_case *c, int *status)
{
    binding b = {.items = {parse_data(c->data)}, .n = 1, .partials = parse_data(c->partials)};
    char *result;
    *status = mustach_mem(c->text, 0, &spec_itf, &b, Mustach_With_NoExtensions, &result, NULL);
    ck_assert_msg(*status < 0 || b.n == 1, "%s: %d sections left open", c->about, b.n - 1);
    return result;
}

static void check_cases(const spec_case *cases, size_t count)
{
    memory = arena_new();
    for (size_t i = 0; i < count; i++) {
        int status;
        char *result = render(&cases[i], &status);
        ck_assert_msg(status == 0, "%s: error %d", cases[i].about, status);
        ck_assert_msg(!strcmp(result, cases[i].result), "%s:\n%s\ngave\n%s\nnot\n%s", cases[i].about, cases[i].text,
                      result, cases[i].result);
        free(result);
    }
    arena_free(memory);
}

#define SPEC_TEST(module)                                                                                              \
    START_TEST(spec_##module) { check_cases(module, sizeof module / sizeof *module); }                                 \
    END_TEST

SPEC_TEST(comments)
SPEC_TEST(delimiters)
SPEC_TEST(interpolation)
SPEC_TEST(inverted)
SPEC_TEST(partials)
SPEC_TEST(sections)

static const struct {
    const char *text;
    int flags, status;
} errors[] = {
    {"a{{b", 0, MUSTACH_ERROR_UNEXPECTED_END},
    {"a{{b}", 0, MUSTACH_ERROR_UNEXPECTED_END},
    {"{{", 0, MUSTACH_ERROR_UNEXPECTED_END},
    {"{{#b}}x", 0, MUSTACH_ERROR_UNEXPECTED_END},
    {"{{#no}}x", 0, MUSTACH_ERROR_UNEXPECTED_END},
    {"{{!b", 0, MUSTACH_ERROR_UNEXPECTED_END},
    {"{{}}", 0, MUSTACH_ERROR_EMPTY_TAG},
    {"{{ \n }}", 0, MUSTACH_ERROR_EMPTY_TAG},
    {"{{#}}{{/}}", 0, MUSTACH_ERROR_EMPTY_TAG},
    {"{{> }}", 0, MUSTACH_ERROR_EMPTY_TAG},
    {"{{{}}}", 0, MUSTACH_ERROR_EMPTY_TAG},
    {"{{#no}}{{}}{{/no}}", 0, MUSTACH_ERROR_EMPTY_TAG},
    {"{{}}", Mustach_With_EmptyTag, MUSTACH_OK},
    {"{{!}}", 0, MUSTACH_OK},
    {"{{=a=}}", 0, MUSTACH_ERROR_BAD_SEPARATORS},
    {"{{==}}", 0, MUSTACH_ERROR_BAD_SEPARATORS},
    {"{{=a b}}", 0, MUSTACH_ERROR_BAD_SEPARATORS},
    {"{{=ab =}}", 0, MUSTACH_ERROR_BAD_SEPARATORS},
    {"{{=a b c=}}", 0, MUSTACH_ERROR_BAD_SEPARATORS},
    {"{{=123456789 a=}}", 0, MUSTACH_ERROR_BAD_SEPARATORS},
    {"{{=a 123456789=}}", 0, MUSTACH_ERROR_BAD_SEPARATORS},
    {"{{#b}}{{/c}}", 0, MUSTACH_ERROR_CLOSING},
    {"{{/b}}", 0, MUSTACH_ERROR_CLOSING},
    {"{{#b}}{{#no}}{{/b}}{{/no}}", 0, MUSTACH_ERROR_CLOSING},
    {"{{#b}}{{/bb}}", 0, MUSTACH_ERROR_CLOSING},
    {"{{#no}}{{>close}}{{/no}}", 0, MUSTACH_OK},
    {"{{#b}}{{>close}}", 0, MUSTACH_ERROR_CLOSING},
    {"{{>open}}{{/b}}", 0, MUSTACH_ERROR_UNEXPECTED_END},
    {"{{{b}}", 0, MUSTACH_ERROR_BAD_UNESCAPE_TAG},
    {"{{=<% %>=}}<%{b%>", 0, MUSTACH_ERROR_BAD_UNESCAPE_TAG},
    {"{{>loop}}", 0, MUSTACH_ERROR_TOO_MUCH_NESTING},
    {"{{:#b}}", Mustach_With_Colon, MUSTACH_OK},
};

START_TEST(error_codes)
{
    memory = arena_new();
    binding b = {.items = {parse_data("{'b':true}")}, .n = 1};
    b.partials = parse_data("{'loop':'{{>loop}}','close':'{{/b}}','open':'{{#b}}'}");
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        char *result = (char *)1;
        size_t size = 1;
        b.n = 1;
        int status = mustach_mem(errors[i].text, 0, &spec_itf, &b, errors[i].flags, &result, &size);
        ck_assert_msg(status == errors[i].status, "%s: %d, not %d", errors[i].text, status, errors[i].status);
        ck_assert_msg((result == NULL) == (status != 0) && (!status || size == 0), "%s: a result", errors[i].text);
        free(result);
    }
    arena_free(memory);
}
END_TEST

START_TEST(user_codes)
{
    ck_assert_int_eq(MUSTACH_ERROR_USER(0), -100);
    ck_assert_int_eq(MUSTACH_ERROR_USER(MUSTACH_ERROR_USER(7)), 7);
    ck_assert(MUSTACH_IS_ERROR_USER(-103) && !MUSTACH_IS_ERROR_USER(-99));
    ck_assert_int_eq(MUSTACH_VERSION_MAJOR * 100 + MUSTACH_VERSION_MINOR, 102);
}
END_TEST

/* Renders count times `repeated`, then count times `tail`. */
static int render_repeated(const char *repeated, const char *tail, int count)
{
    memory = arena_new();
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (int i = 0; i < count; i++) fputs(repeated, f);
    for (int i = 0; i < count; i++) fputs(tail, f);
    fclose(f);
    spec_case c = {"repeated", text, "{'b':true}", "{}", ""};
    int status;
    free(render(&c, &status));
    free(text);
    arena_free(memory);
    return status;
}

START_TEST(limits)
{
    ck_assert_int_eq(render_repeated("{{^no}}", "{{/no}}", 256), MUSTACH_OK);
    ck_assert_int_eq(render_repeated("{{^no}}", "{{/no}}", 257), MUSTACH_ERROR_TOO_DEEP);
    char tag[4200] = "{{";
    memset(tag + 2, 'x', 4096);
    strcpy(tag + 2 + 4096, "}}");
    ck_assert_int_eq(render_repeated(tag, "", 1), MUSTACH_OK);
    strcpy(tag + 2 + 4096, "x}}");
    ck_assert_int_eq(render_repeated(tag, "", 1), MUSTACH_ERROR_TAG_TOO_LONG);
}
END_TEST

static int partial_counted(void *closure, const char *name, struct mustach_sbuf *sbuf)
{
    (void)name;
    int *left = &((binding *)closure)->n; /* how many partials are still to come */
    sbuf->value = --*left > 0 ? "{{>p}}" : "end";
    return 0;
}

START_TEST(nesting_limit)
{
    static const struct mustach_itf itf = {
        .enter = enter, .next = next, .leave = leave, .partial = partial_counted, .get = get};
    for (int count = 64; count <= 65; count++) {
        binding b = {.n = count};
        char *result;
        int status = mustach_mem("{{>p}}", 0, &itf, &b, 0, &result, NULL);
        ck_assert_int_eq(status, count == 64 ? MUSTACH_OK : MUSTACH_ERROR_TOO_MUCH_NESTING);
        if (count == 64) ck_assert_str_eq(result, "end");
        free(result);
    }
}
END_TEST

/* A binding that writes down every call; "yes" is entered and has two items, "no" is not, "bad" fails. */
typedef struct recorder {
    char log[1024];
    int items, start, released;
} recorder;

__attribute__((format(printf, 2, 3))) static void note(recorder *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t used = strlen(r->log);
    vsnprintf(r->log + used, sizeof r->log - used, format, args);
    va_end(args);
}

static int rec_start(void *closure)
{
    note(closure, "start ");
    return ((recorder *)closure)->start;
}

static void rec_stop(void *closure, int status) { note(closure, "stop:%d", status); }

static int rec_enter(void *closure, const char *name)
{
    note(closure, "enter:%s ", name);
    ((recorder *)closure)->items = 2;
    return !strcmp(name, "bad") ? MUSTACH_ERROR_USER(1) : !strcmp(name, "yes");
}

static int rec_next(void *closure)
{
    note(closure, "next ");
    return --((recorder *)closure)->items > 0;
}

static int rec_leave(void *closure)
{
    note(closure, "leave ");
    return -1; /* is ignored */
}

static void rec_release(const char *value, void *closure)
{
    (void)value;
    ((recorder *)closure)->released++;
}

static int rec_get(void *closure, const char *name, struct mustach_sbuf *sbuf)
{
    ck_assert(!sbuf->value && !sbuf->releasecb && !sbuf->closure && !sbuf->length);
    note(closure, "get:%s ", name);
    sbuf->value = "vwx";
    sbuf->length = !strcmp(name, "two") ? 2 : 0;
    if (!strcmp(name, "nil")) sbuf->value = NULL;
    sbuf->releasecb = rec_release;
    sbuf->closure = closure;
    return !strcmp(name, "bad") ? MUSTACH_ERROR_ITEM_NOT_FOUND : 5;
}

static int rec_emit(void *closure, const char *buffer, size_t size, int escape, FILE *file)
{
    ck_assert_ptr_eq(file, NULL);
    note(closure, "emit:%.*s:%d ", (int)size, buffer, escape);
    return 1;
}

static int rec_put(void *closure, const char *name, int escape, FILE *file)
{
    note(closure, "put:%s:%d ", name, escape != 0);
    fprintf(file, "<%s>", name);
    return !strcmp(name, "bad") ? MUSTACH_ERROR_USER(2) : 0;
}

static const struct mustach_itf get_itf = {rec_start, NULL,     rec_enter, rec_next, rec_leave,
                                           NULL,      rec_emit, rec_get,   rec_stop};
static const struct mustach_itf put_itf = {rec_start, rec_put, rec_enter, rec_next, rec_leave,
                                           NULL,      NULL,    NULL,      rec_stop};

static const struct {
    const char *text, *log;
} orders[] = {
    {"a", "start emit:a:0 stop:0"},
    {"{{x}}{{&x}}", "start get:x emit:vwx:1 get:x emit:vwx:0 stop:0"},
    {"{{two}}{{nil}}", "start get:two emit:vw:1 get:nil stop:0"},
    {"{{#yes}}{{x}}{{/yes}}", "start enter:yes get:x emit:vwx:1 next get:x emit:vwx:1 next leave stop:0"},
    {"{{^yes}}{{x}}{{#y}}{{/y}}{{/yes}}", "start enter:yes leave stop:0"},
    {"{{#no}}{{x}}{{>p}}{{^y}}{{/y}}{{/no}}", "start enter:no stop:0"},
    {"{{^no}}a{{/no}}", "start enter:no emit:a:0 stop:0"},
    {"{{#yes}}{{bad}}{{/yes}}", "start enter:yes get:bad stop:-10"},
    {"{{#bad}}{{/bad}}a", "start enter:bad stop:-101"},
    {"{{>p}}", "start get:p emit:vwx:0 stop:0"},
};

START_TEST(callback_order)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        recorder r = {0};
        mustach_file(orders[i].text, 0, &get_itf, &r, 0, NULL);
        ck_assert_str_eq(r.log, orders[i].log);
    }
    recorder r = {.start = 3};
    ck_assert_int_eq(mustach_file("a", 0, &get_itf, &r, 0, NULL), 3);
    ck_assert_str_eq(r.log, "start stop:3");
}
END_TEST

START_TEST(texts_are_released)
{
    recorder r = {0};
    mustach_file("{{x}}{{nil}}{{>p}}", 0, &get_itf, &r, 0, NULL);
    ck_assert_int_eq(r.released, 3);
}
END_TEST

START_TEST(put_serves_variables_and_partials)
{
    recorder r = {0};
    char *result;
    size_t size;
    ck_assert_int_eq(mustach_mem("{{x}}{{{x}}}\n  {{>p}}\n", 0, &put_itf, &r, 0, &result, &size), 0);
    ck_assert_str_eq(result, "<x><x>\n  <p>");
    ck_assert_uint_eq(size, strlen(result));
    ck_assert_str_eq(r.log, "start put:x:1 put:x:0 put:p:0 stop:0");
    free(result);
    ck_assert_int_eq(mustach_mem("{{>bad}}", 0, &put_itf, &r, 0, &result, &size), MUSTACH_ERROR_USER(2));
    ck_assert_ptr_null(result);
}
END_TEST

START_TEST(interface_is_checked)
{
    struct mustach_itf itf[] = {put_itf, put_itf, put_itf, put_itf};
    itf[0].enter = NULL, itf[1].next = NULL, itf[2].leave = NULL, itf[3].put = NULL;
    for (int i = 0; i < 4; i++) {
        recorder r = {0};
        ck_assert_int_eq(mustach_file("a", 0, &itf[i], &r, 0, stdout), MUSTACH_ERROR_INVALID_ITF);
        ck_assert_str_eq(r.log, "");
    }
}
END_TEST

START_TEST(colon_and_length)
{
    recorder r = {0};
    mustach_file("{{:#a}}{{:b}}rest", 13, &get_itf, &r, Mustach_With_Colon, NULL);
    ck_assert_str_eq(r.log, "start get:#a emit:vwx:1 get:b emit:vwx:1 stop:0");
    recorder plain = {0};
    mustach_file("{{:b}}", 0, &get_itf, &plain, 0, NULL);
    ck_assert_str_eq(plain.log, "start get::b emit:vwx:1 stop:0");
}
END_TEST

START_TEST(to_a_descriptor)
{
    int ends[2];
    char text[16] = {0};
    recorder r = {0};
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(mustach_fd("ab{{x}}", 0, &put_itf, &r, 0, ends[1]), 0);
    ck_assert_int_eq((int)read(ends[0], text, sizeof text - 1), 5);
    ck_assert_str_eq(text, "ab<x>");
    ck_assert_int_eq(close(ends[1]), -1); /* mustach_fd closed it */
    close(ends[0]);
    errno = 0;
    ck_assert_int_eq(mustach_fd("a", 0, &put_itf, &r, 0, -1), MUSTACH_ERROR_SYSTEM);
    ck_assert_int_eq(errno, EBADF);
}
END_TEST

START_TEST(full_device)
{
    FILE *f = fopen("/dev/full", "w");
    if (!f) return;
    setbuf(f, NULL);
    recorder r = {0};
    ck_assert_int_eq(mustach_file("a", 0, &put_itf, &r, 0, f), MUSTACH_ERROR_SYSTEM);
    fclose(f);
}
END_TEST

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
START_TEST(names_of_old)
{
    recorder r = {0};
    char *result, *second;
    size_t size;
    ck_assert_int_eq(mustach("{{:#a}}{{}}", &put_itf, &r, &result, &size), 0); /* all extensions */
    ck_assert_str_eq(result, "<#a><>");
    FILE *f = open_memstream(&second, &size);
    ck_assert_int_eq(fmustach("{{:#a}}{{}}", &put_itf, &r, f), 0);
    fclose(f);
    ck_assert_str_eq(second, result);
    ck_assert_int_eq(fdmustach("a", &put_itf, &r, -1), MUSTACH_ERROR_SYSTEM);
    free(result);
    free(second);
}
END_TEST

SUITE("mustach", spec_comments, spec_delimiters, spec_interpolation, spec_inverted, spec_partials, spec_sections,
      error_codes, user_codes, limits, nesting_limit, callback_order, texts_are_released,
      put_serves_variables_and_partials, interface_is_checked, colon_and_length, to_a_descriptor, full_device,
      names_of_old)
