# ruff: noqa
# fmt: off
# What was read of opendp_lite.data.identity; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Hashable
from fractions import Fraction
from opendp_lite.base.aliases import Value
from opendp_lite.base.containers import is_array
from opendp_lite.base.containers import native
from opendp_lite.base.errors import OpenDPException
import struct

opendp_lite.base.aliases.Value: typing.TypeAlias = typing.Any


# === key with Hashable, OpenDPException
def key(value: object) -> Hashable:
    try:
        return _key(value)
    except RecursionError:
        raise OpenDPException(
            "MetricSpace",
            "a value is nested too deeply, or contains itself, and cannot be compared. "
            "Pass members of the domain.",
        ) from None


# === _key with Hashable, Fraction, Value, is_array, native, struct,
#    opendp_lite.base.aliases.Value
def _key(value: Value) -> Hashable:
    value = native(value)
    if isinstance(value, float):
        return ("float", "nan" if value != value else struct.pack(">d", value))
    if value is None or isinstance(value, bool | int | str | bytes | Fraction):
        kind = bool if isinstance(value, bool) else type(value)
        return (kind.__name__, value)
    if isinstance(value, list | tuple):
        return (type(value).__name__, tuple(_key(item) for item in value))
    if isinstance(value, dict):
        return ("dict", frozenset((_key(k), _key(v)) for k, v in value.items()))
    if is_array(value):
        rows = tuple(_key(item) for item in value.ravel().tolist())
        return ("array", value.dtype.str, value.shape, rows)
    return (type(value).__qualname__, value)
