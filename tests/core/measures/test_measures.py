"""Privacy losses: what a number means, what is shown, what may be compared."""

from __future__ import annotations

import copy
import math
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains import atom_domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import (
    Measure,
    approximate,
    fixed_smoothed_max_divergence,
    max_divergence,
    renyi_divergence,
    smoothed_max_divergence,
    zero_concentrated_divergence,
)
from opendp_lite.core.metrics import absolute_distance
from opendp_lite.measurements import make_laplace
from opendp_lite.sessions.user import user_divergence
from tests.rows import for_each

INF, NAN = math.inf, math.nan
PLAIN = [max_divergence(), zero_concentrated_divergence()]
CURVES = [renyi_divergence(), smoothed_max_divergence()]
LOSSES = st.fractions(min_value=0, max_value=10**6)
SPACE = atom_domain(T=float, nan=False), absolute_distance(T=float)


def exact(x: Fraction) -> mpq:
    return mpq(x.numerator, x.denominator)


@pytest.mark.parametrize("measure", PLAIN)
def test_a_float_is_at_least_the_decimal_it_prints_as(measure: Measure) -> None:
    assert measure.parse(0.3) == mpq(3, 10)
    assert measure.parse("0.3") == mpq(3, 10)
    assert measure.parse(Decimal("0.3")) == mpq(3, 10)
    assert measure.parse(Fraction(3, 10)) == mpq(3, 10)
    # The double 0.1 is above one tenth.
    assert measure.parse(0.1) == mpq(*(0.1).as_integer_ratio())
    assert measure.parse(np.float32(0.1)) >= mpq(1, 10)
    assert measure.parse(1) == 1
    assert measure.parse(INF) == INF
    assert measure.parse("inf") == INF
    # The least double is a little under 5e-324.
    assert measure.parse(5e-324) == mpq(Fraction("5e-324")) > mpq(5e-324)


@given(st.floats(min_value=0, allow_infinity=False))
def test_parsing_a_float(loss: float) -> None:
    parsed = max_divergence().parse(loss)
    assert parsed >= mpq(loss)
    assert parsed >= mpq(Fraction(repr(loss)))
    assert parsed in (mpq(loss), mpq(Fraction(repr(loss))))


@for_each("measure", PLAIN)
@for_each(
    ("loss", "says"),
    [
        (-1, "d_out=-1: must be at least 0"),
        (-5e-324, "d_out=-5e-324: must be at least 0"),
        (-INF, "d_out=-inf: must be at least 0"),
        (NAN, "d_out=nan: must be a number, got nan"),
        (True, "d_out=True: must be a number, got the truth value"),
        (None, "d_out=None: must be a number"),
        ((1, 0), "d_out=<sequence>: must be a number"),
        ("little", "d_out='little'"),
        (1j, "d_out=1j: must be a number"),
        (np.array([1.0]), "d_out=<ndarray>: must be a number"),
    ],
)
def test_bad_losses_are_named(measure: Measure, loss: Any, says: str) -> None:
    with pytest.raises(OpenDPException) as caught:
        measure.parse(loss)
    assert caught.value.variant == "InvalidDistance"
    assert says in caught.value.message
    assert "Pass a number such as 1 or 0.5" in caught.value.message


@pytest.mark.parametrize("measure", PLAIN)
@given(loss=LOSSES)
def test_what_is_shown_is_never_less(measure: Measure, loss: Fraction) -> None:
    shown = measure.present(exact(loss))
    assert type(shown) is float
    assert Fraction(shown) >= loss
    assert measure.at_most(exact(loss), measure.parse(shown))
    assert measure.present(exact(loss), exact=True) == loss
    assert type(measure.present(exact(loss), exact=True)) is Fraction
    if shown:
        assert Fraction(math.nextafter(shown, 0)) < loss


def test_what_is_shown_is_a_float_or_a_fraction() -> None:
    measure = max_divergence()
    assert type(measure.present(0)) is float
    assert type(measure.present(3, exact=True)) is Fraction
    assert measure.present(INF) == INF
    assert measure.present(INF, exact=True) == INF
    assert measure.present(mpq(1, 10**400)) == 5e-324
    assert measure.present(mpq(10) ** 400) == INF
    assert measure.at_most(mpq(1), INF)
    assert not measure.at_most(INF, mpq(10) ** 400)
    assert measure.at_most(INF, INF)


DISTANCES = st.one_of(
    st.floats(min_value=0),
    st.fractions(min_value=0),
    st.integers(0, 10**400),
    st.sampled_from(["0.1", "1/3", "inf"]),
)
SCALES = st.one_of(st.floats(min_value=0, allow_infinity=False), LOSSES)


@given(DISTANCES, SCALES)
def test_a_map_always_passes_its_own_check(d_in: Any, scale: Any) -> None:
    noisy = make_laplace(*SPACE, scale=scale)
    assert noisy.check(d_in, noisy.map(d_in))
    assert noisy.check(d_in, noisy.map(d_in, exact=True))
    assert noisy.map(d_in) >= noisy.map(d_in, exact=True)


def test_budgets_are_decimals() -> None:
    measure = max_divergence()
    three = make_laplace(*SPACE, scale=10)
    assert three.check(3, 0.3)
    assert not three.check("3.0000000000000000001", 0.3)
    charge = three.map(1, exact=True)
    assert measure.at_most(sum(10 * [exact(charge)]), measure.parse(1))
    assert measure.at_most(sum(3 * [exact(charge)]), measure.parse(0.3))
    # In floats neither holds: 0.1 * 3 > 0.3.
    assert sum(3 * [three.map(1)]) > 0.3


APPROXIMATE = approximate(max_divergence())


def test_pairs() -> None:
    assert APPROXIMATE.parse((0.3, "1e-9")) == (mpq(3, 10), mpq(1, 10**9))
    assert APPROXIMATE.parse((0.3, 1e-9)) == (mpq(3, 10), mpq(1e-9))
    assert APPROXIMATE.parse([1, 0]) == (1, 0)
    assert APPROXIMATE.parse((INF, 1)) == (INF, 1)
    shown = APPROXIMATE.present((mpq(1, 3), mpq(1, 7)))
    assert all(type(part) is float for part in shown)
    assert shown[0] > Fraction(1, 3)
    assert shown[1] > Fraction(1, 7)
    assert APPROXIMATE.present((mpq(1, 3), 0), exact=True) == (Fraction(1, 3), 0)
    assert APPROXIMATE.at_most((1, mpq(1, 10)), (1, mpq(1, 10)))
    assert not APPROXIMATE.at_most((1, mpq(1, 10)), (9, mpq(1, 11)))
    assert not APPROXIMATE.at_most((9, mpq(1, 11)), (1, mpq(1, 10)))
    concentrated = approximate(zero_concentrated_divergence())
    assert concentrated.parse((0.3, 0)) == (mpq(3, 10), 0)
    assert concentrated != APPROXIMATE
    assert fixed_smoothed_max_divergence() == APPROXIMATE


@for_each(
    ("loss", "says"),
    [
        (1.0, "d_out=1.0: must be a pair (loss, delta)"),
        ((1.0,), "must be a pair"),
        ((1, 2, 3), "must be a pair"),
        ("12", "d_out='12': must be a pair"),
        ((1, 1.5), "d_out[1]=1.5: must be at most 1"),
        ((1, -1e-9), "d_out[1]=-1e-09: must be at least 0"),
        ((1, NAN), "d_out[1]=nan"),
        ((1, INF), "d_out[1]=inf: must be at most 1"),
        ((-1, 0), "d_out[0]=-1: must be at least 0"),
        ((NAN, 0), "d_out[0]=nan"),
        (((1, 0), 0), "d_out[0]=<sequence>: must be a number"),
    ],
)
def test_bad_pairs_are_named(loss: Any, says: str) -> None:
    with pytest.raises(OpenDPException) as caught:
        APPROXIMATE.parse(loss)
    assert says in caught.value.message


def test_approximate_takes_a_measure() -> None:
    with pytest.raises(OpenDPException, match="measure=<int>"):
        approximate(1)  # type: ignore[arg-type]


@given(LOSSES, st.fractions(min_value=0, max_value=1))
def test_a_pair_passes_its_own_check(epsilon: Fraction, delta: Fraction) -> None:
    pair = exact(epsilon), exact(delta)
    measurement = Measurement(
        SPACE[0], lambda x: 0, SPACE[1], APPROXIMATE, lambda d_in: pair
    )
    assert measurement.check(1, measurement.map(1))
    assert measurement.check(1, measurement.map(1, exact=True))


@pytest.mark.parametrize("measure", CURVES)
def test_curves_cannot_be_compared(measure: Measure) -> None:
    def curve(point: Any) -> Any:
        return point / 2

    with pytest.raises(OpenDPException, match="curves cannot be compared"):
        measure.at_most(curve, curve)
    for bad in (1.0, None, (1, 2)):
        with pytest.raises(OpenDPException, match=r"d_out=.* must be a function"):
            measure.parse(bad)
    measurement = Measurement(
        SPACE[0], lambda x: 0, SPACE[1], measure, lambda d_in: curve
    )
    assert measurement.map(1)(3) == 1.5
    assert measurement.map(1, exact=True)(Fraction(2, 3)) == Fraction(1, 3)
    with pytest.raises(OpenDPException, match="curves cannot be compared"):
        measurement.check(1, curve)


@pytest.mark.parametrize("measure", CURVES)
def test_curves_of_the_user_see_fractions(measure: Measure) -> None:
    seen: list[Any] = []

    def curve(point: Any) -> Any:
        seen.append(point)
        return 0.3 * float(point)

    shown = measure.present(measure.parse(curve))
    assert shown(1) >= 0.3
    assert measure.present(measure.parse(lambda point: INF))(1) == INF
    assert measure.present(measure.parse(lambda point: "1/3"), exact=True)(2) == (
        Fraction(1, 3)
    )
    shown(INF)
    assert {type(point) for point in seen} == {Fraction, float}
    for bad in (-1, NAN, None, True):
        with pytest.raises(OpenDPException, match=r"d_out\(point\)="):
            measure.present(measure.parse(lambda point, bad=bad: bad))(1)
        with pytest.raises(OpenDPException, match=r"(point|epsilon)="):
            shown(bad)


def test_max_divergence_of_finite_laws() -> None:
    measure = max_divergence()
    p = {"a": mpq(3, 4), "b": mpq(1, 4)}
    q = {"a": mpq(1, 4), "b": mpq(3, 4)}
    bound = measure.divergence(p, q)
    assert abs(float(bound) - math.log(3)) < 1e-15
    assert bound == measure.divergence(q, p)
    # ln 3 is 1.09861228866810969139524523692...
    assert bound >= mpq(Fraction("1.09861228866810969139524523692"))
    assert measure.divergence(p, p) == 0
    assert measure.divergence(p, {"a": mpq(1)}) == INF
    assert measure.divergence({"a": mpq(1)}, p) < measure.divergence(p, {"a": mpq(1)})
    assert measure.divergence({"a": mpq(0), "b": mpq(1)}, {"b": mpq(1)}) == 0
    assert measure.divergence({}, p) == 0


@pytest.mark.usefixtures("honest")
def test_user_divergences() -> None:
    measure = user_divergence("mine")
    assert measure.parse(0.3) == mpq(3, 10)
    assert measure.present(measure.parse(0.3), exact=True) == Fraction(3, 10)
    assert measure.present(measure.parse(0.1)) == 0.1
    assert measure.present(measure.parse(3)) == 3.0
    for other in ("lots", (1, 2), None, True):
        assert measure.parse(other) is other
        assert measure.present(other) is other
    for bad in (NAN, -1, -0.5, Decimal("NaN")):
        with pytest.raises(OpenDPException, match="d_out="):
            measure.parse(bad)
    assert measure == user_divergence("mine")
    assert measure != user_divergence("mine", 1)
    assert repr(user_divergence("mine", 1)) == "UserDivergence('mine', descriptor=1)"
    with pytest.raises(OpenDPException, match="identifier=1"):
        user_divergence(1)  # type: ignore[arg-type]


def test_user_divergences_need_a_feature() -> None:
    with pytest.raises(OpenDPException, match="honest-but-curious"):
        user_divergence("mine")


def test_measures_are_values() -> None:
    measures = [*PLAIN, *CURVES, *map(approximate, PLAIN)]
    assert len(set(measures)) == len(set(map(repr, measures))) == len(measures)
    for measure in measures:
        assert pickle.loads(pickle.dumps(measure)) == measure
        assert copy.deepcopy(measure) == measure
    assert repr(APPROXIMATE) == "Approximate(MaxDivergence())"
