"""Trigonometric polynomials in other angles: sums along parallel axes, squares paired, double angles.

A polynomial comes in its normal form, with s² replaced by 1 − c². Of the joints with parallel axes only differences of
the bodies' total angles φ matter; the joints' own angles, or the angles from any one of the bodies, are a basis of
these, and the polynomial is written in the basis in which it has the fewest terms.
"""

from __future__ import annotations

from collections.abc import Iterator

from symgen.algebra.generators import Angle
from symgen.formulas.writing.alphabet import Alphabet, ParallelJoints
from symgen.formulas.writing.polynomials import (
    Monomial,
    Number,
    Polynomial,
    accumulate,
    divided,
    product,
    substituted,
    times,
)

MAX_BASIS_TERMS = 160
"""Longer polynomials are not tried in other angles."""

MAX_WAVES = 20_000
"""Products that would become more sums than this are not written as sums."""


def variants(alphabet: Alphabet, polynomial: Polynomial) -> list[Polynomial]:
    """The polynomial in the angles that give it the fewest terms, squares paired: a few candidates, best first."""
    found = [paired(alphabet, polynomial)]
    if len(polynomial) <= MAX_BASIS_TERMS:
        for group in alphabet.parallel:
            found = _in_best_angles(alphabet, group, found)
    return found


def _in_best_angles(alphabet: Alphabet, group: ParallelJoints, candidates: list[Polynomial]) -> list[Polynomial]:
    """The two candidates with the fewest terms, in any basis of the group's angles."""
    angles = _own_angles(alphabet, group, candidates[0])
    if len(angles) < 2:
        return candidates
    tried = list(candidates)
    if (linear := _linear(alphabet, group, angles, candidates[0])) is not None:
        tried.append(linear)
    for images in _bases(alphabet, group, angles):
        tried += [paired(alphabet, _reduced(alphabet, substituted(value, images))) for value in candidates[:1]]
    tried.sort(key=_weight)
    return tried[:2]


Wave = tuple[Number, tuple[int, ...], int]
"""A coefficient, an angle as multiples of the members' angles, and 0 for a cosine or 1 for a sine."""


def _linear(
    alphabet: Alphabet, group: ParallelJoints, angles: dict[int, Angle], polynomial: Polynomial
) -> Polynomial | None:
    """Products of the group's cosines and sines as sums; None unless only differences of total angles come of it."""
    members = [joint for joint in group.joints if joint in angles]
    known = _differences(group, members)
    zero = (0,) * len(members)
    letters: dict[int, tuple[tuple[int, ...], int]] = {}
    for k, joint in enumerate(members):
        unit = tuple(int(i == k) for i in range(len(members)))
        letters |= {letter: (unit, kind) for kind, letter in enumerate(alphabet.circle(angles[joint]))}
    if sum(2 ** sum(k for letter, k in monomial if letter in letters) for monomial in polynomial) > MAX_WAVES:
        return None
    waves: dict[tuple[Monomial, tuple[int, ...], int], Number] = {}
    for monomial, value in polynomial.items():
        parts: list[Wave] = [(value, zero, 0)]
        for letter, exponent in monomial:
            for _ in range(exponent if letter in letters else 0):
                parts = [part for factor in parts for part in _wave_product(factor, *letters[letter])]
        outside = tuple(item for item in monomial if item[0] not in letters)
        for factor, angle, kind in parts:
            if next((k for k in angle if k), 1) < 0:
                angle, factor = tuple(-k for k in angle), -factor if kind else factor
            waves[outside, angle, kind] = waves.get((outside, angle, kind), 0) + factor
    total: Polynomial = {}
    for (outside, angle, kind), value in waves.items():
        if value and angle not in known:
            return None
        if value:
            whole_angle = sum((angles[m].times(k) for m, k in zip(members, angle, strict=True)), start=Angle())
            for part, number in _point(alphabet, whole_angle)[kind].items():
                accumulate(total, times(outside, part), number * value)
    return total


def _differences(group: ParallelJoints, members: list[int]) -> set[tuple[int, ...]]:
    """Differences of the bodies' total angles and their doubles, as multiples of the members' angles."""
    senses = dict(zip(group.joints, group.senses, strict=True))
    totals = [(0,) * len(members)]
    for k, joint in enumerate(members):
        totals.append(tuple(x + senses[joint] * (i == k) for i, x in enumerate(totals[-1])))
    pairs = [tuple(x - y for x, y in zip(a, b, strict=True)) for a in totals for b in totals]
    return {*pairs, *(tuple(2 * x for x in pair) for pair in pairs)}


def _wave_product(wave: Wave, angle: tuple[int, ...], kind: int) -> list[Wave]:
    """A cosine (kind 0) or sine (kind 1) of one angle times that of another, as a sum."""
    value, first, first_kind = wave
    half = divided(value, 2)
    plus = tuple(x + y for x, y in zip(first, angle, strict=True))
    minus = tuple(x - y for x, y in zip(first, angle, strict=True))
    if first_kind == kind:
        return [(half, minus, 0), (half if kind == 0 else -half, plus, 0)]
    return [(half, plus, 1), (half if first_kind == 1 else -half, minus, 1)]


def _totals(group: ParallelJoints, angles: dict[int, Angle]) -> list[Angle]:
    """The total angles of the group's bodies, from the one that carries the first joint."""
    senses = dict(zip(group.joints, group.senses, strict=True))
    totals = [Angle()]
    for joint in group.joints:
        if joint in angles:
            totals.append(totals[-1] + angles[joint].times(senses[joint]))
    return totals


def _weight(polynomial: Polynomial) -> tuple[int, int]:
    return len(polynomial), sum(exponent for monomial in polynomial for _, exponent in monomial)


def _own_angles(alphabet: Alphabet, group: ParallelJoints, polynomial: Polynomial) -> dict[int, Angle]:
    """Joint → its angle, for the joints of the group that occur; none if sums of angles occur already."""
    letters = {letter for monomial in polynomial for letter, _ in monomial}
    found: dict[int, Angle] = {}
    for angle in alphabet.angles(letters):
        if len(angle.joints) == 1 and abs(angle.joints[0][1]) == 1 and angle.joints[0][0] in group.joints:
            found[angle.joints[0][0]] = angle
    return found


def _bases(alphabet: Alphabet, group: ParallelJoints, angles: dict[int, Angle]) -> Iterator[dict[int, Polynomial]]:
    """For every body of the group: the joints' cosines and sines in the angles from that body to the others."""
    members = [joint for joint in group.joints if joint in angles]
    senses = dict(zip(group.joints, group.senses, strict=True))
    totals = _totals(group, angles)
    for centre in totals:
        images: dict[int, Polynomial] = {}
        for k, joint in enumerate(members):
            outer, inner = totals[k + 1] + centre.times(-1), totals[k] + centre.times(-1)
            c, s = _difference(_point(alphabet, outer), _point(alphabet, inner))
            cosine, sine = alphabet.circle(angles[joint])
            images[cosine], images[sine] = c, {m: v * senses[joint] for m, v in s.items()}
        yield images


def _point(alphabet: Alphabet, angle: Angle) -> tuple[Polynomial, Polynomial]:
    """Cosine and sine of an angle or, where its first coefficient is negative, by those of its opposite."""
    if angle == Angle():
        return {(): 1}, {}
    sign = -1 if angle.leading < 0 else 1
    c, s = alphabet.circle(angle.times(sign))
    return {((c, 1),): 1}, {((s, 1),): sign}


def _difference(a: tuple[Polynomial, Polynomial], b: tuple[Polynomial, Polynomial]) -> tuple[Polynomial, Polynomial]:
    """Cosine and sine of a − b."""
    (ca, sa), (cb, sb) = a, b
    cosine, sine = product(ca, cb), product(sa, cb)
    for monomial, value in product(sa, sb).items():
        accumulate(cosine, monomial, value)
    for monomial, value in product(ca, sb).items():
        accumulate(sine, monomial, -value)
    return cosine, sine


def _reduced(alphabet: Alphabet, polynomial: Polynomial) -> Polynomial:
    """With s² replaced by 1 − c² for every angle."""
    letters = {letter for monomial in polynomial for letter, exponent in monomial if exponent > 1}
    for angle in alphabet.angles(letters):
        c, s = alphabet.circle(angle)
        total: Polynomial = {}
        for monomial, value in polynomial.items():
            power = dict(monomial).get(s, 0)
            rest = tuple(item for item in monomial if item[0] != s)
            if power % 2:
                rest = times(rest, ((s, 1),))
            image: Polynomial = {rest: value}
            for _ in range(power // 2):
                image = product(image, {(): 1, ((c, 2),): -1})
            for part, factor in image.items():
                accumulate(total, part, factor)
        polynomial = total
    return polynomial


# squares and double angles ---------------------------------------------------------------------------


def paired(alphabet: Alphabet, polynomial: Polynomial) -> Polynomial:
    """With x − x c² written as x s², wherever that leaves fewer terms."""
    letters = {letter for monomial in polynomial for letter, exponent in monomial if exponent > 1}
    for angle in alphabet.angles(letters):
        c, s = alphabet.circle(angle)
        polynomial = _paired_in(polynomial, c, s)
    return polynomial


def _paired_in(polynomial: Polynomial, c: int, s: int) -> Polynomial:
    total: Polynomial = {}
    for (rest, parity), series in _series_in(polynomial, c).items():
        squares = 0
        while len(series) > 1 and sum(series.values()) == 0:
            shorter = _without_root(series)
            if len(shorter) >= len(series):
                break
            series, squares = shorter, squares + 1
        for power, value in series.items():
            powers = [(c, 2 * power + parity), (s, 2 * squares)]
            accumulate(total, times(rest, tuple(sorted(item for item in powers if item[1]))), value)
    return total


def _series_in(polynomial: Polynomial, c: int) -> dict[tuple[Monomial, int], dict[int, Number]]:
    """Terms by what they hold beside c, and the parity of its power: power of c² → coefficient."""
    series: dict[tuple[Monomial, int], dict[int, Number]] = {}
    for monomial, value in polynomial.items():
        power = dict(monomial).get(c, 0)
        rest = tuple(item for item in monomial if item[0] != c)
        series.setdefault((rest, power % 2), {})[power // 2] = value
    return series


def _without_root(series: dict[int, Number]) -> dict[int, Number]:
    """The quotient by 1 − u of a series in u that vanishes at u = 1."""
    quotient: dict[int, Number] = {}
    carried: Number = 0
    for power in range(min(series), max(series)):
        carried += series.get(power, 0)
        if carried:
            quotient[power] = carried
    return quotient


def doubled(alphabet: Alphabet, polynomial: Polynomial) -> Polynomial:
    """With 2 s c and 2 c² − 1 (or 1 − 2 s²) written as sine and cosine of the double angle."""
    letters = {letter for monomial in polynomial for letter, _ in monomial}
    for angle in alphabet.angles(letters):
        c, s = alphabet.circle(angle)
        cosine, sine = alphabet.circle(angle.times(2))
        total: Polynomial = {}
        for (rest, parity), series in _series_in(polynomial, c).items():
            inside = dict(rest)
            if parity == 1 and inside.get(s) == 1 and set(series) == {0}:
                others = tuple(item for item in rest if item[0] != s)
                accumulate(total, times(others, ((sine, 1),)), divided(series[0], 2))
            elif parity == 0 and s not in inside and set(series) == {0, 1} and series[1] == -2 * series[0]:
                accumulate(total, times(rest, ((cosine, 1),)), -series[0])
            else:
                for power, value in series.items():
                    factor = ((c, 2 * power + parity),) if 2 * power + parity else ()
                    accumulate(total, times(rest, factor), value)
        polynomial = total
    return polynomial
