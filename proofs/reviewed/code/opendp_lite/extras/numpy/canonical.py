# ruff: noqa
# fmt: off
# What was read of opendp_lite.extras.numpy.canonical; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.aliases import Loss
from opendp_lite.base.containers import native
from opendp_lite.base.errors import write_number
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.extras.numpy.arguments import Cell
from opendp_lite.extras.numpy.arguments import cell_argument
from opendp_lite.extras.numpy.arguments import law_argument
from opendp_lite.extras.numpy.arguments import level_argument
from opendp_lite.extras.numpy.arguments import mirrored
from opendp_lite.extras.numpy.arguments import rate_argument
from opendp_lite.extras.numpy.arguments import side_argument
from opendp_lite.extras.numpy.inversion import critical
from opendp_lite.extras.numpy.inversion import enough
from opendp_lite.extras.numpy.inversion import excluded
from opendp_lite.extras.numpy.inversion import least_bound
from opendp_lite.extras.numpy.inversion import probability_up
from opendp_lite.extras.numpy.inversion import rejections
from typing import Any
from typing import Literal
import attrs

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.extras.numpy.arguments.Cell: typing.TypeAlias = tuple[gmpy2.mpq | None, gmpy2.mpq | None]
_ONE, _HALF = mpq(1), mpq(1, 2)
opendp_lite.base.aliases.Loss: typing.TypeAlias = object


# === BinomialCND with ExactNumber, write_number, level_argument, Any, Literal, attrs,
#    ?, opendp_lite.base.aliases.ExactNumber
@attrs.frozen(repr=False)
class BinomialCND:
    estimate: Any
    d_in: Any
    d_out: Any
    size: Any

    def confidence_interval(
        self, alpha: ExactNumber, side: Literal["lower", "upper"] | None = None
    ) -> float | tuple[float, float]:
        stated = self.estimate, self.d_in, self.d_out, self.size, alpha
        if side is None:
            return two_sided_confidence_interval(*stated)
        return one_sided_confidence_interval(*stated, side)

    def p_value(
        self, theta: ExactNumber, tail: Literal["left", "right"] | None = None
    ) -> float:
        stated = self.estimate, self.d_in, self.d_out, self.size, theta
        if tail is None:
            return two_sided_pvalue(*stated)
        return one_sided_pvalue(*stated, tail)

    def rejects(
        self,
        theta: ExactNumber,
        alpha: ExactNumber,
        tail: Literal["left", "right"] | None = None,
    ) -> bool:
        return self.p_value(theta, tail) <= level_argument(alpha)

    def __repr__(self) -> str:
        estimate, d_in = write_number(self.estimate), write_number(self.d_in)
        d_out, size = write_number(self.d_out), write_number(self.size)
        return (
            f"BinomialCND(estimate={estimate}, d_in={d_in}, d_out={d_out}, size={size})"
        )


# === _cell with mpq, ExactNumber, native, Cell, cell_argument, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.extras.numpy.arguments.Cell, _ONE
def _cell(release: ExactNumber) -> Cell:
    least, most = cell_argument(release)
    value = native(release)
    if not isinstance(value, int):
        return least, most
    return (
        None if least is None else min(least, value - _HALF),
        None if most is None else max(most, value + _HALF),
    )


# === one_sided_pvalue with mpq, ExactNumber, Loss, law_argument, mirrored,
#    rate_argument, side_argument, probability_up, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Loss, _ONE
def one_sided_pvalue(
    Z: ExactNumber,
    d_in: ExactNumber,
    d_out: Loss,
    size: ExactNumber,
    theta: ExactNumber,
    tail: str,
) -> float:
    law, cell = law_argument(d_in, d_out, size), _cell(Z)
    rate = rate_argument("theta", theta)
    if side_argument("tail", tail, ("left", "right")) == "left":
        rate, cell = _ONE - rate, mirrored(cell, law.size)
    least = cell[0]
    if least is None:
        return 1.0
    return probability_up(
        lambda bits: law.at_least(rate, least, bits)
    )


# === two_sided_pvalue with mpq, ExactNumber, Loss, Enclosure, law_argument,
#    rate_argument, probability_up, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.Loss
def two_sided_pvalue(
    Z: ExactNumber,
    d_in: ExactNumber,
    d_out: Loss,
    size: ExactNumber,
    theta: ExactNumber,
) -> float:
    law, (least, most) = law_argument(d_in, d_out, size), _cell(Z)
    rate = rate_argument("theta", theta)
    centre = mpq(law.size) * rate
    if least is not None and least > centre:
        far = least - centre
    elif most is not None and most < centre:
        far = centre - most
    else:
        return 1.0

    def enclose(bits: int) -> Enclosure:
        above = law.at_least(rate, centre + far, bits)
        return above + law.at_most(rate, centre - far, bits)

    return probability_up(enclose)


# === one_sided_confidence_interval with mpq, ExactNumber, Loss, round_down, round_up,
#    law_argument, level_argument, mirrored, side_argument, least_bound, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Loss, _ONE
def one_sided_confidence_interval(
    Z: ExactNumber,
    d_in: ExactNumber,
    d_out: Loss,
    size: ExactNumber,
    alpha: ExactNumber,
    side: str,
) -> float:
    law, cell = law_argument(d_in, d_out, size), _cell(Z)
    level = level_argument(alpha)
    upper = side_argument("side", side, ("lower", "upper")) == "upper"
    least = mirrored(cell, law.size)[0] if upper else cell[0]
    reached = least_bound(law, least, level)
    return round_up(_ONE - reached) if upper else round_down(reached)


# === two_sided_confidence_interval with mpq, ExactNumber, Loss, round_down, round_up,
#    law_argument, level_argument, mirrored, excluded, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Loss, _ONE
def two_sided_confidence_interval(
    Z: ExactNumber,
    d_in: ExactNumber,
    d_out: Loss,
    size: ExactNumber,
    alpha: ExactNumber,
) -> tuple[float, float]:
    law, cell, level = (
        law_argument(d_in, d_out, size),
        _cell(Z),
        level_argument(alpha),
    )
    lower = excluded(law, cell[0], level)
    upper = _ONE - excluded(law, mirrored(cell, law.size)[0], level)
    return round_down(lower), round_up(upper)


# === one_sided_uniformly_most_powerful_tests with mpq, ExactNumber, Loss, law_argument,
#    level_argument, rate_argument, side_argument, critical, rejections, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Loss, _ONE
def one_sided_uniformly_most_powerful_tests(
    d_in: ExactNumber,
    d_out: Loss,
    size: ExactNumber,
    theta: ExactNumber,
    alpha: ExactNumber,
    tail: str,
) -> Any:
    import numpy as np

    law, rate, level = (
        law_argument(d_in, d_out, size),
        rate_argument("theta", theta),
        level_argument(alpha),
    )
    if side_argument("tail", tail, ("left", "right")) == "left":
        threshold = critical(law, rate, level)
        return np.array(rejections(law, threshold))
    threshold = critical(law, _ONE - rate, level)
    return np.array(rejections(law, threshold)[::-1])


# === one_sided_power with mpq, ExactNumber, Loss, round_down, law_argument,
#    level_argument, rate_argument, critical, enough, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.Loss, _ONE
def one_sided_power(
    d_in: ExactNumber,
    d_out: Loss,
    size: ExactNumber,
    theta: ExactNumber,
    alpha: ExactNumber,
    alternative: ExactNumber,
) -> float:
    law, rate, level = (
        law_argument(d_in, d_out, size),
        rate_argument("theta", theta),
        level_argument(alpha),
    )
    truth = rate_argument("alternative", alternative)
    if truth < rate:
        rate, truth = _ONE - rate, _ONE - truth
    threshold = critical(law, rate, level)
    return round_down(law.at_least(truth, threshold, enough(level)).lo)
