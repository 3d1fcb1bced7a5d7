"""The toy modules behind each back end, built once for the session."""

from functools import partial

import numpy as np
import parameter_module as pendulum
import pytest
import toy_module as toy

from symgen.build.callables import bind, bind_loops, bind_numpy
from symgen.build.extension import build_extension, build_library
from symgen.build.loading import load_extension
from symgen.emit.binding import emit_binding, emit_loops


@pytest.fixture(scope="session")
def shared_directory(tmp_path_factory):
    """One cache for the session, in a directory with a space and letters beyond ASCII."""
    return tmp_path_factory.mktemp("a cache") / "für symgen θ"


@pytest.fixture
def cache(shared_directory, monkeypatch):
    monkeypatch.setenv("SYMGEN_CACHE", str(shared_directory))
    return shared_directory


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    directory = tmp_path / "cache"
    monkeypatch.setenv("SYMGEN_CACHE", str(directory))
    return directory


@pytest.fixture(scope="session")
def extension(shared_directory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SYMGEN_CACHE", str(shared_directory))
        return build_extension("toy", toy.sources(), emit_binding(toy.MODULE))


@pytest.fixture(scope="session")
def library(shared_directory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SYMGEN_CACHE", str(shared_directory))
        return build_library("toy", toy.sources(), emit_loops(toy.MODULE))


@pytest.fixture(scope="session")
def functions_of(extension, library):
    def counts(function):
        return f"{len(function.inputs)} multiplications"

    return {
        "extension": bind(toy.MODULE, load_extension(extension), counts),
        "loops": bind_loops(toy.MODULE, library, counts),
        "numpy": bind_numpy(toy.MODULE, toy.NAMESPACE, counts),
    }


@pytest.fixture(scope="session")
def float_functions_of(shared_directory):
    """The toy in float32."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SYMGEN_CACHE", str(shared_directory))
        sources = toy.sources(real="float32")
        extension = build_extension("toy", sources, emit_binding(toy.FLOAT_MODULE))
        library = build_library("toy", sources, emit_loops(toy.FLOAT_MODULE))
    return {
        "extension": bind(toy.FLOAT_MODULE, load_extension(extension)),
        "loops": bind_loops(toy.FLOAT_MODULE, library),
        "numpy": bind_numpy(toy.FLOAT_MODULE, toy.NAMESPACE),
    }


@pytest.fixture(scope="session", params=["float64", "float32"])
def pendulum_module(request):
    """The module with run-time parameters, in each real type in turn."""
    return pendulum.module(request.param)


@pytest.fixture(scope="session")
def pendulum_loaded(shared_directory, pendulum_module):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SYMGEN_CACHE", str(shared_directory))
        sources = pendulum.sources(pendulum_module.real)
        return load_extension(build_extension("pendulum", sources, emit_binding(pendulum_module)))


@pytest.fixture(scope="session")
def pendulum_library(shared_directory, pendulum_module):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SYMGEN_CACHE", str(shared_directory))
        return build_library("pendulum", pendulum.sources(pendulum_module.real), emit_loops(pendulum_module))


@pytest.fixture(params=["extension", "loops", "numpy"])
def pendulum_bind(request, pendulum_module):
    """`bind(values=None)` of each back end in turn."""
    if request.param == "extension":
        return partial(bind, pendulum_module, request.getfixturevalue("pendulum_loaded"))
    if request.param == "loops":
        return partial(bind_loops, pendulum_module, request.getfixturevalue("pendulum_library"))
    return partial(bind_numpy, pendulum_module, pendulum.NAMESPACE)


@pytest.fixture(params=["extension", "loops", "numpy"])
def functions(request, functions_of):
    """The toy's functions, through each back end in turn."""
    return functions_of[request.param]


@pytest.fixture
def compiled(functions_of):
    return functions_of["extension"]


@pytest.fixture
def vectors():
    return np.random.default_rng(2).normal(size=(3, toy.SIZE))


@pytest.fixture
def batches():
    return np.random.default_rng(3).normal(size=(3, 4, 5, toy.SIZE))
