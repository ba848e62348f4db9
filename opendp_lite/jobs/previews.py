"""What is shown of a job before anything is released: cost and accuracy per query."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from decimal import Context as DecimalContext
from typing import Any

import attrs

from opendp_lite.context.journal import Preview
from opendp_lite.context.shares import exact_loss
from opendp_lite.core.aliases import ExactLoss, Value
from opendp_lite.core.errors import write_number
from opendp_lite.core.measures import Measure, zero_concentrated_divergence
from opendp_lite.exact.rounding import round_up
from opendp_lite.jobs.values import plain
from opendp_lite.tables.answers.previews import ACCURACY, TablePreview

__all__ = ["Item", "JobPreview", "loss_entry", "loss_names", "told"]

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
