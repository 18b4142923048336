#include "bridge.h"
#include <string.h>

#define COPY(to, from) memcpy(to, from, sizeof(from))

/* What fits of a name, without half a character of UTF-8. */
static void copy_name(char to[], size_t size, const char *name)
{
    if (!name) name = "";
    size_t n = strlen(name) < size ? strlen(name) : size - 1;
    while (name[n] && n && ((unsigned char)name[n] & 0xc0) == 0x80) n--;
    memcpy(to, name, n);
    to[n] = 0;
}

static sva_body body_from(const model_body *b)
{
    sva_body s = {.type = b->type, .parent = b->parent, .pitch = b->pitch, .mass = b->mass};
    s.dependent = b->master >= 0;
    if (s.dependent) {
        s.master = b->master;
        s.multiplier = b->multiplier;
        s.offset = b->offset;
    }
    copy_name(s.name, sizeof s.name, b->joint_name);
    COPY(s.R, b->R);
    COPY(s.p, b->p);
    COPY(s.axis, b->axis);
    COPY(s.h, b->h);
    COPY(s.I, b->I);
    COPY(s.armature, b->armature);
    COPY(s.damping, b->damping);
    COPY(s.friction, b->friction);
    return s;
}

sva_model *sva_model_from(const model *m, sva_status *status)
{
    sva_status done = SVA_OK;
    sva_model *s = sva_model_new(m->n_bodies, m->gravity);
    for (int i = 0; s && done == SVA_OK && i < m->n_bodies; i++) {
        sva_body b = body_from(&m->bodies[i]);
        done = sva_model_add_body(s, &b);
    }
    if (s && done == SVA_OK) done = sva_model_finish(s);
    if (status) *status = done;
    if (done == SVA_OK) return s;
    sva_model_free(s);
    return NULL;
}

sva_frame sva_frame_from(const model_frame *f)
{
    sva_frame s = {.body = f->body};
    COPY(s.R, f->R);
    COPY(s.p, f->p);
    return s;
}
