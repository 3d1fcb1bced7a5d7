"""Published operation counts: the formulas give what the papers print, and there is one comparison with them."""

from __future__ import annotations

import pytest

from symgen.count import report as count_report
from symgen.count.literature import FORWARD_DYNAMICS, INVERSE_DYNAMICS, LEAST_JOINTS, ORDER_N3
from symgen.display.markup import Grid
from symgen.program.counts import Counts

ALGORITHMS = {(function, item.name): item for function, items in count_report.FORMULAS.items() for item in items}

PRINTED = [
    ("inverse_dynamics", "Hollerbach (1980)", 6, 2195, 1719),
    ("inverse_dynamics", "Luh et al. (1980)", 6, 852, 834),
    ("inverse_dynamics", "Walker and Orin (1982)", 6, 800, 595),
    ("inverse_dynamics", "Saha (1999), DeNOC", 6, 676, 527),
    ("inverse_dynamics", "Khalil et al. (1986)", 6, 538, 478),
    ("inverse_dynamics", "Angeles et al. (1989)", 6, 521, 435),
    ("inverse_dynamics", "Balafoutis et al. (1988)", 6, 489, 421),
    ("forward_dynamics", "Saha (1999), DeNOC", 6, 871, 797),
    ("forward_dynamics", "Saha (1999), DeNOC", 12, 2077, 1955),
    ("forward_dynamics", "Saha (2003), DeNOC", 14, 2390, 2293),
    ("forward_dynamics", "Mohan and Saha (2007)", 12, 1948, 1667),
    ("forward_dynamics", "Featherstone (1983)", 6, 996, 871),
    ("forward_dynamics", "Featherstone (1983)", 12, 2190, 1915),
    ("forward_dynamics", "Valasek", 15, 3047, 2745),
    ("forward_dynamics", "Brandl et al. (1986)", 16, 3778, 3322),
    ("forward_dynamics", "Walker and Orin (1982)", 6, 633, 480),
    ("forward_dynamics", "Walker and Orin (1982)", 12, 2357, 1716),
]
"""Function, algorithm, number of joints, multiplications and additions in the papers' Tables 1 and 2."""

OURS = {"inverse_dynamics": Counts(3, 2), "forward_dynamics": Counts(30, 20, 5)}


@pytest.mark.parametrize(("function", "name", "n", "mul", "add"), PRINTED)
def test_formulas_give_what_is_printed_or_a_remark_says_so(function, name, n, mul, add):
    item = ALGORITHMS[function, name]
    found = item.mul(n), item.add(n)
    if n in item.remarks:
        assert found != (mul, add)
        assert all(str(number) in item.remarks[n] for number in {mul, add} - set(found) | set(found) - {mul, add})
    else:
        assert found == (mul, add)


def test_every_algorithm_is_checked_by_a_printed_number():
    assert {line[:2] for line in PRINTED} == set(ALGORITHMS)


def test_formulas_make_sense_from_the_least_number_of_joints_on():
    items = (*INVERSE_DYNAMICS, *FORWARD_DYNAMICS)
    assert min(min(item.mul(LEAST_JOINTS), item.add(LEAST_JOINTS)) for item in items) > 0
    assert min(item.mul(LEAST_JOINTS - 1) for item in items) < 0


def test_orders_cross_over_where_the_papers_print_it_but_for_two():
    """n+ is where both are fewer: additions of Saha (2003) alone, or the sum, would give another number."""
    differ = {
        item.name: count_report.formula_crossover(item)
        for item in FORWARD_DYNAMICS
        if item.crossover and count_report.formula_crossover(item) != item.crossover
    }
    assert differ == {"Valasek": (13, 16), "Brandl et al. (1986)": (15, 18)}
    for item in FORWARD_DYNAMICS:
        if item.crossover and item.name not in differ:
            star, plus = item.crossover
            for n in (plus - 1, plus):
                fewer = item.mul(n) < ORDER_N3.mul(n) and item.add(n) < ORDER_N3.add(n)
                assert fewer == (n == plus)
            assert item.mul(star) < ORDER_N3.mul(star)


@pytest.mark.parametrize("joints", [1, 2, 3, 6, 7])
def test_table_and_picture_compare_the_same(joints):
    grids = list(count_report.literature_grids("", joints, OURS))
    bars = [
        (axes.get_title(loc="left"), label.get_text())
        for axes in count_report.counts_picture("", joints, OURS).figure.axes
        for label in axes.get_yticklabels()
    ]
    if joints < LEAST_JOINTS:
        assert grids == []
        assert bars == [("operations per call", name) for name in OURS]
        return
    (grid,) = grids
    functions, function = [], ""
    for row in grid.rows:
        function = row[0] or function
        functions.append((function, row[1]))
    assert functions == bars
    assert len(bars) == len(INVERSE_DYNAMICS) + len(FORWARD_DYNAMICS) + 2
    assert [row for row in grid.rows if row[1] == "symgen"] == [
        ("inverse_dynamics", "symgen", "3", "2", "0", "5"),
        ("forward_dynamics", "symgen", "30", "20", "5", "55"),
    ]
    assert bool(grid.notes) == (joints == 6)


def test_notes_stand_below_a_table_in_every_format():
    grid = Grid("t", ("a", "b"), (("x", "1"),), notes=("50 % of <b>",))
    assert grid.markdown().endswith("| x | 1 |\n\n50 % of \\<b>")
    assert grid.latex().splitlines()[-2:] == [r"\multicolumn{2}{l}{50 \% of <b>} \\", r"\end{tabular}"]
    assert grid.html().endswith("</table><p>50 % of &lt;b&gt;</p>")
