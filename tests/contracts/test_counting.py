"""The contract of make_count."""

from __future__ import annotations

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
ROWS = [
    dp.atom_domain(T=int),
    dp.atom_domain(T=float),
    dp.atom_domain(T=bool),
    dp.atom_domain(T=str),
    dp.option_domain(dp.atom_domain(T=str)),
]
DOMAINS = st.builds(
    dp.vector_domain, st.sampled_from(ROWS), st.sampled_from([None, 0, 1, 5])
)
STRINGS = dp.vector_domain(dp.atom_domain(T=str))
SPACE = {"input_domain": STRINGS, "input_metric": dp.symmetric_distance()}

CONTRACTS = [
    Contract(
        dp.t.make_count,
        arguments=st.fixed_dictionaries(
            {"input_domain": DOMAINS, "input_metric": st.sampled_from(METRICS)},
            optional={"TO": st.sampled_from([int, "int", "u8", "i32", "i64", float])},
        ),
        refusals=[
            ({**SPACE, "TO": "f32"}, "MakeTransformation", ["TO", "64 bits"]),
            ({**SPACE, "TO": str}, "MakeTransformation", ["TO", "int"]),
            ({**SPACE, "TO": bool}, "MakeTransformation", ["TO", "int"]),
            ({**SPACE, "TO": "i7"}, "TypeParse", ["TO", "i7"]),
            (
                {**SPACE, "input_domain": dp.atom_domain(T=int)},
                "MakeTransformation",
                ["input_domain", "VectorDomain"],
            ),
            (
                {**SPACE, "input_metric": dp.discrete_distance()},
                "MakeTransformation",
                ["input_metric", "SymmetricDistance"],
            ),
            (
                {**SPACE, "input_metric": dp.l1_distance(T=int)},
                "MakeTransformation",
                ["input_metric", "SymmetricDistance"],
            ),
        ],
    )
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
