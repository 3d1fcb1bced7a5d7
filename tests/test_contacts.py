"""Functions of contact sets against Pinocchio's constrained and impulse dynamics, welded robots, physics and proofs."""

import functools
import subprocess
from dataclasses import replace

import contact_robots
import numpy as np
import pinocchio as pin
import pytest
from contact_robots import HOPPER, five_bar, gripper, hopper, laden, solo12
from joint_trees import tree
from loop_mechanisms import placement
from module_functions import interpreted, setting_of

import symgen
from symgen.build.compiler import find_compiler
from symgen.derive.derivation import Options, derive
from symgen.derive.subject import subject_of
from symgen.errors import InputError
from symgen.mechanics.loops.contacts import DependentRowsError
from symgen.program.rounding import roundings
from symgen.prove.proof import prove
from symgen.robot.expression import ONE, ZERO
from symgen.robot.loops import ContactSet, CutKind
from symgen.robot.model import BASE, CutJoint, Frame, JointKind, Robot
from symgen.robot.reader import read_text
from symgen.robot.shipped import file_text
from symgen.robot.urdf.write import urdf_text
from symgen.verify.compare import verify
from symgen.verify.loops.constraints import with_ends
from symgen.verify.oracle import Oracle
from symgen.verify.states import draw

ALL = ("contact_dynamics", "contact_impulse", "contact_jacobian", "contact_bias")
OTHERS = ("forward_dynamics", "inertia_matrix", "kinetic_energy", "centroidal_momentum", "center_of_mass")
TOLERANCE = 1e-11


@functools.cache
def derived(name: str):
    return derive(getattr(contact_robots, name)(), Options((*ALL, *OTHERS), effort="low"))


def functions(name: str):
    return interpreted(derived(name))


def states(robot: Robot, seed: int = 0):
    """q, of unit quaternions, q̇ and τ of some states; loops that stay closed are."""
    at = draw(Oracle(with_ends(robot)), 4, seed)
    q = at.q.copy()
    for _, own, _ in robot.coordinates():
        if own.stop - own.start >= 4:
            q[:, own.stop - 4 : own.stop] /= np.linalg.norm(q[:, own.stop - 4 : own.stop], axis=1, keepdims=True)
    return q, at.qd, at.tau


def close(found, expected, tolerance=TOLERANCE) -> bool:
    return bool(np.abs(found - expected).max() <= tolerance * max(1.0, np.abs(expected).max()))


# against Pinocchio -----------------------------------------------------------------------------------------


@functools.cache
def pinocchio_model():
    return pin.buildModelFromXML(urdf_text(solo12()).text)


@pytest.mark.parametrize("name", ["stance", "trot_left", "trot_right"])
def test_feet_on_the_ground_are_pinocchios(name):
    model, robot = pinocchio_model(), solo12()
    data, found = model.createData(), functions("solo12")
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for cut in robot.contact_loops[name]:
        frame = model.frames[model.getFrameId(robot.links[cut.successor.link].name)]
        ends = (0, pin.SE3.Identity(), frame.parentJoint, frame.placement)
        models.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *ends, pin.LOCAL))
        datas.append(models[-1].createData())
    pin.initConstraintDynamics(model, data, models, datas)
    for q, qd, tau in zip(*states(robot), strict=True):
        settings = pin.ProximalSettings(1e-14, 0, 100)
        expected = pin.constraintDynamics(model, data, q, qd, tau, models, datas, settings)
        forces = np.concatenate([each.contact_force.linear for each in datas])
        qdd, multipliers = found[f"contact_dynamics_{name}"](q, qd, tau)
        assert close(qdd, expected, 1e-9)
        assert close(multipliers, -forces, 1e-9)  # Pinocchio's are on the world
        J = found[f"contact_jacobian_{name}"](q)
        after, impulses = found[f"contact_impulse_{name}"](q, qd)
        for rebound in (0.0, 0.3):
            assert close(
                qd + (1 + rebound) * (after - qd), pin.impulseDynamics(model, data, q, qd, J, rebound, 0.0), 1e-9
            )
            assert close((1 + rebound) * impulses, np.array(data.impulse_c), 1e-9)


# against welded robots -----------------------------------------------------------------------------------------


def held(seed: int = 0):
    """States in which the hand holds the object: q of both robots, and q̇ and τ of the welded one."""
    q, qd, tau = states(laden(), seed)
    hands = interpreted(derive(laden(), Options(("forward_kinematics",), frames=("object",), effort="low")))
    poses = hands["forward_kinematics"](q)
    turns = np.array([pin.Quaternion(pose[:3, :3]).coeffs() for pose in poses])
    return q, np.concatenate([q, poses[:, :3, 3], turns], axis=1), qd, tau


def test_a_held_object_moves_as_if_it_were_fixed_to_the_hand():
    q, whole, qd, tau = held()
    J, b = functions("gripper")["contact_jacobian_hold"](whole), None
    # The object's rates follow from the arm's, since the hand holds it.
    own, others = J[..., :8], J[..., 8:]
    rates = np.concatenate([qd, -np.linalg.solve(others, (own @ qd[..., None]))[..., 0]], axis=1)
    forces = np.concatenate([tau, np.zeros((len(tau), 6))], axis=1)
    qdd, multipliers = functions("gripper")["contact_dynamics_hold"](whole, rates, forces)
    welded = derive(laden(), Options(("forward_dynamics",), effort="low"))
    assert close(qdd[:, :8], interpreted(welded)["forward_dynamics"](q, qd, tau))
    # What the hand exerts is what moves the object, in the hand's axes: M q̈ + h of the object alone.
    b = functions("gripper")["contact_bias_hold"](whole, rates)
    assert close((J @ qdd[..., None])[..., 0] + b, np.zeros_like(b))
    inertia = functions("gripper")["inertia_matrix"](whole)[:, 8:, 8:]
    weight = functions("gripper")["forward_dynamics"](whole, rates, forces)[:, 8:]
    moved = (inertia @ (qdd[:, 8:] - weight)[..., None])[..., 0]
    assert close((np.swapaxes(others, -1, -2) @ multipliers[..., None])[..., 0], moved)


def test_closing_a_hand_keeps_all_momentum():
    _, q, _, _ = held()
    qd = np.random.default_rng(3).normal(size=(len(q), 14))
    after, _ = functions("gripper")["contact_impulse_hold"](q, qd)
    momentum = functions("gripper")["centroidal_momentum"]
    assert close(momentum(q, after), momentum(q, qd))
    assert not close(after, qd, 1e-3)


# physics -----------------------------------------------------------------------------------------------------


def test_feet_that_land_lose_energy_and_change_the_momentum_by_their_impulses():
    q, qd, _ = states(solo12())
    found = functions("solo12")
    J = found["contact_jacobian_stance"](q)
    after, impulses = found["contact_impulse_stance"](q, qd)
    assert close((J @ after[..., None])[..., 0], 0 * impulses)
    assert (found["kinetic_energy"](q, after) < found["kinetic_energy"](q, qd)).all()
    lost = found["kinetic_energy"](q, qd) - found["kinetic_energy"](q, after)
    relative = after - qd
    expected = np.einsum("si,sij,sj->s", relative, found["inertia_matrix"](q), relative) / 2
    assert close(lost, expected)
    change = found["centroidal_momentum"](q, after) - found["centroidal_momentum"](q, qd)
    feet = impulses.reshape(-1, 4, 3)
    assert close(change[:, 3:], feet.sum(axis=1))


@pytest.mark.parametrize(("name", "contact"), [("solo12", "stance"), ("hopper", "stance"), ("five_bar", "pinned")])
def test_the_bias_is_the_rate_of_the_velocities_of_what_touches_the_world(name, contact):
    robot, found = getattr(contact_robots, name)(), functions(name)
    q, qd, _ = states(robot)
    tree = qd
    if robot.has_loops:
        G = interpreted(derive(robot, Options(("velocity_transformation",), effort="low")))["velocity_transformation"]
        tree = (G(q) @ qd[..., None])[..., 0]
    step = 1e-6
    move = interpreted(derive(replace(robot, cut_joints=()), Options(("integrate",), effort="low")))["integrate"]
    if robot.has_loops:  # to second order on the constraints: their curvature cancels in the central difference
        ends = [q + sign * step * tree for sign in (1, -1)]
    else:
        ends = [move(q, sign * step * tree) for sign in (1, -1)]
    ahead, behind = ((found[f"contact_jacobian_{contact}"](end) @ qd[..., None])[..., 0] for end in ends)
    assert close((ahead - behind) / (2 * step), found[f"contact_bias_{contact}"](q, qd), 1e-7)


def test_what_cannot_move_carries_nothing():
    """The hopper is in the x-z plane: its foot cannot leave it."""
    q, qd, tau = states(hopper())
    _, multipliers = functions("hopper")["contact_dynamics_stance"](q, qd, tau)
    assert np.array_equal(multipliers[:, 1], np.zeros(len(q)))
    assert np.abs(multipliers[:, [0, 2]]).min() > 0
    # At rest with a stretched leg the ground carries the weight.
    stretched, still = np.array([[0.0, 0.6, 0.0, 0.0, 0.0]]), np.zeros((1, 5))
    _, weight = functions("hopper")["contact_dynamics_stance"](stretched, still, still)
    assert close(weight, np.array([[0, 0, 4.9 * 9.81]]), 0.1)


def test_where_on_the_ground_a_foot_stands_does_not_matter():
    q, qd, tau = states(hopper())
    far = replace(hopper(), switched=tuple(_moved(cut) for cut in hopper().switched))
    other = interpreted(derive(far, Options(("contact_dynamics",), effort="low")))["contact_dynamics_stance"]
    for one, same in zip(functions("hopper")["contact_dynamics_stance"](q, qd, tau), other(q, qd, tau), strict=True):
        assert close(one, same)


def _moved(cut: CutJoint) -> CutJoint:
    return replace(cut, predecessor=replace(cut.predecessor, placement=placement(pin.SE3(np.eye(3), np.ones(3)))))


# oracle and proofs ---------------------------------------------------------------------------------------------


def checked(derivation, states: int = 20) -> None:
    robot = derivation.subject.robot
    found = interpreted(derivation)
    report = verify(robot, found, states, setting=setting_of(derivation), roundings=roundings(derivation.module))
    assert report.passed, str(report)
    assert [proof.function for proof in prove(derivation) if not proof.holds] == []


@pytest.mark.parametrize("name", ["hopper", "gripper", "five_bar"])
def test_they_are_verified_and_proved(name):
    checked(derived(name))


def test_inputs_and_parameters_at_run_time():
    """Gravity, a wrench, a leg's length, feet in the axes of the foot instead of the world's."""
    text = HOPPER.replace('{ frame = "foot" }', '{ link = "shank", xyz = [0, 0, "-F"] }').replace(
        "L = 0.3", "L = 0.3\nF = 0.3"
    )
    hopper = functools.partial(read_text, text, "hopper.toml")
    ends = {cut.name: replace(cut, predecessor=cut.successor, successor=cut.predecessor) for cut in hopper().switched}
    robot = replace(hopper(), switched=tuple(ends.values()))
    options = Options(ALL, gravity="runtime", wrenches=("foot",), parameters=("L", "F", "m1"), effort="low")
    checked(derive(robot, options))


def touching(seed: int) -> Robot:
    """A random tree with a contact of each kind between two links or a link and the base, in a set of its own."""
    chance = np.random.default_rng(seed)
    kinds = (JointKind.REVOLUTE, JointKind.PRISMATIC, JointKind.FLOATING, JointKind.PLANAR)
    robot = tree(seed, 4, kinds)
    cuts = []
    for kind in CutKind:
        links = chance.choice([BASE, *range(len(robot.links))], 2, replace=False)
        places = [
            placement(pin.SE3(pin.rpy.rpyToMatrix(*chance.uniform(-1, 1, 3)), chance.uniform(-0.3, 0.3, 3)))
            for _ in links
        ]
        ends = [Frame(f"{kind.value} {link}", int(link), place) for link, place in zip(links, places, strict=True)]
        cuts.append(CutJoint(kind.value, kind, *ends, ONE if kind is CutKind.ROD else ZERO))
    sets = tuple(ContactSet(cut.name, (cut.name,)) for cut in cuts)
    robot = replace(robot, switched=tuple(cuts), contacts=sets)
    return replace(robot, contacts=tuple(each for each in sets if _is_determined(robot, each.name)))


def _is_determined(robot: Robot, name: str) -> bool:
    try:
        subject_of(robot, Options()).scope("base").contact_rows(name)
    except DependentRowsError:
        return False
    return True


SEEDS = (4, 25)


def test_the_random_robots_touch_in_all_ways():
    assert {each.name for seed in SEEDS for each in touching(seed).contacts} == {kind.value for kind in CutKind}


@pytest.mark.parametrize("seed", SEEDS)
def test_random_contacts_are_verified_and_proved(seed):
    checked(derive(touching(seed), Options(("contact_dynamics", *ALL[2:]), effort="low")), states=4)


# what is asked for -----------------------------------------------------------------------------------------------


def test_functions_carry_the_names_of_their_sets():
    one = derive(solo12(), Options(("contact_jacobian:trot_left", "contact_bias"), effort="low"))
    assert [function.name for function in one.module.functions] == [
        "contact_bias_stance",
        "contact_jacobian_trot_left",
        "contact_bias_trot_left",
        "contact_bias_trot_right",
    ]
    assert not any(name.startswith("contact") for name in derive(hopper()).counts)


@pytest.mark.parametrize(
    ("robot", "functions", "words"),
    [
        ("puma", ("contact_dynamics",), r"functions? of contact sets, and this robot has none; name loops"),
        ("puma", ("contact_dynamics:stance",), "this robot has none"),
        (
            "solo12",
            ("contact_dynamics:walk",),
            "no contact set is called 'walk'; there are: stance, trot_left, trot_right",
        ),
        ("solo12", ("inertia_matrix:stance",), "unknown function 'inertia_matrix'; there are: contact_dynamics"),
        ("solo12", ("contact:stance",), "unknown function 'contact'; there are: contact_dynamics, contact_impulse"),
    ],
)
def test_sets_that_are_not_there_are_named(robot, functions, words):
    with pytest.raises(InputError, match=words):
        derive(symgen.load(robot), Options(functions))


def test_contacts_that_share_a_load_as_they_like_are_refused():
    """Two points of the shank, both held: their distance does not change anyway."""
    (cut,) = hopper().switched
    heel = replace(cut, name="heel", successor=replace(cut.successor, placement=()))
    robot = replace(hopper(), switched=(cut, heel), contacts=(ContactSet("both", ("sole", "heel")),))
    words = (
        "indeterminate multipliers: the contact set 'both' holds 4 components of velocities, of which 3 are independent"
    )
    for name in ("contact_dynamics", "contact_impulse:both"):
        with pytest.raises(InputError, match=words):
            derive(robot, Options((name,)))
    made = derive(robot, Options(("all",), effort="low"))
    assert {name for name in made.counts if name.startswith("contact")} == {
        "contact_jacobian_both",
        "contact_bias_both",
    }
    assert [words in notice for notice in made.notices].count(True) == 2


def test_a_compiled_module_has_them(tmp_path):
    module = symgen.generate(hopper(), functions=["contact_dynamics", "contact_impulse"], output=tmp_path, states=10)
    qdd, forces = module.contact_dynamics_stance(np.zeros(5), np.zeros(5), np.zeros(5))
    assert qdd.shape == (5,)
    assert forces.shape == (3,)
    assert "hopper_contact_dynamics_stance(" in (tmp_path / "hopper.h").read_text(encoding="utf-8")
    assert module.units["contact_impulse_stance"]["impulses"] == "N s"


SINGULAR = """
#include <math.h>
#include <stdio.h>
#include "planar2r.h"

int main(void)
{
    double q[2] = {0.3, 0.0}, still[2] = {0.0, 0.0}, qdd[2], forces[3];
    int stretched = planar2r_contact_dynamics_tip(q, still, still, qdd, forces);
    printf("%d %d ", stretched == PLANAR2R_SINGULAR, isnan(forces[0]));
    q[1] = 0.5;
    int bent = planar2r_contact_dynamics_tip(q, still, still, qdd, forces);
    printf("%d %d\\n", bent, isnan(forces[0]));
    return 0;
}
"""


def test_forces_that_a_posture_leaves_open_are_no_numbers(tmp_path):
    """The tip of a stretched arm, held: along the arm any force would do."""
    text = file_text("planar2r") + (
        '\n[[loops]]\nname = "tip"\njoint = "spherical"\npredecessor = { link = "base" }\n'
        'successor = { link = "link2" }\n[contacts]\ntip = ["tip"]\n'
    )
    robot = read_text(text, "planar2r.toml")
    module = symgen.generate(robot, functions=["contact_dynamics"], output=tmp_path, states=10)
    q, still = np.array([[0.3, 0.0], [0.3, 0.5]]), np.zeros((2, 2))
    qdd, forces = module.contact_dynamics_tip(q, still, still)
    assert np.isnan(forces[0, :2]).all()
    assert close(qdd[1], 0 * qdd[1])
    assert np.isfinite(forces[1]).all()
    (tmp_path / "main.c").write_text(SINGULAR, encoding="utf-8")
    files = [str(tmp_path / name) for name in ("main.c", "planar2r.c")]
    subprocess.run([*find_compiler().command, "-O2", *files, "-lm", "-o", str(tmp_path / "main")], check=True)
    printed = subprocess.run([str(tmp_path / "main")], check=True, capture_output=True, text=True).stdout
    assert printed.split() == ["1", "1", "0", "0"]
    assert "contact forces are not determined" in (tmp_path / "planar2r.h").read_text(encoding="utf-8")


def test_five_bars_held_at_the_tip_stand_still():
    q, qd, tau = states(five_bar())
    found = functions("five_bar")
    qdd, _ = found["contact_dynamics_pinned"](q, 0 * qd, tau)
    assert close(qdd, 0 * qdd)
    after, _ = found["contact_impulse_pinned"](q, qd)
    assert close(after, 0 * after)
    after, _ = found["contact_impulse_sliding"](q, qd)
    assert np.abs(after).min() > 0


def test_a_held_object_is_left_free_by_other_functions():
    q, qd, tau = states(gripper())
    free = derive(replace(gripper(), switched=(), contacts=()), Options(("forward_dynamics",), effort="low"))
    assert close(
        functions("gripper")["forward_dynamics"](q, qd, tau), interpreted(free)["forward_dynamics"](q, qd, tau)
    )
