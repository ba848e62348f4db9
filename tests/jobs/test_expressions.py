"""Expressions as text: what Python builds of them, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import jobs
from opendp_lite.jobs.shapes import JobError
from tests.rows import for_each

NAMES = st.sampled_from(["age", "spend", "city", "col", "dp", "people", "é"])
NUMBERS = st.integers(-(2**40), 2**40) | st.floats(-1e9, 1e9, allow_nan=False)
VALUES = NUMBERS | st.booleans() | st.text("ab'\"\\{}é", max_size=4)
LISTS = st.lists(NUMBERS, min_size=1, max_size=3)


def of_one(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Texts of expressions that are made of others."""
    pairs = st.tuples(inner, st.sampled_from("+ - * == != < <= > >= & |".split()))
    literal = VALUES.map(repr)
    return st.one_of(
        st.builds(lambda a, v: f"{a}.fill_null({v!r})", inner, VALUES),
        st.builds(lambda a: f"{a}.is_null()", inner),
        st.builds(lambda a, x, y: f"{a}.clip({x!r}, {y!r})", inner, NUMBERS, NUMBERS),
        st.builds(lambda a, x: f"{a}.clip(0, upper_bound={x!r})", inner, NUMBERS),
        st.builds(lambda a, x: f"{a}.cut({x!r})", inner, LISTS),
        st.builds(lambda a, x: f"{a}.is_in({x!r})", inner, st.lists(VALUES)),
        st.builds(lambda a: f"(~{a})", inner),
        st.builds(lambda p, b: f"({p[0]} {p[1]} {b})", pairs, inner | literal),
        st.builds(lambda a, p: f"({a} {p[1]} {p[0]})", literal, pairs),
    )


EXPRESSIONS = st.recursive(
    NAMES | st.text("a b'é", max_size=3).map(lambda name: f"col({name!r})"),
    of_one,
    max_leaves=6,
)
AGGREGATES = st.builds(
    "{}.{}".format,
    EXPRESSIONS,
    st.sampled_from(
        [
            *("sum()", "sum(k=-3)", "mean()", "variance(ddof=0)", "n_unique()"),
            *("histogram([1, 2])", "quantiles([0.5], edges=[1.0, 2.5])"),
        ]
    ),
)


class Columns(dict[str, Any]):
    """Names as Python would look them up: columns, and `col`."""

    def __missing__(self, name: str) -> Any:
        return dp.col(name)


@settings(max_examples=5 * settings().max_examples)
@given(EXPRESSIONS | AGGREGATES)
def test_a_text_is_what_python_makes_of_it(text: str) -> None:
    # A column may be called col: what is called is the function, here and there.
    source = text.replace("col(", "dp_col(")
    names = Columns({"dp_col": dp.col, "__builtins__": {}})
    assert repr(jobs.parsed(text)) == repr(eval(source, {"__builtins__": {}}, names))


@for_each(
    ("text", "shown"),
    [
        ("people()", "people()"),
        ("dp.count()", "count()"),
        ("dp.col('a b').sum()", "col('a b').sum()"),
        ("lit(2) - share", "(lit(2) - col('share'))"),
        ("-1 + age", "(lit(-1) + col('age'))"),
        (" age.clip(0,\n  9) ", "col('age').clip(0, 9)"),
        ("age.fill_null('__import__')", "col('age').fill_null('__import__')"),
        ("(" * 150 + "age" + ")" * 150, "col('age')"),
    ],
)
def test_texts_that_are_read(text: str, shown: str) -> None:
    assert repr(jobs.parsed(text)) == shown


HOSTILE = [
    "age.__class__",
    "age.__class__()",
    "age.__class__.__bases__[0].__subclasses__()",
    "().__class__",
    "''.join(age)",
    "'{0.__class__}'.format(age)",
    "__import__('os').system('true')",
    "eval('1')",
    "exec('1')",
    "open('x')",
    "getattr(age, 'x')",
    "dp.os",
    "dp.Context()",
    "age.text()",
    "age.domain({})",
    "age.python({})",
    "age._node('Column', 'x')",
    "age.x",
    "age[0]",
    "age[0:1]",
    "[x for x in age]",
    "{x for x in age}",
    "(x for x in age)",
    "{}",
    "lambda: age",
    "(age := 1)",
    "age if age else age",
    "age and age",
    "not age",
    "0 < age < 9",
    "age in [1]",
    "age is age",
    "f'{age}'",
    "b'x'",
    "1j",
    "None",
    "...",
    "*age",
    "await age",
    "yield",
    "age.fill_null(*[1])",
    "age.fill_null(**{})",
    "age.fill_null(other)",
    "age.fill_null(1 + 1)",
    "age.fill_null(self=1)",
    "age.sum(expr=1)",
    "col(age)",
    "age.sum().sum()",
    "age.sum() + 1",
    "age + [1]",
    "age / 2",
    "age ** 2",
    "2 ** 99999999",
    "9 ** 9 ** 9",
    "age << 1",
    "age ^ 1",
    "age @ age",
    "-age",
    "age.fill_null(1e999)",
    "age.fill_null(2 ** 70)",
    f"age.fill_null({2**70})",
    f"age.fill_null(0x{'f' * 900})",
    f"age.fill_null({'9' * 3900})",
    "age" + " + 1" * 800,
    "~" * 2000 + "age",
    "-" * 3000 + "1",
    "(" * 1900 + "age" + ")" * 1900,
    "[" * 1900 + "]" * 1900,
    "age" + ".fill_null(0)" * 300,
    "a" * 5000,
    "",
    "   ",
    "age;",
    "age\x00",
    "\ud800",
    "import os",
    "age = 1",
    "1",
    "'text'",
    "[1, 2]",
    "True",
]


@for_each("text", HOSTILE, ids=lambda text: ascii(text[:30]))
def test_what_is_not_in_the_language_is_refused(text: str) -> None:
    with pytest.raises(JobError) as caught:
        jobs.parsed(text)
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 500


@for_each(
    ("text", "told"),
    [
        ("age.fill_nul(0)", "Did you mean 'fill_null'?"),
        ("age.cast(int)", "expressions have no 'cast'. The type of a column"),
        ("peple()", "Did you mean 'people'?"),
        ("age / 2", "Multiply by the inverse"),
        ("age.is_null", "A method has parentheses"),
        ("age.clip(1)", "missing a required argument: 'upper_bound'"),
        ("1", "is a value, and no expression of the columns"),
        ("age.fill_null(None)", "missing values are told by is_null()"),
    ],
)
def test_the_sentence_says_what_to_write(text: str, told: str) -> None:
    with pytest.raises(JobError) as caught:
        jobs.parsed(text)
    assert told in caught.value.message
    assert repr(text) in caught.value.message


def test_what_is_no_text_is_refused() -> None:
    for value in (3, None, b"age", ["age"]):
        with pytest.raises(JobError, match="an expression is text"):
            jobs.parsed(value)  # type: ignore[arg-type]
