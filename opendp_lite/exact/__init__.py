"""Exact numbers: rationals, power-of-two grids, rounding and certified enclosures.

* :mod:`~opendp_lite.exact.rationals`: numbers of every kind to rationals.
* :mod:`~opendp_lite.exact.rounding`: rationals to floating-point values.
* :mod:`~opendp_lite.exact.grids`: multiples of powers of two.
* :mod:`~opendp_lite.exact.roots`: square roots that are kept, and compared by squares.
* :mod:`~opendp_lite.exact.doubles`: the doubles in their order, and next to a number.
* :mod:`~opendp_lite.exact.binomial`: the weights of the binomial law.
* :mod:`~opendp_lite.exact.enclosures`: exp, ln, sqrt, erf, ... as intervals that are
  certain to hold the value, and questions decided by them. It gathers
  ``intervals`` (their arithmetic), ``elementary`` and ``normal`` (the functions), which
  rest on ``directed`` (MPFR with directed rounding).

No binary floating-point arithmetic decides anything here, and nothing here imports
another part of the package.
"""

from __future__ import annotations
