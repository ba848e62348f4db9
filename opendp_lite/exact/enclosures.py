r"""Certified enclosures of exp, ln, sqrt, powers, erf and the normal quantile.

The functions evaluate with MPFR, which rounds correctly in the direction asked
for: the lower end is rounded down and the upper end up, the conversion of a
rational argument included. So the interval holds the value at every precision p,
and its width tends to 0 as p grows. At a rational argument of size below 2^30 the
width is at most :math:`2^{5-p}` times the size of the value, unless that lies
outside of about :math:`2^{\pm 2^{17} p}`: such a rational would take megabytes, and
one end is then 0 or infinite.

Where the value is rational the interval is that one point, so that
:func:`decide` ends there: exp 0, ln 1, erf 0, rational roots and powers.

Of an :class:`Enclosure` a function encloses the image of the part that lies in its
domain: a number known to be positive may be enclosed by an interval that reaches
below 0.
"""

from __future__ import annotations

from opendp_lite.exact.elementary import exp, expm1, ln, log1p, power, sqrt
from opendp_lite.exact.intervals import (
    Argument,
    Enclosure,
    End,
    decide,
    lower_bound,
    upper_bound,
)
from opendp_lite.exact.normal import erf, erfc, normal_quantile

__all__ = [
    "Argument",
    "Enclosure",
    "End",
    "decide",
    "erf",
    "erfc",
    "exp",
    "expm1",
    "ln",
    "log1p",
    "lower_bound",
    "normal_quantile",
    "power",
    "sqrt",
    "upper_bound",
]
