"""The contracts of make_unordered, make_metric_bounded and make_metric_unbounded."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

SYMMETRIC, INSERT_DELETE = dp.symmetric_distance(), dp.insert_delete_distance()
CHANGE_ONE, HAMMING = dp.change_one_distance(), dp.hamming_distance()
ROWS: list[Any] = [
    dp.atom_domain(T=int),
    dp.atom_domain(T=float),
    dp.atom_domain(T=str),
    dp.atom_domain(T=bool),
    dp.option_domain(dp.atom_domain(T=str)),
]
INTS = dp.vector_domain(ROWS[0])


def arguments(metrics: list[Any], sizes: list[int | None]) -> Any:
    rows, size = st.sampled_from(ROWS), st.sampled_from(sizes)
    return st.fixed_dictionaries(
        {
            "input_domain": st.builds(dp.vector_domain, rows, size),
            "input_metric": st.sampled_from(metrics),
        }
    )


def refused(metrics: list[Any], domain: Any, metric: Any) -> list[Any]:
    """Refusals of other metrics, and of what is no data set."""
    others = [*metrics, dp.discrete_distance(), dp.l1_distance(T=int)]
    space = {"input_domain": domain, "input_metric": metric}
    return [
        *(
            ({**space, "input_metric": other}, "MakeTransformation", "input_metric")
            for other in others
        ),
        (
            {**space, "input_domain": dp.atom_domain(T=int)},
            "MakeTransformation",
            ["input_domain", "VectorDomain"],
        ),
    ]


SIZED = dp.vector_domain(ROWS[0], size=3)
CONTRACTS = [
    Contract(
        dp.t.make_unordered,
        arguments=arguments([INSERT_DELETE, HAMMING], [None, 0, 4]),
        refusals=refused([SYMMETRIC, CHANGE_ONE], INTS, HAMMING),
    ),
    Contract(
        dp.t.make_metric_bounded,
        arguments=arguments([SYMMETRIC, INSERT_DELETE], [0, 1, 4]),
        refusals=[
            *refused([CHANGE_ONE, HAMMING], SIZED, SYMMETRIC),
            (
                {"input_domain": INTS, "input_metric": SYMMETRIC},
                "MakeTransformation",
                ["input_domain", "size"],
            ),
        ],
    ),
    Contract(
        dp.t.make_metric_unbounded,
        arguments=arguments([CHANGE_ONE, HAMMING], [None, 0, 4]),
        refusals=refused([SYMMETRIC, INSERT_DELETE], INTS, HAMMING),
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
