# ruff: noqa
# fmt: off
# What was read of opendp_lite.exact.order; written by `opendp-lite proofs
# accept`, never by hand, and never run.

import struct


# === double_index with struct
def double_index(value: float) -> int:
    bits: int = struct.unpack(">q", struct.pack(">d", value))[0]
    return bits if bits >= 0 else -(bits & (2**63 - 1))


# === double_at with struct
def double_at(index: int) -> float:
    magnitude: float = struct.unpack(">d", struct.pack(">q", abs(index)))[0]
    return -magnitude if index < 0 else magnitude
