/* Pairs of columns, one in the subtree of the other, straight into the outputs. */
#include "base/number.h"
#include "loop_writer.h"

static const char *const part_names[LOOP_PARTS] = {"S", "Psi1", "Psi2", "D", "K", "Dinv", "t4", "t1", "t2", "t3"};

/* For each column: the first of its joint, the next joint's, the end of its subtree. */
static void print_spans(const loop_writer *w)
{
    const loops *l = w->l;
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
    for (int c = 0; c < w->l->n; c++) {
        number_print(text, w->l->armature[c]);
        LINE("%s(%s)%s", c ? ", " : "", w->real, text);
    }
    LINE("};\n");
}

/* The items of the lower columns from i on. */
static void load_lower(const loop_writer *w)
{
    for (int part = LOOP_T4; part < LOOP_PARTS; part++)
        for (int k = 0; k < 6; k++)
            if (w->l->at[part][k] >= 0)
                LINE("                const %s %s_%d = *(const %s%s *)(T + %ld + i);\n", w->item, part_names[part], k,
                     w->item, w->style->lanes ? "" : "_at", (long)w->l->at[part][k] * w->l->n);
}

typedef struct pair_term {
    arg out;
    bool above; /* entry (c, i), else (i, c) */
    loop_part part[2], other[2];
} pair_term;

static const pair_term pair_terms[] = {
    {ARG_DTAU_DQ, false, {LOOP_PSI1, LOOP_PSI2}, {LOOP_T4, LOOP_T1}},
    {ARG_DTAU_DV, false, {LOOP_S, LOOP_D}, {LOOP_T4, LOOP_T1}},
    {ARG_DTAU_DQ, true, {LOOP_S, LOOP_PARTS}, {LOOP_T3, LOOP_PARTS}},
    {ARG_DTAU_DV, true, {LOOP_S, LOOP_PARTS}, {LOOP_T2, LOOP_PARTS}},
    {ARG_M, false, {LOOP_S, LOOP_PARTS}, {LOOP_T1, LOOP_PARTS}},
};
enum { PAIR_TERMS = sizeof pair_terms / sizeof *pair_terms };

static void print_term(const loop_writer *w, const pair_term *t)
{
    for (int k = 0; k < 2 && t->part[k] != LOOP_PARTS; k++) {
        if (k) fputs(" + ", w->out);
        loop_dot(w, t->part[k], t->other[k], part_names[t->other[k]]);
    }
}

/* Entries that are beside each other in the output are copied from a row, the others go through eight rows that are
   turned. M is symmetric: its eight rows serve both. */
static bool is_turned(const loop_writer *w, const pair_term *t) { return t->above == w->style->column_major; }
static bool has_eight(const loop_writer *w, const pair_term *t) { return is_turned(w, t) || t->out == ARG_M; }

/* "dtau_dq_turn + l * ROOM", where a column's entries are. */
static const char *buffer_of(const loop_writer *w, const pair_term *t, char text[64])
{
    snprintf(text, 64, "%s_%s%s", arg_table[t->out].name, is_turned(w, t) ? "turn" : "row",
             has_eight(w, t) ? " + l * ROOM" : "");
    return text;
}

static void print_pair_items(const loop_writer *w)
{
    char text[64];
    LINE("            for (int i = first; i < end; i += SVA_ITEM) {\n");
    load_lower(w);
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++) {
        if (!loops_writes(w->l, t->out)) continue;
        LINE("                *(sva_item_at *)(%s + i) = ", buffer_of(w, t, text));
        print_term(w, t);
        LINE(";\n");
    }
    LINE("            }\n");
}

/* What is not below the column is zero. */
static void print_pair_ends(const loop_writer *w)
{
    char text[64];
    int n = w->l->n;
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++) {
        if (!loops_writes(w->l, t->out)) continue;
        const char *from = t->above || t->out == ARG_M ? "next" : "first";
        buffer_of(w, t, text);
        LINE("            for (int i = end; i < %d; i++) (%s)[i] = 0;\n", n, text);
        if (t->out == ARG_M) LINE("            (%s)[c] += armature[c];\n", text);
        if (!is_turned(w, t) || t->out == ARG_M)
            LINE("            sva_copy(%d - %s, %s + %s, %s + c * %d + %s);\n", n, from, text, from,
                 arg_table[t->out].name, n, from);
    }
}

static void print_turned(const loop_writer *w, const pair_term *t)
{
    const char *name = arg_table[t->out].name, *buffer = is_turned(w, t) ? "turn" : "row";
    int n = w->l->n;
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
    int n = w->l->n;
    LINE("    for (int c0 = 0; c0 < %d; c0 += 8) {\n", n);
    LINE("        const int count = %d - c0 < 8 ? %d - c0 : 8;\n", n, n);
    LINE("        for (int l = 0; l < count; l++) {\n");
    LINE("            const int c = c0 + l, first = span[c][0], next = span[c][1], end = span[c][2];\n");
    LINE("            const %s *a = A + c * %d;\n            (void)next;\n", w->E, w->l->record);
    print_pair_items(w);
    print_pair_ends(w);
    LINE("        }\n");
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++)
        if (loops_writes(w->l, t->out) && has_eight(w, t)) print_turned(w, t);
    LINE("    }\n");
}

/* Sixteen lower columns at a time stay in the cache while all others pass. */
static void print_lane_pairs(const loop_writer *w)
{
    char at[64];
    int n = w->l->n;
    LINE("    for (int tile = 0; tile < %d; tile += 16)\n", n);
    LINE("        for (int c = 0; c < %d; c++) {\n", n);
    LINE("            const int from = span[c][0] > tile ? span[c][0] : tile, next = span[c][1];\n");
    LINE("            const int to = span[c][2] < tile + 16 ? span[c][2] : tile + 16;\n");
    LINE("            const V *a = A + c * %d;\n            (void)next;\n", w->l->record);
    LINE("            for (int i = from; i < to; i++) {\n");
    load_lower(w);
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++) {
        if (!loops_writes(w->l, t->out)) continue;
        loop_entry(w, at, sizeof at, t->above ? "c" : "i", t->above ? "i" : "c");
        LINE("                %s{\n                    V x = ", t->above ? "if (i >= next) " : "");
        print_term(w, t);
        LINE(";\n");
        if (t->out == ARG_M) LINE("                    if (i == c) x += armature[c];\n");
        LINE("                    STORE(%s, %s, x);\n", arg_table[t->out].name, at);
        loop_entry(w, at, sizeof at, "c", "i");
        if (t->out == ARG_M) LINE("                    if (i >= next) STORE(M, %s, x);\n", at);
        LINE("                }\n");
    }
    LINE("            }\n        }\n");
    LINE("    for (int c = 0; c < %d; c++)\n        for (int i = span[c][2]; i < %d; i++) {\n", n, n);
    static const arg outs[] = {ARG_DTAU_DQ, ARG_DTAU_DV, ARG_M};
    for (int o = 0; o < 3; o++)
        if (loops_writes(w->l, outs[o])) {
            LINE("            STORE(%s, i * %d + c, zero);\n", arg_table[outs[o]].name, n);
            LINE("            STORE(%s, c * %d + i, zero);\n", arg_table[outs[o]].name, n);
        }
    LINE("        }\n");
}

static void print_pair_buffers(const loop_writer *w)
{
    int room = w->l->n + 8;
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++)
        if (loops_writes(w->l, t->out))
            LINE("    %s %s_%s[%d] SVA_ALIGN64;\n", w->E, arg_table[t->out].name, is_turned(w, t) ? "turn" : "row",
                 is_turned(w, t) || t->out == ARG_M ? 8 * room : room);
    LINE("    enum { ROOM = %d };\n", room);
}

void loop_pairs(const loop_writer *w)
{
    loop_function(w, "pairs");
    LINE("const %s *SVA_RESTRICT A, const %s *SVA_RESTRICT T", w->E, w->E);
    loop_outputs(w, true);
    LINE(")\n{\n");
    print_spans(w);
    if (w->l->mass) print_armature(w);
    LINE("    const %s zero = {0};\n    (void)zero;\n", w->item);
    if (!w->style->lanes) print_pair_buffers(w);
    (w->style->lanes ? print_lane_pairs : print_state_pairs)(w);
    LINE("}\n\n");
}
