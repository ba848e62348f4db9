"""The contracts of make_resize, make_ordered_random and make_impute_uniform_float."""

from __future__ import annotations

import math
from typing import Any

import numpy
import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

SYMMETRIC, INSERT_DELETE = dp.symmetric_distance(), dp.insert_delete_distance()
CHANGE_ONE, HAMMING = dp.change_one_distance(), dp.hamming_distance()
METRICS = [SYMMETRIC, INSERT_DELETE, CHANGE_ONE, HAMMING]
MAKE = "MakeTransformation"
# Rows, and constants among them.
ROWS: list[Any] = [
    (dp.atom_domain(T=int), [0, -1, 300, 2**63, 2**64]),
    (dp.atom_domain(T=float), [0.5, -0.0, math.nan, math.inf]),
    (dp.atom_domain(bounds=(0.0, 4.0)), [4.0]),
    (dp.atom_domain(T=str), ["", "longer than the others", "a\0"]),
    (dp.atom_domain(T=bool), [False]),
    (dp.atom_domain(T="u8"), [255]),
    (dp.option_domain(dp.atom_domain(T=str)), [None, "a"]),
]
INTS = dp.vector_domain(dp.atom_domain(T=int))
FLOATS = dp.vector_domain(dp.atom_domain(T=float))


def space(domain: Any = INTS, metric: Any = SYMMETRIC) -> dict[str, Any]:
    return {"input_domain": domain, "input_metric": metric}


def resize(size: int, metric: Any, MO: Any = None) -> dict[str, Any]:
    return {**space(INTS, metric), "size": size, "constant": 0, "MO": MO}


def impute(metric: Any, row: Any = None) -> dict[str, Any]:
    """Of the five doubles from 1 on: those inside are twice as likely as the ends."""
    domain = dp.vector_domain(row or dp.atom_domain(T=float))
    return {**space(domain, metric), "bounds": (1.0, 1.0 + 2.0**-50)}


@st.composite
def resizes(draw: Any) -> dict[str, Any]:
    row, constants = draw(st.sampled_from(ROWS))
    metric = draw(st.sampled_from(METRICS))
    outputs = {SYMMETRIC: [None, INSERT_DELETE], INSERT_DELETE: [None, INSERT_DELETE]}
    return {
        "input_domain": dp.vector_domain(row, draw(st.sampled_from([None, 0, 3]))),
        "input_metric": metric,
        "size": draw(st.sampled_from([1, 2, 4])),
        "constant": draw(st.sampled_from(constants)),
        "MO": draw(st.sampled_from(outputs.get(metric, [None, metric]))),
    }


ANY_ROWS = st.builds(
    dp.vector_domain,
    st.sampled_from([row for row, _ in ROWS]),
    st.sampled_from([None, 0, 4]),
)
NAN = math.nan
RESIZE = {**space(), "size": 3, "constant": 0}
IMPUTE = {**space(FLOATS), "bounds": (0.0, 1.0)}
CONTRACTS = [
    Contract(
        dp.t.make_resize,
        arguments=resizes(),
        refusals=[
            ({**RESIZE, "input_domain": dp.atom_domain(T=int)}, MAKE, "input_domain"),
            ({**RESIZE, "input_domain": dp.vector_domain(INTS)}, MAKE, "input_domain"),
            (
                {**RESIZE, "input_metric": dp.discrete_distance()},
                MAKE,
                "input_metric",
            ),
            ({**RESIZE, "size": 0}, MAKE, ["size", "at least 1"]),
            ({**RESIZE, "size": -1}, MAKE, ["size", "at least 1"]),
            ({**RESIZE, "size": 2**62 + 1}, MAKE, ["size", "at most"]),
            ({**RESIZE, "size": 1.5}, MAKE, ["size", "integer"]),
            ({**RESIZE, "size": "many"}, MAKE, "size"),
            ({**RESIZE, "constant": None}, MAKE, ["constant", "int"]),
            ({**RESIZE, "constant": 0.5}, MAKE, ["constant", "int"]),
            ({**RESIZE, "constant": True}, MAKE, ["constant", "int"]),
            (
                {
                    **RESIZE,
                    "input_domain": dp.vector_domain(dp.atom_domain(bounds=(0, 2))),
                    "constant": 3,
                },
                MAKE,
                "constant",
            ),
            (
                {
                    **RESIZE,
                    "input_domain": dp.vector_domain(
                        dp.atom_domain(T=float, nan=False)
                    ),
                    "constant": NAN,
                },
                MAKE,
                "constant",
            ),
            ({**RESIZE, "MO": HAMMING}, MAKE, ["MO", "SymmetricDistance"]),
            ({**RESIZE, "MO": "ChangeOneDistance"}, MAKE, ["MO", "SymmetricDistance"]),
            ({**resize(3, HAMMING), "MO": CHANGE_ONE}, MAKE, ["MO", "Hamming"]),
            ({**resize(3, CHANGE_ONE), "MO": SYMMETRIC}, MAKE, ["MO", "ChangeOne"]),
            ({**RESIZE, "MO": "NoDistance"}, "TypeParse", "NoDistance"),
        ],
        couplings=[
            (resize(2, SYMMETRIC), [1, 2, 3], [1, 2], 14),
            (resize(2, SYMMETRIC), [1, 2, 3, 4], [1], 14),
            (resize(1, SYMMETRIC), [1, 2], [3, 4, 5], 14),
            (resize(2, SYMMETRIC, INSERT_DELETE), [1, 2, 3], [1, 2], 14),
            (resize(3, SYMMETRIC, INSERT_DELETE), [1, 2], [1, 2, 3], 14),
            (resize(2, CHANGE_ONE), [1, 2, 3], [1, 2, 4], 14),
            (
                resize(2, CHANGE_ONE),
                numpy.array([1, 2, 3]),
                numpy.array([1, 2, 4]),
                14,
            ),
            (resize(2, INSERT_DELETE, INSERT_DELETE), [1, 2, 3], [2, 3], 1),
        ],
    ),
    Contract(
        dp.t.make_ordered_random,
        arguments=st.fixed_dictionaries(
            {
                "input_domain": ANY_ROWS,
                "input_metric": st.sampled_from([SYMMETRIC, CHANGE_ONE]),
            }
        ),
        refusals=[
            (space(dp.atom_domain(T=int)), MAKE, ["input_domain", "VectorDomain"]),
            (space(INTS, INSERT_DELETE), MAKE, ["input_metric", "SymmetricDistance"]),
            (space(INTS, HAMMING), MAKE, ["input_metric", "SymmetricDistance"]),
            (space(INTS, dp.discrete_distance()), MAKE, "input_metric"),
        ],
        couplings=[
            (space(INTS, SYMMETRIC), [1, 2, 3], [1, 2], 14),
            (space(INTS, SYMMETRIC), [1, 2, 2], [3, 2], 14),
            (space(INTS, CHANGE_ONE), [1, 2, 3], [4, 3, 1], 14),
            (space(INTS, CHANGE_ONE), numpy.arange(3), numpy.array([0, 7, 2]), 14),
        ],
    ),
    Contract(
        dp.t.make_impute_uniform_float,
        arguments=st.builds(
            lambda row, size, metric, bounds: {
                **space(dp.vector_domain(row, size), metric),
                "bounds": bounds,
            },
            st.sampled_from(
                [
                    dp.atom_domain(T=float),
                    dp.atom_domain(bounds=(-1e300, 1e300), nan=True),
                    dp.atom_domain(T="f32"),
                    dp.atom_domain(T=float, nan=False),
                    dp.option_domain(dp.atom_domain(T=float)),
                ]
            ),
            st.sampled_from([None, 0, 3]),
            st.sampled_from(METRICS),
            st.sampled_from([(0.0, 1.0), (-1e300, 1e300), (-5e-324, 5e-324)]),
        ),
        refusals=[
            ({**IMPUTE, "input_domain": INTS}, MAKE, ["input_domain", "floats"]),
            ({**IMPUTE, "input_domain": INTS.element_domain}, MAKE, "input_domain"),
            ({**IMPUTE, "input_metric": dp.discrete_distance()}, MAKE, "input_metric"),
            ({**IMPUTE, "bounds": (0.0, math.inf)}, MAKE, ["bounds", "finite"]),
            ({**IMPUTE, "bounds": (-math.inf, 0.0)}, MAKE, ["bounds", "finite"]),
            ({**IMPUTE, "bounds": (1.0, 1.0)}, MAKE, ["bounds", "different"]),
            ({**IMPUTE, "bounds": (0.0, -0.0)}, MAKE, ["bounds", "different"]),
            ({**IMPUTE, "bounds": None}, MAKE, "bounds"),
            ({**IMPUTE, "bounds": (1.0, 0.0)}, "MakeDomain", "bounds"),
            ({**IMPUTE, "bounds": (0.0, NAN)}, "MakeDomain", "bounds"),
            ({**IMPUTE, "bounds": (0.0,)}, "MakeDomain", "bounds"),
            (
                {
                    **IMPUTE,
                    "input_domain": dp.vector_domain(
                        dp.atom_domain(bounds=(0.0, 0.5), nan=True)
                    ),
                },
                MAKE,
                ["bounds", "within"],
            ),
        ],
        couplings=[
            (impute(metric), [NAN, 9.0, NAN], right, 20)
            for metric, right in (
                (SYMMETRIC, [NAN, 9.0]),
                (INSERT_DELETE, [9.0, NAN]),
                (CHANGE_ONE, [8.0, NAN, 9.0]),
                (HAMMING, [NAN, 9.0, 8.0]),
            )
        ]
        + [
            (impute(HAMMING), numpy.array([NAN, 9.0]), numpy.array([NAN, NAN]), 20),
            (
                impute(HAMMING, dp.option_domain(dp.atom_domain(T=float))),
                [None, NAN],
                [None, 2],
                20,
            ),
        ],
    ),
]


# What stays of imputing: lists of another length, arrays, and two kinds of no number.
LONG = CONTRACTS[2].couplings[1:4]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, *LONG))
