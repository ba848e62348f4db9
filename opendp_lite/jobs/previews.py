"""What is shown of a job before anything is released: cost and accuracy per query."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from decimal import Context as DecimalContext
from fractions import Fraction
from typing import Any

import attrs

from opendp_lite.base.aliases import ExactLoss, Value
from opendp_lite.base.errors import printed, write_number
from opendp_lite.context.journal import Preview
from opendp_lite.core.measures import Measure, zero_concentrated_divergence
from opendp_lite.exact.rounding import round_up
from opendp_lite.jobs.shapes import Named
from opendp_lite.show.texts import visible
from opendp_lite.solving.shares import exact_loss
from opendp_lite.tables.answers.previews import ACCURACY, TablePreview

_MOST = 20  # rows of an answer that are shown; all are in the record
_BITS = 14_000  # of an integer that JSON is given as a number
_SPELLED = {math.inf: "inf", -math.inf: "-inf"}


def plain(value: Value) -> Any:
    """Return a value as JSON has it: infinities and NaN are spelled, frames are dicts.

    What is none of the kinds that answers have is told by its text, and not left out.

    :param value: an answer, or a part of one

    >>> plain({"a": (1, 0.5, float("inf"), Fraction(1, 3))})
    {'a': [1, 0.5, 'inf', '1/3']}
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):  # Python writes no longer ones in decimal digits
        return value if value.bit_length() < _BITS else hex(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else _SPELLED.get(value, "nan")
    if isinstance(value, Fraction | Decimal):
        return str(value)
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(each) for each in value]
    columns = _columns(value)
    if columns is not None:
        return plain(columns)
    return plain(value.tolist()) if hasattr(value, "tolist") else printed(value)


def _columns(value: Value) -> Any:
    """Return the columns of a frame of PyArrow, Spark, pandas or Polars; else None."""
    if hasattr(value, "to_pydict"):
        return value.to_pydict()
    if hasattr(value, "toPandas"):
        value = value.toPandas()
    if hasattr(value, "iloc"):
        return value.to_dict("list")
    return value.to_dict(as_series=False) if hasattr(value, "get_columns") else None


def answer_lines(columns: Named) -> list[str]:
    """Return the answer of a table as lines; a number has its interval beside it.

    :param columns: lists of one length, by name

    >>> answer_lines({"city": ["A"], "n": [7], "n_low": [5], "n_high": [9]})
    ['city  n', 'A     7 (5 to 9)']
    """
    names = [
        name
        for name in columns
        if not any(
            name.endswith(end) and name.removesuffix(end) in columns
            for end in ("_low", "_high")
        )
    ]
    cells = [[visible(name), *map(_cell, _beside(columns, name))] for name in names]
    widths = [max(map(len, column)) for column in cells]
    rows = list(zip(*cells, strict=True))
    more = len(rows) - 1 - _MOST
    told = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return [*told[: _MOST + 1], *([f"and {more} more"] if more > 0 else [])]


def _beside(columns: Named, name: str) -> Any:
    """Return the values of a column, each with the ends of its interval if any."""
    ends = [columns[name + end] for end in ("_low", "_high") if name + end in columns]
    return zip(columns[name], *(ends if len(ends) == 2 else ()), strict=True)


def _cell(parts: tuple[Any, ...]) -> str:
    value, *ends = (
        f"{x:.6g}" if isinstance(x, float) else visible(str(x)) for x in parts
    )
    return f"{value} ({' to '.join(ends)})" if ends else value


_SHORT = 12  # characters of an exact number that is shown whole


def loss_names(measure: Measure) -> tuple[str, str]:
    """Return what the numbers of a loss are called.

    :param measure: how the loss is counted
    """
    concentrated = measure.inner_measure == zero_concentrated_divergence()
    return ("rho" if concentrated else "epsilon", "delta")


def _numbers(loss: ExactLoss) -> tuple[Any, ...]:
    exact = exact_loss(loss)
    return exact if type(exact) is tuple else (exact,)


def told(measure: Measure, loss: ExactLoss, *, up: bool = True) -> str:
    """Return a loss as a person reads it: "epsilon 1/3, delta 1e-09".

    :param measure: how it is counted
    :param loss: exact
    :param up: whether long numbers are rounded up, as of a cost, or down
    """
    pairs = zip(loss_names(measure), _numbers(loss), strict=False)
    return ", ".join(f"{name} {_rounded(number, up)}" for name, number in pairs)


def _rounded(number: Value, up: bool) -> str:
    """Return a number as it is if that is short; else six digits of it."""
    exact = write_number(number)
    if len(exact) <= _SHORT or isinstance(number, float):
        return exact
    context = DecimalContext(prec=6, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    found = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{found.normalize(context):g}"


def loss_entry(measure: Measure, loss: ExactLoss) -> dict[str, Any]:
    """Return a loss as a record keeps it: exact as text, and rounded up as a number.

    :param measure: how it is counted
    :param loss: exact
    """
    names, numbers = loss_names(measure), _numbers(loss)
    found: dict[str, Any] = {}
    for name, number in zip(names, numbers, strict=False):
        shown = plain(number if isinstance(number, float) else round_up(number))
        found[name] = {"exact": write_number(number), "at_most": shown}
    return found


@attrs.frozen(eq=False)
class Item:
    """A query of a job: its name, how it is written, its preview, its exact loss."""

    name: str
    text: str
    preview: Preview | TablePreview
    loss: ExactLoss
    measure: Measure

    def entry(self, state: str, charged: list[Any], answer: Any) -> dict[str, Any]:
        """Return what a record keeps of the query.

        :param state: what became of it: "released", "failed", "refused", "not asked"
        :param charged: the exact losses that it was charged: one, or none
        :param answer: what was released
        """
        losses = [loss_entry(self.measure, each) for each in charged]
        return {
            "name": self.name,
            "asked": self.text,
            "state": state,
            "charged": losses[0] if losses else None,
            **self.parameters(),
            "answer": plain(answer),
        }

    def parameters(self) -> dict[str, Any]:
        """Return the noise of each column, its accuracy, and what bounds a person."""
        preview = self.preview
        if isinstance(preview, TablePreview):
            rows = [plain(attrs.asdict(row)) for row in preview.rows]
            told = {"threshold": preview.threshold, "bounds": preview.bounds}
            return {"noise": rows, **told}
        noise = {"parameter": plain(preview.param), "accuracy": plain(preview.accuracy)}
        return {"noise": [noise], "threshold": None, "bounds": None}

    def __repr__(self) -> str:
        preview = self.preview
        if isinstance(preview, TablePreview):
            # What is left is told once, for the whole job.
            preview = attrs.evolve(preview, left=None, alpha=None)
            table = repr(preview).rpartition("\n")[0]
            more = [each for each in preview.notes() if not each.startswith("loss ")]
            return "\n".join([f"{self.name}: {self.text}", table, *more])
        cost = told(self.measure, self.loss)
        accuracy = "" if preview.accuracy is None else f"; accuracy {preview.accuracy}"
        return f"{self.name}: {self.text}\nloss {cost}{accuracy}"


@attrs.frozen(eq=False, repr=False)
class JobPreview:
    """What a job would cost, query by query and together; nothing is spent by it.

    `loss` is the exact sum, and `left` what there is before the job; both as the
    Context counts, which says so by `measure`. `unit` says who is protected, and
    `offer` how to count values of a text that do not fit their columns, if none does.
    """

    items: tuple[Item, ...]
    measure: Measure
    loss: ExactLoss
    left: Any
    alpha: float
    unit: str
    offer: str | None = None

    @property
    def told_loss(self) -> str:
        """The whole loss in words."""
        return told(self.measure, self.loss)

    def __repr__(self) -> str:
        parts = [f"{item!r}\n" for item in self.items]
        cost = self.told_loss
        if not isinstance(self.left, list):
            cost += f" of {told(self.measure, self.left, up=False)}"
        parts += [f"whole job: {cost}", f"protected: {self.unit}"]
        parts += [f"accuracy at alpha {self.alpha:g}, {ACCURACY}"]
        parts += [] if self.offer is None else [self.offer]
        return "\n".join(parts)
