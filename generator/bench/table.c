#include "bench.h"

#include <stdarg.h>
#include "base/text.h"

static void separate(bench_table *t)
{
    if (t->column++ > 0) fputc(t->csv ? ',' : ' ', t->out);
}

void bench_cell(bench_table *t, int width, const char *format, ...)
{
    char text[64];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    separate(t);
    fprintf(t->out, "%*s", t->csv ? 0 : width, text);
}

void bench_name(bench_table *t, int width, const char *name)
{
    separate(t);
    if (t->csv)
        text_print_json(name, t->out);
    else
        for (int used = text_print_cut(name, width, false, t->out); used < width; used++) fputc(' ', t->out);
}

void bench_end_row(bench_table *t)
{
    fputc('\n', t->out);
    fflush(t->out);
    t->column = 0;
}
