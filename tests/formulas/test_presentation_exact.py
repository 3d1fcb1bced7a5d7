"""Every way of writing an element is the element, whatever came before, and none is longer than the normal form."""

from formula_worlds import worlds
from hypothesis import given, settings
from hypothesis import strategies as st

from symgen.formulas.writing import collecting
from symgen.formulas.writing.angles import doubled, paired, variants
from symgen.formulas.writing.collecting import formula, shortest
from symgen.formulas.writing.expressions import Product, Sum, plain
from symgen.formulas.writing.factoring import factored
from symgen.formulas.writing.notation import Notation
from symgen.formulas.writing.printers import text_style, written

many = settings(max_examples=60, deadline=None, derandomize=True)


@many
@given(worlds())
def test_the_formula_is_the_element(world):
    assert world.back(formula(world.alphabet, world.element).polynomial()) == world.element


@many
@given(worlds(rates=False))
def test_every_step_is_exact(world):
    alphabet, polynomial = world.alphabet, world.polynomial
    assert world.back(polynomial) == world.element
    assert world.back(plain(alphabet, polynomial).polynomial()) == world.element
    assert world.back(paired(alphabet, polynomial)) == world.element
    for candidate in variants(alphabet, polynomial):
        assert world.back(candidate) == world.element
        assert world.back(doubled(alphabet, candidate)) == world.element
        assert world.back(factored(alphabet, candidate).polynomial()) == world.element
    if polynomial:
        assert world.back(shortest(alphabet, polynomial).polynomial()) == world.element


@many
@given(worlds(rates=False))
def test_parameters_distributed_over_a_basis_are_exact(world):
    alphabet = world.alphabet
    alike = collecting._alike(collecting._split(world.polynomial, alphabet.is_inertial))
    groups = collecting._in_basis(alike, [(group, plain(alphabet, function)) for group, function in alike])
    total = sum(
        (world.back(group) * world.back(function.polynomial()) for group, function in groups),
        start=world.ring.constant(0),
    )
    assert total == world.element


@many
@given(worlds())
def test_no_formula_is_longer_than_the_normal_form_with_its_parameters_drawn_out(world):
    assert formula(world.alphabet, world.element).length <= collected_normal_form(world).length


def collected_normal_form(world):
    """Σ rates · parameter · (sum of terms), put together without the code that is tested."""
    parts = {}
    for monomial, number in world.polynomial.items():
        outside = tuple(item for item in monomial if is_outside(world, item[0]))
        inside = tuple(item for item in monomial if item not in outside)
        parts.setdefault(outside, []).append(Product(number, inside))
    terms = []
    for outside, inner in parts.items():
        if len(inner) == 1 or not outside:
            terms += [Product(term.coefficient, (*outside, *term.factors)) for term in inner]
        else:
            terms.append(Product(1, (*outside, (Sum(tuple(inner)), 1))))
    return Sum(tuple(terms))


def is_outside(world, letter):
    name = world.alphabet.letter(letter).name
    return name in world.alphabet.inertial or name in ("qd", "qdd")


@many
@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_terms_and_what_was_written_before_do_not_matter(world, chance):
    expected = text(world.alphabet, formula(world.alphabet, world.element))
    other = shuffled(world, chance)
    assert text(other, formula(other, world.element)) == expected


def shuffled(world, chance):
    """An alphabet that has seen the letters in another order, and gives terms in another order."""
    alphabet, letters, items = world.again(), list(world.alphabet._extra), list(world.polynomial.items())
    chance.shuffle(letters)
    chance.shuffle(items)
    for letter in letters:
        alphabet.number(letter)
    alphabet.polynomial = lambda element: dict(items)
    return alphabet


def text(alphabet, value):
    return written(value, text_style(Notation(alphabet, 4)))
