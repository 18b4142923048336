#include "loop_writer.h"

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

static int components(const loop_writer *w, loop_part part) { return loops_common(w->l, part, part); }

/* ---- tables */

/* For each joint: its first column, the next joint's, the end of its subtree, its branch, the branch of its parent.
   Branches: -1: none; of a parent: -1: the joint before, -2: the ground. */
static void print_joints(const loop_writer *w)
{
    const loops *l = w->l;
    arena *memory = arena_new();
    int *x = ARENA_ARRAY(memory, int, 5 * l->n_joints), n = 0;
    for (int i = 0; i < l->n_joints; i++) {
        const loop_joint *j = &l->joint[i];
        x[n++] = j->first, x[n++] = j->next, x[n++] = j->end, x[n++] = j->branch;
        x[n++] = j->parent < 0 ? -2 : j->parent == i - 1 ? -1 : l->joint[j->parent].branch;
    }
    loop_table(w, "joint", 5, l->n_joints, x);
    arena_free(memory);
}

/* ---- M^-1: SIDE items of columns at a time */

static int width_of(const loop_writer *w) { return w->style->lanes ? 1 : 8; }
static const char *numbers(const loop_writer *w) { return w->style->lanes ? "1" : "SVA_ITEM"; } /* of an item */

/* Rows of G have room for whole items. */
static int stride_of(const loop_writer *w)
{
    int most = SIDE * width_of(w);
    return (w->l->n + most - 1) / most * most;
}

/* One array of items for each branch, into which those that are not the next joint add, or from which they read. */
static void branches(const loop_writer *w, const char *name, int count)
{
    if (w->l->n_branches) LINE("    %s %s[%d];\n", w->item, name, SIDE * w->l->n_branches * count);
}

static void clear_branches(const loop_writer *w, const char *name, int count)
{
    int n = SIDE * w->l->n_branches * count;
    if (n) LINE("        for (int b = 0; b < %d; b++) %s[b] = zero;\n", n, name);
}

/* With the items of a branch, of the joint or of its parent (column 3 or 4 of its table), where it has one. */
static void begin_branch(const loop_writer *w, const char *stack, int count, int column)
{
    LINE("            if (joint[j][%d] >= 0) {\n                %s *b = %s + %d * joint[j][%d];\n", column, w->item,
         stack, SIDE * count, column);
}

static void print_branch(const loop_writer *w, loop_part part, const char *stack, int column, const char *text)
{
    if (!w->l->n_branches) return;
    begin_branch(w, stack, components(w, part), column);
    loop_each(w, part, text);
    LINE("            }\n");
}

static void begin_columns(const loop_writer *w, bool up)
{
    LINE(up ? "            for (int c = joint[j][1] - 1; c >= joint[j][0]; c--) {\n"
            : "            for (int c = joint[j][0]; c < joint[j][1]; c++) {\n");
    LINE("                const %s *a = A + c * %d;\n", w->E, w->l->record);
}

/* "const V x0 = ", a product for each item, and what follows */
static void products(const loop_writer *w, const char *before, loop_part part, loop_part other, const char *name,
                     const char *after)
{
    for (int s = 0; s < SIDE; s++) {
        char item[16];
        snprintf(item, sizeof item, "%s%d", name, s);
        loop_put(w, before, s, 0, 0, 0);
        loop_dot(w, part, other, item);
        loop_put(w, after, s, 0, 0, 0);
    }
}

/* Forces from the leaves to the root: u = e - S.p, p += K u. A joint with none of the columns below it has none. */
static void print_inverse_up(const loop_writer *w)
{
    int K = components(w, LOOP_K);
    clear_branches(w, "p_of", K);
    loop_each(w, LOOP_K, "        & p%_# = zero;\n");
    LINE("        for (int j = joint_of[top - 1]; j >= 0; j--) {\n");
    LINE("            if (joint[j][2] <= c0) continue;\n");
    print_branch(w, LOOP_K, "p_of", 3, "                p%_# += b[$];\n");
    begin_columns(w, true);
    products(w, "                & x% = zero - ", LOOP_S, LOOP_K, "p", ";\n");
    LINE("                if (c >= c0 && c < top) {\n                    const int e = %d * %s - 1 - (c - c0);\n", SIDE,
         numbers(w));
    for (int s = 0; s < SIDE; s++)
        LINE("                    x%d += *(const %s *)(unit + e + %d * %s);\n", s, w->at, s, numbers(w));
    LINE("                }\n");
    for (int s = 0; s < SIDE; s++) LINE("                u[%d * c + %d] = x%d;\n", SIDE, s, s);
    loop_each(w, LOOP_K, "                p%_# += a[@]*x%;\n");
    LINE("            }\n            if (joint[j][4] == -1) continue;\n");
    print_branch(w, LOOP_K, "p_of", 4, "                b[$] += p%_#;\n");
    loop_each(w, LOOP_K, "            p%_# = zero;\n");
    LINE("        }\n");
}

/* Where a joint does not follow the one before it, what it starts from: its parent's, or nothing on the ground. */
static void print_start(const loop_writer *w, loop_part part, const char *none, const char *stack, const char *some)
{
    LINE("            if (joint[j][4] == -2) {\n");
    loop_each(w, part, none);
    LINE("            }\n");
    print_branch(w, part, stack, 4, some);
}

/* Accelerations from the root to the leaves: x = u / D - K.a, a += S x. */
static void print_inverse_down(const loop_writer *w)
{
    loop_each(w, LOOP_S, "        & a%_# = zero;\n");
    LINE("        for (int j = 0; j < %d; j++) {\n", w->l->n_joints);
    print_start(w, LOOP_S, "                a%_# = zero;\n", "a_of", "                a%_# = b[$];\n");
    begin_columns(w, false);
    products(w, "                & x% = zero - ", LOOP_K, LOOP_S, "a", ";\n");
    LINE("                if (c < top && joint[j][2] > c0) {\n");
    for (int s = 0; s < SIDE; s++)
        LINE("                    x%d += a[%d]*u[%d * c + %d];\n", s, w->l->at[LOOP_DINV][0], SIDE, s);
    LINE("                }\n");
    for (int s = 0; s < SIDE; s++)
        LINE("                *(%s *)(G + c * %d + c0 + %d * %s) = x%d;\n", w->at, stride_of(w), s, numbers(w), s);
    loop_each(w, LOOP_S, "                a%_# += a[@]*x%;\n");
    LINE("            }\n");
    print_branch(w, LOOP_S, "a_of", 3, "                b[$] = a%_#;\n");
    LINE("        }\n");
}

static void print_joint_of(const loop_writer *w)
{
    LINE("    static const short joint_of[] = {");
    for (int j = 0, n = 0; j < w->l->n_joints; j++)
        for (int c = w->l->joint[j].first; c < w->l->joint[j].next; c++, n++)
            LINE("%s%d", !n ? "" : n % 24 ? ", " : ",\n        ", j);
    LINE("};\n");
}

/* Columns of the identity are windows of one that is twice as long. */
static void print_unit(const loop_writer *w)
{
    LINE("    %s unit[2 * %d * %s];\n", w->E, SIDE, numbers(w));
    LINE("    for (int i = 0; i < 2 * %d * %s; i++) unit[i] = %s;\n", SIDE, numbers(w), w->style->lanes ? "zero" : "0");
    LINE("    unit[%d * %s - 1] += 1;\n", SIDE, numbers(w));
}

/* G = M^-1 */
static void print_inverse(const loop_writer *w)
{
    int n = w->l->n;
    loop_function(w, "inverse");
    LINE("const %s *SVA_RESTRICT A, %s *SVA_RESTRICT G)\n{\n", w->E, w->E);
    print_joints(w);
    print_joint_of(w);
    LINE("    const %s zero = {0};\n    %s u[%d];\n", w->item, w->item, SIDE * n);
    branches(w, "p_of", components(w, LOOP_K));
    branches(w, "a_of", components(w, LOOP_S));
    print_unit(w);
    LINE("    for (int c0 = 0; c0 < %d; c0 += %d * %s) {\n", n, SIDE, numbers(w));
    LINE("        const int top = c0 + %d * %s < %d ? c0 + %d * %s : %d;\n", SIDE, numbers(w), n, SIDE, numbers(w), n);
    print_inverse_up(w);
    print_inverse_down(w);
    LINE("    }\n}\n\n");
}

/* ---- derivatives of qdd: SIDE items of rows at a time */

static void load_inverse(const loop_writer *w)
{
    for (int s = 0; s < SIDE; s++)
        LINE("                const %s m%d = *(const %s *)(G + c * %d + i0 + %d * %s);\n", w->item, s, w->at,
             stride_of(w), s, numbers(w));
}

/* N from the root to the leaves, and what it gives. */
static void print_above(const loop_writer *w)
{
    loop_each(w, LOOP_S, "        & N%_# = zero;\n");
    LINE("        for (int j = 0; j < %d; j++) {\n", w->l->n_joints);
    print_start(w, LOOP_S, "                N%_# = zero;\n", "N_of", "                N%_# = b[$];\n");
    begin_columns(w, false);
    products(w, "                dq%[c] = ", LOOP_T3, LOOP_S, "N", ";\n");
    products(w, "                dv%[c] = ", LOOP_T2, LOOP_S, "N", ";\n");
    LINE("            }\n");
    begin_columns(w, false);
    load_inverse(w);
    loop_each(w, LOOP_S, "                N%_# += a[@]*m%;\n");
    LINE("            }\n");
    print_branch(w, LOOP_S, "N_of", 3, "                b[$] = N%_#;\n");
    LINE("        }\n");
}

static void print_branch_sums(const loop_writer *w, bool from)
{
    int T1 = components(w, LOOP_T1), T4 = components(w, LOOP_T4);
    if (!w->l->n_branches) return;
    begin_branch(w, "T_of", T1 + T4, from ? 3 : 4);
    loop_each(w, LOOP_T1, from ? "                T1%_# += b[$];\n" : "                b[$] += T1%_#;\n");
    LINE("                b += %d;\n", SIDE * T1);
    loop_each(w, LOOP_T4, from ? "                T4%_# += b[$];\n" : "                b[$] += T4%_#;\n");
    LINE("            }\n");
}

/* T from the leaves to the root, and the sum of both. */
static void print_below(const loop_writer *w)
{
    int count = components(w, LOOP_T1) + components(w, LOOP_T4);
    clear_branches(w, "T_of", count);
    loop_each(w, LOOP_T1, "        & T1%_# = zero;\n");
    loop_each(w, LOOP_T4, "        & T4%_# = zero;\n");
    LINE("        for (int j = %d; j >= 0; j--) {\n", w->l->n_joints - 1);
    print_branch_sums(w, true);
    begin_columns(w, false);
    load_inverse(w);
    loop_each(w, LOOP_T1, "                T1%_# += a[@]*m%;\n");
    loop_each(w, LOOP_T4, "                T4%_# += a[@]*m%;\n");
    LINE("            }\n");
    begin_columns(w, false);
    products(w, "                dq%[c] = zero - dq%[c] - ", LOOP_PSI2, LOOP_T1, "T1", ";\n");
    products(w, "                dq%[c] -= ", LOOP_PSI1, LOOP_T4, "T4", ";\n");
    products(w, "                dv%[c] = zero - dv%[c] - ", LOOP_D, LOOP_T1, "T1", ";\n");
    products(w, "                dv%[c] -= ", LOOP_S, LOOP_T4, "T4", ";\n");
    LINE("            }\n            if (joint[j][4] == -1) continue;\n");
    print_branch_sums(w, false);
    loop_each(w, LOOP_T1, "            T1%_# = zero;\n");
    loop_each(w, LOOP_T4, "            T4%_# = zero;\n");
    LINE("        }\n");
}

/* The rows of an item are rows of the output; the last item may have less of them. */
static void print_turned_rows(const loop_writer *w, const char *from, int side, const char *to)
{
    int n = w->l->n;
    LINE("            if (count == SVA_ITEM)\n");
    LINE("                sva_from_items(%d, (const %s *)%s%d, %s + i * %d);\n", n, w->real, from, side, to, n);
    LINE("            else\n                for (int l = 0; l < count; l++)\n");
    LINE("                    for (int c = 0; c < %d; c++) %s[(i + l) * %d + c] = ((const %s *)(%s%d + c))[l];\n", n,
         to, n, w->real, from, side);
}

/* Rows from i0 on, of all columns. */
static void print_rows_out(const loop_writer *w, const char *from, const char *to)
{
    char at[64];
    int n = w->l->n;
    for (int s = 0; s < SIDE; s++) {
        LINE("        if (i0 + %d * %s < %d) {\n            const int i = i0 + %d * %s;\n", s, numbers(w), n, s,
             numbers(w));
        if (!w->style->lanes) LINE("            const int count = %d - i < SVA_ITEM ? %d - i : SVA_ITEM;\n", n, n);
        loop_entry(w, at, sizeof at, "i", "c");
        if (w->style->lanes)
            LINE("            for (int c = 0; c < %d; c++) STORE(%s, %s, %s%d[c]);\n", n, to, at, from, s);
        else if (w->style->column_major)
            LINE("            for (int c = 0; c < %d; c++) sva_copy(count, (const %s *)(%s%d + c), %s + c * %d + i);\n",
                 n, w->real, from, s, to, n);
        else
            print_turned_rows(w, from, s, to);
        LINE("        }\n");
    }
}

static void print_derivatives(const loop_writer *w)
{
    int n = w->l->n;
    loop_function(w, "derivatives");
    LINE("const %s *SVA_RESTRICT A, const %s *SVA_RESTRICT G", w->E, w->E);
    loop_outputs(w, true);
    LINE(")\n{\n");
    print_joints(w);
    LINE("    const %s zero = {0};\n", w->item);
    for (int s = 0; s < SIDE; s++) LINE("    %s dq%d[%d], dv%d[%d];\n", w->item, s, n, s, n);
    branches(w, "N_of", components(w, LOOP_S));
    branches(w, "T_of", components(w, LOOP_T1) + components(w, LOOP_T4));
    LINE("    for (int i0 = 0; i0 < %d; i0 += %d * %s) {\n", n, SIDE, numbers(w));
    print_above(w);
    print_below(w);
    print_rows_out(w, "dq", "dqdd_dq");
    print_rows_out(w, "dv", "dqdd_dv");
    LINE("    }\n}\n\n");
}

/* ---- the interface */

void loops_print(FILE *out, const loops *l, const print_style *style)
{
    loop_writer x = loop_writer_of(out, l, style), *w = &x;
    if (l->pairs) loop_pairs(w);
    if (l->inverse) print_inverse(w);
    if (l->inverse && l->derivatives) print_derivatives(w);
}

void loops_print_locals(FILE *out, const loops *l, const print_style *style)
{
    loop_writer x = loop_writer_of(out, l, style), *w = &x;
    LINE("    %s A[%d] SVA_ALIGN64;\n", w->E, l->n * l->record);
    if (l->pairs) LINE("    %s T[%d] SVA_ALIGN64;\n", w->E, l->rows * l->n + 8);
    if (l->inverse) LINE("    %s G[%d] SVA_ALIGN64;\n", w->E, l->n * stride_of(w));
}

/* M^-1 from G: by rows or by columns is the same. */
static void print_minv(const loop_writer *w)
{
    int n = w->l->n, stride = stride_of(w);
    LINE("    for (int i = 0; i < %d; i++) ", n);
    if (w->style->lanes)
        LINE("for (int c = 0; c < %d; c++) STORE(minv, i * %d + c, G[i * %d + c]);\n", n, n, stride);
    else
        LINE("sva_copy(%d, G + i * %d, minv + i * %d);\n", n, stride, n);
}

void loops_print_calls(FILE *out, const loops *l, const print_style *style)
{
    loop_writer x = loop_writer_of(out, l, style), *w = &x;
    const char *call = style->lanes ? "    FN(%s_%s)(A, " : "    %s_%s(A, ";
    if (l->pairs) {
        LINE(call, style->name, "pairs");
        LINE("T");
        loop_outputs(w, false);
        LINE(");\n");
    }
    if (!l->inverse) return;
    LINE(call, style->name, "inverse");
    LINE("G);\n");
    if (l->derivatives) {
        LINE(call, style->name, "derivatives");
        LINE("G");
        loop_outputs(w, false);
        LINE(");\n");
    }
    print_minv(w);
}
