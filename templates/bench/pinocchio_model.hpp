using Vector = Eigen::VectorXd;
using Matrix3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

double now(clockid_t clock)
{
    timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}

/* Every joint: parent, its kind (0 slides, 1 turns, 3 spherical, 6 floating), rotation (9, by rows), translation (3),
 * mass, centre (3), tensor about it (9). */
constexpr long numbers_of_joint = 27;

/* Collection: the kinds of joints that the model's type knows, as JointCollectionDefaultTpl. */
template <template <typename, int> class Collection>
pinocchio::JointModelTpl<double, 0, Collection> joint_model(int kind)
{
    switch (kind) {
    case 0: return pinocchio::JointModelPZ();
    case 1: return pinocchio::JointModelRZ();
    case 3: return pinocchio::JointModelSpherical();
    default: return pinocchio::JointModelFreeFlyer();
    }
}

template <template <typename, int> class Collection = pinocchio::JointCollectionDefaultTpl>
pinocchio::ModelTpl<double, 0, Collection> model_of(long joints, const double *numbers, const double *gravity)
{
    pinocchio::ModelTpl<double, 0, Collection> model;
    for (long i = 0; i < joints; i++) {
        const double *x = numbers + numbers_of_joint * i;
        const pinocchio::SE3 place(Matrix3(Eigen::Map<const Matrix3>(x + 2)), Eigen::Vector3d(x + 11));
        const pinocchio::Symmetric3 tensor(Eigen::Matrix3d(Eigen::Map<const Matrix3>(x + 18)));
        const pinocchio::Inertia body(x[14], Eigen::Vector3d(x + 15), tensor);
        const auto parent = static_cast<pinocchio::JointIndex>(x[0]);
        const std::string name = "joint" + std::to_string(i + 1);
        const auto index = model.addJoint(parent, joint_model<Collection>(static_cast<int>(x[1])), place, name);
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
