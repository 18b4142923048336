#include "inspect.h"
#include "json.h"

#include <math.h>

static const char *const obstacles[OBSTACLES] = {NULL, "mass", "axis", "redundant"};

static void write_body(json *j, const model_body *b)
{
    const sva_joint_info *type = &sva_joint_table[b->type];
    json_open(j, NULL, '{');
    json_text(j, "link", b->name);
    json_text(j, "joint", b->joint_name);
    json_text(j, "type", type->name);
    json_int(j, "parent", b->parent);
    if (type->has_axis)
        json_reals(j, "axis", b->axis, 3);
    else
        json_null(j, "axis");
    json_real(j, "pitch", b->pitch);
    json_reals(j, "position", b->p, 3);
    json_reals(j, "rotation", b->R, 9);
    json_int(j, "iq", b->iq);
    json_int(j, "nq", b->nq);
    json_int(j, "iv", b->iv);
    json_int(j, "nv", b->nv);
    if (b->master < 0) {
        json_null(j, "mimic");
    } else {
        json_open(j, "mimic", '{');
        json_int(j, "body", b->master);
        json_real(j, "multiplier", b->multiplier);
        json_real(j, "offset", b->offset);
        json_close(j, '}');
    }
    json_reals(j, "armature", b->armature, type->nv);
    json_reals(j, "damping", b->damping, type->nv);
    json_reals(j, "friction", b->friction, type->nv);
    json_real(j, "mass", b->mass);
    json_reals(j, "first_moment", b->h, 3);
    json_reals(j, "inertia", b->I, 6);
    json_bool(j, "weightless", b->weightless);
    json_text(j, "obstacle", obstacles[b->obstacle]);
    json_close(j, '}');
}

static void write_frames(json *j, const model *m)
{
    json_open(j, "frames", '[');
    for (int i = 0; i < m->n_frames; i++) {
        const model_frame *f = &m->frames[i];
        json_open(j, NULL, '{');
        json_text(j, "name", f->name);
        json_int(j, "body", f->body);
        json_reals(j, "position", f->p, 3);
        json_reals(j, "rotation", f->R, 9);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void write_rows(json *j, const sparsity *s)
{
    char row[1001];
    if (s->nv >= (int)sizeof row) {
        json_null(j, "rows");
        return;
    }
    json_open(j, "rows", '[');
    for (int i = 0; i < s->nv; i++) {
        for (int k = 0; k < s->nv; k++) row[k] = sparsity_at(s, i, k) ? 'x' : '.';
        row[s->nv] = 0;
        json_text(j, NULL, row);
    }
    json_close(j, ']');
}

/* null: not known, or beyond every number */
static void write_condition(json *j, const model_inverse *inverse)
{
    bool known = inverse->n_obstacles == 0 && inverse->condition > 0 && inverse->condition < INFINITY;
    if (known)
        json_real(j, "condition", inverse->condition);
    else
        json_null(j, "condition");
}

static void write_mass_matrix(json *j, const sparsity *s, const model_inverse *inverse)
{
    if (!s) {
        json_null(j, "mass_matrix");
        return;
    }
    json_open(j, "mass_matrix", '{');
    json_int(j, "nonzeros", s->nonzeros);
    write_rows(j, s);
    write_condition(j, inverse);
    json_close(j, '}');
}

static void write_limbs(json *j, const limbs *l)
{
    json_open(j, "limbs", '[');
    for (int i = 0; i < l->n_groups; i++) {
        json_open(j, NULL, '{');
        json_int(j, "n_limbs", l->groups[i].n_limbs);
        json_int(j, "n_bodies", l->groups[i].n_bodies);
        json_int(j, "outer", l->groups[i].outer);
        json_ints(j, "roots", l->groups[i].roots, l->groups[i].n_limbs);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void write_messages(json *j, const diag *d)
{
    static const char *const levels[] = {"note", "warning", "error"};
    json_open(j, "messages", '[');
    for (const diag_item *i = d->first; i; i = i->next) {
        json_open(j, NULL, '{');
        json_text(j, "level", levels[i->level]);
        json_text(j, "file", i->at.file);
        json_int(j, "line", i->at.line);
        json_int(j, "column", i->at.column);
        json_int(j, "count", i->count);
        json_text(j, "text", i->text);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void write_summary(json *j, const inspection *in)
{
    const model *m = in->model;
    json_int(j, "inspect", 1);
    json_text(j, "file", in->robot->file);
    json_text(j, "name", m->name);
    json_text(j, "base", m->floating ? "floating" : "fixed");
    if (in->gravity_at_runtime)
        json_text(j, "gravity", "runtime");
    else
        json_reals(j, "gravity", m->gravity, 3);
    json_int(j, "nq", m->nq);
    json_int(j, "nv", m->nv);
    json_int(j, "depth", in->depth);
    json_int(j, "branches", in->branches);
    json_real(j, "mass", in->mass);
    json_real(j, "moving_mass", in->moving_mass);
}

void inspect_json(const inspection *in, FILE *out)
{
    json writer = json_new(out, 2), *j = &writer;
    json_open(j, NULL, '{');
    write_summary(j, in);
    json_open(j, "bodies", '[');
    for (int i = 0; i < in->model->n_bodies; i++) write_body(j, &in->model->bodies[i]);
    json_close(j, ']');
    write_frames(j, in->model);
    write_mass_matrix(j, in->mass_matrix, &in->model->inverse);
    write_limbs(j, &in->limbs);
    write_messages(j, in->diag);
    json_close(j, '}');
}
