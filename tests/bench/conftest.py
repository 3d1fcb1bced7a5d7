"""Robots of benchmarks derived without a search, where tests look at numbers: they are the same."""

import functools

import pytest

from symgen.bench.peers import symgen as ours


@pytest.fixture(scope="module")
def without_search():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ours, "Options", functools.partial(ours.Options, effort="low"))
        yield
