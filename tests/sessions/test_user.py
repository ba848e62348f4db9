"""Code and claims of the user's own: trusted, but their numbers are checked."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.features import disable_features
from opendp_lite.core.domains import atom_domain, vector_domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import (
    Measure,
    approximate,
    max_divergence,
    renyi_divergence,
    zero_concentrated_divergence,
)
from opendp_lite.core.metrics import (
    Metric,
    absolute_distance,
    l01inf_distance,
    l2_distance,
    symmetric_distance,
)
from opendp_lite.core.transformation import Transformation
from opendp_lite.measurements import then_laplace
from opendp_lite.sessions.user import (
    make_user_measurement,
    make_user_transformation,
    then_user_measurement,
    then_user_transformation,
    user_distance,
    user_divergence,
    user_domain,
)
from tests.rows import for_each

INT = atom_domain(T=int), absolute_distance(T=int)
FLOAT = atom_domain(T=float, nan=False), absolute_distance(T=float)
ROWS = vector_domain(atom_domain(T=int)), symmetric_distance()

pytestmark = pytest.mark.usefixtures("honest")


def measurement(
    privacy_map: Callable[[Any], Any],
    metric: Metric = FLOAT[1],
    measure: Measure | None = None,
) -> Measurement:
    domain = INT[0] if metric == INT[1] else FLOAT[0]
    measure = measure or max_divergence()
    return make_user_measurement(domain, metric, measure, lambda x: 0, privacy_map)


def transformation(
    stability_map: Callable[[Any], Any], metric: Metric = FLOAT[1]
) -> Transformation:
    domain = INT[0] if metric == INT[1] else FLOAT[0]
    return make_user_transformation(
        domain, metric, domain, metric, lambda x: x, stability_map
    )


def test_the_feature_is_needed() -> None:
    disable_features("honest-but-curious")
    for make in (lambda: measurement(abs), lambda: transformation(abs)):
        with pytest.raises(OpenDPException, match="honest-but-curious") as caught:
            make()
        assert caught.value.variant == "FeatureRequired"


def test_maps_are_given_plain_numbers() -> None:
    seen: list[Any] = []

    def watch(d_in: Any) -> Any:
        seen.append(d_in)
        return d_in

    for make in (measurement, transformation):
        for metric in (INT[1], FLOAT[1]):
            made = make(watch, metric)
            made.map(2)
            made.check("2", 3)
            made.map(math.inf)
    assert {type(d) for d in seen} == {int, Fraction, float}
    assert {d for d in seen if isinstance(d, float)} == {math.inf}


@for_each(
    ("privacy_map", "d_in", "loss"),
    [
        (lambda d: d, 2, 2),
        (lambda d: d / 2, 3, Fraction(3, 2)),
        (lambda d: d / 10.0, 3, Fraction(3, 10)),
        (lambda d: 0.3, 1, Fraction(3, 10)),
        (lambda d: "0.3", 1, Fraction(3, 10)),
        (lambda d: Decimal("0.3"), 1, Fraction(3, 10)),
        (lambda d: np.float64(0.5), 1, Fraction(1, 2)),
        (lambda d: np.int32(5), 1, 5),
        (lambda d: d**2 * 0.5, 3, Fraction(9, 2)),
        (lambda d: float(d) * 2, 3, 6),
        (lambda d: math.ceil(d), 2.5, 3),
        (lambda d: math.inf, 1, math.inf),
        (lambda d: min(d, 1.0), 3, 1),
        (lambda d: mpq(1, 3), 3, Fraction(1, 3)),
        (lambda d: 0, 1, 0),
    ],
)
def test_maps_in_the_style_of_opendp(
    privacy_map: Callable[[Any], Any], d_in: Any, loss: Any
) -> None:
    made = measurement(privacy_map)
    assert made.map(d_in, exact=True) == loss
    assert made.map(d_in) >= loss
    assert made.check(d_in, loss)
    assert made.check(d_in, made.map(d_in))


@for_each(
    ("result", "says"),
    [
        (-1, "must be at least 0"),
        (-1e-300, "must be at least 0"),
        (math.nan, "nan"),
        (-math.inf, "must be at least 0"),
        (None, "must be a number"),
        (True, "truth value"),
        ("much", "must be a number"),
        ((1.0, 0.0), "must be a number"),
        (np.float32(math.nan), "nan"),
    ],
)
def test_bad_results_of_maps_are_refused(result: Any, says: str) -> None:
    for made, name in (
        (measurement(lambda d: result), "privacy_map(d_in)="),
        (transformation(lambda d: result), "stability_map(d_in)="),
        (transformation(lambda d: result, INT[1]), "stability_map(d_in)="),
    ):
        for call in (lambda m: m.map(1), lambda m: m.check(1, 1)):
            with pytest.raises(OpenDPException) as caught:
                call(made)
            assert caught.value.variant == "InvalidDistance"
            assert name in caught.value.message
            assert says in caught.value.message


def test_integer_metrics_refuse_fractions_of_rows() -> None:
    with pytest.raises(OpenDPException, match="must be an integer"):
        transformation(lambda d: d / 2, INT[1]).map(1)
    assert transformation(lambda d: d / 2, INT[1]).map(2) == 1


def test_a_stability_map_is_taken_at_its_binary_value() -> None:
    """A distance is data-like: 0.3 is the double, which is below 3/10."""
    made = transformation(lambda d: 0.3)
    assert made.map(1, exact=True) == Fraction(0.3) < Fraction(3, 10)


def test_errors_of_the_map_surface() -> None:
    for make in (measurement, transformation):
        with pytest.raises(ZeroDivisionError):
            make(lambda d: d / 0).map(1)


def test_pairs_triples_curves_and_own_measures() -> None:
    pair = measurement(lambda d: (d, 1e-9), measure=approximate(max_divergence()))
    assert pair.map(1) == (1.0, 1e-9)
    assert pair.check(1, (1, 1e-9))
    assert not pair.check(1, (1, 1e-10))
    with pytest.raises(OpenDPException, match=r"privacy_map\(d_in\)\[1\]=2"):
        measurement(lambda d: (1, 2), measure=approximate(max_divergence())).map(1)
    rho = measurement(lambda d: d * d / 2, measure=zero_concentrated_divergence())
    assert rho.map(3) == 4.5
    curve = measurement(
        lambda d: lambda alpha: alpha * d / 2, measure=renyi_divergence()
    )
    assert curve.map(3)(2) == 3.0
    assert curve.map(1, exact=True)(Fraction(1, 3)) == Fraction(1, 6)
    with pytest.raises(OpenDPException, match="must be a function"):
        measurement(lambda d: 1.0, measure=renyi_divergence()).map(1)
    own = measurement(lambda d: "a lot", measure=user_divergence("vague"))
    assert own.map(1) == "a lot"
    assert own.check(1, "b")
    keyed = l01inf_distance(absolute_distance(T=int))
    domain = user_domain("histograms", lambda x: isinstance(x, dict))
    triple = make_user_transformation(
        *ROWS, domain, keyed, lambda rows: {}, lambda d: (d, d, d)
    )
    assert triple.map(2) == (2, 2, 2)
    assert triple.check(2, (2, 3, 2))
    assert not triple.check(2, (2, 1, 2))


@for_each(
    ("value", "limit"),
    [
        ((1, 0.9), (2, 0.1)),
        ([1, 0.9], [2, 0.1]),
        ("10", "9"),
        ("10", 11),
        (10, "11"),
        ("a", ("b",)),
    ],
)
def test_what_has_no_order_is_not_compared(value: Any, limit: Any) -> None:
    """Of tuples Python compares the first parts that differ, and text by letters."""
    vague = user_divergence("vague")
    distant = make_user_transformation(
        *ROWS,
        user_domain("any", lambda x: True),
        user_distance("vague"),
        lambda rows: rows,
        lambda d: value,
    )
    for made, d_out in (
        (measurement(lambda d: value, measure=vague), limit),
        (measurement(lambda d: (value, 0), measure=approximate(vague)), (limit, 0)),
        (distant, limit),
    ):
        with pytest.raises(OpenDPException, match="has no order"):
            made.check(1, d_out)


def test_own_metrics() -> None:
    metric = user_distance("levels")
    domain = user_domain("levels", lambda x: True)
    made = make_user_measurement(
        domain, metric, max_divergence(), lambda x: x, lambda d: {"near": 1}.get(d, 5)
    )
    assert made.map("near") == 1.0
    assert made.map("far") == 5.0
    doubled = make_user_transformation(
        domain, metric, domain, metric, lambda x: x, lambda d: 2 * d
    )
    assert doubled.map(3) == 6
    assert (doubled >> made).map(3) == 5.0


def test_functions_work_on_members() -> None:
    l2 = vector_domain(atom_domain(T=float, nan=False), size=2), l2_distance(T=float)
    swap = l2 >> then_user_transformation(*l2, lambda x: x[::-1], lambda d: d)
    assert swap([1.0, 2.0]) == [2.0, 1.0]
    with pytest.raises(OpenDPException, match="not a member"):
        swap([1.0])
    count = ROWS >> then_user_transformation(*INT, len, lambda d: d)
    noisy = count >> then_laplace(2)
    assert noisy.map(1) == 0.5
    release = INT >> then_user_measurement(max_divergence(), lambda x: "x", lambda d: 0)
    assert release(3) == "x"
    assert release.map(3) == 0.0


def test_bad_arguments_are_named() -> None:
    for make, says in (
        (lambda: measurement(3), "privacy_map=<int>: must be callable"),  # type: ignore[arg-type]
        (lambda: transformation("map"), "stability_map=<str>: must be callable"),  # type: ignore[arg-type]
        (
            lambda: make_user_measurement(*INT, max_divergence(), 3, abs),  # type: ignore[arg-type]
            "function=<int>: must be callable",
        ),
        (
            lambda: make_user_transformation(*INT, *INT, None, abs),  # type: ignore[arg-type]
            "function=None: must be callable",
        ),
        (lambda: make_user_measurement(*INT, "MaxDivergence", abs, abs), "Measure"),  # type: ignore[arg-type]
        (lambda: make_user_measurement(int, INT[1], max_divergence(), abs, abs), "Dom"),  # type: ignore[arg-type]
        (
            lambda: make_user_transformation(*INT, INT[0], "x", abs, abs),  # type: ignore[arg-type]
            "output_metric",
        ),
        (
            lambda: make_user_transformation(*INT, *ROWS[:1], INT[1], abs, abs),
            "not a metric space",
        ),
    ):
        with pytest.raises(OpenDPException) as caught:
            make()
        assert says in caught.value.message
