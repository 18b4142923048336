#include "golden.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    const char *name;
    int state, rows, cols;
    double *x;
    struct block *next;
} block;

struct golden {
    int n_joints;
    golden_joint *joints;
    block *blocks;
};

static bool read_joints(golden *g, arena *memory, FILE *in, int n)
{
    g->n_joints = n;
    g->joints = ARENA_ARRAY(memory, golden_joint, n);
    for (int i = 0; i < n; i++) {
        golden_joint *j = &g->joints[i];
        char name[128], type[128];
        if (fscanf(in, "%*d %127s %127s %d %d %d %d %d", name, type, &j->parent, &j->iq, &j->nq, &j->iv, &j->nv) != 7)
            return false;
        j->name = arena_copy(memory, name, strlen(name));
        j->type = arena_copy(memory, type, strlen(type));
        j->parent--;
    }
    return true;
}

static bool read_block(golden *g, arena *memory, FILE *in, const char *name, int rows, int cols)
{
    block *b = arena_alloc(memory, sizeof *b);
    const char *bracket = strchr(name, '[');
    b->name = arena_copy(memory, name, bracket ? (size_t)(bracket - name) : strlen(name));
    b->state = bracket ? atoi(bracket + 1) : -1;
    b->rows = rows;
    b->cols = cols;
    b->x = ARENA_ARRAY(memory, double, rows *cols);
    b->next = g->blocks;
    g->blocks = b;
    for (int i = 0; i < rows * cols; i++)
        if (fscanf(in, "%lf", &b->x[i]) != 1) return false;
    return true;
}

/* Header lines have one number (nq 7) or a word (robot ur5); blocks have two. */
static bool read_lines(golden *g, arena *memory, FILE *in)
{
    char line[1024], name[128];
    int rows, cols;
    while (fgets(line, sizeof line, in)) {
        if (line[0] == '#' || sscanf(line, "%127s %d %d", name, &rows, &cols) != 3) continue;
        if (strcmp(name, "end") == 0) return true;
        bool joints = strcmp(name, "joints") == 0;
        if (joints ? !read_joints(g, memory, in, rows) : !read_block(g, memory, in, name, rows, cols)) return false;
    }
    return false;
}

golden *golden_read(arena *memory, const char *path)
{
    FILE *in = fopen(path, "r");
    if (!in) return NULL;
    golden *g = arena_alloc(memory, sizeof *g);
    bool whole = read_lines(g, memory, in);
    fclose(in);
    return whole ? g : NULL;
}

const double *golden_block(const golden *g, const char *name, int state, int *rows, int *cols)
{
    for (const block *b = g->blocks; b; b = b->next) {
        if (b->state != state || strcmp(b->name, name) != 0) continue;
        if (rows) *rows = b->rows;
        if (cols) *cols = b->cols;
        return b->x;
    }
    return NULL;
}

int golden_states(const golden *g)
{
    int n = 0;
    while (golden_block(g, "q", n, NULL, NULL)) n++;
    return n;
}

int golden_nv(const golden *g)
{
    const golden_joint *last = &g->joints[g->n_joints - 1];
    return last->iv + last->nv;
}

int golden_joints(const golden *g, const golden_joint **joints)
{
    *joints = g->joints;
    return g->n_joints;
}

static const model_body *body_of(const model *m, const char *joint_name)
{
    for (int i = 0; i < m->n_bodies; i++)
        if (strcmp(m->bodies[i].joint_name, joint_name) == 0) return &m->bodies[i];
    return NULL;
}

bool golden_map(const golden *g, const model *m, int *slot)
{
    for (int i = 0; i < g->n_joints; i++) {
        const golden_joint *j = &g->joints[i];
        const model_body *b = body_of(m, j->name);
        if (!b || b->nv != j->nv) return false;
        for (int k = 0; k < j->nv; k++) slot[j->iv + k] = b->iv + k;
    }
    return golden_nv(g) == m->nv;
}

void golden_q(const golden *g, const model *m, int state, double *q)
{
    const double *from = golden_block(g, "q", state, NULL, NULL);
    for (int i = 0; i < g->n_joints; i++) {
        const golden_joint *j = &g->joints[i];
        const model_body *b = body_of(m, j->name);
        if (j->nq == 2 && b->nq == 1)
            q[b->iq] = atan2(from[j->iq + 1], from[j->iq]);
        else
            memcpy(&q[b->iq], &from[j->iq], sizeof *q * (size_t)j->nq);
    }
}

void golden_permute(const int *slot, int nv, int order, const double *x, double *y)
{
    if (order == 0) {
        *y = *x;
        return;
    }
    int stride = 1;
    for (int k = 1; k < order; k++) stride *= nv;
    for (int i = 0; i < nv; i++) golden_permute(slot, nv, order - 1, &x[i * stride], &y[slot[i] * stride]);
}
