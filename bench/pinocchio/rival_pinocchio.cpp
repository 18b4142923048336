/* Pinocchio behind bench/rival.h. Its functions are called as its users call them and leave results in its Data. */
#include "rival.h"

#include <cstring>
#include <exception>
#include <memory>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

namespace
{
namespace pin = pinocchio;
using vector = Eigen::Map<const Eigen::VectorXd>;
using rows = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

struct robot {
    pin::Model model;
    pin::Data data;
    explicit robot(const pin::Model &m) : model(m), data(model) {}
    EIGEN_MAKE_ALIGNED_OPERATOR_NEW
};

/* ---- the model */

Eigen::Vector3d vector3(const double x[3]) { return Eigen::Vector3d(x[0], x[1], x[2]); }

pin::SE3 pose(const rival_body &b)
{
    return pin::SE3(Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(b.R), vector3(b.p));
}

/* Pinocchio has it about the centre of mass c: I - m (c.c 1 - c c'). */
pin::Inertia inertia(const rival_body &b)
{
    Eigen::Matrix3d I;
    I << b.I[0], b.I[1], b.I[2], b.I[1], b.I[3], b.I[4], b.I[2], b.I[4], b.I[5];
    Eigen::Vector3d c = Eigen::Vector3d::Zero();
    if (b.mass != 0) c = vector3(b.h) / b.mass;
    I -= b.mass * (c.dot(c) * Eigen::Matrix3d::Identity() - c * c.transpose());
    return pin::Inertia(b.mass, c, I);
}

/* The axis that it is, 0 1 2, or -1: as Pinocchio's readers choose, its joints about x, y, z are faster. */
int axis_of(const rival_body &b)
{
    for (int i = 0; i < 3; i++)
        if (b.axis[i] == 1) return i;
    return -1;
}

pin::JointModel revolute(const rival_body &b)
{
    switch (axis_of(b)) {
    case 0: return pin::JointModelRX();
    case 1: return pin::JointModelRY();
    case 2: return pin::JointModelRZ();
    }
    return pin::JointModelRevoluteUnaligned(vector3(b.axis));
}

pin::JointModel prismatic(const rival_body &b)
{
    switch (axis_of(b)) {
    case 0: return pin::JointModelPX();
    case 1: return pin::JointModelPY();
    case 2: return pin::JointModelPZ();
    }
    return pin::JointModelPrismaticUnaligned(vector3(b.axis));
}

pin::JointModel spherical(const rival_body &) { return pin::JointModelSpherical(); }
pin::JointModel translation(const rival_body &) { return pin::JointModelTranslation(); }
pin::JointModel floating(const rival_body &) { return pin::JointModelFreeFlyer(); }

/* The types that have the same q and v in both. */
const struct {
    const char *name;
    pin::JointModel (*joint)(const rival_body &b);
} types[] = {
    {"revolute", revolute},   {"continuous", revolute},     {"prismatic", prismatic},
    {"spherical", spherical}, {"translation", translation}, {"floating", floating},
};

bool add_body(pin::Model &m, const rival_body &b)
{
    for (const auto &t : types) {
        if (std::strcmp(t.name, b.type) || b.master >= 0) continue;
        auto parent = static_cast<pin::JointIndex>(b.parent + 1);
        auto joint = m.addJoint(parent, t.joint(b), pose(b), b.joint_name);
        m.appendBodyToJoint(joint, inertia(b));
        for (int i = 0; i < b.nv; i++) m.armature[b.iv + i] = b.armature[i];
        return m.idx_qs[joint] == b.iq && m.idx_vs[joint] == b.iv;
    }
    return false;
}

void *open(const rival_model *r)
try {
    pin::Model m;
    for (int i = 0; i < r->n_bodies; i++)
        if (!add_body(m, r->bodies[i])) return nullptr;
    m.gravity.linear() = vector3(r->gravity);
    return new robot(m);
} catch (const std::exception &) {
    return nullptr;
}

void close(void *r) { delete static_cast<robot *>(r); }

/* ---- kernels: what runs, and where it left its results */

struct call {
    const pin::Model &model;
    pin::Data &data;
    const double *const *in;
    vector q() const { return vector(in[0], model.nq); }
    vector v() const { return vector(in[1], model.nv); }
    vector u() const { return vector(in[2], model.nv); } /* a, or tau */
};

void rnea(const call &c) { pin::rnea(c.model, c.data, c.q(), c.v(), c.u()); }
void aba(const call &c) { pin::aba(c.model, c.data, c.q(), c.v(), c.u()); }
void crba(const call &c) { pin::crba(c.model, c.data, c.q()); }
void minv(const call &c) { pin::computeMinverse(c.model, c.data, c.q()); }
void bias(const call &c) { pin::nonLinearEffects(c.model, c.data, c.q(), c.v()); }
void gravity(const call &c) { pin::computeGeneralizedGravity(c.model, c.data, c.q()); }
void id_derivatives(const call &c) { pin::computeRNEADerivatives(c.model, c.data, c.q(), c.v(), c.u()); }
void fd_derivatives(const call &c) { pin::computeABADerivatives(c.model, c.data, c.q(), c.v(), c.u()); }

struct copier {
    const pin::Data &d;
    double *const *out;
    template <typename M> void vector(int i, const M &x) const { rows(out[i], x.size(), 1) = x; }
    template <typename M> void matrix(int i, const M &x) const { rows(out[i], x.rows(), x.cols()) = x; }
    /* Of symmetric ones Pinocchio fills the upper triangle. */
    template <typename M> void symmetric(int i, const M &x) const
    {
        rows(out[i], x.rows(), x.cols()) = x.template selfadjointView<Eigen::Upper>();
    }
};

void tau(const copier &c) { c.vector(0, c.d.tau); }
void qdd(const copier &c) { c.vector(0, c.d.ddq); }
void h(const copier &c) { c.vector(0, c.d.nle); }
void g(const copier &c) { c.vector(0, c.d.g); }
void M(const copier &c) { c.symmetric(0, c.d.M); }
void inverse(const copier &c) { c.symmetric(0, c.d.Minv); }

void dtau(const copier &c)
{
    c.matrix(0, c.d.dtau_dq);
    c.matrix(1, c.d.dtau_dv);
}

void dqdd(const copier &c)
{
    c.vector(0, c.d.ddq);
    c.matrix(1, c.d.ddq_dq);
    c.matrix(2, c.d.ddq_dv);
    c.symmetric(3, c.d.Minv);
}

void id_all(const copier &c)
{
    c.vector(0, c.d.tau);
    c.symmetric(1, c.d.M);
    dtau({c.d, c.out + 2});
}

template <void (*function)(const call &)> void run(void *r, const double *const in[])
{
    auto &x = *static_cast<robot *>(r);
    function({x.model, x.data, in});
}

template <void (*copy)(const copier &)> void results(void *r, double *const out[])
{
    copy({static_cast<robot *>(r)->data, out});
}

const rival_kernel kernels[] = {
    {"rnea", run<rnea>, results<tau>},
    {"aba", run<aba>, results<qdd>},
    {"crba", run<crba>, results<M>},
    {"minv", run<minv>, results<inverse>},
    {"bias", run<bias>, results<h>},
    {"gravity", run<gravity>, results<g>},
    {"idsva", run<id_derivatives>, results<dtau>},
    {"fdsva", run<fd_derivatives>, results<dqdd>},
    {"id_all", run<id_derivatives>, results<id_all>},
    {nullptr, nullptr, nullptr},
};

const rival_library library = {RIVAL_VERSION, "pinocchio", open, close, kernels};
} // namespace

__attribute__((visibility("default"))) const rival_library *svagen_rival(void) { return &library; }
