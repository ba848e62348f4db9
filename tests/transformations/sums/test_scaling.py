from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy
import opendp.prelude as oracle
import pytest

import opendp_lite.prelude as dp
from tests.rows import for_each

DATA = Path(__file__).parents[2] / "data" / "moment_vectors.json"
VECTORS = [
    vector
    for vector in json.loads(DATA.read_text())["vectors"]
    if "atom" in vector["space"]
]
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)


pytestmark = pytest.mark.usefixtures("contrib")


def test_no_vector_is_forgotten() -> None:
    assert [vector["kind"] for vector in VECTORS] == ["map", "function"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_expected_values(vector: dict[str, Any]) -> None:
    ((_, arguments),) = vector["chain"]
    constant = float.fromhex(arguments["constant"]["float"])
    lower, upper = (float.fromhex(end["float"]) for end in arguments["bounds"])
    made = dp.t.make_lipschitz_float_mul(*FLOATS, constant, (lower, upper))
    expected = Fraction(vector["expected"])
    if vector["kind"] == "map":
        assert made.map(int(vector["d_in"]), exact=True) == expected
    else:
        assert made(float.fromhex(vector["data"]["float"])) == expected


@for_each("constant", [Fraction(-3, 2), Fraction(1, 7), 0, 0.1, "0.1"])
def test_the_map_is_the_greatest_difference(constant: Any) -> None:
    made = dp.t.make_lipschitz_float_mul(*FLOATS, constant, (-2.0, 3.0))
    grid = [i / 2 for i in range(-10, 11)] + [math.inf, -math.inf]
    for d in (0.0, 0.5, 1.0, 3.0, 5.0, 100.0, math.inf):
        near = [(x, y) for x, y in product(grid, grid) if x == y or abs(x - y) <= d]
        found = max(abs(made(x) - made(y)) for x, y in near)
        assert made.map(d, exact=True) == found


def test_the_product_is_exact() -> None:
    made = dp.t.make_lipschitz_float_mul(*FLOATS, "0.1", (-1e300, 1e300))
    values = [0.1, -0.0, 5e-324, 3, numpy.float32(0.1), numpy.float16(0.1), 1e300]
    for x in values:
        assert made(x) == Fraction(float(x)) / 10  # type: ignore[arg-type]
        assert type(made(x)) is Fraction
    assert made(math.inf) == -made(-math.inf) == Fraction(1e300) / 10
    whole = dp.t.make_lipschitz_float_mul(*INTEGERS, "1/3", (-(2**70), 2**70))
    assert whole(numpy.uint64(2**64 - 1)) == Fraction(2**64 - 1, 3)
    assert whole(2**90) == Fraction(2**70, 3)
    assert whole.output_space == (
        dp.atom_domain(T=Fraction),
        dp.absolute_distance(T=Fraction),
    )


def test_a_narrow_scalar_is_not_compared_in_its_own_precision() -> None:
    """0.1 as a float16 is less than 0.1, and 0.1 is rounded to it in float16."""
    made = dp.t.make_lipschitz_float_mul(*FLOATS, 1, (0.1, 1.0))
    assert made(numpy.float16(0.1)) == Fraction(0.1)


def test_members_that_are_no_numbers_are_refused() -> None:
    made = dp.t.make_lipschitz_float_mul(*FLOATS, 2, (0.0, 1.0))
    bad: Any
    for bad in (math.nan, True, "1", None, [0.5], 2**53 + 1):
        with pytest.raises(dp.OpenDPException):
            made(bad)


def test_the_map_is_below_opendps() -> None:
    oracle.enable_features("contrib")
    space = oracle.atom_domain(T=float, nan=False), oracle.absolute_distance(T=float)
    theirs = oracle.t.make_lipschitz_float_mul(*space, 0.1, (-3.0, 4.0))
    ours = dp.t.make_lipschitz_float_mul(*FLOATS, 0.1, (-3.0, 4.0))
    for d in (0.0, 0.5, 1.0, 7.0, 100.0):
        assert ours.map(d) <= theirs.map(d)
    for x in (-9.0, 0.0, 1.5, 4.0, 99.0):
        assert float(ours(x)) == pytest.approx(theirs(x), abs=1e-15)
    assert ours.map(0.0) == 0.0


def test_a_sum_becomes_a_mean() -> None:
    rows = dp.vector_domain(dp.atom_domain((0, 10)), 4), dp.symmetric_distance()
    mean = rows >> dp.t.then_sum() >> dp.t.then_lipschitz_float_mul("1/4", (0, 40))
    assert mean([1, 2, 3, 4]) == Fraction(5, 2)
    assert mean.map(2, exact=True) == Fraction(5, 2)
