#include "apart.h"

#include <limits.h>
#include "pattern.h"
#include "plan/limits.h"

static int size_of(const print_style *style, arg out)
{
    int rows, cols;
    arg_size(out, style->model, style->options, &rows, &cols);
    return rows * cols;
}

bool apart_from(const program *p, const kernel_info *k, const print_style *style)
{
    int zeros = 0, all = 0;
    for (const arg *a = k->out; *a != ARG_COUNT; a++) {
        int size = size_of(style, *a);
        all += size;
        if (size > USHRT_MAX) return false;
    }
    for (const graph_output *o = program_graph(p)->outputs.at;
         o < program_graph(p)->outputs.at + program_graph(p)->outputs.n; o++)
        zeros += !slot_is_local(o->slot.arg) && pattern_is_zero(program_graph(p), o);
    return ZEROS_APART * zeros > all;
}

int *apart_rows(arena *memory, const program *p, const print_style *style, arg out)
{
    int size = size_of(style, out), first = size, *row = ARENA_ARRAY(memory, int, size);
    for (int pass = 0; pass < 2; pass++)
        for (int o = 0; o < program_graph(p)->outputs.n; o++) {
            const graph_output *one = &program_graph(p)->outputs.at[o];
            if (one->slot.arg != (int)out) continue;
            int i = print_index(style, one->slot);
            bool zero = pattern_is_zero(program_graph(p), one);
            if (zero && i < first) first = i;
            row[i] = zero ? first : i;
        }
    return first < size ? row : NULL;
}
