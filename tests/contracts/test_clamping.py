"""The contract of make_clamp."""

from __future__ import annotations

import math
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
INTEGERS = [dp.atom_domain(T=int), dp.atom_domain(T="u8"), dp.atom_domain((-7, 7))]
FLOATS = [
    dp.atom_domain(T=float, nan=False),
    dp.atom_domain(T="f32", nan=False),
    dp.atom_domain((-1.5, 1e300)),
]
RATIONALS = [dp.atom_domain(T=Fraction), dp.atom_domain((Fraction(-1, 3), 9))]


AGGREGATES = [
    dp.l1_distance(T=float),
    dp.l2_distance(T=float),
    dp.linf_distance(T=float),
    dp.linf_distance(T=float, monotonic=True),
]


def arguments(
    atoms: list[Any], values: st.SearchStrategy[Any], metrics: list[Any] = METRICS
) -> Any:
    return st.fixed_dictionaries(
        {
            "input_domain": st.builds(
                dp.vector_domain, st.sampled_from(atoms), st.sampled_from([None, 3])
            ),
            "input_metric": st.sampled_from(metrics),
            "bounds": st.tuples(values, values).map(lambda pair: tuple(sorted(pair))),
        }
    )


def space(atom: Any, metric: Any = METRICS[0]) -> dict[str, Any]:
    return {"input_domain": dp.vector_domain(atom), "input_metric": metric}


int64 = st.sampled_from([-(2**63), 2**63 - 1, 0, 255, 256]) | st.integers(-300, 300)
wide = st.sampled_from([-(2**65), -(2**63) - 1, 2**63, 2**64 - 1, 2**64, 2**65])
wide |= st.integers()
floats = st.sampled_from([-math.inf, math.inf, 0.0, -0.0, 5e-324]) | st.floats(
    allow_nan=False
)
REFUSALS: list[Any] = [
    (
        {**space(INTEGERS[0]), "bounds": (1, 0)},
        "MakeDomain",
        ["bounds", "lower may not be above upper"],
    ),
    ({**space(INTEGERS[0]), "bounds": (0, 0.5)}, "MakeDomain", "integers"),
    ({**space(INTEGERS[0]), "bounds": (0, math.inf)}, "MakeDomain", "finite"),
    ({**space(INTEGERS[0]), "bounds": (False, 1)}, "MakeDomain", "bounds"),
    ({**space(INTEGERS[0]), "bounds": 3}, "MakeDomain", ["bounds", "pair"]),
    ({**space(FLOATS[0]), "bounds": (math.nan, 1.0)}, "MakeDomain", "nan"),
    ({**space(FLOATS[0]), "bounds": (0.0, "x")}, "MakeDomain", "bounds"),
    ({**space(FLOATS[1]), "bounds": (0.0, 0.1)}, "MakeDomain", "bounds"),
    ({**space(FLOATS[0]), "bounds": (0, 2**53 + 1)}, "MakeDomain", "bounds"),
    ({**space(RATIONALS[0]), "bounds": (0, math.inf)}, "MakeDomain", "finite"),
    *(
        ({**arguments, "bounds": bounds}, "MakeTransformation", words)
        for arguments, bounds, words in [
            (space(INTEGERS[0]), None, ["bounds", "pair"]),
            (space(dp.atom_domain(T=str)), (0, 1), ["input_domain", "then_cast"]),
            (space(dp.atom_domain(T=bool)), (0, 1), ["input_domain", "then_cast"]),
            (space(dp.atom_domain(T=float)), (0, 1), ["NaN", "then_impute_constant"]),
            (space(dp.option_domain(INTEGERS[0])), (0, 1), ["None", "then_impute"]),
            (space(INTEGERS[0], dp.discrete_distance()), (0, 1), "input_metric"),
            (space(dp.atom_domain(T=str), dp.l1_distance(T=int)), (0, 1), "then_cast"),
            (
                {**space(INTEGERS[0], dp.l2_distance(T=int)), "input_domain": None},
                (0, 1),
                "Vector",
            ),
            ({**space(INTEGERS[0]), "input_domain": INTEGERS[0]}, (0, 1), "Vector"),
        ]
    ),
]

CONTRACTS = [
    Contract(dp.t.make_clamp, values, REFUSALS)
    for values in [
        arguments(INTEGERS, int64),
        arguments(INTEGERS[:1], wide),
        arguments([FLOATS[0], FLOATS[2]], floats),
        arguments([FLOATS[1]], st.floats(allow_nan=False, width=32)),
        arguments(RATIONALS, st.fractions(max_denominator=99)),
        arguments(INTEGERS, int64, AGGREGATES),
        arguments([FLOATS[0], FLOATS[2]], floats, AGGREGATES),
        arguments(RATIONALS, st.fractions(max_denominator=99), AGGREGATES),
    ]
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
