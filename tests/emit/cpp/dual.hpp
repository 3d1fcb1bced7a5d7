/* Dual numbers for tests: a value and its derivative along one direction. Numbers of type T become dual only
 * where they are told to, if Explicit; else they mix with dual ones. */
#include <cmath>

template <class T, bool Explicit>
struct Dual {
    T value{}, slope{};

    Dual() = default;
    Dual(const T &v, const T &s) : value(v), slope(s) {}
    template <class Number, std::enable_if_t<Explicit && std::is_convertible_v<Number, T>, int> = 0>
    explicit Dual(const Number &v) : value(v) {}
    template <class Number, std::enable_if_t<!Explicit && std::is_convertible_v<Number, T>, int> = 1>
    Dual(const Number &v) : value(v) {}

    friend Dual operator+(const Dual &a, const Dual &b) { return {a.value + b.value, a.slope + b.slope}; }
    friend Dual operator-(const Dual &a, const Dual &b) { return {a.value - b.value, a.slope - b.slope}; }
    friend Dual operator-(const Dual &a) { return {-a.value, -a.slope}; }
    friend Dual operator*(const Dual &a, const Dual &b) { return {a.value*b.value, a.value*b.slope + a.slope*b.value}; }
    friend Dual operator/(const Dual &a, const Dual &b)
    {
        const T ratio = a.value/b.value;
        return {ratio, (a.slope - ratio*b.slope)/b.value};
    }
    friend bool operator<(const Dual &a, const Dual &b) { return a.value < b.value; }
    friend bool operator>(const Dual &a, const Dual &b) { return b < a; }
    friend bool operator<=(const Dual &a, const Dual &b) { return !(b < a); }

    friend Dual sin(const Dual &a)
    {
        using std::cos, std::sin;
        return {sin(a.value), cos(a.value)*a.slope};
    }
    friend Dual cos(const Dual &a)
    {
        using std::cos, std::sin;
        return {cos(a.value), -(sin(a.value)*a.slope)};
    }
    friend Dual sqrt(const Dual &a)
    {
        using std::sqrt;
        const T root = sqrt(a.value);
        return {root, a.slope/(root + root)};
    }
    friend Dual tanh(const Dual &a)
    {
        using std::tanh;
        const T t = tanh(a.value);
        return {t, (T(1) - t*t)*a.slope};
    }
    friend Dual atan(const Dual &a)
    {
        using std::atan;
        return {atan(a.value), a.slope/(T(1) + a.value*a.value)};
    }
};
