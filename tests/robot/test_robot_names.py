"""Names: identifiers, symbols of expressions, and labels that are only shown."""

import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symgen.robot import names


@pytest.mark.parametrize("name", ["L1", "m_2", "q", "sin", "x__y", "a" * 64])
def test_plain_identifiers_pass(name):
    assert names.identifier_problem(name) is None


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "letter followed by"),
        ("_x", "letter followed by"),
        ("1a", "letter followed by"),
        ("a b", "letter followed by"),
        ("a-b", "letter followed by"),
        ("../x", "letter followed by"),
        ("x{1}", "letter followed by"),
        ("x\n", "letter followed by"),
        ('x0; system("id")', "letter followed by"),
        ("__import__('os').system('id')", "letter followed by"),
        ("а", "letter followed by"),  # a Cyrillic look-alike
        ("ﬁ", "letter followed by"),  # a ligature that Python would take for fi
        ("Σ", "letter followed by"),
        ("a" * 300, "300 characters; at most 64"),
        (3, "expected a name"),
        (None, "expected a name"),
    ],
)
def test_other_identifiers_are_refused(name, words):
    problem = names.identifier_problem(name)
    assert problem is not None
    assert words in problem
    assert len(problem) < 160


@pytest.mark.parametrize("name", ["double", "new", "restrict", "function", "main", "math", "stdio", "match", "for"])
def test_words_of_target_languages_are_names_like_others(name):
    assert names.identifier_problem(name) is None
    assert names.robot_problem(name) is None


@pytest.mark.parametrize("name", [*keyword.kwlist, "pi"])
def test_what_cannot_stand_in_expressions_is_no_parameter(name):
    assert names.parameter_problem(name)


def test_files_never_have_the_names_of_devices():
    assert "device" in names.robot_problem("con")
    assert "device" in names.robot_problem("NUL")


@pytest.mark.parametrize("name", ["joint-1 a", "x_{1}", "for", "1", "_a", "a.b+c"])
def test_labels_may_be_what_is_only_shown(name):
    assert names.label_problem(name) is None


@pytest.mark.parametrize(
    "name", ["", "a" * 65, "a\nb", "a\x1b[31m", "é", '"', "a\\", "*/", "[bold]", " a", "-a", "{{x}}", "?", 7]
)
def test_labels_hold_nothing_that_could_escape(name):
    assert names.label_problem(name)


@given(st.text(max_size=80))
def test_accepted_names_are_identifiers(name):
    if names.identifier_problem(name) is None:
        assert name.isascii()
        assert name.isidentifier()


@given(st.text(max_size=100))
def test_keys_are_shown_on_one_short_line(key):
    shown = names.shown_key(key)
    assert shown.isprintable()
    assert 0 < len(shown) < 200
