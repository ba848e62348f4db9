"""The contract of make_count_by."""

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

METRICS = [
    dp.symmetric_distance(),
    dp.insert_delete_distance(),
    dp.change_one_distance(),
    dp.hamming_distance(),
]
ROWS = [
    dp.atom_domain(T=int),
    dp.atom_domain(bounds=(0, 3)),
    dp.atom_domain(T=float, nan=False),
    dp.atom_domain(T=bool),
    dp.atom_domain(T=str),
    dp.atom_domain(T=Fraction),
    dp.option_domain(dp.atom_domain(T=str)),
]
NORMS = [
    None,
    "L01InfDistance<AbsoluteDistance<int>>",
    dp.l02inf_distance(dp.absolute_distance(T=float)),
]
TEXT: dict[str, Any] = {
    "input_domain": dp.vector_domain(dp.atom_domain(T=str)),
    "input_metric": dp.symmetric_distance(),
}
NESTED = dp.vector_domain(dp.vector_domain(dp.atom_domain(T=int)))
FLOATS = dp.vector_domain(dp.atom_domain(T=float))
CHANGED = {**TEXT, "input_metric": dp.change_one_distance()}
MAKE = "MakeTransformation"

CONTRACTS = [
    Contract(
        dp.t.make_count_by,
        arguments=st.fixed_dictionaries(
            {
                "input_domain": st.builds(
                    dp.vector_domain,
                    st.sampled_from(ROWS),
                    st.sampled_from([None, 0, 1, 5]),
                ),
                "input_metric": st.sampled_from(METRICS),
            },
            optional={
                "TV": st.sampled_from([int, "int", "u8", "i32", float]),
                "MO": st.sampled_from(NORMS),
            },
        ),
        refusals=[
            ({**TEXT, "TV": "f32"}, MAKE, ["TV", "64 bits"]),
            ({**TEXT, "TV": str}, MAKE, ["TV", "int"]),
            ({**TEXT, "TV": bool}, MAKE, ["TV", "int"]),
            ({**TEXT, "TV": "i7"}, "TypeParse", ["TV", "i7"]),
            ({**TEXT, "MO": "L1Distance<int>"}, MAKE, ["MO", "L01InfDistance"]),
            ({**TEXT, "MO": dp.symmetric_distance()}, MAKE, ["MO", "L01InfDistance"]),
            ({**TEXT, "MO": "L3Distance<int>"}, "TypeParse", ["MO=", "L3Distance"]),
            ({**TEXT, "input_domain": dp.atom_domain(T=int)}, MAKE, ["VectorDomain"]),
            ({**TEXT, "input_domain": NESTED}, MAKE, ["input_domain", "atom_domain"]),
            ({**TEXT, "input_domain": FLOATS}, MAKE, ["input_domain", "NaN"]),
            (
                {**TEXT, "input_metric": dp.discrete_distance()},
                MAKE,
                ["input_metric", "SymmetricDistance"],
            ),
        ],
        map_values=[
            (TEXT, 3, (3, 3, 3)),
            (CHANGED, 3, (6, 6, 3)),
            ({**CHANGED, "MO": NORMS[2]}, 3, (6, root(18), 3)),
        ],
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
