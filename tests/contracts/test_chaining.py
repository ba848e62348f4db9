"""The contracts of make_chain_tt, make_chain_mt, make_chain_pm, make_chain_proved."""

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

TEXTS = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
FLOATS = dp.vector_domain(dp.atom_domain(T=float), size=3), dp.hamming_distance()
COUNT = dp.atom_domain(T=int), dp.absolute_distance(T=int)

read = TEXTS >> dp.t.then_cast_default(TOA="i32")
clamp = read.output_space >> dp.t.then_clamp((0, 10))
total = clamp.output_space >> dp.t.then_sum()
same = TEXTS >> dp.t.then_identity()
count = TEXTS >> dp.t.then_count()
impute = FLOATS >> dp.t.then_impute_constant(0.5)
clip = impute.output_space >> dp.t.then_clamp((0.0, 4.0))
grid_sum = clip.output_space >> dp.t.then_sum()

BITS = dp.vector_domain(dp.atom_domain(bounds=(0, 1))), dp.symmetric_distance()
resize = BITS >> dp.t.then_resize(2, constant=0)
shuffle = resize.output_space >> dp.t.then_ordered_random()
bit_sum = resize.output_space >> dp.t.then_sum()
cut = dp.t.make_resize(*shuffle.output_space, 1, 0, dp.insert_delete_distance())

noise = dp.m.make_laplace(*COUNT, scale=2)
bit_noise = dp.m.make_geometric(*bit_sum.output_space, scale=1, bounds=(0, 2))
no_noise = dp.m.make_laplace(*COUNT, scale=0)
real_noise = dp.m.make_laplace(
    dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale="0.5"
)
grid_noise = dp.m.make_laplace(*grid_sum.output_space, scale=1, k=0)
COUNTS = dp.vector_domain(dp.atom_domain(T=int), size=2), dp.l1_distance(T=int)
counts_noise = dp.m.make_laplace(*COUNTS, scale=2)
one_count = dp.m.make_laplace(dp.vector_domain(COUNT[0], size=1), COUNTS[1], scale=2)
no_counts_noise = dp.m.make_laplace(*COUNTS, scale=0)
cdf = dp.t.make_cdf()
leaves = dp.t.make_consistent_b_ary_tree(2, TOA=Fraction)
coin = dp.m.make_randomized_response_bool(prob=0.75)


def tt(transformation1: Any, transformation0: Any) -> dict[str, Any]:
    return {"transformation1": transformation1, "transformation0": transformation0}


def mt(measurement1: Any, transformation0: Any) -> dict[str, Any]:
    return {"measurement1": measurement1, "transformation0": transformation0}


def pm(postprocess1: Any, measurement0: Any) -> dict[str, Any]:
    return {"postprocess1": postprocess1, "measurement0": measurement0}


CONTRACTS = [
    Contract(
        dp.c.make_chain_tt,
        st.sampled_from(
            [
                tt(clamp, read),
                tt(total, clamp),
                tt(total, clamp >> dp.t.then_identity()),
                tt(clamp >> dp.t.then_sum(), read),
                tt(clip, impute),
                tt(grid_sum, impute >> dp.t.then_clamp((0.0, 4.0))),
                tt(dp.t.make_count(*read.output_space), read),
                tt(shuffle, resize),
                tt(bit_sum, resize),
                tt(cut, resize >> shuffle),
            ]
        ),
        [
            (tt(total, read), "DomainMismatch", ["bounds", "then_clamp"]),
            (tt(clamp, impute), "DomainMismatch", ["int", "then_cast_default"]),
            (tt(clip, FLOATS >> dp.t.then_identity()), "DomainMismatch", "then_impute"),
            (
                tt(dp.t.make_count(TEXTS[0], dp.hamming_distance()), same),
                "MetricMismatch",
                ["SymmetricDistance", "HammingDistance"],
            ),
            (tt(noise, count), "Unsupported", ["transformation1", "Transformation"]),
            (tt(total, abs), "Unsupported", ["transformation0", "Transformation"]),
        ],
        couplings=[
            (tt(bit_sum, resize), [1, 1, 0, 0], [1, 1, 0], 14),
            (tt(shuffle, resize), [1, 1, 0, 0], [1, 1, 0], 14),
        ],
    ),
    Contract(
        dp.c.make_chain_mt,
        st.sampled_from(
            [
                mt(noise, count),
                mt(noise, read >> clamp >> total),
                mt(real_noise, impute >> clip >> grid_sum),
                mt(grid_noise, grid_sum),
                mt(bit_noise, resize >> bit_sum),
            ]
        ),
        [
            (mt(noise, read), "DomainMismatch", ["VectorDomain", "AtomDomain"]),
            (mt(noise, grid_sum), "DomainMismatch", ["Fraction", "int"]),
            (mt(count, noise), "Unsupported", ["measurement1", "Measurement"]),
            (mt(noise, len), "Unsupported", ["transformation0", "Transformation"]),
        ],
        certificates=[
            (mt(noise, count), ["a", "b"], ["a"], 24),
            (mt(noise, total), [1, 2, 3], [1, 2], 24),
            (mt(grid_noise, grid_sum), [0.5, 1.0, 2.0], [0.5, 1.0, 4.0], 24),
            (mt(bit_noise, resize >> bit_sum), [0, 0, 1], [0, 0], 24),
            (mt(bit_noise, resize >> bit_sum), [1], [0], 24),
        ],
        limits=[(mt(no_noise, count), ["a", "b"], 2)],
    ),
    Contract(
        dp.c.make_chain_pm,
        st.sampled_from(
            [
                # No float and str, which fail on large integers.
                pm(Fraction, noise),
                pm(abs, count >> noise),
                pm(dp.new_function(hex), count >> noise),
                pm(int, coin),
                pm(math.floor, grid_noise),
            ]
        ),
        [
            (pm(3, noise), "MakeMeasurement", ["postprocess1", "function"]),
            (pm(coin, noise), "MakeMeasurement", ["postprocess1", "function"]),
            (pm(abs, count), "Unsupported", ["measurement0", "Measurement"]),
        ],
        certificates=[
            (pm(abs, noise), 1, 0, 24),
            (pm(int, coin), True, False, 8),
        ],
        limits=[(pm(Fraction, no_noise), 3, Fraction(3))],
        features=("honest-but-curious",),
    ),
    Contract(
        dp.c.make_chain_proved,
        st.sampled_from([pm(cdf, counts_noise), pm(leaves, counts_noise)]),
        [
            (pm(dp.new_function(abs), noise), "MakeMeasurement", ["postprocess1"]),
            (pm(abs, noise), "MakeMeasurement", ["postprocess1", "proved"]),
            (pm(cdf, count), "Unsupported", ["measurement0", "Measurement"]),
        ],
        certificates=[(pm(leaves, one_count), [1], [0], 24)],
        limits=[(pm(cdf, no_counts_noise), [1, 3], [0.25, 1.0])],
    ),
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
