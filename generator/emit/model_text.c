#include "model_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/number.h"
#include "emit.h"
#include "model/bridge.h"
#include "template/render.h"

/* A constant of type double to the bit: -0 would be an int without a sign. */
static void put_number(FILE *out, double x)
{
    char text[NUMBER_SIZE];
    number_print(text, x);
    fprintf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void put_numbers(FILE *out, const double *x, int n)
{
    fputc('{', out);
    for (int i = 0; i < n; i++) {
        if (i) fputs(", ", out);
        put_number(out, x[i]);
    }
    fputs("}, ", out);
}

static void put_ints(FILE *out, const int *x, int n)
{
    for (int i = 0; i < n; i++) fprintf(out, "%s%d", i ? ", " : "", x[i]);
}

/* The fields of sva_body in their order. */
static void put_body(FILE *out, arena *memory, const sva_body *b)
{
    const int numbering[] = {b->iq, b->nq, b->iv,    b->nv,      b->jq,       b->mq,
                             b->jv, b->mv, b->depth, b->subtree, b->subtree_v};
    fprintf(out, "(sva_joint_type)%d, %d, ", (int)b->type, b->parent);
    put_numbers(out, b->R, 9);
    put_numbers(out, b->p, 3);
    put_numbers(out, b->axis, 3);
    put_number(out, b->pitch);
    fputs(", ", out);
    put_number(out, b->mass);
    fputs(", ", out);
    put_numbers(out, b->h, 3);
    put_numbers(out, b->I, 6);
    put_numbers(out, b->armature, 6);
    put_numbers(out, b->damping, 6);
    put_numbers(out, b->friction, 6);
    fprintf(out, "%d, %d, ", b->dependent, b->master);
    put_number(out, b->multiplier);
    fputs(", ", out);
    put_number(out, b->offset);
    fprintf(out, ", %s, ", emit_literal(memory, b->name));
    put_ints(out, numbering, sizeof numbering / sizeof *numbering);
    fputs(", {", out);
    for (int k = 0; k < 6; k++) put_numbers(out, b->S[k], 6);
    fputc('}', out);
}

/* Whatever `print` writes, as a text of the arena's. */
typedef struct printing {
    FILE *out;
    char *text;
    size_t length;
} printing;

static FILE *print_start(printing *p)
{
    p->out = open_memstream(&p->text, &p->length);
    if (!p->out) abort();
    return p->out;
}

static const char *print_end(printing *p, arena *memory)
{
    fclose(p->out);
    const char *copy = arena_copy(memory, p->text, p->length);
    free(p->text);
    return copy;
}

static void set_ints(arena *memory, value *v, const char *key, const int *x, int n)
{
    printing p;
    put_ints(print_start(&p), x, n);
    value_set(v, key, print_end(&p, memory));
}

static value *values_of(arena *memory, const model *m, const sva_model *s, const char *id)
{
    const int sizes[] = {s->n_bodies, s->nq, s->nv, s->nq_tree, s->nv_tree, s->depth, s->n_dependent, s->capacity};
    value *v = value_object(memory);
    printing p;
    print_comment_text(print_start(&p), m->name);
    value_set(v, "robot_comment", print_end(&p, memory));
    char *upper = arena_printf(memory, "%s", id);
    for (char *c = upper; *c; c++) *c = (char)toupper((unsigned char)*c);
    value_set(v, "version", SVAGEN_VERSION);
    value_set(v, "robot", id);
    value_set(v, "upper", upper);
    value_set(v, "layout", arena_printf(memory, "%d", SVA_MODEL_LAYOUT));
    set_ints(memory, v, "sizes", sizes, sizeof sizes / sizeof *sizes);
    set_ints(memory, v, "tree_parent", s->tree_parent, s->nv_tree);
    set_ints(memory, v, "v_parent", s->v_parent, s->nv);
    put_numbers(print_start(&p), s->gravity, 3);
    value_set(v, "gravity", print_end(&p, memory));
    for (int i = 0; i < s->n_bodies; i++) {
        put_body(print_start(&p), memory, s->bodies + i);
        value_set(value_append(v, "bodies"), "fields", print_end(&p, memory));
    }
    return v;
}

static void put_text(FILE *out, const sva_model *s)
{
    size_t length = sva_model_print(s, NULL, 0);
    char *text = malloc(length + 1);
    if (!text) abort();
    sva_model_print(s, text, length + 1);
    fwrite(text, 1, length, out);
    free(text);
}

bool emit_model(folder *f, const model *m, const char *id, diag *d)
{
    sva_status status;
    sva_model *s = sva_model_from(m, &status);
    if (!s)
        return diag_error(d, (place){0}, "the generic library refuses this robot: %s",
                          sva_message(status == SVA_OK ? SVA_NO_MEMORY : status));
    arena *memory = arena_new();
    value *v = values_of(memory, m, s, id);
    put_text(folder_file(f, arena_printf(memory, "%s.sva", id)), s);
    bool ok = render("model_header", v, folder_file(f, arena_printf(memory, "%s_model.h", id)), d) &&
              render("model", v, folder_file(f, arena_printf(memory, "%s_model.c", id)), d);
    sva_model_free(s);
    arena_free(memory);
    return ok;
}
