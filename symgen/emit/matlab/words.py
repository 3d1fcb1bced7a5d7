"""Names that MATLAB and Octave have taken, and what their names may be."""

from __future__ import annotations

from symgen.emit.tree import Assignment, Code
from symgen.errors import LimitError
from symgen.program.module import Module

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


def check_names(module: Module, codes: dict[str, Code]) -> None:
    """`LimitError` for the first name that MATLAB cannot take, and that no underscore at its end could mend."""
    named = [("the robot's name", module.name)]
    named += [("the function", function.name) for function in module.functions]
    named += [("the parameter", parameter.name) for parameter in module.parameters]
    for function in module.functions:
        named += [(f"{function.name}: the argument", each.name) for each in (*function.inputs, *function.outputs)]
    for name, code in codes.items():
        named += [(f"{name}: the variable", s.name) for s in code.statements() if isinstance(s, Assignment)]
    for what, name in named:
        if name.startswith("_") or len(name) > LONGEST:
            raise LimitError(
                f"{what} {name!r} is none that MATLAB takes: expected a letter first and at most {LONGEST} "
                f"characters, found {len(name)}; choose another name in the robot's file, or another language"
            )
