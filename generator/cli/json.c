#include "json.h"

#include "base/invariant.h"
#include "base/number.h"
#include "base/text.h"

json json_new(FILE *out, int broken) { return (json){.out = out, .broken = broken}; }

static void begin_line(json *j)
{
    fputc('\n', j->out);
    for (int i = 0; i < j->depth; i++) fputs("  ", j->out);
}

static void begin_item(json *j, const char *key)
{
    if (j->filled[j->depth]) fputc(',', j->out);
    if (j->depth && j->depth <= j->broken)
        begin_line(j);
    else if (j->filled[j->depth])
        fputc(' ', j->out);
    j->filled[j->depth] = true;
    if (!key) return;
    text_print_json(key, j->out);
    fputs(": ", j->out);
}

void json_open(json *j, const char *key, char bracket)
{
    begin_item(j, key);
    fputc(bracket, j->out);
    INVARIANT(j->depth < 15);
    j->filled[++j->depth] = false;
}

void json_close(json *j, char bracket)
{
    bool break_line = j->filled[j->depth] && j->depth <= j->broken;
    j->depth--;
    if (break_line) begin_line(j);
    fputc(bracket, j->out);
    if (j->depth == 0) fputc('\n', j->out);
}

void json_text(json *j, const char *key, const char *text)
{
    if (!text) {
        json_null(j, key);
        return;
    }
    begin_item(j, key);
    text_print_json(text, j->out);
}

void json_int(json *j, const char *key, long value)
{
    begin_item(j, key);
    fprintf(j->out, "%ld", value);
}

void json_real(json *j, const char *key, double value)
{
    char buffer[NUMBER_SIZE];
    begin_item(j, key);
    fputs(number_print(buffer, value), j->out);
}

void json_bool(json *j, const char *key, bool value)
{
    begin_item(j, key);
    fputs(value ? "true" : "false", j->out);
}

void json_null(json *j, const char *key)
{
    begin_item(j, key);
    fputs("null", j->out);
}

/* Arrays of numbers stay on one line. */
static int open_line(json *j, const char *key)
{
    int broken = j->broken;
    json_open(j, key, '[');
    j->broken = 0;
    return broken;
}

static void close_line(json *j, int broken)
{
    json_close(j, ']');
    j->broken = broken;
}

void json_reals(json *j, const char *key, const double *values, int count)
{
    int broken = open_line(j, key);
    for (int i = 0; i < count; i++) json_real(j, NULL, values[i]);
    close_line(j, broken);
}

void json_ints(json *j, const char *key, const int *values, int count)
{
    int broken = open_line(j, key);
    for (int i = 0; i < count; i++) json_int(j, NULL, values[i]);
    close_line(j, broken);
}
