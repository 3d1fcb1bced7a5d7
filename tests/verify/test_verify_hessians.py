"""Second derivatives: what is right passes, and what is wrong by a millionth, or disregards an argument, does not."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from free_robots import robot as free_robot
from oracle_functions import HESSIANS, oracle_functions
from robots_with_drives import equipped

from symgen.verify.compare import verify
from symgen.verify.setting import Setting
from symgen.verify.signatures import signatures

SETTING = Setting(gravity=True, wrenches=(("wrench", "tcp"),), frames=(("tcp", "tcp"),))
STATES = 2
BESIDE = ("inverse_dynamics_derivatives", "inertia_matrix")
"""Functions that identities tie them to."""

JUDGED = ("inverse_dynamics_hessian", "forward_dynamics_second_derivatives")


@functools.cache
def arm():
    return equipped("planar2r")


@functools.cache
def functions():
    return oracle_functions(arm(), SETTING, second=True)


def verified(name, function):
    return verify(arm(), {name: function}, STATES, setting=SETTING)


@pytest.mark.parametrize("robot", [arm(), free_robot("spherical", arm=False)], ids=lambda each: each.name)
def test_what_is_right_passes_with_all_identities(robot):
    setting = SETTING if robot is arm() else Setting()
    every = oracle_functions(robot, setting, second=True)
    report = verify(robot, {name: every[name] for name in (*HESSIANS, *BESIDE)}, STATES, setting=setting)
    assert report.passed, str(report)
    names = {check.name for check in report.checks}
    assert "hessian_qq = symmetric part of slopes of weights . dtau_dq" in names
    assert "hessian_qqdd = slopes of inertia_matrix weights" in names
    assert {
        f"{which}_dynamics_hessian = weights . {which}_dynamics_second_derivatives" for which in ("inverse", "forward")
    } <= names


@pytest.mark.parametrize("name", JUDGED)
def test_a_millionth_in_one_entry_is_caught(name):
    right = functions()[name]
    for number in range(4):

        def wrong(*args, number=number):
            arrays = [np.array(array, order="C") for array in right(*args)]
            flat = arrays[number].reshape(len(args[0]), -1) if args[0].ndim > 1 else arrays[number].reshape(1, -1)
            flat[:, np.abs(flat).max(axis=0).argmax()] *= 1 + 1e-6
            return tuple(arrays)

        assert not verified(name, wrong).passed, number


@pytest.mark.parametrize("name", JUDGED[:1])
def test_an_argument_that_is_disregarded_is_caught(name):
    right = functions()[name]
    for index, argument in enumerate(signatures(arm(), SETTING)[name].arguments):

        def wrong(*args, index=index):
            return right(*(0 * arg if i == index else arg for i, arg in enumerate(args)))

        assert not verified(name, wrong).passed, argument
