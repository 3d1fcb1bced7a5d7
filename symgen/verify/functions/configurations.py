"""Functions of configurations: q ⊕ v, its inverse, and quaternions of length 1."""

from __future__ import annotations

import numpy as np

from symgen.robot.model import Robot
from symgen.verify import manifold
from symgen.verify.balls import Ball
from symgen.verify.comparison import Comparison
from symgen.verify.entry import NQ, NV, Entry, Identity, Pair, Signature
from symgen.verify.expected import Expected
from symgen.verify.geometry import Floats
from symgen.verify.manifold import Place

EVERY = 8
"""Every so manyth state is one of the special ones of each kind."""

SMALL = 1e-9

ROUNDINGS = 4.0
"""By how much the series and its squares lose more than a few operations."""


# what functions should return, and the sizes of what that is made of ---------------------------------------


def _integrate(at: Expected, _: Signature) -> list[Ball]:
    robot, q, v = at.oracle.robot, at.q, at.given["v"]
    sizes = np.abs(q) + 0 * v[..., :1]
    for place in manifold.places(robot):
        own, step = sizes[..., place.q], np.abs(v[..., place.v])
        if not place.turns:
            own += step
            continue
        own[..., place.slides :] = 1 if place.has_quaternion else own[..., place.slides :] + step[..., place.slides :]
        own[..., : place.slides] += _summed(step[..., : place.slides]) * _turned(place, q)
    return [at.ball(manifold.integrate(robot, q, v), lambda by: ROUNDINGS * sizes)]


def _difference(at: Expected, _: Signature) -> list[Ball]:
    robot, q0, q1 = at.oracle.robot, at.given["q0"], at.given["q1"]
    sizes = np.zeros((*q0.shape[:-1], robot.nv))
    for place in manifold.places(robot):
        first, last, own = q0[..., place.q], q1[..., place.q], sizes[..., place.v]
        if not place.turns:
            own[...] = np.abs(first) + np.abs(last)
            continue
        turned = _turned(place, q0) + _turned(place, q1)
        own[..., : place.slides] = _summed((np.abs(first) + np.abs(last))[..., : place.slides]) * turned
        own[..., place.slides :] = turned
    return [at.ball(manifold.difference(robot, q0, q1), lambda by: ROUNDINGS * sizes)]


def _normalize(at: Expected, _: Signature) -> list[Ball]:
    value = manifold.normalize(at.oracle.robot, at.q)
    return [at.ball(value, lambda by: np.abs(value))]


def _summed(entries: Floats) -> Floats:
    return np.asarray(np.sum(entries, axis=-1, keepdims=True))


def _turned(place: Place, q: Floats) -> Floats:
    """How large the numbers are that an orientation is made of, (…, 1): 1, and an angle where it has one."""
    angle = np.abs(q[..., place.q][..., place.slides :])
    return 2 + (0 * angle[..., :1] if place.has_quaternion else angle)


# identities --------------------------------------------------------------------------------------------


def _arrives(subject: Comparison, signature: Signature) -> Pair:
    """integrate(q0, difference(q0, q1)) and q1: quaternions of either sign, angles of planar joints by full turns."""
    robot, q0, q1 = subject.oracle.robot, subject.at.others["q0"], subject.at.others["q1"]
    step = subject.one(signature.name)
    found = subject.one("integrate", q=q0, v=step.value).wider(_spread(robot, step))
    expected = manifold.normalize(robot, q1)
    for place in manifold.places(robot):
        there, here = expected[..., place.q], found.value[..., place.q]
        if place.has_quaternion:
            there[..., -4:] *= np.where(np.sum(there[..., -4:] * here[..., -4:], axis=-1, keepdims=True) < 0, -1, 1)
        elif place.turns:
            there[..., -1] += 2 * np.pi * np.round((here[..., -1] - there[..., -1]) / (2 * np.pi))
    return found, subject.expected.ball(expected, lambda by: np.abs(expected) + np.abs(q1))


def _spread(robot: Robot, step: Ball) -> Floats:
    """What errors of a step make of where it leads to.

    They turn the link by no more than they are long and move it by that and, since it is turned on its way, by half of
    what they turn it times the length of the step.
    """
    result = np.zeros((*step.value.shape[:-1], robot.nq))
    for place in manifold.places(robot):
        own, value, radius = result[..., place.q], step.value[..., place.v], step.radius[..., place.v]
        if not place.turns:
            own[...] = radius
            continue
        moved, off = value[..., : place.slides], np.linalg.norm(radius[..., place.slides :], axis=-1, keepdims=True)
        far = np.linalg.norm(radius[..., : place.slides], axis=-1, keepdims=True)
        own[..., : place.slides] = far + off * np.linalg.norm(moved, axis=-1, keepdims=True) / 2
        own[..., place.slides :] = off
    return result


# random arguments --------------------------------------------------------------------------------------


def _step(random: np.random.Generator, robot: Robot, states: int) -> Floats:
    """Steps of up to half a turn about each axis; some are small, some 0."""
    scale = np.ones(states)
    scale[EVERY - 2 :: EVERY], scale[EVERY - 1 :: EVERY] = SMALL, 0
    return random.uniform(-np.pi, np.pi, (states, robot.nv)) * scale[:, None]


def _start(random: np.random.Generator, robot: Robot, states: int) -> Floats:
    q = _anywhere(random, robot, states)
    for kind in (1, 2, 3):
        q[EVERY - kind :: EVERY] = _neutral(robot)
    return q


def _end(random: np.random.Generator, robot: Robot, states: int) -> Floats:
    """Beside `_start`: some are the same, some are near, some half a turn away."""
    q = _anywhere(random, robot, states)
    q[EVERY - 2 :: EVERY] = _neutral(robot) + SMALL * q[EVERY - 2 :: EVERY]
    q[EVERY - 1 :: EVERY] = _neutral(robot)
    for place in manifold.places(robot):
        if place.has_quaternion:
            q[EVERY - 3 :: EVERY, place.q.stop - 1] = 0
    return q


def _neutral(robot: Robot) -> Floats:
    return np.array([each.position.neutral for each in robot.positions])


def _anywhere(random: np.random.Generator, robot: Robot, states: int) -> Floats:
    """Angles and lengths in their reach; entries of quaternions within ±1, so that these have any length."""
    reach = [each.position.reach or 1.0 for each in robot.positions]
    return random.uniform(-1, 1, (states, robot.nq)) * reach


# entries -----------------------------------------------------------------------------------------------

INTEGRATE = Entry("integrate", ("q", "v"), ((NQ,),), _integrate, drawn={"v": _step})

DIFFERENCE = Entry(
    "difference",
    ("q0", "q1"),
    ((NV,),),
    _difference,
    drawn={"q0": _start, "q1": _end},
    identities=(Identity("integrate(q0, difference(q0, q1)) = q1", ("integrate",), _arrives),),
)

NORMALIZE = Entry("normalize", ("q",), ((NQ,),), _normalize)
