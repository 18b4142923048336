/* Models as text, read and written; the format is in sva.h. Compiled once. */
#include "sva_model.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers, whatever the locale is */

enum { LONGEST = 100, MOST_NUMBERS = 9 }; /* characters of a number, numbers of a line */

static size_t digits(const char *s, size_t i, size_t n)
{
    while (i < n && s[i] >= '0' && s[i] <= '9') i++;
    return i;
}

/* [+-] digits [. digits] [e [+-] digits], at least one digit before the exponent; *point is where the point is, or n.
 */
static int well_formed(const char *s, size_t n, size_t *point)
{
    size_t start = n > 0 && (s[0] == '+' || s[0] == '-'), end = digits(s, start, n), count = end - start;
    *point = n;
    if (end < n && s[end] == '.') {
        *point = end;
        end = digits(s, end + 1, n);
        count += end - *point - 1;
    }
    if (!count) return 0;
    if (end == n) return 1;
    if (s[end] != 'e' && s[end] != 'E') return 0;
    start = end + 1 + (end + 1 < n && (s[end + 1] == '+' || s[end + 1] == '-'));
    return start < n && digits(s, start, n) == n;
}

static int parse_real(const char *s, size_t n, double *value)
{
    char copy[2 * LONGEST];
    const char *mark = localeconv()->decimal_point;
    size_t point, length = strlen(mark), has;
    if (n > LONGEST || length > LONGEST / 2 || !well_formed(s, n, &point)) return 0;
    has = point < n;
    memcpy(copy, s, point);
    memcpy(copy + point, mark, has ? length : 0);
    memcpy(copy + point + (has ? length : 0), s + point + has, n - point - has);
    copy[n - has + (has ? length : 0)] = 0;
    *value = strtod(copy, NULL);
    return isfinite(*value);
}

static int parse_int(const char *s, size_t n, int *value)
{
    size_t first = n > 0 && s[0] == '-';
    if (first == n || n - first > 9 || digits(s, first, n) != n) return 0;
    *value = 0;
    for (size_t i = first; i < n; i++) *value = 10 * *value + (s[i] - '0');
    if (first) *value = -*value;
    return 1;
}

/* The shortest of 15 to 17 digits that reads back to the same bits. */
static void print_real(char text[40], double x)
{
    const char *mark = localeconv()->decimal_point;
    for (int n = 15; n <= 17; n++) {
        snprintf(text, 40, "%.*g", n, x);
        if (strtod(text, NULL) == x) break;
    }
    char *at = strstr(text, mark);
    if (!at || !strcmp(mark, ".")) return;
    *at = '.';
    memmove(at + 1, at + strlen(mark), strlen(at + strlen(mark)) + 1);
}

/* ---- reading */

typedef struct reader {
    const char *at, *end; /* what is left of the text */
    int line;
    sva_text_error *error;
    sva_model *model;
    sva_body body;
    int open, body_line; /* whether `body` is to be added */
    unsigned given;      /* bit k: the body has row k of `fields` */
} reader;

/* What is left of a line. */
typedef struct span {
    const char *at, *end;
} span;

static int fail_at(reader *r, int line, sva_status status, const char *format, ...)
{
    if (!r->error) return 0;
    va_list args;
    va_start(args, format);
    r->error->status = status;
    r->error->line = line;
    vsnprintf(r->error->message, sizeof r->error->message, format, args);
    va_end(args);
    return 0;
}

#define FAIL(r, ...) fail_at(r, (r)->line, SVA_BAD_TEXT, __VA_ARGS__)

static int blank(char c) { return c == ' ' || c == '\t'; }

static span trimmed(span s)
{
    while (s.at < s.end && blank(*s.at)) s.at++;
    while (s.at < s.end && blank(s.end[-1])) s.end--;
    return s;
}

static span next_word(span *rest)
{
    span w = trimmed(*rest);
    *rest = w;
    while (rest->at < rest->end && !blank(*rest->at)) rest->at++;
    w.end = rest->at;
    return w;
}

static size_t length_of(span s) { return (size_t)(s.end - s.at); }
static int is_word(span s, const char *word)
{
    return length_of(s) == strlen(word) && !memcmp(s.at, word, length_of(s));
}

/* For messages: what cannot be printed is a question mark, what is long is cut. */
typedef struct shown {
    char text[41];
} shown;

static shown show(span s)
{
    shown w;
    size_t n = length_of(s) < 40 ? length_of(s) : 40;
    for (size_t i = 0; i < n; i++) w.text[i] = '?';
    for (size_t i = 0; i < n; i++)
        if (s.at[i] > ' ' && s.at[i] < 127) w.text[i] = s.at[i];
    w.text[n] = 0;
    return w;
}

/* `count` numbers and nothing else. */
static int read_numbers(reader *r, const char *what, span rest, int count, double *x)
{
    for (int i = 0; i < count; i++) {
        span w = next_word(&rest);
        if (w.at == w.end) return FAIL(r, "%s: %d numbers expected, %d found", what, count, i);
        if (!parse_real(w.at, length_of(w), x + i))
            return FAIL(r, "%s: a finite number expected, '%s' found", what, show(w).text);
    }
    span more = next_word(&rest);
    if (more.at < more.end)
        return FAIL(r, "%s: %d numbers expected, '%s' found after them", what, count, show(more).text);
    return 1;
}

static int hex(char c)
{
    const char *all = "0123456789abcdef", *at = c ? strchr(all, c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c) : NULL;
    return at ? (int)(at - all) : -1;
}

static int read_name(reader *r, span s)
{
    size_t n = 0;
    while (s.at < s.end) {
        int c = (unsigned char)*s.at++;
        if (c == '\\') {
            int high = s.end - s.at > 2 && *s.at == 'x' ? hex(s.at[1]) : -1, low = high < 0 ? -1 : hex(s.at[2]);
            if (low < 0 || 16 * high + low == 0) return FAIL(r, "body: \\xHH expected after a backslash in the name");
            c = 16 * high + low;
            s.at += 3;
        }
        if (!c) return FAIL(r, "body: a zero byte in the name");
        if (n == sizeof r->body.name - 1) return FAIL(r, "body: the name is longer than %d bytes", (int)n);
        r->body.name[n++] = (char)c;
    }
    return 1;
}

static const struct {
    const char *name;
    size_t target;
    int count; /* 0: one per degree of freedom */
} fields[] = {
    {"rotation", offsetof(sva_body, R), 9},      {"position", offsetof(sva_body, p), 3},
    {"axis", offsetof(sva_body, axis), 3},       {"pitch", offsetof(sva_body, pitch), 1},
    {"mass", offsetof(sva_body, mass), 1},       {"moment", offsetof(sva_body, h), 3},
    {"inertia", offsetof(sva_body, I), 6},       {"armature", offsetof(sva_body, armature), 0},
    {"damping", offsetof(sva_body, damping), 0}, {"friction", offsetof(sva_body, friction), 0},
};
enum { FIELDS = sizeof fields / sizeof *fields, FOLLOWS = FIELDS };

/* A keyword of the body that is open, for the first time. */
static int claim(reader *r, int field, span keyword)
{
    if (!r->open) return FAIL(r, "'%s' before the first body", show(keyword).text);
    if (r->given >> field & 1) return FAIL(r, "'%s' is given twice for this body", show(keyword).text);
    r->given |= 1u << field;
    return 1;
}

static int read_field(reader *r, int k, span keyword, span rest)
{
    int count = fields[k].count ? fields[k].count : sva_joint_table[r->body.type].nv;
    return claim(r, k, keyword) &&
           read_numbers(r, fields[k].name, rest, count, (double *)(void *)((char *)&r->body + fields[k].target));
}

static int read_follows(reader *r, span keyword, span rest)
{
    double x[2];
    span master = next_word(&rest);
    if (!claim(r, FOLLOWS, keyword)) return 0;
    if (!parse_int(master.at, length_of(master), &r->body.master))
        return FAIL(r, "follows: the number of a body expected, '%s' found", show(master).text);
    r->body.dependent = 1;
    if (!read_numbers(r, "follows", rest, 2, x)) return 0;
    r->body.multiplier = x[0];
    r->body.offset = x[1];
    return 1;
}

static int close_body(reader *r)
{
    if (!r->open) return 1;
    r->open = 0;
    sva_status status = sva_model_add_body(r->model, &r->body);
    return status == SVA_OK || fail_at(r, r->body_line, status, "this body: %s", sva_message(status));
}

static int read_body(reader *r, span rest)
{
    static const sva_body initial = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (!close_body(r)) return 0;
    r->body = initial;
    r->given = 0;
    r->open = 1;
    r->body_line = r->line;
    span parent = next_word(&rest), type = next_word(&rest);
    if (!parse_int(parent.at, length_of(parent), &r->body.parent))
        return FAIL(r, "body: the parent's number expected, '%s' found", show(parent).text);
    for (int t = 0; t < SVA_JOINT_TYPES; t++)
        if (is_word(type, sva_joint_table[t].name)) {
            r->body.type = (sva_joint_type)t;
            return read_name(r, trimmed(rest));
        }
    return FAIL(r, "body: a type of joint expected, '%s' found", show(type).text);
}

static int read_gravity(reader *r, span rest)
{
    double g[3];
    if (r->open) return FAIL(r, "gravity stands before the first body");
    return read_numbers(r, "gravity", rest, 3, g) && sva_model_set_gravity(r->model, g) == SVA_OK;
}

static int read_statement(reader *r, span rest)
{
    span keyword = next_word(&rest);
    if (is_word(keyword, "body")) return read_body(r, rest);
    if (is_word(keyword, "gravity")) return read_gravity(r, rest);
    if (is_word(keyword, "follows")) return read_follows(r, keyword, rest);
    for (int k = 0; k < FIELDS; k++)
        if (is_word(keyword, fields[k].name)) return read_field(r, k, keyword, rest);
    return FAIL(r, "unknown keyword '%s'", show(keyword).text);
}

/* The next line that is neither empty nor a comment; its end may be \n or \r\n. */
static int next_line(reader *r, span *line)
{
    while (r->at < r->end) {
        const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
        *line = (span){r->at, end ? end : r->end};
        r->at = end ? end + 1 : r->end;
        r->line++;
        if (line->at < line->end && line->end[-1] == '\r') line->end--;
        *line = trimmed(*line);
        if (line->at < line->end && *line->at != '#') return 1;
    }
    return 0;
}

/* The number of lines that begin with the keyword `body`; of the one of index k, its number in *at. */
static size_t count_bodies(const char *text, size_t length, size_t k, int *at)
{
    reader r = {.at = text, .end = text + length};
    size_t n = 0;
    for (span line; next_line(&r, &line);)
        if (is_word(next_word(&line), "body") && n++ == k) *at = r.line;
    return n;
}

static int read_header(reader *r)
{
    span line;
    if (!next_line(r, &line)) return FAIL(r, "'sva 1' expected, nothing found");
    if (!is_word(next_word(&line), "sva")) return FAIL(r, "'sva 1' expected in the first line");
    span version = trimmed(line);
    return is_word(version, "1") || FAIL(r, "version '%s' found, 1 expected", show(version).text);
}

static int finish(reader *r, const char *text, size_t length)
{
    sva_status status = sva_model_finish(r->model);
    if (status == SVA_OK) return 1;
    int i = 0, line = 0;
    if (status == SVA_BAD_MASTER) {
        while (!r->model->bodies[i].dependent || sva_good_master(r->model, r->model->bodies + i)) i++;
        count_bodies(text, length, (size_t)i, &line);
    }
    return fail_at(r, line, status, "%s%s", line ? "this body: " : "", sva_message(status));
}

static int read_model(reader *r)
{
    const char *text = r->at;
    span line;
    if (!read_header(r)) return 0;
    while (next_line(r, &line))
        if (!read_statement(r, line)) return 0;
    return close_body(r) && finish(r, text, (size_t)(r->end - text));
}

sva_model *sva_model_parse(const char *text, size_t length, sva_text_error *error)
{
    static const double gravity[3] = {0, 0, -9.81};
    static const sva_text_error none = {SVA_OK, 0, ""};
    reader r = {.at = text, .end = text + length, .error = error};
    if (error) *error = none;
    int unused;
    size_t bodies = count_bodies(text, length, SIZE_MAX, &unused);
    r.model = bodies < INT_MAX ? sva_model_new((int)bodies, gravity) : NULL;
    if (!r.model) return fail_at(&r, 0, SVA_NO_MEMORY, "%s", sva_message(SVA_NO_MEMORY)), NULL;
    if (read_model(&r)) return r.model;
    sva_model_free(r.model);
    return NULL;
}

/* The whole file, to be freed; a file of no length is a text too. */
static char *read_file(FILE *in, size_t *length)
{
    char *text = NULL;
    size_t size = 0, n = 0;
    do {
        char *more = size > SIZE_MAX / 2 ? NULL : realloc(text, size = size ? 2 * size : 4096);
        if (!more) return free(text), NULL;
        text = more;
        n += fread(text + n, 1, size - n, in);
    } while (n == size);
    *length = n;
    return text;
}

sva_model *sva_model_load(const char *path, sva_text_error *error)
{
    reader r = {.error = error};
    size_t length;
    FILE *in = fopen(path, "rb");
    if (!in) return fail_at(&r, 0, SVA_BAD_FILE, "%s", sva_message(SVA_BAD_FILE)), NULL;
    char *text = read_file(in, &length);
    int bad = ferror(in);
    fclose(in);
    sva_model *m = text && !bad ? sva_model_parse(text, length, error) : NULL;
    sva_status status = bad ? SVA_BAD_FILE : SVA_NO_MEMORY;
    if (bad || !text) fail_at(&r, 0, status, "%s", sva_message(status));
    free(text);
    return m;
}

/* ---- writing */

typedef struct writer {
    char *text;
    size_t size, length;
} writer;

static void put_char(writer *w, char c)
{
    if (w->length + 1 < w->size) w->text[w->length] = c;
    w->length++;
}

static void put(writer *w, const char *s)
{
    while (*s) put_char(w, *s++);
}

static void put_int(writer *w, int i)
{
    char text[16];
    snprintf(text, sizeof text, " %d", i);
    put(w, text);
}

static void put_numbers(writer *w, int n, const double *x)
{
    char text[40];
    for (int i = 0; i < n; i++) {
        print_real(text, x[i]);
        put_char(w, ' ');
        put(w, text);
    }
}

/* Control characters, backslashes and blanks at the ends, which would not be read back, as \xHH. */
static void put_name(writer *w, const char *name)
{
    for (const char *c = name; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        char text[8] = {*c};
        if (byte < ' ' || byte == 127 || byte == '\\' || (byte == ' ' && (c == name || !c[1])))
            snprintf(text, sizeof text, "\\x%02x", (unsigned)byte);
        put(w, text);
    }
}

static void put_body(writer *w, const sva_body *b)
{
    static const sva_body initial = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    put(w, "\nbody");
    put_int(w, b->parent);
    put_char(w, ' ');
    put(w, sva_joint_table[b->type].name);
    if (b->name[0]) put_char(w, ' ');
    put_name(w, b->name);
    put_char(w, '\n');
    for (int k = 0; k < FIELDS; k++) {
        int count = fields[k].count ? fields[k].count : sva_joint_table[b->type].nv;
        const void *x = (const char *)b + fields[k].target, *x0 = (const char *)&initial + fields[k].target;
        if (!memcmp(x, x0, (size_t)count * sizeof(double))) continue;
        put(w, "  ");
        put(w, fields[k].name);
        put_numbers(w, count, (const double *)x);
        put_char(w, '\n');
    }
    if (!b->dependent) return;
    put(w, "  follows");
    put_int(w, b->master);
    put_numbers(w, 1, &b->multiplier);
    put_numbers(w, 1, &b->offset);
    put_char(w, '\n');
}

size_t sva_model_print(const sva_model *m, char *text, size_t size)
{
    writer w = {text, size, 0};
    put(&w, "sva 1\ngravity");
    put_numbers(&w, 3, m->gravity);
    put_char(&w, '\n');
    for (int i = 0; i < m->n_bodies; i++) put_body(&w, m->bodies + i);
    if (size) text[w.length < size ? w.length : size - 1] = 0;
    return w.length;
}

sva_status sva_model_save(const sva_model *m, const char *path)
{
    size_t length = sva_model_print(m, NULL, 0);
    char *text = malloc(length + 1);
    if (!text) return SVA_NO_MEMORY;
    sva_model_print(m, text, length + 1);
    FILE *out = fopen(path, "wb");
    int good = out && fwrite(text, 1, length, out) == length;
    good = out && !fclose(out) && good;
    free(text);
    return good ? SVA_OK : SVA_BAD_FILE;
}
