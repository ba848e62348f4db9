"""Numbers of thousands of digits are shown, though Python writes out none of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import opendp_lite.prelude as dp
from opendp_lite import certify, jobs
from opendp_lite.base.errors import OpenDPException, refusal, write_number
from opendp_lite.base.features import enable_features
from opendp_lite.cli import main
from opendp_lite.extras.numpy.canonical import BinomialCND
from tests.rows import for_each

HUGE = 10**5000
QUOTIENT = Fraction(HUGE, 3)
TINY = 1 / QUOTIENT
LONG: dict[str, Any] = {"integer": HUGE, "quotient": QUOTIENT, "tiny": TINY}


@pytest.fixture(autouse=True)
def silent() -> Iterator[None]:
    enable_features("contrib")
    logging.disable(logging.WARNING)  # of losses that are unusually large
    yield
    logging.disable(logging.NOTSET)


def shown(value: Any) -> list[str]:
    """Return all that is said of an object."""
    found = [repr(value), str(value), f"{value}"]
    html = getattr(value, "_repr_html_", None)
    return found if html is None else [*found, html()]


def test_python_does_not_write_them() -> None:
    for number in LONG.values():
        with pytest.raises(ValueError, match="Exceeds the limit"):
            str(number)
        assert "int of 166" in write_number(number)
    assert write_number(Fraction(1, 3)) == "1/3"


def summed(scale: Any) -> Any:
    domain = dp.vector_domain(dp.atom_domain(T=int, bounds=(0, HUGE)))
    space = domain, dp.symmetric_distance()
    return space >> dp.t.then_sum() >> dp.m.then_laplace(scale)


@for_each("number", LONG.values(), ids=LONG)
def test_objects_and_explanations(number: Any) -> None:
    made = summed(number)
    for each in (made, made.input_domain, made.input_metric, made.output_measure):
        assert shown(each)
    assert shown(made.explain())
    assert shown(made.explain(HUGE))
    assert shown(made.map(HUGE))
    for metric in (dp.absolute_distance(T=float), dp.l2_distance(T=float)):
        assert shown(metric.present(metric.parse(number), exact=False))
    for kind in (dp.fixed_smoothed_max_divergence(), dp.renyi_divergence()):
        assert shown(kind)
    assert shown(BinomialCND(number, number, (number, 0), 7))


@for_each("number", LONG.values(), ids=LONG)
def test_refusals(number: Any) -> None:
    assert "int of 166" in str(refusal("MakeMeasurement", "scale", number, "is", "fix"))
    calls: list[Callable[[], Any]] = [
        lambda: dp.m.make_laplace(
            dp.atom_domain(T=int), dp.absolute_distance(T=int), -number
        ),
        lambda: summed(1).map(-number),
        lambda: dp.unit_of(contributions=-number),
        lambda: dp.loss_of(epsilon=-number),
        lambda: dp.loss_of(epsilon=1, delta=number + 1),
        lambda: dp.vector_domain(dp.atom_domain(T=int), size=number + HUGE),
        lambda: dp.atom_domain(bounds=(number, -number)),
        lambda: filter_of(1).map(HUGE),
        lambda: context_of(-number, 1),
        lambda: context_of(1, HUGE).table(),
        lambda: context_of(1, HUGE).query(epsilon=number + 1).count().laplace(0),
    ]
    for call in calls[:-1]:
        with pytest.raises(OpenDPException) as caught:
            call()
        assert len(str(caught.value)) < 2000
    query = calls[-1]()
    with pytest.raises(OpenDPException) as caught:
        query.release()
    assert len(str(caught.value)) < 2000


def filter_of(limit: Any) -> Any:
    domain = dp.vector_domain(dp.atom_domain(T=int))
    odometer = dp.c.make_fully_adaptive_composition(
        domain, dp.symmetric_distance(), dp.max_divergence()
    )
    return dp.c.make_privacy_filter(odometer, 1, limit)


def context_of(loss: Any, far: Any, **given: Any) -> dp.Context:
    return dp.Context.compositor(
        data=[1, 2, 3],
        domain=dp.vector_domain(dp.atom_domain(T=int)),
        privacy_unit=dp.unit_of(contributions=far),
        privacy_loss=dp.loss_of(epsilon=loss),
        **given,
    )


@for_each("number", LONG.values(), ids=LONG)
def test_contexts_queries_previews_and_journals(number: Any) -> None:
    for given in ({}, {"split_by_weights": [1, HUGE]}, {"split_evenly_over": 2}):
        context = context_of(number, HUGE, **given)
        assert shown(context)
        query = context.query().count().laplace(scale=HUGE * HUGE * HUGE)
        for each in (query, query.preview(), query.explain()):
            assert shown(each)
        query.release()
        for each in (context, context.journal(), *context.journal(), context.explain()):
            assert shown(each)
        context.plot()
        assert shown(context.queryable)
        assert isinstance(context.remaining_privacy_loss(), float | list)


def test_no_loss_is_shown_as_none() -> None:
    context = context_of(1, 1)
    context.query().count().laplace(scale=HUGE).release()
    assert "4.94066e-324" in repr(context.journal())
    assert "spent:   4.94066e-324" in repr(context)


def test_previews_of_tables() -> None:
    context = dp.Context.compositor(
        data={"id": [1, 2], "x": [3, 4]},
        domain=dp.table_domain(
            {"id": dp.atom_domain(T="i64"), "x": dp.atom_domain(T="i64")}
        ),
        privacy_unit=dp.unit_of(contributions=HUGE, identifier="id"),
        privacy_loss=dp.loss_of(epsilon=HUGE),
    )
    query: Any = context.table(epsilon=QUOTIENT).group_by(rows=1, groups=1)
    query = query.agg(n=dp.people(), weights={"n": QUOTIENT})
    for each in (query, query.preview(), query.explain(), query.resolve()):
        assert shown(each)
    with pytest.raises(OpenDPException):
        query.preview(alpha=HUGE)
    asked: Any = context.table(epsilon=1, rows=HUGE)
    assert repr(asked) == "table(rows=<int of 16610 bits>)"
    with pytest.raises(OpenDPException, match="rows=<int of 16610 bits> before"):
        asked.group_by("id", rows=1)
    for ask in (asked.group_by, lambda: asked.agg(n=dp.count())):
        with pytest.raises(OpenDPException, match="must be at most 1099511627776"):
            ask()


LONG_INTEGER = "9" * 10**5
FILES = {
    "certificate": (
        '{"format": "opendp_lite pipeline certificate", "format_version": %s}'
    ),
    "record": '{"record": "opendp-lite release", "format": %s}',
    "ledger": '{"ledger": "opendp-lite ledger", "format": %s, "entries": []}',
    "loss": (
        '{"ledger": "opendp-lite ledger", "format": 1, "entries": [{"time": "", '
        '"job": "", "unit": "", "loss": {"epsilon": "%s"}}]}'
    ),
    "object": '{"version": "0", "value": %s}',
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_with_a_long_integer_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "hostile.json"
    path.write_text(FILES[kind].replace("%s", LONG_INTEGER))
    reads: dict[str, Callable[[], Any]] = {
        "certificate": lambda: certify.check(path),
        "record": lambda: jobs.read_record(path),
        "ledger": jobs.Ledger(str(path)).spent,
        "loss": jobs.Ledger(str(path)).spent,
        "object": lambda: dp.deserialize(path.read_text()),
    }
    before = path.read_bytes()
    with pytest.raises(OpenDPException) as caught:
        reads[kind]()
    assert len(str(caught.value)) < 1000
    assert "set_int_max_str_digits" not in str(caught.value)
    assert path.read_bytes() == before


def test_the_command_says_that_it_is_no_certificate(tmp_path: Path) -> None:
    """1 would mean that the certificate differs from what is derived here."""
    path = tmp_path / "hostile.json"
    path.write_text(FILES["certificate"].replace("%s", LONG_INTEGER))
    done = CliRunner().invoke(main, ["certify", "--verify", str(path)])
    assert done.exit_code == 2
    assert "is no JSON" in " ".join(done.output.split())


def test_a_ledger_keeps_no_loss_that_it_could_not_read(tmp_path: Path) -> None:
    ledger = jobs.Ledger(str(tmp_path / "ledger.json"))
    for number in LONG.values():
        number = Fraction(number)
        limit = {"epsilon": number * 9}
        with pytest.raises(OpenDPException, match="thousands of digits"):
            ledger.charge("job", "unit", {"epsilon": number}, limit)
        with pytest.raises(OpenDPException, match="would pass the limit"):
            ledger.check("unit", {"epsilon": number}, {"epsilon": number / 2})
    assert not Path(ledger.path).exists()
