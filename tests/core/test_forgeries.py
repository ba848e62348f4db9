"""Objects that pass themselves off as the library's, and are not.

Each test plants what once printed as proved: a class derived from one of the library's,
a function that wraps one of those, a part that is no domain, a link of a class that
speaks for itself.
"""

from __future__ import annotations

import copy
import functools
import inspect
import pickle
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.ownership import is_own, is_own_function
from opendp_lite.core.domains import (
    AtomDomain,
    Domain,
    MapDomain,
    OptionDomain,
    ProductDomain,
    VectorDomain,
)
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import ApproximateDivergence, Measure
from opendp_lite.core.metrics import (
    L01InfDistance,
    L02InfDistance,
    L1Distance,
    Metric,
    ProductDistance,
)
from opendp_lite.core.registry import REGISTRY, constructor
from tests.rows import for_each

INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
LAPLACE = "measurements/make_laplace"


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    for room in (dp.t, dp.m, dp.c):  # loaded now, so that none is forgotten below
        assert all(getattr(room, name) for name in dir(room))
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def leaking(domain: Any, metric: Any) -> Measurement:
    return Measurement(domain, lambda x: x, metric, dp.max_divergence(), lambda d: 0)


def a_function() -> Any:
    def make_laplace(input_domain: Any, input_metric: Any) -> Measurement:
        return leaking(input_domain, input_metric)

    return make_laplace


def cited(make: Any) -> str:
    decorated = constructor(proof=LAPLACE, status="vetted")(make)
    return str(decorated(*INT).explain())


# Classes.


class Anything(AtomDomain):
    """A domain of somebody's own: everything is a member."""

    def member(self, value: Any) -> bool:
        return True


class Nearer(L1Distance):
    """A metric of somebody's own."""


class Silent:
    """A base that keeps `__init_subclass__` of other bases from being called."""

    def __init_subclass__(cls) -> None:
        """Do nothing."""


class Hidden(Silent, AtomDomain):
    """A domain of somebody's own, of which the library is not told when it is made."""


# Somebody's package may have a name that begins like the library's.
NAMED = type("Named", (AtomDomain,), {"__module__": "opendp_lite_of_somebody.domains"})


@for_each("kind", [Anything, type("Below", (Anything,), {}), Hidden, NAMED])
@for_each(
    "inside",
    [
        lambda part: part,
        VectorDomain,
        OptionDomain,
        lambda part: MapDomain(INT[0], part),
        lambda part: ProductDomain((INT[0], VectorDomain(part))),
        lambda part: attrs.evolve(VectorDomain(part), size=3),
        lambda part: copy.copy(VectorDomain(part)),
    ],
)
def test_a_class_of_somebodys_own_is_seen_in_every_part(kind: Any, inside: Any) -> None:
    own, foreign = inside(AtomDomain(T=int)), inside(kind(T=int))
    assert own.foreign_part is None
    assert foreign.foreign_part is kind
    assert vars(foreign)["_foreign"] is kind  # it is computed once


def test_a_class_that_names_no_module_is_not_the_librarys() -> None:
    """`exec` makes such a class where its variables have no `__name__`."""
    made: dict[str, Any] = {}
    exec("value = type('Nameless', (), {})()", made)
    assert not is_own(type(made["value"]))
    with pytest.raises(OpenDPException, match="scale=<Nameless>: must be a number"):
        dp.m.make_laplace(*INT, scale=made["value"])


def test_a_pickle_does_not_carry_whose_classes_a_metric_is_made_of() -> None:
    """It is found out anew, as the classes may be other ones by then."""
    for metric, kind in ((dp.l1_distance(T=int), None), (Nearer(int), Nearer)):
        whole = ProductDistance([metric])
        assert whole.foreign_part is kind
        again = pickle.loads(pickle.dumps(whole))
        assert "_foreign" not in vars(again)
        assert again.foreign_part is kind


def test_every_kind_of_the_library_is_its_own() -> None:
    found, waiting = set(), [Domain, Metric, Measure]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__module__.startswith("opendp_lite."):
            found.add(kind)
            assert vars(kind)["_own"], kind
        else:
            assert not vars(kind).get("_own"), kind
    assert {AtomDomain, ProductDistance, ApproximateDivergence} <= found


class Duck:
    """It answers as a domain, a metric or a measure does, and is none."""

    def member(self, value: Any) -> bool:
        return True

    all_members = at_most = contains = member

    def __repr__(self) -> str:
        return "AtomDomain(T=int)"


@for_each(
    "make",
    [
        lambda part: VectorDomain(part),
        lambda part: OptionDomain(part),
        lambda part: MapDomain(part, INT[0]),
        lambda part: MapDomain(INT[0], part),
        lambda part: ApproximateDivergence(part),
        lambda part: L01InfDistance(part),
        lambda part: L02InfDistance(part),
        lambda part: ProductDomain((INT[0], part)),
        lambda part: ProductDistance([part]),
        lambda part: dp.vector_domain(part),
        lambda part: dp.option_domain(part),
        lambda part: dp.map_domain(INT[0], part),
        lambda part: dp.approximate(part),
        lambda part: dp.l01inf_distance(part),
    ],
)
def test_a_part_is_what_it_should_be_in_every_form(make: Any) -> None:
    with pytest.raises(OpenDPException, match="=<Duck>: must be a"):
        make(Duck())


def test_keys_are_not_nan_in_every_form() -> None:
    keys = dp.atom_domain(T=float)
    for make in (MapDomain, dp.map_domain):
        for each in (keys, dp.option_domain(keys)):
            with pytest.raises(OpenDPException, match="keys must not be NaN"):
                make(each, INT[0])


# Citations.


def test_a_function_that_is_named_like_another_is_not_the_librarys() -> None:
    """`functools.wraps` names the module of what is wrapped, which is the library's."""
    named = functools.wraps(dp.m.make_laplace)(a_function())
    assert named.__module__ == dp.m.make_laplace.__module__
    assert is_own_function(is_own_function)
    assert not is_own_function(named)
    with pytest.raises(ValueError, match="does not stand in"):
        cited(named)


def test_a_function_that_wraps_another_is_not_that_one() -> None:
    make = a_function()
    make.__signature__ = inspect.signature(make)
    make.__wrapped__ = dp.m.make_laplace.__wrapped__  # type: ignore[attr-defined]
    assert "of tests (vetted)" in cited(make)
    decorated = constructor(proof=LAPLACE, status="vetted")(a_function())
    decorated.__wrapped__ = dp.m.make_laplace.__wrapped__  # type: ignore[attr-defined]
    assert "of tests (vetted)" in str(decorated(*INT).explain())


@pytest.mark.parametrize("proved_first", [False, True])
def test_two_functions_of_one_name_do_not_share_a_proof(proved_first: bool) -> None:
    """The later one takes the name; what the other made cites nothing."""
    dp.enable_features("contrib")
    decorators = [constructor(), constructor(proof=LAPLACE, status="vetted")]
    first, second = (
        decorate(a_function())(*INT)
        for decorate in (reversed(decorators) if proved_first else decorators)
    )
    assert str(first.explain()).endswith("no proof")
    assert str(second.explain()).endswith("no proof" if proved_first else "(vetted)")


def test_every_constructor_of_the_library_is_its_own() -> None:
    for module in (dp.c, dp.m, dp.t):
        names = [name for name in dir(module) if name.startswith("make_")]
        assert names
        for name in names:
            assert is_own(getattr(module, name)), name


def test_what_is_cited_is_one_path() -> None:
    path = "measurements/make_laplace.tex (vetted)\nproofs/make_laplace"
    with pytest.raises(ValueError, match="no path"):
        constructor(proof=path, status="vetted")(a_function())


# Links.


REAL = dp.m.make_laplace(*INT, scale=1)
COUNT = dp.t.make_count(*ROWS)


class Speaking(Measurement):
    """It says that it is what it is not."""

    def steps(self) -> list[Any]:
        return [REAL]

    def explain(self, d_in: Any = None) -> Any:
        return REAL.explain(d_in)

    def __repr__(self) -> str:
        return repr(REAL)


def speaking() -> Speaking:
    return Speaking(INT[0], lambda x: x, INT[1], dp.max_divergence(), lambda d: 0)


def make_speaking() -> Speaking:
    return speaking()


@pytest.mark.parametrize("recorded", [False, True])
def test_a_link_of_a_derived_class_is_unproved(recorded: bool) -> None:
    dp.enable_features("contrib")
    link = constructor()(make_speaking)() if recorded else speaking()
    assert (link.record is not None) == recorded
    for made in (
        COUNT >> link,
        dp.c.make_composition([link]),
        dp.c.make_composition([REAL, link]),
        dp.c.make_approximate(link),
        COUNT >> dp.c.make_composition([link]),
    ):
        assert "Speaking(unproved" in repr(made)
        lines = str(made.explain()).splitlines()
        assert any("Speaking(" in x and x.endswith("  unproved") for x in lines)
    assert "unproved" not in repr(COUNT >> REAL)


class Quiet(AtomDomain):
    """A domain that hides its class."""


Quiet.__repr__ = lambda self: "AtomDomain(T=int)"  # type: ignore[method-assign]


def test_nothing_is_proved_on_a_space_of_a_derived_class() -> None:
    dp.enable_features("honest-but-curious")
    quiet = dp.m.make_laplace(Quiet(T=int), INT[1], scale=1)
    rows = dp.vector_domain(Quiet(T=int)), dp.symmetric_distance()
    same = dp.t.make_identity(*rows)
    for made in (
        quiet,
        quiet >> abs,
        dp.c.make_composition([quiet]),
        same >> dp.t.then_count(),
        same >> dp.t.then_count() >> dp.m.then_laplace(scale=1),
    ):
        assert "unproved" in repr(made)
        assert str(made.explain()).splitlines()[0].endswith("  unproved")
    assert "unproved" not in repr(REAL)
    assert "unproved" not in str(REAL.explain())


def make_two(transformation0: Any, measurement1: Any) -> Measurement:
    return leaking(*transformation0.input_space)


def test_only_the_librarys_chains_print_as_chains() -> None:
    dp.enable_features("contrib")
    made = constructor()(make_two)(COUNT, REAL)
    assert made.steps() == [made]
    assert repr(made).startswith("make_two(")
    assert repr(made) != repr(COUNT >> REAL)
    assert str(made.explain()).splitlines()[0].endswith("no proof")
