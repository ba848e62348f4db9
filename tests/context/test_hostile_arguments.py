"""Every argument of every link is checked before anything is charged.

Constructors, links of queries and methods of queries about tables are called with
valid arguments, of which one at a time is replaced by a hostile value. Either this
is refused, and nothing was charged; or a release does not raise any more.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, find, settings

import opendp_lite.prelude as dp
from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.features import enable_features
from opendp_lite.context.methods import _homes
from opendp_lite.solving.links import check_functions
from opendp_lite.verify import Contract
from tests.contracts.test_coverage import all_contracts
from tests.rows import for_each


class Rude:
    """Whatever is asked of it, it raises."""

    def _raise(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("of the user's own class")

    __repr__ = __str__ = __len__ = __iter__ = __getitem__ = __contains__ = _raise
    __eq__ = __hash__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _raise
    __float__ = __int__ = __index__ = __call__ = __getattr__ = _raise


HUGE = 10**5000  # Python writes no integer of more than 4,300 digits
HOSTILE: dict[str, Any] = {
    "None": None,
    "-5": -5,
    "0": 0,
    "1.5": 1.5,
    "x": "x",
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "huge": HUGE,
    "huge and negative": -HUGE,
    "huge quotient": Fraction(HUGE, 3),
    "tiny": Fraction(1, HUGE),
    "huge text": "1e5000",
    "True": True,
    "complex": 1j,
    "bytes": b"x",
    "object": object(),
    "type": int,
    "function": lambda *_: None,
    "[]": [],
    "()": (),
    "{}": {},
    "set": {1},
    "generator": iter([]),
    "[1]": [1],
    "[nan]": [math.nan],
    "[huge]": [HUGE],
    "(1, 2)": (1, 2),
    "(None, None)": (None, None),
    "array": np.array([1, 2]),
    "matrix": np.array([[1.0, 2.0]]),
    "series": pd.Series([1, 2]),
    "frame": pd.DataFrame({"a": [1, 2]}),
    "rude": Rude(),
    "[rude]": [Rude()],
    "domain": dp.atom_domain(T=int),
    "metric": dp.symmetric_distance(),
    "measure": dp.max_divergence(),
}

# These may be functions of a user's, also where a valid call has none.
OF_USERS = {"by", "postprocess1"}
CONTRACTS = all_contracts()
NAMED = {each.name.removeprefix("make_"): each for each in CONTRACTS}


@pytest.fixture(autouse=True)
def features() -> Iterator[None]:
    enable_features("contrib", "honest-but-curious")
    logging.disable(logging.WARNING)  # of losses that are unusually large
    yield
    logging.disable(logging.NOTSET)


def valid_arguments(terms: Contract) -> list[Mapping[str, Any]]:
    """Return one or two valid calls of a constructor."""
    rows = [row[0] for row in (*terms.certificates, *terms.couplings)]
    if rows:
        return [rows[0], *(row for row in rows[1:] if row is not rows[0])][:2]
    few = settings(database=None, max_examples=50, phases=[Phase.generate])
    return [find(terms.arguments, lambda _: True, settings=few)]


def some_data(terms: Contract, arguments: Mapping[str, Any], domain: Any) -> list[Any]:
    """Return a few members of a domain, if any are known."""
    rows = (*terms.certificates, *terms.couplings)
    found = [row[1] for row in rows if row[0] is arguments][:1]
    return [each for each in found + domain.extremes()[:2] if domain.member(each)]


def replaced(arguments: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the arguments with each of them replaced by each hostile value.

    A function of the user's own may do anything, and is replaced by no other.
    """
    for name, valid in arguments.items():
        for told, value in HOSTILE.items():
            own = callable(valid) and not isinstance(valid, type)
            if (own or name in OF_USERS) and callable(value):
                continue
            yield f"{name}={told}", {**arguments, name: value}


@contextmanager
def noted(failed: list[str], told: str) -> Iterator[None]:
    """Note what is raised that is no refusal."""
    try:
        yield
    except OpenDPException as error:
        str(error)
    except Exception as error:
        failed.append(f"{told}: {type(error).__name__}: {error}")


def try_out(made: Any, data: list[Any]) -> None:
    """Show an object, ask its map, and apply it to members of its domain."""
    repr(made)
    if hasattr(made, "explain"):
        str(made.explain())
    if hasattr(made, "map"):
        with noted([], ""):
            made.map(1)
    for each in data:
        made(each)


def misbehaved(terms: Contract) -> list[str]:
    """Return which hostile arguments a constructor takes, or refuses in a wrong way."""
    failed: list[str] = []
    for arguments in valid_arguments(terms):
        for told, given in replaced(arguments):
            made = None
            with noted(failed, f"{terms.name}({told})"):
                made = terms.constructor(**given)
            if made is None:
                continue
            domain = getattr(made, "input_domain", None)
            data = [] if domain is None else some_data(terms, arguments, domain)
            try:
                try_out(made, data)
            except Exception as error:
                failed.append(f"{terms.name}({told}) was taken, and raised {error!r}")
    return failed


@for_each("terms", CONTRACTS, ids=[each.name for each in CONTRACTS])
def test_constructors_refuse_or_never_fail(terms: Contract) -> None:
    assert misbehaved(terms) == []


def test_a_constructor_that_checks_too_late_is_found() -> None:
    def make_late(scale: Any) -> Any:
        space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
        noise: Any = space >> dp.m.then_laplace(1.0)
        return noise >> (lambda release: release + math.sqrt(scale))

    with_scale = find(NAMED["laplace"].arguments, lambda _: True)["scale"]
    late = attrs.evolve(
        NAMED["laplace"],
        constructor=make_late,
        certificates=[({"scale": with_scale}, 0, 1, 1)],
    )
    found = misbehaved(late)
    assert any("scale=-5) was taken, and raised" in each for each in found)
    assert any("scale=rude) was taken, and raised" in each for each in found)


# --- links of queries -----------------------------------------------------------------


def large_loss(measure: Any) -> Any:
    return (500, 0.5) if isinstance(measure, dp.ApproximateDivergence) else 500


def context_of(data: Any, domain: Any, unit: Any, measure: Any) -> dp.Context:
    return dp.Context.compositor(
        data=data,
        domain=domain,
        privacy_unit=unit,
        privacy_loss=(measure, large_loss(measure)),
    )


def numbers(measure: Any = dp.max_divergence()) -> dp.Context:  # noqa: B008
    domain = dp.vector_domain(dp.atom_domain(T=float, bounds=(0.0, 9.0)))
    return context_of([1.0, 2.0] * 9, domain, (dp.symmetric_distance(), 1), measure)


def integers() -> dp.Context:
    domain = dp.vector_domain(dp.atom_domain(T=int))
    unit = dp.symmetric_distance(), 1
    return context_of([1, 2] * 9, domain, unit, dp.max_divergence())


def sized() -> dp.Context:
    domain = dp.vector_domain(dp.atom_domain(T=int), size=18)
    unit = dp.change_one_distance(), 1
    return context_of([1, 2] * 9, domain, unit, dp.max_divergence())


def text() -> dp.Context:
    unit = dp.symmetric_distance(), 1
    domain = dp.vector_domain(dp.atom_domain(T=str))
    return context_of(["a,1", "b,2"], domain, unit, dp.max_divergence())


def one_value() -> dp.Context:
    unit = dp.discrete_distance(), 1
    return context_of(True, dp.atom_domain(T=bool), unit, dp.max_divergence())


def frames() -> dp.Context:
    domain = dp.frame_domain({"a": dp.atom_domain(T=str), "b": dp.atom_domain(T=bool)})
    unit = dp.symmetric_distance(), 1
    data = {"a": ["x", "y"], "b": [True, False]}
    return context_of(data, domain, unit, dp.max_divergence())


def pairs() -> dp.Context:
    return numbers(dp.approximate(dp.max_divergence()))


def concentrated() -> dp.Context:
    return numbers(dp.zero_concentrated_divergence())


def table(measure: Any = dp.max_divergence()) -> dp.Context:  # noqa: B008
    domain = dp.table_domain(
        {
            "id": dp.atom_domain(T="i64"),
            "city": dp.atom_domain(T=str),
            "age": dp.option_domain(dp.atom_domain(T="i64")),
        }
    )
    data = {"id": [1, 1, 2], "city": ["A", "B", "A"], "age": [20, 30, None]}
    unit = dp.unit_of(contributions=1, identifier="id")
    return context_of(data, domain, unit, measure)


def marked_table(unit: Any = dp.unit_of(contributions=1)) -> dp.Context:  # noqa: B008
    columns = {
        name: dp.option_domain(dp.atom_domain(T="i64")) for name in ("id", "age")
    }
    domain = dp.table_domain(dp.declare_misfits(columns))
    data = {"id": [1, 1, 2], "age": [20, None, None]}
    data |= {"id_misfit": [False] * 3, "age_misfit": [False, True, False]}
    return context_of(data, domain, unit, dp.max_divergence())


def marked_people() -> dp.Context:
    return marked_table(dp.unit_of(contributions=1, identifier="id"))


def pairs_table() -> dp.Context:
    return table(dp.approximate(dp.max_divergence()))


def age() -> Any:
    return dp.col("age").fill_null(0).clip(0, 100)


def histogram(context: dp.Context) -> Any:
    return context.query(epsilon=1).histogram(edges=[1.0, 2.0, 3.0])


def asked(context: dp.Context, rows: bool = True) -> Any:
    bounds = {"rows": 1, "groups": 1} if rows else {}
    query: Any = context.table(epsilon=1)
    return query.group_by(**bounds) if rows else query


def renyi() -> Any:
    """Return a measurement on the space of `numbers` whose loss is a Renyi curve."""
    space = numbers().query_space
    return dp.m.make_user_measurement(
        *space, dp.renyi_divergence(), lambda _: 0, lambda d: lambda a: a * d**2 / 99
    )


def gaussian(context: dp.Context) -> Any:
    return context.query(**PAIR).count().gaussian(9.0)


def sum_arguments(name: str) -> dict[str, Any]:
    """Return valid arguments of a sum with the name of one of OpenDP's algorithms."""
    real = "float" in name
    given: dict[str, Any] = {"bounds": (0.0, 9.0) if real else (0, 9)}
    if name.startswith("sized"):
        return {"size": 18, **given}
    return {"size_limit": 20, **given} if real else {**given, "T": int}


def summed(name: str) -> dp.Context:
    """Return a Context on the space of a sum."""
    made = getattr(dp.t, f"make_{name}")(**sum_arguments(name))
    data = [1.0, 2.0] * 9 if "float" in name else [1, 2] * 9
    unit = made.input_metric, 1 if "sized" not in name else 2
    return context_of(data, made.input_domain, unit, dp.max_divergence())


PAIR: dict[str, Any] = {"epsilon": 9, "delta": 1e-7}
Ask = Callable[..., Any]
Link = tuple[Callable[[], dp.Context], Ask, dict[str, Any]]
# How a context is opened, what is asked of it, and the arguments that are replaced.
LINKS: dict[str, Link] = {
    "RDP_to_approxDP": (
        pairs,
        lambda c, **k: (
            (c.query(**PAIR) >> renyi()).RDP_to_approxDP(**k).fix_delta(1e-7)
        ),
        {"orders": [2, 4]},
    ),
    "approximate": (
        pairs,
        lambda c, **k: c.query().count().laplace(**k).approximate(),
        {"scale": 2.0},
    ),
    "canonical_noise": (
        pairs,
        lambda c, **k: c.query(epsilon=1, delta=1e-7).sum().canonical_noise(**k),
        {"binomial_size": 100},
    ),
    "cdf": (
        numbers,
        lambda c, **k: histogram(c).laplace().cdf(**k),
        {"TA": float},
    ),
    "compositor": (
        numbers,
        lambda c, **k: c.query(epsilon=1).compositor(**k),
        {
            "split_evenly_over": 2,
            "split_by_weights": None,
            "d_out": None,
            "output_measure": None,
            "alpha": None,
        },
    ),
    "compositor by weights": (
        numbers,
        lambda c, **k: c.query(epsilon=1).compositor(**k),
        {"split_by_weights": [1, 2]},
    ),
    "consistent_b_ary_tree": (
        numbers,
        lambda c, **k: (
            histogram(c)
            .b_ary_tree(leaf_count=4, branching_factor=2)
            .laplace()
            .consistent_b_ary_tree(**k)
        ),
        {"branching_factor": 2, "TOA": float},
    ),
    "create_dataframe": (
        text,
        lambda c, **k: c.query().create_dataframe(**k),
        {"col_names": ["a", "b"], "K": str},
    ),
    "df_cast_default": (
        frames,
        lambda c, **k: c.query().df_cast_default(**k),
        {"column_name": "a", "TIA": str, "TOA": int},
    ),
    "df_is_equal": (
        frames,
        lambda c, **k: c.query().df_is_equal(**k),
        {"column_name": "a", "value": "x"},
    ),
    "fix_delta": (
        pairs,
        lambda c, **k: gaussian(c).zCDP_to_approxDP().fix_delta(**k),
        {"delta": 1e-7},
    ),
    "fixed_approxDP_to_approxDP": (
        pairs,
        lambda c, **k: (
            gaussian(c).zCDP_to_approxDP().fix_delta(**k).fixed_approxDP_to_approxDP()
        ),
        {"delta": 1e-7},
    ),
    "frame_column": (
        frames,
        lambda c, **k: c.query().frame_column(**k).count().laplace(1.0),
        {"key": "a", "TOA": str},
    ),
    "frame_subset": (
        frames,
        lambda c, **k: c.query().frame_subset(**k),
        {"indicator_column": "b", "keep_columns": ["a"]},
    ),
    "identity": (
        numbers,
        lambda c, **k: c.query().identity().count().laplace(**k),
        {"scale": 2.0},
    ),
    "poisson_subsample": (
        numbers,
        lambda c, **k: c.query().count().laplace(2.0).poisson_subsample(**k),
        {"rate": 0.5},
    ),
    "population_amplification": (
        sized,
        lambda c, **k: (
            c.query().clamp((0, 1)).sum().laplace(2.0).population_amplification(**k)
        ),
        {"population_size": 100},
    ),
    "pureDP_to_zCDP": (
        concentrated,
        lambda c, **k: c.query().count().laplace(**k).pureDP_to_zCDP(),
        {"scale": 2.0},
    ),
    "quantiles_from_counts": (
        numbers,
        lambda c, **k: histogram(c).laplace().quantiles_from_counts(**k),
        {"bin_edges": [1.0, 2.0, 3.0], "alphas": [0.5], "interpolation": "linear"},
    ),
    "quantiles_from_counts, converted": (
        concentrated,
        lambda c, **k: (
            c.query()
            .histogram(edges=[1.0, 2.0, 3.0])
            .laplace(2.0)
            .quantiles_from_counts(**k)
            .pureDP_to_zCDP()
        ),
        {"bin_edges": [1.0, 2.0, 3.0], "alphas": [0.5]},
    ),
    "quantiles_from_counts, behind a conversion": (
        pairs,
        lambda c, **k: (
            c.query()
            .histogram(edges=[1.0, 2.0, 3.0])
            .laplace(2.0)
            .approximate()
            .quantiles_from_counts(**k)
        ),
        {"bin_edges": [1.0, 2.0, 3.0], "alphas": [0.5]},
    ),
    "quantiles_from_counts of a sample": (
        numbers,
        lambda c, **k: (
            c.query()
            .histogram(edges=[1.0, 2.0, 3.0])
            .laplace(2.0)
            .quantiles_from_counts(**k)
            .poisson_subsample(0.5)
        ),
        {"bin_edges": [1.0, 2.0, 3.0], "alphas": [0.5]},
    ),
    "randomized_response": (
        one_value,
        lambda c, **k: c.query().randomized_response(**k),
        {"categories": [True, False], "prob": 0.75, "T": None},
    ),
    "randomized_response_bool": (
        one_value,
        lambda c, **k: c.query().randomized_response_bool(**k),
        {"prob": 0.75, "constant_time": False},
    ),
    "select_column": (
        frames,
        lambda c, **k: c.query().select_column(**k).count().laplace(1.0),
        {"key": "a", "TOA": str, "K": None},
    ),
    "select_private_candidate": (
        numbers,
        lambda c, **k: (
            c.query().count().laplace(9.0) >> (lambda score: (score, "it"))
        ).select_private_candidate(**k),
        {"stop_probability": 0.1, "threshold": 1.0},
    ),
    "sequential_composition": (
        numbers,
        lambda c, **k: c.query().sequential_composition(**k),
        {"output_measure": dp.max_divergence(), "d_in": 1, "d_mids": [1, 2]},
    ),
    "split_dataframe": (
        text,
        lambda c, **k: c.query().split_dataframe(**k),
        {"separator": ",", "col_names": ["a", "b"], "K": None},
    ),
    "split_lines": (text, lambda c, **k: c.query().split_lines(), {}),
    "split_records": (
        text,
        lambda c, **k: c.query().split_records(**k),
        {"separator": ","},
    ),
    "subset_by": (
        frames,
        lambda c, **k: c.query().subset_by(**k),
        {"indicator_column": "b", "keep_columns": ["a"], "TK": None},
    ),
    "zCDP_to_approxDP": (
        pairs,
        lambda c, **k: c.query(**PAIR).count().gaussian(**k).zCDP_to_approxDP(),
        {"scale": 9.0},
    ),
    **{
        name: (
            lambda _name=name: summed(_name),
            lambda c, _name=name, **k: getattr(c.query(), _name)(**k).laplace(9.0),
            sum_arguments(name),
        )
        for name in _homes()
        if "bounded_int" in name or "bounded_float" in name
    },
    "query": (
        pairs,
        lambda c, **k: c.query(**k).count().laplace(),
        {"epsilon": 1, "delta": 1e-7, "rho": None},
    ),
    "query of rho": (
        concentrated,
        lambda c, **k: c.query(**k).count().gaussian(),
        {"rho": 0.1},
    ),
    "param": (
        numbers,
        lambda c, **k: _after(c.query(epsilon=1).count().laplace(), "param", k),
        {"allow_transformations": False, "bounds": None, "T": None},
    ),
    "preview": (
        numbers,
        lambda c, **k: _after(c.query(epsilon=1).count().laplace(), "preview", k),
        {"alpha": 0.05, "bounds": None, "T": None},
    ),
    "release": (
        numbers,
        lambda c, **k: _With(c.query(epsilon=1).count().laplace(), k),
        {"data": None, "bounds": None, "T": None},
    ),
    "explain": (
        numbers,
        lambda c, **k: _after(c.query(epsilon=1).count().laplace(), "explain", k),
        {"d_in": None},
    ),
    "table": (
        pairs_table,
        lambda c, **k: c.table(**k).agg(n=dp.people()),
        {"epsilon": 1, "delta": 1e-7, "rho": None},
    ),
    "table rows": (
        table,
        lambda c, **k: c.table(epsilon=1, **k).agg(n=dp.count()),
        {"rows": 2},
    ),
    "table groups": (
        table,
        lambda c, **k: c.table(epsilon=1, **k).agg(n=dp.col("city").n_unique()),
        {"groups": 2},
    ),
    "table rows and groups by": (
        table,
        lambda c, **k: (
            c.table(epsilon=1, **k)
            .group_by("city", keys={"city": ["A", "B"]})
            .agg(n=dp.count())
        ),
        {"rows": 2, "groups": 1},
    ),
    "table rows given twice": (
        table,
        lambda c, **k: (
            c.table(epsilon=1, rows=2, groups=1)
            .group_by("city", keys={"city": ["A", "B"]}, **k)
            .agg(n=dp.count())
        ),
        {"rows": 2, "groups": 1},
    ),
    "table of nobody's rows": (
        marked_table,
        lambda c, **k: c.table(epsilon=1, **k).agg(n=dp.count()),
        {"rows": None, "groups": None},
    ),
    "table count_misfits": (
        marked_people,
        lambda c, **k: c.table(**k).count_misfits(),
        {"epsilon": 1, "rows": 2, "groups": None},
    ),
    "table count_misfits of rows": (
        marked_table,
        lambda c, **k: c.table(**k).count_misfits(),
        {"epsilon": 1, "delta": None, "rho": None},
    ),
    "table misfits": (
        marked_people,
        lambda c, name: c.table(epsilon=1, rows=2).agg(m=dp.col(name).misfits()),
        {"name": "age"},
    ),
    "table filter": (
        table,
        lambda c, p: asked(c, rows=False).filter(p).agg(n=dp.people()),
        {"p": dp.col("age").fill_null(0) > 3},
    ),
    "table with_columns": (
        table,
        lambda c, new: asked(c, rows=False).with_columns(x=new).agg(n=dp.people()),
        {"new": age()},
    ),
    "table join": (
        table,
        lambda c, **k: asked(c, rows=False).join(**k).agg(n=dp.people()),
        {"public": {"city": ["A", "B"], "pop": [1, 2]}, "on": "city", "how": "left"},
    ),
    "table group_by": (
        table,
        lambda c, by, **k: c.table(epsilon=1).group_by(by, **k).agg(n=dp.people()),
        {"by": "city", "keys": {"city": ["A", "B"]}, "rows": 2, "groups": 1},
    ),
    "table group_by tuples": (
        table,
        lambda c, **k: (
            c.table(epsilon=1)
            .group_by("city", **k, rows=1, groups=1)
            .agg(n=dp.people())
        ),
        {"keys": [("A",), ("B",)]},
    ),
    "table group_by without keys": (
        pairs_table,
        lambda c, by, **k: (
            c.table(epsilon=1, delta=1e-7).group_by(by, **k).agg(n=dp.people())
        ),
        {"by": "city", "rows": 2, "groups": 1},
    ),
    "table agg": (
        table,
        lambda c, **k: asked(c).agg(**k),
        {"weights": {"n": 1, "s": 2}, "n": dp.people(), "s": age().sum()},
    ),
    "table weight": (
        table,
        lambda c, w: asked(c).agg(
            n=dp.people(), s=age().sum(), weights={"n": 1, "s": w}
        ),
        {"w": 2},
    ),
    "table sum": (
        table,
        lambda c, fill, lower, upper, k: asked(c).agg(
            n=dp.col("age").fill_null(fill).clip(lower, upper).sum(k=k)
        ),
        {"fill": 0, "lower": 0, "upper": 100, "k": None},
    ),
    "table mean": (
        table,
        lambda c, **k: asked(c).agg(m=age().mean(), v=age().variance(**k)),
        {"ddof": 1},
    ),
    "table quantiles": (
        table,
        lambda c, **k: asked(c).agg(q=age().quantiles(**k)),
        {"alphas": [0.5], "edges": [0, 50, 100]},
    ),
    "table histogram": (
        table,
        lambda c, **k: asked(c).agg(h=age().histogram(**k)),
        {"edges": [0, 50, 100]},
    ),
    "table n_unique": (
        table,
        lambda c, name: asked(c).agg(u=dp.col(name).n_unique()),
        {"name": "city"},
    ),
    "table expressions": (
        table,
        lambda c, a, m, least, value: (
            asked(c, rows=False)
            .filter(age() >= least)
            .with_columns(x=dp.lit(value))
            .group_by(rows=1, groups=1)
            .agg(s=((age() + a) * m).clip(0, 9).sum())
        ),
        {"a": 1, "m": 2, "least": 3, "value": 4},
    ),
    "table preview": (
        table,
        lambda c, **k: _after(asked(c).agg(n=dp.people()), "preview", k),
        {"alpha": 0.05},
    ),
    "table release": (
        table,
        lambda c, **k: _With(asked(c).agg(n=dp.people()), k),
        {"alpha": 0.05},
    ),
}


def _after(query: Any, method: str, arguments: dict[str, Any]) -> Any:
    repr(getattr(query, method)(**arguments))
    return query


@attrs.frozen(repr=False)
class _With:
    """A query that is released with arguments."""

    query: Any
    arguments: dict[str, Any]

    def preview(self) -> Any:
        return self.query.preview()

    def release(self) -> Any:
        return self.query.release(**self.arguments)


def contract_links() -> dict[str, Link]:
    """Return the links whose contract says on which space they stand."""
    found: dict[str, Link] = {}
    for name in sorted(_homes().keys() - LINKS.keys()):
        terms = NAMED[name]
        for number, arguments in enumerate(valid_arguments(terms)):
            rest = dict(arguments)
            domain, metric = rest.pop("input_domain"), rest.pop("input_metric")
            data = some_data(terms, arguments, domain)[0]
            made = terms.constructor(**arguments)
            measure = getattr(made, "output_measure", dp.max_divergence())
            if measure == dp.smoothed_max_divergence():  # its losses are curves
                measure = dp.approximate(dp.max_divergence())
            far = next(
                each for each in (1, (1, 1), (1, 1, 1)) if _is_distance(metric, each)
            )

            def open_context(
                given: Any = (data, domain, (metric, far), measure),
            ) -> dp.Context:
                return context_of(*given)

            def ask(context: dp.Context, _name: str = name, **given: Any) -> Any:
                return getattr(context.query(), _name)(**given)

            found[f"{name} {number}"] = open_context, ask, rest
    return found


def _is_distance(metric: Any, value: Any) -> bool:
    try:
        metric.parse(value)
    except OpenDPException:
        return False
    return True


def charged(context: dp.Context) -> tuple[Any, int]:
    return context.remaining_privacy_loss(), len(context.journal())


def lost(name: str, open_context: Any, ask: Ask, valid: dict[str, Any]) -> list[str]:
    """Return which hostile arguments of a link are charged for, or raise otherwise."""
    failed: list[str] = []
    context = open_context()
    for told, arguments in [("valid", valid), *replaced(valid)]:
        before, done = charged(context), False
        with noted(failed, f"{name}({told})"):
            query = ask(context, **arguments)
            repr(query)
            shown = query.preview()
            repr(shown)
            release = query.release()
            repr(context)
            repr(context.journal())
            if hasattr(release, "p_value"):
                release.p_value(0.5)
            done = True
        if not done and charged(context) != before:
            failed.append(f"{name}({told}) was charged, and raised")
        if charged(context) != before:
            context = open_context()
    return failed


def test_every_link_is_tried() -> None:
    tried = {name.rpartition(" ")[0] for name in contract_links()} | LINKS.keys()
    assert {*_homes(), "canonical_noise", "compositor"} <= tried


@pytest.mark.filterwarnings("ignore:make_sequential_composition:DeprecationWarning")
@for_each("name", LINKS)
def test_links_refuse_before_they_are_charged(name: str) -> None:
    assert lost(name, *LINKS[name]) == []


def test_links_with_a_contract_refuse_before_they_are_charged() -> None:
    links = contract_links()
    assert [each for name in links for each in lost(name, *links[name])] == []


def test_functions_that_follow_a_single_number_are_refused() -> None:
    noisy: list[Ask] = [
        lambda c: c.query().count().laplace(9.0).approximate(),
        lambda c: c.query(epsilon=1, delta=1e-7).sum().canonical_noise(),
    ]
    for ask in noisy:
        context = pairs()
        before = charged(context)
        with pytest.raises(
            OpenDPException, match=r"make_cdf.* cannot follow this query"
        ):
            (ask(context) >> dp.t.make_cdf()).release()
        assert charged(context) == before


def test_functions_of_a_list_with_one_release_are_not_refused() -> None:
    """The release of such a composition is a list, and not the number in it."""
    number = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    one = dp.c.make_composition([dp.m.make_laplace(*number, 0)])
    dp.enable_features("contrib")
    try:
        quantile = dp.t.make_quantiles_from_counts([0, 10], [0.5])
        made = dp.c.make_chain_proved(quantile, one)
    finally:
        dp.disable_features("contrib")
    check_functions(made)
    assert made(5) == [5.0]


def test_a_link_that_checks_too_late_is_found() -> None:
    def ask(context: dp.Context, size: Any) -> Any:
        return context.query().count().laplace(1.0) >> (lambda x: math.sqrt(size))

    found = lost("late", integers, ask, {"size": 4})
    assert "late(size=-5) was charged, and raised" in found
    assert lost("early", integers, ask, {}) != []


@pytest.mark.filterwarnings("ignore:make_sequential_composition:DeprecationWarning")
def test_the_valid_arguments_are_answered() -> None:
    """Otherwise a link would be refused for another reason than the argument."""
    refused: list[str] = []
    for name, (open_context, ask, valid) in LINKS.items():
        query = ask(open_context(), **valid)
        if not isinstance(getattr(query, "_chain", None), dp.Transformation):
            with noted([], ""):
                query.release()
                continue
            refused.append(name)
    # What is amplified must be all that is released, and a Context answers more.
    assert refused == ["population_amplification"]
