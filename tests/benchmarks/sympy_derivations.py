"""Equations of motion of a serial arm: by symgen, and as one derives them today in plain SymPy.

Every way is a generator that yields results as they become ready: the entries j ≤ i of the generalized inertia matrix
(GIM) and the joint torques of inverse dynamics, gravity included. Symbols are real and go by name: q1, qd1, qdd1, and
m1, a1, Ixx1 … for the numbers of the table, g for gravity. Only `arm` and `closed_form` use symgen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr, Matrix, Symbol

Result = tuple[str, Expr]
"""A label, I(2,1) or tau(2), and the expression."""


@dataclass(frozen=True)
class Link:
    """A revolute joint, a row Rz(q) Tz(b) Tx(a) Rx(alpha) of a standard table, and the link's inertia.

    `com` leads from the origin of the link's frame, at its far end, to the mass centre; `tensor` holds xx, yy, zz, xy,
    xz, yz about the mass centre. Both are in the link's frame.
    """

    a: Expr
    alpha: Expr
    b: Expr
    mass: Expr
    com: tuple[Expr, ...]
    tensor: tuple[Expr, ...]


@dataclass(frozen=True)
class Arm:
    """A serial arm; gravity is in the base frame."""

    links: tuple[Link, ...]
    gravity: tuple[Expr, ...]

    def symbols(self, stem: str) -> list[Symbol]:
        """One symbol for each joint."""
        return [Symbol(f"{stem}{i + 1}", real=True) for i in range(len(self.links))]


def arm(name: str) -> Arm:
    """A robot of symgen's library, with symbols as in its closed forms: for all numbers but 0 and the twists."""
    from symgen.algebra.ring import Ring
    from symgen.robot.library import load
    from symgen.robot.symbolic import symbolic

    def of(expression):
        return expression.evaluate(lambda value: Ring().constant(value).sympy(), lambda name: Symbol(name, real=True))

    robot = symbolic(load(name), gravity=True).robot
    links = (
        Link(*map(of, (row.a, row.alpha, row.b, body.mass)), tuple(map(of, body.com)), tuple(map(of, body.tensor)))
        for row, body in ((link.row, link.inertia) for link in robot.links)
    )
    return Arm(tuple(links), tuple(map(of, robot.gravity)))


# the ways ------------------------------------------------------------------------------------------------


def closed_form(name: str) -> Iterator[Result]:
    """symgen's closed forms of a robot of the library."""
    import symgen

    closed = symgen.closed_form(name)
    yield from _inertia(closed.inertia_matrix.matrix)
    yield from _torques(closed.tau.matrix)


def kane(arm: Arm) -> Iterator[Result]:
    """Kane's method of sympy.physics.mechanics, as it comes out; its Lagrange's method is far slower for six joints."""
    from sympy.physics import mechanics

    n = len(arm.links)
    q, u = mechanics.dynamicsymbols(f"q1:{n + 1}"), mechanics.dynamicsymbols(f"u1:{n + 1}")
    base, origin = mechanics.ReferenceFrame("N"), mechanics.Point("O")
    origin.set_vel(base, 0)
    frame, bodies, loads = base, [], []
    for i, link in enumerate(arm.links):
        turned = frame.orientnew(f"J{i + 1}", "Axis", (q[i], frame.z))
        turned.set_ang_vel(frame, u[i] * frame.z)
        far = turned.orientnew(f"L{i + 1}", "Axis", (link.alpha, turned.x))
        end = origin.locatenew(f"O{i + 1}", link.b * turned.z + link.a * turned.x)
        end.v2pt_theory(origin, base, far)
        centre = end.locatenew(f"C{i + 1}", _vector(link.com, far))
        centre.v2pt_theory(end, base, far)
        xx, yy, zz, xy, xz, yz = link.tensor
        inertia = mechanics.inertia(far, xx, yy, zz, xy, yz, xz)
        bodies.append(mechanics.RigidBody(f"B{i + 1}", centre, far, link.mass, (inertia, centre)))
        loads.append((centre, link.mass * _vector(arm.gravity, base)))
        frame, origin = far, end
    method = mechanics.KanesMethod(base, q, u, [x.diff() - y for x, y in zip(q, u, strict=True)])
    active, inertial = method.kanes_equations(bodies, loads)
    functions = [*q, *u, *(y.diff() for y in u)]
    names = dict(zip(functions, arm.symbols("q") + arm.symbols("qd") + arm.symbols("qdd"), strict=True))
    yield from _inertia(method.mass_matrix.xreplace(names))
    yield from _torques((-active - inertial).xreplace(names))


def lagrange(arm: Arm, simplified: Callable[[str, Expr], Expr]) -> Iterator[Result]:
    """The Lagrangian by hand: each entry of the GIM simplified, then each torque that follows from them.

    The shortest entry first, so that as many as possible are ready when time is up. `simplified` is given the label of
    what it has to simplify, too.
    """
    n = len(arm.links)
    inertia, potential = _energies(arm)
    for i, j in sorted(_places(n), key=lambda place: sympy.count_ops(inertia[place])):
        label = _label("I", i, j)
        inertia[i, j] = inertia[j, i] = simplified(label, inertia[i, j])
        yield label, inertia[i, j]
    q, rate, acceleration = arm.symbols("q"), Matrix(arm.symbols("qd")), Matrix(arm.symbols("qdd"))
    momentum = inertia * rate
    kinetic = (rate.T * momentum)[0] / 2
    for i in reversed(range(n)):
        label = _label("tau", i)
        change = (inertia[i, :] * acceleration)[0] + sum(momentum[i].diff(q[k]) * rate[k] for k in range(n))
        yield label, simplified(label, change - (kinetic - potential).diff(q[i]))


def labels(n: int) -> list[str]:
    """Labels of all results for n joints."""
    return [_label("I", *place) for place in _places(n)] + [_label("tau", i) for i in range(n)]


# parts -----------------------------------------------------------------------------------------------------


def _energies(arm: Arm) -> tuple[Matrix, Expr]:
    """The GIM, Σ m J_vᵀ J_v + J_ωᵀ R I Rᵀ J_ω over the links, and the potential energy, −Σ m g·c."""
    n = len(arm.links)
    inertia, potential = sympy.zeros(n, n), sympy.Integer(0)
    pose, axes, points = sympy.eye(4), [], []
    for i, (link, q) in enumerate(zip(arm.links, arm.symbols("q"), strict=True)):
        axes.append(pose[:3, 2])
        points.append(pose[:3, 3])
        pose = pose * _row(link, q)
        R = pose[:3, :3]
        centre = pose[:3, 3] + R * Matrix(link.com)
        xx, yy, zz, xy, xz, yz = link.tensor
        tensor = R * Matrix([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) * R.T
        linear, angular = sympy.zeros(3, n), sympy.zeros(3, n)
        for j in range(i + 1):
            linear[:, j], angular[:, j] = axes[j].cross(centre - points[j]), axes[j]
        inertia += link.mass * linear.T * linear + angular.T * tensor * angular
        potential -= link.mass * Matrix(arm.gravity).dot(centre)
    return inertia, potential


def _row(link: Link, q: Symbol) -> Matrix:
    """The transform of a row, 4×4."""
    c, s, ca, sa = sympy.cos(q), sympy.sin(q), sympy.cos(link.alpha), sympy.sin(link.alpha)
    rows = [[c, -s * ca, s * sa, link.a * c], [s, c * ca, -c * sa, link.a * s], [0, sa, ca, link.b], [0, 0, 0, 1]]
    return Matrix(rows)


def _vector(entries: Iterable[Expr], frame: Any) -> Any:
    """The vector with these entries in a frame of sympy.physics.mechanics."""
    return sum(x * axis for x, axis in zip(entries, frame, strict=True))


def _places(n: int) -> Iterator[tuple[int, int]]:
    return ((i, j) for i in range(n) for j in range(i + 1))


def _label(name: str, *place: int) -> str:
    return f"{name}({','.join(str(index + 1) for index in place)})"


def _inertia(matrix: Matrix) -> Iterator[Result]:
    yield from ((_label("I", i, j), matrix[i, j]) for i, j in _places(matrix.rows))


def _torques(entries: Iterable[Expr]) -> Iterator[Result]:
    yield from ((_label("tau", i), entry) for i, entry in enumerate(entries))
