/* The description against what was drawn. */
#include <string.h>
#include "sweep.h"

static void expect(pair *p, bool right, const char *what)
{
    if (!right) pair_failed(p, "description: %s", what);
}

/* The moving joint that carries the link, or the next one below it; -1: the base. */
static int joint_at(const witness *y, int link, const int number[])
{
    for (; link >= 0; link = y->r->links[link].parent)
        if (moves(y->r, y->floating, link)) return number[link];
    return -1;
}

static void check_joint(pair *p, int link, int n, const int number[])
{
    const witness *y = p->y;
    const drawn_link *l = &y->r->links[link];
    const sva_joint *j = &p->m->robot->joints[n];
    const sva_body *b = &y->m->bodies[y->body[link]];
    sva_joint_type type = link ? l->type : SVA_FLOATING;
    expect(p, !strcmp(j->name, link ? l->joint : "root_joint"), "name of a joint");
    expect(p, !strcmp(j->type, sva_joint_table[type].name), "type of a joint");
    expect(p, j->parent == (link ? joint_at(y, l->parent, number) : -1), "parent of a joint");
    bool dependent = l->mimics >= 0 && !p->o->independent;
    expect(p, j->nq == (dependent ? 0 : sva_joint_table[type].nq), "nq of a joint");
    expect(p, j->nv == (dependent ? 0 : sva_joint_table[type].nv), "nv of a joint");
    expect(p, j->iq == b->iq && j->iv == b->iv, "place of a joint in q and v");
}

static void check_joints(pair *p)
{
    const witness *y = p->y;
    int n = 0, number[MOST_LINKS];
    expect(p, p->m->robot->n_joints == y->n_joints, "number of joints");
    if (p->failures) return;
    for (int i = 0; i < y->r->n; i++) {
        if (!moves(y->r, y->floating, i)) continue;
        check_joint(p, i, n, number);
        number[i] = n++;
    }
}

/* Every link is a frame. */
static void check_frames(pair *p)
{
    const sva_robot *robot = p->m->robot;
    expect(p, robot->n_frames == p->y->r->n, "number of frames");
    for (int i = 0; i < p->y->r->n && !p->failures; i++) {
        int found = 0;
        for (int f = 0; f < robot->n_frames; f++) found += !strcmp(robot->frames[f], p->y->r->links[i].name);
        expect(p, found == 1, "name of a frame");
    }
    if (!p->failures) p->y->frames = robot->frames;
}

static void check_args(pair *p, const kernel_row *row, const sva_kernel *k)
{
    const witness *y = p->y;
    int rows, cols, with_gravity = row->pulled && p->o->gravity == GRAVITY_RUNTIME;
    expect(p, k->n_in == row->n_in + with_gravity && k->n_out == row->n_out, "number of arguments");
    for (int i = 0; i < k->n_in && !p->failures; i++) {
        input a = i < row->n_in ? row->in[i] : IN_GRAVITY;
        expect(p, !strcmp(k->in[i].name, input_names[a]), "name of an input");
        expect(p, k->in[i].rows == input_size(y, a) && k->in[i].cols == 1, "size of an input");
    }
    for (int i = 0; i < k->n_out && !p->failures; i++) {
        output_size(y, row->out[i], &rows, &cols);
        expect(p, !strcmp(k->out[i].name, output_names[row->out[i]]), "name of an output");
        expect(p, k->out[i].rows == rows && k->out[i].cols == cols, "size of an output");
    }
}

static const sva_kernel *find(const pair *p, const char *name, int lanes)
{
    char full[64];
    snprintf(full, sizeof full, lanes > 1 ? "%s_x%d" : "%s", name, lanes);
    for (int i = 0; i < p->m->robot->n_kernels; i++) {
        const sva_kernel *k = &p->m->robot->kernels[i];
        if (!strcmp(k->name, full) && k->lanes == lanes) return k;
    }
    return NULL;
}

void check_description(pair *p)
{
    const sva_robot *robot = p->m->robot;
    bool runtime = p->o->gravity == GRAVITY_RUNTIME;
    expect(p, !strcmp(robot->name, p->o->name ? p->o->name : p->y->r->name), "name of the robot");
    expect(p, robot->nq == p->y->nq && robot->nv == p->y->nv, "nq, nv");
    expect(p, robot->column_major == p->o->columns, "layout");
    expect(p, robot->real_size == (p->o->single ? 4 : 8), "size of a number");
    for (int i = 0; i < 3; i++) expect(p, robot->gravity[i] == (runtime ? 0 : p->y->m->gravity[i]), "gravity");
    check_joints(p);
    check_frames(p);
    expect(p, robot->n_kernels == p->o->n_kernels * (1 + p->o->n_lanes), "number of kernels");
    for (int i = 0; i < p->o->n_kernels && !p->failures; i++)
        for (int w = -1; w < p->o->n_lanes && !p->failures; w++) {
            const kernel_row *row = &kernel_rows[p->o->order[i]];
            const sva_kernel *k = find(p, row->name, w < 0 ? 1 : p->o->lanes[w]);
            expect(p, k, "a kernel is missing");
            if (k) check_args(p, row, k);
        }
}
