"""The contracts of make_cast_default, make_cast and make_cast_inherent."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

METRICS = [
    dp.symmetric_distance(),
    dp.insert_delete_distance(),
    dp.change_one_distance(),
    dp.hamming_distance(),
]
ATOMS = [
    dp.atom_domain(T=bool),
    dp.atom_domain(T=int),
    dp.atom_domain(T="u8"),
    dp.atom_domain(T=float),
    dp.atom_domain(T=float, nan=False),
    dp.atom_domain(T="f32"),
    dp.atom_domain(T=str),
    dp.atom_domain(T=Fraction),
]
TYPES = [bool, float, str, Fraction, "i8", "u8", "i32", "i64", "f32"]
NUMERALS = st.from_regex(r"[+-]?[0-9]{0,20}[./]?[0-9]{0,3}(e[+-]?[0-9]{1,4})?\Z")


def arguments(types: list[Any]) -> Any:
    rows = st.sampled_from([*ATOMS, *map(dp.option_domain, ATOMS)])
    return st.fixed_dictionaries(
        {
            "input_domain": st.builds(dp.vector_domain, rows),
            "input_metric": st.sampled_from(METRICS),
            "TOA": st.sampled_from(types),
        }
    )


STRINGS = dp.vector_domain(dp.atom_domain(T=str))
CALL = {"input_domain": STRINGS, "input_metric": METRICS[0], "TOA": int}

REFUSALS: list[Any] = [
    ({**CALL, "TOA": complex}, "TypeParse", ["TOA", "complex", "int"]),
    ({**CALL, "TOA": None}, "TypeParse", ["TOA", "None"]),
    ({**CALL, "TOA": "i7"}, "TypeParse", ["TOA", "i7"]),
    ({**CALL, "TOA": "Vec<i32>"}, "TypeParse", ["TOA", "Vec"]),
    *(
        ({**CALL, **wrong}, "MakeTransformation", words)  # type: ignore[dict-item]
        for wrong, words in [
            ({"input_domain": dp.atom_domain(T=str)}, ["input_domain", "VectorDomain"]),
            ({"input_domain": dp.vector_domain(STRINGS)}, ["input_domain", "atom"]),
            ({"input_metric": dp.l1_distance(T=int)}, ["input_metric", "Symmetric"]),
        ]
    ),
]
SIZED = dp.vector_domain(dp.atom_domain(T=float), size=4)

CONTRACTS = [
    Contract(dp.t.make_cast_default, arguments(TYPES), REFUSALS, examples=80),
    # In arrays, integers that int64 does not hold become 0; in lists they stay.
    Contract(dp.t.make_cast_default, arguments([int, "u64"]), REFUSALS, arrays=False),
    Contract(
        dp.t.make_cast_default,
        st.sampled_from(TYPES).map(lambda TOA: {**CALL, "TOA": TOA}),
        REFUSALS,
        data=lambda made: st.lists(NUMERALS, max_size=4),
    ),
    Contract(
        dp.t.make_cast_default,
        st.just({**CALL, "input_domain": SIZED, "TOA": "i64"}),
        REFUSALS,
        examples=10,
    ),
    Contract(
        dp.t.make_cast,
        arguments([*TYPES, int, "u64"]),
        REFUSALS,
        examples=80,
    ),
    Contract(
        dp.t.make_cast,
        st.sampled_from(TYPES).map(lambda TOA: {**CALL, "TOA": TOA}),
        REFUSALS,
        data=lambda made: st.lists(NUMERALS, max_size=4),
    ),
    Contract(
        dp.t.make_cast_inherent,
        arguments([float, "f32"]),
        [
            *REFUSALS,
            *(
                ({**CALL, "TOA": TOA}, "MakeTransformation", ["TOA", "NaN"])
                for TOA in (bool, int, str, Fraction, "i32")
            ),
        ],
        examples=80,
    ),
    Contract(
        dp.t.make_cast_inherent,
        st.sampled_from([float, "f32"]).map(lambda TOA: {**CALL, "TOA": TOA}),
        REFUSALS,
        data=lambda made: st.lists(NUMERALS, max_size=4),
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, one_in=2))
