"""The lattice of the snapping mechanism: indices, releases, and the vectors."""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st

from opendp_lite.exact.enclosures import exp
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.exact.rounding import to_double
from opendp_lite.measurements.snapping.lattice import Lattice
from tests.rows import for_each

DATA = Path(__file__).resolve().parents[2] / "data" / "snapping_vectors.json"
VECTORS: list[dict[str, Any]] = json.loads(DATA.read_text())


def vectors(function: str) -> Any:
    some = [v for v in VECTORS if v["function"] == function]
    return pytest.mark.parametrize("vector", some, ids=lambda v: v["id"])


def number(text: str) -> mpq:
    """A number of a vector: a double in hexadecimal, or a decimal or quotient."""
    return mpq(float.fromhex(text)) if "0x" in text else to_mpq(text)


def wide(scale: mpq, size: mpq) -> Lattice:
    """A lattice around 0 that reaches beyond the size."""
    bound = 4 * (size + 2 * scale)
    return Lattice(-bound, bound, scale)


def test_the_vectors_are_there() -> None:
    assert Counter(v["function"] for v in VECTORS) == {
        "Lambda_exponent": 12,
        "round_to_multiple": 18,
        "shift_and_B": 2,
        "snapping_pmf_unclamped": 2,
    }


@vectors("Lambda_exponent")
def test_vectors_of_the_step(vector: dict[str, Any]) -> None:
    scale = number(vector["inputs"]["lambda"])
    lattice = Lattice(mpq(-1), mpq(1), scale)
    assert lattice.exponent == int(vector["expected"])
    assert lattice.step == mpq(2) ** lattice.exponent
    assert lattice.step / 2 < scale <= lattice.step


@vectors("round_to_multiple")
def test_vectors_of_rounding(vector: dict[str, Any]) -> None:
    x, k = number(vector["inputs"]["x"]), int(vector["inputs"]["k"])
    lattice = wide(mpq(2) ** k, abs(x))
    index = lattice.index(x)
    assert index * lattice.step == to_mpq(vector["expected"])
    assert lattice.released(index) == to_double(index * lattice.step)


@vectors("shift_and_B")
def test_vectors_of_the_middle(vector: dict[str, Any]) -> None:
    lower, upper = (to_mpq(vector["inputs"][each]) for each in ("lower", "upper"))
    lattice = Lattice(lower, upper, mpq(1))
    middle, half = vector["expected"].split(";")
    assert (lattice.middle, lattice.half) == (to_mpq(middle), to_mpq(half))
    # The printed s = (U - L)/2 and B = U - s is the half width and the middle.
    assert vector["doc_value"] == f"{half};{middle}"


@vectors("snapping_pmf_unclamped")
def test_vectors_of_the_law(vector: dict[str, Any]) -> None:
    """The cell of an index, by the thresholds of `index`, has the stated mass."""
    x, scale, n = (to_mpq(vector["inputs"][each]) for each in ("x", "lambda", "n"))
    lattice = wide(scale, abs(x) + 50 * scale)
    below, above = ((2 * n - 1) * lattice.step / 2, (2 * n + 1) * lattice.step / 2)
    tiny = lattice.step / 10**9
    assert lattice.index(below) == lattice.index(above - tiny) == n
    assert (lattice.index(below - tiny), lattice.index(above)) == (n - 1, n + 1)

    def cumulative(z: mpq) -> Any:
        y = (z - x) / scale
        tail = exp(-abs(y), 200) * mpq(1, 2)
        return tail if y < 0 else 1 - tail

    mass = cumulative(above) - cumulative(below)
    assert abs(mass.lo - to_mpq(vector["expected"])) < mpq(1, 10**29)


@for_each(
    ("lower", "upper", "scale"),
    [(1, 1, 1), (2, 1, 1), (0, 1, 0), (0, 1, -1)],
)
def test_what_is_refused(lower: int, upper: int, scale: int) -> None:
    with pytest.raises(ValueError, match="must be"):
        Lattice(mpq(lower), mpq(upper), mpq(scale))


def test_bounds_need_a_double_between_them() -> None:
    one = mpq(1)
    gap = mpq(2) ** -52
    with pytest.raises(ValueError, match="double"):
        Lattice(one + gap / 4, one + gap / 2, one)
    assert Lattice(one, one + gap / 2, one).released(5) == 1.0
    with pytest.raises(ValueError, match="double"):
        Lattice(mpq(10) ** 309, mpq(10) ** 310, one)
    assert Lattice(mpq(-1), mpq(10) ** 400, one).greatest == sys.float_info.max


RATIONALS = st.fractions(-50, 50).map(lambda f: mpq(f.numerator, f.denominator))
LATTICES = st.tuples(
    RATIONALS, st.fractions("1/100", 60), st.fractions("1/50", 50)
).map(
    lambda t: Lattice(
        t[0],
        t[0] + mpq(t[1].numerator, t[1].denominator),
        mpq(t[2].numerator, t[2].denominator),
    )
)


@given(LATTICES, RATIONALS, RATIONALS)
def test_definitions(lattice: Lattice, x: mpq, z: mpq) -> None:
    lower, upper, step = lattice.lower, lattice.upper, lattice.step
    clamped = lower if x < lower else upper if x > upper else x
    assert lattice.offset(x) == clamped - (lower + upper) / 2
    # The nearest multiple, ties upward, then the clamp.
    j = math.floor(z / step + mpq(1, 2))
    last = math.ceil((upper - lower) / 2 / step)
    assert (lattice.last - 1) * step < lattice.half <= lattice.last * step
    assert lattice.index(z) == max(-last, min(last, j))
    # What is released for it is the clamped multiple, rounded once.
    moved = max(-lattice.half, min(lattice.half, j * step)) + lattice.middle
    doubles = [to_double(moved), lattice.least, lattice.greatest]
    assert lattice.released(lattice.index(z)) == sorted(doubles)[1]


@given(LATTICES, RATIONALS, RATIONALS)
def test_both_functions_are_nondecreasing(lattice: Lattice, a: mpq, b: mpq) -> None:
    a, b = min(a, b), max(a, b)
    assert lattice.index(a) <= lattice.index(b)
    released = [lattice.released(lattice.index(z)) for z in (a, b)]
    assert released[0] <= released[1]
    assert all(lower_holds(lattice, y) for y in released)


def lower_holds(lattice: Lattice, y: float) -> bool:
    inside = lattice.lower <= mpq(y) <= lattice.upper
    return inside and math.copysign(1, y) >= (1 if y == 0 else -1)


def test_clamping_of_doubles() -> None:
    third = Lattice(mpq(1, 3), mpq(2, 3), mpq(1))
    assert third.clamped(math.inf) == third.clamped(1.0) == mpq(2, 3)
    assert third.clamped(-math.inf) == third.clamped(0.0) == mpq(1, 3)
    # 1/3 lies between two doubles, and 2/3 too.
    for x in (third.least, third.greatest, 0.5):
        assert third.clamped(x) == mpq(x)
    below = math.nextafter(third.least, 0)
    above = math.nextafter(third.greatest, 1)
    assert (third.clamped(below), third.clamped(above)) == (mpq(1, 3), mpq(2, 3))


def test_what_is_rounded_out_of_the_bounds_is_moved_back() -> None:
    """Between 1 and 1 + 0.9 2^-52 more than half is nearer to the double above."""
    gap = mpq(2) ** -52
    lattice = Lattice(mpq(1), 1 + gap * mpq(9, 10), gap / 2**10)
    inside = lattice.last - 1
    assert to_double(lattice.middle + inside * lattice.step) == 1 + 2.0**-52
    assert {lattice.released(j) for j in range(-inside, inside + 1)} == {1.0}
    mirrored = Lattice(-1 - gap * mpq(9, 10), mpq(-1), gap / 2**10)
    assert {mirrored.released(j) for j in range(-inside, inside + 1)} == {-1.0}


def test_no_minus_zero() -> None:
    for lower, upper in ((mpq(-1), mpq(-1, 10**400)), (mpq(-1), mpq(0))):
        lattice = Lattice(lower, upper, mpq(1))
        released = [lattice.released(j) for j in range(-3, 4)]
        assert all(math.copysign(1, y) > 0 for y in released if y == 0)
        assert lattice.greatest <= 0
    tiny = Lattice(mpq(-1, 10**400), mpq(1), mpq(1))
    assert math.copysign(1, tiny.least) > 0
    assert tiny.least == 0


@pytest.mark.parametrize("scale", [mpq(1, 10**400), mpq(10) ** 400, mpq(5e-324)])
def test_scales_beyond_the_doubles(scale: mpq) -> None:
    lattice = Lattice(mpq(-1), mpq(1), scale)
    assert lattice.released(lattice.index(mpq(1, 4))) in (0.25, 0.0)
    assert lattice.released(lattice.last) == 1.0
    assert lattice.released(-lattice.last) == -1.0


def test_a_bound_between_0_and_the_first_double_below_it() -> None:
    """The next double after -2^-1074 is -0.0, and 0.0 is released."""
    lattice = Lattice(mpq(-3, 2**1076), mpq(1), mpq(1))
    assert math.copysign(1, lattice.least) == 1
    assert str(lattice.released(-lattice.last)) == "0.0"
    mirrored = Lattice(mpq(-1), mpq(3, 2**1076), mpq(1))
    assert str(mirrored.released(mirrored.last)) == "0.0"
