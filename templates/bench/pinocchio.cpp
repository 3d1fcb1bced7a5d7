/* Pinocchio behind plain C functions: a model from numbers, states kept as Eigen vectors, timed loops over them. */
#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/crba.hpp"
#include "pinocchio/algorithm/rnea-derivatives.hpp"
#include "pinocchio/algorithm/rnea.hpp"
#include "pinocchio/multibody.hpp"
#include "pinocchio/multibody/joint.hpp"

#include <ctime>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using Vector = Eigen::VectorXd;
using Matrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

struct Peer {
    pinocchio::Model model;
    pinocchio::Data data;
    std::vector<Vector> q, qd, qdd, tau;
};

double now(clockid_t clock)
{
    timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

/* Every joint: parent, its kind (0 slides, 1 turns, 3 spherical, 6 floating), rotation (9, by rows), translation (3), mass, centre (3), tensor about it (9). */
constexpr long numbers_of_joint = 27;

pinocchio::JointModel joint_model(int kind)
{
    switch (kind) {
    case 0: return pinocchio::JointModelPZ();
    case 1: return pinocchio::JointModelRZ();
    case 3: return pinocchio::JointModelSpherical();
    default: return pinocchio::JointModelFreeFlyer();
    }
}

pinocchio::Model model_of(long joints, const double *numbers, const double *gravity)
{
    pinocchio::Model model;
    for (long i = 0; i < joints; i++) {
        const double *x = numbers + numbers_of_joint * i;
        const pinocchio::SE3 place(Matrix3(Eigen::Map<const Matrix3>(x + 2)), Eigen::Vector3d(x + 11));
        const pinocchio::Symmetric3 tensor(Eigen::Matrix3d(Eigen::Map<const Matrix3>(x + 18)));
        const pinocchio::Inertia body(x[14], Eigen::Vector3d(x + 15), tensor);
        const auto parent = static_cast<pinocchio::JointIndex>(x[0]);
        const std::string name = "joint" + std::to_string(i + 1);
        const auto index = model.addJoint(parent, joint_model(static_cast<int>(x[1])), place, name);
        model.appendBodyToJoint(index, body, pinocchio::SE3::Identity());
    }
    model.gravity.linear() = Eigen::Vector3d(gravity);
    return model;
}

std::vector<Vector> rows(long states, long n, const double *values)
{
    std::vector<Vector> result;
    for (long k = 0; k < states; k++) {
        result.emplace_back(Eigen::Map<const Vector>(values + n * k, n));
    }
    return result;
}

void evaluate(Peer &peer, pinocchio::Data &data, int function, long k)
{
    switch (function) {
    case 0: pinocchio::rnea(peer.model, data, peer.q[k], peer.qd[k], peer.qdd[k]); break;
    case 1: pinocchio::crba(peer.model, data, peer.q[k], pinocchio::Convention::WORLD); break;
    case 2: pinocchio::aba(peer.model, data, peer.q[k], peer.qd[k], peer.tau[k], pinocchio::Convention::WORLD); break;
    default: pinocchio::computeRNEADerivatives(peer.model, data, peer.q[k], peer.qd[k], peer.qdd[k]);
    }
}

/* `calls` evaluations, one state after the other. */
void repeat(Peer &peer, pinocchio::Data &data, int function, long first, long calls)
{
    const long states = static_cast<long>(peer.q.size());
    long state = first % states;
    for (long call = 0; call < calls; call++) {
        evaluate(peer, data, function, state);
        state = state + 1 == states ? 0 : state + 1;
    }
}

} // namespace

extern "C" {

void *peer_make(long joints, const double *numbers, const double *gravity, long states, const double *q,
                const double *qd, const double *qdd, const double *tau)
{
    try {
        pinocchio::Model model = model_of(joints, numbers, gravity);
        const long nq = model.nq, nv = model.nv;
        return new Peer{model, pinocchio::Data(model), rows(states, nq, q), rows(states, nv, qd),
                        rows(states, nv, qdd), rows(states, nv, tau)};
    } catch (const std::exception &) {
        return nullptr;
    }
}

void peer_free(void *peer) { delete static_cast<Peer *>(peer); }

/* Evaluate one state, and copy the results: matrices by rows; of the inertia matrix, the upper triangle is set. */
void peer_results(void *handle, int function, long state, double *first, double *second)
{
    Peer &peer = *static_cast<Peer *>(handle);
    const long n = peer.model.nv;
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    evaluate(peer, peer.data, function, state);
    switch (function) {
    case 0: Eigen::Map<Vector>(first, n) = peer.data.tau; break;
    case 1: Eigen::Map<Matrix>(first, n, n) = peer.data.M; break;
    case 2: Eigen::Map<Vector>(first, n) = peer.data.ddq; break;
    default:
        Eigen::Map<Matrix>(first, n, n) = peer.data.dtau_dq;
        Eigen::Map<Matrix>(second, n, n) = peer.data.dtau_dv;
    }
}

/* Nanoseconds of `calls` evaluations in all, beginning with state `first`, shared out to so many threads: of this
 * thread if it is alone, else by the wall clock. */
double peer_run(void *handle, int function, long threads, long first, long calls)
{
    Peer &peer = *static_cast<Peer *>(handle);
    const clockid_t clock = threads > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    std::vector<pinocchio::Data> others(threads - 1, peer.data);
    std::vector<std::thread> started;
    const double start = now(clock);
    for (long k = 1; k < threads; k++) {
        const long from = calls * k / threads, to = calls * (k + 1) / threads;
        started.emplace_back(repeat, std::ref(peer), std::ref(others[k - 1]), function, first + from, to - from);
    }
    repeat(peer, peer.data, function, first, calls / threads);
    for (std::thread &thread : started) {
        thread.join();
    }
    return now(clock) - start;
}
}
