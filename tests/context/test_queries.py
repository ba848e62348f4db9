"""Queries: every constructor is a method, and one number may be missing."""

from __future__ import annotations

import inspect
import pydoc
from typing import Any

import opendp.context as theirs
import pytest

import opendp_lite.prelude as dp
from opendp_lite.context import methods
from opendp_lite.extras.numpy.canonical import BinomialCND
from tests.context.opened import (
    CONCENTRATED,
    INTEGERS,
    PAIR,
    PURE,
    ROWS,
    SECRET,
    opened,
)
from tests.rows import for_each

SPACE = INTEGERS, dp.symmetric_distance()


def standing(d_out: Any = 0.5, measure: Any = PURE) -> dp.Query:
    """A query that belongs to no context."""
    return dp.Query(SPACE, measure, 1, d_out)


# --- methods --------------------------------------------------------------------------


def test_every_partial_constructor_is_a_method() -> None:
    query = standing()
    for room in (dp.t, dp.m, dp.c):
        for name in dir(room):
            if name.startswith("then_"):
                assert name.removeprefix("then_") in dir(query)
    # What OpenDP has as methods is here, if the constructor is.
    there = {name for name in theirs.constructors if f"make_{name}" in dir(dp.t)}
    there |= {name for name in theirs.constructors if f"make_{name}" in dir(dp.m)}
    assert there - set(dir(query)) == set()
    for name in ("composition", "chain_mt", "privacy_filter"):
        assert name not in dir(query)


NAMES = methods.method_names()  # before any test has constructors of its own


def test_a_method_has_the_signature_and_the_text() -> None:
    assert len(NAMES) > 50
    for name in NAMES:
        method = getattr(standing(), name)
        room, there = methods._homes()[name]
        make = getattr(room, there)
        expected = list(inspect.signature(make).parameters)
        shown = list(inspect.signature(method).parameters)
        assert shown == [each for each in expected if each != "measurement"], name
        assert method.__name__ == name
        assert method.__doc__ == inspect.getdoc(make), name
        assert "Return" in pydoc.render_doc(method), name


@for_each(
    ("name", "said"),
    [
        ("lapalce", "Did you mean .laplace?"),
        ("realese", "Did you mean .release?"),
        ("gausian", "Did you mean .gaussian?"),
        ("quantiles", "Did you mean .quantiles_from_counts?"),
        ("median", "Use .private_quantile(candidates=..., alpha=0.5)."),
        ("private_lazyframe", "Plans of Polars are not read"),
        ("collect_everything", "Did you mean to '.release()' first?"),
        ("_private", "a query has no method '_private'"),
    ],
)
def test_a_name_that_is_mistyped_is_told(name: str, said: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(standing(), name)
    assert said in str(caught.value)
    assert not hasattr(standing(), name)


WRONG: list[tuple[Any, type[Exception], str]] = [
    (lambda q: q.clamp(), ValueError, "clamp needs bounds"),
    (lambda q: q.clamp(0, 1), TypeError, "takes 1 argument by position, and 2 came"),
    (lambda q: q.clamp((0, 1), bounds=(0, 1)), TypeError, "by position and by name"),
    (lambda q: q.count().laplace(epsilon=1), TypeError, "has no argument epsilon"),
    (lambda q: q.count_by().laplace_threshold(), ValueError, "scale and threshold"),
    (lambda q: q.b_ary_tree(3).laplace(), ValueError, "at most one can be solved for"),
    (lambda q: q.laplace().laplace(), ValueError, "at most one can be solved for"),
    (lambda q: q.cdf(), ValueError, "cannot be the first link of a query"),
    (lambda q: q >> float, ValueError, "cannot be the first link of a query"),
    (lambda q: q.release(ROWS), ValueError, "is not a measurement yet"),
    (lambda q: q.count().release(ROWS), ValueError, "is not a measurement yet"),
    (lambda q: q.count().laplace().release(), ValueError, "belongs to no context"),
    (lambda q: q.count().laplace(2).count(), dp.OpenDPException, "cannot be followed"),
    (lambda q: q.count().gaussian().resolve(), ValueError, "no conversion to MaxDi"),
    (lambda q: q.count().gaussian(1).resolve(), ValueError, "no conversion to MaxDi"),
    (
        lambda q: q.count().laplace().compositor(),
        ValueError,
        "come before noise is added",
    ),
    (lambda q: q.impute_uniform_float(), ValueError, "needs bounds"),
    (lambda q: q.count().laplace() >> ROWS, ValueError, "followed by a list. Pass a"),
    (lambda q: q.compositor() >> float, ValueError, "nothing follows a compositor"),
    (lambda q: q.compositor().laplace(), ValueError, "nothing follows a compositor"),
    (lambda q: q.compositor().cdf(), ValueError, "nothing follows a compositor"),
    (
        lambda q: q.compositor(output_measure=ROWS),
        TypeError,
        "output_measure=<sequence>: must be a Measure",
    ),
    (lambda q: q.compositor(alpha="1/2"), ValueError, "alpha=0.5: parts delta"),
]


@for_each(("ask", "error", "said"), WRONG)
def test_a_wrong_query_is_refused(ask: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error) as caught:
        ask(standing())
    assert said in str(caught.value)
    assert str(SECRET) not in str(caught.value)


def test_what_is_not_known_is_asked_for() -> None:
    with pytest.raises(ValueError, match="not said what the query may lose"):
        dp.Query(SPACE, PURE, 1).count().laplace().resolve()
    with pytest.raises(ValueError, match="d_in=None: is not known"):
        dp.Query(SPACE, PURE, d_out=1).count().laplace().resolve()
    with pytest.raises(ValueError, match="belongs to a context, which has its own"):
        opened(epsilon=1.0).query(epsilon=1).count().laplace().release(ROWS)
    with pytest.raises(TypeError, match="output_measure=<int>: must be a Measure"):
        dp.Query(SPACE, 1)  # type: ignore[arg-type]
    for wrong in (ROWS, (SECRET, 2), (*SPACE, 1), None):
        with pytest.raises(dp.OpenDPException) as caught:
            dp.Query(wrong, PURE)  # type: ignore[arg-type]
        assert str(SECRET) not in str(caught.value)
    with pytest.raises(dp.OpenDPException, match="must be a Measurement"):
        opened(epsilon=1).query().fully_adaptive_composition(PURE).preview()
    with pytest.raises(dp.OpenDPException, match="must be a pair"):
        dp.Query(SPACE, PAIR, 1, 1.0)
    with pytest.raises(ValueError, match="with a space"):
        dp.Query(dp.PartialChain(make_own, *SPACE), PURE, 1, 1.0).param()


def test_a_query_can_stand_alone() -> None:
    query = standing(d_out=1e6).count().laplace()
    assert query.release(ROWS) == len(ROWS)
    assert query.resolve().map(1) <= 1e6
    counted = standing().count()
    assert counted.resolve(allow_transformations=True)(ROWS) == len(ROWS)
    assert counted.param(allow_transformations=True) is None
    told = standing().count().laplace().preview()
    assert (told.loss, told.left, told.param, told.answered) == (0.5, None, 2.0, True)


def test_a_query_is_never_changed() -> None:
    query = opened(epsilon=1.0).query(epsilon=0.5)
    count = query.count()
    assert count.laplace().param() == 2.0
    assert query.clamp((0, 10)).sum().laplace().param() == 20.0
    assert count.laplace().param() == 2.0
    assert query.new_with(chain=SPACE)._chain == SPACE


def test_text_never_shows_data() -> None:
    query = opened(epsilon=1.0).query(epsilon=0.5)
    assert str(SECRET) not in repr(query)
    shown = repr(query.count().laplace())
    assert (
        shown == "Query(count().laplace(scale=?), MaxDivergence(), d_in=1, d_out=0.5)"
    )
    assert "laplace(scale=2.0)" in repr(query.count().laplace(2.0))
    chain = dp.PartialChain(lambda s: SPACE)
    assert repr(chain) == "PartialChain(one number is missing)"


# --- functions of releases ------------------------------------------------------------


def test_functions_follow_a_release_also_where_a_number_is_missing() -> None:
    """OpenDP refuses them after a missing number (its issue 960)."""
    context = opened(epsilon=1e6)
    query = context.query(epsilon=1e5).count_by_categories([25, 31]).laplace()
    assert query.release() == [1, 1, 6]
    assert query.cdf().release() == [0.125, 0.25, 1.0]
    assert (query >> sum >> float).release() == 8.0
    assert (query >> dp.new_function(len)).param() == query.param() == 1e-5
    dp.disable_features("honest-but-curious")
    query.cdf().resolve()  # the library's own are proved
    with pytest.raises(dp.OpenDPException, match="honest-but-curious"):
        (query >> sum).resolve()


def test_a_transformation_after_a_missing_number_is_solved_for() -> None:
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    query = dp.Query(space, PURE, 1, 0.5).lipschitz_float_mul
    made = query(bounds=(0.0, 10.0)).laplace(4.0)
    assert made.param() == 2.0
    assert made.resolve().map(1) <= 0.5


def test_combinators_that_take_a_measurement_are_methods() -> None:
    query = dp.Query(SPACE, PAIR, 1, (1.0, 1e-6)).count()
    written = query.gaussian(10.0).zCDP_to_approxDP().fix_delta(1e-6)
    assert written.resolve().map(1)[0] < 1.0
    solved = query.gaussian().zCDP_to_approxDP().fix_delta(1e-6).param()
    assert solved == pytest.approx(query.gaussian().param())
    assert query.laplace().approximate().param() == 1.0
    delta = query.gaussian(10.0).zCDP_to_approxDP().fix_delta()
    assert delta.param() == 1e-6


def test_canonical_noise_takes_what_the_query_has() -> None:
    numbers = dp.unit_of(absolute=1.0)
    given: dict[str, Any] = {"data": 63.0, "unit": numbers, "domain": None}
    context = opened(**given, epsilon=2.0, delta=1e-6)
    assert isinstance(
        context.query(epsilon=1, delta=1e-7).canonical_noise().release(), float
    )
    count = context.query(epsilon=1, delta="9e-7").canonical_noise(binomial_size=100)
    release = count.release()
    assert isinstance(release, BinomialCND)
    assert 0 <= release.p_value(0.5) <= 1
    assert context.current_privacy_loss() == pytest.approx((2.0, 1e-6))
    sums = dp.vector_domain(dp.atom_domain(T=float, nan=False, bounds=(0.0, 1.0)))
    context = opened(data=[0.5], domain=sums, epsilon=1.0, delta=1e-6, evenly=1)
    assert isinstance(context.query().sum().canonical_noise().release(), float)
    with pytest.raises(ValueError, match="canonical noise and compositors follow"):
        standing((1, 0), PAIR).b_ary_tree(3).canonical_noise()


def test_canonical_noise_follows_a_count_in_a_context() -> None:
    context = opened(epsilon=1.0, delta=1e-6, data=[25, 31, 40])
    query = context.query(epsilon=0.5, delta=1e-7).count().canonical_noise()
    preview = query.preview()
    assert preview.accuracy == query.resolve().accuracy("0.05")
    assert float(preview.accuracy).is_integer()
    assert type(query.release()) is int
    rest = context.query(epsilon=0.5, delta="9e-7").count()
    count = rest.canonical_noise(binomial_size=50).release()
    assert isinstance(count, BinomialCND)
    assert type(count.estimate) is int
    assert 0 <= count.p_value("0.5") <= 1
    assert context.current_privacy_loss() == pytest.approx((1.0, 1e-6))
    assert "canonical_noise" in repr(context)


# --- registering ----------------------------------------------------------------------


@pytest.fixture
def _forgotten(monkeypatch: Any) -> Any:
    monkeypatch.setattr(methods, "_REGISTERED", {})
    methods.method_named.cache_clear()
    yield
    methods.method_named.cache_clear()


def make_own(input_domain: Any, input_metric: Any, scale: Any) -> Any:
    """A count with noise."""
    space = input_domain, input_metric
    return space >> dp.t.then_count() >> dp.m.then_laplace(scale)


@pytest.mark.usefixtures("_forgotten")
def test_a_constructor_of_ones_own_becomes_a_method() -> None:
    query: Any = standing()  # type checkers know no method that is registered
    with pytest.raises(AttributeError):
        _ = query.own
    dp.register(make_own)
    assert query.own().param() == 2.0
    assert query.own(scale=2).resolve() == make_own(*SPACE, 2)
    assert "own" in dir(query)
    assert "A count with noise" in str(query.own.__doc__)
    assert list(inspect.signature(query.own).parameters) == ["scale"]
    dp.register(lambda k: make_own(*SPACE, k), name="alone")
    assert query.alone(4).resolve().map(1) == 0.25
    dp.register(lambda measurement: measurement, name="same")
    assert query.own().same().param() == 2.0


@pytest.mark.usefixtures("_forgotten")
def test_what_cannot_be_registered_is_refused() -> None:
    dp.register(make_own)
    for arguments, said in [
        ((make_own,), "already"),
        ((make_own, "laplace"), "already"),
        ((make_own, "release"), "already"),
        ((lambda x: x,), "must begin with make_"),
        ((1,), "must be callable"),
        ((make_own, "_own"), "must be the name of a method"),
        ((make_own, "two words"), "must be the name of a method"),
        ((dict, "own_dict"), "does not tell its parameters"),
    ]:
        with pytest.raises(ValueError, match=said):
            dp.register(*arguments)  # type: ignore[arg-type]


@pytest.mark.usefixtures("_forgotten")
def test_a_constructor_that_lies_is_charged_what_its_map_says() -> None:
    def make_free(input_domain: Any, input_metric: Any) -> Any:
        return make_own(input_domain, input_metric, 1e-3)

    dp.register(make_free)
    query: Any = opened(epsilon=1.0).query()
    with pytest.raises(dp.OpenDPException, match=r"1\.0 of the limit is left"):
        query.free().release()


def test_the_measure_of_a_query_need_not_be_said_again() -> None:
    for measure, inner in ((PURE, PURE), (PAIR, PURE), (CONCENTRATED, CONCENTRATED)):
        query = standing((0.5, 1e-7) if measure == PAIR else 0.5, measure)
        given: Any = {"candidates": [1, 2, 3], "alpha": 0.5}
        short = query.private_quantile(**given)
        assert short.resolve() == query.private_quantile(inner, **given).resolve()
        named = query.private_quantile(output_measure=inner, **given)
        assert short.resolve() == named.resolve()
        assert short.resolve().check(1, (0.5, 1e-7) if measure == PAIR else 0.5)
    assert standing().count().noise(4.0).resolve().map(1) == 0.25
    scores = standing().quantile_score_candidates([1, 2, 3], 0.5)
    assert scores.noisy_max(negate=True).param() > 0


def test_a_partial_chain_as_opendp_writes_it() -> None:
    chain = dp.PartialChain(make_own, *SPACE)
    assert chain(2.0) == make_own(*SPACE, 2.0)
    assert chain.fix(1, 0.5) == make_own(*SPACE, 2.0)
    assert chain.fix(1, (0.5, 0.0), PAIR) == make_own(*SPACE, 2.0)
    assert dp.PartialChain.wrap(make_own)(*SPACE)(2.0) == make_own(*SPACE, 2.0)
    noise = dp.PartialChain(lambda s: dp.t.then_count() >> dp.m.then_laplace(s))
    assert (SPACE >> noise).fix(1, 0.5).map(1) == 0.5
    with pytest.raises(ValueError, match="at most one parameter"):
        _ = chain >> chain


def test_a_partial_chain_follows_a_transformation() -> None:
    """OpenDP writes `transformation >> PartialChain`; it was refused."""
    clamp = SPACE >> dp.t.then_clamp((0, 10))
    noise = dp.PartialChain(dp.m.then_laplace)
    chain = clamp >> dp.t.then_sum() >> noise
    assert isinstance(chain, dp.PartialChain)
    assert chain.fix(1, 0.5) == clamp >> dp.t.then_sum() >> dp.m.then_laplace(20.0)
    late = SPACE >> (dp.t.then_clamp((0, 10)) >> dp.t.then_sum() >> noise)
    assert late.fix(1, 0.5).map(1) == 0.5
    assert (clamp >> (dp.t.then_sum() >> noise)).fix(1, 0.5).map(1) == 0.5
    whole = dp.PartialChain(dp.m.make_laplace, *clamp.output_space)
    with pytest.raises(dp.OpenDPException):
        (clamp >> whole)(1.0)  # noise for numbers does not fit rows
    noisy = SPACE >> dp.t.then_count() >> dp.m.then_laplace(1.0)
    with pytest.raises(dp.OpenDPException, match="followed by a PartialChain"):
        _ = noisy >> noise
    for other in (3, "text", None):
        with pytest.raises(dp.OpenDPException, match="a transformation cannot be"):
            _ = clamp >> other  # type: ignore[operator]


def test_a_query_of_what_is_no_context_is_refused_at_once() -> None:
    for other in (3, [1, 2], PURE, dp.Context):
        context: Any = other
        with pytest.raises(dp.OpenDPException, match="must be a Context") as caught:
            dp.Query(SPACE, PURE, 1, 0.5, context)
        assert "Context itself" in str(caught.value)


def test_what_is_refused_says_what_fits() -> None:
    """The size of a variance, the metric of scores, bounds, pairs of numbers."""
    query = standing()
    with pytest.raises(dp.OpenDPException, match="then_resize") as caught:
        query.clamp((0, 10)).variance()
    assert "estimate a mean" not in str(caught.value)
    with pytest.raises(dp.OpenDPException, match=r"MO=linf_distance\(T=int\)"):
        query.histogram([1, 2, 3]).noisy_top_k(k=1, scale=1.0)
    scores = query.histogram([1, 2, 3], MO=dp.linf_distance(T=int))
    assert scores.noisy_top_k(k=1).param() > 0
    for bounds in ([31415, 92653, 58979], (31415,) * 40, [31415, 92653, "58979"]):
        with pytest.raises(dp.OpenDPException, match="pair") as caught:
            query.clamp(bounds)  # type: ignore[arg-type]
        assert "31415" not in str(caught.value)
    with pytest.raises(dp.OpenDPException, match="31415, 2"):
        query.clamp((31415, 2))  # two that may be bounds are shown
    with pytest.raises(dp.OpenDPException, match=r"size=2\), size=n\), in a Context"):
        query.covariance((0, 5), (0, 5))
    rows: list[Any] = [(1, 2), (3, 4)]
    loss = dp.loss_of(epsilon=1.0)
    with pytest.raises(dp.OpenDPException, match="pairs of numbers by"):
        dp.Context.compositor(rows, dp.unit_of(changes=1), loss)
