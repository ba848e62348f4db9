"""Lists of floats are told from all others and read, bit for bit."""

from __future__ import annotations

import math
import pickle
import struct
import subprocess
import sys
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

import attrs
import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite.core.chaining import make_chain_tt
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.transformation import Transformation
from opendp_lite.data import doubles
from opendp_lite.data.doubles import read_doubles
from opendp_lite.randomness.entropy import use_source
from opendp_lite.verify.contracts.checks import HashedBits
from tests.rows import for_each

INF, NAN = math.inf, math.nan
SYMMETRIC = dp.symmetric_distance()


def of_bits(bits: int) -> float:
    value: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
    return value


# NaNs of both signs and several payloads, both zeros, subnormal and extreme numbers,
# and numbers whose bytes are those of letters and heads.
NANS = [NAN, -NAN, *map(of_bits, (0x7FF8000000000001, 0xFFF8DEADBEEF4747))]
FLOATS = [*NANS, 0.0, -0.0, 5e-324, -5e-324, 2.2250738585072009e-308, 1.7e308, -1.7e308]
FLOATS += [
    INF,
    -INF,
    0.1,
    1.0,
    of_bits(0x4747474747474747),
    of_bits(0x80025D7100284765),
]
LENGTHS = [256, 257, 500, 999, 1000, 1001, 1999, 2000, 2001, 2999, 4097]


@for_each("length", LENGTHS)
def test_the_floats_are_the_same_bit_for_bit(length: int) -> None:
    values = [FLOATS[i * i % len(FLOATS)] for i in range(length)]
    values[-1] = length + 0.5
    before = list(values)
    array = read_doubles(values)
    assert (type(array), array.shape) == (np.ndarray, (length,))
    assert array.dtype == np.dtype("=f8")
    assert array.tobytes() == struct.pack(f"={length}d", *values)
    assert len(values) == length
    assert all(x is y for x, y in zip(values, before, strict=True))
    assert array.flags.writeable
    assert array.flags.owndata
    array[:] = 7.0
    assert read_doubles(values).tobytes() == struct.pack(f"={length}d", *before)


def test_every_place_has_its_number() -> None:
    for length in (*range(256, 270), *range(995, 1010), *range(1995, 2006)):
        assert read_doubles([i + 0.5 for i in range(length)]).tolist() == [
            i + 0.5 for i in range(length)
        ]


def test_short_lists_are_read_too() -> None:
    edges = [0.5, -0.0, 5e-324, -math.inf, NAN, 1.7976931348623157e308]
    for length in (1, 2, 47, 255, 256):
        values: list[Any] = (edges * length)[:length]
        array = read_doubles(values)
        assert array.dtype == np.float64
        assert array.tobytes() == np.array(values).tobytes()
        for other in (1, Own(0.5), np.float64(0.5), "a", None, True):
            for place in (0, length - 1):
                mixed = list(values)
                mixed[place] = other
                assert read_doubles(mixed) is None
    assert read_doubles([]) is None


class Own(float):
    """A float that is none."""


class Slim(float):
    """One that takes no more room than a float."""

    __slots__ = ()


class Lying(type):
    """Classes that say that they are `float`."""

    def __eq__(cls, other: object) -> bool:
        return True

    def __hash__(cls) -> int:
        return hash(float)


class Liar(metaclass=Lying):
    """A value of such a class."""


CALLS: list[str] = []


def told(name: str) -> Any:
    def method(*args: Any, **kwargs: Any) -> NoReturn:
        CALLS.append(name)
        raise AssertionError(name)

    return method


# All that a writer or a converter might ask for.
ASKED = "float index int len iter getitem eq hash buffer array reduce reduce_ex"
ASKED += " getstate getnewargs getnewargs_ex copy deepcopy repr str bytes call"
HOSTILE = {f"__{name}__": told(name) for name in ASKED.split()}
Hostile: Any = type("Hostile", (), HOSTILE)
HostileFloat: Any = type("HostileFloat", (float,), HOSTILE)
SlimHostile: Any = type("SlimHostile", (), {**HOSTILE, "__slots__": ()})


def shared() -> Any:
    """A list whose parts, written each time that they occur, would fill all memory."""
    nested: Any = [0.5]
    for _ in range(200):
        nested = [nested, nested]
    return nested


def deep() -> Any:
    nested: Any = [0.5]
    for _ in range(100_000):
        nested = [nested]
    return nested


def within_itself() -> Any:
    nested: list[Any] = [0.5]
    nested.append(nested)
    return nested


# The head, and letters in the right places, as text.
FORGED = "\x80\x02]q\x00(" + "G00000000" * 10_000

ODD: dict[str, Any] = {
    "int": 1,
    "long": 10**30,
    "bool": True,
    "none": None,
    "numpy": np.float64(0.5),
    "narrow": np.float32(0.5),
    "own": Own(0.5),
    "slim": Slim(0.5),
    "liar": Liar(),
    "hostile": Hostile(),
    "hostile float": HostileFloat(0.5),
    "slim hostile": SlimHostile(),
    "text": "G0000000",
    "nine bytes": "ab",  # as many as a float takes
    "forged": FORGED,
    "bytes": b"G0000000",
    "array": bytearray(8),
    "floats": [0.5] * 3,
    "tuple": (0.5,),
    "pair": (0.5, 0.5),
    "nested": ((0.5, 0.5), 0.5),
    "empty": (),
    "dict": {0.5: 0.5},
    "set": {0.5},
    "complex": 0.5j,
    "fraction": Fraction(1, 2),
    "decimal": Decimal("0.5"),
    "class": float,
    "function": len,
    "shared": shared(),
    "deep": deep(),
    "within itself": within_itself(),
}


@for_each("name", ODD)
def test_a_list_with_anything_else_is_left_and_nothing_is_asked(name: str) -> None:
    for length in (256, 1001):
        # The ends of the list, and those of the two parts of the longer one.
        for place in sorted({0, 1, 255, 500, 501, length - 2, length - 1}):
            if place < length:
                values: list[Any] = [0.5] * length
                values[place] = ODD[name]
                assert read_doubles(values) is None, place
                assert values[place] is ODD[name]
    assert read_doubles([ODD[name]] * 300) is None
    assert CALLS == []


def test_a_hostile_class_would_be_noticed() -> None:
    for kind in (Hostile, HostileFloat, SlimHostile):
        with pytest.raises(AssertionError):
            pickle.dumps(kind.__new__(kind), 2)
    assert CALLS
    CALLS.clear()


class Shrinking(list[Any]):
    """A list that loses its last element whenever a part of it is asked for."""

    def __getitem__(self, place: Any) -> Any:
        part = super().__getitem__(place)
        if type(place) is slice:
            del self[len(self) - 1]
        return part


def test_no_entry_is_left_as_the_memory_was() -> None:
    """A list that another thread makes shorter is left as it is."""
    assert read_doubles(Shrinking([7.0] * 1500)) is None
    assert read_doubles(Shrinking([7.0] * 1000)).tolist() == [7.0] * 1000


def test_another_writer_leaves_lists_as_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such as the one in Python, which asks of floats how they are to be written."""
    monkeypatch.setattr(
        doubles,
        "_Writer",
        type("Slow", (pickle._Pickler,), dict(vars(doubles._Writer))),
    )
    values = [0.5, -0.0] * 200
    assert read_doubles(values) is None
    made = dp.t.make_histogram(*space(), [0.0, 1.0])
    assert made(values) == [0, 400, 0]


def test_another_protocol_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    class Newer(doubles._Writer):
        def __init__(self, file: Any, protocol: int) -> None:
            super().__init__(file, protocol + 1)

    assert read_doubles([0.5] * 300) is not None
    monkeypatch.setattr(doubles, "_Writer", Newer)
    assert read_doubles([0.5] * 300) is None


def space(nan: bool = False, size: int | None = None, bounds: Any = None) -> Any:
    atom = dp.atom_domain(T=float, nan=nan, bounds=bounds)
    return dp.vector_domain(atom, size=size), SYMMETRIC


pytestmark = pytest.mark.usefixtures("contrib")


def test_short_lists_load_nothing() -> None:
    program = (
        "import sys, opendp_lite.prelude as dp\n"
        "rows = dp.vector_domain(dp.atom_domain(bounds=(0.0, 1.0)))\n"
        "total = dp.t.make_sum(rows, dp.symmetric_distance())\n"
        "for length in (255, 256):\n"
        "    total([0.5] * length)\n"
        "    print('pickle' in sys.modules, 'numpy' in sys.modules)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["False", "False", "True", "True"]


def test_a_domain_reads_what_it_takes() -> None:
    values = [0.5, -0.0, INF] * 100
    for domain in (space()[0], space(True, 300)[0], space(bounds=(-1.0, INF))[0]):
        member, array = domain.read(values)
        assert member
        assert array.tobytes() == np.array(values).tobytes()
    left: list[tuple[Any, Any]] = [
        (space()[0], values[:255]),
        (space()[0], [*values, 1]),
        (space()[0], [*values, np.float64(1)]),
        (space()[0], np.array(values)),
        (dp.vector_domain(dp.option_domain(dp.atom_domain(T=float))), values),
        (dp.vector_domain(dp.atom_domain(T=int)), [1] * 300),
        (dp.atom_domain(T=float), 0.5),
    ]
    for domain, value in left:
        member, same = domain.read(value)
        assert member, value
        assert same is value
    refused: list[tuple[Any, Any]] = [
        (space()[0], [*values, NAN]),
        (space(size=299)[0], values),
        (space(bounds=(0.0, 1.0))[0], values),
        (space()[0], tuple(values)),
        (space()[0], [*values, "1"]),
        (dp.vector_domain(dp.atom_domain(T=int)), values),
        (dp.vector_domain(space(size=300)[0]), values),
        (dp.atom_domain(T=float), values),
    ]
    for domain, value in refused:
        member, same = domain.read(value)
        assert not member
        assert same is value
    single = dp.vector_domain(dp.atom_domain(T="f32"))
    assert single.read(values)[0]
    assert not single.read([*values, 0.1])[0]


def seen(reads: bool, **claims: Any) -> tuple[Any, list[Any]]:
    """A transformation that remembers what its function was called with."""
    calls: list[Any] = []

    def function(arg: Any) -> int:
        calls.append(arg)
        return len(arg)

    made = Transformation(
        space()[0],
        dp.atom_domain(T=int),
        function,
        SYMMETRIC,
        dp.absolute_distance(T=int),
        lambda d_in: d_in,
        reads_floats=reads,
        **claims,
    )
    return made, calls


def assert_alike_refused(doors: Iterable[Any], values: list[float]) -> None:
    """All doors refuse what is no list of numbers, in the same words."""
    texts = set()
    for call in doors:
        for refused in ([NAN, *values], [NAN], ["a", *values]):
            with pytest.raises(TypeError) as error:
                call(refused)
            texts.add(str(error.value))
    assert len(texts) == 1


def test_the_doors_read_for_those_who_claim_it() -> None:
    values = [0.5, -0.0] * 150
    for reads in (True, False):
        made, calls = seen(reads)
        noisy = made >> dp.m.then_laplace(scale=0)
        assert noisy.reads_floats is made.reads_floats is reads
        doors = (made, made.invoke, noisy, noisy.invoke)
        for call in doors:
            assert call(values) == 300
        assert [type(each) is list for each in calls] == [not reads] * len(doors)
        assert all(
            np.array(each).tobytes() == np.array(values).tobytes() for each in calls
        )
        calls.clear()
        for call in doors:
            assert call([*values, 1]) == 301  # a list that is not read
            assert call(tuple(values)) == 300  # what stands for a list
            assert call(np.array(values)) == 300
        kinds = [list, list, np.ndarray] * len(doors)
        assert list(map(type, calls)) == kinds
        calls.clear()
        assert_alike_refused(doors, values)
        assert calls == []


def listing(least: int | None) -> tuple[Measurement, list[Any]]:
    """A measurement that remembers what its function was called with."""
    calls: list[Any] = []

    def function(arg: Any) -> Any:
        calls.append(arg)
        return list(arg) if type(arg) is list else arg + 0.0

    made = Measurement(
        space()[0],
        function,
        SYMMETRIC,
        dp.max_divergence(),
        lambda d_in: d_in,
        lists_floats=least,
    )
    return made, calls


def test_the_doors_read_for_those_who_list() -> None:
    values = [0.5, INF] * 150
    for least in (None, 1, 2, 300, 301):
        made, calls = listing(least)
        for call in (made, made.invoke):
            for form in (values, values[:1], [*values, 1], [], tuple(values)):
                released = call(form)
                assert type(released) is list
                assert released == list(form)
                assert all(type(x) is float for x in released if x != 1)
            array = call(np.array(values))
            assert type(array) is np.ndarray
            assert array.tolist() == values
        read = [least in (1, 2, 300), least == 1, False, False, False, True]
        kinds = [np.ndarray if each else list for each in read]
        assert list(map(type, calls)) == 2 * kinds
        calls.clear()
        assert_alike_refused((made, made.invoke), values)
        assert calls == []


def test_noise_lists_floats() -> None:
    """With the same bits a list gives the entries that its array gives."""
    atoms = dp.atom_domain(T=float, nan=False)
    integers = dp.vector_domain(dp.atom_domain(T=int))
    for make, metric in (
        (dp.m.make_laplace, dp.l1_distance),
        (dp.m.make_gaussian, dp.l2_distance),
    ):
        assert make(integers, metric(T=int), 1.0).lists_floats is None
        number = make(atoms, dp.absolute_distance(T=float), 1.0)
        assert number.lists_floats is None
        sized = dp.vector_domain(atoms, size=300)
        for k in (None, -3):
            noisy = make(sized, metric(T=float), 1.0, k=k)
            assert noisy.lists_floats == 48
            values = [0.3, -INF, 1e300] * 100
            with use_source(HashedBits(7)):
                listed = noisy(values)
            with use_source(HashedBits(7)):
                array = noisy(np.array(values))
            with use_source(HashedBits(7)):
                directly = noisy.function(values)
            assert type(listed) is list
            assert type(directly) is list
            assert listed == array.tolist() == directly
            assert {type(x) for x in listed} == {float}


def test_which_chains_claim_to_read() -> None:
    reading, plain = seen(True)[0], seen(False)[0]
    identity = dp.t.make_identity(dp.atom_domain(T=int), dp.absolute_distance(T=int))
    assert make_chain_tt(identity, reading).reads_floats
    assert not make_chain_tt(identity, plain).reads_floats
    assert not (
        space() >> dp.t.then_clamp((0.0, 1.0)) >> dp.t.then_histogram([0.5])
    ).reads_floats
    total = space() >> dp.t.then_clamp((0.0, 1.0)) >> dp.t.then_sum()
    assert total.reads_floats  # the clamp is left to the sum
    assert (total >> dp.m.then_laplace(scale=1.0)).reads_floats
    integers = dp.vector_domain(dp.atom_domain(T=int)), SYMMETRIC
    assert not (integers >> dp.t.then_clamp((0, 1)) >> dp.t.then_sum()).reads_floats
    scores = integers >> dp.t.then_quantile_score_candidates([0, 1], 0.5)
    assert not scores.reads_floats
    shuffled = dp.t.make_ordered_random(*space())
    assert shuffled.random
    after = dp.t.make_quantile_score_candidates(*shuffled.output_space, [0.5], 0.5)
    assert after.reads_floats
    assert not make_chain_tt(after, shuffled).reads_floats
    drawn = attrs.evolve(identity, random=True)
    assert not make_chain_tt(drawn, reading).reads_floats


def released(chain: Any) -> Any:
    return chain >> dp.m.then_laplace(scale=0)


def constructors() -> dict[str, Any]:
    bounded, any_floats = space(size=1200, bounds=(-2.0, 3.0)), space(size=1200)
    clamped = any_floats >> dp.t.then_clamp((-2.0, 3.0))
    cuts = [i / 8 for i in range(-16, 24)]
    made = {
        "histogram": any_floats >> dp.t.then_histogram(cuts),
        "scores": any_floats >> dp.t.then_quantile_score_candidates(cuts, 0.3),
        "sum": bounded >> dp.t.then_sum(),
        "mean": bounded >> dp.t.then_mean(),
        "deviations": bounded >> dp.t.then_sum_of_squared_deviations(),
        "variance": bounded >> dp.t.then_variance(),
        "clamped mean": clamped >> dp.t.then_mean(),
        "quantile": any_floats
        >> dp.m.then_private_quantile(
            dp.max_divergence(), candidates=cuts, alpha=0.3, scale=0
        ),
    }
    return made | {f"noisy {name}": released(made[name]) for name in ("sum", "mean")}


@for_each("name", constructors())
def test_those_who_claim_it_make_the_same_of_lists_and_arrays(name: str) -> None:
    made = constructors()[name]
    assert made.reads_floats
    generator = np.random.default_rng(5)
    values = generator.uniform(-2, 3, 1200).tolist()
    values[::7] = [-0.0] * len(values[::7])
    values[3::11] = [0.125] * len(values[3::11])
    array, mixed = np.array(values), [*values[:-1], np.float64(values[-1])]
    forms = [made.function(values), made.function(array), made(values), made(mixed)]
    assert all(type(each) is type(forms[0]) for each in forms)
    assert all(each == forms[0] for each in forms)
