"""Type arguments, and the domains, metrics and spaces that they stand for."""

from __future__ import annotations

import typing
from array import array
from fractions import Fraction
from typing import Any, Optional

import numpy as np
import pytest

import opendp_lite.prelude as dp
import opendp_lite.typing as names
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core import metrics
from opendp_lite.core.domains import (
    Domain,
    atom_domain,
    bitvector_domain,
    map_domain,
    option_domain,
    vector_domain,
)
from opendp_lite.core.metrics import (
    absolute_distance,
    discrete_distance,
    l1_distance,
    l2_distance,
    linf_distance,
    symmetric_distance,
)
from opendp_lite.core.spaces import domain_of, metric_of, space_of
from opendp_lite.data.type_arguments import AtomType, parse_atom, parse_carrier
from opendp_lite.transformations.counts.counting import make_count
from tests.rows import for_each

INT, FLOAT, STR = (atom_domain(T=T) for T in (int, float, str))
REAL = atom_domain(T=float, nan=False)


@for_each(
    ("descriptor", "domain"),
    [
        (int, INT),
        ("int", INT),
        (float, FLOAT),
        ("f64", FLOAT),
        ("f32", atom_domain(T="f32")),
        (bool, atom_domain(T=bool)),
        (str, STR),
        ("String", STR),
        (Fraction, atom_domain(T=Fraction)),
        ("i32", atom_domain(bounds=(-(2**31), 2**31 - 1))),
        ("usize", atom_domain(bounds=(0, 2**64 - 1))),
        (list[int], vector_domain(INT)),
        ("Vec<int>", vector_domain(INT)),
        ("Vec< Option< f64 > >", vector_domain(option_domain(FLOAT))),
        (list[float | None], vector_domain(option_domain(FLOAT))),
        (Optional[int], option_domain(INT)),  # noqa: UP045
        (None | str, option_domain(STR)),
        (list[list[int]], vector_domain(vector_domain(INT))),
        (dict[str, int], map_domain(STR, INT)),
        ("HashMap<String, Vec<int>>", map_domain(STR, vector_domain(INT))),
        ("HashMap<HashMap<int,int>,int>", map_domain(map_domain(INT, INT), INT)),
        (names.Vec[names.f64], vector_domain(FLOAT)),
        (names.Vec[names.Vec[int]], vector_domain(vector_domain(INT))),
        (names.HashMap[names.String, names.i32], map_domain(STR, atom_domain(T="i32"))),
        (names.Option[names.u8], option_domain(atom_domain(T="u8"))),
        (bitvector_domain(size=3), bitvector_domain(size=3)),
    ],
)
def test_domains_of_types(descriptor: Any, domain: Domain) -> None:
    assert domain_of(descriptor) == domain


def test_old_style_generics() -> None:
    assert domain_of(typing.List[int]) == vector_domain(INT)  # noqa: UP006
    assert domain_of(typing.Dict[str, int]) == map_domain(STR, INT)  # noqa: UP006


@for_each(
    "descriptor",
    [
        "",
        "i33",
        "Vec",
        "Vec<",
        "Vec<>",
        "Vec<int",
        "Vec<int>>",
        "Vec<int,int>",
        "HashMap<int>",
        "HashMap<int,int,int>",
        "Set<int>",
        "<int>",
        "Vec<Vec<int>",
        "Vec<real>",
        "int>",
        list,
        dict,
        set[int],
        tuple[int, int],
        dict[int, complex],
        int | str,
        int | str | None,
        complex,
        None,
        3,
    ],
)
def test_what_is_no_type(descriptor: Any) -> None:
    with pytest.raises(OpenDPException) as caught:
        domain_of(descriptor)
    assert caught.value.variant == "TypeParse"
    assert caught.value.message.startswith("T=")
    assert any(word in caught.value.message for word in ("Pass", "Write for"))


def test_data_given_for_a_type_is_not_shown() -> None:
    for data in (271828, [271828], {"271828": 271828}, np.array([271828]), (271828,)):
        for take in (domain_of, space_of, parse_atom):
            with pytest.raises(OpenDPException) as caught:
                take(data)
            assert "271828" not in str(caught.value)
            assert type(data).__name__ in str(caught.value)


@for_each(
    ("example", "domain"),
    [
        (1, INT),
        (1.5, FLOAT),
        (True, atom_domain(T=bool)),
        ("a", STR),
        (Fraction(1, 3), atom_domain(T=Fraction)),
        ([1, 2], vector_domain(INT)),
        ([[0.5]], vector_domain(vector_domain(FLOAT))),
        ({"a": [1]}, map_domain(STR, vector_domain(INT))),
        (np.array([1]), vector_domain(INT)),
        (np.array([1], "u1"), vector_domain(INT)),
        (np.array([0.5], "f4"), vector_domain(FLOAT)),
        (np.array(["a"]), vector_domain(STR)),
        (np.array([True]), vector_domain(atom_domain(T=bool))),
        (np.float32(0.5), FLOAT),
        (np.int8(1), INT),
        ((1, 2), vector_domain(INT)),
        (range(3), vector_domain(INT)),
        (array("d", [0.5]), vector_domain(FLOAT)),
        (np.array(["a", "b"], dtype=object), vector_domain(STR)),
    ],
)
def test_domains_of_examples(example: Any, domain: Domain) -> None:
    assert domain_of(example, infer=True) == domain


@for_each(
    "example",
    [
        None,
        [],
        {},
        [None, 1],
        [[]],
        1j,
        b"1",
        object(),
        (),
        (None, 1),
        np.array(["a", None], dtype=object)[1:],
        np.array([1j]),
        np.array([[1]]),
        np.array([None]),
        {"a": None},
    ],
)
def test_examples_that_do_not_tell(example: Any) -> None:
    with pytest.raises(OpenDPException) as caught:
        domain_of(example, infer=True)
    assert caught.value.variant == "TypeParse"


def test_metrics_by_name() -> None:
    for metric in (
        symmetric_distance(),
        metrics.insert_delete_distance(),
        metrics.change_one_distance(),
        metrics.hamming_distance(),
        discrete_distance(),
    ):
        assert metric_of(repr(metric).removesuffix("()")) == metric
        assert metric_of(type(metric)) == metric
        assert metric_of(metric) is metric
    assert metric_of("L1Distance<f64>") == l1_distance(T=float)
    assert metric_of("L2Distance< i32 >") == l2_distance(T=int)
    assert metric_of("AbsoluteDistance<int>") == absolute_distance(T=int)
    assert metric_of("LInfDistance<f32>") == linf_distance(T=float)
    assert metric_of(metrics.L1Distance[int]) == l1_distance(T=int)


@for_each(
    "M",
    [
        "L1Distance",
        "L3Distance<int>",
        "L1Distance<int",
        "L1Distance<>",
        "L1Distance<str>",
        "_L0PInfDistance<AbsoluteDistance<int>>",
        "",
        None,
        3,
        int,
        metrics.L1Distance,
        symmetric_distance,
        [1],
    ],
)
def test_what_is_no_metric(M: Any) -> None:
    with pytest.raises(OpenDPException) as caught:
        metric_of(M)
    assert caught.value.variant in ("TypeParse", "MetricSpace")
    assert "Pass" in caught.value.message
    assert " _" not in caught.value.message  # no class that has no public name


def test_what_is_no_metric_is_named_as_it_was_passed() -> None:
    space: Any = dp.vector_domain(dp.atom_domain(T=int)), symmetric_distance()
    for make in (
        lambda: dp.t.make_count_by(*space, MO="L3"),
        lambda: dp.t.make_histogram(*space, [1], MO="L3"),
        lambda: dp.t.make_count_by_categories(*space, [1], MO="L3"),
        lambda: dp.t.make_resize(*space, 3, 0, MO="L3"),
    ):
        with pytest.raises(OpenDPException, match="MO='L3': is not a metric"):
            make()


def test_spaces() -> None:
    assert space_of(int) == (INT, absolute_distance(T=int))
    assert space_of(float) == (REAL, absolute_distance(T=float))
    assert space_of("f32")[0] == atom_domain(T="f32", nan=False)
    assert space_of(list[int]) == (vector_domain(INT), symmetric_distance())
    assert space_of(list[float]) == (vector_domain(FLOAT), symmetric_distance())
    assert space_of([1.5], infer=True) == (vector_domain(FLOAT), symmetric_distance())
    expected = vector_domain(REAL), l1_distance(T=float)
    for M in ("L1Distance", metrics.L1Distance, "L1Distance<f64>", expected[1]):
        assert space_of(list[float], M) == expected
    assert space_of(list[int], metrics.L2Distance)[1] == l2_distance(T=int)
    assert space_of(str, "DiscreteDistance") == (STR, discrete_distance())
    assert space_of(bool, discrete_distance())[1] == discrete_distance()
    sized = vector_domain(atom_domain(bounds=(0, 1)), size=3)
    assert space_of(sized) == (sized, symmetric_distance())
    assert space_of(sized, "L1Distance") == (sized, l1_distance(T=int))


@for_each(
    ("T", "M", "says"),
    [
        (str, None, "no default metric"),
        (dict[str, int], None, "no default metric"),
        (int, "SymmetricDistance", "not a metric space"),
        (list[int], "AbsoluteDistance", "not a metric space"),
        (list[int], absolute_distance(T=int), "not a metric space"),
        (str, "AbsoluteDistance", "distances are numbers"),
        (list[str], "L1Distance", "distances are numbers"),
        (list[int | None], "L1Distance<int>", "not a metric space"),
        (int, "Nearness", "is not a metric"),
        # A domain that was given is taken as it is.
        (FLOAT, "AbsoluteDistance", "nan=False"),
    ],
)
def test_what_is_no_space(T: Any, M: Any, says: str) -> None:
    with pytest.raises(OpenDPException) as caught:
        space_of(T, M)
    assert says in caught.value.message


def test_atom_types() -> None:
    assert parse_atom(AtomType(int)) == AtomType(int)
    assert parse_atom("u8") == AtomType(int, (0, 255))
    with pytest.raises(OpenDPException, match="TOA='x'"):
        parse_atom("x", "TOA")
    assert parse_carrier(list[int]) == ("Vec", AtomType(int))


@for_each(
    "atom",
    [
        AtomType(int, (5, 9)),
        AtomType(int, (-9, -5)),
        AtomType(int, (0, 254)),
        AtomType(int, (9, 5)),
        AtomType(int, (0, 255), single=True),
        AtomType(float, (0, 1)),
        AtomType(str, (0, 1)),
        AtomType(Fraction, single=True),
        AtomType(complex),
        AtomType(int, [0, 255]),  # type: ignore[arg-type]
    ],
)
def test_an_atom_type_made_by_hand_is_refused(atom: AtomType) -> None:
    # A count is 0 or more and stops at the greatest value of TO, so that a type
    # which does not hold 0, or is empty, would make it leave its own domain.
    space = vector_domain(INT), symmetric_distance()
    for name, take in (
        ("T", lambda: parse_atom(atom)),
        ("TO", lambda: parse_atom(atom, "TO")),
        ("T", lambda: atom_domain(T=atom)),
        ("TO", lambda: make_count(*space, TO=atom)),
    ):
        with pytest.raises(OpenDPException, match="not an element type") as caught:
            take()
        assert caught.value.variant == "TypeParse"
        assert caught.value.message.startswith(f"{name}=")


def test_an_atom_type_of_the_table_names_itself() -> None:
    for name in ("u8", "i128", "f32", "usize"):
        assert parse_atom(parse_atom(name)) is parse_atom(name)
    # What equals one of them is replaced by it: its bounds are ints.
    alike = parse_atom(AtomType(int, (0.0, 255.0)))  # type: ignore[arg-type]
    assert alike is parse_atom("u8")


def test_names_of_types_are_text() -> None:
    assert repr(names.Vec) == "Vec"
    assert names.HashMap[str, names.f64] == "HashMap<str, f64>"
    for name in names.__all__:
        if isinstance(getattr(names, name), str):
            assert parse_atom(getattr(names, name))
