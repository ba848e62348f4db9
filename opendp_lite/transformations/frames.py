"""Data frames: made of text, one column cast or compared, rows and columns selected."""

from __future__ import annotations

from itertools import compress
from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance
from opendp_lite.base.arguments import check_type
from opendp_lite.base.containers import rows
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import (
    AtomDomain,
    Domain,
    FrameDomain,
    OptionDomain,
    VectorDomain,
)
from opendp_lite.core.metrics import InsertDeleteDistance, Metric, SymmetricDistance
from opendp_lite.core.registry import Partial, constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument, parse_atom
from opendp_lite.transformations.datasets import check_rows
from opendp_lite.transformations.lines import make_split_lines, make_split_records
from opendp_lite.transformations.rows.casting import make_cast_default
from opendp_lite.transformations.rows.matching import make_is_equal

_MAKE = "MakeTransformation"
_FRAME_FIX = "Pass for example frame_domain({'age': atom_domain(T=int)})"
_NAME_RULE = "the frames on the left need not have such a column"
_NAME_FIX = "Pass a name that the frame_domain on the left has"


@constructor(proof="transformations/make_create_dataframe", status="vetted")
def make_create_dataframe(
    col_names: Any, K: TypeArgument | None = None
) -> Transformation:
    """Return the transformation of records, lists of cells, into a frame of text.

    Guarantee: d(x, x') <= d_in implies d(f(x), f(x')) <= d_in, where d is the symmetric
    distance.

    A record that is longer than `col_names` is cut off, and one that is shorter gets
    empty cells at the end.

    :param col_names: the names of the columns, text or int, one at least
    :param K: type of the names, if it is to be checked

    >>> import opendp_lite.prelude as dp
    >>> frame = dp.t.make_create_dataframe(["name", "age"])
    >>> frame([["ann", "31"], ["bob"]]), frame.map(1)
    ({'name': ['ann', 'bob'], 'age': ['31', '']}, 1)

    Raises `MakeTransformation` for other names.

    Proof: proofs/transformations/make_create_dataframe.tex
    """
    names = _names("col_names", col_names, "K", K)  # proof: names
    text = AtomDomain(T=str)
    blank, width = [""] * len(names), len(names)

    def function(arg: Data) -> Any:
        records = [(rows(record) + blank)[:width] for record in arg]  # proof: records
        return {name: [record[j] for record in records] for j, name in enumerate(names)}

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in  # proof: map

    return Transformation(
        VectorDomain(VectorDomain(text)),
        FrameDomain(dict.fromkeys(names, text)),  # proof: output
        function,
        SymmetricDistance(),
        SymmetricDistance(),
        stability_map,
    )


def make_split_dataframe(
    separator: str, col_names: Any, K: TypeArgument | None = None
) -> Transformation:
    """Return the transformation of a text into a frame of text, line by line.

    It is `make_split_lines`, `make_split_records` and `make_create_dataframe` one after
    the other.

    :param separator: what stands between the cells of a line, such as ","
    :param col_names: the names of the columns, text or int, one at least
    :param K: type of the names, if it is to be checked

    >>> import opendp_lite.prelude as dp
    >>> frame = dp.t.make_split_dataframe(",", ["name", "age"])
    >>> frame("ann, 31\\nbob"), frame.map(1)
    ({'name': ['ann', 'bob'], 'age': ['31', '']}, 1)
    """
    records = make_split_lines() >> make_split_records(separator)
    made: Transformation = records >> make_create_dataframe(col_names, K)
    return made


@constructor(proof="transformations/make_df_cast_default", status="vetted")
def make_df_cast_default(
    input_domain: Domain,
    input_metric: Metric,
    column_name: object,
    TIA: TypeArgument,
    TOA: TypeArgument,
) -> Transformation:
    """Return the transformation that casts the entries of one column of a frame.

    Guarantee: d(x, x') <= d_in implies d(f(x), f(x')) <= d_in. Entries become what
    `make_cast_default` makes of them; the other columns stay as they are.

    :param input_domain: frame_domain that has the column
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param column_name: the column
    :param TIA: type of its entries
    :param TOA: bool, int, float, str or Fraction, or a name such as "i32" or "f32"

    >>> import opendp_lite.prelude as dp
    >>> frame = dp.t.make_split_dataframe(",", ["name", "age"])
    >>> ages = frame >> dp.t.then_df_cast_default("age", str, int)
    >>> ages("ann, 31\\nbob"), ages.map(1)
    ({'name': ['ann', 'bob'], 'age': [31, 0]}, 1)

    Raises `MakeTransformation` for another space or column, `TypeParse` for a type.

    Proof: proofs/transformations/make_df_cast_default.tex
    """
    domain = _check_frame(input_domain, input_metric)  # proof: space
    entry = _entry(domain, "column_name", column_name, "TIA", TIA)  # proof: column
    cast = make_cast_default(VectorDomain(entry), input_metric, TOA)  # proof: cast
    return _replacing(domain, input_metric, column_name, cast)  # proof: replacing


then_df_cast_default = then(make_df_cast_default)


@constructor(proof="transformations/make_df_is_equal", status="vetted")
def make_df_is_equal(
    input_domain: Domain,
    input_metric: Metric,
    column_name: object,
    value: object,
    TIA: TypeArgument | None = None,
) -> Transformation:
    """Return the transformation that compares the entries of one column with a value.

    Guarantee: d(x, x') <= d_in implies d(f(x), f(x')) <= d_in. Entries become what
    `make_is_equal` makes of them, True or False; the other columns stay as they are.

    :param input_domain: frame_domain that has the column
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param column_name: the column
    :param value: a value of the type of its entries
    :param TIA: type of the entries, if it is to be checked

    >>> import opendp_lite.prelude as dp
    >>> frame = dp.t.make_create_dataframe(["name", "vote"])
    >>> votes = frame >> dp.t.then_df_is_equal("vote", "yes")
    >>> votes([["ann", "yes"], ["bob", "no"]]), votes.map(1)
    ({'name': ['ann', 'bob'], 'vote': [True, False]}, 1)

    Raises `MakeTransformation` for another space, column or value.

    Proof: proofs/transformations/make_df_is_equal.tex
    """
    domain = _check_frame(input_domain, input_metric)  # proof: space
    entry = _entry(domain, "column_name", column_name, "TIA", TIA)  # proof: column
    equal = make_is_equal(VectorDomain(entry), input_metric, value)  # proof: equal
    return _replacing(domain, input_metric, column_name, equal)  # proof: replacing


then_df_is_equal = then(make_df_is_equal)


@constructor(proof="transformations/make_frame_column", status="vetted")
def make_frame_column(
    input_domain: Domain,
    input_metric: Metric,
    key: object,
    TOA: TypeArgument | None = None,
) -> Transformation:
    """Return the transformation of a frame into the list of one of its columns.

    Guarantee: d(x, x') <= d_in implies d(f(x), f(x')) <= d_in.

    :param input_domain: frame_domain that has the column
    :param input_metric: a metric that counts rows, such as symmetric_distance()
    :param key: the column
    :param TOA: type of its entries, if it is to be checked

    >>> import opendp_lite.prelude as dp
    >>> people = dp.frame_domain({"age": dp.atom_domain(T=int)})
    >>> ages = (people, dp.symmetric_distance()) >> dp.t.then_frame_column("age")
    >>> ages({"age": [31, 27], "name": ["ann", "bob"]}), ages.map(1)
    ([31, 27], 1)

    Raises `MakeTransformation` for another space or column.

    Proof: proofs/transformations/make_frame_column.tex
    """
    domain = _check_frame(input_domain, input_metric)  # proof: space
    entry = _entry(domain, "key", key, "TOA", TOA)  # proof: column

    def function(arg: Data) -> Any:
        return rows(arg[key])  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in  # proof: map

    return Transformation(
        input_domain,
        VectorDomain(entry),  # proof: output
        function,
        input_metric,
        input_metric,
        stability_map,
    )


then_frame_column = then(make_frame_column)


def make_select_column(
    key: object, TOA: TypeArgument, K: TypeArgument | None = None
) -> Partial[Transformation]:
    """Return the partial `then_frame_column`: it takes its frames from the left of >>.

    :param key: the column
    :param TOA: type of its entries
    :param K: type of the name, if it is to be checked

    >>> import opendp_lite.prelude as dp
    >>> frame = dp.t.make_split_dataframe(",", ["name", "age"])
    >>> names = frame >> dp.t.make_select_column("name", TOA=str)
    >>> names("ann, 31\\nbob"), names.map(1)
    (['ann', 'bob'], 1)
    """
    _names("key", (key,), "K", K)
    return then_frame_column(key, TOA)


@constructor(proof="transformations/make_frame_subset", status="vetted")
def make_frame_subset(
    input_domain: Domain,
    input_metric: Metric,
    indicator_column: object,
    keep_columns: Any,
) -> Transformation:
    """Return the transformation that keeps the rows that one column marks by True.

    Guarantee: d(x, x') <= d_in implies d(f(x), f(x')) <= d_in. Where rows are changed,
    neighbours would differ in size afterwards: such metrics are refused.

    :param input_domain: frame_domain that has the columns
    :param input_metric: symmetric_distance() or insert_delete_distance()
    :param indicator_column: the column of bool that says which rows are kept
    :param keep_columns: the columns that are kept, one at least

    >>> import opendp_lite.prelude as dp
    >>> people = dp.frame_domain(
    ...     {"age": dp.atom_domain(T=int), "votes": dp.atom_domain(T=bool)})
    >>> space = people, dp.symmetric_distance()
    >>> voters = space >> dp.t.then_frame_subset("votes", ["age"])
    >>> voters({"age": [31, 27], "votes": [True, False]}), voters.map(1)
    ({'age': [31]}, 1)

    Raises `MakeTransformation` for another space or columns.

    Proof: proofs/transformations/make_frame_subset.tex
    """
    domain = _check_frame(input_domain, input_metric)  # proof: space
    fix = "Pass symmetric_distance() or insert_delete_distance()"
    kinds = (SymmetricDistance, InsertDeleteDistance)
    check_type(_MAKE, "input_metric", input_metric, kinds, fix)  # proof: unbounded
    mark = _entry(domain, "indicator_column", indicator_column, "", None)  # proof: mark
    if not isinstance(mark, AtomDomain) or mark.T is not bool:  # proof: truth
        rule, fix = "must be a column of bool", "Use then_df_is_equal(...) first"
        raise refusal(_MAKE, "indicator_column", indicator_column, rule, fix)
    names = _names("keep_columns", keep_columns, "", None)  # proof: names
    kept = {name: domain.column(name) for name in names}
    if any(entry is None for entry in kept.values()):  # proof: kept
        raise refusal(_MAKE, "keep_columns", keep_columns, _NAME_RULE, _NAME_FIX)

    def function(arg: Data) -> Any:
        marks = rows(arg[indicator_column])
        return {
            name: list(compress(rows(arg[name]), marks))  # proof: function
            for name in names
        }

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in  # proof: map

    return Transformation(
        input_domain,
        FrameDomain(kept),  # proof: output
        function,
        input_metric,
        input_metric,
        stability_map,
    )


then_frame_subset = then(make_frame_subset)


def make_subset_by(
    indicator_column: object, keep_columns: Any, TK: TypeArgument | None = None
) -> Partial[Transformation]:
    """Return the partial `then_frame_subset`: it takes its frames from the left of >>.

    :param indicator_column: the column of bool that says which rows are kept
    :param keep_columns: the columns that are kept, one at least
    :param TK: type of the names, if it is to be checked

    >>> import opendp_lite.prelude as dp
    >>> frame = dp.t.make_split_dataframe(",", ["name", "vote"])
    >>> yes = frame >> dp.t.then_df_is_equal("vote", "yes")
    >>> names = yes >> dp.t.make_subset_by("vote", ["name"])
    >>> names("ann, yes\\nbob, no"), names.map(1)
    ({'name': ['ann']}, 1)
    """
    _names("indicator_column", (indicator_column,), "TK", TK)
    return then_frame_subset(
        indicator_column, _names("keep_columns", keep_columns, "TK", TK)
    )


def _check_frame(input_domain: Domain, input_metric: Metric) -> FrameDomain:
    """Return the domain, which must hold frames, measured by a number of rows."""
    check_type(  # proof: frames
        _MAKE, "input_domain", input_domain, FrameDomain, _FRAME_FIX
    )
    check_rows(input_metric)  # proof: rows
    assert isinstance(input_domain, FrameDomain)
    return input_domain


def _names(
    argument: str, names: Any, name: str, K: TypeArgument | None
) -> tuple[Any, ...]:
    """Return the names of columns, which must be different, and of type K if given."""
    fix = "Pass a list of names, such as ['name', 'age']"
    if not isinstance(names, list | tuple) or not names:  # proof: some
        rule = "must be a list of one name or more"
        raise refusal(_MAKE, argument, names, rule, fix)
    kinds = {str, int} if K is None else {parse_atom(K, name).T}  # proof: kinds
    for each in names:
        if type(each) not in (str, int) or type(each) not in kinds:  # proof: type
            rule = "names of columns are text or int, of the type that is given"
            raise refusal(_MAKE, argument, names, rule, fix)
    if len(set(names)) < len(names):  # proof: different
        raise refusal(_MAKE, argument, names, "names must be different", fix)
    return tuple(names)


def _entry(
    domain: FrameDomain, argument: str, name: object, wanted: str, T: Any
) -> Domain:
    """Return the domain of the entries of a column, which is there, of type T."""
    entry = domain.column(name)
    if entry is None:  # proof: there
        raise refusal(_MAKE, argument, name, _NAME_RULE, _NAME_FIX)
    atom = entry.element_domain if isinstance(entry, OptionDomain) else entry
    if T is not None and parse_atom(T, wanted).T is not atom.atom_type:  # proof: type
        rule = "the column is of another type"
        raise refusal(_MAKE, wanted, T, rule, "Use then_df_cast_default(...) first")
    return entry


def _replacing(
    domain: FrameDomain, metric: Metric, name: object, step: Transformation
) -> Transformation:
    """Return the transformation of frames that makes one column what `step` makes."""
    column = step.output_domain.row_domain
    assert column is not None

    def function(arg: Data) -> Any:
        return {**arg, name: step.function(rows(arg[name]))}  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in  # proof: map

    return Transformation(
        domain,
        domain.with_column(name, column),  # proof: output
        function,
        metric,
        metric,
        stability_map,
    )
