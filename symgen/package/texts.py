"""Module, its sources and test vectors → the files of a package: C library, Python package, self-tests, README.

README.md, CMakeLists.txt, Makefile, <robot>.pc.in
include/<robot>.h, <robot>_batch.h, src/<robot>.c, <robot>_batch.c
examples/example.c, tests/selftest.c
python/pyproject.toml, setup.py, MANIFEST.in
python/csrc/            the C sources once more, with the binding, so that the folder stands alone
python/src/<robot>_dynamics/, python/tests/
"""

from __future__ import annotations

from collections.abc import Mapping

from symgen.emit.binding import emit_binding
from symgen.emit.environment import render
from symgen.package.keys import package_keys
from symgen.package.rows import Vectors, json_text
from symgen.program.module import Module


def emit_package(
    module: Module,
    c: Mapping[str, str],
    python: Mapping[str, str],
    vectors: Vectors,
    renamed: tuple[tuple[str, str], ...] = (),
) -> dict[str, str]:
    """The files of the package: path with `/` → text.

    `c` and `python` are the module's sources, `renamed` the frames that have other names in code.
    """
    name, package = module.name, f"{module.name}_dynamics"
    keys = vars(package_keys(module, vectors, renamed))
    rendered = {
        "README.md": "README.md.j2",
        "CMakeLists.txt": "CMakeLists.txt.j2",
        "Makefile": "Makefile.j2",
        f"{name}.pc.in": "pkgconfig.pc.in.j2",
        "examples/example.c": "example.c.j2",
        "tests/selftest.c": "selftest.c.j2",
        "python/pyproject.toml": "python/pyproject.toml.j2",
        "python/setup.py": "python/setup.py.j2",
        "python/MANIFEST.in": "python/MANIFEST.in.j2",
        f"python/src/{package}/__init__.py": "python/init.py.j2",
        f"python/src/{package}/_calling.py": "python/calling.py.j2",
        f"python/tests/test_{package}.py": "python/test.py.j2",
    }
    return {
        **{f"{'include' if file.endswith('.h') else 'src'}/{file}": text for file, text in c.items()},
        **{f"python/csrc/{file}": text for file, text in c.items()},
        f"python/csrc/_{name}.c": emit_binding(module),
        f"python/src/{package}/pure.py": python[f"{name}.py"],
        "python/tests/vectors.json": json_text(vectors),
        **{path: render(f"package/{template}", **keys) for path, template in rendered.items()},
    }
