"""Explanations: distances are those of the maps, places are right, nothing is data."""

from __future__ import annotations

import json
import math
import pickle
import re
from collections.abc import Callable
from fractions import Fraction
from inspect import currentframe
from io import StringIO
from typing import Any

import attrs
import pytest
from rich.console import Console

import opendp_lite.prelude as dp
from opendp_lite.show.explaining.showing import place_of_call, place_of_function
from opendp_lite.show.explaining.steps import Distance, Explanation, Step
from tests.interpreter import loaded_after
from tests.rows import for_each
from tests.show.test_html import Nesting

HERE = "tests/show/explaining/test_explaining.py"
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
PURE = dp.max_divergence()
SECRET = 987654321

pytestmark = pytest.mark.usefixtures("honest")


def noisy(scale: Any = 3) -> dp.Measurement:
    made: dp.Measurement = ROWS >> dp.t.then_count() >> dp.m.then_laplace(scale=scale)
    return made


def here() -> str:
    """The place of the line that calls this."""
    frame = currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return f"{HERE}:{frame.f_back.f_lineno}"


def double(x: Any) -> Any:
    return 2 * x


def defined(function: Callable[..., Any]) -> str:
    return f"{HERE}:{function.__code__.co_firstlineno}"


def clipped() -> dp.Measurement:
    clamp = ROWS >> dp.t.then_clamp((0, 7)) >> dp.t.then_sum()
    made: dp.Measurement = clamp >> dp.m.then_laplace(scale="7/3")
    return made


def gaussian(scale: Any = 1) -> dp.Measurement:
    return dp.m.make_gaussian(*INT, scale=scale)


# Distances.


WHOLES: dict[str, tuple[Callable[[], Any], Any]] = {
    "a transformation": (lambda: ROWS >> dp.t.then_clamp((0, 7)) >> dp.t.then_sum(), 3),
    "one measurement": (lambda: dp.m.make_laplace(*INT, scale=3), 2),
    "a chain": (clipped, 5),
    "a chain of chains": (lambda: dp.t.make_identity(*ROWS) >> clipped() >> double, 5),
    "composition in composition": (
        lambda: dp.c.make_composition([noisy(), dp.c.make_composition([noisy(7)] * 2)]),
        2,
    ),
    "a pair": (lambda: dp.c.make_approximate(dp.m.make_laplace(*INT, 3)), 1),
    "rho": (lambda: dp.c.make_pureDP_to_zCDP(dp.m.make_laplace(*INT, 3)), 1),
    "a fixed delta": (
        lambda: dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(gaussian()), 1e-6),
        2,
    ),
    "infinite": (lambda: dp.m.make_laplace(*INT, scale=0), 1),
    "blocks": (
        lambda: ROWS >> dp.c.then_parallel_composition([1, 2], [noisy(), noisy(5)]),
        4,
    ),
    "a sample": (lambda: dp.c.make_poisson_subsample(noisy(), "1/10"), 2),
}


@for_each("name", WHOLES)
def test_the_whole_costs_what_its_map_says(name: str) -> None:
    make, d_in = WHOLES[name]
    made = make()
    told = made.explain(d_in)
    assert told.d_out.float == made.map(d_in)
    assert parsed(told.d_out.exact) == made.map(d_in, exact=True)
    assert parsed(told.d_in.exact) == d_in
    assert told.steps[-1].d_out == told.d_out
    links = zip(told.steps, told.steps[1:], strict=False)
    assert all(before.d_out == after.d_in for before, after in links)


def parsed(text: str) -> Any:
    """Exact text as numbers."""
    if text.startswith("("):
        return tuple(map(parsed, text[1:-1].split(", ")))
    return math.inf if text == "inf" else Fraction(text)


def test_a_chain_tells_the_distance_of_every_link() -> None:
    told = (clipped() >> double).explain(2)
    assert [step.link for step in told.steps] == [
        "then_clamp(bounds=(0, 7))",
        "then_sum()",
        "then_laplace(scale='7/3')",
        "double",
    ]
    assert [(str(step.d_in), str(step.d_out)) for step in told.steps] == [
        ("2", "2"),
        ("2", "14"),
        ("14", "6"),
        ("6", "6"),
    ]
    chained = [step.chained_by and step.chained_by.path for step in told.steps]
    assert chained == [
        None,
        "proofs/core/make_chain_tt.tex",
        "proofs/core/make_chain_mt.tex",
        "proofs/core/make_chain_pm.tex",
    ]
    laplace = told.steps[2]
    assert laplace.arguments == (("scale", "'7/3'"),)
    assert laplace.constructor is not None
    assert laplace.constructor.endswith("noise.laplace_gaussian:make_laplace")
    assert laplace.input_metric == dp.absolute_distance(T=int)
    assert laplace.output_measure == PURE
    assert (laplace.output_domain, laplace.output_metric) == (None, None)
    assert laplace.proof is not None
    assert laplace.proof.status == "vetted"


def test_a_chain_that_is_chained_keeps_which_proof_joins_what() -> None:
    told = (dp.t.make_identity(*ROWS) >> clipped()).explain()
    paths = [step.chained_by and step.chained_by.path for step in told.steps]
    assert paths == [
        None,
        "proofs/core/make_chain_mt.tex",
        "proofs/core/make_chain_tt.tex",
        "proofs/core/make_chain_mt.tex",
    ]
    same = dp.t.make_identity(*ROWS)
    assert str((same >> same >> same).explain(1)).count("\n  then_identity()") == 3


def test_roots_and_curves_are_said_to_be_such() -> None:
    vector = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    counts = vector >> dp.t.then_count_by_categories([1, 2], MO=dp.l2_distance(T=float))
    assert counts.explain(2).d_out == Distance("2", 2.0)
    pair = dp.vector_domain(dp.atom_domain(bounds=(0, 1)), size=4)
    ordered = (pair, dp.change_one_distance()) >> dp.t.then_count_by_categories(
        [0, 1], MO=dp.l2_distance(T=float)
    )
    root = ordered.explain(1).d_out
    assert root is not None
    assert root.exact == "sqrt(2)"
    assert root.float == ordered.map(1)
    assert Fraction(root.float) ** 2 > 2
    assert str(root) == f"sqrt(2) <= {ordered.map(1)!r}"
    profile = dp.c.make_zCDP_to_approxDP(gaussian()).explain(1)
    assert profile.d_out == Distance("a profile delta(epsilon)", None)
    assert profile.steps[0].parts[0].d_out == Distance("1/2", 0.5)


@for_each("d_in", [-1, "far", (1, 2), 0.5, [1]])
def test_a_distance_of_another_kind_is_refused_as_by_map(d_in: Any) -> None:
    made = noisy()
    with pytest.raises(dp.OpenDPException) as refused:
        made.explain(d_in)
    with pytest.raises(dp.OpenDPException) as as_by_map:
        made.map(d_in)
    assert str(refused.value) == str(as_by_map.value)


# Parts.


def spied(space: Any, measure: dp.Measure = PURE) -> tuple[dp.Measurement, list[Any]]:
    """A measurement, and the distances that its map is asked at."""
    asked: list[Any] = []

    def privacy_map(d_in: Any) -> Any:
        asked.append(d_in)
        return d_in

    made = dp.m.make_user_measurement(*space, measure, len, privacy_map)
    return made, asked


SIZED = dp.vector_domain(dp.atom_domain(T=int), size=5)
SPIES: dict[str, tuple[Any, Callable[[Any], Any], list[int]]] = {
    "composition": (ROWS, lambda m: dp.c.make_composition([m]), [0, 3]),
    "approximate": (ROWS, dp.c.make_approximate, [0, 3]),
    "zCDP": (ROWS, dp.c.make_pureDP_to_zCDP, [3]),
    "subsample": (ROWS, lambda m: dp.c.make_poisson_subsample(m, "1/2"), [1, 3]),
    "select": (
        ROWS,
        lambda m: dp.c.make_select_private_candidate(m, "1/2", 1),
        [0, 3],
    ),
    "population, symmetric": (
        (SIZED, dp.symmetric_distance()),
        lambda m: dp.c.make_population_amplification(m, 8),
        [2, 3, 4, 10, 14, 16, 20],
    ),
    "population, changed": (
        (SIZED, dp.change_one_distance()),
        lambda m: dp.c.make_population_amplification(m, 8),
        [1, 3, 5, 7, 9, 20],
    ),
    "blocks": (
        ROWS,
        lambda m: ROWS >> dp.c.then_parallel_composition([1], [m]),
        [0, 3],
    ),
    "blocks, changed": (
        ROWS,
        lambda m: dp.c.make_parallel_composition(
            ROWS[0], dp.change_one_distance(), [1], [m]
        ),
        [0, 3],
    ),
    "blocks of a public size": (
        ROWS,
        lambda m: dp.c.make_parallel_composition(SIZED, ROWS[1], [1], [m]),
        [1, 2, 7, 100],
    ),
}


@for_each("name", SPIES)
def test_parts_are_told_at_the_distance_that_the_map_asks_them_at(name: str) -> None:
    space, make, distances = SPIES[name]
    part, asked = spied(space)
    whole = make(part)
    for d_in in distances:
        asked.clear()
        whole.map(d_in)
        told = whole.explain(d_in)
        below = told.steps[0].parts[0]
        assert below.d_in == Distance(str(max(asked)), max(asked))
        assert below.d_out == Distance(str(max(asked)), float(max(asked)))


def test_a_product_tells_each_part_at_its_own_distance() -> None:
    space = dp.product_domain([INT[0]] * 3), dp.product_distance([INT[1]] * 3)
    laplace = dp.m.then_laplace(scale=2)
    both = space >> dp.c.then_product([laplace, None, laplace])
    told = both.explain((1, 100, 3))
    assert str(told.d_in) == "(1, 100, 3)"
    assert [str(part.d_in) for part in told.steps[0].parts] == ["1", "3"]
    assert [str(part.d_out) for part in told.steps[0].parts] == [
        "1/2 = 0.5",
        "3/2 = 1.5",
    ]


def test_of_parts_whose_distance_nobody_knows_none_is_told() -> None:
    dp.enable_features("contrib")
    from opendp_lite.core.registry import constructor

    @constructor()
    def make_own(measurement: dp.Measurement) -> dp.Measurement:
        return attrs.evolve(measurement)

    told = make_own(noisy()).explain(1)
    assert str(told.d_out) == "1/3 <= 0.33333333333333337"
    below = told.steps[0].parts[0]
    assert (below.is_chain, below.d_in, below.d_out) == (True, None, None)
    assert "there is no proof of make_own" in [each.text for each in told.assumptions]
    blocks = dp.t.make_find(*ROWS, [1, 2])
    parallel = ROWS >> dp.c.then_parallel_composition(blocks, [noisy()] * 2)
    by, *rest = parallel.explain(1).steps[0].parts
    assert by.link.startswith("then_find(")
    assert by.d_in is None
    assert len(rest) == 2
    assert "their distances add up" in str(parallel.explain(1))


def test_a_map_that_raises_is_told_and_does_not_fail() -> None:
    def broken(d_in: Any) -> Any:
        raise ZeroDivisionError(f"at {SECRET}")

    own = dp.m.make_user_measurement(*ROWS, PURE, len, broken)
    both = dp.c.make_composition([noisy(), own])
    told = both.explain(1)
    assert told.d_out is None
    assert [part.notes for part in told.steps[0].parts] == [
        (),
        ("its map raised a ZeroDivisionError",),
    ]
    assert str(SECRET) not in str(told) + told.to_json()
    limited = dp.c.make_adaptive_composition(*ROWS, PURE, 1, [1])
    assert "limited for distances up to 1" in str(limited.explain(2))
    assert limited.explain(1).d_out == Distance("1", 1.0)


def test_equal_parts_are_told_once_in_text_and_all_in_json() -> None:
    told = dp.c.make_composition([noisy()] * 40 + [noisy(4)]).explain(1)
    assert len(told.to_dict()["steps"][0]["parts"]) == 41
    assert "40 times: chain of 2 links" in str(told)
    assert str(told).count("then_laplace(scale=3)") == 1


# Assumptions.


def test_a_condition_names_the_line_where_it_was_taken_on() -> None:
    own, line = dp.m.make_user_measurement(*INT, PURE, double, abs), here()
    texts = [each.text for each in own.explain().assumptions]
    assert texts == [
        "function never fails on a member",
        "inputs within d_in give releases within privacy_map(d_in)",
    ]
    for each in own.explain(1).assumptions:
        assert each.place == line
        assert each.about == (f"function=double, {defined(double)}", "privacy_map=abs")


def test_the_line_of_a_chain_that_the_library_makes() -> None:
    after, line = noisy() >> double, here()
    (told,) = after.explain().assumptions
    assert told.text == "postprocess1 depends on the data only through the release"
    assert (told.place, told.about) == (
        line,
        (f"postprocess1=double, {defined(double)}",),
    )
    partial = dp.t.then_count() >> dp.m.then_laplace(scale=1) >> dp.new_function(double)
    later, line = ROWS >> partial, here()
    (told,) = later.explain().assumptions
    assert told.place == line
    assert told.about[0].endswith(defined(double))
    assert after.explain().steps[-1].assumptions != ()
    assert len(dp.c.make_composition([after, after]).explain().assumptions) == 1
    assert noisy().explain().assumptions == ()


def test_a_place_is_no_part_of_what_is_equal_and_is_not_pickled() -> None:
    one = noisy() >> double
    other = noisy() >> double
    assert one.record is not None
    assert other.record is not None
    assert one.record.place != other.record.place
    assert one == other
    assert hash(one) == hash(other)
    written = pickle.dumps(one)
    assert b"test_explaining.py" not in written
    again, line = pickle.loads(written), here()
    assert again == one
    assert again.record.place == line
    plain = noisy().record
    assert plain is not None
    assert plain.place is None


def test_functions_and_kinds_of_the_users_own_are_assumptions() -> None:
    def parity(row: int) -> int:
        return row % 2

    def is_even(x: Any) -> bool:
        return bool(x % 2 == 0)

    blocks = ROWS >> dp.c.then_parallel_composition(parity, [noisy()] * 2)
    (told,) = blocks.explain(1).assumptions
    assert (told.place, told.about) == (defined(parity), (f"by={parity.__qualname__}",))
    rows, line = ROWS >> dp.t.then_row_by_row(INT[0], double, 0), here()
    (told,) = rows.explain().assumptions
    assert told.text == "row_function looks at the row alone and always answers alike"
    assert (told.place, told.about) == (
        line,
        (f"row_function=double, {defined(double)}",),
    )
    even = dp.user_domain("even", is_even)
    own = dp.m.make_user_measurement(
        dp.vector_domain(even),
        dp.user_distance("hops"),
        dp.approximate(dp.user_divergence("mine")),
        len,
        lambda d: (d, 0),
    )
    found = {
        each.text.partition(" is a ")[0]: each for each in own.explain().assumptions
    }
    assert found["UserDomain('even')"].place == defined(is_even)
    assert found["UserDistance('hops')"].place is None
    assert "UserDivergence('mine')" in found


def test_what_is_unproved_is_an_assumption() -> None:
    forged = attrs.evolve(noisy(), function=double)
    told = dp.c.make_composition([noisy(), forged]).explain(1)
    (assumed,) = told.assumptions
    assert "nothing is proved of it" in assumed.text
    assert assumed.about == (f"function, {defined(double)}",)
    assert told.steps[0].parts[1].standing == "unproved"
    assert told.steps[0].parts[1].d_out == told.steps[0].parts[0].d_out

    class Own(type(INT[0])):
        """A domain of a derived class."""

    quiet = dp.m.make_laplace(Own(T=int), INT[1], scale=1).explain(1)
    assert any("Own is a class of which" in each.text for each in quiet.assumptions)


def test_functions_of_the_library_behind_a_release_are_proved() -> None:
    counts = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    made = counts >> dp.m.then_laplace(scale=1) >> dp.t.make_cdf()
    told = made.explain(1)
    assert told.assumptions == ()
    assert told.steps[-1].proof is not None
    assert told.steps[-1].proof.path.endswith("/make_cdf.tex")
    by_hand = (noisy() >> dp.new_function(double)).explain()
    assert by_hand.steps[-1].proof is None
    citing = dp.new_function(double)
    object.__setattr__(citing, "proof", "transformations/make_cdf")
    assert (noisy() >> citing).explain().steps[-1].proof is None


def test_places_are_named_as_modules_are() -> None:
    assert place_of_call() == here()
    assert place_of_function(double) == defined(double)
    assert place_of_function(len) is None
    assert place_of_function(Explanation.to_dict) is not None
    namespace = {"__name__": "elsewhere", "dp": dp, "made": noisy()}
    for file, told in (
        ("/elsewhere/project/pipeline.py", "pipeline.py:2"),
        ("/elsewhere/project/elsewhere.py", "elsewhere.py:2"),
        ("/elsewhere/elsewhere/__init__.py", "elsewhere/__init__.py:2"),
        ("<stdin>", "<stdin>:2"),
    ):
        exec(compile("\nafter = made >> abs", file, "exec"), namespace)
        (each,) = namespace["after"].explain().assumptions  # type: ignore[attr-defined]
        assert each.place == told


# Sessions.


def test_a_session_tells_what_was_asked_and_charged() -> None:
    odometer = dp.c.make_fully_adaptive_composition(*ROWS, PURE)
    session = dp.c.make_privacy_filter(odometer, 1, 2)([SECRET] * 3)
    assert session.explain().d_out == Distance("0", 0.0)
    session(noisy())
    inner = session(dp.c.make_adaptive_composition(*ROWS, PURE, 1, ["1/4", "1/5"]))
    inner(noisy(4) >> double)
    told = session.explain()
    assert told.d_in == Distance("1", 1)
    assert told.d_out == Distance("47/60", session.privacy_loss(1))
    first, second = told.whole.parts
    assert (first.charged, first.state) == (Distance("1/3", noisy().map(1)), "released")
    assert first.parts[0].d_out == first.charged
    assert second.charged == Distance("9/20", 0.45)
    below = second.parts[1]
    assert (below.link, str(below.d_out)) == ("Session", "1/4 = 0.25")
    assert dict(below.arguments)["shares"].startswith("1/4 = 0.25, 1/5")
    assert dict(told.whole.arguments)["left"] == "73/60"
    assert [each.about[0].partition(",")[0] for each in told.assumptions] == [
        "postprocess1=double"
    ]
    assert str(SECRET) not in str(told) + told.to_json() + told._repr_html_()
    session.close()
    assert dict(session.explain().whole.arguments)["closed"] == "yes"


def test_an_odometer_is_told_at_any_distance() -> None:
    odometer = dp.c.make_fully_adaptive_composition(*ROWS, PURE)
    assert "a session that it opens tells its loss" in str(odometer.explain(1))
    session = odometer([SECRET])
    for scale in (3, 4):
        session(noisy(scale))
    assert session.explain().d_out is None
    told = session.explain(2)
    assert parsed(str(told.d_out).partition(" ")[0]) == session.privacy_loss(
        2, exact=True
    )
    assert [part.charged for part in told.whole.parts] == [None, None]
    assert [str(part.d_out).partition(" ")[0] for part in told.whole.parts] == [
        "2/3",
        "1/2",
    ]
    assert "query 1" in str(session.explain())


def test_a_queryable_names_the_function_that_answers() -> None:
    def transition(query: Any, _: bool) -> Any:
        return SECRET

    (told,) = dp.new_queryable(transition).explain().assumptions
    assert told.place == defined(transition)
    assert "Queryable" in str(dp.new_queryable(transition).explain())


# Text, notebooks, JSON.


def test_html_is_escaped_and_nested() -> None:
    names = ["<b>bold</b>", "a & b"]
    made = dp.m.make_randomized_response(names, 0.5) >> double
    page = dp.c.make_composition([made]).explain(1)._repr_html_()
    nesting = Nesting()
    nesting.feed(page)
    assert nesting.open == []
    assert "<b>bold" not in page
    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    own = dp.user_domain("<i>own</i>", bool), dp.user_distance("hops")
    page += dp.t.make_identity(*own).explain(1)._repr_html_()
    assert "<i>own" not in page
    assert "UserDomain(&#x27;&lt;i&gt;own" in page
    assert "To be verified by a person" in page
    assert "d_in = 1" in page


def test_json_comes_back_with_all_that_was_told() -> None:
    made = dp.c.make_composition([noisy() >> double, clipped()])
    told = made.explain(2)
    again = json.loads(told.to_json())
    assert again == told.to_dict()
    assert again["d_out"] == {"exact": "20/3", "float": made.map(2)}
    (whole,) = again["steps"]
    assert (
        whole["constructor"] == "opendp_lite.combinators.composition:make_composition"
    )
    assert whole["input_domain"] == "VectorDomain(AtomDomain(T=int))"
    assert whole["proof"] == {
        "path": "proofs/combinators/make_composition.tex",
        "package": "opendp_lite",
        "status": "vetted",
        "conditions": False,
    }
    links = whole["parts"][0]["parts"]
    assert [link["link"] for link in links] == [
        "then_count()",
        "then_laplace(scale=3)",
        "double",
    ]
    assert links[1]["arguments"] == [["scale", "3"]]
    assert links[2]["assumptions"] == again["assumptions"] != []


def test_numbers_that_json_has_not_are_text() -> None:
    endless = dp.m.make_laplace(*INT, scale=0).explain(1)
    assert json.loads(endless.to_json())["d_out"] == {"exact": "inf", "float": "inf"}
    long = dp.m.make_laplace(*INT, scale=1).explain(10**5000)
    assert "bits>" in str(long)
    assert "bits>" in json.loads(long.to_json())["d_in"]["exact"]


def test_rich_shows_what_the_text_says() -> None:
    told = (noisy() >> double).explain(1)
    console = Console(width=200, record=True, file=StringIO())
    console.print(told)
    shown = console.export_text()
    for each in ("then_laplace(scale=3)", "d_out = 1/3 <= 0.3", "To be verified"):
        assert each in shown
    assert told.assumptions[0].text in re.sub(r"\s+", " ", shown)


def test_explaining_loads_nothing_heavy() -> None:
    source = (
        "import opendp_lite.prelude as dp\n"
        "space = dp.atom_domain(T=int), dp.absolute_distance(T=int)\n"
        "told = dp.m.make_laplace(*space, 1).explain(1)\n"
        "str(told), told.to_json(), told._repr_html_()"
    )
    loaded = loaded_after(source)
    assert "opendp_lite.show.explaining.showing" in loaded
    assert {"rich", "numpy", "matplotlib"} & loaded == set()


def test_steps_can_be_walked() -> None:
    told = dp.c.make_composition([noisy(), noisy(4)]).explain()
    assert sum(step.link.startswith("then_laplace") for step in told.whole.walk()) == 2
    assert isinstance(told.whole, Step)
    assert repr(told) == str(told)
