"""The contract harness passes what is right and finds one planted fault per rule.

`make_shift` and `make_noisy` are small constructors, right when `fault` is None. Every
other value of `fault` breaks one rule, and the contract must name that rule.
"""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import OpenDPException, refusal
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.metrics import AbsoluteDistance, SymmetricDistance
from opendp_lite.core.registry import REGISTRY, constructor
from opendp_lite.core.transformation import Transformation
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.verify import Contract, ContractBroken, contract
from tests.randomness.integer_noise import sample_discrete_laplace
from tests.rows import for_each

ROWS = dp.vector_domain(dp.atom_domain(bounds=(0, 200)))
SYMMETRIC = dp.symmetric_distance()
NUMBERS = dp.atom_domain(T=int)
ABSOLUTE = dp.absolute_distance(T=int)
CALLS = itertools.count()


pytestmark = pytest.mark.usefixtures("honest")


class LaxDistance(SymmetricDistance):
    """Takes everything as a distance."""

    def parse(self, d: Any, name: str = "d_in") -> Any:
        return 0 if d is None or d != d or d == "far" or d < 0 else d


class LoweringDistance(AbsoluteDistance):
    """Shows distances rounded down."""

    def present(self, d: Any, exact: bool = False) -> Any:
        return d if d in (0, math.inf) else d - 1


class Nameless(Transformation):
    """Does not say how it was made."""

    def __repr__(self) -> str:
        return "a transformation"


# --- a transformation: the total of the rows, each after adding `amount` --------------


@constructor(proof="tests/make_shift", status="vetted")
def make_shift(
    input_domain: Any, input_metric: Any, amount: int = 1, fault: str | None = None
) -> Transformation:
    """Return the sum of the rows plus `amount` each."""
    if fault == "refuses what is valid" and amount > 3:
        raise refusal("MakeTransformation", "amount", amount, "too large", "Less")
    if amount < 0 and fault != "accepts what is not":
        if fault == "raises another error":
            raise ValueError("amount")
        variant = "FailedMap" if fault == "wrong variant" else "MakeTransformation"
        name = "a" if fault == "does not name the argument" else "amount"
        raise refusal(variant, name, amount, "must not be negative", "Pass 1")

    def function(arg: Any) -> Any:
        return _shift(arg, amount, fault)

    def stability_map(d_in: Any) -> Any:
        return _shift_map(d_in, 200 + amount, fault)

    output_metric = (LoweringDistance if fault == "rounds down" else AbsoluteDistance)(
        int
    )
    if fault == "accepts NaN":
        input_metric = LaxDistance()
    bounds = (0, 500) if fault == "leaves the domain" else None
    kind = Nameless if fault == "no name" else Transformation
    return kind(
        input_domain,
        dp.atom_domain(T=int, bounds=bounds),
        function,
        input_metric,
        output_metric,
        stability_map,
    )


def _shift(arg: Any, amount: int, fault: str | None) -> Any:
    rows = arg.tolist() if is_array(arg) else arg
    if fault == "fails on empty data" and not rows:
        raise ValueError("nothing to sum")
    if fault == "fails on a value" and 200 in rows:
        raise OpenDPException("FailedFunction", "200")
    if fault == "changes the input" and rows and not is_array(arg):
        arg[0] = 0
    if fault == "changes arrays" and is_array(arg) and rows and arg.flags.writeable:
        arg[0] = 0
    if fault == "narrow arrays" and is_array(arg):
        return int(arg.sum(dtype=arg.dtype.newbyteorder("="))) + amount * len(rows)
    if fault == "refuses arrays by rows" and is_array(arg) and 200 in rows:
        raise OpenDPException("FailedFunction", "200")
    if fault == "depends on a counter":
        return next(CALLS)
    if fault == "order counts":
        return sum(rows) + 1000 * (rows != sorted(rows))
    if fault == "float for large data" and is_array(arg) and len(rows) > 3:
        return float(sum(rows))
    return sum(rows) + amount * len(rows)


def _shift_map(d_in: Any, largest: int, fault: str | None) -> Any:
    if fault == "map fails at infinity" and d_in == math.inf:
        raise ZeroDivisionError
    if d_in == math.inf:
        return math.inf
    return {
        "map too small": d_in * largest * mpq(99, 100),
        "map not monotone": d_in * largest if d_in < 10 else largest,
        "map not zero at zero": d_in * largest + 1,
        "map negative": d_in * largest - 1,
        "map is a float": float(min(d_in, 10**9) * largest),
    }.get(fault or "", d_in * largest)


# --- a measurement: discrete Laplace noise -------------------------------------------


@constructor(proof="tests/make_noisy", status="vetted")
def make_noisy(
    input_domain: Any, input_metric: Any, scale: Any, fault: str | None = None
) -> Measurement:
    """Return the number plus discrete Laplace noise."""
    if scale < 0:
        raise refusal("MakeMeasurement", "scale", scale, "must not be negative", "1")
    b = mpq(scale)

    def function(arg: Any) -> Any:
        x = int(arg)
        if fault == "too little noise":
            return x + sample_discrete_laplace(b * mpq(9, 10))
        if fault == "noise without scale":
            return x + sample_discrete_laplace(max(b, mpq(1)))
        if fault == "fails on a bit path" and not any(random_bits(1) for _ in range(9)):
            raise ValueError("nine zeros")
        if fault == "other randomness":
            return x + next(CALLS)
        return x + sample_discrete_laplace(b)

    def privacy_map(d_in: Any) -> Any:
        if d_in == 0:
            return 0
        return math.inf if b == 0 or d_in == math.inf else mpq(d_in) / b

    return Measurement(
        input_domain, function, input_metric, dp.max_divergence(), privacy_map
    )


def make_unrecorded(input_domain: Any, input_metric: Any) -> Transformation:
    """Return the sum, without a record."""
    return attrs.evolve(make_shift(input_domain, input_metric))


# They are for these tests only, so they leave the registry again.
for _name in [each for each in REGISTRY if each.startswith(f"{__name__}:")]:
    del REGISTRY[_name]

SPACE = {"input_domain": ROWS, "input_metric": SYMMETRIC}
LINE = {"input_domain": NUMBERS, "input_metric": ABSOLUTE}


def shift_contract(fault: str | None = None, **terms: Any) -> Contract:
    wrong = {**SPACE, "amount": -1, "fault": fault}
    return Contract(
        make_shift,
        arguments=st.integers(0, 9).map(
            lambda amount: {**SPACE, "amount": amount, "fault": fault}
        ),
        refusals=[(wrong, "MakeTransformation", ("amount", "negative"))],
        **terms,
    )


def noisy_contract(fault: str | None = None, **terms: Any) -> Contract:
    def arguments(scale: Any) -> dict[str, Any]:
        return {**LINE, "scale": scale, "fault": fault}

    return Contract(
        make_noisy,
        arguments=st.sampled_from([0, 1, 7]).map(arguments),
        refusals=[(arguments(-1), "MakeMeasurement", "scale")],
        certificates=[(arguments(1), 0, 1, 30)],
        limits=[(arguments(0), 5, 5)],
        map_values=[
            (arguments(2), 3, "3/2"),
            (arguments(10**30), 1, lambda precision: Enclosure(0, mpq(1, 10**30))),
            (arguments(0), 1, math.inf),
        ],
        **terms,
    )


@pytest.mark.parametrize("build", [shift_contract, noisy_contract])
def test_a_right_constructor_passes(build: Callable[..., Contract]) -> None:
    contract(build(examples=15))


RULES = {
    "refusals": [
        "refuses what is valid",
        "accepts what is not",
        "raises another error",
        "wrong variant",
        "does not name the argument",
    ],
    "members": [
        "fails on empty data",
        "fails on a value",
        "refuses arrays by rows",
        "depends on a counter",
    ],
    "stability": ["leaves the domain", "map too small", "order counts"],
    "maps": [
        "map not monotone",
        "map not zero at zero",
        "map negative",
        "map is a float",
        "map fails at infinity",
        "accepts NaN",
        "rounds down",
    ],
    "values": [
        "changes the input",
        "changes arrays",
        "narrow arrays",
        "float for large data",
        "no name",
    ],
}


@pytest.mark.parametrize(
    ("rule", "fault"), [(rule, fault) for rule in RULES for fault in RULES[rule]]
)
def test_a_fault_of_a_transformation_is_found(rule: str, fault: str) -> None:
    with pytest.raises(ContractBroken, match=f"^make_shift: {rule}: "):
        contract(shift_contract(fault, examples=100))


@for_each(
    ("rule", "fault"),
    [
        ("privacy", "too little noise"),
        ("privacy", "noise without scale"),
        ("members", "fails on a bit path"),
        ("members", "other randomness"),
    ],
)
def test_a_fault_of_a_measurement_is_found(rule: str, fault: str) -> None:
    with pytest.raises(ContractBroken, match=f"^make_noisy: {rule}: "):
        contract(noisy_contract(fault, examples=10))


def test_a_certificate_that_resolves_too_little_is_found() -> None:
    with pytest.raises(ContractBroken, match=r"privacy: (.|\n)*UNDECIDED(.|\n)*raise"):
        contract(noisy_contract(runs=5, examples=2))
    contract(noisy_contract(runs=5, examples=2, cap="9/10"))


@for_each("value", ["151/100", "149/100", math.inf, lambda precision: Enclosure(2, 3)])
def test_a_map_with_another_value_is_found(value: Any) -> None:
    values = [({**LINE, "scale": 2}, 3, value)]
    checked = attrs.evolve(noisy_contract(examples=2), map_values=values)
    with pytest.raises(ContractBroken, match=r"make_noisy: maps: .* exact value"):
        contract(checked)


def test_an_object_without_record_is_found() -> None:
    with pytest.raises(ContractBroken, match=r"values: .*no record"):
        contract(make_unrecorded, arguments=st.just(SPACE))


def test_a_constructor_that_returns_something_else_is_found() -> None:
    with pytest.raises(ContractBroken, match=r"values: .*not a list"):
        contract(list, arguments=st.just({}))


def test_an_object_that_does_not_pickle_is_found() -> None:
    terms = {
        **LINE,
        "output_measure": dp.max_divergence(),
        "function": lambda x: 1,
        "privacy_map": lambda d_in: 0,
    }

    def arguments(pickles: bool) -> dict[str, Any]:
        return {
            "constructor": dp.m.make_user_measurement,
            "arguments": st.just(terms),
            "certificates": [(terms, 0, 1, 0)],
            "features": ("honest-but-curious",),
            "pickles": pickles,
        }

    contract(**arguments(pickles=False))
    with pytest.raises(ContractBroken, match=r"values: .*cannot be pickled"):
        contract(**arguments(pickles=True))


def test_features_are_needed_and_taken_back() -> None:
    dp.enable_features("honest-but-curious")
    try:
        with pytest.raises(ContractBroken, match="made without the features"):
            contract(shift_contract(features=("honest-but-curious",)))
        dp.assert_features("honest-but-curious")
    finally:
        dp.disable_features("honest-but-curious")
    with pytest.raises(OpenDPException, match="FeatureRequired"):
        dp.assert_features("honest-but-curious")


def test_a_refusal_of_data_that_shows_the_data_is_found() -> None:
    class Telling(type(ROWS)):
        def admitted(self, value: Any) -> Any:
            raise OpenDPException("FailedFunction", f"no member: {value!r}")

    class Deaf(type(ROWS)):
        def admitted(self, value: Any) -> Any:
            return value

    class Rude(type(ROWS)):
        def admitted(self, value: Any) -> Any:
            raise KeyError(value)

    for kind, words in ((Telling, "constant"), (Deaf, "refuse"), (Rude, "KeyError")):
        domain = kind(ROWS.element_domain)
        space = st.just({"input_domain": domain, "input_metric": SYMMETRIC})
        with pytest.raises(ContractBroken, match=f"members: .*{words}"):
            contract(make_shift, arguments=space, pickles=False)


@for_each("told", [str, bytes, bool, int, float, complex, tuple, dict])
def test_a_refusal_that_shows_data_of_one_type_only_is_found(told: type) -> None:
    class Telling(type(ROWS)):
        def admitted(self, value: Any) -> Any:
            shown = repr(value) if type(value) is told else ""
            raise OpenDPException("FailedFunction", f"no member: {shown}")

    space = {"input_domain": Telling(ROWS.element_domain), "input_metric": SYMMETRIC}
    with pytest.raises(ContractBroken, match=r"members: .*constant"):
        contract(make_shift, arguments=st.just(space), pickles=False)


def test_own_outsiders_are_tried_and_must_be_outside() -> None:
    contract(shift_contract(outsiders=lambda made: [[201], [-1]], examples=5))
    with pytest.raises(ValueError, match="is a member"):
        contract(shift_contract(outsiders=lambda made: [[200]], examples=5))


def test_the_type_of_a_column_may_decide_the_text_of_a_refusal() -> None:
    import pandas

    periods = pandas.Series(pandas.period_range("2026", periods=2, freq="M"))
    floats = pandas.Series([0.5, 1.5])
    contract(shift_contract(outsiders=lambda made: [periods, floats], examples=5))


def test_own_data_and_neighbours_are_used() -> None:
    seen: list[Any] = []

    def data(made: Any) -> Any:
        return st.just([1, 2])

    def near(made: Any, x: Any) -> Any:
        seen.append(x)
        return st.just([*x, 3])

    contract(shift_contract(data=data, neighbours=near, examples=3))
    assert seen
    assert all(x == [1, 2] for x in seen)
    with pytest.raises(ValueError, match="no member"):
        contract(shift_contract(data=lambda made: st.just([999]), examples=3))


def test_own_distances_are_used() -> None:
    contract(shift_contract("map not zero at zero", distances=[1, 2], examples=3))
    contract(shift_contract("map not zero at zero", zero_at_zero=False, examples=3))


def test_a_contract_is_checked_itself() -> None:
    with pytest.raises(TypeError, match="pass a Contract"):
        contract(shift_contract(), examples=3)
    refusals = [({**SPACE, "amount": -1}, "MakeTransformation", "")]
    with pytest.raises(ValueError, match="words"):
        contract(attrs.evolve(shift_contract(), refusals=refusals))
    certificates = [({**SPACE}, [1], [2], 3)]
    with pytest.raises(TypeError, match="only measurements"):
        contract(attrs.evolve(shift_contract(examples=2), certificates=certificates))


def test_importing_verify_loads_no_heavy_library() -> None:
    program = "import sys, opendp_lite.verify; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).resolve().parents[3],
        capture_output=True,
        text=True,
        check=True,
    )
    heavy = {"hypothesis", "numpy", "rich", "cryptography", "multiprocessing"}
    assert heavy & set(run.stdout.split()) == set()


def test_without_hypothesis_the_error_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built = shift_contract()
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(ImportError, match="pip install hypothesis"):
        contract(built)


@pytest.mark.usefixtures("shrunk")
def test_a_small_case_of_a_fault_is_shown() -> None:
    with pytest.raises(ContractBroken, match=r"failed on the member \[200\]"):
        contract(shift_contract(fault="fails on a value"))


def test_the_same_cases_are_drawn_in_every_run() -> None:
    def drawn() -> list[Any]:
        seen: list[Any] = []

        def near(made: Any, x: Any) -> Any:
            seen.append((made, x))
            return st.just(x)

        contract(shift_contract(neighbours=near, examples=10))
        return seen

    assert drawn() == drawn()
