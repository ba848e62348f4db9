# ruff: noqa
# fmt: off
# What was read of opendp_lite.exact.intervals; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from gmpy2 import mpq
from typing import TypeAlias
from typing import TypeVar

T = TypeVar("T")
End: TypeAlias = mpq | float


# === decide with Callable, TypeVar, T
def decide(
    enclose: Callable[[int], Enclosure],
    test: Callable[[Enclosure], T | None],
    precision: int = 64,
) -> T:
    while True:
        answer = test(enclose(precision))
        if answer is not None:
            return answer
        precision *= 2


# === upper_bound with Callable, mpq
def upper_bound(enclose: Callable[[int], Enclosure], precision: int = 64) -> mpq:
    return decide(enclose, lambda v: _finite(v.hi), precision)


# === lower_bound with Callable, mpq
def lower_bound(enclose: Callable[[int], Enclosure], precision: int = 64) -> mpq:
    return decide(enclose, lambda v: _finite(v.lo), precision)


# === _finite with mpq, TypeAlias, End
def _finite(end: End) -> mpq | None:
    return None if isinstance(end, float) else end
