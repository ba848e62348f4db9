"""A pytest plugin: the flakiness of assertions, and of the run as a whole.

It is found by pytest when the package is installed, and otherwise loaded by
`-p opendp_lite.testing.plugin`. Options:

* `--dp-flakiness=F`: the flakiness of every assertion of `opendp_lite.testing` that
  states none itself; 1e-23 without it.
* `--dp-flakiness-limit=F`: the run fails if the flakinesses add up to more than F.

The plugin runs nobody's function and gives no verdict: the sum tells of chance alone.
Where a test asks `verify` for one, runs are guarded as they are everywhere.

At the end the sum is reported, over the processes of pytest-xdist too. Each test that
adds to it has the property `dp_flakiness`, an exact fraction, in the JUnit report.
"""

from __future__ import annotations

from collections.abc import Generator
from fractions import Fraction
from typing import Any

import pytest
from gmpy2 import mpq

from opendp_lite.base.errors import OpenDPException
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.testing.ledger import LEDGER, check_flakiness, shown_flakiness

_PROPERTY = "dp_flakiness"
_OPTION, _LIMIT = "--dp-flakiness", "--dp-flakiness-limit"
_SPENT = pytest.StashKey[tuple[Fraction, int]]()
_BEFORE = pytest.StashKey[mpq]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the two options."""
    group = parser.getgroup("differential privacy")
    group.addoption(
        _OPTION,
        metavar="F",
        default=None,
        help="probability with which an assertion that states none may fail by chance "
        "(default: 1e-23)",
    )
    group.addoption(
        _LIMIT,
        metavar="F",
        default=None,
        help="fail if all these probabilities add up to more than this",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Set the flakiness of assertions, and begin to add up."""
    default, limit = _option(config, _OPTION), _option(config, _LIMIT)
    config.stash[_BEFORE] = LEDGER.default
    if default is not None:
        LEDGER.default = default
    LEDGER.take()
    reporter = _Reporter(None if limit is None else to_fraction(limit))
    config.pluginmanager.register(reporter, "opendp_lite_flakiness")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Set the flakiness of assertions to what it was."""
    LEDGER.default = config.stash.get(_BEFORE, LEDGER.default)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Put what the test has added so far into its report."""
    total, count = LEDGER.take()
    if count:
        before = item.stash.get(_SPENT, (Fraction(0), 0))
        item.stash[_SPENT] = before[0] + total, before[1] + count
        others = [each for each in item.user_properties if each[0] != _PROPERTY]
        spent, assertions = item.stash[_SPENT]
        item.user_properties[:] = [*others, (_PROPERTY, f"{spent} {assertions}")]
    return (yield)


def _option(config: pytest.Config, name: str) -> mpq | None:
    given = config.getoption(name)
    if given is None:
        return None
    try:
        return check_flakiness(given, name)
    except OpenDPException as error:
        raise pytest.UsageError(error.message) from None


class _Reporter:
    """Adds up what the reports say, and says it at the end."""

    def __init__(self, limit: Fraction | None) -> None:
        self.limit = limit
        self.total = Fraction(0)
        self.assertions = self.tests = 0

    @property
    def exceeded(self) -> bool:
        return self.limit is not None and self.total > self.limit

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "teardown":
            return
        for name, value in report.user_properties:
            if name == _PROPERTY:
                spent, assertions = str(value).split()
                self.total += Fraction(spent)
                self.assertions += int(assertions)
                self.tests += 1

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.exceeded and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> None:
        if not self.tests and self.limit is None:
            return
        shown = shown_flakiness(self.total)
        terminalreporter.write_sep("-", "flakiness")
        terminalreporter.write_line(
            f"Correct code fails this run with probability at most {shown} "
            f"(assertions: {self.assertions}, tests: {self.tests})."
        )
        if self.exceeded and self.limit is not None:
            limit = shown_flakiness(self.limit)
            terminalreporter.write_line(f"That is above {_LIMIT}={limit}.", red=True)
