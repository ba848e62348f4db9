"""Text into rows: the lines of a text, and the cells of a line."""

from __future__ import annotations

from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance
from opendp_lite.base.containers import native, rows, text_lines
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, VectorDomain
from opendp_lite.core.metrics import SymmetricDistance
from opendp_lite.core.registry import constructor
from opendp_lite.core.transformation import Transformation


@constructor(proof="transformations/make_split_lines", status="vetted")
def make_split_lines() -> Transformation:
    r"""Return the transformation of a text into the list of its lines.

    Guarantee: d(x, x') <= d_in implies d(f(x), f(x')) <= d_in, where d is the symmetric
    distance, which between texts is that of their lines: a person who is in the data
    by one line is a distance of 1.

    A line ends at "\n" or "\r\n" and nowhere else. What follows the last of them is a
    line unless it is empty.

    >>> import opendp_lite.prelude as dp
    >>> lines = dp.t.make_split_lines()
    >>> lines("ann,31\r\nbob,27\n"), lines.map(1)
    (['ann,31', 'bob,27'], 1)

    Proof: proofs/transformations/make_split_lines.tex
    """
    text = AtomDomain(T=str)

    def function(arg: Data) -> Any:
        return text_lines(native(arg))  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in  # proof: map

    return Transformation(
        text,
        VectorDomain(text),  # proof: output
        function,
        SymmetricDistance(),
        SymmetricDistance(),
        stability_map,
    )


@constructor(proof="transformations/make_split_records", status="vetted")
def make_split_records(separator: str = ",") -> Transformation:
    """Return the transformation of lines into lists of cells.

    Guarantee: d(x, x') <= d_in implies d(f(x), f(x')) <= d_in, where d is the symmetric
    distance.

    A cell is what lies between two separators, without the white space around it.
    There is no quoting: a separator within quotation marks cuts as any other, and the
    marks stay. Every line has one cell at least, the empty line the empty cell.

    :param separator: text of one character or more

    >>> import opendp_lite.prelude as dp
    >>> records = dp.t.make_split_lines() >> dp.t.make_split_records(",")
    >>> records('ann, 31\\n"smith, bob",27'), records.map(1)
    ([['ann', '31'], ['"smith', 'bob"', '27']], 1)

    Raises `MakeTransformation` for another separator.

    Proof: proofs/transformations/make_split_records.tex
    """
    if type(separator) is not str or not separator:  # proof: separator
        rule, fix = "must be text of one character or more", "Pass for example ','"
        raise refusal("MakeTransformation", "separator", separator, rule, fix)
    lines = VectorDomain(AtomDomain(T=str))

    def function(arg: Data) -> Any:
        return [
            [cell.strip() for cell in line.split(separator)]  # proof: cells
            for line in rows(arg)
        ]

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in  # proof: map

    return Transformation(
        lines,
        VectorDomain(lines),  # proof: output
        function,
        SymmetricDistance(),
        SymmetricDistance(),
        stability_map,
    )
