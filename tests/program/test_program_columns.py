"""Programs by columns: any program comes back as it was, and columns that belong to no program are refused."""

import pytest
from hypothesis import given
from random_programs import program_of as program_of_tape
from random_programs import tapes

from symgen.algebra.plain import Codec, PlainError
from symgen.program.columns import FORMS, columns, program_of
from symgen.program.program import Dependence, Op

CODEC = Codec(FORMS)


@given(tapes())
def test_any_program_comes_back(tape):
    program = program_of_tape(tape)
    found = CODEC.value(CODEC.text(program))
    assert found == program
    for instruction in found.instructions:
        assert isinstance(instruction.op, Op)
        assert isinstance(instruction.dependence, Dependence)


PROGRAM = program_of_tape((("mul", 0, 3), ("add", 0, 1), ("div", 0, 5), ("define", 0, 2)))
COLUMNS = columns(PROGRAM)
INPUTS, OPERATIONS, DEPENDENCES, OPERANDS, CONSTANTS, NAMES, LABELS, OUTPUTS = COLUMNS

WRONG = {
    "an operand too few": {3: OPERANDS[:-1]},
    "an operand too many": {3: (*OPERANDS, 0)},
    "an operand that is not before it": {3: (len(OPERATIONS), *OPERANDS[1:])},
    "a constant too few": {4: CONSTANTS[:-1]},
    "a name too many": {5: (*NAMES, ("q", 0))},
    "an entry that no input has": {5: (("q", 99), *NAMES[1:])},
    "another operation": {1: "?" + OPERATIONS[1:]},
    "a dependence too few": {2: DEPENDENCES[:-1]},
    "an output too few": {7: tuple((array, places[:-1]) for array, places in OUTPUTS)},
    "an output that does not exist": {7: tuple((array, (10**6,) * array.size) for array, _ in OUTPUTS)},
}


@pytest.mark.parametrize("name", WRONG)
def test_columns_of_no_program_are_refused(name):
    assert program_of(*COLUMNS) == PROGRAM
    assert CONSTANTS
    given = [WRONG[name].get(index, column) for index, column in enumerate(COLUMNS)]
    with pytest.raises((PlainError, LookupError, ValueError)):
        program_of(*given)
