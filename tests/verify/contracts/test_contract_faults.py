"""Faults of a measurement that no example shows by itself, each planted and found.

`make_coins` tells two bits of a number through biased coins when `fault` is None.
Another value of `fault` plants what its name says, and the contract must name the rule
that it breaks. What a contract cannot see is planted too, and is not found.
"""

from __future__ import annotations

import datetime
import os
import random
import secrets
import time
import uuid
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from os import urandom
from time import monotonic_ns
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.registry import REGISTRY, constructor
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.enclosures import ln
from opendp_lite.exact.intervals import upper_bound
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.randomness.entropy import granularity, random_bits
from opendp_lite.verify import Contract, ContractBroken, contract, privacy
from tests.rows import for_each

INTEGERS = dp.atom_domain(T=int), dp.discrete_distance()
LINE = {"input_domain": INTEGERS[0], "input_metric": INTEGERS[1]}
HELD = {"bits": os.urandom}  # under no name of a module
GENERATOR = np.random.default_rng(5)
LOSS = upper_bound(lambda precision: 2 * ln(to_mpq(3), precision), 64)
Release = Callable[[int, dict[str, int]], Any]


def answered(x: int) -> list[bool]:
    """Each of the last two bits of x, true to it with probability 3/4."""
    return [bool(x >> i & 1) == (random_bits(2) != 0) for i in (0, 1)]


def keeping(name: str) -> Release:
    """Releases that depend on calls before."""

    def previous(x: int, state: dict[str, int]) -> Any:
        last, state["x"] = state.get("x", x), x
        return answered(last)

    def noise(x: int, state: dict[str, int]) -> Any:
        first = answered(x)
        last, state["noise"] = state.get("noise", first[0]), first[0]
        return [last, first[1]]

    def later(x: int, state: dict[str, int]) -> Any:
        state["calls"] = state.get("calls", 0) + 1
        return [True, True] if state["calls"] > 900 else answered(x)

    def never(x: int, state: dict[str, int]) -> Any:
        state["calls"] = state.get("calls", 0) + 1
        return [True, True] if state["calls"] > 10**6 else answered(x)

    releases = {"input": previous, "noise": noise}
    return {**releases, "many calls": later, "more calls": never}[name]


def in_words(name: str) -> Release:
    """Releases that are right where bits are asked for singly."""

    def clear(x: int, state: dict[str, int]) -> Any:
        return answered(x) if granularity() == 1 else [bool(x & 1), bool(x & 2)]

    def less_noise(x: int, state: dict[str, int]) -> Any:
        release = answered(x)
        clear = [bool(x & 1), bool(x & 2)]
        return clear if granularity() == 64 and random_bits(1) else release

    def tagged(x: int, state: dict[str, int]) -> Any:
        release: list[Any] = answered(x)
        return [*release, x] if granularity() == 64 and not random_bits(5) else release

    def little(x: int, state: dict[str, int]) -> Any:
        release = answered(x)
        rarely = granularity() == 64 and not random_bits(7)
        return [not x & 1, release[1]] if rarely else release

    releases = {"clear": clear, "less noise": less_noise, "a little": little}
    return {**releases, "at times": tagged}[name]


def asking(source: Callable[[], object]) -> Release:
    """A release that asks another source, to no effect."""

    def release(x: int, state: dict[str, int]) -> Any:
        source()
        return answered(x)

    return release


def far(x: int, state: dict[str, int]) -> Any:
    if abs(x) > 10**60:
        raise OverflowError("too far")
    return answered(x)


def digits(x: int, state: dict[str, int]) -> Any:
    str(x)  # refuses more than 4300 digits
    return answered(x)


class Tagged(list[Any]):
    """A list with an attribute."""


def padded(x: int, state: dict[str, int]) -> Any:
    memory = np.array([*answered(x), x % 5, 0], dtype=np.int64)
    return memory[:2]


FAULTS: dict[str, tuple[str, Release]] = {
    "fails above 10**60": ("members: .*OverflowError", far),
    "fails above 4300 digits": ("members: .*ValueError", digits),
    "keeps the last input": ("members: ", keeping("input")),
    "keeps noise": ("(members|privacy): ", keeping("noise")),
    "keeps a count of calls": ("members: .*after some calls", keeping("many calls")),
    "tells in words": ("privacy: in words", in_words("clear")),
    "less noise in words": ("privacy: in words", in_words("less noise")),
    "tells in words at times": ("privacy: in words", in_words("at times")),
    "os.urandom": ("sources: .*os.urandom", asking(lambda: os.urandom(8))),
    "from os import urandom": ("sources: .*urandom", asking(lambda: urandom(8))),
    "os.urandom on a rare path": (
        "sources: .*os.urandom.* on some bit path",
        asking(lambda: random_bits(11) == 0b10110111010 and os.urandom(8)),
    ),
    "urandom of a dict": ("sources: .*urandom", asking(lambda: HELD["bits"](8))),
    "random": ("sources: .*random", asking(random.random)),
    "random.gauss": ("sources: .*random", asking(lambda: random.gauss(0, 1))),
    "own Random": ("sources: .*random", asking(lambda: random.Random(1).random())),
    "secrets": ("sources: .*secrets", asking(lambda: secrets.token_bytes(4))),
    "uuid": ("sources: .*uuid", asking(uuid.uuid4)),
    "numpy": ("sources: .*numpy", asking(np.random.random)),
    "numpy, by its name": ("sources: .*numpy", asking(lambda: np.random.normal(0, 1))),
    "numpy, unseeded": ("sources: .*", asking(lambda: np.random.PCG64().random_raw())),
    "time": ("sources: .*time.time", asking(time.time)),
    "from time import": ("sources: .*monotonic_ns", asking(lambda: monotonic_ns())),
    "now": ("sources: .*now", asking(lambda: datetime.datetime.now(datetime.UTC))),
    "today": ("sources: .*time", asking(lambda: date.today())),
    "clock that shows": ("sources: ", lambda x, state: [time.time_ns() % 2, x % 2]),
    "release of a subclass": ("values: .*Tagged", lambda x, state: Tagged(answered(x))),
    "release of a set": ("values: .*sorted list", lambda x, state: set(answered(x))),
    "release with a base": ("values: .*base", padded),
    "release of a function": ("values: .*function", lambda x, state: lambda: x),
}
# The effects of these are too rare or too well hidden for a contract.
UNSEEN: dict[str, Release] = {
    "a little less noise in words": in_words("a little"),
    "state after more calls than are made": keeping("more calls"),
    "fails at a single value": lambda x, state: answered(x // (x != 2**63 + 12345)),
    "tells a single value": lambda x, state: x if x == 2**63 + 12345 else answered(x),
    "a seeded generator, without effect": asking(lambda: GENERATOR.random()),
    "an environment variable": asking(lambda: os.environ.get("HOME")),
    "a file": asking(lambda: os.stat(os.curdir).st_mtime),
}
ALL = {name: release for name, (_, release) in FAULTS.items()} | UNSEEN


@constructor(proof="tests/make_coins", status="vetted")
def make_coins(
    input_domain: Any, input_metric: Any, fault: str | None = None
) -> Measurement:
    """Return the last two bits of a number, each under a biased coin."""
    state: dict[str, int] = {}
    release = ALL.get(fault or "", lambda x, state: answered(x))

    def function(arg: Any) -> Any:
        return release(int(arg), state)

    def privacy_map(d_in: Any) -> Any:
        if fault == "map reads the clock":
            time.perf_counter()
        if fault == "claims nothing":
            return float("inf") if d_in else 0
        return LOSS if d_in else 0

    return Measurement(
        input_domain, function, input_metric, dp.max_divergence(), privacy_map
    )


@constructor(proof="tests/make_lengths", status="vetted")
def make_lengths(input_domain: Any, input_metric: Any, fault: str) -> Transformation:
    """Return the sum of the lengths of texts, in characters."""

    def function(arg: Any) -> int:
        rows = [str(row) for row in arg]
        if fault == "surrogates":
            return len("".join(rows).encode()) and 0
        if fault == "astral":
            return len("".join(rows).encode("utf-16", "surrogatepass")) and max(
                [0, *(ord(c) > 0xFFFF for row in rows for c in row)]
            )
        return 0

    return Transformation(
        input_domain,
        dp.atom_domain(bounds=(0, 0)),
        function,
        input_metric,
        dp.absolute_distance(T=int),
        lambda d_in: d_in,
    )


for _name in [each for each in REGISTRY if each.startswith(f"{__name__}:")]:
    del REGISTRY[_name]


def coins(fault: str | None = None, **terms: Any) -> Contract:
    arguments = {**LINE, "fault": fault}
    rows = {"certificates": [(arguments, 1, 2, 20)], "examples": 4, **terms}
    return Contract(make_coins, st.just(arguments), **rows)


def test_the_measurement_that_the_faults_come_from_passes() -> None:
    contract(coins())


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    with pytest.raises(ContractBroken, match=f"^make_coins: {FAULTS[fault][0]}"):
        contract(coins(fault))


@for_each("fault", UNSEEN)
def test_what_a_contract_cannot_see(fault: str) -> None:
    """The docstring of `contract` says so; a proof must show it."""
    contract(coins(fault))


def test_a_measurement_without_a_certificate_is_found() -> None:
    with pytest.raises(ContractBroken, match=r"^make_coins: privacy: .*no certificate"):
        contract(coins(certificates=()))


def test_certificates_that_claim_nothing_are_found() -> None:
    with pytest.raises(ContractBroken, match="privacy: no certificate claims anything"):
        contract(coins("claims nothing"))


def test_a_map_that_reads_the_clock_is_found() -> None:
    with pytest.raises(ContractBroken, match=r"sources: .*privacy_map called time"):
        contract(coins("map reads the clock"))


def test_a_constructor_that_asks_for_randomness_is_found() -> None:
    @constructor(proof="tests/make_seeded", status="vetted")
    def make_seeded(input_domain: Any, input_metric: Any) -> Measurement:
        os.urandom(4)
        return make_coins(input_domain, input_metric)

    del REGISTRY[f"{__name__}:{make_seeded.__qualname__}"]
    with pytest.raises(
        ContractBroken, match=r"sources: .*make_seeded called os.urandom"
    ):
        contract(make_seeded, arguments=st.just(LINE), certificates=[(LINE, 1, 2, 4)])


@pytest.mark.parametrize(
    ("fault", "rule"),
    [("surrogates", "members: .*UnicodeEncodeError"), ("astral", "stability: ")],
)
def test_text_outside_of_the_first_plane_is_tried(fault: str, rule: str) -> None:
    texts = dp.vector_domain(dp.atom_domain(T=str))
    space = {"input_domain": texts, "input_metric": dp.symmetric_distance()}
    # Data of the contract's own do not keep the extremes away.
    terms: dict[str, Any] = {"data": lambda made: st.just(["a"]), "examples": 2}
    contract(make_lengths, arguments=st.just({**space, "fault": ""}), **terms)
    with pytest.raises(ContractBroken, match=f"make_lengths: {rule}"):
        contract(make_lengths, arguments=st.just({**space, "fault": fault}), **terms)


def test_a_case_of_any_size_is_shown() -> None:
    """The message does not fail on an integer that Python does not print."""
    with pytest.raises(ContractBroken, match=r"10{100,} \.\.\. 0{100,}: Overflow"):
        contract(coins("fails above 10**60"))


@for_each(
    ("fault", "release"),
    [
        ("order of a dict", lambda x: dict.fromkeys((1, 2) if x else (2, 1))),
        (
            "payload of a NaN",
            lambda x: np.array([2**51 * 4095 + x]).view("f8").tolist(),
        ),
        ("exponent of a Decimal", lambda x: Decimal(1).scaleb(-x) * 10**x),
        ("base of an array", lambda x: np.array([0, x % 5])[:1]),
        ("strides of an array", lambda x: np.zeros(2)[:: 1 - 2 * (x % 2)]),
        ("types of Fractions", lambda x: [Fraction(1), 1][x % 2]),
    ],
)
def test_what_only_shows_is_found(fault: str, release: Callable[[int], Any]) -> None:
    """`==` and the key of rows merge these releases; an observer does not."""
    made = Measurement(
        *(INTEGERS[0], release, INTEGERS[1]), dp.max_divergence(), lambda d_in: 1
    )
    assert privacy(made, 0, 1, depth=0).refuted


# Random transformations

ROWS = {
    "input_domain": dp.vector_domain(dp.atom_domain(T=int)),
    "input_metric": dp.hamming_distance(),
}


def first_told(x: Any) -> Any:
    """With probability 1/4 the first row is told by all."""
    return [x[0]] * len(x) if len(x) and random_bits(2) == 0 else list(x)


def told_in_words(x: Any) -> Any:
    return [0] * len(x) if granularity() == 64 and random_bits(2) == 0 else list(x)


def rarely(x: Any, other: Any) -> Any:
    """With probability 1/256 something else: the examples do not happen upon it."""
    return other(x) if random_bits(8) == 0b10110111 else list(x)


def small_array(x: Any) -> Any:
    return np.array(x) if all(abs(row) < 9 for row in x) else list(x)


MOVES: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "told": ("stability: (?s:.*)REFUTED", first_told, {}),
    "not said": ("does not say that it is random", first_told, {"random": False}),
    "by rows": ("claims what only holds of functions", list, {"by_rows": True}),
    "merge": ("claims what only holds of functions", list, {"merge": sum}),
    "reads": ("claims what only holds of functions", list, {"reads_floats": True}),
    "in words": ("stability: in words of 64 bits", told_in_words, {}),
    "leaves": ("no member", lambda x: ["a" for _ in x], {}),
    "leaves on a rare path": (
        "stability: .*on some bit path, .*no member",
        lambda x: rarely(x, lambda _: ["a"]),
        {},
    ),
    "another type on a rare path": (
        "values: .*types .*int64.*list.*random bits",
        lambda x: rarely(x, small_array),
        {},
    ),
    "kept": ("", lambda x: list(x)[:: 1 - 2 * random_bits(1)], {}),
}


@constructor(proof="tests/make_moved", status="vetted")
def make_moved(input_domain: Any, input_metric: Any, fault: str) -> Transformation:
    _, function, claims = MOVES[fault]
    return Transformation(
        input_domain,
        input_domain,
        function,
        input_metric,
        input_metric,
        lambda d_in: d_in,
        **{"random": True, **claims},
    )


del REGISTRY[f"{__name__}:make_moved"]


def moved(fault: str, **terms: Any) -> Contract:
    arguments = {**ROWS, "fault": fault}
    pair = arguments, [1, 2, 3], [4, 2, 3], 8
    rest = {"couplings": [pair], "arrays": False, "examples": 8, **terms}
    return Contract(make_moved, st.just(arguments), **rest)


@for_each("fault", [each for each in MOVES if each != "kept"])
def test_a_fault_of_a_random_transformation_is_found(fault: str) -> None:
    with pytest.raises(ContractBroken, match=f"make_moved: .*{MOVES[fault][0]}"):
        contract(moved(fault))


def test_a_random_transformation_needs_a_coupling_that_excludes_something() -> None:
    contract(moved("kept"))
    with pytest.raises(ContractBroken, match="is random and has no coupling"):
        contract(moved("kept", couplings=[]))
    pair = {**ROWS, "fault": "kept"}, [1, 1], [1, 1], 2
    with pytest.raises(ContractBroken, match="no coupling was tried"):
        contract(moved("kept", couplings=[pair]))


def test_couplings_and_certificates_are_not_confused() -> None:
    pair = {**ROWS, "fault": "kept"}, [1, 2], [1, 2], 2
    with pytest.raises(TypeError, match="only measurements have certificates"):
        contract(moved("kept", certificates=[pair]))
    with pytest.raises(TypeError, match="only transformations have couplings"):
        contract(coins(None, couplings=[(LINE, 1, 2, 4)]))
