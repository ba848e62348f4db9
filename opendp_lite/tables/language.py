"""What is said of operations that are not in the language of expressions.

Each sentence names the nearest thing that is. The language is closed: what is in it has
one meaning on every engine, and what is not is refused before any data are seen.
"""

from __future__ import annotations

_HAS = (
    "Expressions have fill_null, is_null, clip, cut, is_in, + - *, comparisons and "
    "& | ~"
)
TRUTH = (
    "an expression is neither true nor false, as it has a value for each row. Write & "
    "for `and`, | for `or`, ~ for `not`, (a <= x) & (x <= b) for `a <= x <= b`, and "
    "x.is_in([...]) for `in`. Whether two expressions are the same says "
    "repr(x) == repr(y)."
)
ITERATION = (
    "an expression has one value in each row and no items. Name a column by "
    "dp.col(name); cut(edges) tells in which interval a number lies."
)
DIVISION = (
    "expressions have no division: engines do not agree on its rounding. Multiply by "
    "the inverse, x * 0.5, or put numbers into intervals by x.cut(edges); a ratio of "
    "sums is computed from releases."
)
POWER = "expressions have no power. Write x * x for a square."
NEGATION = "expressions have no sign. Write 0 - x, or 0.0 - x for floats."
LOGIC = "of bits and shifts expressions have none. Write & | ~, and != for either-or."

_TEXT = "Text is compared by == and !=, or by is_in([...])"
_WINDOW = (
    "A row is computed from its own columns alone. Groups are made by group_by(...)"
)
_FUNCTION = "A function of one's own is not known to be total; use cut, is_in and clip"
_NUMBER = "Put numbers into intervals by cut(edges), and bound them by clip"
_TYPE = "The type of a column is declared in table_domain; cut(edges) makes ints"
_NULL = "A missing value, null or NaN, is told by is_null() and replaced by fill_null"
_ORDER = "Ask for quantiles(alphas, edges), in .agg(...)"
_CASE = "Write cut(edges), is_in([...]) or fill_null(value); of bools & | ~"
_NAME = "Name it where it is used: with_columns(name=...), agg(name=...)"
_COUNT = "Write dp.count() for rows and dp.people() for people, in .agg(...)"

_ABSENT = {
    name: told
    for names, told in (
        ("str dt cat list struct arr bin lower upper strip replace contains", _TEXT),
        ("startswith endswith like rlike substr slice split concat", _TEXT),
        ("over shift diff rank cum_sum cumsum cum_count rolling rolling_mean", _WINDOW),
        ("sort sort_by lag lead first last head tail row_number filter", _WINDOW),
        ("map map_elements map_batches apply pipe transform udf", _FUNCTION),
        ("round floor ceil abs sqrt log log10 exp sign mod pow truediv", _NUMBER),
        ("floordiv div bin_width qcut", _NUMBER),
        ("cast astype to_physical strict_cast", _TYPE),
        ("fill_nan fillna is_nan isna isnull isNull isNotNull is_not_null", _NULL),
        ("notna notnull is_not_nan is_finite drop_nulls drop_nans dropna", _NULL),
        ("min max median quantile arg_min arg_max mode", _ORDER),
        ("when then otherwise where mask if_else", _CASE),
        ("alias name rename", _NAME),
        ("len count size", _COUNT),
        ("std var", "Write variance(), in .agg(...); its root is the deviation"),
        ("unique nunique approx_n_unique", "Write n_unique(), in .agg(...)"),
        ("is_between between", "Write (a <= x) & (x <= b)"),
        ("isin", "Write is_in([...])"),
        ("eq ne lt le gt ge", "Write == != < <= > >="),
        ("and_ or_ not_ xor", "Write & | ~, and != for either-or"),
        ("add sub mul", "Write + - *"),
        ("dp", "The methods are of the expression itself: sum(), mean(), ..."),
    )
    for name in names.split()
}

_LIBRARIES = {
    "duckdb": "DuckDB",
    "narwhals": "Narwhals",
    "pandas": "pandas",
    "polars": "Polars",
    "pyarrow": "PyArrow",
    "pyspark": "Spark",
}


def absent(name: str) -> str:
    """Return the sentence about a method that expressions do not have.

    >>> absent("cast")
    "expressions have no 'cast'. The type of a column is declared in table_domain; \
cut(edges) makes ints."
    """
    return f"expressions have no {name!r}. {_ABSENT.get(name, _HAS)}."


def foreign(kind: type) -> str | None:
    """Return the name of the library that a class is of, if it computes with tables."""
    module = type.__getattribute__(kind, "__module__")
    root = str.partition(module, ".")[0] if type(module) is str else ""
    return _LIBRARIES.get(root)
