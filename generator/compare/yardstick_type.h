/* The yardsticks in one number type: REAL, with the library's functions G(x). Included by yardstick.c once per type. */

typedef struct N(call) {
    const yardstick *y;
    const sva_model *s;
    G(workspace) * w;
    const REAL *q, *v, *u; /* u: a, or tau */
    const G(forces) * f;
    REAL *const *out, *scratch;
} N(call);

/* Calls for every degree of freedom k of every body b, dependent ones too: x is its speed, scale what it counts for at
   the user's degree of freedom i. */
#define EACH_DOF(m, v, i, x, scale)                                                                                    \
    for (const model_body *b = (m)->bodies; b < (m)->bodies + (m)->n_bodies; b++)                                      \
        for (int k = 0, i = b->iv; k < sva_joint_table[b->type].nv; k++, i++)                                          \
            for (REAL scale = b->master < 0 ? 1 : (REAL)b->multiplier, x = scale * (v)[i], *once = &x; once;           \
                 once = NULL)

/* tau += sign (damping v + friction tanh(v / width)) */
static void N(add_friction)(const N(call) * c, REAL sign, REAL tau[])
{
    const trace_options *o = c->y->o;
    if (o->friction == FRICTION_NONE) return;
    EACH_DOF(c->y->m, c->v, i, x, scale)
    {
        REAL loss = (REAL)b->damping[k] * x;
        if (o->friction == FRICTION_FULL)
            loss += (REAL)b->friction[k] * (REAL)tanhl((long double)x / (long double)o->friction_width);
        tau[i] += sign * scale * loss;
    }
}

/* d[i] += d friction_i / dv_i */
static void N(add_slopes)(const N(call) * c, REAL d[])
{
    const trace_options *o = c->y->o;
    EACH_DOF(c->y->m, c->v, i, x, scale)
    {
        REAL slope = (REAL)b->damping[k];
        if (o->friction == FRICTION_FULL) {
            long double t = tanhl((long double)x / (long double)o->friction_width);
            slope += (REAL)b->friction[k] / (REAL)o->friction_width * (REAL)(1 - t * t);
        }
        d[i] += scale * scale * slope;
    }
}

static const REAL *N(slopes)(const N(call) * c)
{
    for (int i = 0; i < c->s->nv; i++) c->scratch[i] = 0;
    N(add_slopes)(c, c->scratch);
    return c->scratch;
}

static void N(rnea)(const N(call) * c)
{
    G(rnea)(c->s, c->w, c->q, c->v, c->u, c->f, c->out[0]);
    N(add_friction)(c, 1, c->out[0]);
}

static void N(bias)(const N(call) * c)
{
    G(bias)(c->s, c->w, c->q, c->v, c->f, c->out[0]);
    N(add_friction)(c, 1, c->out[0]);
}

static void N(gravity)(const N(call) * c) { G(gravity)(c->s, c->w, c->q, c->out[0]); }
static void N(crba)(const N(call) * c) { G(crba)(c->s, c->w, c->q, c->out[0]); }
static void N(coriolis)(const N(call) * c) { G(coriolis)(c->s, c->w, c->q, c->v, c->out[0]); }
static void N(minv)(const N(call) * c) { G(minv)(c->s, c->w, c->q, c->out[0]); }

/* What accelerates: tau without what friction takes. */
static const REAL *N(drive)(const N(call) * c)
{
    if (c->y->o->friction == FRICTION_NONE) return c->u;
    for (int i = 0; i < c->s->nv; i++) c->scratch[i] = c->u[i];
    N(add_friction)(c, -1, c->scratch);
    return c->scratch;
}

static void N(aba)(const N(call) * c) { G(aba)(c->s, c->w, c->q, c->v, N(drive)(c), c->f, c->out[0]); }

static void N(derivatives)(const N(call) * c, REAL dtau_dq[], REAL dtau_dv[])
{
    G(idsva)(c->s, c->w, c->q, c->v, c->u, c->f, dtau_dq, dtau_dv);
    if (c->y->o->friction == FRICTION_NONE) return;
    const REAL *slope = N(slopes)(c);
    for (int i = 0; i < c->s->nv; i++) dtau_dv[i * c->s->nv + i] += slope[i];
}

static void N(idsva)(const N(call) * c) { N(derivatives)(c, c->out[0], c->out[1]); }

static void N(id_all)(const N(call) * c)
{
    N(rnea)(c);
    N(crba)(&(N(call)){.s = c->s, .w = c->w, .q = c->q, .out = c->out + 1});
    N(derivatives)(c, c->out[2], c->out[3]);
}

/* qdd = M^-1 (tau - h - friction), so friction takes M^-1 slope from dqdd/dv. */
static void N(fdsva)(const N(call) * c)
{
    int n = c->s->nv;
    REAL *qdd = c->out[0], *dq = c->out[1], *dv = c->out[2], *minv = c->out[3];
    G(fdsva)(c->s, c->w, c->q, c->v, N(drive)(c), c->f, SVA_PRODUCT_BY_SIZE, qdd, dq, dv, minv);
    if (c->y->o->friction == FRICTION_NONE) return;
    const REAL *slope = N(slopes)(c);
    for (int i = 0; i < n * n; i++) dv[i] -= minv[i] * slope[i % n];
}

/* [R p] of every frame: that of its body times its own. */
static void N(fk)(const N(call) * c)
{
    static const REAL unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3];
    REAL *turn = c->scratch, *at = turn + 9 * c->s->n_bodies;
    G(body_poses)(c->s, c->w, c->q, turn, at);
    for (int n = 0; n < c->y->m->n_frames; n++) {
        const sva_frame *f = &c->y->frames[n];
        const REAL *A = f->body < 0 ? unit : turn + 9 * f->body, *p = f->body < 0 ? zero : at + 3 * f->body;
        REAL *to = c->out[0] + 12 * n;
        for (int i = 0; i < 3; i++, to += 4) {
            for (int j = 0; j < 3; j++)
                to[j] = A[3 * i] * (REAL)f->R[j] + A[3 * i + 1] * (REAL)f->R[3 + j] + A[3 * i + 2] * (REAL)f->R[6 + j];
            to[3] = A[3 * i] * (REAL)f->p[0] + A[3 * i + 1] * (REAL)f->p[1] + A[3 * i + 2] * (REAL)f->p[2] + p[i];
        }
    }
}

static void N(jac)(const N(call) * c)
{
    const trace_options *o = c->y->o;
    for (int i = 0; i < o->n_jac_frames; i++)
        G(frame_jacobian)(c->s, c->w, c->q, &c->y->frames[o->jac_frames[i]], SVA_ALIGNED, c->out[0] + 6 * i * c->s->nv);
}

static const struct {
    const char *name;
    void (*run)(const N(call) * c);
} N(rows)[] = {
    {"rnea", N(rnea)},         {"rnea_fext", N(rnea)}, {"bias", N(bias)},
    {"gravity", N(gravity)},   {"crba", N(crba)},      {"minv", N(minv)},
    {"coriolis", N(coriolis)}, {"aba", N(aba)},        {"idsva", N(idsva)},
    {"idsva_fext", N(idsva)},  {"fdsva", N(fdsva)},    {"fdsva_fext", N(fdsva)},
    {"id_all", N(id_all)},     {"fk", N(fk)},          {"jac", N(jac)},
};

/* A force f and moment n at p in a frame's axes, added to those of its body: R f, and R n + p x R f. */
static void N(add_force)(const sva_frame *at, const REAL *fn, REAL *to)
{
    REAL f[3], n[3];
    for (int i = 0; i < 3; i++) {
        f[i] = n[i] = 0;
        for (int j = 0; j < 3; j++) {
            f[i] += (REAL)at->R[3 * i + j] * fn[j];
            n[i] += (REAL)at->R[3 * i + j] * fn[3 + j];
        }
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        to[i] += f[i];
        to[3 + i] += n[i] + (REAL)at->p[j] * f[k] - (REAL)at->p[k] * f[j];
    }
}

/* The kernel's forces, on chosen links, to all bodies: the others stay zero. */
static void N(scatter)(const yardstick *y, const REAL *fext)
{
    static const sva_frame own = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    REAL *all = y->forces;
    for (int i = 0; i < 6 * y->m->n_bodies; i++) all[i] = 0;
    for (int i = 0; i < y->o->n_fext; i++) {
        const sva_frame *at = y->o->fext_frames ? &y->frames[y->o->fext_frames[i]] : &own;
        N(add_force)(at, fext + 6 * i, all + 6 * y->o->fext[i]);
    }
}

static void N(run)(yardstick *y, const void *const in[ARG_INPUTS], void *const out[])
{
    REAL *typed[ARG_COUNT];
    for (int i = 0; i < y->n_out; i++) typed[i] = out[i];
    G(forces) f = {.body = y->forces};
    N(call)
    c = {y,
         y->s,
         y->workspace,
         in[ARG_Q],
         in[ARG_V],
         in[ARG_A] ? in[ARG_A] : in[ARG_TAU_IN],
         y->fext ? &f : NULL,
         typed,
         y->scratch};
    if (y->fext) N(scatter)(y, in[ARG_FEXT]);
    N(rows)[y->row].run(&c);
}

static int N(find)(const char *name)
{
    int n = (int)(sizeof N(rows) / sizeof *N(rows));
    while (n > 0 && strcmp(N(rows)[n - 1].name, name)) n--;
    return n - 1;
}

static void *N(workspace)(const sva_model *s) { return G(workspace_new)(s); }
static void N(free)(void *w) { G(workspace_free)(w); }
