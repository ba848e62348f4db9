"""What a Context tells of itself: previews, the journal, and its text. Never data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction
from typing import Any

import attrs

from opendp_lite.base.errors import printed, write_number
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.record import show_argument
from opendp_lite.core.transformation import Transformation
from opendp_lite.solving.casts import CONVERSIONS

_HEADER = ("no.", "loss", "state", "query")
_MOST = 6  # shares, or items of a list, that are shown
_LIST = re.compile(r"\(([^()]*)\)")
_FRACTION = re.compile(r"Fraction\((\d+), (\d+)\)")


@attrs.frozen(repr=False)
class Preview:
    """What a query would cost and leave, and how near its answer would be.

    `param` is what was solved for, and `accuracy` the distance from the exact statistic
    that noise exceeds with probability at most alpha; each is None where there is none.
    """

    loss: Any
    left: Any
    param: Any
    accuracy: Any
    answered: bool
    reason: str | None = None

    def __repr__(self) -> str:
        names = ["loss", "left", "param", "accuracy", "answered"]
        names += [] if self.reason is None else ["reason"]
        told = ", ".join(f"{name}={printed(getattr(self, name))}" for name in names)
        return f"Preview({told})"


@attrs.frozen(repr=False, eq=False)
class JournalEntry:
    """What was asked, what it was charged, and what became of it.

    `loss` is exact: Fractions. `time` is when it was asked, if it was asked through the
    Context. `children` is the journal of the Context that was released. `answer` is
    kept only where the Context was made with keep=True. `told` is how a query about a
    table was written.
    """

    number: int
    query: Measurement
    loss: Any
    state: str
    time: datetime | None = None
    children: Journal | None = None
    answer: Any = None
    told: str | None = None

    @property
    def text(self) -> str:
        """The query in one line; of a table, as it was written."""
        return brief(self.query) if self.told is None else self.told

    def __repr__(self) -> str:
        loss = write_number(self.loss)
        return f"JournalEntry({self.number}, {self.text}, {loss}, {self.state})"


class Journal(list[JournalEntry]):
    """The entries of a Context in their order; it prints as a table."""

    def cells(
        self, above: str = "", most: int | None = None
    ) -> Iterator[tuple[str, str, str, str]]:
        """Yield number, loss, state and query of each entry, and of those below it.

        :param above: the number of the entry that these are below
        :param most: how many are shown below an entry; all by default
        """
        for entry in self:
            number, below = f"{above}{entry.number}", entry.children or Journal()
            yield number, shown_exact(entry.loss), entry.state, entry.text
            shown = below if most is None else Journal(below[:most])
            yield from shown.cells(f"{number}.", most)
            if len(shown) < len(below):
                yield f"{number}.", "", "", f"and {len(below) - len(shown)} more"

    def text(self, most: int | None = None) -> str:
        """Return the table as text.

        :param most: how many are shown below an entry; all by default
        """
        rows = [_HEADER, *self.cells("", most)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:3]
        lines = (
            "  ".join([*map(str.ljust, row[:3], widths), row[3]]).rstrip()
            for row in rows
        )
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from opendp_lite.show.texts import table

        return table("Journal", self.cells(), head=_HEADER)


def shown_exact(loss: Any) -> str:
    """Return an exact loss as text: as a fraction if that is short."""
    if isinstance(loss, tuple):
        return f"({', '.join(map(shown_exact, loss))})"
    exact = write_number(loss)
    return exact if len(exact) <= 12 else _digits(loss)


def shown_short(loss: Any) -> str:
    """Return a loss, or a list of losses, with six digits."""
    if isinstance(loss, list):
        if len(loss) > _MOST:
            return f"[{', '.join(map(shown_short, loss[:_MOST]))}, ...] ({len(loss)})"
        return f"[{', '.join(map(shown_short, loss))}]"
    if isinstance(loss, tuple):
        return f"({', '.join(map(shown_short, loss))})"
    return _digits(loss)


def _digits(number: Any) -> str:
    """Return a number with six digits, of any size; no loss is shown as 0 but 0."""
    try:
        return f"{float(number) or (5e-324 if number else 0):.6g}"
    except OverflowError:
        return "inf"


def brief(measurement: Measurement | Transformation) -> str:
    """Return a chain in one line, as a query is written; casts are left out.

    A compositor behind a cast says how it counts, as what is below it is counted so.

    >>> import opendp_lite.prelude as dp
    >>> space = dp.space_of(list[int])
    >>> brief(space >> dp.t.then_count() >> dp.m.then_laplace(scale=2))
    'count().laplace(scale=2)'
    """
    cast, record = measurement, measurement.record
    while record is not None and record.constructor.__name__ in CONVERSIONS:
        measurement = dict(record.arguments)["measurement"]
        record = measurement.record
    text = ""
    for step in measurement.steps():
        made = getattr(step, "record", None)
        if made is None:
            text += f" >> {show_argument(step)}"
            continue
        link = made.as_step()
        if isinstance(step, Measurement) and step.opens_session:
            link = f"compositor({'shares' if 'd_mids' in dict(made.arguments) else ''})"
            if measurement is not cast:
                link += f" by {step.output_measure!r}"
        link = _FRACTION.sub(_short, link.removeprefix("then_").removeprefix("make_"))
        text += f".{link}" if text else link
    return _LIST.sub(_first_and_last, text)


def _first_and_last(match: re.Match[str]) -> str:
    """Return a list of many numbers as its ends; arguments of a call stay."""
    items = match[1].split(", ")
    if len(items) <= _MOST or "=" in match[1]:
        return match[0]
    return f"({items[0]}, {items[1]}, ..., {items[-1]})"


def _short(match: re.Match[str]) -> str:
    return shown_exact(Fraction(int(match[1]), int(match[2])))
