"""The contract of make_multiply, and one value of its map."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from scaling import make_multiply, then_multiply

import opendp_lite.prelude as dp
from opendp_lite import verify

SPACE: dict[str, Any] = {
    "input_domain": dp.atom_domain(T=int),
    "input_metric": dp.absolute_distance(T=int),
}


def test_the_contract_is_kept() -> None:
    """Right and wrong arguments, members, neighbours, and values of the map."""
    factors = st.sampled_from([0, 1, -1, 3, -(2**70)])
    verify.contract(
        make_multiply,
        arguments=factors.map(lambda factor: {**SPACE, "factor": factor}),
        refusals=[
            ({**SPACE, "factor": 0.5}, "MakeTransformation", "factor"),
            ({**SPACE, "factor": True}, "MakeTransformation", "factor"),
            (
                {**SPACE, "input_domain": dp.atom_domain(T=float), "factor": 2},
                "MakeTransformation",
                "input_domain",
            ),
            (
                {**SPACE, "input_metric": dp.symmetric_distance(), "factor": 2},
                "MakeTransformation",
                "input_metric",
            ),
        ],
        map_values=[({**SPACE, "factor": -3}, 2, 6), ({**SPACE, "factor": 0}, 5, 0)],
        features=("contrib",),
        examples=10,
    )


def test_it_chains() -> None:
    """`then_multiply` makes the same."""
    dp.enable_features("contrib")
    try:
        space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
        scaled = space >> then_multiply(4)
        assert scaled(5) == 20
        assert scaled.map(1) == 4
    finally:
        dp.disable_features("contrib")
