"""The gates: nothing passes for proved that is not, and nothing shows data.

Each test plants what once passed: a record carried over to another function, a citation
of somebody else's proof, a class derived from the library's, a parameter that changes
while it is read, data where a parameter is due.
"""

from __future__ import annotations

import copy
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.features import disable_features
from opendp_lite.core.domains import AtomDomain, Domain, VectorDomain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric, SymmetricDistance
from opendp_lite.core.record import Record
from opendp_lite.core.registry import REGISTRY, constructor
from opendp_lite.data.freezing import freeze
from opendp_lite.sessions.user import UserDistance, UserDivergence, UserDomain
from tests.rows import for_each

INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()


def leak(x: Any) -> Any:
    return x


# Records.


def test_an_object_with_a_field_changed_is_unproved() -> None:
    noisy = dp.m.make_laplace(*INT, scale=1)
    forged = attrs.evolve(noisy, function=leak)
    assert forged(5) == 5
    assert forged != noisy
    assert forged.record is None
    assert "unproved" in repr(forged)
    assert str(forged.explain()).endswith("unproved")
    total = dp.t.make_count(*ROWS)
    assert "unproved" in repr(attrs.evolve(total, stability_map=lambda d: 0))
    if sys.version_info >= (3, 13):
        assert "unproved" in repr(copy.replace(noisy, function=leak))


def test_a_record_is_no_argument() -> None:
    noisy = dp.m.make_laplace(*INT, scale=1)
    fields = [INT[0], leak, INT[1], dp.max_divergence(), lambda d: 0]
    with pytest.raises(TypeError, match="record"):
        Measurement(*fields, record=noisy.record)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="record"):
        attrs.evolve(noisy, record=noisy.record)


# Citations.


@pytest.fixture
def registry() -> Any:
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def make_leak(input_domain: Domain, input_metric: Metric) -> Measurement:
    """Release the data."""
    measure = dp.max_divergence()
    return Measurement(input_domain, leak, input_metric, measure, lambda d: 0)


@pytest.mark.usefixtures("registry")
def test_a_proof_is_cited_only_for_its_function() -> None:
    with pytest.raises(ValueError, match="about another function"):
        constructor(proof="measurements/make_laplace", status="vetted")(make_leak)
    with pytest.raises(ValueError, match="vetted is said of a proof"):
        constructor(status="vetted")(make_leak)


@pytest.mark.usefixtures("registry")
def test_a_function_of_the_same_name_cites_a_proof_of_its_own_package() -> None:
    def make_laplace(input_domain: Domain, input_metric: Metric) -> Measurement:
        """Release the data."""
        return make_leak(input_domain, input_metric)

    theirs = constructor(proof="measurements/make_laplace", status="vetted")
    cited = str(theirs(make_laplace)(*INT).explain())
    ours = str(dp.m.make_laplace(*INT, scale=1).explain())
    assert "proofs/measurements/make_laplace.tex (vetted)" in ours
    package = make_laplace.__module__.partition(".")[0]
    assert f"proofs/measurements/make_laplace.tex of {package} (vetted)" in cited


@pytest.mark.usefixtures("registry")
def test_a_function_cannot_say_that_it_stands_in_the_library() -> None:
    def make_laplace(input_domain: Domain, input_metric: Metric) -> Measurement:
        """Release the data."""
        return make_leak(input_domain, input_metric)

    make_laplace.__module__ = dp.m.make_laplace.__module__
    make_laplace.__qualname__ = "make_laplace"
    with pytest.raises(ValueError, match="does not stand in"):
        constructor(proof="measurements/make_laplace", status="vetted")(make_laplace)
    entry = REGISTRY["opendp_lite.measurements.noise.laplace_gaussian:make_laplace"]
    assert entry.make is dp.m.make_laplace


def test_a_record_made_by_hand_cites_what_it_names_and_is_nobodys() -> None:
    """A record is data; only the decorator gives one to an object."""
    record = Record(dp.m.make_laplace, ())
    made = make_leak(*INT)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        made.record = record
    assert "unproved" in repr(made)


# Classes of the user's own.


class Loose(AtomDomain):
    """Everything is a member, whatever the base says."""

    def member(self, value: Any) -> bool:
        return True


class LooseDistance(SymmetricDistance):
    def distance(self, x: Any, y: Any) -> int:
        return 0


class LooseMeasure(Measure):
    def at_most(self, loss: Any, limit: Any) -> bool:
        return True


class LooseMeasurement(Measurement):
    def map(self, d_in: Any, *, exact: bool = False) -> Any:
        return 0


def test_a_derived_class_prints_as_unproved() -> None:
    assert repr(Loose(T=int)) == "Loose(unproved, AtomDomain(T=int))"
    assert "Loose(unproved" in repr(VectorDomain(Loose(T=int)))
    assert repr(LooseDistance()) == "LooseDistance(unproved, LooseDistance())"
    assert repr(LooseMeasure()) == "LooseMeasure(unproved, LooseMeasure())"
    assert repr(AtomDomain(T=int)) == "AtomDomain(T=int)"


@for_each(
    "make",
    [
        lambda: dp.m.make_laplace(Loose(T=int), INT[1], scale=1),
        lambda: dp.t.make_count(VectorDomain(Loose(T=int)), ROWS[1]),
        lambda: dp.t.make_count(ROWS[0], LooseDistance()),
        lambda: Measurement(INT[0], leak, INT[1], LooseMeasure(), abs),
        lambda: Measurement(INT[0], leak, INT[1], dp.approximate(LooseMeasure()), abs),
    ],
)
def test_a_derived_class_needs_a_feature(make: Any) -> None:
    with pytest.raises(OpenDPException, match="can prove nothing") as caught:
        make()
    assert caught.value.variant == "FeatureRequired"
    dp.enable_features("honest-but-curious")
    assert "unproved" in repr(make())


def test_a_derived_measurement_is_unproved() -> None:
    noisy = dp.m.make_laplace(*INT, scale=1)
    fields = (INT[0], noisy.function, INT[1], dp.max_divergence(), noisy.privacy_map)
    derived = LooseMeasurement(*fields)
    assert "unproved" in repr(derived)
    stamped = derived._with_record(noisy.record)  # type: ignore[arg-type]
    assert repr(stamped).startswith("LooseMeasurement(unproved")
    assert str(stamped.explain()).endswith("unproved")


@for_each(
    "make",
    [
        lambda: UserDomain("mine", lambda x: True),
        lambda: UserDistance("mine"),
        lambda: UserDivergence("mine"),
        lambda: dp.user_domain("mine", lambda x: True),
        lambda: dp.user_distance("mine"),
        lambda: dp.user_divergence("mine"),
    ],
)
def test_parts_of_the_users_own_need_the_feature_in_every_form(make: Any) -> None:
    disable_features("honest-but-curious")
    with pytest.raises(OpenDPException, match="honest-but-curious"):
        make()
    dp.enable_features("honest-but-curious")
    assert "mine" in repr(make())
    with pytest.raises(OpenDPException, match="identifier"):
        UserDistance(3)  # type: ignore[arg-type]


# Parameters are read once.


class Changing(float):
    """A number that is another one each time it is asked for."""

    def __new__(cls, value: float) -> Changing:
        made = super().__new__(cls, value)
        made.asked = 0
        return made

    asked: int

    def _next(self) -> float:
        self.asked += 1
        return 1.0 if self.asked > 1 else 0.5

    def __float__(self) -> float:
        return self._next()

    def as_integer_ratio(self) -> tuple[int, int]:
        return self._next().as_integer_ratio()

    def __repr__(self) -> str:
        return repr(self._next())


class Count(int):
    def __int__(self) -> int:
        return 10**9

    __index__ = __int__


class Word(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "1000"


class Share(Fraction):
    @property
    def numerator(self) -> int:
        return 10**9


class Price(Decimal):
    def as_tuple(self) -> Any:
        return Decimal(10**9).as_tuple()


def test_numbers_of_derived_classes_become_plain_at_the_door() -> None:
    price = Price("0.25")
    for given, plain in (
        (Changing(0.75), 0.75),
        (Count(3), 3),
        (Word("0.5"), "0.5"),
        (Share(1, 3), Fraction(1, 3)),
        (price, Decimal("0.25")),
        (np.float64(0.1), 0.1),
        (np.int8(3), 3),
        (np.str_("a"), "a"),
        (np.bool_(True), True),
        (type("B", (bytes,), {"__bytes__": lambda self: b"z"})(b"a"), b"a"),
    ):
        frozen = freeze(given)
        assert type(frozen) is type(plain)
        assert frozen == plain
        [inner] = freeze([given])
        assert (type(inner), inner) == (type(plain), plain)


def test_a_parameter_that_changes_is_read_once() -> None:
    prob = Changing(0.75)
    space = dp.vector_domain(dp.atom_domain(T=bool)), dp.hamming_distance()
    categories = [False, True]
    made = dp.m.make_randomized_response_column(*space, categories, prob)
    assert dict(made.record.arguments)["prob"] == 0.75  # type: ignore[union-attr]
    assert prob.asked == 0
    again = dp.m.make_randomized_response_column(*space, categories, 0.75)
    assert made == again
    assert made.map(1, exact=True) == again.map(1, exact=True) > 0
    assert dp.m.make_laplace(*INT, scale=Count(3)).map(1, exact=True) == Fraction(1, 3)


def test_a_list_that_contains_itself_is_refused() -> None:
    cycle: list[Any] = [1]
    cycle.append(cycle)
    for make in (
        lambda: dp.m.make_laplace(*INT, scale=cycle),  # type: ignore[arg-type]
        lambda: dp.t.make_clamp(*ROWS, bounds=cycle),
        lambda: dp.c.make_composition(cycle),
        lambda: dp.t.make_clamp({1: cycle}, ROWS[1], bounds=(0, 1)),  # type: ignore[arg-type]
    ):
        with pytest.raises(OpenDPException, match="contains itself"):
            make()


def test_values_that_contain_themselves_have_no_distance() -> None:
    cycle: list[Any] = [1]
    cycle.append(cycle)
    for metric in (
        dp.symmetric_distance(),
        dp.insert_delete_distance(),
        dp.change_one_distance(),
        dp.hamming_distance(),
        dp.discrete_distance(),
    ):
        with pytest.raises(OpenDPException, match="contains itself"):
            metric.distance([cycle], [{1: cycle}])


def test_what_is_frozen_is_what_was_given() -> None:
    counts = {"a": [1, 2]}
    frozen = freeze(counts)
    counts["a"].append(3)
    assert frozen == {"a": (1, 2)}
    assert freeze(np.array([1.5, 2.5])) == (1.5, 2.5)
    marker = object()
    assert freeze(marker) is marker
