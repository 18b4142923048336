#include "algebra.h"

#define ADD(a, b)   graph_add(g, a, b)
#define SUB(a, b)   graph_sub(g, a, b)
#define MUL(a, b)   graph_mul(g, a, b)
#define EACH(i)     for (int i = 0; i < 3; i++)
#define EACH2(i, j) EACH(i) EACH(j)

/* ---- three-vectors */

vec vec_zero(graph *g)
{
    expr z = graph_const(g, 0.0);
    return (vec){{z, z, z}};
}

vec vec_add(graph *g, vec a, vec b)
{
    vec r;
    EACH(i) r.x[i] = ADD(a.x[i], b.x[i]);
    return r;
}

vec vec_sub(graph *g, vec a, vec b)
{
    vec r;
    EACH(i) r.x[i] = SUB(a.x[i], b.x[i]);
    return r;
}

vec vec_neg(graph *g, vec a)
{
    vec r;
    EACH(i) r.x[i] = graph_neg(g, a.x[i]);
    return r;
}

vec vec_scale(graph *g, expr k, vec a)
{
    vec r;
    EACH(i) r.x[i] = MUL(k, a.x[i]);
    return r;
}

vec vec_cross(graph *g, vec a, vec b)
{
    vec r;
    EACH(i)
    {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        r.x[i] = SUB(MUL(a.x[j], b.x[k]), MUL(a.x[k], b.x[j]));
    }
    return r;
}

expr vec_dot(graph *g, vec a, vec b)
{
    expr r = MUL(a.x[0], b.x[0]);
    for (int i = 1; i < 3; i++) r = ADD(r, MUL(a.x[i], b.x[i]));
    return r;
}

/* ---- three by three matrices */

mat mat_identity(graph *g) { return mat_const(g, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}); }

mat mat_const(graph *g, const double m[9])
{
    mat r;
    EACH2(i, j) r.m[i][j] = graph_const(g, m[3 * i + j]);
    return r;
}

mat mat_mul(graph *g, const mat *a, const mat *b)
{
    mat r;
    EACH(j)
    {
        vec c = mat_vec(g, a, mat_col(b, j));
        EACH(i) r.m[i][j] = c.x[i];
    }
    return r;
}

mat mat_transpose(const mat *a)
{
    mat r;
    EACH2(i, j) r.m[i][j] = a->m[j][i];
    return r;
}

mat mat_add(graph *g, const mat *a, const mat *b)
{
    mat r;
    EACH2(i, j) r.m[i][j] = ADD(a->m[i][j], b->m[i][j]);
    return r;
}

mat mat_sub(graph *g, const mat *a, const mat *b)
{
    mat r;
    EACH2(i, j) r.m[i][j] = SUB(a->m[i][j], b->m[i][j]);
    return r;
}

static vec mat_row(const mat *a, int k) { return (vec){{a->m[k][0], a->m[k][1], a->m[k][2]}}; }
vec mat_col(const mat *a, int k) { return (vec){{a->m[0][k], a->m[1][k], a->m[2][k]}}; }

vec mat_vec(graph *g, const mat *a, vec b)
{
    vec r;
    EACH(i) r.x[i] = vec_dot(g, mat_row(a, i), b);
    return r;
}

vec mat_tvec(graph *g, const mat *a, vec b)
{
    vec r;
    EACH(i) r.x[i] = vec_dot(g, mat_col(a, i), b);
    return r;
}

mat mat_outer(graph *g, vec a, vec b)
{
    mat r;
    EACH2(i, j) r.m[i][j] = MUL(a.x[i], b.x[j]);
    return r;
}

mat mat_turn(graph *g, const mat *a, expr c, expr s)
{
    mat r = *a;
    EACH(i)
    {
        r.m[i][0] = ADD(MUL(c, a->m[i][0]), MUL(s, a->m[i][1]));
        r.m[i][1] = SUB(MUL(c, a->m[i][1]), MUL(s, a->m[i][0]));
    }
    return r;
}

/* The rotation of a unit quaternion (x y z w). */
mat mat_quaternion(graph *g, const expr q[4])
{
    expr x = q[0], y = q[1], z = q[2], w = q[3], one = graph_const(g, 1.0);
    expr a = ADD(x, x), b = ADD(y, y), c = ADD(z, z);
    expr xa = MUL(x, a), yb = MUL(y, b), zc = MUL(z, c), xb = MUL(x, b), xc = MUL(x, c), yc = MUL(y, c);
    expr wa = MUL(w, a), wb = MUL(w, b), wc = MUL(w, c);
    mat r = {{{SUB(one, ADD(yb, zc)), SUB(xb, wc), ADD(xc, wb)},
              {ADD(xb, wc), SUB(one, ADD(xa, zc)), SUB(yc, wa)},
              {SUB(xc, wb), ADD(yc, wa), SUB(one, ADD(xa, yb))}}};
    return r;
}

/* ---- symmetric matrices */

sym sym_zero(graph *g)
{
    expr z = graph_const(g, 0.0);
    return (sym){z, z, z, z, z, z};
}

sym sym_add(graph *g, const sym *a, const sym *b)
{
    return (sym){ADD(a->xx, b->xx), ADD(a->xy, b->xy), ADD(a->xz, b->xz),
                 ADD(a->yy, b->yy), ADD(a->yz, b->yz), ADD(a->zz, b->zz)};
}

static expr twice(graph *g, expr a) { return ADD(a, a); }

sym sym_outer2(graph *g, vec a, vec b)
{
    const expr *p = a.x, *q = b.x;
    return (sym){
        twice(g, MUL(p[0], q[0])), ADD(MUL(p[0], q[1]), MUL(p[1], q[0])), ADD(MUL(p[0], q[2]), MUL(p[2], q[0])),
        twice(g, MUL(p[1], q[1])), ADD(MUL(p[1], q[2]), MUL(p[2], q[1])), twice(g, MUL(p[2], q[2]))};
}

sym sym_square(graph *g, expr k, vec a)
{
    vec b = vec_scale(g, k, a);
    return (sym){MUL(a.x[0], b.x[0]), MUL(a.x[0], b.x[1]), MUL(a.x[0], b.x[2]),
                 MUL(a.x[1], b.x[1]), MUL(a.x[1], b.x[2]), MUL(a.x[2], b.x[2])};
}

mat sym_mat(const sym *a) { return (mat){{{a->xx, a->xy, a->xz}, {a->xy, a->yy, a->yz}, {a->xz, a->yz, a->zz}}}; }

vec sym_vec(graph *g, const sym *a, vec b)
{
    mat m = sym_mat(a);
    return mat_vec(g, &m, b);
}

sym sym_rotational(graph *g, const sym *S)
{
    return (sym){ADD(S->yy, S->zz), graph_neg(g, S->xy), graph_neg(g, S->xz),
                 ADD(S->xx, S->zz), graph_neg(g, S->yz), ADD(S->xx, S->yy)};
}

/* ---- motions and forces */

motion motion_zero(graph *g) { return (motion){vec_zero(g), vec_zero(g)}; }
motion motion_add(graph *g, motion a, motion b) { return (motion){vec_add(g, a.w, b.w), vec_add(g, a.u, b.u)}; }
motion motion_scale(graph *g, expr k, motion a) { return (motion){vec_scale(g, k, a.w), vec_scale(g, k, a.u)}; }

motion motion_cross(graph *g, motion a, motion b)
{
    return (motion){vec_cross(g, a.w, b.w), vec_add(g, vec_cross(g, a.u, b.w), vec_cross(g, a.w, b.u))};
}

force force_zero(graph *g) { return (force){vec_zero(g), vec_zero(g)}; }
force force_add(graph *g, force a, force b) { return (force){vec_add(g, a.n, b.n), vec_add(g, a.f, b.f)}; }
force force_sub(graph *g, force a, force b) { return (force){vec_sub(g, a.n, b.n), vec_sub(g, a.f, b.f)}; }
force force_scale(graph *g, expr k, force a) { return (force){vec_scale(g, k, a.n), vec_scale(g, k, a.f)}; }

force force_cross(graph *g, motion a, force b)
{
    return (force){vec_add(g, vec_cross(g, a.w, b.n), vec_cross(g, a.u, b.f)), vec_cross(g, a.w, b.f)};
}

expr motion_dot(graph *g, motion a, force b) { return ADD(vec_dot(g, a.w, b.n), vec_dot(g, a.u, b.f)); }

/* ---- inertias */

inertia inertia_add(graph *g, const inertia *a, const inertia *b)
{
    return (inertia){ADD(a->m, b->m), vec_add(g, a->h, b->h), sym_add(g, &a->S, &b->S)};
}

force inertia_mul(graph *g, const inertia *I, motion a)
{
    sym J = sym_rotational(g, &I->S);
    return (force){vec_add(g, sym_vec(g, &J, a.w), vec_cross(g, I->h, a.u)),
                   vec_add(g, vec_scale(g, I->m, a.u), vec_cross(g, a.w, I->h))};
}

coriolis coriolis_add(graph *g, const coriolis *a, const coriolis *b)
{
    return (coriolis){mat_add(g, &a->B, &b->B), vec_add(g, a->p, b->p)};
}

articulated articulated_add(graph *g, const articulated *a, const articulated *b)
{
    return (articulated){sym_add(g, &a->A, &b->A), sym_add(g, &a->C, &b->C), mat_add(g, &a->B, &b->B)};
}

/* (h x), the block that maps u to n. */
static mat skew(graph *g, vec h)
{
    expr z = graph_const(g, 0.0);
    return (mat){
        {{z, graph_neg(g, h.x[2]), h.x[1]}, {h.x[2], z, graph_neg(g, h.x[0])}, {graph_neg(g, h.x[1]), h.x[0], z}}};
}

articulated articulated_from(graph *g, const inertia *I)
{
    expr z = graph_const(g, 0.0);
    return (articulated){sym_rotational(g, &I->S), {I->m, z, z, I->m, z, I->m}, skew(g, I->h)};
}

force articulated_mul(graph *g, const articulated *I, motion a)
{
    return (force){vec_add(g, sym_vec(g, &I->A, a.w), mat_vec(g, &I->B, a.u)),
                   vec_add(g, mat_tvec(g, &I->B, a.w), sym_vec(g, &I->C, a.u))};
}

static sym sym_less(graph *g, const sym *a, vec b, vec kb)
{
    return (sym){SUB(a->xx, MUL(b.x[0], kb.x[0])), SUB(a->xy, MUL(b.x[0], kb.x[1])), SUB(a->xz, MUL(b.x[0], kb.x[2])),
                 SUB(a->yy, MUL(b.x[1], kb.x[1])), SUB(a->yz, MUL(b.x[1], kb.x[2])), SUB(a->zz, MUL(b.x[2], kb.x[2]))};
}

articulated articulated_less(graph *g, const articulated *I, expr k, force U)
{
    vec kn = vec_scale(g, k, U.n), kf = vec_scale(g, k, U.f);
    mat nf = mat_outer(g, kn, U.f);
    return (articulated){sym_less(g, &I->A, U.n, kn), sym_less(g, &I->C, U.f, kf), mat_sub(g, &I->B, &nf)};
}

/* ---- steps between frames */

step step_shift(graph *g, vec p) { return (step){STEP_SHIFT, EXPR_NONE, EXPR_NONE, mat_identity(g), p}; }

step step_turn(graph *g, expr c, expr s, vec p)
{
    mat one = mat_identity(g);
    return (step){STEP_TURN, c, s, mat_turn(g, &one, c, s), p};
}

step step_general(const mat *R, vec p) { return (step){STEP_GENERAL, EXPR_NONE, EXPR_NONE, *R, p}; }

vec step_out(graph *g, const step *s, vec x) { return mat_vec(g, &s->R, x); }
vec step_in(graph *g, const step *s, vec x) { return mat_tvec(g, &s->R, x); }
vec step_point(graph *g, const step *s, vec x) { return vec_add(g, step_out(g, s, x), s->p); }

motion step_motion_in(graph *g, const step *s, motion m)
{
    return (motion){step_in(g, s, m.w), step_in(g, s, vec_sub(g, m.u, vec_cross(g, s->p, m.w)))};
}

force step_force_out(graph *g, const step *s, force f)
{
    vec F = step_out(g, s, f.f);
    return (force){vec_add(g, step_out(g, s, f.n), vec_cross(g, s->p, F)), F};
}

/* R S R' for a turn about z: with u = c (xx - yy) - 2 s xy,  xx' = yy + c u,  xy' = xy + s u,  yy' = xx - c u. */
static sym sym_turn(graph *g, const sym *S, expr c, expr s)
{
    expr u = SUB(MUL(c, SUB(S->xx, S->yy)), MUL(s, twice(g, S->xy))), cu = MUL(c, u);
    return (sym){ADD(S->yy, cu),
                 ADD(S->xy, MUL(s, u)),
                 SUB(MUL(c, S->xz), MUL(s, S->yz)),
                 SUB(S->xx, cu),
                 ADD(MUL(s, S->xz), MUL(c, S->yz)),
                 S->zz};
}

/* R S R' in general: three rows of R S, six products of them with R'. */
static sym sym_general(graph *g, const sym *S, const mat *R)
{
    mat s = sym_mat(S), RS = mat_mul(g, R, &s);
#define ENTRY(i, j) vec_dot(g, mat_row(&RS, i), mat_row(R, j))
    return (sym){ENTRY(0, 0), ENTRY(0, 1), ENTRY(0, 2), ENTRY(1, 1), ENTRY(1, 2), ENTRY(2, 2)};
#undef ENTRY
}

static sym step_sym(graph *g, const step *s, const sym *S)
{
    if (s->kind == STEP_SHIFT) return *S;
    return s->kind == STEP_TURN ? sym_turn(g, S, s->c, s->s) : sym_general(g, S, &s->R);
}

/* R M R' for a turn about z; the upper block by its symmetric part and its trace, like sym_turn:
   with d = xx - yy, e = xy + yx, u = c d - s e:  xx' = yy + c u,  yy' = xx - c u,  xy' = xy + s u,  yx' = yx + s u. */
static mat mat_turned(graph *g, const mat *M, expr c, expr s)
{
    expr xx = M->m[0][0], xy = M->m[0][1], yx = M->m[1][0], yy = M->m[1][1];
    expr u = SUB(MUL(c, SUB(xx, yy)), MUL(s, ADD(xy, yx))), cu = MUL(c, u), su = MUL(s, u);
    expr xz = M->m[0][2], yz = M->m[1][2], zx = M->m[2][0], zy = M->m[2][1];
    return (mat){{{ADD(yy, cu), ADD(xy, su), SUB(MUL(c, xz), MUL(s, yz))},
                  {ADD(yx, su), SUB(xx, cu), ADD(MUL(s, xz), MUL(c, yz))},
                  {SUB(MUL(c, zx), MUL(s, zy)), ADD(MUL(s, zx), MUL(c, zy)), M->m[2][2]}}};
}

static mat step_mat(graph *g, const step *s, const mat *M)
{
    if (s->kind == STEP_SHIFT) return *M;
    if (s->kind == STEP_TURN) return mat_turned(g, M, s->c, s->s);
    mat RM = mat_mul(g, &s->R, M), Rt = mat_transpose(&s->R);
    return mat_mul(g, &RM, &Rt);
}

/* h' = R h + m p,  Sigma' = R Sigma R' + (R h) p' + p (R h)' + m p p' = R Sigma R' + k p' + p k',  k = R h + m/2 p. */
inertia step_inertia_out(graph *g, const step *s, const inertia *I)
{
    vec Rh = step_out(g, s, I->h);
    vec k = vec_add(g, Rh, vec_scale(g, MUL(graph_const(g, 0.5), I->m), s->p));
    sym S = step_sym(g, s, &I->S), kp = sym_outer2(g, k, s->p);
    return (inertia){I->m, vec_add(g, Rh, vec_scale(g, I->m, s->p)), sym_add(g, &S, &kp)};
}

/* B' = R B R' - d x p x with d the shift, p' = R p, and d x p x = p d' - (d.p) 1. */
coriolis step_coriolis_out(graph *g, const step *s, const coriolis *c)
{
    vec p = step_out(g, s, c->p);
    mat B = step_mat(g, s, &c->B), pd = mat_outer(g, p, s->p);
    B = mat_sub(g, &B, &pd);
    expr dp = vec_dot(g, s->p, p);
    EACH(i) B.m[i][i] = ADD(B.m[i][i], dp);
    return (coriolis){B, p};
}

/* (d x) M, column by column. */
static mat cross_mat(graph *g, vec d, const mat *M)
{
    mat r;
    EACH(j)
    {
        vec c = vec_cross(g, d, mat_col(M, j));
        EACH(i) r.m[i][j] = c.x[i];
    }
    return r;
}

/* Rotate the blocks, then shift by d:  B' = B + (d x) C,  A' = A + (d x) B^T + ((d x) B'^T)^T: the upper triangle only.
 */
articulated step_articulated_out(graph *g, const step *s, const articulated *I)
{
    articulated r = {step_sym(g, s, &I->A), step_sym(g, s, &I->C), step_mat(g, s, &I->B)};
    mat C = sym_mat(&r.C), dC = cross_mat(g, s->p, &C), B1 = mat_add(g, &r.B, &dC);
    mat Bt = mat_transpose(&r.B), B1t = mat_transpose(&B1);
    mat P = cross_mat(g, s->p, &Bt), Q = cross_mat(g, s->p, &B1t);
#define ENTRY(e, i, j) ADD(e, ADD(P.m[i][j], Q.m[j][i]))
    r.A = (sym){ENTRY(r.A.xx, 0, 0), ENTRY(r.A.xy, 0, 1), ENTRY(r.A.xz, 0, 2),
                ENTRY(r.A.yy, 1, 1), ENTRY(r.A.yz, 1, 2), ENTRY(r.A.zz, 2, 2)};
#undef ENTRY
    r.B = B1;
    return r;
}
