# ruff: noqa
# fmt: off
# What was read of opendp_lite.data.arrays; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from struct import error
from struct import pack_into

_BITS = (8, 16, 32, 64)
_SIGNED = zip(_BITS, "bhiq", strict=True)
_UNSIGNED = zip(_BITS, "BHIQ", strict=True)
_CODES = {(-(1 << bits - 1), (1 << bits - 1) - 1): code for bits, code in _SIGNED} | {
    (0, (1 << bits) - 1): code for bits, code in _UNSIGNED
}
_PACKED_ROWS = 2**12


# === code_of with _BITS, _SIGNED, _UNSIGNED, _CODES
def code_of(bounds: tuple[int, int]) -> str | None:
    return _CODES.get(bounds)


# === all_fit with error, pack_into, _PACKED_ROWS
def all_fit(values: list[int], code: str) -> bool:
    memory = bytearray(8 * _PACKED_ROWS)
    try:
        for start in range(0, len(values), _PACKED_ROWS):
            part = values[start : start + _PACKED_ROWS]
            pack_into(f"={len(part)}{code}", memory, 0, *part)
    except error:
        return False
    return True
