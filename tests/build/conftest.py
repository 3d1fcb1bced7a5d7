"""The toy module behind each back end, built once for the session."""

import numpy as np
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
