"""Names that may become identifiers in C and Python: what is allowed, what is reserved."""

from __future__ import annotations

import keyword
import re
import sys
from decimal import Decimal

MAX_NAME = 64

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z", re.ASCII)

_C_WORDS = frozenset(
    [
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
        "alignas",
        "alignof",
        "and",
        "and_eq",
        "asm",
        "bitand",
        "bitor",
        "bool",
        "catch",
        "char16_t",
        "char32_t",
        "char8_t",
        "class",
        "co_await",
        "co_return",
        "co_yield",
        "compl",
        "concept",
        "const_cast",
        "consteval",
        "constexpr",
        "constinit",
        "decltype",
        "delete",
        "dynamic_cast",
        "explicit",
        "export",
        "false",
        "friend",
        "mutable",
        "namespace",
        "new",
        "noexcept",
        "not",
        "not_eq",
        "nullptr",
        "operator",
        "or",
        "or_eq",
        "private",
        "protected",
        "public",
        "reinterpret_cast",
        "requires",
        "static_assert",
        "static_cast",
        "template",
        "this",
        "thread_local",
        "throw",
        "true",
        "try",
        "typeid",
        "typename",
        "using",
        "virtual",
        "wchar_t",
        "xor",
        "xor_eq",
        "main",
    ]
)

_C_HEADERS = frozenset(
    [
        "assert",
        "complex",
        "ctype",
        "fenv",
        "float",
        "inttypes",
        "iso646",
        "limits",
        "setjmp",
        "stdalign",
        "stdarg",
        "stdatomic",
        "stdbool",
        "stddef",
        "stdint",
        "stdio",
        "stdlib",
        "stdnoreturn",
        "tgmath",
        "threads",
        "uchar",
        "wchar",
        "wctype",
    ]
)  # beside those whose names Python has too
_DEVICES = frozenset(["aux", "con", "nul", "prn"])  # no names of files on Windows


def robot_problem(name: object) -> str | None:
    """Why `name` cannot name a robot, and with it functions, files and modules; None if it can."""
    problem = identifier_problem(name)
    if problem:
        return problem
    taken = {*_C_HEADERS, *_DEVICES, "numpy", "symgen"} | {module.lower() for module in sys.stdlib_module_names}
    if str(name).lower() in taken:
        return (
            f"a robot named {name!r} would hide a module or header of that name; "
            f"choose another, such as {f'{name}_arm'!r}"
        )
    return None


def identifier_problem(name: object) -> str | None:
    """Why `name` cannot be an identifier in C, C++ and Python; None if it can."""
    if not isinstance(name, str):
        return f"expected a name (a string), found {shown_value(name)}"
    shown = repr(shortened(name, 40))
    if len(name) > MAX_NAME:
        return f"the name {shown} has {len(name)} characters; at most {MAX_NAME} are allowed"
    if not _IDENTIFIER.match(name):
        return f"the name {shown} must be a letter followed by letters, digits and underscores (ASCII)"
    if name in _C_WORDS or keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return f"the name {shown} is a reserved word of C, C++ or Python; choose another, such as {name + '1'!r}"
    return None


def label_problem(name: object) -> str | None:
    """Why `name` cannot name a link, joint or frame, which is only ever shown; None if it can."""
    if not isinstance(name, str):
        return f"expected a name (a string), found {shown_value(name)}"
    shown = repr(shortened(name, 40))
    if not 0 < len(name) <= MAX_NAME:
        return f"the name {shown} has {len(name)} characters; between 1 and {MAX_NAME} are allowed"
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_ .{}+-]*", name, re.ASCII):
        return f"the name {shown} may hold letters, digits, spaces and _ . + - {{ }} only (ASCII)"
    return None


def shortened(text: str, length: int = 60) -> str:
    """The text, cut off where it is longer."""
    return text if len(text) <= length else text[: length - 3] + "..."


def shown_value(value: object) -> str:
    """A value of a file in few characters."""
    if isinstance(value, dict | list):
        return kind_text(value)
    if isinstance(value, int) and value.bit_length() > 400:
        return f"an integer of {value.bit_length()} bits"
    return shortened(str(value) if isinstance(value, Decimal) else repr(value))


def kind_text(value: object) -> str:
    """What kind of TOML value this is, in words."""
    kinds = {list: "an array", dict: "a table", type(None): "nothing"}
    return kinds.get(type(value), f"a {type(value).__name__}")


def shown_key(key: object) -> str:
    """A key of a file as it is shown in messages: quoted and cut short where it is not a plain word."""
    text = str(key)
    if re.fullmatch(r"[A-Za-z0-9_-]{1,40}", text, re.ASCII):
        return text
    return repr(shortened(text, 40))


def identifier(name: str) -> str:
    """An identifier made of a label: `name` itself, if it is one, or with underscores for what may not stand in one."""
    if identifier_problem(name) is None:
        return name
    text = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if not text[:1].isalpha():
        text = f"f_{text}"
    return text if identifier_problem(text) is None else f"{text}_"
