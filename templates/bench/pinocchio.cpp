/* Pinocchio behind plain C functions: a model from numbers, states kept as Eigen vectors, timed loops over them. */
#include "pinocchio/algorithm/aba-derivatives.hpp"
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

{% include "bench/pinocchio_model.hpp" %}

struct Peer {
    pinocchio::Model model;
    pinocchio::Data data;
    std::vector<Vector> q, qd, qdd, tau;
};

void evaluate(Peer &peer, pinocchio::Data &data, int function, long k)
{
    switch (function) {
    case 0: pinocchio::rnea(peer.model, data, peer.q[k], peer.qd[k], peer.qdd[k]); break;
    case 1: pinocchio::crba(peer.model, data, peer.q[k], pinocchio::Convention::WORLD); break;
    case 2: pinocchio::aba(peer.model, data, peer.q[k], peer.qd[k], peer.tau[k], pinocchio::Convention::WORLD); break;
    case 3: pinocchio::computeRNEADerivatives(peer.model, data, peer.q[k], peer.qd[k], peer.qdd[k]); break;
    default: pinocchio::computeABADerivatives(peer.model, data, peer.q[k], peer.qd[k], peer.tau[k]);
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
void peer_results(void *handle, int function, long state, double *first, double *second, double *third)
{
    Peer &peer = *static_cast<Peer *>(handle);
    const long n = peer.model.nv;
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    evaluate(peer, peer.data, function, state);
    switch (function) {
    case 0: Eigen::Map<Vector>(first, n) = peer.data.tau; break;
    case 1: Eigen::Map<Matrix>(first, n, n) = peer.data.M; break;
    case 2: Eigen::Map<Vector>(first, n) = peer.data.ddq; break;
    case 3:
        Eigen::Map<Matrix>(first, n, n) = peer.data.dtau_dq;
        Eigen::Map<Matrix>(second, n, n) = peer.data.dtau_dv;
        break;
    default:
        Eigen::Map<Matrix>(first, n, n) = peer.data.ddq_dq;
        Eigen::Map<Matrix>(second, n, n) = peer.data.ddq_dv;
        Eigen::Map<Matrix>(third, n, n) = peer.data.Minv;
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
