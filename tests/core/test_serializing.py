"""Objects as text: they come back equal, and a text calls nothing but constructors."""

from __future__ import annotations

import inspect
import json
import math
import os
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
import pytest
from gmpy2 import mpq, mpz

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.features import GLOBAL_FEATURES, enable_features
from opendp_lite.core import serializing
from opendp_lite.core.record import REGISTRY
from opendp_lite.core.registry import constructor
from opendp_lite.data.identity import key
from tests.core.test_secrets import CONTRACTS, valid_arguments
from tests.interpreter import printed_by
from tests.rows import for_each

ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
INTS = dp.atom_domain(T=int), dp.absolute_distance(T=int)

VALUES: list[Any] = [
    None,
    True,
    0,
    -(10**5000),
    0.1,
    -0.0,
    5e-324,
    1e22,
    math.inf,
    -math.inf,
    math.nan,
    Fraction(-1, 3),
    Fraction(10**5000, 7),
    Decimal("1.50"),
    mpz(7),
    mpq(-1, 3),
    np.float32(0.1),
    np.float16(0.1),
    "text \ud800 \u20ac",
    (),
    (1, (2.5, "a")),
    [1, [2]],
    {"a": 1, 2: (3,)},
    int,
    Fraction,
    dp.atom_domain(T="f32"),
    dp.atom_domain(bounds=(0.1, 7.5)),
    dp.atom_domain(T="u8"),
    dp.atom_domain(T=float, nan=False),
    dp.option_domain(dp.atom_domain(T=str)),
    dp.bitvector_domain(size=8, max_weight=3),
    dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int)),
    ROWS,
    dp.linf_distance(T=int, monotonic=True),
    dp.l02inf_distance(dp.absolute_distance(T=float)),
    dp.approximate(dp.zero_concentrated_divergence()),
    dp.t.then_clamp((0, 10)),
    dp.t.then_clamp((0, 10)) >> dp.t.then_sum() >> dp.m.then_laplace(scale="0.1"),
]


def same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and (a == b or key(a) == key(b))


@for_each("value", VALUES, ids=lambda value: str(type(value).__name__))
def test_values_come_back_as_they_were(value: Any) -> None:
    again = dp.deserialize(dp.serialize(value))
    assert same(again, value)
    if isinstance(value, float):
        assert math.copysign(1, again) == math.copysign(1, value)


def test_a_chain_comes_back_with_its_map_and_its_record() -> None:
    noisy = (
        ROWS
        >> dp.t.then_clamp((0, 10))
        >> dp.t.then_sum()
        >> dp.m.then_laplace(scale=Fraction(1, 3))
    )
    both = dp.c.make_composition([noisy, ROWS >> dp.t.then_count() >> laplace()])
    again = dp.deserialize(dp.serialize(both))
    assert again == both
    assert again.map(1) == both.map(1)
    assert again.explain() == both.explain()
    assert again.accuracy(0.05) == both.accuracy(0.05)


def laplace() -> Any:
    return dp.m.then_laplace(scale=1)


def test_the_text_is_plain_json_with_the_version() -> None:
    read = json.loads(dp.serialize(INTS >> laplace()))
    assert read["opendp_lite"] == dp_version()
    assert read["value"]["constructor"] == "make_laplace"
    assert read["value"]["arguments"]["scale"] == 1


def dp_version() -> str:
    import opendp_lite

    return opendp_lite.__version__


def text(value: Any, **more: Any) -> str:
    return json.dumps({"opendp_lite": dp_version(), "value": value, **more})


def test_another_version_is_said() -> None:
    old = dp.serialize(1).replace(dp_version(), "0.0.7")
    with pytest.warns(UserWarning, match="another version of opendp_lite"):
        assert dp.deserialize(old) == 1


HOSTILE: list[Any] = [
    {"constructor": "system", "arguments": {"command": "true"}},
    {"constructor": "os.system", "arguments": {"command": "true"}},
    {"constructor": "make_nothing", "arguments": {}},
    {"constructor": "enable_features", "arguments": {"features": "contrib"}},
    {"constructor": "__getattr__", "arguments": {"name": "os"}},
    {"constructor": "make_laplace.__globals__", "arguments": {}},
    {"constructor": ["make_laplace"], "arguments": {}},
    {"constructor": "make_laplace", "arguments": []},
    {"constructor": "make_laplace", "arguments": {}},
    {"constructor": "make_user_measurement", "arguments": {}},
    {"constructor": "make_chain_pm", "arguments": {}},
    {"then": "system", "args": ["true"], "kwargs": {}, "after": []},
    {"then": "make_laplace", "args": [1], "kwargs": {}, "after": [{"type": "int"}]},
    {"descriptor": "UserDomain", "of": ["a", {"type": "int"}, None]},
    {"descriptor": "Popen", "of": ["true"]},
    {"descriptor": "AtomDomain", "of": [1, 2, 3, 4, 5]},
    {"type": "Popen"},
    {"type": ["int"]},
    {"int": 7},
    {"int": "zz"},
    {"float": "1"},
    {"fraction": ["0x1", "0x0"]},
    {"fraction": ["0x1"]},
    {"decimal": "abc"},
    {"mpq": "1/3"},
    {"float32": 1},
    {"dict": [[[], 1]]},
    {"dict": [1]},
    {"tuple": 1},
    {"unknown": 1},
    {"__function__": "make_laplace", "__module__": "measurements"},
    {},
]


@pytest.mark.parametrize("value", HOSTILE, ids=str)
def test_a_text_calls_constructors_of_the_library_and_nothing_else(
    value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[Any] = []
    monkeypatch.setattr(os, "system", called.append)
    with pytest.raises(OpenDPException, match="TypeParse"):
        dp.deserialize(text(value))
    with pytest.raises(OpenDPException, match="TypeParse"):
        dp.deserialize(text({"tuple": [1, value]}))
    assert called == []


@for_each(
    "bad",
    [
        *("", "{", "1", "[]", "{}", text(1, more=2), '{"opendp_lite": "0.1.0"}'),
        '{"opendp_lite": "0.1.0", "value": NaN}',
        "[" * 100_000,
        '{"opendp_lite": "0.1.0", "value": ' + "9" * 10_000 + "}",
    ],
    ids=lambda bad: bad[:12],
)
def test_what_is_no_text_of_ours_is_refused(bad: str) -> None:
    with pytest.raises(OpenDPException, match="TypeParse"):
        dp.deserialize(bad)


def test_what_is_no_text_is_refused() -> None:
    no_text: Any
    for no_text in (None, b"{}", 1, ["{}"]):
        with pytest.raises(OpenDPException, match="a text is due"):
            dp.deserialize(no_text)


def test_a_text_of_opendp_is_refused() -> None:
    theirs = '{"__function__": "max_divergence", "__module__": "measures"}'
    with pytest.raises(OpenDPException, match="not one that serialize returned"):
        dp.deserialize(theirs)


def test_a_refused_argument_is_refused_again() -> None:
    noisy = dp.serialize(INTS >> laplace()).replace('"scale": 1', '"scale": -1')
    with pytest.raises(OpenDPException, match="scale=-1: must be at least 0"):
        dp.deserialize(noisy)


def test_functions_of_the_users_are_refused_by_a_sentence() -> None:
    dp.enable_features("honest-but-curious")
    try:
        own = dp.m.make_user_measurement(
            *INTS, dp.max_divergence(), lambda x: 0, lambda d: 0.0
        )
        after: Any = INTS >> laplace() >> float
        domain = dp.user_domain("all", lambda x: True)
    finally:
        dp.disable_features("honest-but-curious")
    for value, said in [
        (own, "a function of one's own cannot be written"),
        (after, "make_chain_pm rests on conditions that only a person"),
        (laplace() >> (lambda x: x), "a function of one's own cannot be written"),
        (domain, "a UserDomain is one's own"),
        (dp.t.make_cdf(), "Pass the measurement before it"),
        (abs, "a function of one's own cannot be written"),
        (object(), "a object cannot be written"),
        (1j, "a complex cannot be written"),
    ]:
        with pytest.raises(OpenDPException, match=said) as refused:
            dp.serialize(value)
        # That is for who reads.
        assert "Pass what serialize made" not in str(refused.value)


def test_objects_without_a_record_and_own_constructors_are_refused() -> None:
    noisy = INTS >> laplace()
    with pytest.raises(OpenDPException, match="was made by hand"):
        dp.serialize(attrs.evolve(noisy, function=lambda x: 1))

    @constructor()
    def make_laplace(scale: int) -> Any:
        return dp.m.make_geometric(*INTS, scale=1000)

    dp.enable_features("contrib")
    try:
        forged = make_laplace(1)
    finally:
        dp.disable_features("contrib")
    with pytest.raises(OpenDPException, match="constructor of one's own"):
        dp.serialize(forged)


def test_what_is_nested_too_deeply_is_refused() -> None:
    value: Any = ()
    for _ in range(100_000):
        value = (value,)
    with pytest.raises(OpenDPException, match="nested too deeply"):
        dp.serialize(value)


def read_or_refused(written: str) -> str:
    try:
        return type(dp.deserialize(written)).__name__
    except OpenDPException as error:
        return str(error).partition(":")[0]


@pytest.mark.parametrize(("begin", "end"), [("[", "]"), ('{"tuple": [', "]}")])
def test_a_text_is_read_or_refused_at_every_depth(begin: str, end: str) -> None:
    # JSON reads lists at depths at which to read what they mean is too deep.
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 300)
    try:
        for depth in range(1, 400):
            nested = text(1).replace("1}", begin * depth + end * depth + "}")
            assert read_or_refused(nested) in ("list", "tuple", "TypeParse")
        assert read_or_refused(nested) == "TypeParse"
    finally:
        sys.setrecursionlimit(before)


def test_a_process_that_has_loaded_nothing_else_reads_what_was_written() -> None:
    noisy = ROWS >> dp.t.then_count() >> laplace()
    both = dp.c.make_composition([noisy, noisy])
    written = dp.serialize(both)
    program = (
        f"from opendp_lite.mod import deserialize\nprint(deserialize({written!r}))"
    )
    assert printed_by(program).strip() == str(both)


def test_large_fractions_are_read_in_less_than_quadratic_time() -> None:
    # By the gcd of Python's integers this takes minutes.
    above, below = int(mpz(3) ** 1_500_000), int(mpz(5) ** 1_000_000)
    large = {"fraction": [hex(above), hex(below)]}
    read = dp.deserialize(text(large))
    assert type(read) is Fraction
    assert type(read.numerator) is type(read.denominator) is int
    assert (read.numerator, read.denominator) == (above, below)


# What takes functions, laws made of them, what only users make, or what rests on what a
# person must verify; nothing else is refused.
WITHOUT_TEXT = {
    "make_RDP_to_approxDP",
    "make_chain_pm",
    "make_chain_proved",
    "make_population_amplification",
    "make_row_by_row",
    "make_select_private_candidate",
    "make_tradeoff_noise",
    "make_user_measurement",
    "make_user_tradeoff_noise",
    "make_user_transformation",
}


@for_each("name", sorted(CONTRACTS))
def test_what_every_constructor_makes_comes_back(name: str) -> None:
    contract = CONTRACTS[name]
    enable_features(
        *(each for each in contract.features if each not in GLOBAL_FEATURES)
    )
    made = contract.constructor(**valid_arguments(contract))
    if contract.constructor.__name__ in WITHOUT_TEXT:
        with pytest.raises(OpenDPException, match="TypeParse"):
            dp.serialize(made)
    else:
        assert dp.deserialize(dp.serialize(made)) == made


def test_every_constructor_of_the_rooms_is_found() -> None:
    for entry in list(REGISTRY.values()):
        name = entry.make.__name__
        exported = any(name in dir(room) for room in (dp.m, dp.t, dp.c))
        if not exported or entry.human_verified:
            continue
        if entry.make.__module__.startswith("opendp_lite."):
            assert serializing._public(entry.make) == name


def test_what_a_person_must_verify_is_refused_whatever_is_enabled() -> None:
    asked = 0
    enable_features("contrib", "honest-but-curious")
    for room in (dp.m, dp.t, dp.c):
        for name in filter(lambda each: each.startswith("make_"), dir(room)):
            make = getattr(room, name)
            entry = REGISTRY.get(f"{make.__module__}:{name}")
            if entry is None or not entry.human_verified:
                continue
            asked += 1
            for value in (
                {"constructor": name, "arguments": {}},
                {"then": name, "args": [], "kwargs": {}, "after": []},
            ):
                with pytest.raises(OpenDPException, match="only a person can verify"):
                    dp.deserialize(text(value))
    assert asked >= 4
