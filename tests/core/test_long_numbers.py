"""What holds a number of 5,000 digits prints, though Python refuses to print that."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.errors import printed, shown
from opendp_lite.testing import assert_close
from tests.core.test_read_once import CALLS
from tests.rows import for_each

LONG = 10**5000
BITS = "<int of 16610 bits>"
NUMBERS = {
    "int": LONG,
    "negative": -LONG,
    "fraction": Fraction(LONG + 1, 3),
    "small": Fraction(3, LONG + 1),
    "near one": Fraction(LONG + 2, LONG + 1),
    "pair": (0, LONG),
    "fractions": (Fraction(-LONG, 3), Fraction(LONG, 3)),
    "list": [LONG, LONG + 1],
}
INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()


pytestmark = pytest.mark.usefixtures("contrib", "honest")


@pytest.fixture(params=[4300, 640], autouse=True)
def _limit(request: pytest.FixtureRequest) -> Iterator[None]:
    """The usual limit of digits, and the least that a process can set."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(request.param)
    yield
    sys.set_int_max_str_digits(before)


def test_python_refuses_to_print_it() -> None:
    with pytest.raises(ValueError, match="digits"):
        repr(LONG)


def test_shown_and_printed() -> None:
    assert shown(LONG) == printed(LONG) == BITS
    assert shown(Fraction(LONG, 3)) == f"Fraction({BITS}, 3)"
    assert printed(Fraction(3, LONG)) == f"Fraction(3, {BITS})"
    assert shown(Fraction(1, 3)) == printed(Fraction(1, 3)) == "Fraction(1, 3)"
    assert printed({"a": [LONG]}) == f"{{'a': [{BITS}]}}"
    assert printed("x" * 100) == repr("x" * 100)
    assert printed(10**600) == repr(10**600)
    assert shown(2**1999) != shown(2**2000) == "<int of 2001 bits>"


def all_texts(made: Any) -> list[str]:
    """Everything that an object says of itself."""
    texts = [repr(made), str(made)]
    for name in ("explain", "rule"):
        if hasattr(made, name):
            texts.append(str(getattr(made, name)()))
    for name in ("input_domain", "output_domain"):
        if hasattr(made, name):
            texts += all_texts(getattr(made, name))
    if hasattr(made, "input_domain"):
        with pytest.raises(dp.OpenDPException) as raised:
            made(object())
        texts.append(str(raised.value))
    return texts


def told(make: Callable[..., Any], *args: Any, **kwargs: Any) -> list[str]:
    """What is said of the object, or of the arguments if they are refused."""
    try:
        made = make(*args, **kwargs)
    except dp.OpenDPException as error:
        return [str(error)]
    return all_texts(made)


@for_each("make", CALLS, ids=lambda make: make.__name__)
def test_what_is_made_of_it_prints_or_is_refused(make: Callable[..., Any]) -> None:
    given, named = CALLS[make]
    for name, kind in product(named, NUMBERS):
        try:
            texts = told(make, *given, **{**named, name: NUMBERS[kind]})
        except (Exception, pytest.fail.Exception) as error:
            raise AssertionError(f"{name} = {kind}") from error
        assert all(texts), (name, kind)
        # Not as "<Fraction instance at 0x...>": an address says nothing.
        assert "instance at" not in "".join(texts), (name, kind)


def examples() -> Iterator[Any]:
    """Objects with the number inside."""
    ratio = Fraction(LONG, 3)
    for bounds in ((0, LONG), (-LONG, LONG), (Fraction(0), ratio), (-ratio, ratio)):
        atom = dp.atom_domain(bounds)
        yield from (atom, dp.option_domain(atom), dp.vector_domain(atom, size=2))
        rows = dp.vector_domain(dp.atom_domain(T=atom.T)), dp.symmetric_distance()
        clamp = rows >> dp.t.then_clamp(bounds)
        total = clamp >> dp.t.then_sum()
        yield from (clamp, total, total >> dp.m.then_laplace(ratio))
        yield dp.t.then_clamp(bounds)
        yield dp.t.then_clamp(list(bounds)) >> dp.t.then_sum()
    yield dp.m.make_randomized_response([1, LONG], 0.5)
    yield dp.t.make_quantile_score_candidates(*ROWS, [1, LONG], 0.5)
    optional = dp.vector_domain(dp.option_domain(dp.atom_domain(T=int)))
    yield dp.t.make_impute_constant(optional, dp.symmetric_distance(), LONG)
    for descriptor in (LONG, ratio, [LONG], {"a": LONG}):
        yield dp.user_domain("mine", lambda value: True, descriptor)
        yield dp.user_distance("mine", descriptor)
        yield dp.user_divergence("mine", descriptor)


def test_objects_that_hold_it_print() -> None:
    for made in examples():
        assert "bits>" in repr(made)
        assert repr(made) == str(made)
        if hasattr(made, "explain"):
            assert "proofs/" in str(made.explain())


def refusals() -> Iterator[Callable[[], Any]]:
    ratio = Fraction(-LONG, 3)
    laplace = dp.m.make_laplace(*INT, 1)
    for number in (-LONG, ratio):
        yield lambda number=number: dp.m.make_laplace(*INT, number)
        yield lambda number=number: laplace.map(number)
        yield lambda number=number: laplace.check(1, number)
        yield lambda number=number: dp.vector_domain(INT[0], size=number)
        yield lambda number=number: dp.atom_domain((0, number))
        yield lambda number=number: dp.atom_domain((0.0, number))
        yield lambda number=number: dp.bitvector_domain(number)
        yield lambda number=number: dp.enable_features(number)
        yield lambda number=number: dp.metric_of(number)
        yield lambda number=number: dp.laplacian_scale_to_accuracy(number, 0.1)


def test_refusals_show_it_too() -> None:
    for refuse in refusals():
        with pytest.raises(dp.OpenDPException) as raised:
            refuse()
        assert "bits>" in str(raised.value)
        assert " at 0x" not in str(raised.value)


def test_an_assertion_shows_it() -> None:
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    noisy = space >> dp.m.then_laplace(1)
    with pytest.raises(AssertionError, match="release <int of 16610 bits> is not inf"):
        assert_close(LONG, float("inf"), noisy, "1e-20")
