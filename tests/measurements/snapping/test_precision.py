"""The loss of the finite arithmetic, and the scale and the precision for a loss."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains import AtomDomain
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.measurements.noise.additive import NumberSpace
from opendp_lite.measurements.snapping.lattice import Lattice
from opendp_lite.measurements.snapping.precision import (
    check_precision,
    finite_epsilon,
    finite_loss,
    finite_scale,
    precision_argument,
    snapping_precision,
)
from tests.rows import for_each

_FILE = Path(__file__).parents[2] / "data" / "snapping_precision_vectors.json"
VECTORS = json.loads(_FILE.read_text())


def vectors(function: str) -> Any:
    chosen = [each for each in VECTORS if each["function"] == function]
    assert chosen
    return pytest.mark.parametrize("vector", chosen, ids=lambda each: each["id"])


# The vectors, where distances are in units of d_in


@vectors("eps_prime")
def test_the_loss_that_is_left_to_the_noise(vector: Any) -> None:
    epsilon, ratio = (to_mpq(vector["inputs"][k]) for k in ("eps", "B_over_Delta"))
    precision, expected = int(vector["inputs"]["p"]), to_mpq(vector["expected"])
    for unit in (mpq(1), mpq(1, 3), mpq(10**9)):
        scale = finite_scale(epsilon, ratio * unit, unit, precision)
        assert unit / scale == expected
        assert finite_epsilon(scale, ratio * unit, unit, precision) == epsilon


@vectors("eps_from_prime")
def test_the_whole_loss_from_that_of_the_noise(vector: Any) -> None:
    prime, ratio = (to_mpq(vector["inputs"][k]) for k in ("eps_prime", "B_over_Delta"))
    precision, expected = int(vector["inputs"]["p"]), to_mpq(vector["expected"])
    for unit in (mpq(1), mpq(1, 3), mpq(10**9)):
        assert finite_epsilon(unit / prime, ratio * unit, unit, precision) == expected
        lattice = Lattice(mpq(5), 5 + 2 * ratio * unit, unit / prime)
        assert finite_loss(lattice, precision, 1, unit) == expected


@vectors("min_precision_doc")
def test_the_precision_is_six_bits_more_than_the_rule_of_the_notes(vector: Any) -> None:
    epsilon, rule = vector["inputs"]["eps"], int(vector["expected"])
    assert snapping_precision(epsilon, 1, 1) == max(118, rule + 6, 58)


# The loss


def test_the_loss_adds_up_its_terms() -> None:
    lattice = Lattice(mpq(-1), mpq(3), mpq(3, 4))
    eta = mpq(1, 2**5)
    each = 12 * 2 * eta / mpq(3, 4) + 2 * eta
    assert finite_loss(lattice, 5, 1, mpq(1)) == mpq(4, 3) + each
    assert finite_loss(lattice, 5, 1, 4) == mpq(16, 3) + each
    for clamped in (mpq(9, 2), 10**400, math.inf):
        assert finite_loss(lattice, 5, 1, clamped) == mpq(16, 3) + each
    assert finite_loss(lattice, 5, 7, mpq(9, 2)) == mpq(6) + 7 * each
    assert finite_loss(lattice, 5, 7, math.inf) == 7 * (mpq(16, 3) + each)
    tiny = mpq(1, 10**300)
    assert finite_loss(lattice, 5, 3, tiny) == tiny / mpq(3, 4) + 3 * each


@for_each("zero", [0, mpq(0)])
@for_each("count", [0, 1, 9])
def test_the_loss_is_0_at_the_distance_0(count: int, zero: Any) -> None:
    assert finite_loss(Lattice(mpq(-1), mpq(1), mpq(1)), 118, count, zero) == 0


def test_no_entry_loses_nothing() -> None:
    assert finite_loss(Lattice(mpq(-1), mpq(1), mpq(1)), 118, 0, math.inf) == 0


positive = st.builds(mpq, st.integers(1, 10**12), st.integers(1, 10**12))


@given(
    epsilon=positive,
    half=positive,
    distance=positive | st.just(math.inf),
    precision=st.integers(4, 130),
    count=st.integers(1, 5),
)
def test_the_scale_has_the_loss_and_is_the_least(
    epsilon: mpq, half: mpq, distance: Any, precision: int, count: int
) -> None:
    arguments = half, distance, precision, count
    # At the least scale that the arithmetic is fine enough for.
    coarsest = finite_epsilon(half / mpq(2) ** (precision - 3), *arguments)
    too_little, too_much = (
        epsilon <= 2 * count * mpq(2) ** -precision,
        epsilon > coarsest,
    )
    if too_little or too_much:
        culprit = "epsilon=" if too_little else "precision="
        with pytest.raises(OpenDPException, match=f"^FailedMap: {culprit}"):
            finite_scale(epsilon, *arguments)
        return
    scale = finite_scale(epsilon, *arguments)
    assert finite_epsilon(scale, *arguments) == epsilon
    assert finite_epsilon(scale * mpq(1001, 1000), *arguments) < epsilon


def test_a_loss_that_the_arithmetic_takes_alone_is_refused() -> None:
    eta = mpq(1, 2**118)
    for epsilon in (2 * eta, eta, mpq(0), mpq(-1)):
        with pytest.raises(
            OpenDPException, match=r"epsilon=.*must be above .*Pass a g"
        ):
            finite_scale(epsilon, mpq(8), mpq(1), 118)
    assert finite_scale(mpq("2.001") * eta, mpq(8), mpq(1), 118) > mpq(10) ** 38
    # The message is short, however fine the arithmetic is.
    with pytest.raises(
        OpenDPException, match=r"above 6 \* 2\^-1048576, which"
    ) as caught:
        finite_scale(mpq(1, 2**1048576), mpq(8), mpq(1), 2**20, 3)
    assert len(caught.value.message) < 300


# What is too coarse


@for_each("precision", [4, 5, 10, 118])
def test_the_arithmetic_reaches_so_far_and_no_farther(precision: int) -> None:
    half = mpq(2) ** (precision - 3)
    inside = Lattice(-half, half, mpq(1))
    assert finite_loss(inside, precision, 1, 1) > 1
    beyond = Lattice(-half, half + mpq(1, 10**9), mpq(1))
    with pytest.raises(
        OpenDPException, match=f"^FailedMap: precision={precision}: must be at "
    ):
        finite_loss(beyond, precision, 1, 1)
    # At the distance 0 as well: what is refused does not depend on it.
    with pytest.raises(OpenDPException, match="logarithm"):
        finite_loss(beyond, precision, 1, 0)
    with pytest.raises(OpenDPException, match="logarithm"):
        finite_scale(mpq(10) ** 9 * half, half, mpq(1), precision)


def test_fewer_than_four_bits_are_refused() -> None:
    lattice = Lattice(mpq(-1), mpq(1), mpq(100))
    for precision in (3, 0, -5):
        with pytest.raises(OpenDPException, match="must be at least 4"):
            finite_loss(lattice, precision, 1, 1)


# The constructor's check

UNIT = Lattice(mpq(-1), mpq(1), mpq(1))
ATOM = AtomDomain(nan=False, T=float)
NUMBER = NumberSpace(ATOM, vector=False, size=None)


@for_each("precision", [118, 118.0, "118", Fraction(118), Decimal(118)])
def test_an_integer_of_any_type_is_a_precision(precision: Any) -> None:
    checked = check_precision(precision, UNIT, NUMBER)
    assert type(checked) is int
    assert checked == precision_argument("FailedMap", precision) == 118


@for_each(
    ("precision", "rule"),
    [
        (117, "at least 118"),
        (0, "at least 118"),
        (-118, "at least 118"),
        (2**20 + 1, "at most 1048576"),
        (10**400, "at most 1048576"),
        (118.5, "must be an integer"),
        (True, "truth value"),
        ("many", "must be a number"),
        (math.nan, "finite"),
        (math.inf, "finite"),
        ([118], "must be a number"),
    ],
)
def test_other_precisions_are_refused(precision: Any, rule: str) -> None:
    for variant, check in (
        ("MakeMeasurement", lambda: check_precision(precision, UNIT, NUMBER)),
        ("FailedMap", lambda: precision_argument("FailedMap", precision)),
    ):
        with pytest.raises(OpenDPException, match=rule) as caught:
            check()
        assert caught.value.variant == variant
        assert caught.value.message.startswith("precision=")


def test_the_greatest_precision_is_allowed() -> None:
    assert check_precision(2**20, UNIT, NUMBER) == 2**20


def test_a_precision_too_coarse_for_the_lattice_is_refused() -> None:
    wide = Lattice(-(mpq(2) ** 115), mpq(2) ** 115, mpq(1))
    assert check_precision(118, wide, NUMBER) == 118
    wider = Lattice(-(mpq(2) ** 115), mpq(2) ** 115, mpq("0.999"))
    with pytest.raises(OpenDPException, match="precision=118: must be at least 3 plus"):
        check_precision(118, wider, NUMBER)
    assert check_precision(119, wider, NUMBER) == 119


def test_vectors_need_a_size() -> None:
    for size in (0, 1, 10**6):
        assert (
            check_precision(118, UNIT, NumberSpace(ATOM, vector=True, size=size)) == 118
        )
    with pytest.raises(OpenDPException, match="unknown size"):
        check_precision(118, UNIT, NumberSpace(ATOM, vector=True, size=None))


# The precision for a loss


@for_each(
    ("epsilon", "half", "d_in", "precision"),
    [
        (1, 8, 1, 118),
        (0.1, 1000, 1, 118),
        (mpq(1, 2**110), 1, 1, 118),
        (mpq(1, 2**111), 1, 1, 119),
        (mpq(1, 2**111) + mpq(1, 10**60), 1, 1, 118),
        (mpq(1, 2**111) - mpq(1, 10**60), 1, 1, 119),
        (mpq(1, 2**112), 1, 1, 120),
        (1, 2**60, 1, 118),
        (1, 2**60 + 1, 1, 119),
        (1, 2**70, 2**3, 125),
        (1, 1, mpq(1, 2**100), 158),
        (2**55, 2**70, 1, 128),
        (2**56, 2**70, 1, 129),
        (2**56, 1, math.inf, 118),
        (10**60, 1, math.inf, 202),
    ],
)
def test_precisions(epsilon: Any, half: Any, d_in: Any, precision: int) -> None:
    assert snapping_precision(epsilon, half, d_in) == precision


def test_the_greatest_precision_is_found_and_no_greater_one() -> None:
    least = mpq(1, 2 ** (2**20 - 8))
    assert snapping_precision(least, 1, 1) == 2**20
    with pytest.raises(OpenDPException, match="needs a precision of 1048577, and at "):
        snapping_precision(least / 2, 1, 1)
    assert snapping_precision(1, 2 ** (2**20 - 58), 1) == 2**20
    with pytest.raises(OpenDPException, match="needs a precision of 1048577, and at "):
        snapping_precision(1, 2 ** (2**20 - 57), 1)


@given(
    epsilon=positive | st.integers(-400, 400).map(lambda k: mpq(2) ** k),
    half=positive | st.integers(-400, 400).map(lambda k: mpq(2) ** k * mpq(3, 2)),
    distance=positive | st.just(math.inf),
)
def test_at_the_precision_nearly_all_of_the_loss_is_left_to_the_noise(
    epsilon: mpq, half: mpq, distance: Any
) -> None:
    precision = snapping_precision(epsilon, half, distance)
    scale = finite_scale(epsilon, half, distance, precision)
    moved = min(distance, 2 * half)
    assert mpq("0.98") * epsilon < moved / scale < epsilon
    # With the scale rounded up it still serves, in the constructor too.
    rounded = scale * (1 + mpq(1, 2**53))
    lattice = Lattice(mpq(0), 2 * half, rounded)
    assert check_precision(precision, lattice, NUMBER) == precision
    assert finite_loss(lattice, precision, 1, distance) <= epsilon


@for_each(
    ("change", "message"),
    [
        ({"epsilon": 0}, "epsilon=0: must be positive"),
        ({"epsilon": -1}, "epsilon=-1: must be positive"),
        ({"epsilon": math.inf}, "epsilon=inf: must be a finite number"),
        ({"epsilon": math.nan}, "epsilon=nan"),
        ({"epsilon": "x"}, "epsilon='x'"),
        ({"epsilon": "1e-900000"}, "needs a precision of 2989743"),
        ({"half_width": 0}, "half_width=0: must be positive"),
        ({"half_width": -0.5}, "half_width=-0.5: must be positive"),
        ({"half_width": None}, "half_width=None: must be a number"),
        ({"d_in": 0}, "d_in=0: must be positive: at distance 0 nothing is lost"),
        ({"d_in": -1}, "d_in=-1: must be positive"),
        ({"d_in": math.nan}, "d_in=nan: must be a number"),
    ],
)
def test_what_no_precision_is_found_for(change: dict[str, Any], message: str) -> None:
    arguments = {"epsilon": 1, "half_width": 1, "d_in": 1} | change
    with pytest.raises(OpenDPException) as caught:
        snapping_precision(**arguments)
    assert caught.value.message.startswith(message) or message in caught.value.message
    assert caught.value.variant == "InvalidDistance"


def test_the_loss_reads_as_a_distance_of_max_divergence() -> None:
    loss = finite_loss(UNIT, 118, 1, mpq(1))
    presented = dp.max_divergence().present(loss)
    assert presented == math.nextafter(1.0, 2.0)  # 1 + 14 2^-118, rounded up
