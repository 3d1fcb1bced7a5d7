"""TOML files → text → data, with errors that show the line and say what TOML wants there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from symgen.errors import InputError
from symgen.robot.names import shortened
from symgen.robot.numbers import decimal

MAX_BYTES = 2_000_000
MAX_KEY_PARTS = 100

_PART = r"""(?:[\w-]++|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*"""
_LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*(?:{_PART}){{{MAX_KEY_PARTS}}}", re.MULTILINE)
_NUMBER = re.compile(r"([+-]?)(\d*)(\.?)(\d*)(?:([eEdD])([+-]?\d+))?", re.ASCII)
_ENDS = " \t=,[]{}\"'#"


def file_text(path: Path) -> str:
    """The text of a TOML file; `InputError` if it cannot be read, is too large or not UTF-8."""
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if len(content) > MAX_BYTES:
        raise InputError(f"{path}: larger than {MAX_BYTES} bytes; a robot file is a small TOML file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: not UTF-8 text (byte {error.start}); a robot file is a TOML file, saved as UTF-8"
        ) from None


def parsed(text: str, source: str) -> dict[str, Any]:
    """The data of TOML text, decimals as they are written; `InputError` for what is no TOML."""
    if _LONG_KEY.search(text):
        raise InputError(f"{source}: a key of more than {MAX_KEY_PARTS} parts has no place in a robot file")
    try:
        return tomllib.loads(text, parse_float=decimal)
    except tomllib.TOMLDecodeError as error:
        hint = _hint(text, str(error))
        raise InputError(f"{source}: not a valid TOML file: {shortened(str(error), 200)}{hint}") from None
    except RecursionError:
        raise InputError(f"{source}: not a valid TOML file: arrays or tables are nested too deeply") from None
    except ValueError:
        raise InputError(f"{source}: not a valid TOML file: a number or date is out of range") from None


def _hint(text: str, message: str) -> str:
    """The line that TOML stumbles over, and what is most often wrong with it: a number or an expression."""
    found = re.search(r"at line (\d+), column (\d+)", message)
    lines = text.split("\n")
    if found is None or not 0 < int(found[1]) <= len(lines):
        return ""
    line = lines[int(found[1]) - 1]
    shown = f"\n  {line.strip()[:100]!r}"
    advice = _number_advice(line, int(found[2]) - 1) or _expression_advice(line)
    return f"{shown}\n  {advice}" if advice else shown


def _number_advice(line: str, column: int) -> str:
    """What to write instead of the number at that column; the empty text if there is none, or nothing wrong with it."""
    if re.match(r"\d,\d", line[max(column - 1, 0) :]):
        return "write a point before the decimals"
    before, token = _token(line, column)
    match = _NUMBER.fullmatch(token.replace("\N{MINUS SIGN}", "-"))
    if match is None or not (match[2] or match[4]) or not re.search(r"(?:[=,\[]|\A)\s*\Z", before):
        return ""
    sign, whole, point, fraction, letter, exponent = match.groups()
    wanted = f"{sign}{whole.lstrip('0') or '0'}{point}{fraction or '0' if point else ''}"
    wanted += f"e{exponent}" if exponent else ""
    reasons = {
        "a digit before the point": not whole,
        "a digit after the point": point and not fraction,
        "no zeros in front": len(whole) > 1 and whole.startswith("0"),
        "e before the exponent": letter not in (None, "e", "E"),
        "a plain minus sign": "\N{MINUS SIGN}" in token,
    }
    told = " and ".join(reason for reason, holds in reasons.items() if holds)
    return f"TOML wants {told}: write {shortened(wanted)}" if told else ""


def _token(line: str, column: int) -> tuple[str, str]:
    """What stands before the word at that column, and the word."""
    start = end = column
    while start > 0 and line[start - 1] not in _ENDS:
        start -= 1
    while end < len(line) and line[end] not in _ENDS:
        end += 1
    return line[:start], line[start:end].strip()


def _expression_advice(line: str) -> str:
    match = re.match(r"\s*([\w.-]{1,40})\s*=\s*(.*)", line, re.ASCII)
    if match is None or '"' in match[2] or not re.match(r"(?![-+]?[\d.]+e)[-+(\s\d.]*[A-Za-z]", match[2]):
        return ""
    return f'expressions go in quotes, such as {match[1]} = "pi/2"'
