"""What is shown of a query about a table before anything is spent."""

from __future__ import annotations

from typing import Any

import attrs

from opendp_lite.base.errors import write_number
from opendp_lite.tables.answers.outputs import Column, Output

ACCURACY = "for each key by itself, of the bounded data"
"""What an accuracy is about, as previews say it."""

_HEADER = (
    *("column", "aggregate", "distribution", "loss", "sensitivity", "scale"),
    "accuracy",
)


@attrs.frozen
class PreviewRow:
    """What is known of one noisy vector, or of one that needs no noise.

    `loss` is its part of the query's, `sensitivity` how far one unit of privacy moves
    it (in L1 for Laplace noise, in L2 for Gaussian), and `accuracy` the distance from
    the exact number of the bounded data that noise exceeds with probability at most
    alpha, for each key by itself.
    """

    column: str
    aggregate: str
    distribution: str
    loss: float
    sensitivity: float
    scale: float
    accuracy: float


@attrs.frozen
class MeanRow:
    """How near a mean is, if its group has `about` rows or more.

    The mean of the bounded data is farther away than `accuracy` with probability at
    most alpha.
    """

    column: str
    about: int
    accuracy: float


@attrs.frozen(repr=False, eq=False)
class TablePreview:
    """What a query would cost and leave, and the noise of each column.

    `threshold` is the least number of people (without an identifier, of rows) with
    which a key that is not public is released; None where keys are public. `bounds`
    says how much of each person counts, in a sentence; None where all does. `means`
    tells the accuracy of each mean for some numbers of rows, which were not read from
    the data; `chosen` tells which noise was chosen; None where only one is possible.
    """

    rows: tuple[PreviewRow, ...]
    loss: Any
    left: Any
    alpha: Any
    answered: bool
    reason: str | None = None
    threshold: int | None = None
    bounds: str | None = None
    output: Output = attrs.field(factory=lambda: Output("dict"))
    means: tuple[MeanRow, ...] = ()
    chosen: str | None = None

    def columns(self) -> list[Column]:
        """Return the table as columns: names, types, values."""
        texts = _HEADER[:3]
        return [
            (
                each,
                str if each in texts else float,
                [getattr(r, each) for r in self.rows],
            )
            for each in _HEADER
        ]

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the table as a dict of columns."""
        return {name: list(values) for name, _, values in self.columns()}

    def to_frame(self) -> Any:
        """Return the table as a frame of the kind of the data."""
        return self.output.frame(self.columns(), self.bounds)

    def notes(self) -> list[str]:
        """Return what is to be said beside the table, in sentences."""
        told = [f"loss {self.loss}"]
        told += [] if self.left is None else [f"left then {self.left}"]
        if self.alpha is not None:
            told.append(f"accuracy at alpha {self.alpha:g}, {ACCURACY}")
        told += [] if self.bounds is None else [self.bounds]
        told += self._told_means()
        told += [] if self.chosen is None else [self.chosen]
        if self.threshold is not None:
            told.append(f"keys are released from {self.threshold} on")
        exact = [row.column for row in self.rows if row.distribution == "exact"]
        if exact:
            told.append(
                f"no neighbour differs in {', '.join(exact)}: it comes out exact"
            )
        if not self.answered:
            told.append(f"it would not be answered: {self.reason}")
        return told

    def _told_means(self) -> list[str]:
        """Return the accuracies of the means in words, a sentence for each mean."""
        told: dict[str, str] = {}
        for row in self.means:
            near, rows = _shown(row.accuracy), f"{row.about:,}"
            if row.column in told:
                told[row.column] += f", {near} if {rows}"
            else:
                told[row.column] = f"within {near} if there are about {rows} rows"
        return [f"{name} is {each}" for name, each in told.items()]

    def _cells(self) -> list[tuple[str, ...]]:
        lines = [tuple(map(_shown, attrs.astuple(row))) for row in self.rows]
        return [_HEADER, *lines]

    def __repr__(self) -> str:
        cells = self._cells()
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = ["  ".join(map(str.ljust, line, widths)).rstrip() for line in cells]
        return "\n".join([*lines, "; ".join(self.notes())])

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from opendp_lite.show.texts import table

        _, *lines = self._cells()
        return table("Preview", lines, "; ".join(self.notes()), _HEADER)


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else write_number(value)
