#include "loops.h"

#include <string.h>
#include "base/number.h"

static const char *const part_names[LOOP_PARTS] = {"S", "Psi1", "Psi2", "D", "K", "Dinv", "t4", "t1", "t2", "t3"};

typedef struct writer {
    FILE *out;
    const loops *l;
    const print_style *style;
    const char *real, *E, *item; /* a number of the caller, a number here, an item */
} writer;

static writer writer_of(FILE *out, const loops *l, const print_style *style)
{
    const char *real = style->single ? "float" : "double";
    return (writer){out, l, style, real, style->lanes ? "V" : real, style->lanes ? "V" : "sva_item"};
}

bool loops_writes(const loops *l, arg a)
{
    switch (a) {
    case ARG_DTAU_DQ:
    case ARG_DTAU_DV: return l->pairs && l->derivatives;
    case ARG_M: return l->mass;
    case ARG_MINV: return l->inverse;
    case ARG_DQDD_DQ:
    case ARG_DQDD_DV: return l->inverse && l->derivatives;
    default: return false;
    }
}

/* ---- expressions */

/* "(a[0]*N_0 + a[4]*N_3)": a component of the record times the item `name` of the same component. */
static void dot(const writer *w, loop_part part, loop_part other, const char *name)
{
    const char *plus = "(";
    for (int k = 0; k < 6; k++) {
        if (w->l->at[part][k] < 0 || w->l->at[other][k] < 0) continue;
        fprintf(w->out, "%sa[%d]*%s_%d", plus, w->l->at[part][k], name, k);
        plus = " + ";
    }
    fputs(*plus == '(' ? "zero" : ")", w->out);
}

/* A text for each component of a part, with # its number, @ its place in the record, $ its number among those there are
   and & the type of an item. */
static void each(const writer *w, loop_part part, const char *text)
{
    for (int k = 0, n = 0; k < 6; k++) {
        if (w->l->at[part][k] < 0) continue;
        for (const char *c = text; *c; c++)
            if (*c == '&')
                fputs(w->item, w->out);
            else if (strchr("#@$", *c))
                fprintf(w->out, "%d", *c == '#' ? k : *c == '@' ? w->l->at[part][k] : n);
            else
                fputc(*c, w->out);
        n++;
    }
}

static int components(const writer *w, loop_part part) { return loops_common(w->l, part, part); }

#define LINE(...) fprintf(w->out, __VA_ARGS__)

/* ---- tables */

static void print_numbers(const writer *w, const char *name, int columns, int count, const int *x)
{
    LINE("    static const short %s[][%d] = {", name, columns);
    for (int i = 0; i < count; i++) {
        LINE("%s{", i % 8 ? " " : "\n        ");
        for (int k = 0; k < columns; k++) LINE("%s%d", k ? ", " : "", x[i * columns + k]);
        LINE("},");
    }
    LINE("\n    };\n");
}

/* For each column: the first of its joint, the next joint's, the end of its subtree. */
static void print_spans(const writer *w)
{
    const loops *l = w->l;
    arena *memory = arena_new();
    int *x = ARENA_ARRAY(memory, int, 3 * l->n), n = 0;
    for (const loop_joint *j = l->joint; j < l->joint + l->n_joints; j++)
        for (int c = j->first; c < j->next; c++) x[n++] = j->first, x[n++] = j->next, x[n++] = j->end;
    print_numbers(w, "span", 3, l->n, x);
    arena_free(memory);
}

/* For each joint: its first column, the next joint's, the end of its subtree, its branch, the branch of its parent.
   Branches: -1: none; of a parent: -1: the joint before, -2: the ground. */
static void print_joints(const writer *w)
{
    const loops *l = w->l;
    arena *memory = arena_new();
    int *x = ARENA_ARRAY(memory, int, 5 * l->n_joints), n = 0;
    for (int i = 0; i < l->n_joints; i++) {
        const loop_joint *j = &l->joint[i];
        x[n++] = j->first, x[n++] = j->next, x[n++] = j->end, x[n++] = j->branch;
        x[n++] = j->parent < 0 ? -2 : j->parent == i - 1 ? -1 : l->joint[j->parent].branch;
    }
    print_numbers(w, "joint", 5, l->n_joints, x);
    arena_free(memory);
}

static void print_armature(const writer *w)
{
    char text[NUMBER_SIZE];
    LINE("    static const %s armature[] = {", w->real);
    for (int c = 0; c < w->l->n; c++) {
        number_print(text, w->l->armature[c]);
        LINE("%s(%s)%s", c ? ", " : "", w->real, text);
    }
    LINE("};\n");
}

/* ---- pairs */

/* The items of the lower columns from i on. */
static void load_lower(const writer *w)
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

static void print_term(const writer *w, const pair_term *t)
{
    for (int k = 0; k < 2 && t->part[k] != LOOP_PARTS; k++) {
        if (k) fputs(" + ", w->out);
        dot(w, t->part[k], t->other[k], part_names[t->other[k]]);
    }
}

/* What is beside another in the output can be copied, the rest goes through a buffer that is turned. M is symmetric:
   both from one buffer. */
static bool is_turned(const writer *w, const pair_term *t) { return t->above == w->style->column_major; }

static void print_state_pairs(const writer *w)
{
    int n = w->l->n;
    LINE("    for (int c0 = 0; c0 < %d; c0 += 8) {\n", n);
    LINE("        const int count = %d - c0 < 8 ? %d - c0 : 8;\n", n, n);
    LINE("        for (int l = 0; l < count; l++) {\n");
    LINE("            const int c = c0 + l, first = span[c][0], next = span[c][1], end = span[c][2];\n");
    LINE("            const %s *a = A + c * %d;\n", w->E, w->l->record);
    LINE("            (void)first, (void)next;\n");
    LINE("            for (int i = first; i < end; i += SVA_ITEM) {\n");
    load_lower(w);
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++) {
        if (!loops_writes(w->l, t->out)) continue;
        LINE("                *(sva_item_at *)(%s_%s + %si) = ", arg_table[t->out].name,
             is_turned(w, t) ? "turn" : "row", is_turned(w, t) || t->out == ARG_M ? "l * ROOM + " : "");
        print_term(w, t);
        LINE(";\n");
    }
    LINE("            }\n");
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++) {
        if (!loops_writes(w->l, t->out)) continue;
        const char *name = arg_table[t->out].name, *at = is_turned(w, t) || t->out == ARG_M ? "l * ROOM + " : "";
        const char *buffer = is_turned(w, t) ? "turn" : "row";
        LINE("            for (int i = end; i < %d; i++) %s_%s[%si] = 0;\n", n, name, buffer, at);
        if (t->out == ARG_M) LINE("            %s_%s[%sc] += armature[c];\n", name, buffer, at);
        if (!is_turned(w, t) || t->out == ARG_M)
            LINE("            sva_copy(%d - %s, %s_%s + %s%s, %s + c * %d + %s);\n", n,
                 t->above || t->out == ARG_M ? "next" : "first", name, buffer, at,
                 t->above || t->out == ARG_M ? "next" : "first", name, n,
                 t->above || t->out == ARG_M ? "next" : "first");
    }
    LINE("        }\n");
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++)
        if (loops_writes(w->l, t->out) && (is_turned(w, t) || t->out == ARG_M)) {
            const char *name = arg_table[t->out].name, *buffer = is_turned(w, t) ? "turn" : "row";
            LINE("        for (int i = span[c0][0]; i < c0 + 8 && i < %d; i++)\n", n);
            LINE("            for (int l = 0; l < count; l++)\n");
            LINE("                if (i >= span[c0 + l][%d]) %s[i * %d + c0 + l] = %s_%s[l * ROOM + i];\n",
                 t->above ? 1 : 0, name, n, name, buffer);
            LINE("        if (c0 + 8 < %d)\n", n);
            LINE("            sva_flip(count, %d - c0 - 8, %s_%s + c0 + 8, ROOM, %s + (c0 + 8) * %d + c0, %d);\n", n,
                 name, buffer, name, n, n);
        }
    LINE("    }\n");
}

static void entry_at(const writer *w, char *buffer, size_t size, const char *row, const char *column)
{
    bool columns = w->style->column_major;
    snprintf(buffer, size, "%s * %d + %s", columns ? column : row, w->l->n, columns ? row : column);
}

/* Sixteen lower columns at a time stay in the cache while all others pass. */
static void print_lane_pairs(const writer *w)
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
        entry_at(w, at, sizeof at, t->above ? "c" : "i", t->above ? "i" : "c");
        LINE("                %s{\n                    V x = ", t->above ? "if (i >= next) " : "");
        print_term(w, t);
        LINE(";\n");
        if (t->out == ARG_M) LINE("                    if (i == c) x += armature[c];\n");
        LINE("                    STORE(%s, %s, x);\n", arg_table[t->out].name, at);
        entry_at(w, at, sizeof at, "c", "i");
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

static void print_pair_buffers(const writer *w)
{
    int room = w->l->n + 8;
    for (const pair_term *t = pair_terms; t < pair_terms + PAIR_TERMS; t++)
        if (loops_writes(w->l, t->out))
            LINE("    %s %s_%s[%d] SVA_ALIGN64;\n", w->E, arg_table[t->out].name, is_turned(w, t) ? "turn" : "row",
                 is_turned(w, t) || t->out == ARG_M ? 8 * room : room);
    LINE("    enum { ROOM = %d };\n", room);
}

static void print_outputs(const writer *w, bool declare)
{
    for (int a = ARG_INPUTS; a < ARG_LOCALS; a++)
        if (loops_writes(w->l, (arg)a) && a != ARG_MINV)
            LINE(declare ? ", %s *SVA_RESTRICT %s" : ", %.0s%s", w->real, arg_table[a].name);
}

static void function(const writer *w, const char *what)
{
    LINE(w->style->lanes ? "static void FN(%s_%s)(" : "static void %s_%s(", w->style->name, what);
}

static void print_pairs(const writer *w)
{
    function(w, "pairs");
    LINE("const %s *SVA_RESTRICT A, const %s *SVA_RESTRICT T", w->E, w->E);
    print_outputs(w, true);
    LINE(")\n{\n");
    print_spans(w);
    if (w->l->mass) print_armature(w);
    LINE("    const %s zero = {0};\n    (void)zero;\n", w->item);
    if (!w->style->lanes) print_pair_buffers(w);
    (w->style->lanes ? print_lane_pairs : print_state_pairs)(w);
    LINE("}\n\n");
}

/* ---- M^-1 */

static const char *step_of(const writer *w) { return w->style->lanes ? "1" : "SVA_ITEM"; }
static int stride_of(const writer *w) { return w->style->lanes ? w->l->n : (w->l->n + 7) / 8 * 8; }
static int at_least_one(int x) { return x > 0 ? x : 1; }

/* One array of items for each branch, into which those that are not the next joint add, or from which they read. */
static void branches(const writer *w, const char *name, int count)
{
    LINE("    %s %s[%d];\n", w->item, name, at_least_one(w->l->n_branches * count));
}

/* Forces from the leaves to the root: u = e - S.p, p += K u. A joint with none of the columns below it has none. */
static void print_inverse_up(const writer *w)
{
    int K = components(w, LOOP_K);
    LINE("        const int top = c0 + %s < %d ? c0 + %s : %d;\n", step_of(w), w->l->n, step_of(w), w->l->n);
    LINE("        for (int b = 0; b < %d; b++) p_of[b] = zero;\n", w->l->n_branches * K);
    each(w, LOOP_K, "        & p_# = zero;\n");
    LINE("        for (int j = last[top - 1]; j >= 0; j--) {\n");
    LINE("            if (joint[j][2] <= c0) continue;\n");
    LINE("            if (joint[j][3] >= 0) {\n                const %s *b = p_of + %d * joint[j][3];\n", w->item, K);
    each(w, LOOP_K, "                p_# += b[$];\n");
    LINE("            }\n");
    LINE("            for (int c = joint[j][1] - 1; c >= joint[j][0]; c--) {\n");
    LINE("                const %s *a = A + c * %d;\n", w->E, w->l->record);
    LINE("                %s x = zero - ", w->item);
    dot(w, LOOP_S, LOOP_K, "p");
    LINE(";\n                if (c >= c0 && c < top) x += *(const %s%s *)(unit + %s - 1 - (c - c0));\n", w->item,
         w->style->lanes ? "" : "_at", step_of(w));
    LINE("                u[c] = x;\n");
    each(w, LOOP_K, "                p_# += a[@]*x;\n");
    LINE("            }\n");
    LINE("            if (joint[j][4] == -1) continue;\n");
    LINE("            if (joint[j][4] >= 0) {\n                %s *b = p_of + %d * joint[j][4];\n", w->item, K);
    each(w, LOOP_K, "                b[$] += p_#;\n");
    LINE("            }\n");
    each(w, LOOP_K, "            p_# = zero;\n");
    LINE("        }\n");
}

/* Where a joint does not follow the one before it, what it starts from: its parent's, or nothing on the ground. */
static void print_start(const writer *w, loop_part part, const char *name, const char *stack)
{
    char text[160];
    LINE("            if (joint[j][4] == -2) {\n");
    snprintf(text, sizeof text, "                %s_# = zero;\n", name);
    each(w, part, text);
    LINE("            } else if (joint[j][4] >= 0) {\n                const %s *b = %s + %d * joint[j][4];\n", w->item,
         stack, components(w, part));
    snprintf(text, sizeof text, "                %s_# = b[$];\n", name);
    each(w, part, text);
    LINE("            }\n");
}

static void print_keep(const writer *w, loop_part part, const char *name, const char *stack)
{
    char text[160];
    LINE("            if (joint[j][3] >= 0) {\n                %s *b = %s + %d * joint[j][3];\n", w->item, stack,
         components(w, part));
    snprintf(text, sizeof text, "                b[$] = %s_#;\n", name);
    each(w, part, text);
    LINE("            }\n");
}

/* Accelerations from the root to the leaves: x = u / D - K.a, a += S x. */
static void print_inverse_down(const writer *w)
{
    each(w, LOOP_S, "        & a_# = zero;\n");
    LINE("        for (int j = 0; j < %d; j++) {\n", w->l->n_joints);
    print_start(w, LOOP_S, "a", "a_of");
    LINE("            for (int c = joint[j][0]; c < joint[j][1]; c++) {\n");
    LINE("                const %s *a = A + c * %d;\n", w->E, w->l->record);
    LINE("                %s x = zero - ", w->item);
    dot(w, LOOP_K, LOOP_S, "a");
    LINE(";\n                if (c < top && joint[j][2] > c0) x += a[%d]*u[c];\n", w->l->at[LOOP_DINV][0]);
    LINE("                *(%s%s *)(G + c * %d + c0) = x;\n", w->item, w->style->lanes ? "" : "_at", stride_of(w));
    each(w, LOOP_S, "                a_# += a[@]*x;\n");
    LINE("            }\n");
    print_keep(w, LOOP_S, "a", "a_of");
    LINE("        }\n");
}

static void print_last(const writer *w)
{
    LINE("    static const short last[] = {");
    for (int j = 0, n = 0; j < w->l->n_joints; j++)
        for (int c = w->l->joint[j].first; c < w->l->joint[j].next; c++, n++)
            LINE("%s%d", !n ? "" : n % 24 ? ", " : ",\n        ", j);
    LINE("}; /* joint of each column */\n");
}

static void print_unit(const writer *w)
{
    if (w->style->lanes)
        LINE("    const V unit[1] = {zero + 1};\n");
    else
        LINE("    %s unit[2 * SVA_ITEM] = {0};\n    unit[SVA_ITEM - 1] = 1;\n", w->E);
}

/* G = M^-1 */
static void print_inverse(const writer *w)
{
    function(w, "inverse");
    LINE("const %s *SVA_RESTRICT A, %s *SVA_RESTRICT G)\n{\n", w->E, w->E);
    print_joints(w);
    print_last(w);
    LINE("    const %s zero = {0};\n    %s u[%d];\n", w->item, w->item, w->l->n);
    branches(w, "p_of", components(w, LOOP_K));
    branches(w, "a_of", components(w, LOOP_S));
    print_unit(w);
    LINE("    for (int c0 = 0; c0 < %d; c0 += %s) {\n", w->l->n, step_of(w));
    print_inverse_up(w);
    print_inverse_down(w);
    LINE("    }\n}\n\n");
}

/* ---- derivatives of qdd */

/* N from the root to the leaves, and what it gives. */
static void print_above(const writer *w)
{
    each(w, LOOP_S, "        & N_# = zero;\n");
    LINE("        for (int j = 0; j < %d; j++) {\n", w->l->n_joints);
    print_start(w, LOOP_S, "N", "N_of");
    LINE("            for (int c = joint[j][0]; c < joint[j][1]; c++) {\n");
    LINE("                const %s *a = A + c * %d;\n                dq[c] = ", w->E, w->l->record);
    dot(w, LOOP_T3, LOOP_S, "N");
    LINE(";\n                dv[c] = ");
    dot(w, LOOP_T2, LOOP_S, "N");
    LINE(";\n            }\n            for (int c = joint[j][0]; c < joint[j][1]; c++) {\n");
    LINE("                const %s *a = A + c * %d;\n", w->E, w->l->record);
    LINE("                const %s m = *(const %s%s *)(G + c * %d + i0);\n", w->item, w->item,
         w->style->lanes ? "" : "_at", stride_of(w));
    each(w, LOOP_S, "                N_# += a[@]*m;\n");
    LINE("            }\n");
    print_keep(w, LOOP_S, "N", "N_of");
    LINE("        }\n");
}

static void print_branch_sums(const writer *w, bool from, int count)
{
    int T1 = components(w, LOOP_T1);
    char text[80];
    LINE("            if (joint[j][%d] >= 0) {\n                %s *b = T_of + %d * joint[j][%d];\n", from ? 3 : 4,
         w->item, count, from ? 3 : 4);
    each(w, LOOP_T1, from ? "                T1_# += b[$];\n" : "                b[$] += T1_#;\n");
    snprintf(text, sizeof text, from ? "                T4_# += b[%d + $];\n" : "                b[%d + $] += T4_#;\n",
             T1);
    each(w, LOOP_T4, text);
    LINE("            }\n");
}

/* T from the leaves to the root, and the sum of both. */
static void print_below(const writer *w)
{
    int count = components(w, LOOP_T1) + components(w, LOOP_T4);
    LINE("        for (int b = 0; b < %d; b++) T_of[b] = zero;\n", w->l->n_branches * count);
    each(w, LOOP_T1, "        & T1_# = zero;\n");
    each(w, LOOP_T4, "        & T4_# = zero;\n");
    LINE("        for (int j = %d; j >= 0; j--) {\n", w->l->n_joints - 1);
    print_branch_sums(w, true, count);
    LINE("            for (int c = joint[j][0]; c < joint[j][1]; c++) {\n");
    LINE("                const %s *a = A + c * %d;\n", w->E, w->l->record);
    LINE("                const %s m = *(const %s%s *)(G + c * %d + i0);\n", w->item, w->item,
         w->style->lanes ? "" : "_at", stride_of(w));
    each(w, LOOP_T1, "                T1_# += a[@]*m;\n");
    each(w, LOOP_T4, "                T4_# += a[@]*m;\n");
    LINE("            }\n            for (int c = joint[j][0]; c < joint[j][1]; c++) {\n");
    LINE("                const %s *a = A + c * %d;\n                dq[c] = zero - dq[c] - (", w->E, w->l->record);
    dot(w, LOOP_PSI2, LOOP_T1, "T1");
    LINE(" + ");
    dot(w, LOOP_PSI1, LOOP_T4, "T4");
    LINE(");\n                dv[c] = zero - dv[c] - (");
    dot(w, LOOP_D, LOOP_T1, "T1");
    LINE(" + ");
    dot(w, LOOP_S, LOOP_T4, "T4");
    LINE(");\n            }\n            if (joint[j][4] == -1) continue;\n");
    print_branch_sums(w, false, count);
    each(w, LOOP_T1, "            T1_# = zero;\n");
    each(w, LOOP_T4, "            T4_# = zero;\n");
    LINE("        }\n");
}

/* Rows from i0 on, of all columns. */
static void print_rows_out(const writer *w, const char *from, const char *to)
{
    char at[64];
    int n = w->l->n;
    if (w->style->lanes) {
        entry_at(w, at, sizeof at, "i0", "c");
        LINE("        for (int c = 0; c < %d; c++) STORE(%s, %s, %s[c]);\n", n, to, at, from);
    } else if (w->style->column_major) {
        LINE("        for (int c = 0; c < %d; c++) sva_copy(count, (const %s *)(%s + c), %s + c * %d + i0);\n", n,
             w->real, from, to, n);
    } else {
        LINE("        sva_flip(%d, count, (const %s *)%s, SVA_ITEM, %s + i0 * %d, %d);\n", n, w->real, from, to, n, n);
    }
}

static void print_derivatives(const writer *w)
{
    int n = w->l->n;
    function(w, "derivatives");
    LINE("const %s *SVA_RESTRICT A, const %s *SVA_RESTRICT G", w->E, w->E);
    print_outputs(w, true);
    LINE(")\n{\n");
    print_joints(w);
    LINE("    const %s zero = {0};\n    %s dq[%d], dv[%d];\n", w->item, w->item, n, n);
    branches(w, "N_of", components(w, LOOP_S));
    branches(w, "T_of", components(w, LOOP_T1) + components(w, LOOP_T4));
    LINE("    for (int i0 = 0; i0 < %d; i0 += %s) {\n", n, step_of(w));
    if (!w->style->lanes) LINE("        const int count = %d - i0 < SVA_ITEM ? %d - i0 : SVA_ITEM;\n", n, n);
    print_above(w);
    print_below(w);
    print_rows_out(w, "dq", "dqdd_dq");
    print_rows_out(w, "dv", "dqdd_dv");
    LINE("    }\n}\n\n");
}

/* ---- the interface */

void loops_print(FILE *out, const loops *l, const print_style *style)
{
    writer x = writer_of(out, l, style), *w = &x;
    if (l->pairs) print_pairs(w);
    if (l->inverse) print_inverse(w);
    if (l->inverse && l->derivatives) print_derivatives(w);
}

void loops_print_locals(FILE *out, const loops *l, const print_style *style)
{
    writer x = writer_of(out, l, style), *w = &x;
    LINE("    %s A[%d] SVA_ALIGN64;\n", w->E, l->n * l->record);
    if (l->pairs) LINE("    %s T[%d] SVA_ALIGN64;\n", w->E, l->rows * l->n + 8);
    if (l->inverse) LINE("    %s G[%d] SVA_ALIGN64;\n", w->E, l->n * stride_of(w));
}

/* M^-1 from G: by rows or by columns is the same. */
static void print_minv(const writer *w)
{
    int n = w->l->n;
    if (w->style->lanes)
        LINE("    for (int i = 0; i < %d; i++) STORE(minv, i, G[i]);\n", n * n);
    else
        LINE("    for (int i = 0; i < %d; i++) sva_copy(%d, G + i * %d, minv + i * %d);\n", n, n, stride_of(w), n);
}

void loops_print_calls(FILE *out, const loops *l, const print_style *style)
{
    writer x = writer_of(out, l, style), *w = &x;
    const char *call = style->lanes ? "    FN(%s_%s)(A, " : "    %s_%s(A, ";
    if (l->pairs) {
        LINE(call, style->name, "pairs");
        LINE("T");
        print_outputs(w, false);
        LINE(");\n");
    }
    if (!l->inverse) return;
    LINE(call, style->name, "inverse");
    LINE("G);\n");
    if (l->derivatives) {
        LINE(call, style->name, "derivatives");
        LINE("G");
        print_outputs(w, false);
        LINE(");\n");
    }
    print_minv(w);
}
