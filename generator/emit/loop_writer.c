#include "loop_writer.h"

#include <string.h>

loop_writer loop_writer_of(FILE *out, const loops *l, const print_style *style)
{
    const char *real = style->single ? "float" : "double";
    if (style->lanes) return (loop_writer){out, l, style, real, "V", "V", "V"};
    return (loop_writer){out, l, style, real, real, "sva_item", "sva_item_at"};
}

void loop_dot(const loop_writer *w, loop_part part, loop_part other, const char *name)
{
    const char *plus = "(";
    for (int k = 0; k < 6; k++) {
        if (w->l->at[part][k] < 0 || w->l->at[other][k] < 0) continue;
        fprintf(w->out, "%sa[%d]*%s_%d", plus, w->l->at[part][k], name, k);
        plus = " + ";
    }
    fputs(*plus == '(' ? "zero" : ")", w->out);
}

void loop_put(const loop_writer *w, const char *text, int side, int component, int at, int number)
{
    for (const char *c = text; *c; c++)
        if (*c == '&')
            fputs(w->item, w->out);
        else if (strchr("%#@$", *c))
            fprintf(w->out, "%d", *c == '%' ? side : *c == '#' ? component : *c == '@' ? at : number);
        else
            fputc(*c, w->out);
}

void loop_each(const loop_writer *w, loop_part part, const char *text)
{
    int sides = strchr(text, '%') ? SIDE : 1;
    for (int k = 0, n = 0; k < 6; k++) {
        if (w->l->at[part][k] < 0) continue;
        for (int s = 0; s < sides; s++) loop_put(w, text, s, k, w->l->at[part][k], sides * n + s);
        n++;
    }
}

void loop_entry(const loop_writer *w, char *buffer, size_t size, const char *row, const char *column)
{
    bool columns = w->style->column_major;
    snprintf(buffer, size, "%s * %d + %s", columns ? column : row, w->l->n, columns ? row : column);
}

void loop_table(const loop_writer *w, const char *name, int columns, int count, const int *x)
{
    LINE("    static const short %s[][%d] = {", name, columns);
    for (int i = 0; i < count; i++) {
        LINE("%s{", i % 8 ? " " : "\n        ");
        for (int k = 0; k < columns; k++) LINE("%s%d", k ? ", " : "", x[i * columns + k]);
        LINE("},");
    }
    LINE("\n    };\n");
}

void loop_outputs(const loop_writer *w, bool declare)
{
    for (int a = ARG_INPUTS; a < (int)ARG_COUNT; a++)
        if (loops_writes(w->l, (arg)a) && a != ARG_MINV)
            LINE(declare ? ", %s *SVA_RESTRICT %s" : ", %.0s%s", w->real, arg_table[a].name);
}

void loop_function(const loop_writer *w, const char *what)
{
    LINE(w->style->lanes ? "SVA_STACK static void FN(%s_%s)(" : "SVA_STACK static void %s_%s(", w->style->name, what);
}
