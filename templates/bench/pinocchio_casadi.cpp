/* CasADi's functions of a robot's dynamics, of Pinocchio's templates over casadi::SX, saved to files. */

/* Pinocchio asks of every joint whether it mimics another, which none of ours can. */
#define BOOST_VARIANT_USE_RELAXED_GET_BY_DEFAULT

#include "pinocchio/autodiff/casadi.hpp"

#include "pinocchio/algorithm/aba-derivatives.hpp"
#include "pinocchio/algorithm/aba.hpp"
#include "pinocchio/algorithm/crba.hpp"
#include "pinocchio/algorithm/rnea-derivatives.hpp"
#include "pinocchio/algorithm/rnea.hpp"
#include "pinocchio/multibody.hpp"
#include "pinocchio/multibody/joint.hpp"

#include <ctime>
#include <exception>
#include <string>
#include <vector>

namespace {

{% include "bench/pinocchio_model.hpp" %}

/* The joints that models here have: compilers write out every algorithm for each kind, and Pinocchio knows 25. */
template <typename Scalar_, int Options_> struct Joints {
    using Scalar = Scalar_;
    static constexpr int Options = Options_;
    using JointModelVariant = boost::variant<
        pinocchio::JointModelRevoluteTpl<Scalar, Options, 2>, pinocchio::JointModelPrismaticTpl<Scalar, Options, 2>,
        pinocchio::JointModelSphericalTpl<Scalar, Options>, pinocchio::JointModelFreeFlyerTpl<Scalar, Options>>;
    using JointDataVariant = boost::variant<
        pinocchio::JointDataRevoluteTpl<Scalar, Options, 2>, pinocchio::JointDataPrismaticTpl<Scalar, Options, 2>,
        pinocchio::JointDataSphericalTpl<Scalar, Options>, pinocchio::JointDataFreeFlyerTpl<Scalar, Options>>;
};

using SX = casadi::SX;
using Symbols = Eigen::Matrix<SX, Eigen::Dynamic, 1>;
using Model = pinocchio::ModelTpl<SX, 0, Joints>;
using Data = pinocchio::DataTpl<SX, 0, Joints>;

Symbols entries(const SX &symbols)
{
    Symbols result(symbols.size1());
    for (long i = 0; i < result.size(); i++) {
        result[i] = symbols(i);
    }
    return result;
}

/* The matrix transposed: CasADi stores by columns, and rows are wanted one after the other. */
template <class Matrix> SX by_rows(const Matrix &matrix)
{
    SX result = SX(casadi::Sparsity::dense(matrix.cols(), matrix.rows()));
    for (long i = 0; i < matrix.rows(); i++) {
        for (long j = 0; j < matrix.cols(); j++) {
            result(j, i) = matrix(i, j);
        }
    }
    return result;
}

template <class Matrix> Matrix both_triangles(Matrix matrix)
{
    for (long i = 0; i < matrix.rows(); i++) {
        for (long j = 0; j < i; j++) {
            matrix(i, j) = matrix(j, i);
        }
    }
    return matrix;
}

std::vector<SX> results(const Model &model, int function, const Symbols &q, const Symbols &qd, const Symbols &last)
{
    Data data(model);
    const auto convention = pinocchio::Convention::LOCAL; /* fewer operations than WORLD takes in symbols */
    switch (function) {
    case 0: pinocchio::rnea(model, data, q, qd, last); return {by_rows(data.tau).T()};
    case 1: pinocchio::crba(model, data, q, convention); return {by_rows(both_triangles(data.M))};
    case 2: pinocchio::aba(model, data, q, qd, last, convention); return {by_rows(data.ddq).T()};
    case 3:
        pinocchio::computeRNEADerivatives(model, data, q, qd, last);
        return {by_rows(data.dtau_dq), by_rows(data.dtau_dv)};
    default:
        pinocchio::computeABADerivatives(model, data, q, qd, last);
        return {by_rows(data.ddq_dq), by_rows(data.ddq_dv), by_rows(both_triangles(data.Minv))};
    }
}

} // namespace

/* Saves a function of q, qd and qdd or tau (the inertia matrix: of q alone) as a file; its size, negative if it fails. */
extern "C" long peer_save(long joints, const double *numbers, const double *gravity, int function, const char *path)
{
    try {
        const Model model = model_of<Joints>(joints, numbers, gravity).cast<SX>();
        const SX q = SX::sym("q", model.nq), qd = SX::sym("qd", model.nv), last = SX::sym("last", model.nv);
        const std::vector<SX> made = results(model, function, entries(q), entries(qd), entries(last));
        const casadi::Function whole("f", function == 1 ? std::vector<SX>{q} : std::vector<SX>{q, qd, last}, made);
        whole.save(path);
        return static_cast<long>(whole.n_instructions());
    } catch (const std::exception &) {
        return -1;
    }
}
