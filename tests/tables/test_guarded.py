"""No constructor uses a clock or other randomness, whatever engine holds the table."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from opendp_lite.base.containers import rows
from opendp_lite.base.features import enable_features
from opendp_lite.core.domains import Domain
from opendp_lite.tables.domain import TableDomain
from opendp_lite.tables.engines import engine, totals
from opendp_lite.tables.terms import atom_of
from opendp_lite.verify import Contract
from opendp_lite.verify.contracts.checks import release_of
from opendp_lite.verify.contracts.examples import members
from opendp_lite.verify.contracts.guard import Generators, Guard
from opendp_lite.verify.contracts.terms import SourceUsed
from tests.contracts.test_coverage import all_contracts
from tests.tables.places import Place

pytestmark = pytest.mark.usefixtures("tried_once")
ARROW = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}


def arrow(domain: TableDomain, table: Any) -> Any:
    """Return a table of the engine of Python as one of PyArrow."""

    def column(name: str, each: Domain) -> Any:
        return pa.array([row[name] for row in rows(table)], ARROW[atom_of(each).T])

    return pa.table({name: column(name, each) for name, each in domain.series})


def run_under_guard(terms: Contract, place: Place | None) -> None:
    """Make and run what a constructor makes, and let the guard watch.

    :param terms: the contract of the constructor
    :param place: where tables are; in Python if None
    """
    done: list[Any] = []

    def release(made: Any, x: Any, seed: int) -> None:
        output = release_of(made, x, seed, terms.interview)
        if isinstance(output, engine.Table):
            output.rows()  # a frame is computed when its rows are asked for

    @settings(max_examples=2, phases=[Phase.generate], deadline=None, database=None)
    @given(st.data())
    def run(data: Any) -> None:
        made = guard.watch(terms.constructor, **data.draw(terms.arguments))
        x = data.draw((terms.data or (lambda it: members(it.input_domain)))(made))
        if place is not None:
            x = place.frame(arrow(made.input_domain, x))
        seed = data.draw(st.integers(0, 99))
        generators = Generators(foreign=place is not None)
        guard.watch(release, made, x, seed)
        assert generators.changed() == []
        done.append(made)

    enable_features("honest-but-curious", *terms.features)
    with Guard() as guard:
        run()
    assert done


def of_tables() -> list[Contract]:
    """The contracts of constructors that take tables."""
    home = "opendp_lite.tables."
    return [
        each for each in all_contracts() if each.constructor.__module__.startswith(home)
    ]


def test_no_constructor_uses_another_source() -> None:
    for terms in all_contracts():
        run_under_guard(terms, None)


@pytest.mark.parametrize("name", ["DuckDB", "Polars"])
def test_no_engine_uses_another_source(name: str, tmp_path: Path) -> None:
    assert len(of_tables()) == 6
    for terms in of_tables():
        run_under_guard(terms, Place(name, tmp_path))


@pytest.mark.audit
def test_spark_uses_no_other_source(spark: Any, tmp_path: Path) -> None:
    for terms in of_tables():
        run_under_guard(terms, Place("Spark", tmp_path, spark))


def test_what_engines_do_is_excepted_in_one_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were calls into engines not told by it, Narwhals would be found.

    In the main thread another thread makes these calls, of which no guard takes notes.
    """
    monkeypatch.setattr(engine, "wait_for", lambda alone: alone())  # in this thread
    monkeypatch.setattr(engine, "asked", lambda question: question())
    monkeypatch.setattr(totals, "Waiting", nullcontext)  # it looks at the clock
    with pytest.raises(SourceUsed, match=r"called secrets\.token_hex"):
        for terms in of_tables():
            run_under_guard(terms, Place("DuckDB", tmp_path))
