"""Closed forms by the names of their quantities, and the table of those that there are."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

from symgen.derive.options import choice
from symgen.errors import InputError
from symgen.formulas.catalogue import BODY, FRAME, PAIR, Forms, filled, generic
from symgen.formulas.form import Family, Form


class NamedForms(Forms):
    """Forms, and what a catalogue tells of them."""

    def quantity(self, name: str, bodies: Sequence[int] = (), frame: str | None = None) -> Form:
        """The form of a quantity of the catalogue; `bodies` are the bodies it belongs to, from 0."""
        choice("quantity", name, tuple(self.catalogue))
        item = self.catalogue[name]
        expected = {BODY: 1, PAIR: 2}.get(item.of, 0)
        if len(bodies) != expected:
            raise InputError(f"{name}: expected {expected} numbers of bodies, found {len(bodies)}")
        if frame is not None and item.of != FRAME:
            raise InputError(f"{name} belongs to no frame; frames are for forward_kinematics and jacobian")
        if item.of == FRAME:
            made: Form = getattr(self, name)(frame)
            return made
        found: Any = getattr(self, name)
        form: Form = found[tuple(bodies)] if expected else found
        return form

    def quantity_family(self, name: str) -> Family:
        """The family of a quantity that belongs to bodies."""
        family: Family = getattr(self, name)
        return family

    def __repr__(self) -> str:
        return f"<closed form of {self.robot.name}: {', '.join(self.catalogue)}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td><code>{item.name}{_index_text(item.of)}</code></td><td>${filled(item.symbol, 'ij')}$</td>"
            f"<td>{html.escape(generic(item))}</td></tr>"
            for item in self.catalogue.values()
        )
        return f"<table><caption>Closed forms of {html.escape(self.robot.name)}</caption>{rows}</table>"


def _index_text(of: str) -> str:
    return {BODY: "[i]", PAIR: "[i, j]", FRAME: "(frame)"}.get(of, "")
