# ruff: noqa
# fmt: off
# The code that was reviewed with the proof exact/divide_to_double; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.exact.rounding:divide_to_double ===

import sys

def divide_to_double(n: int, d: int) -> float:
    try:
        nearest = n / d
    except OverflowError:
        return sys.float_info.max if n > 0 else -sys.float_info.max
    return nearest + 0.0
