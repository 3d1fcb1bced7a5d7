"""Packages of three robots, written once for all tests here."""

import os
import subprocess

import pytest

from symgen.derive.derivation import Options, derive
from symgen.package import package_files, write_package
from symgen.robot.library import load
from symgen.runtime.module import emit

OPTIONS = {
    "puma": Options(),
    "scara": Options(("all",), parameters="runtime", gravity="runtime", wrenches=("gripper",)),
    "planar3r": Options(real="float32"),
}


@pytest.fixture(scope="session")
def derivations():
    return {name: derive(load(name), options) for name, options in OPTIONS.items()}


@pytest.fixture(scope="session")
def written(derivations, tmp_path_factory):
    """Robot → the directory of its package; not to be changed."""
    root = tmp_path_factory.mktemp("packages")
    for name, derivation in derivations.items():
        write_package(load(name), derivation, emit(derivation.module), root / f"{name}_pkg")
    return {name: root / f"{name}_pkg" for name in derivations}


@pytest.fixture(scope="session")
def puma_files(derivations):
    derivation = derivations["puma"]
    return package_files(load("puma"), derivation, emit(derivation.module))


@pytest.fixture(scope="session")
def run():
    """Runs a command; returns what it prints, after checking its exit status."""

    def run_command(*command, status=0, **options):
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "CFLAGS", "CC")}
        environment |= options.pop("env", {})
        done = subprocess.run(
            [str(word) for word in command],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            **options,
        )
        assert done.returncode == status, f"{command} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    return run_command
