"""Lines of a text file as rows of a Parquet file: each line is one row, whatever it is.

Engines do not read CSV here. They guess types from rows, and to them one open quote
swallows all rows after it: a single row could change every other one. Here a row is a
total function of its own line. What does not fit is missing, and neither an error nor
what is said depends on any line but the first, if that holds the names of the columns.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from opendp_lite.base.errors import OpenDPException, refusal
from opendp_lite.core.domains import Domain
from opendp_lite.core.metrics import Metric
from opendp_lite.tables.distance import IdentifierDistance
from opendp_lite.tables.domain import TableDomain, declare_misfits, misfit_name
from opendp_lite.tables.engines.sources import require_libraries, unique
from opendp_lite.tables.terms import atom_of, may_be_missing

_BATCH = 2**16  # rows that are held at a time
_BLANKS = " \t"
_MOST_DIGITS = 19  # of an integer of 64 bits
_NUMBER = re.compile(
    r"[ \t]*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)[ \t]*",
    re.ASCII,
)
_TRUTH = {"true": True, "false": False}


def csv_to_parquet(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    columns: Mapping[str, Domain],
    *,
    separator: str = ",",
    header: bool = True,
    misfits: bool = True,
) -> str:
    """Return the path of a Parquet file that has a row for each line of a text file.

    A line ends with a newline, and nothing else: a field in quotes never spans lines,
    and ends where its line does if the quote stays open. A row depends on its own line
    alone. Bytes that are no UTF-8 become U+FFFD. A field that is not there, is empty
    and not in quotes, or is no value of its column's type is missing; fields beyond
    those of the columns are left out. An integer is a decimal number that states it
    exactly (31, 31.0 and 3.1e1 are the same integer), and has 64 bits; a float is a
    decimal number, rounded to the nearest; bool is true or false.

    The function does not report how many values did not fit, because that number
    depends on the rows. It marks them in the file instead, so that they can be counted
    with noise, see `declare_misfits`. Nothing but the text says which they are, so that
    they are marked unless `misfits` is False.

    :param source: path of the text file
    :param target: path of the file to be made, where there is none yet
    :param columns: domains by the names of columns, all of which may be missing
    :param separator: the character between fields
    :param header: whether the first line holds the names of columns; if not, the
        fields of a line are the columns, in their order
    :param misfits: whether to write a column of bools, such as `age_misfit`, beside
        each column that is not text: true where a field holds more than blanks, and no
        value of the column's type

    >>> import tempfile, pathlib
    >>> from opendp_lite.core.domains import atom_domain, option_domain
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.csv").write_text('age,name\\n31,"x\\nold,y\\n')
    >>> columns = {"age": option_domain(atom_domain(T=int))}
    >>> path = csv_to_parquet(folder / "a.csv", folder / "a.parquet", columns)
    >>> import pyarrow.parquet
    >>> pyarrow.parquet.read_table(path).to_pydict()
    {'age': [31, None], 'age_misfit': [False, True]}
    """
    declared = TableDomain(dict(columns)).declared
    for name, domain in declared.items():
        if not may_be_missing(domain) or atom_of(domain).bounds is not None:
            rule = "a field of a line may be missing, and have any value"
            fix = "Declare it by option_domain(atom_domain(T=...)), without bounds"
            raise refusal("MakeDomain", "columns", name, rule, fix)
    if type(separator) is not str or len(separator) != 1 or separator in '"\n\r':
        rule, fix = "must be one character, no quote and no newline", "Pass ','"
        raise refusal("FailedFunction", "separator", separator, rule, fix)
    for option, given in (("header", header), ("misfits", misfits)):
        if type(given) is not bool:
            rule, fix = "must be True or False", f"Pass {option}=True"
            raise refusal("FailedFunction", option, given, rule, fix)
    written = declare_misfits(declared) if misfits else declared
    require_libraries("pyarrow")
    made = os.fspath(target)
    if os.path.exists(made):
        rule, fix = "is there already", "Remove it, or name another file"
        raise refusal("FailedFunction", "target", made, rule, fix)
    try:
        lines = open(source, "rb")  # noqa: SIM115
    except OSError:
        lines = None
    if lines is None:
        rule, fix = "cannot be opened", "Pass the path of a text file"
        raise refusal("FailedFunction", "source", os.fspath(source), rule, fix)
    with lines:
        texts = (line.decode("utf-8", "replace") for line in lines)
        places = list(range(len(declared)))
        if header:
            first = fields(next(texts, "").removeprefix("\ufeff"), separator)
            found = unique(first, declared)
            if found is None:
                raise OpenDPException(
                    "FailedFunction",
                    "the first line does not name each of the columns "
                    f"{', '.join(map(repr, declared))} once. Nothing was written. "
                    "Declare the columns that it names, or pass header=False.",
                )
            places = found
        kinds = [atom_of(domain).T for domain in declared.values()]
        rows = (_row(fields(text, separator), places, kinds, misfits) for text in texts)
        _write(rows, written, made)
    return made


def unmarked_columns(
    columns: Mapping[str, Domain], domain: Domain, metric: Metric
) -> tuple[list[str], str | None]:
    """Return the columns whose misfits could be counted, and the identifier if any.

    There are none if the domain declares marks, or is not that of tables.

    :param columns: what was read from text, as `csv_to_parquet` was given it
    :param domain: of the table that was made of it
    :param metric: of the table, which may have an identifier
    """
    identifier = metric.identifier if isinstance(metric, IdentifierDistance) else None
    names = [
        name
        for name, each in columns.items()
        if atom_of(each).T is not str and name != identifier
    ]
    marked = not isinstance(domain, TableDomain) or any(
        misfit_name(name) in domain.declared for name in names
    )
    return [] if marked else names, identifier


def fields(line: str, separator: str) -> list[str | None]:
    """Return the fields of a line; None is one that is empty and not in quotes.

    >>> fields('a,"b,""c",,"', ",")
    ['a', 'b,"c', None, '']
    """
    line = line.removesuffix("\n").removesuffix("\r")
    if '"' not in line:
        return [part or None for part in line.split(separator)]
    found: list[str | None] = []
    start = 0
    while start <= len(line):
        if line.startswith('"', start):
            text, start = _quoted(line, start + 1)
            stop = _find(line, separator, start)
            found.append(text + line[start:stop])
        else:
            stop = _find(line, separator, start)
            found.append(line[start:stop] or None)
        start = stop + 1
    return found


def _quoted(line: str, start: int) -> tuple[str, int]:
    """Return the text of a quote that opened before `start`, and where it ended."""
    parts = []
    while True:
        stop = _find(line, '"', start)
        parts.append(line[start:stop])
        if not line.startswith('""', stop):
            return "".join(parts), min(stop + 1, len(line))
        parts.append('"')
        start = stop + 2


def _find(line: str, text: str, start: int) -> int:
    """Return where a text is found next, or the end of the line."""
    place = line.find(text, start)
    return len(line) if place < 0 else place


def _row(
    found: Sequence[str | None],
    places: Sequence[int],
    kinds: Sequence[type],
    misfits: bool,
) -> list[Any]:
    """Return the values of a row; what is no value of its type is missing.

    With `misfits`, they are followed by a bool for each that is not text: whether it is
    missing although its field is not blank.
    """
    texts = [found[place] if place < len(found) else None for place in places]
    row: list[Any] = [
        None if text is None else _READ[T](text)
        for T, text in zip(kinds, texts, strict=True)
    ]
    if misfits:
        row += [
            value is None and text is not None and text.strip(_BLANKS) != ""
            for T, text, value in zip(kinds, texts, tuple(row), strict=True)
            if T is not str
        ]
    return row


def _integer(text: str) -> int | None:
    """Return the integer of 64 bits that a decimal number states exactly.

    The digits decide, and no power of ten is computed: a text takes as long as it is.

    >>> [_integer(text) for text in ("31.0", "1e1", "3750.", "31.5", "1e999999999")]
    [31, 10, 3750, None, None]
    """
    if len(text) < _MOST_DIGITS and text.isascii() and text.isdecimal():
        return int(text)  # which most texts are, and takes a third of the time
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    number, _, exponent = match[1].lower().partition("e")
    whole, _, fraction = number.lstrip("+-").partition(".")
    digits = (whole + fraction).lstrip("0")
    leading = digits.rstrip("0")
    if not leading:
        return 0
    power = exponent.lstrip("+-0")
    if len(power) > _MOST_DIGITS:  # no text has so many digits that this would shift
        return None
    shift = int(power or "0") * (-1 if exponent.startswith("-") else 1)
    zeros = shift - len(fraction) + len(digits) - len(leading)
    if not 0 <= zeros <= _MOST_DIGITS - len(leading):
        return None
    value = int(leading + "0" * zeros) * (-1 if number.startswith("-") else 1)
    return value if -(2**63) <= value < 2**63 else None


def _real(text: str) -> float | None:
    match = _NUMBER.fullmatch(text)
    return float(match[1]) if match else None


def _truth(text: str) -> bool | None:
    return _TRUTH.get(text.strip(_BLANKS).lower())


_READ: dict[type, Callable[[str], Any]] = {
    int: _integer,
    float: _real,
    bool: _truth,
    str: str,
}


def _write(
    rows: Iterable[list[Any]], columns: Mapping[str, Domain], target: str
) -> None:
    """Write rows, some at a time; the file appears under its name when it is whole."""
    import pyarrow
    from pyarrow import parquet

    kinds = {int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    kinds[str] = pyarrow.large_string()
    types = [kinds[atom_of(domain).T] for domain in columns.values()]
    schema = pyarrow.schema(list(zip(columns, types, strict=True)))
    partial = f"{target}.part"
    remaining = iter(rows)
    try:
        with parquet.ParquetWriter(partial, schema) as writer:
            while batch := list(islice(remaining, _BATCH)):
                arrays = [
                    pyarrow.array(values, kind)
                    for values, kind in zip(
                        zip(*batch, strict=True), types, strict=True
                    )
                ]
                writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
        os.replace(partial, target)
    finally:
        if os.path.exists(partial):
            os.remove(partial)
