"""The contract of make_identity."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

SPACES = [
    (dp.vector_domain(dp.atom_domain(T=float)), dp.symmetric_distance()),
    (dp.vector_domain(dp.option_domain(dp.atom_domain(T=str))), dp.hamming_distance()),
    (dp.vector_domain(dp.atom_domain(T=int), size=2), dp.change_one_distance()),
    (dp.vector_domain(dp.atom_domain(T=bool)), dp.insert_delete_distance()),
    (dp.atom_domain(T=int), dp.absolute_distance(T=int)),
    (dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)),
    (dp.atom_domain(T=str), dp.discrete_distance()),
    (dp.vector_domain(dp.atom_domain(bounds=(-1, 9))), dp.l2_distance(T=float)),
]

CONTRACTS = [
    Contract(
        dp.t.make_identity,
        arguments=st.sampled_from(SPACES).map(
            lambda space: {"domain": space[0], "metric": space[1]}
        ),
        refusals=[
            (
                {"domain": dp.atom_domain(T=int), "metric": dp.symmetric_distance()},
                "MetricSpace",
                ["SymmetricDistance", "vector_domain"],
            ),
            (
                {"domain": dp.atom_domain(T=int), "metric": None},
                "MetricSpace",
                ["metric", "NoneType", "must be"],
            ),
            (
                {"domain": 3, "metric": dp.symmetric_distance()},
                "MetricSpace",
                ["domain", "int", "must be"],
            ),
        ],
    )
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
