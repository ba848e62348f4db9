"""Data that are passed by mistake where a parameter is due are never shown.

Every registered constructor is called with data in the place of each argument, in many
forms; so are the doors of what it makes. The sentences that come back name types. A
list where a list is due, such as bounds or a pair (epsilon, delta), is a parameter and
may be shown; so may a number where a number is due.
"""

from __future__ import annotations

import operator
import traceback
from fractions import Fraction
from functools import partial
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.base.features import GLOBAL_FEATURES, enable_features
from opendp_lite.core.measures import ApproximateDivergence
from opendp_lite.verify import Contract
from tests.contracts.test_coverage import all_contracts

pytestmark = pytest.mark.filterwarnings("ignore")
SECRET: Any = "8675309"
ROW: Any = int(SECRET)
LISTS = {
    "bounds",
    "bounds_0",
    "bounds_1",
    "by",
    "candidates",
    "categories",
    "d_out",
    "edges",
    "exponents",
    "on",
    "orders",
}


class Table:
    """Something that prints its data, as data frames do."""

    def __repr__(self) -> str:
        return f"Table({SECRET})"


def nested(value: Any, levels: int) -> Any:
    for _ in range(levels):
        value = [value]
    return value


# A row of a table of numpy, which is a scalar to it.
RECORDS = np.array([(ROW, 1.5)], dtype=[("age", int), ("income", float)])

PAIR = [ROW, ROW]
DATA: list[Any] = [
    PAIR,
    [ROW, ROW, ROW],
    [[ROW]],
    (ROW, ROW, ROW, ROW, ROW),
    [SECRET, "a"],
    [float(ROW)],
    np.array([ROW, ROW]),
    np.array([SECRET]),
    np.array([[float(ROW)]]),
    {"a": ROW},
    {ROW: [1]},
    {ROW},
    SECRET.encode(),
    bytearray(SECRET.encode()),
    Table(),
    [Table()],
    RECORDS[0],
    RECORDS,
    RECORDS.view(np.recarray)[0],
    np.bytes_(SECRET.encode()),
    np.array([Fraction(ROW)], dtype=object),
    nested(Fraction(ROW), 17),
    nested([ROW], 17),
]


def is_flat(data: Any) -> bool:
    """Whether data are numbers or text in a row, as bounds and candidates are."""
    rows = data.tolist() if isinstance(data, np.ndarray) else data
    flat = (int, float, str, Fraction)
    return isinstance(rows, list | tuple) and all(isinstance(x, flat) for x in rows)


FIRST: dict[int, dict[str, Any]] = {}


def valid_arguments(contract: Contract) -> dict[str, Any]:
    """The first arguments of a contract, the same in every run."""
    if id(contract) not in FIRST:
        FIRST[id(contract)] = drawn_arguments(contract)
    return dict(FIRST[id(contract)])


def drawn_arguments(contract: Contract) -> dict[str, Any]:
    found: list[dict[str, Any]] = []

    @hypothesis.settings(
        max_examples=1,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(st.data())
    def draw(choice: Any) -> None:
        found.append(dict(choice.draw(contract.arguments)))

    draw()
    return found[-1]


def said(call: Any) -> str:
    try:
        call()
    except Exception as error:  # with all that Python would print below it
        # but lines of code, which take long to find and hold no data
        return "".join(traceback.format_exception(error, limit=0))
    return ""


CONTRACTS = {each.name: each for each in all_contracts()}


@pytest.mark.parametrize("name", sorted(CONTRACTS))
def test_no_constructor_shows_what_it_refuses(name: str) -> None:
    contract = CONTRACTS[name]
    enable_features(
        *(each for each in contract.features if each not in GLOBAL_FEATURES)
    )
    arguments = valid_arguments(contract)
    for parameter in arguments:
        for data in DATA:
            call = partial(contract.constructor, **arguments | {parameter: data})
            due = parameter in LISTS and is_flat(data)
            assert due or SECRET not in said(call), (parameter, data)
    made = contract.constructor(**arguments)
    measure = getattr(made, "output_measure", None)
    for data in DATA:
        if data is PAIR and isinstance(measure, ApproximateDivergence):
            continue  # a pair is due
        calls = [partial(operator.rshift, made, data)]
        calls.append(partial(operator.rshift, data, made))
        if not isinstance(made, dp.Odometer):
            calls.append(partial(made.map, data))
            calls.append(partial(made.check, data, 1))
            calls.append(partial(made.check, 1, data))
        if getattr(made, "opens_session", isinstance(made, dp.Odometer)):
            session = made.function(made.input_domain.extremes()[0])
            calls.append(partial(session, data))
            calls.append(partial(session.preview, data))
            calls.append(partial(session.privacy_loss, data))
        for call in calls:
            assert SECRET not in said(call), data


def test_a_row_is_not_shown_where_an_object_is_due() -> None:
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    for call in (
        lambda: dp.c.make_composition([ROW, ROW]),
        lambda: dp.c.make_composition([[ROW]]),  # type: ignore[list-item]
        lambda: dp.m.make_laplace(ROW, space[1], scale=1),
        lambda: dp.t.make_count(SECRET, dp.symmetric_distance()),
        lambda: dp.vector_domain(ROW),
        lambda: dp.approximate(ROW),
        lambda: dp.c.make_pureDP_to_zCDP(ROW),
        lambda: dp.c.make_privacy_filter(ROW, 1, 1),
        lambda: dp.Odometer(*space, dp.max_divergence())(1)(ROW),
        lambda: dp.new_queryable(ROW),
        lambda: dp.enable_features([ROW]),  # type: ignore[arg-type]
        lambda: (ROW, space[1]) >> dp.m.then_laplace(1),
        lambda: ([ROW], space[1]) >> dp.m.then_laplace(1),  # type: ignore[operator]
    ):
        text = said(call)
        assert text
        assert SECRET not in text


def test_the_test_would_see_a_leak() -> None:
    def leaking() -> None:
        raise ValueError(f"scale={[ROW]}: must be a number")

    def leaking_below() -> None:
        try:
            leaking()
        except ValueError:
            raise TypeError("no number") from None

    def leaking_before() -> None:
        try:
            leaking()
        except ValueError as error:
            raise TypeError(f"no {type(error)}")  # noqa: B904

    def leaking_note() -> None:
        error = TypeError("no number")
        error.add_note(f"scale={[ROW]}")
        raise error

    assert SECRET in said(leaking)
    assert SECRET in said(leaking_before)
    assert SECRET in said(leaking_note)
    assert SECRET not in said(leaking_below)
