"""Time inverse dynamics of the Panda and its gradient in JAX, jitted and mapped over 10,000 states, beside others'.

    python tests/benchmarks/jax_batches.py [NAME ...]

With names (C, JAX, frax, mjx, brax) only these are timed. It needs the packages `jax` and `frax`, whose file of the
robot is used, and for C gcc and g++; `mujoco-mjx` and `brax` are timed where they are installed. The gradient is that
of the sum of the squares of the joint forces, by q, qd and qdd. Times are the least of several runs. All use the CPU in
double precision. brax has no inverse dynamics with accelerations: its mass matrix times these is added.
"""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
import tempfile
import time
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from symgen import api
from symgen.derive.derivation import Options, derive
from symgen.emit.registry import language

STATES, ROUNDS, JOINTS = 10_000, 5, 7
FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "inverse_dynamics_derivatives")


def panda():
    """The robot's file that frax has, hand and fingers fixed, without shapes, friction, and inertias without mass."""
    tree = ET.parse(importlib.import_module("frax.assets").FRANKA_ASSETS_DIR / "panda.urdf")
    for link in tree.iter("link"):
        for inertial in (each for each in link.findall("inertial") if float(each.find("mass").get("value")) == 0):
            link.remove(inertial)  # MuJoCo takes no inertia without mass
    for kind, left_out in (("link", ("visual", "collision")), ("joint", ("dynamics",))):
        for each in tree.iter(kind):
            for part in (part for name in left_out for part in each.findall(name)):
                each.remove(part)
    return ET.tostring(tree.getroot(), encoding="unicode")


def written(folder, with_c):
    """Inverse dynamics of the generated module and, if wanted, by the compiled C."""
    file = folder / "panda.urdf"
    file.write_text(panda(), encoding="utf-8")
    made = derive(api.load(str(file)), Options(functions=FUNCTIONS)).module
    for target in ("c", "jax"):
        for file, text in language(target).write(made).items():
            (folder / file).write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    name = made.name
    module = importlib.import_module(f"{name}_jax")
    if not with_c:
        return {"JAX": module.inverse_dynamics}
    sources = [f"{name}.c", f"{name}_batch.c"]
    subprocess.run(["gcc", "-O2", "-march=native", "-fPIC", "-c", *sources], cwd=folder, check=True)
    flags = ["-O2", "-w", "-std=c++17", "-fPIC", "-shared", f"-I{jax.ffi.include_dir()}", "-o", "panda_jax_ffi.so"]
    subprocess.run(["g++", *flags, f"{name}_jax_ffi.cc", f"{name}.o", f"{name}_batch.o"], cwd=folder, check=True)
    return {"C": module.compiled(folder / "panda_jax_ffi.so").inverse_dynamics, "JAX": module.inverse_dynamics}


def of_frax():
    """frax's inverse dynamics."""
    panda = importlib.import_module("frax.robots.franka_panda").load_panda()
    gravity = jnp.asarray([0, 0, 0, 0, 0, 9.81])
    return lambda q, v, a: panda.rnea(q, v, a, gravity, None)


def mujoco_model():
    """MuJoCo's model of the robot."""
    return importlib.import_module("mujoco").MjModel.from_xml_string(panda())


def of_mjx():
    """MuJoCo's inverse dynamics in JAX: recursive Newton-Euler, and the kinematics before it."""
    mjx, smooth = (importlib.import_module(name) for name in ("mujoco.mjx", "mujoco.mjx._src.smooth"))
    model = mjx.put_model(mujoco_model())
    empty = mjx.make_data(model)

    def inverse(q, v, a):
        data = empty.replace(qpos=q, qvel=v, qacc=a)
        for stage in (smooth.kinematics, smooth.com_pos, smooth.com_vel):
            data = stage(model, data)
        return smooth.rne(model, data, flg_acc=True).qfrc_bias

    return inverse


def of_brax():
    """brax's joint forces without acceleration, and its mass matrix times that."""
    mjcf, kinematics = (importlib.import_module(f"brax.{name}") for name in ("io.mjcf", "kinematics"))
    dynamics, mass, base = (importlib.import_module(f"brax.{name}") for name in (
        "generalized.dynamics", "generalized.mass", "generalized.base"))  # fmt: skip
    system = mjcf.load_model(mujoco_model())

    def inverse(q, v, a):
        x, xd = kinematics.forward(system, q, v)
        state = base.State.init(q, v, x, xd)
        state = dynamics.transform_com(system, state)
        return mass.matrix(system, state) @ a + dynamics.inverse(system, state)

    return inverse


RIVALS = {"frax": of_frax, "mjx": of_mjx, "brax": of_brax}
PACKAGES = {"frax": "frax", "mjx": "mujoco.mjx", "brax": "brax"}


def timed(name, function, state):
    """Print the time to compile a function, and that of a state."""
    start = time.perf_counter()
    jax.block_until_ready(function(*state))
    first, times = time.perf_counter() - start, []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        jax.block_until_ready(function(*state))
        times.append(time.perf_counter() - start)
    print(f"{name:40} {min(times) / STATES * 1e9:9.0f} ns a state; first call {first:6.1f} s", flush=True)


def installed(package):
    """Whether a package and those around it are there."""
    found = ""
    for part in package.split("."):
        found = f"{found}.{part}" if found else part
        if importlib.util.find_spec(found) is None:
            return False
    return True


def main():
    """Time all."""
    jax.config.update("jax_enable_x64", True)
    warnings.simplefilter("ignore")
    generator = np.random.default_rng(1)
    state = [jnp.asarray(generator.uniform(-1, 1, (STATES, JOINTS))) for _ in range(3)]
    wanted = sys.argv[1:] or ["C", "JAX", *RIVALS]
    with tempfile.TemporaryDirectory() as folder:
        functions = written(Path(folder), "C" in wanted)
        ours, few = jax.jit(jax.vmap(functions["JAX"])), [each[:3] for each in state]
        for name in (name for name in RIVALS if name in wanted):
            if not installed(PACKAGES[name]):
                print(f"{name} is not installed", flush=True)
                continue
            functions[name] = RIVALS[name]()
            worst = abs(jax.jit(jax.vmap(functions[name]))(*few) - ours(*few)).max()
            print(f"{name}: at most {float(worst):.1e} N m from the generated code's", flush=True)
        for name, function in functions.items():

            def squares(*given, function=function):
                return (function(*given) ** 2).sum()

            timed(f"{name}: inverse dynamics", jax.jit(jax.vmap(function)), state)
            timed(f"{name}: gradient", jax.jit(jax.vmap(jax.grad(squares, argnums=(0, 1, 2)))), state)


if __name__ == "__main__":
    main()
