"""Metrics of numbers, vectors and maps: exact at every size."""

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
from opendp_lite.core.domains import (
    Domain,
    atom_domain,
    bitvector_domain,
    map_domain,
    option_domain,
    vector_domain,
)
from opendp_lite.core.metrics import (
    AbsoluteDistance,
    L1Distance,
    L2Distance,
    LInfDistance,
    Metric,
    absolute_distance,
    discrete_distance,
    l01inf_distance,
    l02inf_distance,
    l1_distance,
    l2_distance,
    linf_distance,
    symmetric_distance,
)
from opendp_lite.exact.roots import Root, root, squared
from opendp_lite.sessions.user import user_distance, user_domain
from tests.rows import for_each

INF, NAN = math.inf, math.nan
NUMBERS = st.one_of(
    st.integers(-(10**30), 10**30),
    st.fractions(),
    st.floats(allow_nan=False),
    st.sampled_from([0.0, -0.0, 5e-324, 2**53 + 1, 1e308, -1e308, INF, -INF]),
    st.sampled_from([np.float32(0.1), np.int64(-(2**63)), np.uint64(2**64 - 1)]),
)
VECTORS = st.lists(NUMBERS, min_size=2, max_size=2)


def exact(x: Any) -> Any:
    if not math.isfinite(x):
        return float(x)
    return Fraction(x.item() if isinstance(x, np.generic) else x)


def gap(x: Any, y: Any) -> Any:
    x, y = exact(x), exact(y)
    if x == y:
        return 0
    return INF if float in (type(x), type(y)) else abs(x - y)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_absolute_distance(x: Any, y: Any, z: Any) -> None:
    metric = absolute_distance(T=float)
    d = metric.distance(x, y)
    assert d == gap(x, y)
    assert d == metric.distance(y, x)
    assert metric.distance(x, x) == 0
    assert metric.distance(x, z) <= d + metric.distance(y, z) or d == INF
    assert metric.within(x, y, d)
    assert type(d) in (int, float, type(mpq(1)))


def test_numpy_numbers_are_not_rounded_to_one_another() -> None:
    """In numpy 2 `np.float32(0.1) == 0.1`; the numbers are not the same."""
    metric = absolute_distance(T=float)
    assert metric.distance(np.float32(0.1), 0.1) > 0
    assert metric.distance(np.float16(1), 10**400) == 10**400 - 1
    assert metric.distance(np.uint8(255), np.uint8(0)) == 255
    assert metric.distance(np.uint8(0), np.uint8(255)) == 255
    assert metric.distance(np.int64(2**62), np.int64(-(2**63))) == 2**62 + 2**63
    assert metric.distance(np.float64(INF), INF) == 0
    counts = l01inf_distance(absolute_distance(T=float))
    assert counts.distance({"a": np.float32(0.1)}, {"a": 0.1})[0] == 1


@given(VECTORS, VECTORS)
def test_vector_distances_against_fractions(x: list[Any], y: list[Any]) -> None:
    gaps = [gap(a, b) for a, b in zip(x, y, strict=True)]
    infinite = INF in gaps
    total = INF if infinite else sum(gaps)
    square = INF if infinite else sum(each**2 for each in gaps)
    assert l1_distance(T=float).distance(x, y) == total
    assert linf_distance(T=float).distance(x, y) == max(gaps)
    l2 = l2_distance(T=float)
    assert l2.squared(x, y) == square
    distance = l2.distance(x, y)
    assert squared(distance) == square
    assert l2.within(x, y, l2.present(distance, exact=True))
    assert l2.within_exact(x, y, distance)
    if not infinite and square > 0:
        assert not l2.within_exact(x, y, root(mpq(square) * mpq(99, 100)))


@pytest.mark.parametrize("make", [l1_distance, linf_distance, l2_distance])
@given(x=VECTORS, y=VECTORS, z=VECTORS)
def test_vector_axioms(make: Any, x: list[Any], y: list[Any], z: list[Any]) -> None:
    metric = make(T=float)
    assert metric.distance(x, x) == 0
    assert metric.distance(x, y) == metric.distance(y, x)
    if metric != l2_distance(T=float):
        legs = metric.distance(x, y), metric.distance(y, z)
        assert metric.distance(x, z) <= (INF if INF in legs else sum(legs))


@given(st.lists(st.tuples(*3 * [st.integers(-9, 9)]), min_size=1, max_size=3))
def test_l2_keeps_the_triangle_exactly(rows: list[tuple[int, int, int]]) -> None:
    """For a = |xz|^2, b = |xy|^2, c = |yz|^2: a <= b + c + 2 sqrt(bc)."""
    x, y, z = (list(each) for each in zip(*rows, strict=True))
    metric = l2_distance(T=int)
    a, b, c = metric.squared(x, z), metric.squared(x, y), metric.squared(y, z)
    assert a <= b + c or (a - b - c) ** 2 <= 4 * b * c


def test_l2_is_exact_at_irrational_distances() -> None:
    metric = l2_distance(T=float)
    # sqrt(2) lies between these neighbours.
    below, above = 1.414213562373095, 1.4142135623730951
    assert math.nextafter(below, 2) == above
    assert Fraction(above) ** 2 > 2 > Fraction(below) ** 2
    assert not metric.within([0, 0], [1, 1], below)
    assert metric.within([0, 0], [1, 1], above)
    digits = Fraction(math.isqrt(2 * 10**200), 10**100)
    assert not metric.within([0, 0], [1, 1], digits)
    assert metric.within([0, 0], [1, 1], digits + Fraction(1, 10**100))
    assert not l2_distance(T=int).within([0, 0], [1, 1], 1)
    assert l2_distance(T=int).within([0, 0], [1, 1], 2)
    assert metric.distance([0, 0], [3, 4]) == 5
    assert metric.distance([0, 0], [1, 1]) == root(2)
    assert metric.within_exact([0, 0], [1, 1], root(2))
    assert not metric.within_exact([0, 0], [1, 1], root(2 - mpq(1, 10**400)))
    assert metric.distance([0.0], [5e-324]) == mpq(5e-324)
    assert metric.within([1e308, 1e308], [-1e308, -1e308], "1e309")
    assert metric.within([0.0], [INF], INF)
    assert not metric.within([0.0], [INF], 1e308)


def test_vectors_of_different_length_are_infinitely_far() -> None:
    for make in (l1_distance, l2_distance, linf_distance):
        metric = make(T=int)
        assert metric.distance([1], [1, 1]) == INF
        assert metric.distance([], [0]) == INF
        assert metric.distance([], []) == 0
        assert metric.within([], [0], INF)
        assert not metric.within([], [0], 10**400)
        assert metric.distance(np.array([1, 2]), [1, 2]) == 0
    assert linf_distance(T=int, monotonic=True).distance([1], [1, 1]) == INF


def test_infinities_of_the_same_sign_are_equal() -> None:
    for make in (l1_distance, l2_distance, linf_distance):
        metric = make(T=float)
        assert metric.distance([INF, -INF], [INF, -INF]) == 0
        assert metric.distance([INF], [-INF]) == INF
        assert metric.distance([INF, 0.0], [INF, 1.0]) == 1
        assert metric.distance([0.0], [-0.0]) == 0


def test_monotonic_distance() -> None:
    metric = linf_distance(T=float, monotonic=True)
    assert metric.distance([1, 2], [3, 2.5]) == 2
    assert metric.distance([3, 2.5], [1, 2]) == 2
    assert metric.distance([1, 2], [3, 1]) == INF
    assert metric.distance([1, 2], [1, 2]) == 0
    assert metric.distance([1, INF], [2, INF]) == 1
    assert metric.distance([0.0, 1], [-0.0, 2]) == 1
    assert not metric.within([1, 2], [3, 1], 10**9)
    assert metric != linf_distance(T=float)
    assert repr(metric) == "LInfDistance(T=float, monotonic=True)"
    with pytest.raises(OpenDPException, match="monotonic=1: must be a bool"):
        linf_distance(T=float, monotonic=1)  # type: ignore[arg-type]


def test_monotonic_does_not_match_plain() -> None:
    """A bound on the plain distance says nothing about signs."""
    plain, monotonic = linf_distance(T=int), linf_distance(T=int, monotonic=True)
    assert plain.matches(plain)
    assert monotonic.matches(monotonic)
    assert not monotonic.matches(plain)
    assert not plain.matches(monotonic)
    real = linf_distance(T=float, monotonic=True)
    assert real.matches(linf_distance(T=Fraction, monotonic=True))


MAPS = st.dictionaries(
    st.sampled_from(["a", "b", 1, 0.0]), st.integers(-3, 3), max_size=3
)


@given(MAPS, MAPS)
def test_map_distances_against_brute_force(
    x: dict[Any, int], y: dict[Any, int]
) -> None:
    keys = x.keys() | y.keys()
    gaps = [abs(x.get(k, 0) - y.get(k, 0)) for k in keys]
    l0 = sum(x.get(k) != y.get(k) for k in keys)
    l1, square, linf = sum(gaps), sum(g * g for g in gaps), max(gaps, default=0)
    first = l01inf_distance(absolute_distance(T=int))
    second = l02inf_distance(absolute_distance(T=int))
    assert first.distance(x, y) == (l0, l1, linf)
    found = second.distance(x, y)
    assert found[::2] == (l0, linf)
    assert squared(found[1]) == square
    assert second.within_exact(x, y, found)
    floor = math.isqrt(square)
    whole = floor + (floor * floor < square)
    assert second.present(found) == (l0, whole, linf)
    assert first.within(x, y, (l0, l1, linf))
    assert second.within(x, y, (l0, whole, linf))
    if whole:
        assert not second.within(x, y, (l0, whole - 1, linf))
        assert not first.within(x, y, (l0, l1 - 1, linf))
        assert not first.within(x, y, (l0 - 1, l1, linf))
        assert not first.within(x, y, (l0, l1, linf - 1))


@given(MAPS, MAPS, MAPS)
def test_map_axioms(x: dict[Any, int], y: dict[Any, int], z: dict[Any, int]) -> None:
    metric = l01inf_distance(absolute_distance(T=int))
    assert metric.distance(x, x) == (0, 0, 0)
    assert metric.distance(x, y) == metric.distance(y, x)
    legs = zip(metric.distance(x, y), metric.distance(y, z), strict=True)
    assert metric.at_most(metric.distance(x, z), tuple(map(sum, legs)))


def test_keys_of_maps_are_told_apart_by_type_and_bits() -> None:
    for make in (l01inf_distance, l02inf_distance):
        metric = make(absolute_distance(T=int))
        for a, b in ((0.0, -0.0), (1, True), (1, 1.0)):
            assert metric.distance({a: 5}, {b: 5})[0] == 2
            assert not metric.within({a: 5}, {b: 5}, (2, 0, 5))
            assert not metric.within({a: 5}, {b: 5}, (2, 7, 5)) or make is not (
                l01inf_distance
            )
            assert metric.within({a: 5}, {b: 5}, (2, 10, 5))
        # A key that is there with the value 0 is a key.
        assert metric.distance({"a": 0}, {}) == (1, 0, 0)


def test_maps_with_infinite_values() -> None:
    for make in (l01inf_distance, l02inf_distance):
        metric = make(absolute_distance(T=float))
        assert metric.distance({"a": INF}, {"a": INF}) == (0, 0, 0)
        assert metric.distance({"a": INF}, {"a": 1.0}) == (1, INF, INF)
        assert metric.within({"a": INF}, {}, (1, INF, INF))
        assert not metric.within({"a": INF}, {}, (1, INF, 10))
        assert not metric.within({"a": INF}, {}, (1, 10, INF))


def test_triples_are_parsed_part_by_part() -> None:
    metric = l01inf_distance(absolute_distance(T=float))
    assert metric.parse([1, "0.5", INF]) == (1, mpq(1, 2), INF)
    assert metric.present((1, mpq(1, 10), INF)) == (1, 0.1, INF)
    assert metric.present((1, mpq(1, 3), 0), exact=True) == (1, Fraction(1, 3), 0)
    whole = l02inf_distance(absolute_distance(T=int))
    assert whole.present((1, mpq(3, 2), 1)) == (1, 2, 1)
    for d, says in (
        (1, "d_in=1: must be three numbers"),
        ((1, 2), "d_in=<sequence>: must be three numbers"),
        ((0.5, 1, 1), "d_in[0]=0.5: must be an integer"),
        ((1, -1, 1), "d_in[1]=-1: must be at least 0"),
        ((1, 1, NAN), "d_in[2]=nan"),
    ):
        with pytest.raises(OpenDPException) as caught:
            metric.parse(d)
        assert says in caught.value.message
    assert not metric.at_most((1, 2, 3), (9, 9, 2))
    assert metric.at_most((1, 2, 3), (1, 2, 3))
    for make in (l01inf_distance, l02inf_distance):
        for bad in (l1_distance(T=int), symmetric_distance(), int):
            with pytest.raises(OpenDPException, match="metric="):
                make(bad)  # type: ignore[arg-type]


@for_each(
    "metric", [m(T) for m in (absolute_distance, l1_distance) for T in (int, "i32")]
)
def test_distances_of_integers_are_integers(metric: Metric) -> None:
    for d in (2, 2.0, "2", Decimal(2), Fraction(2), np.int16(2)):
        assert metric.parse(d) == 2
        assert type(metric.parse(d)) is int
    assert metric.parse(INF) == INF
    assert metric.parse("inf") == INF
    for bad in (0.5, -1, -INF, NAN, True, None, "x", [1], np.array([1]), np.zeros(2)):
        with pytest.raises(OpenDPException) as caught:
            metric.parse(bad)
        assert caught.value.variant == "InvalidDistance"
        assert caught.value.message.startswith("d_in=")
    assert metric.present(mpq(3, 2)) == 2
    assert metric.present(INF) == INF
    assert type(metric.present(3, exact=True)) is int


@for_each("T", [float, Fraction, "f32", "f64"])
def test_distances_of_reals_are_exact(T: Any) -> None:
    metric = absolute_distance(T)
    assert metric.parse(0.1) == mpq(*(0.1).as_integer_ratio())
    assert metric.parse("0.1") == mpq(1, 10)
    assert metric.parse(3) == 3
    assert metric.parse(INF) == INF
    for bad in (-0.5, -INF, NAN, True, None, "x", np.zeros(2), Decimal("NaN")):
        with pytest.raises(OpenDPException, match="d_in="):
            metric.parse(bad)
    assert metric.present(mpq(1, 3), exact=True) == Fraction(1, 3)
    assert Fraction(metric.present(mpq(1, 3))) > Fraction(1, 3)
    assert type(metric.present(mpq(2))) is float
    assert type(metric.present(2)) is float
    assert type(metric.present(mpq(2), exact=True)) is Fraction


@given(st.fractions(min_value=Fraction(1, 10**40), max_value=10**40))
def test_roots_are_shown_rounded_up(square: Fraction) -> None:
    """As the least integer, or the least double, whose square is not below theirs."""
    d = root(mpq(square.numerator, square.denominator))
    whole = l2_distance(T=int).present(d)
    assert type(whole) is int
    assert (whole - 1) ** 2 < square <= whole**2
    metric = l2_distance(T=float)
    shown = metric.present(d)
    assert type(shown) is float
    assert Fraction(math.nextafter(shown, 0)) ** 2 < square <= Fraction(shown) ** 2
    exact = metric.present(d, exact=True)
    assert type(exact) is Fraction
    assert exact == shown if isinstance(d, Root) else exact**2 == square
    triple = l02inf_distance(absolute_distance(T=float)).present((2, d, 1))
    assert triple == (2, shown, 1.0)


def test_roots_at_the_ends_of_the_doubles() -> None:
    metric = l2_distance(T=float)
    assert metric.present(root(mpq(1, 2 * 10**2000))) == 5e-324
    assert metric.present(root(2 * mpq(10) ** 620)) == INF
    assert metric.present(root(2 * mpq(10) ** 620), exact=True) == INF
    assert l2_distance(T=int).present(root(2 * mpq(10) ** 620)) > 10**310
    assert metric.present(root(INF)) == INF


@given(st.fractions(min_value=0))
def test_what_is_presented_is_never_less(d: Fraction) -> None:
    for T in (int, float):
        metric = absolute_distance(T)
        shown = metric.present(mpq(d.numerator, d.denominator))
        assert shown >= d
        assert metric.at_most(mpq(d.numerator, d.denominator), metric.parse(shown))


def test_floats_and_fractions_match_and_integers_do_not() -> None:
    for make in (absolute_distance, l1_distance, l2_distance, linf_distance):
        assert make(T=float).matches(make(T=Fraction))
        assert make(T="f32").matches(make(T=float))
        assert make(T="u8").matches(make(T=int))
        assert not make(T=int).matches(make(T=float))
        assert not make(T=float).matches(make(T=int))
    assert not absolute_distance(T=float).matches(l1_distance(T=float))
    inner = absolute_distance(T=float), absolute_distance(T=Fraction)
    assert l01inf_distance(inner[0]).matches(l01inf_distance(inner[1]))
    assert not l01inf_distance(inner[0]).matches(l02inf_distance(inner[0]))
    assert not l01inf_distance(inner[0]).matches(
        l01inf_distance(absolute_distance(T=int))
    )


def test_metrics_are_values() -> None:
    metrics = [
        absolute_distance(T=int),
        absolute_distance(T=float),
        l1_distance(T=int),
        l2_distance(T=int),
        linf_distance(T=int),
        linf_distance(T=int, monotonic=True),
        l01inf_distance(absolute_distance(T=int)),
        l02inf_distance(absolute_distance(T=int)),
        symmetric_distance(),
    ]
    assert len(set(metrics)) == len(metrics)
    assert len(set(map(repr, metrics))) == len(metrics)
    for metric in metrics:
        assert pickle.loads(pickle.dumps(metric)) == metric
        assert copy.deepcopy(metric) == metric
    assert L1Distance[int] == l1_distance(T=int)
    assert AbsoluteDistance["f64"] == absolute_distance(T=float)
    assert (L2Distance[float], LInfDistance[float]) == (
        l2_distance(T=float),
        linf_distance(T=float),
    )


@pytest.mark.parametrize("T", [bool, str, "String"])
def test_distances_are_numbers(T: Any) -> None:
    for make in (absolute_distance, l1_distance, l2_distance, linf_distance):
        with pytest.raises(OpenDPException, match=r"T=.*distances are numbers"):
            make(T=T)
        with pytest.raises(OpenDPException, match="float"):
            make(T=3.5)  # type: ignore[arg-type]


INTS, FLOATS = atom_domain(T=int), atom_domain(T=float, nan=False)


@for_each(
    ("domain", "metric"),
    [
        (INTS, absolute_distance(T=int)),
        (FLOATS, absolute_distance(T=float)),
        (INTS, discrete_distance()),
        (atom_domain(T=str), discrete_distance()),
        (vector_domain(INTS), symmetric_distance()),
        (vector_domain(INTS), l1_distance(T=int)),
        (vector_domain(FLOATS), l2_distance(T=float)),
        (vector_domain(option_domain(FLOATS)), symmetric_distance()),
        (bitvector_domain(size=3), discrete_distance()),
        (
            map_domain(atom_domain(T=str), INTS),
            l01inf_distance(absolute_distance(T=int)),
        ),
    ],
)
def test_metric_spaces(domain: Domain, metric: Metric) -> None:
    assert metric.objection(domain) is None


@for_each(
    ("domain", "metric", "says"),
    [
        (atom_domain(T=float), absolute_distance(T=float), "without NaN"),
        (vector_domain(atom_domain(T=float)), l1_distance(T=float), "without NaN"),
        (atom_domain(T=bool), absolute_distance(T=int), "numbers"),
        (atom_domain(T=str), absolute_distance(T=int), "numbers"),
        (option_domain(INTS), absolute_distance(T=int), "numbers"),
        (INTS, symmetric_distance(), "vector_domain"),
        (INTS, l1_distance(T=int), "vectors"),
        (vector_domain(INTS), absolute_distance(T=int), "numbers"),
        (vector_domain(option_domain(INTS)), l1_distance(T=int), "numbers"),
        (vector_domain(INTS), l01inf_distance(absolute_distance(T=int)), "map_domain"),
        (
            map_domain(INTS, atom_domain(T=str)),
            l01inf_distance(absolute_distance(T=int)),
            "numbers",
        ),
    ],
)
def test_what_is_no_metric_space(domain: Domain, metric: Metric, says: str) -> None:
    objection = metric.objection(domain)
    assert objection is not None
    assert says in objection


@pytest.mark.usefixtures("honest")
def test_user_distances() -> None:
    metric = user_distance("edits", distance=lambda x, y: abs(len(x) - len(y)))
    assert metric.distance("abc", "a") == 2
    assert metric.within("abc", "a", 2)
    assert not metric.within("abc", "a", 1.5)
    assert metric.objection(atom_domain(T=str)) is None
    assert metric == user_distance("edits")
    assert metric != user_distance("edits", 1)
    assert metric != user_distance("other")
    assert repr(metric) == "UserDistance('edits')"
    # An int stays an int, other numbers become exact, the rest is the user's.
    assert metric.present(metric.parse(3)) == 3
    assert type(metric.present(metric.parse(3))) is int
    assert metric.parse(0.5) == mpq(1, 2)
    assert metric.present(mpq(1, 2), exact=True) == Fraction(1, 2)
    for other in ("5", "far", (1, 2), None, True, frozenset({1})):
        assert metric.parse(other) is other
        assert metric.present(other) is other
    for bad in (NAN, -1, -0.5, -INF, Decimal("NaN"), np.float32(NAN)):
        with pytest.raises(OpenDPException, match="d_in="):
            metric.parse(bad)
    without = user_distance("none")
    with pytest.raises(OpenDPException, match="without a function"):
        without.distance(1, 2)
    wrong = user_distance("wrong", distance=lambda x, y: -1)
    with pytest.raises(OpenDPException, match="distance=-1"):
        wrong.distance(1, 2)
    spaces = [m(T=int) for m in (absolute_distance, l1_distance)]
    spaces += [symmetric_distance(), l01inf_distance(absolute_distance(T=int))]  # type: ignore[list-item]
    own = user_domain("own", lambda x: True)
    assert all(each.objection(own) is None for each in spaces)


def test_user_distances_need_a_feature() -> None:
    with pytest.raises(OpenDPException, match="honest-but-curious"):
        user_distance("edits")
