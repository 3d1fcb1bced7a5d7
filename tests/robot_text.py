"""Robot files for tests: a good one, and how to change one thing in it.

Values are TOML text, so that a test can write what a user would; None leaves a key out.
"""

_HEAD = {"name": '"arm"', "convention": '"standard"', "gravity": "[0, 0, -9.81]", "inertia_about": '"com"'}

_LINK = {
    "joint": '"revolute"',
    "a": "1",
    "mass": "2",
    "com": "[-0.5, 0, 0]",
    "inertia": "{ xx = 0.01, yy = 0.1, zz = 0.1 }",
}

MASSLESS = {"mass": None, "com": None, "inertia": None}


_PRIMES = (
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
    113, 127,
)  # fmt: skip

ROOTS = f'{{ xx = "{" + ".join(f"sqrt({prime})" for prime in _PRIMES)}", yy = 300, zz = 300 }}'
"""Inertia with more square roots than a prime field has, in an entry that does not act on a joint about z."""


def head(**changes):
    return _lines(_HEAD | changes)


def parameters(**values):
    return "[parameters]\n" + _lines(values)


def frame(**changes):
    return "[[frames]]\n" + _lines({"name": '"eye"'} | changes)


def link(**changes):
    return "[[links]]\n" + _lines(_LINK | changes)


def _lines(table):
    return "".join(f"{key} = {value}\n" for key, value in table.items() if value is not None)


GOOD = head() + link(name='"upper"') + link(name='"fore"', alpha='"pi/2"')
