"""Randomized response over a whole column of booleans."""

from __future__ import annotations

from typing import Any

from benchmarks.harness import OURS, Call, Contender, Row
from benchmarks.peers import load
from benchmarks.rows.sizes import Sizes, count

__all__ = ["rows"]

# Calls for one row each are slow, and their time does not depend on their number.
SINGLE_CALLS = 100


def booleans(length: int) -> Any:
    """A numpy array of booleans, a third of them true."""
    return load("numpy").arange(length) % 3 == 0


def column(length: int) -> Call:
    """The whole column in one call."""
    dp = load(OURS)
    respond = dp.m.make_randomized_response_column(
        dp.vector_domain(dp.atom_domain(T=bool)),
        dp.hamming_distance(),
        [False, True],
        0.75,
    )
    values = booleans(length)
    return lambda: respond(values)


def one_by_one(length: int) -> Call:
    """OpenDP has no column: a call for every row."""
    respond = load("OpenDP").m.make_randomized_response_bool(prob=0.75)
    values = booleans(length).tolist()
    return lambda: [respond(value) for value in values]


def bits(name: str, length: int) -> Call:
    """The column packed into bits; each is flipped with probability f / 2 = 1/4."""
    dp = load(name)
    size = {"size": length} if name == OURS else {}
    respond = dp.m.make_randomized_response_bitvec(
        dp.bitvector_domain(max_weight=length, **size), dp.discrete_distance(), f=0.5
    )
    packed = load("numpy").packbits(booleans(length)).tobytes()
    return lambda: respond(packed)


def plain(length: int) -> Call:
    """The same in numpy, neither exact nor secure."""
    generator = load("numpy").random.default_rng()
    values = booleans(length)
    return lambda: values ^ (generator.random(length) < 0.25)


def rows(sizes: Sizes) -> list[Row]:
    """A column of booleans, and a vector of bits."""
    length = sizes.booleans
    packed = Contender(
        "OpenDP bits",
        lambda: bits("OpenDP", length),
        length,
        "make_randomized_response_bitvec, packed bytes in and out (its fastest)",
    )
    numpy = Contender(
        "numpy float",
        lambda: plain(length),
        length,
        "Generator.random and a comparison; not exact, not secure",
    )
    note = f"{count(length)} booleans, the truth with probability 3/4"
    return [
        Row(
            "response-column",
            "randomized response, column of booleans",
            "row",
            (
                Contender(
                    OURS,
                    lambda: column(length),
                    length,
                    "make_randomized_response_column, numpy array in",
                ),
                packed,
                Contender(
                    "OpenDP one by one",
                    lambda: one_by_one(SINGLE_CALLS),
                    SINGLE_CALLS,
                    f"make_randomized_response_bool, {SINGLE_CALLS} calls",
                ),
                numpy,
            ),
            note=note,
        ),
        Row(
            "response-bits",
            "randomized response, vector of bits",
            "row",
            (
                Contender(
                    OURS,
                    lambda: bits(OURS, length),
                    length,
                    "make_randomized_response_bitvec, packed bytes in and out",
                ),
                packed,
                numpy,
            ),
            note=note,
        ),
    ]
