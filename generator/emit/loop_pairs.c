/* Pairs of columns, one in the subtree of the other, straight into the outputs. */
#include "base/invariant.h"
#include "base/number.h"
#include "loops.h"

/* For each column: the first of its joint, the next joint's, the end of its subtree. */
static void print_spans(const loop_writer *w)
{
    const loop_tree *l = w->l->tree;
    arena *memory = arena_new();
    int *x = ARENA_ARRAY(memory, int, 3 * l->n), n = 0;
    for (const loop_joint *j = l->joint; j < l->joint + l->n_joints; j++)
        for (int c = j->first; c < j->next; c++) x[n++] = j->first, x[n++] = j->next, x[n++] = j->end;
    loop_table(w, "span", 3, l->n, x);
    arena_free(memory);
}

static void print_armature(const loop_writer *w)
{
    char text[NUMBER_SIZE];
    LINE("    static const %s armature[] = {", w->real);
    for (int c = 0; c < w->l->tree->n; c++) {
        number_print(text, w->l->armature[c]);
        LINE("%s(%s)%s", c ? ", " : "", w->real, text);
    }
    LINE("};\n");
}

static const program_text *text_of(const loop_writer *w) { return &w->program->texts.at[w->l->pair]; }

/* The items of the lower columns from i on, and what is made of them for several entries. */
static void print_values(const loop_writer *w, printer *p)
{
    const schedule *s = text_of(w)->schedule;
    for (int row = 0; row < w->l->tree->rows; row++)
        LINE("                const %s t%d = *(const %s *)(T + %d + i);\n", w->item, row, w->at, row * w->l->tree->n);
    for (int i = 0; i < s->n; i++)
        if (s->at[i].output < 0) print_statements(p, i, i + 1);
}

static printer printer_for(const loop_writer *w, arena *memory)
{
    printer p = printer_of(w->out, memory, text_of(w)->schedule, w->kernel, w->program, w->style);
    p.loop = true;
    return p;
}

typedef struct pair_term {
    arg out;
    bool above; /* entry (c, i), else (i, c) */
    expr value;
} pair_term;

enum { PAIR_TERMS = 8 };

/* What the text gives, as it is written. */
static int find_terms(const loop_writer *w, pair_term *terms)
{
    const graph *g = text_of(w)->graph;
    INVARIANT(g->outputs.n <= PAIR_TERMS);
    for (int o = 0; o < g->outputs.n; o++) {
        const graph_output *out = &g->outputs.at[o];
        terms[o] = (pair_term){(arg)out->slot.arg, out->slot.index == PAIR_ABOVE, out->value};
    }
    return g->outputs.n;
}

#define EACH_TERM(t, w)                                                                                                \
    for (pair_term terms_[PAIR_TERMS], *t = terms_, *last_ = terms_ + find_terms(w, terms_); t < last_; t++)

/* Entries that are beside each other in the output are copied from a row, the others go through eight rows that are
   turned. M is symmetric: its eight rows serve both. */
static bool is_transposed(const loop_writer *w, const pair_term *t) { return t->above == w->style->column_major; }
static bool has_eight(const loop_writer *w, const pair_term *t) { return is_transposed(w, t) || t->out == ARG_M; }

/* "dtau_dq_across + l * ROOM", where a column's entries are. */
static const char *buffer_of(const loop_writer *w, const pair_term *t, char text[64])
{
    snprintf(text, 64, "%s_%s%s", arg_table[t->out].name, is_transposed(w, t) ? "across" : "row",
             has_eight(w, t) ? " + l * ROOM" : "");
    return text;
}

static void print_pair_items(const loop_writer *w)
{
    char text[64];
    arena *memory = arena_new();
    printer p = printer_for(w, memory);
    LINE("            for (int i = first; i < end; i += SVA_ITEM) {\n");
    print_values(w, &p);
    EACH_TERM(t, w)
    {
        LINE("                *(sva_item_at *)(%s + i) = ", buffer_of(w, t, text));
        print_expr(&p, t->value, 1, true);
        LINE(";\n");
    }
    LINE("            }\n");
    arena_free(memory);
}

/* What is not below the column is zero. */
static void print_pair_ends(const loop_writer *w)
{
    char text[64];
    int n = w->l->tree->n;
    EACH_TERM(t, w)
    {
        const char *from = t->above || t->out == ARG_M ? "next" : "first";
        buffer_of(w, t, text);
        LINE("            for (int i = end; i < %d; i++) (%s)[i] = 0;\n", n, text);
        if (t->out == ARG_M) LINE("            (%s)[c] += armature[c];\n", text);
        if (!is_transposed(w, t) || t->out == ARG_M)
            LINE("            sva_copy(%d - %s, %s + %s, %s + c * %d + %s);\n", n, from, text, from,
                 arg_table[t->out].name, n, from);
    }
}

static void print_transposed(const loop_writer *w, const pair_term *t)
{
    const char *name = arg_table[t->out].name, *buffer = is_transposed(w, t) ? "across" : "row";
    int n = w->l->tree->n;
    LINE("        for (int i = span[c0][0]; i < c0 + 8 && i < %d; i++)\n", n);
    LINE("            for (int l = 0; l < count; l++)\n");
    LINE("                if (i >= span[c0 + l][%d]) %s[i * %d + c0 + l] = %s_%s[l * ROOM + i];\n", t->above ? 1 : 0,
         name, n, name, buffer);
    LINE("        if (c0 + 8 < %d)\n", n);
    LINE("            sva_eight_columns(%d - c0 - 8, %s_%s + c0 + 8, ROOM, %s + (c0 + 8) * %d + c0, %d);\n", n, name,
         buffer, name, n, n);
}

static void print_state_pairs(const loop_writer *w)
{
    int n = w->l->tree->n;
    LINE("    for (int c0 = 0; c0 < %d; c0 += 8) {\n", n);
    LINE("        const int count = %d - c0 < 8 ? %d - c0 : 8;\n", n, n);
    LINE("        for (int l = 0; l < count; l++) {\n");
    LINE("            const int c = c0 + l, first = span[c][0], next = span[c][1], end = span[c][2];\n");
    LINE("            const %s *a = A + c * %d;\n            (void)next, (void)a;\n", w->E, w->l->tree->record);
    print_pair_items(w);
    print_pair_ends(w);
    LINE("        }\n");
    EACH_TERM(t, w)
    if (has_eight(w, t)) print_transposed(w, t);
    LINE("    }\n");
}

/* Sixteen lower columns at a time stay in the cache while all others pass. */
static void print_lane_pairs(const loop_writer *w)
{
    char at[64];
    int n = w->l->tree->n;
    arena *memory = arena_new();
    printer p = printer_for(w, memory);
    LINE("    for (int tile = 0; tile < %d; tile += 16)\n", n);
    LINE("        for (int c = 0; c < %d; c++) {\n", n);
    LINE("            const int from = span[c][0] > tile ? span[c][0] : tile, next = span[c][1];\n");
    LINE("            const int to = span[c][2] < tile + 16 ? span[c][2] : tile + 16;\n");
    LINE("            const V *a = A + c * %d;\n            (void)next, (void)a;\n", w->l->tree->record);
    LINE("            for (int i = from; i < to; i++) {\n");
    print_values(w, &p);
    EACH_TERM(t, w)
    {
        loop_entry(w, at, sizeof at, t->above ? "c" : "i", t->above ? "i" : "c");
        LINE("                %s{\n                    V x = ", t->above ? "if (i >= next) " : "");
        print_expr(&p, t->value, 1, true);
        LINE(";\n");
        if (t->out == ARG_M) LINE("                    if (i == c) x += armature[c];\n");
        LINE("                    STORE(%s, %s, x);\n", arg_table[t->out].name, at);
        loop_entry(w, at, sizeof at, "c", "i");
        if (t->out == ARG_M) LINE("                    if (i >= next) STORE(M, %s, x);\n", at);
        LINE("                }\n");
    }
    LINE("            }\n        }\n");
    LINE("    for (int c = 0; c < %d; c++)\n        for (int i = span[c][2]; i < %d; i++) {\n", n, n);
    EACH_TERM(t, w)
    {
        if (t->above) continue;
        LINE("            STORE(%s, i * %d + c, zero);\n", arg_table[t->out].name, n);
        LINE("            STORE(%s, c * %d + i, zero);\n", arg_table[t->out].name, n);
    }
    LINE("        }\n");
    arena_free(memory);
}

static void print_pair_buffers(const loop_writer *w)
{
    int room = w->l->tree->n + 8;
    EACH_TERM(t, w)
    LINE("    %s %s_%s[%d] SVA_ALIGN64;\n", w->E, arg_table[t->out].name, is_transposed(w, t) ? "across" : "row",
         is_transposed(w, t) || t->out == ARG_M ? 8 * room : room);
    LINE("    enum { ROOM = %d };\n", room);
}

void loop_print_pairs(const loop_writer *w)
{
    loop_function(w);
    LINE("const %s *SVA_RESTRICT A, const %s *SVA_RESTRICT T", w->E, w->E);
    loop_outputs(w, true);
    LINE(")\n{\n");
    print_spans(w);
    if (w->l->armature) print_armature(w);
    LINE("    const %s zero = {0};\n    (void)zero, (void)T;\n", w->item);
    if (!w->style->lanes) print_pair_buffers(w);
    (w->style->lanes ? print_lane_pairs : print_state_pairs)(w);
    LINE("}\n\n");
}
