"""The default data of contracts: members, extremes, neighbours, outsiders, arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings

import opendp_lite.prelude as dp
from opendp_lite.data.identity import key
from opendp_lite.verify.contracts.array_checks import constant_forms
from opendp_lite.verify.contracts.checks import HashedBits
from opendp_lite.verify.contracts.examples import members, neighbours, outsiders
from tests.rows import for_each

FLOATS = dp.atom_domain(T=float)
NUMBERS = dp.atom_domain(T=float, nan=False)
INTEGERS = dp.atom_domain(T=int)
TEXTS = dp.atom_domain(T=str)
DOMAINS = [
    INTEGERS,
    dp.atom_domain(bounds=(3, 3)),
    dp.atom_domain(T="u8"),
    FLOATS,
    NUMBERS,
    dp.atom_domain(T="f32"),
    dp.atom_domain(bounds=(0.0, 1.0)),
    dp.atom_domain(bounds=(0.0, math.inf)),
    dp.atom_domain(bounds=(-1.5, 2.5), nan=True),
    dp.atom_domain(T=bool),
    TEXTS,
    dp.atom_domain(T=Fraction),
    dp.atom_domain(bounds=(Fraction(1, 3), Fraction(1, 2))),
    dp.option_domain(INTEGERS),
    dp.vector_domain(FLOATS),
    dp.vector_domain(INTEGERS, size=3),
    dp.vector_domain(dp.option_domain(TEXTS)),
    dp.vector_domain(dp.vector_domain(INTEGERS, size=0)),
    dp.vector_domain(dp.vector_domain(NUMBERS, size=2)),
    dp.ball_domain(NUMBERS, size=2, norm=0.1),
    dp.vector_domain(dp.ball_domain(INTEGERS, size=3, norm="7/2", p=1)),
    dp.frame_domain({"a": INTEGERS, 1: dp.option_domain(NUMBERS)}),
    dp.map_domain(TEXTS, INTEGERS),
    dp.bitvector_domain(),
    dp.bitvector_domain(max_weight=2, size=11),
    dp.bitvector_domain(size=0),
]
SEARCH = settings(
    derandomize=True,
    database=None,
    max_examples=3000,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


HALF = settings(max_examples=settings().max_examples // 2)  # more in the audit


@for_each("domain", DOMAINS, ids=repr)
def test_members_are_members(domain: Any) -> None:
    @HALF
    @given(members(domain))
    def are(value: Any) -> None:
        assert domain.member(value)

    are()


@for_each("domain", DOMAINS, ids=repr)
def test_outsiders_are_no_members(domain: Any) -> None:
    strangers = outsiders(domain)
    assert len(strangers) >= 5
    assert not any(map(domain.member, strangers))


@for_each(
    ("domain", "extreme"),
    [
        (FLOATS, math.isnan),
        (NUMBERS, lambda x: key(x) == key(-0.0)),
        (NUMBERS, lambda x: 0 < x < 2.2250738585072014e-308),
        (NUMBERS, math.isinf),
        (NUMBERS, lambda x: isinstance(x, int)),
        (INTEGERS, lambda x: abs(x) > 2**64),
        (dp.atom_domain(bounds=(-7, 900)), lambda x: x == 900),
        (TEXTS, lambda x: not x.isascii()),
        (TEXTS, lambda x: "\x00" in x),
        (dp.vector_domain(FLOATS), lambda x: x == []),
        (dp.vector_domain(FLOATS), lambda x: len(x) == 1),
        (dp.vector_domain(INTEGERS), lambda x: len(x) > 3 and len(set(x)) == 1),
        (dp.map_domain(TEXTS, INTEGERS), lambda x: x == {}),
    ],
)
def test_extremes_are_among_the_members(
    domain: Any, extreme: Callable[[Any], bool]
) -> None:
    assert extreme(find(members(domain), extreme, settings=SEARCH))


def test_a_domain_of_the_users_own_needs_data() -> None:
    dp.enable_features("honest-but-curious")
    domain = dp.user_domain("evens", lambda x: x % 2 == 0)
    dp.disable_features("honest-but-curious")
    with pytest.raises(TypeError, match="pass data="):
        members(domain)


SPACES = [
    (dp.vector_domain(INTEGERS), dp.symmetric_distance(), [1, 2, 3]),
    (dp.vector_domain(FLOATS), dp.insert_delete_distance(), [math.nan, -0.0]),
    (dp.vector_domain(INTEGERS, size=3), dp.symmetric_distance(), [1, 2, 3]),
    (dp.vector_domain(INTEGERS, size=3), dp.change_one_distance(), [1, 2, 3]),
    (dp.vector_domain(TEXTS), dp.hamming_distance(), ["a", "b"]),
    (dp.vector_domain(INTEGERS), dp.l1_distance(T=int), [1, 2, 3]),
    (dp.vector_domain(NUMBERS), dp.l2_distance(T=float), [0.5, math.inf]),
    (dp.vector_domain(NUMBERS), dp.linf_distance(T=float), [0.5, 1e308]),
    (INTEGERS, dp.absolute_distance(T=int), 10),
    (NUMBERS, dp.absolute_distance(T=float), 0.5),
    (NUMBERS, dp.absolute_distance(T=float), math.inf),
    (dp.atom_domain(bounds=(0.0, 1.0)), dp.absolute_distance(T=float), 1),
    (dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction), Fraction(1, 3)),
    (dp.atom_domain(T=bool), dp.discrete_distance(), True),
    (
        dp.map_domain(TEXTS, INTEGERS),
        dp.l01inf_distance(dp.absolute_distance(T=int)),
        {"a": 1, "b": 2},
    ),
]


@for_each(("domain", "metric", "x"), SPACES, ids=repr)
def test_neighbours_are_members(domain: Any, metric: Any, x: Any) -> None:
    @HALF
    @given(neighbours(domain, metric, x))
    def are(value: Any) -> None:
        assert domain.member(value)

    are()


@for_each(("domain", "metric", "x"), SPACES, ids=repr)
def test_many_neighbours_are_near_and_some_are_others(
    domain: Any, metric: Any, x: Any
) -> None:
    def distance(y: Any) -> Any:
        found = metric.distance(x, y)
        return found[0] if isinstance(found, tuple) else found

    for wanted in (
        lambda y: key(y) == key(x),
        lambda y: (key(y) != key(x) and distance(y) <= 2) or x == math.inf,
    ):
        find(neighbours(domain, metric, x), wanted, settings=SEARCH)


def test_permutations_are_neighbours_where_order_does_not_count() -> None:
    for metric in (dp.symmetric_distance(), dp.change_one_distance()):
        found = neighbours(dp.vector_domain(INTEGERS), metric, [1, 2, 3])
        find(found, lambda y, m=metric: y != [1, 2, 3] and not m.distance(y, [1, 2, 3]))


@for_each(
    ("domain", "data", "dtypes"),
    [
        (INTEGERS, [1, 2], {"<i8", "<u8", "|i1", "|u1", "<i4", ">i4"}),
        (INTEGERS, [-1, 300], {"<i8", "<i4", ">i4"}),
        (INTEGERS, [2**63], {"<u8"}),
        (INTEGERS, [2**64], set()),
        (FLOATS, [0.5, math.nan], {"<f8", "<f4", ">f8"}),
        (FLOATS, [0.1], {"<f8", ">f8"}),
        (FLOATS, [0.5, 1], set()),
        (TEXTS, ["é", "ab"], {"<U2"}),
        (TEXTS, ["a\x00"], set()),
        (dp.atom_domain(T=bool), [True], {"|b1"}),
        (dp.atom_domain(T=Fraction), [Fraction(1)], set()),
    ],
)
def test_array_forms_hold_the_same_rows(
    domain: Any, data: list[Any], dtypes: set[str]
) -> None:
    forms = dp.vector_domain(domain).forms(data)
    assert {form.dtype.str for form in forms} == dtypes
    assert all(key(form.tolist()) == key(data) for form in forms)
    if forms:
        assert not forms[-1].flags.writeable
        assert not forms[-2].flags.contiguous or len(data) < 2
    assert all(key(each.item()) == key(data[0]) for each in domain.forms(data[0]))


def test_arrays_of_options_do_not_exist() -> None:
    assert dp.vector_domain(dp.option_domain(INTEGERS)).forms([1]) == []


def test_constant_forms_have_the_dtype_and_other_rows() -> None:
    domain = dp.vector_domain(INTEGERS)
    form = domain.forms([1, 2])[2]
    others = constant_forms(form, domain)
    assert [each.tolist() for each in others] == [[], [1, 1], [2, 2]]
    assert {each.dtype for each in others} == {form.dtype}
    sized = dp.vector_domain(INTEGERS, size=2)
    assert [each.tolist() for each in constant_forms(form, sized)] == [[1, 1], [2, 2]]


def test_hashed_bits_repeat_and_differ_between_strings() -> None:
    strings = [HashedBits(seed).bits(200) for seed in range(8)]
    assert strings == [HashedBits(seed).bits(200) for seed in range(8)]
    assert len(set(strings)) == 8
    assert strings[2] < 2**50
    assert strings[3] >= 2**200 - 2**50
    assert {HashedBits(seed).granularity for seed in range(8)} == {1, 64}


def test_hashed_bits_do_not_depend_on_how_they_are_asked_for() -> None:
    pieces = HashedBits(5)
    whole = 0
    for count in (1, 7, 0, 300, 92):
        whole = whole << count | pieces.bits(count)
    assert whole == HashedBits(5).bits(400)


def test_hashed_bits_are_balanced() -> None:
    """Deterministic: these are four fixed strings."""
    for seed in (0, 1, 4, 5):
        assert 4800 < HashedBits(seed).bits(10000).bit_count() < 5200


def test_with_a_granularity_no_string_starts_with_a_run() -> None:
    for seed in range(8):
        source = HashedBits(seed, granularity=64)
        assert source.granularity == 64
        assert 4800 < source.bits(10000).bit_count() < 5200


@for_each("domain", DOMAINS, ids=repr)
def test_extremes_are_members(domain: Any) -> None:
    assert all(domain.member(each) for each in domain.extremes())


def test_the_farthest_members_are_tried() -> None:
    far = {10**5000, -(10**5000), 10**40, 2**63, 0}
    assert far <= set(INTEGERS.extremes())
    fractions = dp.atom_domain(T=Fraction).extremes()
    assert {10**5000, Fraction(10**5000, 3), Fraction(1, 10**5000)} <= set(fractions)
    texts = TEXTS.extremes()
    assert {"\ud800", "\U0010ffff", "", "9" * 5000} <= set(texts)
    assert any("\udc80" <= letter <= "\udfff" for text in texts for letter in text)
    assert math.inf in FLOATS.extremes()
    assert any(each != each for each in FLOATS.extremes())
    assert all(
        math.isfinite(each) for each in dp.atom_domain(bounds=(0.0, 1.0)).extremes()
    )
    assert [] in dp.vector_domain(FLOATS).extremes()
    assert [10**5000] * 3 in dp.vector_domain(INTEGERS, size=3).extremes()
    assert None in dp.option_domain(INTEGERS).extremes()
    maps = dp.map_domain(TEXTS, INTEGERS).extremes()
    assert any(10**5000 in each.values() for each in maps)
    assert any("\ud800" in each for each in maps)
    assert dp.bitvector_domain().extremes() == []  # drawn ones suffice
