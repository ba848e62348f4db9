"""Exact numbers: rationals, power-of-two grids, rounding and certified enclosures.

* :mod:`~opendp_lite.exact.rationals`: numbers of every kind to rationals.
* :mod:`~opendp_lite.exact.rounding`: rationals to doubles, other formats and decimals.
* :mod:`~opendp_lite.exact.grids`: multiples of powers of two.
* :mod:`~opendp_lite.exact.roots`: square roots that are kept, and compared by squares.
* :mod:`~opendp_lite.exact.doubles`: the doubles in their order, and next to a number.
* :mod:`~opendp_lite.exact.intervals`: intervals that are certain to hold a value, and
  questions decided by them.
* :mod:`~opendp_lite.exact.enclosures`: exp, ln, sqrt and powers as such intervals;
  ``normal`` has erf and the normal quantile. Both rest on ``directed`` (MPFR with
  directed rounding).

No binary floating-point arithmetic decides anything here, and nothing here imports
another part of the package.
"""

from __future__ import annotations
