"""`symgen bench --compare`: what became slower, by each run's own reference."""

import json

import pytest

from symgen import api
from symgen.bench import compare, report
from symgen.bench.sets import GRID, GRID_FUNCTIONS
from symgen.cli import main
from symgen.errors import InputError

MODEL = "inertias of its file"


def line(peer, ns, spread=0.02, function="inverse_dynamics"):
    quartiles = [ns * (1 - spread), ns * (1 + spread)]
    return {
        "peer": peer,
        "function": function,
        "called": "one call, C",
        "threads": 1,
        "ns": ns,
        "quartiles": quartiles,
    }


def run(*lines, robot="puma", batch=100, peaks=None):
    data = {"robot": robot, "model": MODEL, "batch": batch, "times": list(lines), "peaks": peaks}
    return compare.run_of({"robots": [data]}, "run")


def comparison(before, now):
    return compare.Comparison(before, now, "old.json")


CASES = {
    "the same on a machine of half the speed": ((100, 200), (200, 400), 0.02, 1.0, ""),
    "slower": ((100, 200), (150, 200), 0.02, 1.5, "slower"),
    "quicker": ((100, 200), (50, 200), 0.02, 0.5, "quicker"),
    "a little slower": ((100, 200), (108, 200), 0.001, 1.08, ""),
    "slower within the quartiles": ((100, 200), (150, 200), 0.3, 1.5, ""),
    "the same, though the peer is slower and so is symgen": ((100, 200), (150, 300), 0.02, 1.0, ""),
}


@pytest.mark.parametrize(("before", "now", "spread", "factor", "verdict"), CASES.values(), ids=CASES)
def test_times_are_compared_by_the_reference_of_each_run(before, now, spread, factor, verdict):
    runs = [run(line("symgen", ours, spread), line("casadi", theirs, spread)) for ours, theirs in (before, now)]
    (found,) = comparison(*runs).changes
    assert found.reference == "casadi"
    assert found.factor == pytest.approx(factor)
    assert found.verdict == verdict


def test_without_a_common_library_the_machine_is_the_reference():
    before = run(line("symgen", 100), line("casadi", 200), peaks={"multiply_add": 0.1})
    now = run(line("symgen", 100), line("pinocchio", 200), peaks={"multiply_add": 0.05})
    (found,) = comparison(before, now).slower
    assert (found.reference, found.factor) == (compare.MULTIPLY_ADD, pytest.approx(2))
    lost = comparison(run(line("symgen", 100)), now)
    assert lost.changes == []
    assert any("1 of 1 lines have no reference" in text for text in lost.remarks())


def test_lines_of_one_run_alone_are_told():
    both = (line("symgen", 100), line("casadi", 200))
    more = run(*both, line("symgen", 5, function="inertia_matrix"), line("casadi", 9, function="inertia_matrix"))
    compared = comparison(run(*both), more)
    assert [each.key[2] for each in compared.changes] == ["inverse_dynamics"]
    assert "1 of 2 lines are not in old.json: other robots, inertias, functions or batches" in compared.remarks()
    assert comparison(run(*both, batch=7), run(*both)).changes == []
    assert len(compared.grid().rows) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "found no JSON"),
        ("[" * 100_000, "found no JSON"),
        ("[]", "found something else"),
        ('{"robots": [{}]}', "found something else"),
        ('{"robots": 3}', "found something else"),
        (json.dumps({"robots": [{"robot": "a", "model": "b", "batch": 1, "times": [line("symgen", -1)]}]}), "positive"),
        ('{"robots": []}', "none of its times are of planar2r"),
    ],
)
def test_what_is_no_earlier_run_is_told_before_anything_is_timed(text, words, tmp_path, capsys):
    path = tmp_path / "old.json"
    path.write_text(text)
    with pytest.raises(SystemExit) as caught:
        main(["bench", "planar2r", "--peers", "none", "--compare", str(path)])
    assert caught.value.code == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.out == ""


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        compare.read(tmp_path / "none.json")


def test_a_whole_comparison_exits_by_what_it_finds(tmp_path, capsys, monkeypatch):
    settings = {"peers": (), "threads": 1, "functions": ("inverse_dynamics",), "instructions": False}
    result = api.bench(["planar2r"], rounds=2, block=0.05, batch=16, **settings)
    monkeypatch.setattr(api, "bench", lambda *args, **chosen: result)  # one run stands for all
    path, codes = tmp_path / "old.json", []
    for share in (0.5, 1.0, 2.0):
        data = json.loads(json.dumps(report.summary(result)))
        for each in data["robots"][0]["times"]:
            each["ns"] *= share
            each["quartiles"] = [each["ns"], each["ns"]]
        path.write_text(json.dumps(data))
        codes.append(_run(["bench", "planar2r", "--peers", "none", "--compare", str(path)]))
    assert codes == [1, 0, 0]
    assert "a multiply-add of the machine" in capsys.readouterr().out


def _run(args):
    with pytest.raises(SystemExit) as caught:
        main(args)
    return caught.value.code or 0


def test_the_grid_is_of_both_precisions_on_fixed_bases():
    assert [(each.base, each.real) for each in GRID] == [("fixed", "float64")] * 3 + [("fixed", "float32")] * 3
    assert len({each.name for each in GRID}) == 3
    assert {"inverse_dynamics_derivatives", "forward_dynamics_derivatives"} < set(GRID_FUNCTIONS)
