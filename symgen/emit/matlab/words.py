"""Names that MATLAB and Octave have taken, and what their names may be."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.errors import LimitError
from symgen.program.module import Function, Module

LONGEST = 63
"""MATLAB looks at no more characters of a name."""

KEYWORDS = frozenset(
    """
    arguments break case catch classdef continue else elseif end enumeration events for function global if methods
    otherwise parfor persistent properties return spmd switch try unwind_protect unwind_protect_cleanup until while do
    endfunction endif endfor endwhile endswitch end_try_catch end_unwind_protect endclassdef endenumeration endevents
    endmethods endparfor endproperties endspmd
    """.split()  # noqa: SIM905
)
"""No variable, argument or field can be called so."""

USED = frozenset(
    """
    abs any atan cell columns cos count double error fieldnames full isfinite isnumeric isreal isscalar isstruct nargin
    names NaN Inf ndims nonzero numel permute repmat reshape sign sin single size sqrt states strjoin tanh value where
    zeros ones
    """.split()  # noqa: SIM905
)
"""What the code of functions calls and names: no other variable can be called so."""

FUNCTIONS = frozenset(
    """
    abs acos all and angle ans any area asin atan axes axis ball balance bar beep beta bone break builtin cell ceil char
    circle clc clear close colon columns comet compass complex cond conv cool copper cos cross cube cylinder date delta
    diag diary diff disp dot double drone echo eig ellipse ellipsoid eps error exp eye factor false fan feather figure
    fill filter find fix flag floor format full gamma gray grid hand help hidden hinge hist home hot hull id image
    import in index inf info input int integral inv isa jet join kron lapack leg legend length light line list load log
    logical lookup ls magic main map matlab max mean mesh methods min minus mode more move movie nan nargin node norm
    not null ones or orbit pack pan parent path patch pause peaks pi pie pink plot plus polar pole poly power primes
    print prism prod profile qr quad quit rand random range rank rat real rectangle reset ribbon robot roots rose
    rotate round run save scan set shape shift sign simulink sin single size slice sort sparse sphere spin spinmap
    spring sqrt stairs stem step string struct sub sum summer surface svd table tan tanh test text tic time times title
    toc tool trace triplot true type var view ver version what which who white winter workspace zeros zoom
    """.split()  # noqa: SIM905
)
"""Functions and scripts of MATLAB, Octave and their toolboxes, which a package of that name would hide or be hidden by:
those whose names a robot might well have."""


def check_names(module: Module, functions: Sequence[Function]) -> None:
    """`LimitError` for the first name that MATLAB cannot take, and that no underscore at its end could mend."""
    checked("the robot's name", module.name)
    for function in functions:
        checked("the function", function.name)
    for parameter in module.parameters:
        checked("the parameter", parameter.name)
    for function in functions:
        for each in (*function.inputs, *function.outputs):
            checked(f"{function.name}: the argument", each.name)


def checked(what: str, name: str) -> str:
    """The name of `what`; `LimitError` if MATLAB cannot take it."""
    if name.startswith("_") or len(name) > LONGEST:
        raise LimitError(
            f"{what} {name!r} is none that MATLAB takes: expected a letter first and at most {LONGEST} characters, "
            f"found {len(name)}; choose another name in the robot's file, or another language"
        )
    return name
