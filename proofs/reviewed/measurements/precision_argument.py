# ruff: noqa
# fmt: off
# The code that was reviewed with the proof measurements/precision_argument; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.measurements.snapping_precision:precision_argument ===

from opendp_lite.core.arguments import integer_argument
from typing import Any

_LEAST = 118
_GREATEST = 2**20

def precision_argument(variant: str, precision: Any) -> int:
    fix = "Pass precision=118, or leave it out: the exact arithmetic costs nothing"
    return integer_argument(
        variant, "precision", precision, fix=fix, at_least=_LEAST, at_most=_GREATEST
    )
