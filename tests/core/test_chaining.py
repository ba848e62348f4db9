"""What `>>` accepts, what it computes, and what it says when it refuses."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.base.errors import OpenDPException
from opendp_lite.combinators import make_chain_mt, make_chain_pm, make_chain_tt
from opendp_lite.core.domains import Domain, atom_domain, option_domain, vector_domain
from opendp_lite.core.measurement import Function, Measurement, new_function
from opendp_lite.core.measures import max_divergence
from opendp_lite.core.metrics import (
    Metric,
    absolute_distance,
    discrete_distance,
    insert_delete_distance,
    l1_distance,
    linf_distance,
    symmetric_distance,
)
from opendp_lite.core.transformation import Transformation, check_space
from opendp_lite.measurements import make_laplace, then_laplace
from opendp_lite.sessions.user import make_user_transformation, user_domain
from opendp_lite.transformations import make_count, then_clamp, then_count, then_sum
from tests.rows import for_each

Space = tuple[Domain, Metric]

INT: Space = atom_domain(T=int), absolute_distance(T=int)
FLOAT: Space = atom_domain(T=float, nan=False), absolute_distance(T=float)
EXACT: Space = atom_domain(T=Fraction), absolute_distance(T=Fraction)
ROWS: Space = vector_domain(atom_domain(T=int)), symmetric_distance()


def between(
    left: Space,
    right: Space,
    function: Callable[[Any], Any] = lambda x: x,
    stability_map: Callable[[Any], Any] = lambda d: d,
) -> Transformation:
    return Transformation(left[0], right[0], function, left[1], right[1], stability_map)


def releasing(space: Space, *, covers_rationals: bool = False) -> Measurement:
    return Measurement(
        space[0],
        lambda x: x,
        space[1],
        max_divergence(),
        lambda d: d,
        covers_rationals=covers_rationals,
    )


@pytest.mark.usefixtures("honest")
def test_functions_and_maps_compose() -> None:
    plus = between(INT, INT, lambda x: x + 1, lambda d: d + 1)
    times = between(INT, INT, lambda x: 10 * x, lambda d: 10 * d)
    assert (plus >> times)(2) == 30
    assert (times >> plus)(2) == 21
    assert (plus >> times).map(1) == 20
    assert (times >> plus).map(1) == 11
    noisy = releasing(INT)
    assert (plus >> times >> noisy)(2) == 30
    assert (plus >> times >> noisy).map(1) == 20.0
    assert (plus >> (times >> noisy)).map(1) == 20.0
    assert (plus >> noisy >> str)(2) == "3"
    assert (plus >> noisy >> str >> len).map(1) == 2.0


def test_a_chain_has_the_ends_of_its_parts() -> None:
    chain = ROWS >> then_clamp((0, 9)) >> then_sum()
    assert chain.input_space == ROWS
    assert chain.output_space == INT
    assert chain.input_carrier_type == "Vec<int>"
    noisy = chain >> then_laplace(3)
    assert noisy.input_space == ROWS
    assert noisy.output_measure == max_divergence()
    assert noisy.input_carrier_type == "Vec<int>"


@pytest.mark.usefixtures("honest")
def test_membership_is_checked_once_at_the_door() -> None:
    calls: list[Any] = []

    class Watched(Domain):
        def member(self, value: Any) -> bool:
            calls.append(value)
            return True

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Watched)

        __hash__ = object.__hash__

    space = Watched(), discrete_distance()
    chain = between(space, space) >> between(space, space) >> releasing(space)
    chain(7)
    assert calls == [7]
    with pytest.raises(OpenDPException, match="not a member"):
        (ROWS >> then_count() >> then_laplace(1))([1.5])


def test_maps_of_chains_stay_exact_between_the_parts() -> None:
    """A third, three times, is one; in floats that are rounded up it is more."""
    third = between(EXACT, EXACT, lambda x: x / 3, lambda d: d / 3)
    triple = between(EXACT, EXACT, lambda x: x * 3, lambda d: d * 3)
    chain = third >> triple
    assert chain.map(1, exact=True) == 1
    assert (chain >> releasing(EXACT)).check(1, 1)


@for_each(
    ("left", "right", "says"),
    [
        (INT, FLOAT, "then_...()"),
        (
            (vector_domain(atom_domain(T=str)), symmetric_distance()),
            ROWS,
            "then_cast_default(TOA=int)",
        ),
        (
            ROWS,
            (vector_domain(atom_domain(bounds=(0, 9))), symmetric_distance()),
            "then_clamp(bounds=(0, 9))",
        ),
        (
            (vector_domain(atom_domain(T=float)), symmetric_distance()),
            (vector_domain(atom_domain(T=float, nan=False)), symmetric_distance()),
            "then_impute_constant(...) to replace NaN",
        ),
        (
            (vector_domain(option_domain(atom_domain(T=int))), symmetric_distance()),
            ROWS,
            "then_impute_constant(...) to replace missing values",
        ),
        (
            ROWS,
            (vector_domain(atom_domain(T=int), size=5), symmetric_distance()),
            "needs the public size 5",
        ),
        (
            (vector_domain(atom_domain(T=int), size=4), symmetric_distance()),
            (vector_domain(atom_domain(T=int), size=5), symmetric_distance()),
            "needs the public size 5",
        ),
        (ROWS, (atom_domain(T=str), discrete_distance()), "then_...()"),
        (
            (vector_domain(atom_domain(T=float)), symmetric_distance()),
            (vector_domain(atom_domain(T="f32")), symmetric_distance()),
            "then_...()",
        ),
    ],
)
def test_mismatched_domains_name_both_sides_and_the_remedy(
    left: Space, right: Space, says: str
) -> None:
    first = between(left, left)
    for second in (between(right, right), releasing(right)):
        with pytest.raises(OpenDPException) as caught:
            first >> second
        message = caught.value.message
        assert caught.value.variant == "DomainMismatch"
        assert f"puts out {left[0]!r}" in message
        assert f"takes {right[0]!r}" in message
        assert says in message


@for_each(
    ("left", "right"),
    [
        (ROWS, (ROWS[0], insert_delete_distance())),
        (ROWS, (ROWS[0], l1_distance(T=int))),
        (INT, (INT[0], absolute_distance(T=float))),
        (FLOAT, (FLOAT[0], absolute_distance(T=int))),
        ((ROWS[0], l1_distance(T=int)), (ROWS[0], linf_distance(T=int))),
        (
            (ROWS[0], linf_distance(T=int)),
            (ROWS[0], linf_distance(T=int, monotonic=True)),
        ),
    ],
)
def test_mismatched_metrics_name_both_sides(left: Space, right: Space) -> None:
    first = between(left, left)
    for second in (between(right, right), releasing(right)):
        with pytest.raises(OpenDPException) as caught:
            first >> second
        assert caught.value.variant == "MetricMismatch"
        assert f"measures by {left[1]!r}" in caught.value.message
        assert f"the right side by {right[1]!r}" in caught.value.message
        assert "then_...()" in caught.value.message


def test_a_narrower_domain_may_enter_a_wider_one() -> None:
    narrow = vector_domain(atom_domain(bounds=(0, 1)), size=3), symmetric_distance()
    assert (between(narrow, narrow) >> between(ROWS, ROWS))([0, 1, 1]) == [0, 1, 1]
    with pytest.raises(OpenDPException, match="not a member"):
        (between(narrow, narrow) >> between(ROWS, ROWS))([0, 1, 2])


def test_a_measurement_on_floats_takes_rationals_if_its_proof_covers_them() -> None:
    rationals = between(EXACT, EXACT)
    assert (rationals >> releasing(FLOAT, covers_rationals=True)).map(1) == 1.0
    with pytest.raises(OpenDPException, match="DomainMismatch"):
        rationals >> releasing(FLOAT)
    # A transformation has no such proof.
    with pytest.raises(OpenDPException, match="DomainMismatch"):
        rationals >> between(FLOAT, FLOAT)
    # Nor does it reach bounds, binary32 values, integers or another size.
    for domain in (
        atom_domain(bounds=(0.0, 1.0)),
        atom_domain(T="f32", nan=False),
    ):
        with pytest.raises(OpenDPException, match="DomainMismatch"):
            rationals >> releasing((domain, FLOAT[1]), covers_rationals=True)
    with pytest.raises(OpenDPException, match="DomainMismatch"):
        rationals >> releasing(INT, covers_rationals=True)
    with pytest.raises(OpenDPException, match="DomainMismatch"):
        between(INT, INT) >> releasing(FLOAT, covers_rationals=True)
    rows = vector_domain(EXACT[0], size=2), l1_distance(T=Fraction)
    for size, fits in ((None, True), (2, True), (3, False)):
        floats = vector_domain(FLOAT[0], size=size), l1_distance(T=float)
        measurement = releasing(floats, covers_rationals=True)
        if fits:
            assert (between(rows, rows) >> measurement).map(1) == 1.0
        else:
            with pytest.raises(OpenDPException, match="public size 3"):
                between(rows, rows) >> measurement


def test_laplace_on_a_sum_of_floats() -> None:
    floats = vector_domain(atom_domain(bounds=(0.0, 8.0))), symmetric_distance()
    total = floats >> then_sum()
    assert total.output_domain.carrier_type == "Fraction"
    noisy = total >> make_laplace(*FLOAT, scale=0)
    assert noisy([0.5, 8.0]) == 8.5
    gridded = make_laplace(*FLOAT, scale=1, k=-3)
    with pytest.raises(OpenDPException, match="DomainMismatch"):
        total >> gridded


@pytest.mark.usefixtures("honest")
def test_post_processing_keeps_what_the_proof_covers() -> None:
    noisy = releasing(FLOAT, covers_rationals=True) >> str
    assert noisy.covers_rationals
    assert (between(EXACT, EXACT) >> noisy)(Fraction(1, 3)) == "1/3"
    assert not (between(EXACT, EXACT) >> noisy).covers_rationals


@pytest.mark.usefixtures("honest")
def test_a_measurement_is_not_followed_by_a_measurement() -> None:
    noisy = make_laplace(*INT, 1)
    for other in (noisy, then_laplace(1), then_count() >> then_laplace(1)):
        with pytest.raises(OpenDPException) as caught:
            noisy >> other  # type: ignore[operator]
        assert caught.value.variant == "Unsupported"
        assert "already private" in caught.value.message
        assert "post-processed by a function" in caught.value.message
        assert "composed" in caught.value.message
    with pytest.raises(OpenDPException, match="postprocess1"):
        make_chain_pm(noisy, noisy)


@pytest.mark.usefixtures("honest")
def test_a_measurement_is_followed_by_a_function() -> None:
    noisy = make_laplace(*INT, 0)
    assert (noisy >> (lambda x: x + 1))(1) == 2
    assert (noisy >> new_function(lambda x: x + 1))(1) == 2
    assert (noisy >> between(INT, INT, lambda x: -x))(1) == -1
    assert repr(new_function(len)) == "Function(len)"
    assert new_function(len) == Function(len)
    for bad in (5, None, "f", [len]):
        with pytest.raises(OpenDPException) as caught:
            noisy >> bad  # type: ignore[operator]
        assert f"followed by a {type(bad).__name__}" in caught.value.message
        assert "Pass a function of the release" in caught.value.message
    with pytest.raises(OpenDPException, match="postprocess1=5"):
        make_chain_pm(5, noisy)  # type: ignore[arg-type]
    with pytest.raises(OpenDPException, match="function=<int>"):
        new_function(5)  # type: ignore[arg-type]


def test_a_transformation_is_not_followed_by_a_function() -> None:
    count = make_count(*ROWS)
    for bad in (lambda x: x, new_function(len), 5, None):
        with pytest.raises(OpenDPException) as caught:
            count >> bad  # type: ignore[operator]
        assert caught.value.variant == "Unsupported"
        assert f"followed by a {type(bad).__name__}" in caught.value.message
        assert "make_user_transformation" in caught.value.message


@pytest.mark.usefixtures("honest")
def test_operands_in_the_wrong_order_are_named() -> None:
    count, noisy = make_count(*ROWS), make_laplace(*INT, 1)
    for make, arguments, name in (
        (make_chain_tt, (count, noisy), "transformation0"),
        (make_chain_tt, (noisy, count), "transformation1"),
        (make_chain_mt, (count, noisy), "measurement1"),
        (make_chain_mt, (noisy, noisy), "transformation0"),
        (make_chain_pm, (len, count), "measurement0"),
        (make_chain_pm, (noisy, len), "measurement0"),
    ):
        with pytest.raises(OpenDPException, match=name) as caught:
            make(*arguments)
        assert "Check the order of the chain" in caught.value.message


def test_maps_and_checks() -> None:
    half = between(FLOAT, FLOAT, lambda x: x / 2, lambda d: d / 2)
    assert half.map("1/3", exact=True) == Fraction(1, 6)
    assert Fraction(half.map("1/3")) > Fraction(1, 6)
    assert half.check(1, 0.5)
    assert not half.check(1, "0.4999999999999999999999")
    assert half.check(1, half.map(1))
    for bad in (math.nan, -1, None, True):
        for call in (half.map, lambda d: half.check(d, 1)):
            with pytest.raises(OpenDPException, match="d_in="):
                call(bad)
        with pytest.raises(OpenDPException, match="d_out="):
            half.check(1, bad)
    count = make_count(*ROWS)
    assert type(count.map(1)) is int
    with pytest.raises(OpenDPException, match="must be an integer"):
        count.map(0.5)
    assert not count.check(3, 2)
    wrapped = between(INT, INT, stability_map=lambda d: mpq(d) * mpq(3, 2))
    assert wrapped.map(1) == 2
    assert wrapped.check(1, wrapped.map(1))
    with pytest.raises(TypeError):
        half.map(1, True)


def test_both_ends_must_be_metric_spaces() -> None:
    bad_spaces: list[tuple[Any, Any, str]] = [
        (INT[0], symmetric_distance(), "is not a metric space"),
        (atom_domain(T=float), absolute_distance(T=float), "nan=False"),
        (int, absolute_distance(T=int), "domain is a type: must be a Domain"),
        (INT[0], "AbsoluteDistance", "metric is a str: must be a Metric"),
        (INT[1], INT[0], "domain is a AbsoluteDistance"),
    ]
    for domain, metric, says in bad_spaces:
        for make, end in (
            (lambda d, m: releasing((d, m)), "input"),
            (lambda d, m: between((d, m), INT), "input"),
            (lambda d, m: between(INT, (d, m)), "output"),
            (lambda d, m: check_space(d, m, "given"), "given"),
        ):
            with pytest.raises(OpenDPException) as caught:
                make(domain, metric)
            assert caught.value.variant == "MetricSpace"
            assert says in caught.value.message
            assert end in caught.value.message
    with pytest.raises(OpenDPException, match="output_measure=<int>") as caught:
        Measurement(*INT[:1], len, INT[1], 1, len)  # type: ignore[arg-type]
    assert caught.value.variant == "MeasureMismatch"


@pytest.mark.usefixtures("honest")
def test_user_domains_meet_by_identifier() -> None:
    def space(name: str) -> Space:
        return user_domain(name, lambda x: True), discrete_distance()

    assert (between(space("a"), space("b")) >> between(space("b"), space("c")))(1) == 1
    with pytest.raises(OpenDPException, match="DomainMismatch"):
        between(space("a"), space("b")) >> between(space("c"), space("c"))


def test_arrays_pass_through_chains() -> None:
    chain = ROWS >> then_clamp((0, 9)) >> then_sum() >> then_laplace(0)
    assert chain(np.array([1, 2, 30])) == 12
    assert chain([1, 2, 30]) == 12


def test_a_post_processor_is_taken_on_trust() -> None:
    with pytest.raises(OpenDPException) as caught:
        make_laplace(*INT, scale=1) >> float
    assert caught.value.variant == "FeatureRequired"
    for words in ("make_chain_pm", "only through the release", "honest-but-curious"):
        assert words in str(caught.value)


def in_parts(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr("opendp_lite.base.containers._PART", size)


def test_arrays_are_worked_through_in_parts_where_that_is_claimed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_parts(monkeypatch, 4)
    seen: list[int] = []

    def double(rows: Any) -> Any:
        seen.append(len(rows))
        return rows * 2 if isinstance(rows, np.ndarray) else [2 * x for x in rows]

    def link(left: Space, right: Space, function: Any, **claims: Any) -> Any:
        ends = left[0], right[0], function, left[1], right[1]
        return Transformation(*ends, lambda d: d, **claims)

    def total(rows: Any) -> int:
        return int(sum(rows))

    for by_rows, merge in ((True, sum), (True, None), (False, sum)):
        inner = link(ROWS, ROWS, double, by_rows=by_rows)
        outer = link(ROWS, INT, total, merge=merge)
        chain = make_chain_tt(outer, inner)
        both = by_rows and merge is not None
        assert (chain.by_rows, chain.merge) == (False, sum if both else None)
        longer = make_chain_tt(chain, inner)
        assert longer.merge is chain.merge
        for rows, lengths in ((10, [4, 4, 2]), (8, [4, 4]), (3, [3]), (0, [0])):
            seen.clear()
            assert chain.function(np.arange(rows)) == rows * (rows - 1)
            assert seen == (lengths if both else [rows])
            assert chain.function(list(range(rows))) == rows * (rows - 1)
            assert seen[-1] == rows  # a list is not split
            assert longer.function(np.arange(rows)) == 2 * rows * (rows - 1)
    twice = make_chain_tt(*2 * [link(ROWS, ROWS, double, by_rows=True)])
    assert (twice.by_rows, twice.merge) == (True, None)
    seen.clear()
    assert twice.function(np.arange(6)).tolist() == [0, 4, 8, 12, 16, 20]
    assert seen == [6, 6]


@pytest.mark.usefixtures("honest")
def test_what_is_not_proved_row_by_row_claims_nothing() -> None:
    assert not make_count(*ROWS).by_rows
    assert not between(ROWS, ROWS).by_rows
    assert between(ROWS, INT).merge is None
    user = make_user_transformation(*ROWS, *ROWS, list, lambda d: d)
    assert (user.by_rows, user.merge) == (False, None)
    assert (ROWS >> then_clamp((0, 1))).by_rows
    assert (ROWS >> then_clamp((0, 1)) >> then_sum()).merge is sum


def test_parts_are_joined_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the parts gave need not be numbers: here it is text, and order matters."""
    in_parts(monkeypatch, 3)
    text = atom_domain(T=str)
    inner = ROWS >> then_clamp((0, 9))
    outer = Transformation(
        inner.output_domain,
        text,
        lambda rows: "".join(str(x) for x in rows),
        inner.output_metric,
        discrete_distance(),
        lambda d: d,
        merge="".join,
    )
    chain = make_chain_tt(outer, inner)
    rows = np.array([5, 3, 80, 1, -1, 2, 7])
    assert chain.function(rows) == chain.function(rows.tolist()) == "5391027"
    assert chain.function(rows[:0]) == ""
    longer = make_chain_tt(chain, inner)
    assert longer.function(rows) == "5391027"
