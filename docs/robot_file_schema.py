"""The directive `robot-file-schema`: tables and keys of robot files, from the models that check them."""

from __future__ import annotations

import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from docutils import nodes
from docutils.statemachine import StringList
from pydantic import BaseModel
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from symgen.robot import schema

WORDS = {
    schema.Number: "number",
    schema.Kind: "kind of joint",
    schema.CutWord: "kind of cut joint",
    schema.Direction: "1 or −1",
    schema.RobotName: "identifier",
    schema.Label: "name",
    schema.Line: "one line of text",
    schema.Triple: "three numbers",
    str: "name",
    bool: "true or false",
}
"""Type → what is written in a file."""


def words(of: Any) -> str:
    """What a key of that type holds."""
    if of in WORDS:
        return WORDS[of]
    origin, inner = get_origin(of), get_args(of)
    if origin is Annotated:
        return words(inner[0])
    if origin in (Union, types.UnionType):
        return " or ".join(words(each) for each in inner if each is not types.NoneType)
    if origin is Literal:
        return " or ".join(f'`"{each}"`' for each in inner)
    if origin is list:
        return f"list: {words(inner[0])}"
    if origin is dict:
        return f"table: name = {words(inner[1])}"
    return f"[{_title(of)}](#{_title(of)})"


def _title(model: type[BaseModel]) -> str:
    return model.__name__.removesuffix("Table").lower()


def _types(model: type[BaseModel]) -> dict[str, Any]:
    """Key → its type as it was written, which models take apart."""
    written = get_type_hints(model, include_extras=True)
    return {name: written[name] for name in model.model_fields}


def models() -> list[type[BaseModel]]:
    """The schema's tables, the whole file first and each where it is first needed."""
    found: list[type[BaseModel]] = [schema.RobotTable, schema.AttachFile]
    for model in found:
        waiting = [*_types(model).values()]
        while waiting:
            of = waiting.pop(0)
            if isinstance(of, type) and issubclass(of, BaseModel) and of not in found:
                found.append(of)
            elif of not in WORDS:
                waiting += get_args(of)
    return found


def page() -> list[str]:
    """The lines of Markdown."""
    lines = []
    for model in models():
        lines += [f"({_title(model)})=", f"## {_title(model)}", "", " ".join((model.__doc__ or "").split()), ""]
        lines += ["| key | holds | |", "|---|---|---|"]
        for name, of in _types(model).items():
            needed = "required" if model.model_fields[name].is_required() else ""
            lines.append(f"| `{name}` | {words(of)} | {needed} |")
        lines.append("")
    return lines


class RobotFileSchema(SphinxDirective):
    """All tables, each with its keys."""

    def run(self) -> list[nodes.Node]:
        """The parsed page."""
        section = nodes.Element()
        self.state.nested_parse(StringList(page(), schema.__name__), 0, section, match_titles=True)
        return section.children


def setup(app: Sphinx) -> dict[str, Any]:
    """Sphinx's hook."""
    app.add_directive("robot-file-schema", RobotFileSchema)
    return {"parallel_read_safe": True}
