# ruff: noqa
# fmt: off
# What was read of opendp_lite.extras.numpy.canonical; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.extras.numpy.arguments import level_argument as stated_level
from typing import Any
from typing import Literal
import attrs


# === BinomialCND with stated_level, Any, Literal, attrs
@attrs.frozen(repr=False)
class BinomialCND:
    estimate: Any
    d_in: Any
    d_out: Any
    size: Any

    def confidence_interval(
        self, alpha: Any, side: Literal["lower", "upper"] | None = None
    ) -> float | tuple[float, float]:
        stated = self.estimate, self.d_in, self.d_out, self.size, alpha
        if side is None:
            return two_sided_confidence_interval(*stated)
        return one_sided_confidence_interval(*stated, side)

    def p_value(
        self, theta: Any, tail: Literal["left", "right"] | None = None
    ) -> float:
        stated = self.estimate, self.d_in, self.d_out, self.size, theta
        if tail is None:
            return two_sided_pvalue(*stated)
        return one_sided_pvalue(*stated, tail)

    def rejects(
        self, theta: Any, alpha: Any, tail: Literal["left", "right"] | None = None
    ) -> bool:
        return self.p_value(theta, tail) <= stated_level(alpha)

    def __repr__(self) -> str:
        return (
            f"BinomialCND(estimate={self.estimate}, d_in={self.d_in}, "
            f"d_out={self.d_out}, size={self.size})"
        )


# === one_sided_pvalue
from gmpy2 import mpq
from opendp_lite.extras.numpy.inversion import probability_up
from opendp_lite.extras.numpy.arguments import mirrored
from opendp_lite.extras.numpy.arguments import cell_argument as stated_cell
from opendp_lite.extras.numpy.arguments import law_argument as stated_law
from opendp_lite.extras.numpy.arguments import rate_argument as stated_rate
from opendp_lite.extras.numpy.arguments import side_argument as stated_side
from typing import Any

_ONE = mpq(1)

def one_sided_pvalue(
    Z: Any, d_in: Any, d_out: Any, size: Any, theta: Any, tail: str
) -> float:
    law, cell = stated_law(d_in, d_out, size), stated_cell(Z)
    rate = stated_rate("theta", theta)
    if stated_side("tail", tail, ("left", "right")) == "left":
        rate, cell = _ONE - rate, mirrored(cell, law.size)
    least = cell[0]
    if least is None:
        return 1.0
    return probability_up(
        lambda bits: law.at_least(rate, least, bits)
    )


# === two_sided_pvalue
from gmpy2 import mpq
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.extras.numpy.inversion import probability_up
from opendp_lite.extras.numpy.arguments import cell_argument as stated_cell
from opendp_lite.extras.numpy.arguments import law_argument as stated_law
from opendp_lite.extras.numpy.arguments import rate_argument as stated_rate
from typing import Any

def two_sided_pvalue(Z: Any, d_in: Any, d_out: Any, size: Any, theta: Any) -> float:
    law, (least, most) = stated_law(d_in, d_out, size), stated_cell(Z)
    rate = stated_rate("theta", theta)
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


# === one_sided_confidence_interval
from gmpy2 import mpq
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.extras.numpy.inversion import least_bound
from opendp_lite.extras.numpy.arguments import mirrored
from opendp_lite.extras.numpy.arguments import cell_argument as stated_cell
from opendp_lite.extras.numpy.arguments import law_argument as stated_law
from opendp_lite.extras.numpy.arguments import level_argument as stated_level
from opendp_lite.extras.numpy.arguments import side_argument as stated_side
from typing import Any

_ONE = mpq(1)

def one_sided_confidence_interval(
    Z: Any, d_in: Any, d_out: Any, size: Any, alpha: Any, side: str
) -> float:
    law, cell = stated_law(d_in, d_out, size), stated_cell(Z)
    level = stated_level(alpha)
    upper = stated_side("side", side, ("lower", "upper")) == "upper"
    least = mirrored(cell, law.size)[0] if upper else cell[0]
    reached = least_bound(law, least, level)
    return round_up(_ONE - reached) if upper else round_down(reached)


# === two_sided_confidence_interval
from gmpy2 import mpq
from opendp_lite.exact.rounding import round_down
from opendp_lite.exact.rounding import round_up
from opendp_lite.extras.numpy.inversion import excluded
from opendp_lite.extras.numpy.arguments import mirrored
from opendp_lite.extras.numpy.arguments import cell_argument as stated_cell
from opendp_lite.extras.numpy.arguments import law_argument as stated_law
from opendp_lite.extras.numpy.arguments import level_argument as stated_level
from typing import Any

_ONE = mpq(1)

def two_sided_confidence_interval(
    Z: Any, d_in: Any, d_out: Any, size: Any, alpha: Any
) -> tuple[float, float]:
    law, cell, level = (
        stated_law(d_in, d_out, size),
        stated_cell(Z),
        stated_level(alpha),
    )
    lower = excluded(law, cell[0], level)
    upper = _ONE - excluded(law, mirrored(cell, law.size)[0], level)
    return round_down(lower), round_up(upper)


# === one_sided_uniformly_most_powerful_tests
from gmpy2 import mpq
from opendp_lite.extras.numpy.inversion import critical
from opendp_lite.extras.numpy.inversion import rejections
from opendp_lite.extras.numpy.arguments import law_argument as stated_law
from opendp_lite.extras.numpy.arguments import level_argument as stated_level
from opendp_lite.extras.numpy.arguments import rate_argument as stated_rate
from opendp_lite.extras.numpy.arguments import side_argument as stated_side
from typing import Any

_ONE = mpq(1)

def one_sided_uniformly_most_powerful_tests(
    d_in: Any, d_out: Any, size: Any, theta: Any, alpha: Any, tail: str
) -> Any:
    import numpy as np

    law, rate, level = (
        stated_law(d_in, d_out, size),
        stated_rate("theta", theta),
        stated_level(alpha),
    )
    if stated_side("tail", tail, ("left", "right")) == "left":
        threshold = critical(law, rate, level)
        return np.array(rejections(law, threshold))
    threshold = critical(law, _ONE - rate, level)
    return np.array(rejections(law, threshold)[::-1])


# === one_sided_power
from gmpy2 import mpq
from opendp_lite.exact.rounding import round_down
from opendp_lite.extras.numpy.inversion import critical
from opendp_lite.extras.numpy.inversion import enough
from opendp_lite.extras.numpy.arguments import law_argument as stated_law
from opendp_lite.extras.numpy.arguments import level_argument as stated_level
from opendp_lite.extras.numpy.arguments import rate_argument as stated_rate
from typing import Any

_ONE = mpq(1)

def one_sided_power(
    d_in: Any, d_out: Any, size: Any, theta: Any, alpha: Any, alternative: Any
) -> float:
    law, rate, level = (
        stated_law(d_in, d_out, size),
        stated_rate("theta", theta),
        stated_level(alpha),
    )
    truth = stated_rate("alternative", alternative)
    if truth < rate:
        rate, truth = _ONE - rate, _ONE - truth
    threshold = critical(law, rate, level)
    return round_down(law.at_least(truth, threshold, enough(level)).lo)
