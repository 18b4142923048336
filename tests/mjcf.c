#include "mjcf.h"
#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/number.h"
#include "base/rotation.h"

/* How MuJoCo spells a joint: its joints in order, each with the axis it uses. */
typedef struct spelling {
    struct {
        const char *type;
        int axis; /* 0, 1, 2: the frame's (for planar joints the plane's) axes; 3: the joint's own axis; -1: none */
    } part[3];
} spelling;

static const spelling spellings[SVA_JOINT_TYPES] = {
    [SVA_REVOLUTE] = {{{"hinge", 3}}},
    [SVA_CONTINUOUS] = {{{"hinge", 3}}},
    [SVA_PRISMATIC] = {{{"slide", 3}}},
    [SVA_CYLINDRICAL] = {{{"slide", 3}, {"hinge", 3}}},
    [SVA_PLANAR] = {{{"slide", 0}, {"slide", 1}, {"hinge", 3}}},
    [SVA_SPHERICAL] = {{{"ball", -1}}},
    [SVA_TRANSLATION] = {{{"slide", 0}, {"slide", 1}, {"slide", 2}}},
    [SVA_FLOATING] = {{{"free", -1}}},
};

bool mjcf_can(const model *m)
{
    for (int i = 0; i < m->n_bodies; i++) {
        const model_body *b = &m->bodies[i];
        bool free_inside = b->type == SVA_FLOATING && b->parent >= 0;
        if (!spellings[b->type].part[0].type || b->master >= 0 || free_inside) return false;
    }
    return true;
}

static void attribute(FILE *out, const char *name, int n, const double x[])
{
    fprintf(out, " %s=\"", name);
    for (int i = 0; i < n; i++) {
        char digits[NUMBER_SIZE];
        fprintf(out, "%s%s", i ? " " : "", number_print(digits, x[i]));
    }
    fputc('"', out);
}

/* The quaternion (x y z w) of R: from the largest of its components. */
static void quaternion_of(const double R[9], double u[4])
{
    const double square[4] = {1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8], 1 - R[0] - R[4] + R[8],
                              1 + R[0] + R[4] + R[8]};
    const double product[4][4] = {{square[0], R[1] + R[3], R[2] + R[6], R[7] - R[5]},
                                  {R[1] + R[3], square[1], R[5] + R[7], R[2] - R[6]},
                                  {R[2] + R[6], R[5] + R[7], square[2], R[3] - R[1]},
                                  {R[7] - R[5], R[2] - R[6], R[3] - R[1], square[3]}};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (square[i] > square[k]) k = i;
    for (int i = 0; i < 4; i++) u[i] = product[k][i] / (2 * sqrt(square[k]));
}

static void matrix_of(const double u[4], double R[9])
{
    double x = u[0], y = u[1], z = u[2], w = u[3];
    const double full[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                            2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                            2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(R, full, sizeof full);
}

static void w_first(const double u[4], double out[4])
{
    const double turned[4] = {u[3], u[0], u[1], u[2]};
    memcpy(out, turned, sizeof turned);
}

/* Principal axes by Jacobi's rotations: A = V diag(A) V', V right-handed. MuJoCo's own are good to 1e-9 only. */
static void principal_axes(double A[3][3], double V[3][3])
{
    for (int i = 0; i < 9; i++) V[i / 3][i % 3] = i % 4 == 0;
    for (int turn = 0; turn < 60; turn++) {
        int p = turn % 3, q = (p + 1) % 3;
        if (A[p][q] == 0) continue;
        double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
        double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) { /* A and V times the rotation */
            double ap = A[k][p], aq = A[k][q], vp = V[k][p], vq = V[k][q];
            A[k][p] = c * ap - s * aq;
            A[k][q] = s * ap + c * aq;
            V[k][p] = c * vp - s * vq;
            V[k][q] = s * vp + c * vq;
        }
        for (int k = 0; k < 3; k++) { /* the rotation's transpose times A */
            double ap = A[p][k], aq = A[q][k];
            A[p][k] = c * ap - s * aq;
            A[q][k] = s * ap + c * aq;
        }
    }
}

static void write_inertia(const model_body *b, FILE *out)
{
    double c[3], m = b->mass, V[3][3], u[4], wxyz[4];
    for (int i = 0; i < 3; i++) c[i] = m > 0 ? b->h[i] / m : 0;
    double cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    double xy = b->I[1] + m * c[0] * c[1], xz = b->I[2] + m * c[0] * c[2], yz = b->I[4] + m * c[1] * c[2];
    double central[3][3] = {{b->I[0] - m * (cc - c[0] * c[0]), xy, xz},
                            {xy, b->I[3] - m * (cc - c[1] * c[1]), yz},
                            {xz, yz, b->I[5] - m * (cc - c[2] * c[2])}};
    principal_axes(central, V);
    quaternion_of((const double *)V, u);
    w_first(u, wxyz);
    fputs("<inertial", out);
    attribute(out, "mass", 1, &m);
    attribute(out, "pos", 3, c);
    attribute(out, "quat", 4, wxyz);
    attribute(out, "diaginertia", 3, (const double[3]){central[0][0], central[1][1], central[2][2]});
    fputs("/>\n", out);
}

static void joint_axes(const model_body *b, double axes[4][3])
{
    memset(axes, 0, sizeof(double[4][3]));
    for (int i = 0; i < 3; i++) axes[i][i] = 1;
    if (b->type == SVA_PLANAR) sva_plane_axes(b->axis, axes[0], axes[1]);
    memcpy(axes[3], b->axis, sizeof axes[3]);
}

static void write_joints(const model_body *b, FILE *out)
{
    double axes[4][3];
    joint_axes(b, axes);
    const spelling *s = &spellings[b->type];
    for (int k = 0; k < 3 && s->part[k].type; k++) {
        fprintf(out, "<joint type=\"%s\"", s->part[k].type);
        if (s->part[k].axis >= 0) attribute(out, "axis", 3, axes[s->part[k].axis]);
        fputs("/>\n", out);
    }
}

static void write_children(const model *m, int parent, FILE *out)
{
    for (int i = parent + 1; i < m->n_bodies; i++) {
        const model_body *b = &m->bodies[i];
        if (b->parent != parent) continue;
        double u[4], wxyz[4];
        quaternion_of(b->R, u);
        w_first(u, wxyz);
        fprintf(out, "<body name=\"b%d\"", i);
        attribute(out, "pos", 3, b->p);
        attribute(out, "quat", 4, wxyz);
        fputs(">\n", out);
        write_inertia(b, out);
        write_joints(b, out);
        write_children(m, i, out);
        fputs("</body>\n", out);
    }
}

void mjcf_write(const model *m, FILE *out)
{
    assert(mjcf_can(m));
    fputs(
        "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\" boundmass=\"0\" boundinertia=\"0\"/>\n<option",
        out);
    attribute(out, "gravity", 3, m->gravity);
    fputs("><flag contact=\"disable\" constraint=\"disable\"/></option>\n<worldbody>\n", out);
    write_children(m, -1, out);
    fputs("</worldbody>\n</mujoco>\n", out);
}

/* Pose of a floating body: its placement, then q. */
static void floating_pose(const model_body *b, const double q[], double R[9], double p[3])
{
    double turn[9];
    matrix_of(q + 3, turn);
    rotation_compose(b->R, turn, R);
    rotation_apply(b->R, q, b->p, p);
}

static int body_qpos(const model_body *b, const double q[], double qpos[])
{
    if (b->type == SVA_FLOATING) {
        double R[9], u[4];
        floating_pose(b, q, R, qpos);
        quaternion_of(R, u);
        w_first(u, qpos + 3);
        return 7;
    }
    if (b->type == SVA_SPHERICAL) {
        w_first(q, qpos);
        return 4;
    }
    memcpy(qpos, q, sizeof *q * (size_t)b->nv);
    if (b->type == SVA_PLANAR) qpos[2] = atan2(q[3], q[2]);
    return b->nv;
}

void mjcf_qpos(const model *m, const double q[], double qpos[])
{
    for (int i = 0; i < m->n_bodies; i++) qpos += body_qpos(&m->bodies[i], q + m->bodies[i].iq, qpos);
}

/* The block of T that turns linear velocities: n of them, from slot iv; 0 where T is the identity. */
static int turned(const model_body *b, const double q[], double R[9])
{
    if (b->type == SVA_FLOATING) {
        double p[3];
        floating_pose(b, q, R, p);
        return 3;
    }
    if (b->type != SVA_PLANAR) return 0;
    R[0] = R[4] = q[2];
    R[3] = q[3];
    R[1] = -q[3];
    return 2;
}

void mjcf_transform(const model *m, const double q[], double T[])
{
    for (int i = 0; i < m->nv * m->nv; i++) T[i] = i / m->nv == i % m->nv;
    for (int i = 0; i < m->n_bodies; i++) {
        const model_body *b = &m->bodies[i];
        double R[9];
        int n = turned(b, q + b->iq, R);
        for (int k = 0; k < n * n; k++) T[(b->iv + k / n) * m->nv + b->iv + k % n] = R[3 * (k / n) + k % n];
    }
}

/* d/dt (R u) - R udot = R (w x u). */
void mjcf_drift(const model *m, const double q[], const double v[], double drift[])
{
    memset(drift, 0, sizeof *drift * (size_t)m->nv);
    for (int i = 0; i < m->n_bodies; i++) {
        const model_body *b = &m->bodies[i];
        const double *u = v + b->iv, *w = u + 3;
        double R[9], c[3] = {0};
        int n = turned(b, q + b->iq, R);
        if (n == 2) c[0] = -u[2] * u[1], c[1] = u[2] * u[0];
        for (int k = 0; k < 3 && n == 3; k++) c[k] = w[(k + 1) % 3] * u[(k + 2) % 3] - w[(k + 2) % 3] * u[(k + 1) % 3];
        for (int k = 0; k < n * n; k++) drift[b->iv + k / n] += R[3 * (k / n) + k % n] * c[k % n];
    }
}
