#include "args.h"

#include "base/invariant.h"

const char *const symbol_table[SIZE_SYMBOLS] = {
    [SIZE_NQ] = "NQ", [SIZE_NV] = "NV", [SIZE_FRAMES] = "N_FRAMES", [SIZE_FEXT] = "N_FEXT", [SIZE_JAC] = "N_JAC",
};

/* clang-format off */
#define NQ         {{1, SIZE_NQ}}
#define NV         {{1, SIZE_NV}}
#define NV_NV      {{1, SIZE_NV}, {1, SIZE_NV}}
#define RATE_UNIT  "rad/s, m/s"
#define TAU_UNIT   "N m, N"
#define BY_Q       "(N m, N)/(rad, m)"
#define BY_V       "(N m, N)/(rad/s, m/s)"
#define QDD_BY_Q   "(rad/s^2, m/s^2)/(rad, m)"
#define QDD_BY_V   "(rad/s^2, m/s^2)/(rad/s, m/s)"

const arg_info arg_table[ARG_COUNT] = {
    [ARG_Q] = {"q", NQ, "rad, m, 1", "configuration", false},
    [ARG_V] = {"v", NV, RATE_UNIT, "velocity", false},
    [ARG_A] = {"a", NV, "rad/s^2, m/s^2", "acceleration", false},
    [ARG_TAU_IN] = {"tau", NV, TAU_UNIT, "joint forces", false},
    [ARG_FEXT] = {"fext", {{6, SIZE_FEXT}}, "N, N m", "external forces: for each link (force, moment), in link axes at the link's origin", false},
    [ARG_GRAVITY_IN] = {"gravity", {{3, SIZE_ONE}}, "m/s^2", "gravity in world axes", false},
    [ARG_TAU] = {"tau", NV, TAU_UNIT, "joint forces", false},
    [ARG_QDD] = {"qdd", NV, "rad/s^2, m/s^2", "joint accelerations", false},
    [ARG_M] = {"M", NV_NV, "kg m^2, kg m, kg", "joint-space inertia", true},
    [ARG_MINV] = {"minv", NV_NV, "1/(kg m^2), 1/(kg m), 1/kg", "inverse of the joint-space inertia", true},
    [ARG_H] = {"h", NV, TAU_UNIT, "joint forces at zero acceleration", false},
    [ARG_G] = {"g", NV, TAU_UNIT, "joint forces that hold against gravity", false},
    [ARG_C] = {"C", NV_NV, BY_V, "Coriolis and centrifugal matrix", false},
    [ARG_DTAU_DQ] = {"dtau_dq", NV_NV, BY_Q, "derivative of tau by q: row i, column j is dtau_i/dq_j", false},
    [ARG_DTAU_DV] = {"dtau_dv", NV_NV, BY_V, "derivative of tau by v: row i, column j is dtau_i/dv_j", false},
    [ARG_DQDD_DQ] = {"dqdd_dq", NV_NV, QDD_BY_Q, "derivative of qdd by q: row i, column j is dqdd_i/dq_j", false},
    [ARG_DQDD_DV] = {"dqdd_dv", NV_NV, QDD_BY_V, "derivative of qdd by v: row i, column j is dqdd_i/dv_j", false},
    [ARG_POSE] = {"pose", {{12, SIZE_FRAMES}}, "1, m", "for each frame the 3x4 matrix [R p] in the world, by rows: x_world = R x_frame + p", false},
    [ARG_J] = {"J", {{6, SIZE_JAC}, {1, SIZE_NV}}, "1, m", "for each frame six rows: linear velocity of its origin, angular velocity, in world axes, by v", false},
};
/* clang-format on */

static const char *const local_names[SLOT_COUNT - LOCAL_L] = {"L", "Dinv", "X", "A", "T", "x", "out"};

const char *slot_name(int slot)
{
    INVARIANT(slot >= 0 && slot < (int)SLOT_COUNT && (slot < (int)ARG_COUNT || slot_is_local(slot)));
    return slot_is_local(slot) ? local_names[slot - (int)LOCAL_L] : arg_table[slot].name;
}

int arg_extent(arg a, const arg_sizes *s, int index)
{
    const arg_dim *d = &arg_table[a].dims[index];
    INVARIANT(index < ARG_DIMS && s->of[SIZE_ONE] == 1);
    return d->factor ? d->factor * s->of[d->symbol] : 1;
}

int arg_rows(arg a, const arg_sizes *s) { return arg_extent(a, s, 0); }

int arg_cols(arg a, const arg_sizes *s) { return arg_extent(a, s, 1) * arg_extent(a, s, 2); }

bool arg_uses(arg a, arg_symbol symbol)
{
    for (const arg_dim *d = arg_table[a].dims; d < arg_table[a].dims + ARG_DIMS; d++)
        if (d->factor && d->symbol == symbol) return true;
    return false;
}

void arg_print_size(FILE *out, arg a, const char *prefix)
{
    const char *times = "";
    for (const arg_dim *d = arg_table[a].dims; d < arg_table[a].dims + ARG_DIMS && d->factor; d++, times = "*") {
        if (d->factor > 1 || d->symbol == SIZE_ONE) {
            fprintf(out, "%s%d", times, d->factor);
            times = "*";
        }
        if (d->symbol != SIZE_ONE) fprintf(out, "%s%s_%s", times, prefix, symbol_table[d->symbol]);
    }
}
