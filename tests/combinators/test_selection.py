"""Private selection: exact laws, bounds over finite mechanisms, scores of any kind."""

from __future__ import annotations

import math
import pickle
import random
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

import numpy
import opendp.prelude as oracle
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.combinators import selection
from opendp_lite.data.identity import visible
from opendp_lite.randomness.entropy import random_bits
from tests.rows import for_each

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
BOOLS = dp.atom_domain(T=bool), dp.discrete_distance()
PURE, APPROXIMATE = dp.max_divergence(), dp.approximate(dp.max_divergence())
LN2 = dp.m.make_randomized_response_bool("2/3").map(1, exact=True)
OF_NUMPY: Any = Fraction  # it holds the integers that it is given
select: Any = dp.c.make_select_private_candidate


def user(function: Any, loss: Any = 1, measure: Any = PURE) -> dp.Measurement:
    return dp.m.make_user_measurement(*BOOLS, measure, function, lambda d_in: loss)


def scored(x: bool) -> Any:
    """A score of 2, with probability 3/4 for True and 1/2 for False, else 0."""
    high = random_bits(2) != 0 if x else random_bits(1) == 0
    return (2, "good") if high else (0, "bad")


def told(x: bool) -> Any:
    """As `scored`, but the truth with probability 1/8."""
    return (3, x) if random_bits(3) == 0 else scored(x)


def law(made: dp.Measurement, x: Any, depth: int = 24) -> Any:
    return verify.enumerate_tree(lambda: made.function(x), depth)


@for_each("stop", [Fraction(1, 2), Fraction(1, 4), Fraction(1), 0])
@for_each("x", [True, False])
def test_the_law_is_the_one_of_the_proof(x: bool, stop: Any) -> None:
    """An event has the probability E phi / (g + (1 - g) p)."""
    made = select(user(scored, LN2), stop, 1)
    tree = law(made, x)
    p = Fraction(3, 4) if x else Fraction(1, 2)
    divisor = stop + (1 - stop) * p
    due = {visible((2, "good")): p / divisor}
    if stop:
        due[visible(None)] = stop * (1 - p) / divisor
    assert set(tree.masses) == set(due)
    for outcome, mass in due.items():
        assert tree.masses[outcome] <= mass <= tree.masses[outcome] + tree.unresolved
    assert tree.unresolved < Fraction(1, 2**10)


def events(outcomes: range) -> Any:
    sizes = range(len(outcomes) + 1)
    return chain.from_iterable(combinations(outcomes, size) for size in sizes)


def after(masses: list[Any], good: int, g: Any) -> list[Any]:
    """The law of the selection: the first outcomes are good, the last one is None."""
    p = sum(masses[:good])
    divisor = g + (1 - g) * p
    return [*(each / divisor for each in masses[:good]), g * (1 - p) / divisor]


def test_the_bounds_hold_for_finite_mechanisms() -> None:
    """Over many mechanisms and all events; nearly reached by some of them."""
    generator = random.Random(4)
    nearest, nearest_delta = mpq(0), mpq(0)
    for _ in range(1500):
        size, good = 4, generator.randrange(1, 4)
        weights = [
            [generator.choice([1, 1, 2, 5, 30, 90]) for _ in range(size)] for _ in "xy"
        ]
        laws = [[mpq(w, sum(each)) for w in each] for each in weights]
        g = mpq(generator.choice([1, 3, 20, 64]), 64)
        outputs = [after(each, good, g) for each in laws]
        for (a, b), (s, t) in zip(
            (laws, laws[::-1]), (outputs, outputs[::-1]), strict=True
        ):
            pure = max(
                max(p / q, q / p) for p, q in zip(a, b, strict=True)
            )  # e to the epsilon
            ratio = max(p / q for p, q in zip(s, t, strict=True))
            assert ratio <= pure**2
            nearest = max(nearest, ratio / pure**2)
            factor = mpq(generator.choice([1, 2, 3]))  # another e to the epsilon
            lost = max(
                sum((max(0, p - factor * q) for p, q in zip(u, v, strict=True)))
                for u, v in ((a, b), (b, a))
            )
            bound = lost * (1 + (1 - g) * factor) / g
            for event in events(range(len(s))):
                excess = sum(s[i] for i in event) - factor**2 * sum(t[i] for i in event)
                assert excess <= bound
                if bound:
                    nearest_delta = max(nearest_delta, mpq(excess / bound))
    assert nearest > mpq(1, 2)
    assert nearest_delta > mpq(1, 4)


def test_the_price_of_two_is_nearly_reached() -> None:
    """Rare good scores, and a rare stop: the loss is not that of one try."""
    stop, tiny = Fraction(1, 10**6), Fraction(1, 1000)
    one = after([tiny, tiny, 1 - 2 * tiny], 2, stop)
    two = after([2 * tiny, tiny / 2, 1 - 5 * tiny / 2], 2, stop)  # e^epsilon is about 2
    ratio = max(p / q for p, q in zip(one, two, strict=True))
    assert Fraction(249, 100) < ratio < 4


def test_planted_faults_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    def claimed(made: dp.Measurement, loss: Any) -> dp.Measurement:
        return dp.Measurement(
            made.input_domain,
            made.function,
            made.input_metric,
            made.output_measure,
            lambda d_in: loss,
        )

    def check(made: dp.Measurement) -> Any:
        return verify.privacy(made, True, False, depth=18)

    honest = select(user(scored, LN2), "1/2", 1)
    assert check(honest).holds
    assert check(claimed(honest, LN2)).refuted  # once epsilon, not twice
    pair = select(user(told, (LN2, "1/8"), APPROXIMATE), "1/2", 1)
    assert check(pair).holds
    # A delta that is not divided, though there are many tries.
    assert check(claimed(pair, (2 * LN2, Fraction(1, 8)))).refuted

    def three_tries(stop: Any) -> bool:
        tries.append(stop)
        return len(tries) % 3 == 0

    tries: list[Any] = []
    monkeypatch.setattr(selection, "sample_bernoulli_rational", three_tries)

    def function(x: bool) -> Any:
        tries.clear()
        return honest.function(x)

    counted = dp.Measurement(BOOLS[0], function, BOOLS[1], PURE, lambda d_in: 2 * LN2)
    found = check(counted)  # None has 1/64 and 1/8: the number of tries is fixed
    assert found.refuted


@for_each(
    ("score", "good"),
    [
        (1, True),
        (0, False),
        (10**400, True),
        (-(10**400), False),
        (1.0, True),
        (math.nextafter(1, 0), False),
        (math.inf, True),
        (-math.inf, False),
        (math.nan, False),
        (numpy.float64(math.nan), False),
        (numpy.float32(1), True),
        (numpy.int8(1), True),
        (numpy.uint64(2**63), True),
        (Fraction(10**30 - 1, 10**30), False),
        (Fraction(1), True),
        (OF_NUMPY(numpy.int64(3), numpy.int64(2)), True),
    ],
)
def test_scores_are_compared_exactly(score: Any, good: bool) -> None:
    for release in ((score, "it"), [score, "it"]):
        made = select(user(lambda x, release=release: release), 1, 1)
        chosen = made(True)
        assert chosen == ((score, "it") if good else None)
        assert chosen is None or type(chosen) is tuple


def test_the_threshold_is_exact() -> None:
    made = select(user(lambda x: (0.1, None)), 1, "0.1")
    assert made(True) == (0.1, None)  # the double is a little more than a tenth
    assert select(user(lambda x: (0.3, None)), 1, "0.3")(True) is None  # or less


@for_each(
    "release",
    [
        3,
        (1,),
        (1, 2, 3),
        "ab",
        None,
        (True, "it"),
        ("2", "it"),
        (None, 1),
        (numpy.bool_(True), "it"),
        (numpy.longdouble(2), "it"),
        (numpy.timedelta64(2, "ns"), "it"),
        (numpy.datetime64(2**62, "D"), "it"),
        {1: 2, 3: 4},
    ],
)
def test_what_is_no_pair_is_an_error_that_tells_nothing(release: Any) -> None:
    made = select(user(lambda x: release), 0.5, 1)
    with pytest.raises(dp.OpenDPException) as caught:
        made(True)
    assert caught.value.variant == "FailedFunction"
    assert "(score, candidate)" in str(caught.value)
    assert str(release) not in str(caught.value) or release is None


class Liar(tuple[Any, ...]):
    """A pair that would answer otherwise each time."""


class Number(float):
    def __ge__(self, other: object) -> bool:
        return True


def test_values_of_derived_classes_are_no_pairs() -> None:
    for release in (Liar((2, "it")), (Number(0.0), "it")):
        with pytest.raises(dp.OpenDPException, match="something else than a pair"):
            select(user(lambda x, release=release: release), 0.5, 1)(True)


class Equal(type):
    """A class of this kind says that it equals every other."""

    def __eq__(cls, other: object) -> bool:
        raise AssertionError("code of a user's was run")

    def __hash__(cls) -> int:
        return 0


class Anything(metaclass=Equal):
    def __len__(self) -> int:
        return 2

    def __getitem__(self, place: int) -> Any:
        return 7

    def __ge__(self, other: object) -> bool:
        return True


def test_classes_are_told_by_identity() -> None:
    for release in (Anything(), (Anything(), "it"), [Anything(), "it"]):
        with pytest.raises(dp.OpenDPException, match="something else than a pair"):
            select(user(lambda x, release=release: release), 0.5, 1)(True)


def test_a_fraction_that_overflowed_is_no_score() -> None:
    """The product of two fractions of numpy's integers may be none any more."""
    one, other = (OF_NUMPY(numpy.int64(1), numpy.int64(2**n)) for n in (31, 32))
    with numpy.errstate(all="ignore"):
        broken = one * other
    assert broken.denominator == -(2**63)
    with pytest.raises(dp.OpenDPException, match="something else than a pair"):
        select(user(lambda x: (broken, 1)), 0.5, -1)(True)


def test_errors_of_the_measurement_are_passed_on() -> None:
    def fails(x: bool) -> Any:
        raise ArithmeticError("as it is")

    with pytest.raises(ArithmeticError, match="as it is"):
        select(user(fails), 0.5, 1)(True)


def test_tries_are_made_until_one_is_good() -> None:
    tried: list[int] = []

    def function(x: bool) -> Any:
        tried.append(len(tried))
        return len(tried), "candidate"

    assert select(user(function), 0, 50)(True) == (50, "candidate")
    tried.clear()
    assert select(user(function), 1, 50)(True) is None
    assert tried == [0]


def test_maps_are_exact_and_bounded() -> None:
    space = dp.m.make_laplace(*INTEGERS, scale=10)
    made = select(dp.c.make_composition([space, space]), 0, 0)
    assert [made.map(d, exact=True) for d in (0, 1, 5)] == [
        0,
        Fraction(2, 5),
        2,
    ]
    assert made.map(math.inf) == math.inf
    for epsilon, delta, stop, due in [
        (0, "1/4", "1/2", Fraction(3, 4)),
        (0, "1/4", 1, Fraction(1, 4)),
        (3, 0, "1/2", 0),
        (math.inf, 0, "1/2", 0),
        (math.inf, "1/4", "1/2", 1),
        (10**9, "1e-300", "1/2", 1),
        (0, 1, "1/2", 1),
    ]:
        each = user(scored, (epsilon, delta), APPROXIMATE)
        assert select(each, stop, 0).map(1, exact=True) == (2 * epsilon, due)
    bound = select(user(scored, (1, "1e-9"), APPROXIMATE), "1/100", 0).map(
        1, exact=True
    )
    due = Fraction(1, 10**9) * 100 * (1 + Fraction(99, 100) * Fraction(math.e))
    assert 0 <= bound[1] - due < Fraction(1, 10**20)
    large = select(user(scored, (100, "1e-60"), APPROXIMATE), "1/100", 0).map(1)
    assert math.isclose(
        large[1], 1e-60 * 100 * (1 + 0.99 * math.exp(100)), rel_tol=1e-12
    )


def test_delta_is_an_upper_bound_for_every_epsilon() -> None:
    values = [mpq(n, 7) for n in range(0, 20000, 397)]
    bounds = [selection._delta(e, mpq(1, 10**40), mpq(1, 3)) for e in values]
    assert bounds == sorted(bounds)
    assert bounds[0] == mpq(5, 10**40)
    assert bounds[-1] == 1


def test_the_map_is_opendps_and_its_example_runs() -> None:
    oracle.enable_features("contrib", "honest-but-curious")

    def script(library: Any) -> Any:
        space = (
            library.atom_domain(T=float, nan=False),
            library.absolute_distance(T=float),
        )
        mock = space >> library.m.then_user_measurement(
            library.max_divergence(),
            lambda x: (x + len("noise"), "arbitrary candidate"),
            lambda d_in: d_in,
            TO="(f64, ExtrinsicObject)",
        )
        chosen = library.c.make_select_private_candidate(
            mock, threshold=23, stop_probability=0
        )
        stopped = library.c.make_select_private_candidate(mock, 0.5, 30.0)
        return chosen(20.0), [chosen.map(d) for d in (0.0, 1.0, 2.5)], stopped(1.0)

    assert script(dp) == script(oracle)


def test_it_is_a_value_and_passes_on_what_it_should() -> None:
    laplace = dp.m.make_laplace(*INTEGERS, scale=1)
    pair = dp.c.make_composition([laplace, laplace])
    made = select(pair, 0.5, 3)
    assert pickle.loads(pickle.dumps(made)) == made
    assert not made.interactive
    assert made.covers_rationals == pair.covers_rationals
    assert made.input_space == pair.input_space
    with pytest.raises(dp.OpenDPException, match="does not say which noise"):
        made.accuracy(0.05)
    floats = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    real = dp.m.make_laplace(*floats, scale=1)
    assert select(dp.c.make_composition([real, real]), 0.5, 3).covers_rationals


def test_a_person_must_answer_for_it() -> None:
    laplace = dp.m.make_laplace(*INTEGERS, scale=1)
    pair = dp.c.make_composition([laplace, laplace])
    dp.disable_features("honest-but-curious")
    try:
        with pytest.raises(dp.OpenDPException, match="remembers and shows nothing"):
            select(pair, 0.5, 3)
    finally:
        dp.enable_features("honest-but-curious")
