"""The contract of make_randomized_response_bitvec_column."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.exact.enclosures import ln
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

HAMMING = dp.hamming_distance()
SHARES = st.sampled_from([1.0, 0.5, 0.95, 1e-300, "1/3", Decimal("0.9"), 1, "1e-400"])


def on(
    size: Any, f: Any = 0.5, max_weight: Any = None, rows: int | None = None
) -> dict[str, Any]:
    bits = dp.bitvector_domain(max_weight=max_weight, size=size)
    return {
        "input_domain": dp.vector_domain(bits, size=rows),
        "input_metric": HAMMING,
        "f": f,
    }


@st.composite
def arguments(draw: st.DrawFn) -> dict[str, Any]:
    return on(
        draw(st.integers(0, 20)),
        draw(SHARES | st.fractions("1/9", 1)),
        draw(st.none() | st.integers(0, 24)),
        draw(st.none() | st.integers(0, 4)),
    )


def outsiders(made: Any) -> list[Any]:
    """Vectors of another length or with padding that is not zero, and no lists."""
    size = made.input_domain.element_domain.size
    rows, length = made.input_domain.size or 1, -(-size // 8)
    strangers: list[Any] = [[bytes(length + 1)] * rows, bytes(length), [[0]] * rows]
    if size % 8:
        strangers += [[bytes(length - 1) + b"\x01"] * rows]
    if made.input_domain.size is not None:
        strangers += [[bytes(length)] * (made.input_domain.size + 1)]
    return strangers


INTEGERS = dp.vector_domain(dp.atom_domain(T=int))
OPTIONAL = dp.vector_domain(dp.option_domain(dp.bitvector_domain(size=8)))
REFUSALS: list[Any] = [
    (given, "MakeMeasurement", words)
    for given, words in [
        (on(8, 0), ["f=0", "above 0", "such as f=0.5"]),
        (on(8, -0.5), ["f=-0.5", "at least 0"]),
        (on(8, 1.5), ["f=1.5", "at most 1"]),
        (on(8, math.nan), ["f=nan", "finite"]),
        (on(8, "half"), ["f='half'", "such as"]),
        (on(8, None), ["f=None", "must be a number"]),
        (on(8, True), ["f=True", "must be a number"]),
        (on(None, max_weight=4), ["input_domain", "must have a size", "size=n"]),
        ({**on(8), "input_domain": INTEGERS}, ["input_domain", "bitvector_domain"]),
        ({**on(8), "input_domain": OPTIONAL}, ["input_domain", "bitvector_domain"]),
        ({**on(8), "input_domain": None}, ["input_domain=None", "bitvector_domain"]),
        (
            {**on(8), "input_domain": dp.bitvector_domain(size=8)},
            ["input_domain", "vector_domain of a bitvector_domain"],
        ),
        ({**on(8), "input_metric": None}, ["input_metric=None", "hamming_distance"]),
        (
            {**on(8), "input_metric": dp.symmetric_distance()},
            ["input_metric", "order of the rows"],
        ),
    ]
]

A, B, C = bytes([0b10000000]), bytes([0b01000000]), bytes([0b11000000])
CERTIFICATES: list[Any] = [
    (on(2), [A, B], [B, B], 8),
    (on(2), [A, B], [C, A], 8),
    (on(2, max_weight=1), [A, B], [B, A], 8),
    (on(2, rows=2), [A, bytes(1)], [B, C], 8),
    (on(1, 0.75), [bytes(1)], [A], 4),
    (on(1, "2/3"), [bytes(1), A], [A, A], 16),
    (on(3, 1.0), [A, B], [C, C], 6),
    (on(2), [A, B], [A, B], 8),
    (on(10, 1, 3), [bytes([7, 0])], [bytes([0, 0b11000000])], 10),
]
LIMITS: list[Any] = [
    (on(0), [b"", b""], [b"", b""]),
    (on(9), [], []),
]
MAP_VALUES: list[Any] = [
    (on(24, 0.5, 1), 1, lambda bits: 2 * ln(mpq(3), bits)),
    (on(24, 0.5, 1), 5, lambda bits: 10 * ln(mpq(3), bits)),
    (on(24, 0.5, 13), 2, lambda bits: 48 * ln(mpq(3), bits)),
    (on(24, 0.5), 2, lambda bits: 48 * ln(mpq(3), bits)),
    (on(24, "1/3", 2, 3), math.inf, lambda bits: 12 * ln(mpq(5), bits)),
    (on(24, "1/3", 2, 3), 7, lambda bits: 12 * ln(mpq(5), bits)),
    (on(24, 1, 2), 1, 0),
    (on(24, 0.5, 0), 3, 0),
    (on(0, 0.5), 1, 0),
    (on(24, 0.5, rows=0), 1, 0),
    # The length of a column is not hidden, whatever becomes of the bits.
    (on(24, 1), math.inf, math.inf),
    (on(0, 0.5), math.inf, math.inf),
    (on(24, 1, rows=2), math.inf, 0),
]

CONTRACTS = [
    Contract(
        dp.m.make_randomized_response_bitvec_column,
        arguments(),
        REFUSALS,
        outsiders=outsiders,
        certificates=CERTIFICATES,
        limits=LIMITS,
        map_values=MAP_VALUES,
        examples=60,
    )
]


# What stays: one vector changed, both, few ones, a known length, and wide vectors.
LONG = [CERTIFICATES[i] for i in (1, 4, 6, 7)]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms, *LONG))
