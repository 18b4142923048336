#include "bench.h"

#include <stdarg.h>
#include "base/text.h"

#define EACH_SINK(s, t)                                                                                                \
    for (const bench_sink *s = (t)->sinks; s < (t)->sinks + BENCH_SINKS; s++)                                          \
        if (s->out)

static void separate(const bench_table *t, const bench_sink *s)
{
    if (t->column > 0) fputc(s->csv ? ',' : ' ', s->out);
}

static void print_cell(bench_table *t, int width, const char *text, const char *csv)
{
    EACH_SINK(s, t)
    {
        separate(t, s);
        fprintf(s->out, "%*s", s->csv ? 0 : width, s->csv ? csv : text);
    }
    t->column++;
}

void bench_cell(bench_table *t, int width, const char *format, ...)
{
    char text[64];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    print_cell(t, width, text, text);
}

void bench_absent(bench_table *t, int width) { print_cell(t, width, "-", ""); }

static void print_name(const bench_sink *s, int width, const char *name)
{
    if (s->csv)
        text_print_json(name, s->out);
    else
        for (int used = text_print_cut(name, width, false, s->out); used < width; used++) fputc(' ', s->out);
}

void bench_name(bench_table *t, int width, const char *name)
{
    EACH_SINK(s, t)
    {
        separate(t, s);
        print_name(s, width, name);
    }
    t->column++;
}

void bench_end_row(bench_table *t)
{
    EACH_SINK(s, t)
    {
        fputc('\n', s->out);
        fflush(s->out);
    }
    t->column = 0;
}
