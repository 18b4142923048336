#include "opponent.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

/* ---- loading */

static const rival_library *entry_of(void *library)
{
    const rival_library *(*entry)(void);
    void *symbol = dlsym(library, "svagen_rival");
    if (!symbol) return NULL;
    memcpy(&entry, &symbol, sizeof entry); /* as POSIX has it: ISO C does not turn one into the other */
    return entry();
}

static bool check_entry(const rival_library *r, place at, diag *d)
{
    if (!r) return diag_error(d, at, "has no function svagen_rival: bench/rival.h says what a rival must have");
    return r->version == RIVAL_VERSION ||
           diag_error(d, at, "version %d of bench/rival.h found, %d expected: compile it again", r->version,
                      RIVAL_VERSION);
}

bool opponent_load(opponent *o, const char *path, diag *d)
{
    place at = {.file = path};
    char here[4096]; /* a name without a slash would be looked for among the system's libraries */
    snprintf(here, sizeof here, "%s%s", strchr(path, '/') ? "" : "./", path);
    *o = (opponent){.library = dlopen(here, RTLD_NOW | RTLD_LOCAL)};
    if (!o->library) return diag_error(d, at, "cannot load the rival: %s", dlerror());
    o->rival = entry_of(o->library);
    if (check_entry(o->rival, at, d)) return true;
    opponent_unload(o);
    return false;
}

void opponent_unload(opponent *o)
{
    if (o->library) dlclose(o->library);
    *o = (opponent){0};
}

/* ---- the robot */

#define COPY(to, from) memcpy(to, from, sizeof(from))

static rival_body body_from(const model_body *b)
{
    rival_body r = {.name = b->name, .joint_name = b->joint_name, .type = sva_joint_table[b->type].name};
    r.parent = b->parent, r.pitch = b->pitch, r.mass = b->mass;
    r.iq = b->iq, r.nq = b->nq, r.iv = b->iv, r.nv = b->nv;
    r.master = b->master, r.multiplier = b->multiplier, r.offset = b->offset;
    COPY(r.R, b->R);
    COPY(r.p, b->p);
    COPY(r.axis, b->axis);
    COPY(r.h, b->h);
    COPY(r.I, b->I);
    COPY(r.armature, b->armature);
    return r;
}

void opponent_open(opponent *o, const model *m, const emit_options *options)
{
    const trace_options *t = &options->trace;
    if (!o->rival || options->single || t->friction != FRICTION_NONE || t->gravity_input) return;
    arena *memory = arena_new();
    rival_body *bodies = ARENA_ARRAY(memory, rival_body, m->n_bodies + 1);
    for (int i = 0; i < m->n_bodies; i++) bodies[i] = body_from(&m->bodies[i]);
    rival_model r = {.name = m->name, .nq = m->nq, .nv = m->nv, .n_bodies = m->n_bodies, .bodies = bodies};
    COPY(r.gravity, m->gravity);
    o->robot = o->rival->open(&r);
    arena_free(memory);
}

void opponent_close(opponent *o)
{
    if (o->robot) o->rival->close(o->robot);
    o->robot = NULL;
}

/* ---- a kernel */

typedef struct seat {
    const rival_kernel *kernel;
    void *robot;
    const double *in[TRIAL_ARGS];
} seat;

static void run(void *subject)
{
    const seat *s = subject;
    s->kernel->run(s->robot, s->in);
}

static seat *seat_new(const opponent *o, const rival_kernel *k, const trial *t)
{
    seat *s = ARENA_ARRAY(t->memory, seat, 1);
    *s = (seat){.kernel = k, .robot = o->robot};
    for (int i = 0; i < t->n_in; i++) {
        double *x = ARENA_ARRAY(t->memory, double, t->in[i].size + 1);
        trial_pack(t, &t->in[i], 1, x);
        s->in[i] = x;
    }
    return s;
}

/* |x - y| over the largest |y|; infinite if an entry is no number. */
static double difference(int n, const double x[], const double y[])
{
    double error = 0, size = 0;
    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i])) return INFINITY;
        error = fmax(error, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    return size > 0 ? error / size : error;
}

/* Of the worst output. */
static double error_of(seat *s, const trial *t)
{
    double *out[TRIAL_ARGS], worst = 0;
    void *expected[TRIAL_ARGS];
    for (int i = 0; i < t->n_out; i++) {
        out[i] = ARENA_ARRAY(t->memory, double, t->out[i].size + 1);
        expected[i] = ARENA_ARRAY(t->memory, double, t->out[i].size + 1);
    }
    trial_generic(t, 0, expected);
    run(s);
    s->kernel->results(s->robot, out);
    for (int i = 0; i < t->n_out; i++) worst = fmax(worst, difference(t->out[i].size, out[i], expected[i]));
    return worst;
}

static const rival_kernel *find_kernel(const opponent *o, const char *name)
{
    if (!o->robot) return NULL;
    for (const rival_kernel *k = o->rival->kernels; k->name; k++)
        if (!strcmp(k->name, name)) return k;
    return NULL;
}

contestant opponent_contestant(const opponent *o, const trial *t, diag *d)
{
    enum { ALLOWED = 1000000 }; /* one part in so many: other conventions, not roundings */
    const rival_kernel *k = find_kernel(o, t->kernel->name);
    if (!k) return (contestant){0};
    seat *s = seat_new(o, k, t);
    double error = error_of(s, t);
    if (error * ALLOWED <= 1) return (contestant){.run = run, .subject = s, .states = 1};
    diag_warning(d, (place){0}, "robot '%s', kernel %s: %s differs by %.1e of the largest entry, so it is not measured",
                 t->c->model->name, k->name, o->rival->name, error);
    return (contestant){0};
}
