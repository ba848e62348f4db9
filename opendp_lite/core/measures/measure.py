"""What a measure is: how privacy loss is counted.

A loss given as a float means the larger of its binary value and the decimal it prints
as, so a budget of 0.3 is 3/10.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from gmpy2 import mpq

from opendp_lite.base.aliases import ExactLoss, Loss
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.ownership import Described
from opendp_lite.core.metrics.metric import present_number
from opendp_lite.exact.rationals import Extended, to_loss

LOSS_FIX = (
    "Pass a number such as 1 or 0.5, a Fraction, or text such as '0.1'; pairs "
    "(epsilon, delta) are losses of approximate(...)"
)


class Measure(Described):
    """A divergence between output distributions, and the rules for losses."""

    def parse(self, loss: Loss, name: str = "d_out") -> Any:
        """Return the loss as exact numbers, or refuse it."""
        return rational_argument(
            "InvalidDistance", name, loss, fix=LOSS_FIX, convert=to_loss, at_least=0
        )

    def at_most(self, loss: ExactLoss, limit: ExactLoss) -> bool:
        """Return whether the exact `loss` is at most the exact `limit`."""
        return bool(loss <= limit)

    def present(self, loss: ExactLoss, exact: bool = False) -> Any:
        """Return an exact loss as a person reads it: never below `loss`."""
        return present_number(loss if loss == math.inf else mpq(loss), exact)

    def no_promise(self, loss: ExactLoss) -> str | None:
        """Return why the exact `loss`, as a budget, promises nothing, or None."""
        infinite = isinstance(loss, float) and loss == math.inf
        return "an infinite loss allows every release" if infinite else None

    @property
    def distance_type(self) -> str:
        """The type of the losses, as text."""
        return "float"

    @property
    def processed(self) -> bool:
        """Whether it is known that post-processing and mixtures lose no more.

        What is computed from a release is within the same loss, and so are laws mixed
        of laws within it, pair by pair, as they are behind a random transformation.
        """
        return False

    @property
    def inner_measure(self) -> Measure:
        """The measure of the loss, when delta is left aside."""
        return self

    def claim(self, loss: ExactLoss, point: Extended) -> tuple[Any, Any]:
        """Return the exact loss as a pair (loss, delta); of a curve, that at `point`.

        The pair is one of `inner_measure`.
        """
        return loss, 0

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


MeasureArgument: TypeAlias = Measure | type[Measure] | str
