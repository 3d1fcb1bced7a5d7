/* Pinocchio's constrained dynamics of trees whose loops rigid constraints close, behind plain C functions. */
#include "pinocchio/algorithm/constrained-dynamics.hpp"
#include "pinocchio/algorithm/jacobian.hpp"
#include "pinocchio/algorithm/rnea.hpp"
#include "pinocchio/multibody.hpp"
#include "pinocchio/multibody/joint.hpp"

#include <ctime>
#include <exception>
#include <string>
#include <vector>

namespace {

{% include "bench/pinocchio_model.hpp" %}

using Matrix = Eigen::MatrixXd;
using Constraints = std::vector<pinocchio::RigidConstraintModel>;
using Indices = std::vector<Eigen::Index>;

/* `own`, `others`: indices of independent rates and of the rest, which as many `rows` of the constraints determine. */
struct Peer {
    pinocchio::Model model;
    pinocchio::Data data;
    Constraints constraints;
    std::vector<pinocchio::RigidConstraintData> found;
    pinocchio::ProximalSettings settings;
    Indices own, others, rows;
    std::vector<Vector> q, v, a, tau;
    Matrix jacobian;
    Vector forces;
};

/* Every constraint: whether frames are one, not points alone; twice a joint, rotation (9, by rows), translation (3). */
constexpr long numbers_of_end = 13, numbers_of_constraint = 1 + 2 * numbers_of_end;

pinocchio::SE3 place_of(const double *x)
{
    return pinocchio::SE3(Matrix3(Eigen::Map<const Matrix3>(x + 1)), Eigen::Vector3d(x + 10));
}

Constraints constraints_of(const pinocchio::Model &model, long count, const double *numbers)
{
    Constraints result;
    for (long i = 0; i < count; i++) {
        const double *x = numbers + numbers_of_constraint * i, *first = x + 1, *second = first + numbers_of_end;
        const auto kind = x[0] != 0 ? pinocchio::CONTACT_6D : pinocchio::CONTACT_3D;
        result.emplace_back(kind, model, static_cast<pinocchio::JointIndex>(first[0]), place_of(first),
                            static_cast<pinocchio::JointIndex>(second[0]), place_of(second), pinocchio::LOCAL);
    }
    return result;
}

/* Forces of the independent joints: those of the tree less what multipliers, which free the others of forces, do. */
void inverse_dynamics(Peer &peer, long k)
{
    pinocchio::rnea(peer.model, peer.data, peer.q[k], peer.v[k], peer.a[k]);
    pinocchio::computeJointJacobians(peer.model, peer.data, peer.q[k]);
    for (size_t i = 0; i < peer.constraints.size(); i++) {
        peer.constraints[i].calc(peer.model, peer.data, peer.found[i]);
    }
    pinocchio::getConstraintsJacobian(peer.model, peer.data, peer.constraints, peer.found, peer.jacobian);
    const Matrix determined = peer.jacobian(peer.rows, peer.others).transpose();
    const Vector multipliers = determined.partialPivLu().solve(peer.data.tau(peer.others));
    peer.forces = peer.data.tau(peer.own);
    peer.forces.noalias() -= peer.jacobian(peer.rows, peer.own).transpose() * multipliers;
}

void evaluate(Peer &peer, int function, long k)
{
    if (function == 0) {
        inverse_dynamics(peer, k);
    } else {
        pinocchio::constraintDynamics(peer.model, peer.data, peer.q[k], peer.v[k], peer.tau[k], peer.constraints,
                                      peer.found, peer.settings);
    }
}

Indices indices(long count, const double *values) { return Indices(values, values + count); }

} // namespace

extern "C" {

/* `counts`: joints, constraints, independent rates, the rest of them, states. `settings`: accuracy, mu, iterations. */
void *peer_make(const long *counts, const double *joints, const double *gravity, const double *constraints,
                const double *settings, const double *own, const double *others, const double *chosen, const double *q,
                const double *v, const double *a, const double *tau)
{
    try {
        const pinocchio::Model model = model_of(counts[0], joints, gravity);
        const Constraints closing = constraints_of(model, counts[1], constraints);
        std::vector<pinocchio::RigidConstraintData> found;
        long size = 0;
        for (const auto &each : closing) {
            found.push_back(each.createData());
            size += each.residualSize();
        }
        const pinocchio::ProximalSettings proximal(settings[0], settings[1], static_cast<int>(settings[2]));
        const long nq = model.nq, nv = model.nv, states = counts[4];
        Peer *peer = new Peer{model, pinocchio::Data(model), closing, found, proximal, indices(counts[2], own),
                              indices(counts[3], others), indices(counts[3], chosen), rows(states, nq, q),
                              rows(states, nv, v), rows(states, nv, a), rows(states, nv, tau), Matrix::Zero(size, nv),
                              Vector::Zero(counts[2])};
        pinocchio::initConstraintDynamics(peer->model, peer->data, peer->constraints, peer->found);
        return peer;
    } catch (const std::exception &) {
        return nullptr;
    }
}

void peer_free(void *peer) { delete static_cast<Peer *>(peer); }

/* Forces (function 0) or accelerations (1) of the independent joints at one state; returns the iterations taken. */
int peer_results(void *handle, int function, long state, double *result)
{
    Peer &peer = *static_cast<Peer *>(handle);
    evaluate(peer, function, state);
    const Vector found = function == 0 ? peer.forces : Vector(peer.data.ddq(peer.own));
    Eigen::Map<Vector>(result, found.size()) = found;
    return peer.settings.iter;
}

/* Nanoseconds of this thread for `calls` calls, one state after the other. */
double peer_run(void *handle, int function, long first, long calls)
{
    Peer &peer = *static_cast<Peer *>(handle);
    const long states = static_cast<long>(peer.q.size());
    long state = first % states;
    const double start = now(CLOCK_THREAD_CPUTIME_ID);
    for (long call = 0; call < calls; call++) {
        evaluate(peer, function, state);
        state = state + 1 == states ? 0 : state + 1;
    }
    return now(CLOCK_THREAD_CPUTIME_ID) - start;
}
}
