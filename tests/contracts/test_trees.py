"""The contract of make_b_ary_tree."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.roots import root
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

ATOMS = [
    dp.atom_domain(T=int),
    dp.atom_domain(bounds=(-3, 10)),
    dp.atom_domain(T="i64"),
    dp.atom_domain(T="u8"),
]
METRICS = [
    dp.l1_distance(T=int),
    dp.l1_distance(T=float),
    dp.l2_distance(T=int),
    dp.l2_distance(T=float),
]
TREE: dict[str, Any] = {
    "input_domain": dp.vector_domain(ATOMS[0]),
    "input_metric": METRICS[0],
    "leaf_count": 4,
    "branching_factor": 2,
}
REALS = dp.vector_domain(dp.atom_domain(T=float, nan=False))
MAKE = "MakeTransformation"

CONTRACTS = [
    Contract(
        dp.t.make_b_ary_tree,
        arguments=st.fixed_dictionaries(
            {
                "input_domain": st.builds(
                    dp.vector_domain,
                    st.sampled_from(ATOMS),
                    st.sampled_from([None, 0, 1, 5]),
                ),
                "input_metric": st.sampled_from(METRICS),
                "leaf_count": st.sampled_from([1, 2, 3, 4.0, 9]),
                "branching_factor": st.sampled_from([2, 3, "4", 10**20]),
            }
        ),
        refusals=[
            ({**TREE, "leaf_count": 0}, MAKE, ["leaf_count", "at least 1"]),
            ({**TREE, "leaf_count": 2**61 + 1}, MAKE, ["leaf_count", "at most"]),
            ({**TREE, "leaf_count": 10**400}, MAKE, ["leaf_count", "at most"]),
            ({**TREE, "leaf_count": 1.5}, MAKE, ["leaf_count", "integer"]),
            ({**TREE, "leaf_count": None}, MAKE, ["leaf_count"]),
            ({**TREE, "branching_factor": 1}, MAKE, ["branching_factor", "at least 2"]),
            ({**TREE, "branching_factor": -2}, MAKE, ["branching_factor"]),
            ({**TREE, "branching_factor": float("inf")}, MAKE, ["branching_factor"]),
            ({**TREE, "branching_factor": True}, MAKE, ["branching_factor"]),
            ({**TREE, "input_domain": ATOMS[0]}, MAKE, ["VectorDomain"]),
            ({**TREE, "input_domain": REALS}, MAKE, ["input_domain", "integers"]),
            (
                {**TREE, "input_metric": dp.symmetric_distance()},
                MAKE,
                ["input_metric", "L1Distance"],
            ),
            (
                {**TREE, "input_metric": dp.linf_distance(T=int)},
                MAKE,
                ["input_metric", "L1Distance"],
            ),
        ],
        map_values=[
            (TREE, 2, 6),
            ({**TREE, "input_metric": METRICS[3]}, 1, root(3)),
            ({**TREE, "input_metric": METRICS[3]}, 2, root(28)),
        ],
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
