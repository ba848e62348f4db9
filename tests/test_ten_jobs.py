"""The ten jobs of examples/ten_jobs.py: five lines at most, and true but for noise."""

from __future__ import annotations

import ast
import inspect
import re
import runpy
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_diabetes

import opendp_lite.prelude as dp
from opendp_lite.base.features import GLOBAL_FEATURES
from opendp_lite.core.measurement import Measurement
from opendp_lite.testing import state_flakiness

EXAMPLE = Path(__file__).parents[1] / "examples" / "ten_jobs.py"
ASKED = [
    "count",
    "mean",
    "variance",
    "median_and_quartiles",
    "histogram",
    "grouped_means",
    "unknown_keys",
    "covariance",
    "several_queries",
    "report",
]
LINES = 5
age, sex, bmi, pressure = np.tile(load_diabetes(scaled=False).data, (50, 1)).T[:4]


@pytest.fixture(scope="module")
def jobs() -> Iterator[dict[str, Callable[[], Any]]]:
    before = "contrib" in GLOBAL_FEATURES
    loaded = runpy.run_path(str(EXAMPLE))
    yield {job.__name__: job for job in loaded["JOBS"]}
    if not before:
        dp.disable_features("contrib")


def lines_of(source: str) -> int:
    """How many lines the body of a function has, without its docstring."""
    (function,) = ast.parse(textwrap.dedent(source)).body
    assert isinstance(function, ast.FunctionDef)
    body = function.body
    if ast.get_docstring(function) is not None:
        body = body[1:]
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_the_jobs_are_those_that_were_asked_for(jobs: dict[str, Any]) -> None:
    assert list(jobs) == ASKED


@pytest.mark.parametrize("name", ASKED)
def test_a_job_has_five_lines_at_most(jobs: dict[str, Any], name: str) -> None:
    assert 1 <= lines_of(inspect.getsource(jobs[name])) <= LINES


def test_lines_are_counted() -> None:
    docstring = '    """Two\n    lines."""\n'
    planted = f"def job():\n{docstring}    a = (\n        1\n    )\n\n    return a\n"
    assert lines_of(planted) == 5
    assert lines_of(planted.replace("\n\n", "\n    a += 1\n    a += 1\n")) == 6


def test_a_job_needs_nothing_but_the_data_and_the_prelude() -> None:
    """So that no line of a job stands elsewhere."""
    tree = ast.parse(EXAMPLE.read_text())
    outside = [
        ast.unparse(each)
        for each in tree.body
        if not isinstance(each, ast.FunctionDef | ast.Import | ast.ImportFrom | ast.If)
    ]
    assert [each.split("=")[0] for each in outside[1:]] == [
        "age, sex, bmi, pressure ",
        "JOBS ",
    ]


STATED: dict[str, list[Any]] = {
    "count": [("1/2", 0.5)],
    "mean": [("epsilon = 1/2", 0.5)],
    "variance": [("epsilon = 0.163", 0.163)],
    "median_and_quartiles": [("epsilon = 2/3", 2 / 3)],
    "histogram": [("1/2", 0.5)],
    "grouped_means": [("epsilon = 1/2 a group", 0.5)] * 2,
    "unknown_keys": [("(1/2, 3.83e-6)", (0.5, 3.83e-6))],
    "covariance": [("epsilon = 0.2172", 0.2172)],
    "several_queries": [("epsilon = 1", 1.0)],
    "report": [("epsilon = 1", 0.5)] * 2,
}


@pytest.mark.parametrize("name", ASKED)
def test_a_job_loses_what_it_says(
    jobs: dict[str, Any], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No more, and not much less, in each release; the report makes two of them."""
    losses: list[Any] = []

    def release(self: Measurement, arg: Any) -> Any:
        losses.append(self.map(1))
        return self.invoke(arg)

    monkeypatch.setattr(Measurement, "__call__", release)
    jobs[name]()
    assert len(losses) == len(STATED[name])
    for loss, (words, stated) in zip(losses, STATED[name], strict=True):
        assert words in " ".join(jobs[name].__doc__.split())
        found, told = np.atleast_1d(loss), np.atleast_1d(stated)
        # But for the last digit of 2/3, which is rounded up.
        assert np.all(found <= told * (1 + 1e-15))
        assert np.all(found >= told * 0.997)


def close(found: Any, truth: Any, tolerance: float) -> bool:
    return bool(np.all(np.abs(np.array(found) - np.array(truth)) <= tolerance))


def test_the_count_is_near(jobs: dict[str, Any]) -> None:
    state_flakiness("1e-10")  # e^-25
    found, within = jobs["count"]()
    assert close(found, 22_100, 50)
    assert within == 6


def test_the_mean_is_near(jobs: dict[str, Any]) -> None:
    """Each total is within 50 rows of the truth but for e^-25; a row weighs 60/n."""
    state_flakiness("1e-10")
    found, (low, high) = jobs["mean"]()
    assert close(found, age.mean(), 60 * 50 / (len(age) - 100))
    assert low <= found <= high


def test_the_variance_is_near(jobs: dict[str, Any]) -> None:
    state_flakiness("1e-10")
    found, within = jobs["variance"]()
    assert close(found, age.clip(20, 80).var(ddof=1), 25)
    assert close(within, 3, 0.1)


def test_the_quartiles_are_near(jobs: dict[str, Any]) -> None:
    """A score that is worse by x rows is e^(-x/6) as likely, times 80 candidates.

    So scores are within 190 of the best but for 3 * 80 e^-30.
    """
    state_flakiness("1e-10")
    found, within = jobs["median_and_quartiles"]()
    assert within is None
    for share, value in zip((0.25, 0.5, 0.75), found, strict=True):
        exact = np.quantile(age, share)
        scores = {
            year: abs((1 - share) * (age < year).sum() - share * (age > year).sum())
            for year in range(15, 95)
        }
        assert scores[value] <= min(scores.values()) + 190
        assert abs(value - exact) <= 1


def test_the_histogram_is_near(jobs: dict[str, Any]) -> None:
    truth, _ = np.histogram(age, [0, 30, 40, 50, 60, 70, 200])
    state_flakiness("1e-10")
    found, within = jobs["histogram"]()
    assert close(found, truth, 54)
    assert within == 6


def test_the_grouped_means_are_near(jobs: dict[str, Any]) -> None:
    state_flakiness("1e-10")
    found, intervals = jobs["grouped_means"]()
    for key, each, (low, high) in zip((1.0, 2.0), found, intervals, strict=True):
        group = bmi[sex == key]
        assert close(each, group.mean(), 30 * 52 / (len(group) - 104))
        assert low <= each <= high


def test_the_unknown_keys_are_near(jobs: dict[str, Any]) -> None:
    """A decade of 76 persons stays but for e^-25, and one of none has no key."""
    state_flakiness("1e-10")
    found, within = jobs["unknown_keys"]()
    decades, counts = np.unique(age // 10 * 10, return_counts=True)
    truth = dict(zip(decades.tolist(), counts.tolist(), strict=True))
    assert {key for key, count in truth.items() if count >= 76} <= found.keys()
    for key, each in found.items():
        assert each >= 25
        assert abs(each - truth[key]) <= 50
    assert within == 6


def test_the_covariance_is_near(jobs: dict[str, Any]) -> None:
    """The noise is a small part of what is released, as it should be in an example."""
    state_flakiness("1e-10")
    found, within = jobs["covariance"]()
    truth = np.cov(bmi, pressure)[0, 1]
    assert close(found, truth, 12.5)
    assert 1 < within < truth / 10


def test_the_several_queries_are_near(jobs: dict[str, Any]) -> None:
    state_flakiness("1e-10")
    (count, total, bins), within = jobs["several_queries"]()
    assert close(count, 22_100, 110)
    assert close(total, age.clip(0, 80).sum(), 160 * 27)
    assert close(bins, np.histogram(age, [0, 40, 60, 200])[0], 110)
    assert close(within, [12, 479, 12], 1)


def test_the_report_has_intervals(jobs: dict[str, Any]) -> None:
    found, intervals = jobs["report"]()
    assert list(found) == list(intervals) == ["age", "pressure"]
    for name, (lower, upper) in intervals.items():
        assert lower <= found[name].mean <= upper


def test_the_intervals_of_the_report_hold(jobs: dict[str, Any]) -> None:
    """Of 40 intervals at 1/20 more than 22 are wrong with a chance below 1e-12.

    They are those of the clamped data.
    """
    state_flakiness("1e-12")
    missed = 0
    for _ in range(20):
        intervals = jobs["report"]()[1].values()
        truths = age.clip(20, 80).mean(), pressure.clip(60, 140).mean()
        for (lower, upper), truth in zip(intervals, truths, strict=True):
            missed += not lower <= truth <= upper
    assert missed <= 22


def test_the_script_prints_how_near_the_answers_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    lines = capsys.readouterr().out.splitlines()
    near = [line for line in lines if line.startswith("    within, in 19 of 20 runs: ")]
    assert len(near) == len(ASKED) - 1  # the quartiles have none
    assert len(lines) == len(near) + len(ASKED)
    assert re.search(r"^covariance: \d+\.\d\d$", "\n".join(lines), re.MULTILINE)
