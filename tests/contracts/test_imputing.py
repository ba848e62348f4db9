"""The contracts of make_impute_constant, make_is_null and make_drop_null."""

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
ROWS: list[tuple[Any, list[Any]]] = [
    (dp.atom_domain(T=float), [0, 0.5, -0.0, math.inf, 1e308]),
    (dp.atom_domain(T=float, nan=False), [1.0]),
    (dp.atom_domain(T="f32"), [0.5]),
    (dp.atom_domain((-1.0, 1.0)), [-1.0, 0, 1]),
    (dp.option_domain(dp.atom_domain(T=float)), [0.5, -1]),
    (dp.option_domain(dp.atom_domain(T=int)), [0, 10**30]),
    (dp.option_domain(dp.atom_domain(T="u8")), [255]),
    (dp.option_domain(dp.atom_domain(T=bool)), [True]),
    (dp.option_domain(dp.atom_domain(T=str)), ["", "missing"]),
    (dp.option_domain(dp.atom_domain(T=Fraction)), [1, Fraction(1, 3)]),
]
CHOICES = [
    {"input_domain": dp.vector_domain(row, size), "constant": constant}
    for row, constants in ROWS
    for constant in constants
    for size in (None, 3)
]


def call(row: Any, constant: Any, metric: Any = METRICS[0]) -> dict[str, Any]:
    domain = dp.vector_domain(row)
    return {"input_domain": domain, "input_metric": metric, "constant": constant}


def refused(row: Any, constant: Any, *words: str) -> Any:
    return call(row, constant), "MakeTransformation", ["constant", *words]


DOMAINS = st.builds(
    dp.vector_domain,
    st.sampled_from([row for row, _ in ROWS]),
    st.sampled_from([None, 3]),
)
SPACES = st.fixed_dictionaries(
    {"input_domain": DOMAINS, "input_metric": st.sampled_from(METRICS)}
)


def bad_space(domain: Any, metric: Any, *words: str) -> Any:
    call = {"input_domain": domain, "input_metric": metric}
    return call, "MakeTransformation", words


FLOATS = dp.vector_domain(dp.atom_domain(T=float))
NEVER = ("input_domain", "never missing", "option_domain")
BAD_SPACES = [
    bad_space(dp.vector_domain(dp.atom_domain(T=int)), METRICS[0], *NEVER),
    bad_space(dp.vector_domain(dp.atom_domain(T=str)), METRICS[0], *NEVER),
    bad_space(
        dp.vector_domain(dp.option_domain(ROWS[5][0])),
        METRICS[0],
        "input_domain",
        "atom_domain",
    ),
    bad_space(dp.atom_domain(T=float), METRICS[0], "input_domain", "VectorDomain"),
    bad_space(FLOATS, dp.discrete_distance(), "input_metric", "SymmetricDistance"),
]


CONTRACTS = [
    Contract(
        dp.t.make_impute_constant,
        arguments=st.tuples(st.sampled_from(CHOICES), st.sampled_from(METRICS)).map(
            lambda pair: {**pair[0], "input_metric": pair[1]}
        ),
        examples=60,
        refusals=[
            refused(ROWS[0][0], math.nan, "no NaN"),
            refused(ROWS[0][0], "0.5", "a float"),
            refused(ROWS[0][0], None, "a float"),
            refused(ROWS[0][0], True, "a float"),
            refused(ROWS[0][0], 2**53 + 1, "2^53"),
            refused(ROWS[2][0], 0.1, "binary32"),
            refused(ROWS[3][0], 1.5, "from -1.0 to 1.0"),
            refused(ROWS[4][0], math.nan, "no NaN"),
            refused(ROWS[5][0], True, "an int"),
            refused(ROWS[5][0], 1.0, "an int"),
            refused(ROWS[5][0], None, "an int"),
            refused(ROWS[6][0], 256, "from 0 to 255"),
            refused(ROWS[7][0], 1, "a bool"),
            refused(ROWS[8][0], 1, "a str"),
            (
                call(dp.atom_domain(T=int), 1),
                "MakeTransformation",
                ["input_domain", "never missing", "option_domain"],
            ),
            (
                call(dp.option_domain(ROWS[5][0]), 1),
                "MakeTransformation",
                ["input_domain", "atom_domain"],
            ),
            (
                call(ROWS[5][0], 1, dp.discrete_distance()),
                "MakeTransformation",
                ["input_metric", "SymmetricDistance"],
            ),
            (
                {**call(ROWS[5][0], 1), "input_domain": ROWS[5][0]},
                "MakeTransformation",
                ["input_domain", "VectorDomain"],
            ),
        ],
    ),
    Contract(
        dp.t.make_is_null,
        arguments=SPACES,
        examples=60,
        refusals=BAD_SPACES,
    ),
    Contract(
        dp.t.make_drop_null,
        arguments=st.fixed_dictionaries(
            {"input_domain": DOMAINS, "input_metric": st.sampled_from(METRICS[:2])}
        ),
        examples=60,
        refusals=[
            *BAD_SPACES,
            *(
                bad_space(FLOATS, metric, "input_metric", "then_metric_unbounded")
                for metric in METRICS[2:]
            ),
        ],
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
