"""The contracts of make_count_by_categories, make_histogram and make_count_distinct."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.roots import root
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

METRICS = st.sampled_from(
    [
        dp.symmetric_distance(),
        dp.insert_delete_distance(),
        dp.change_one_distance(),
        dp.hamming_distance(),
    ]
)
SIZES = st.sampled_from([None, 0, 1, 5])
NORMS = st.sampled_from(
    [
        "L1Distance<int>",
        "L2Distance<float>",
        dp.l2_distance(T=int),
        dp.linf_distance(T=int),
        "LInfDistance<f64>",
    ]
)
TYPES = st.sampled_from([int, "int", "u8", "i32", "i64", float])
CATEGORIES: list[tuple[Any, list[Any]]] = [
    (dp.atom_domain(T=int), [0, 1, -(2**70)]),
    (dp.atom_domain(T=int), []),
    (dp.atom_domain(bounds=(0, 3)), [3]),
    (dp.atom_domain(T=float), [0.0, 1.5, 5e-324]),
    (dp.atom_domain(T=bool), [True]),
    (dp.atom_domain(T=str), ["", "a", "\ud800"]),
    (dp.atom_domain(T=Fraction), [Fraction(1, 3), 0]),
    (dp.option_domain(dp.atom_domain(T=str)), ["a"]),
]
EDGES: list[tuple[Any, list[Any]]] = [
    (dp.atom_domain(T=int), [0]),
    (dp.atom_domain(T=int), [-(2**70), "0.5", 1, 2**63]),
    (dp.atom_domain(T=float), [-1, 0.0, "0.1", float("inf")]),
    (dp.atom_domain(bounds=(0.0, 1.0)), [0.5]),
    (dp.atom_domain(T=Fraction), ["1/3", 1]),
]
TEXT = {
    "input_domain": dp.vector_domain(dp.atom_domain(T=str)),
    "input_metric": dp.symmetric_distance(),
}
NUMBERS = {**TEXT, "input_domain": dp.vector_domain(dp.atom_domain(T=float))}
OPTIONS = dp.vector_domain(dp.option_domain(dp.atom_domain(T=float)))
NESTED = dp.vector_domain(dp.vector_domain(dp.atom_domain(T=int)))
MAKE = "MakeTransformation"
CHANGED = {"input_metric": dp.change_one_distance()}


def spaces(pairs: list[tuple[Any, list[Any]]], name: str, **more: Any) -> Any:
    """The arguments of a constructor, of which one belongs to the rows."""

    def build(pair: tuple[Any, list[Any]], size: Any, given: dict[str, Any]) -> Any:
        domain = dp.vector_domain(pair[0], size=size)
        return {"input_domain": domain, name: pair[1], **given}

    given = st.fixed_dictionaries(
        {"input_metric": METRICS}, optional={"MO": NORMS, "TOA": TYPES, **more}
    )
    return st.builds(build, st.sampled_from(pairs), SIZES, given)


def shared(space: dict[str, Any]) -> list[Any]:
    """What all counts in bins refuse."""
    monotonic = dp.linf_distance(T=int, monotonic=True)
    return [
        ({**space, "MO": "L3Distance<int>"}, "TypeParse", ["MO=", "L3Distance"]),
        ({**space, "MO": dp.symmetric_distance()}, MAKE, ["MO", "L1Distance"]),
        ({**space, "MO": dp.absolute_distance(T=int)}, MAKE, ["MO", "L1Distance"]),
        ({**space, "MO": monotonic}, MAKE, ["MO", "not monotonic"]),
        ({**space, "TOA": "f32"}, MAKE, ["TOA", "64 bits"]),
        ({**space, "TOA": str}, MAKE, ["TOA", "int"]),
        ({**space, "TOA": bool}, MAKE, ["TOA", "int"]),
        ({**space, "TOA": "i7"}, "TypeParse", ["TOA", "i7"]),
        ({**space, "input_domain": dp.atom_domain(T=int)}, MAKE, ["input_domain"]),
        ({**space, "input_metric": dp.l1_distance(T=int)}, MAKE, ["input_metric"]),
    ]


BY_TEXT: dict[str, Any] = {**TEXT, "categories": ["a", "b"]}
BY_NUMBER: dict[str, Any] = {**NUMBERS, "categories": [0.0]}
HISTOGRAM: dict[str, Any] = {**NUMBERS, "edges": [0, 1]}

CONTRACTS = [
    Contract(
        dp.t.make_count_by_categories,
        arguments=spaces(CATEGORIES, "categories", null_category=st.booleans()),
        refusals=[
            *shared(BY_TEXT),
            ({**BY_TEXT, "categories": ["a", "a"]}, MAKE, ["categories", "no two"]),
            ({**BY_TEXT, "categories": "ab"}, MAKE, ["categories", "list"]),
            ({**BY_TEXT, "categories": None}, MAKE, ["categories", "list"]),
            ({**BY_TEXT, "categories": ["a", 1]}, MAKE, ["categories", "be a str"]),
            ({**BY_TEXT, "categories": [None]}, MAKE, ["categories", "be a str"]),
            ({**BY_NUMBER, "categories": [float("nan")]}, MAKE, ["no NaN"]),
            ({**BY_NUMBER, "categories": [0.0, -0.0]}, MAKE, ["no two"]),
            ({**BY_NUMBER, "categories": [1, 1.0]}, MAKE, ["no two"]),
            ({**BY_TEXT, "null_category": 1}, MAKE, ["null_category", "bool"]),
            (
                {**BY_TEXT, "input_domain": NESTED},
                MAKE,
                ["input_domain", "atom_domain"],
            ),
        ],
        map_values=[
            ({**BY_TEXT, **CHANGED, "MO": "L2Distance<float>"}, 3, root(18)),
            ({**BY_TEXT, **CHANGED}, 3, 6),
            ({**BY_TEXT, **CHANGED, "MO": "LInfDistance<int>"}, 3, 3),
            (BY_TEXT, 3, 3),
        ],
    ),
    Contract(
        dp.t.make_histogram,
        arguments=spaces(EDGES, "edges"),
        refusals=[
            *shared(HISTOGRAM),
            ({**HISTOGRAM, "edges": []}, MAKE, ["edges", "at least one"]),
            ({**HISTOGRAM, "edges": 1.0}, MAKE, ["edges", "list"]),
            ({**HISTOGRAM, "edges": [1, 0]}, MAKE, ["edges", "increasing"]),
            ({**HISTOGRAM, "edges": [0.0, -0.0]}, MAKE, ["edges", "increasing"]),
            ({**HISTOGRAM, "edges": [0, float("nan")]}, MAKE, ["edges", "nan"]),
            ({**HISTOGRAM, "edges": ["far"]}, MAKE, ["edges", "far"]),
            ({**HISTOGRAM, "edges": [True]}, MAKE, ["edges", "True"]),
            ({**HISTOGRAM, "input_domain": TEXT["input_domain"]}, MAKE, ["numbers"]),
            ({**HISTOGRAM, "input_domain": OPTIONS}, MAKE, ["numbers"]),
            ({**HISTOGRAM, "input_domain": NESTED}, MAKE, ["numbers"]),
        ],
        map_values=[
            ({**HISTOGRAM, **CHANGED, "MO": "L2Distance<float>"}, 3, root(18)),
            (HISTOGRAM, 3, 3),
        ],
    ),
    Contract(
        dp.t.make_count_distinct,
        arguments=st.fixed_dictionaries(
            {
                "input_domain": st.builds(
                    dp.vector_domain,
                    st.sampled_from([domain for domain, _ in CATEGORIES]),
                    SIZES,
                ),
                "input_metric": METRICS,
            },
            optional={"TO": TYPES},
        ),
        refusals=[
            ({**TEXT, "TO": "f32"}, MAKE, ["TO", "64 bits"]),
            ({**TEXT, "TO": bool}, MAKE, ["TO", "int"]),
            ({**TEXT, "TO": "i7"}, "TypeParse", ["TO", "i7"]),
            ({**TEXT, "input_domain": dp.atom_domain(T=int)}, MAKE, ["VectorDomain"]),
            ({**TEXT, "input_domain": NESTED}, MAKE, ["input_domain", "atom_domain"]),
            (
                {**TEXT, "input_metric": dp.discrete_distance()},
                MAKE,
                ["input_metric", "SymmetricDistance"],
            ),
        ],
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, one_in=2))
