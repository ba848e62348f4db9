"""What notebooks show of objects: everything that is printed, escaped, and no data."""

from __future__ import annotations

import html
import re
import sys
from fractions import Fraction
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any, cast

import pyarrow
import pytest

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.certify import certificate
from tests.rows import for_each

ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
COUNT = ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=2)


class Nesting(HTMLParser):
    """Fails where a tag is closed that is not open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def text_of(shown: Any) -> str:
    page = shown._repr_html_()
    nesting = Nesting()
    nesting.feed(page)
    assert nesting.open == []
    return html.unescape(re.sub("<[^>]*>", "\n", page))


def test_a_measurement_shows_links_proofs_spaces_and_cost() -> None:
    lines = text_of(COUNT).splitlines()
    assert "Measurement" in lines
    for each in (
        "then_count()",
        "then_laplace(scale=2)",
        "proofs/measurements/make_laplace.tex (vetted)",
        "VectorDomain(AtomDomain(T=int))",
        "SymmetricDistance()",
        "MaxDivergence()",
    ):
        assert each in lines
    assert lines[lines.index("map(1)") + 3] == "0.5"


def test_a_transformation_and_a_domain() -> None:
    clamp = ROWS >> dp.t.then_clamp((0, 10))
    assert {"Transformation", "then_clamp(bounds=(0, 10))"} <= set(
        text_of(clamp).splitlines()
    )
    assert clamp.output_domain.rule() in text_of(clamp.output_domain)


def test_a_cost_that_cannot_be_told_is_left_out() -> None:
    scores = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    assert "map(1)" in text_of(scores >> dp.m.then_noisy_max(dp.max_divergence(), 1))
    key = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
    pair = key, dp.l01inf_distance(dp.absolute_distance(T=int))
    assert "map(1)" not in text_of(pair >> dp.m.then_laplace_threshold(1, 20))


def test_text_is_escaped() -> None:
    names = ["<b>bold</b>", "a & b"]
    space = dp.atom_domain(T=str), dp.discrete_distance()
    response = dp.m.make_randomized_response(names, 0.5)
    assert "<b>bold" not in response._repr_html_()
    assert "<b>bold</b>" in text_of(response)
    assert "<" not in text_of(space[0]).replace("<=", "")


def test_certificates_are_shown_as_they_print() -> None:
    noise = COUNT.steps()[-1]
    assert isinstance(noise, dp.Measurement)
    found = verify.privacy(noise, 0, 1, depth=8)
    assert repr(found) in text_of(found)
    rows = dp.vector_domain(dp.atom_domain(bounds=(0, 1))), dp.symmetric_distance()
    coupled = verify.coupling(rows >> dp.t.then_resize(1, constant=0), [0], [1])
    assert repr(coupled) in text_of(coupled)


@pytest.mark.parametrize("kind", ["transformation", "measurement"])
def test_an_object_made_by_hand_is_unproved(kind: str) -> None:
    made: Any = ROWS >> dp.t.then_count() if kind == "transformation" else COUNT
    fields = {
        field.name: getattr(made, field.name)
        for field in made.__attrs_attrs__
        if field.name != "record"
    }
    assert "unproved" in text_of(type(made)(**fields))


def test_a_fraction_says_how_it_is_rounded() -> None:
    """Python 3.11 formats no Fraction; a release is a float, and formats as one."""
    rows = dp.vector_domain(dp.atom_domain(bounds=(0.0, 10.0)))
    total = (rows, dp.symmetric_distance()) >> dp.t.then_sum()
    assert "an exact Fraction; float(x) rounds it" in text_of(total).splitlines()
    assert f"{float(total([0.5, 2.0])):.2f}" == "2.50"
    released = (total >> dp.m.then_laplace(scale=0))([0.5, 2.0])
    assert (type(released), f"{released:.2f}") == (float, "2.50")
    count = ROWS >> dp.t.then_count()
    assert "rounds it" not in text_of(count)
    for make in (
        dp.t.make_sum,
        dp.t.make_mean,
        dp.t.make_variance,
        dp.t.make_sum_of_squared_deviations,
        dp.t.make_covariance,
        dp.t.make_lipschitz_float_mul,
    ):
        assert "float(x)" in str(make.__doc__)


@for_each("noise", [dp.m.then_laplace, dp.m.then_gaussian])
@for_each(
    ("then", "exact", "shown"),
    [
        (dp.t.then_sum, Fraction(29, 4), "7.25"),
        (dp.t.then_mean, Fraction(29, 12), "2.42"),
        (dp.t.then_sum_of_squared_deviations, Fraction(133, 24), "5.54"),
        (dp.t.then_variance, Fraction(133, 48), "2.77"),
    ],
)
def test_a_release_of_an_exact_statistic_formats_as_a_number(
    then: Any, exact: Fraction, shown: str, noise: Any
) -> None:
    """What leaves the library is a float, on every version of Python."""
    rows = dp.vector_domain(dp.atom_domain(bounds=(0.0, 10.0)), size=3)
    statistic = (rows, dp.symmetric_distance()) >> then()
    data = [1.0, 2.0, 4.25]
    assert (type(statistic(data)), statistic(data)) == (Fraction, exact)
    released = (statistic >> noise(scale=0))(data)
    assert (type(released), f"{released:.2f}") == (float, shown)


def test_journals_and_previews_have_their_own_header() -> None:
    context = dp.Context.compositor(
        data={"x": [1, 2]},
        domain=dp.table_domain({"x": dp.atom_domain(T="i64")}),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
    )
    query = context.table(epsilon=0.5).agg(n=dp.count())
    query.release()
    for shown, head in (
        (context.journal(), ("no.", "loss", "state", "query")),
        (query.preview(), ("column", "aggregate", "distribution")),
    ):
        text_of(shown)
        page = shown._repr_html_()
        named = page.partition("<thead><tr>")[2].partition("</tr></thead>")[0]
        assert re.findall(r"<th[^>]*>([^<]*)</th>", named)[: len(head)] == [*head]
        assert page.count(f">{head[0]}<") == 1


def test_certificates_have_a_font_of_one_width() -> None:
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    noisy = space >> dp.m.then_laplace(scale=1)
    for shown in (
        verify.privacy(noisy, 0, 1, depth=4),
        certificate(noisy, 1, pairs=[]),
    ):
        text_of(shown)
        assert shown._repr_html_().startswith('<pre style="font-family:monospace;')


def test_answers_of_pyarrow_are_tables_in_a_notebook(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    formatter = SimpleNamespace(known={})

    def for_type_by_name(module: str, name: str, function: Any) -> None:
        formatter.known[module, name] = function

    formatter.for_type_by_name = for_type_by_name
    display = SimpleNamespace(formatters={"text/html": formatter})
    shell = SimpleNamespace(display_formatter=display)
    monkeypatch.setitem(
        sys.modules, "IPython", cast(Any, SimpleNamespace(get_ipython=lambda: shell))
    )
    data = pyarrow.table({"x": ["<A>", "B"]})
    context = dp.Context.compositor(
        data=data,
        domain=dp.table_domain({"x": dp.atom_domain(T=str)}),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
    )
    keys = [f"<{i}>" for i in range(103)]
    query = context.table(epsilon=0.5).group_by(keys={"x": keys}).agg(n=dp.count())
    answer = query.release()
    kind = type(answer)
    shown = formatter.known[kind.__module__, kind.__name__]
    page = shown(answer)
    lines = text_of(SimpleNamespace(_repr_html_=lambda: page)).split()
    assert lines[:4] == ["x", "n", "n_low", "n_high"]
    assert ("<99>" in lines, "<100>" in lines) == (True, False)
    assert lines[-4:] == ["and", "3", "rows", "more"]
    assert shown(data) is None  # PyArrow shows other tables as it does
