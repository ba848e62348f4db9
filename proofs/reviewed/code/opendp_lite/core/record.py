# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.record; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from opendp_lite.base.ownership import is_own_constructor
from typing import Any
from typing import Self
import attrs


# === _rebuild with Callable, Any
def _rebuild(make: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    return make(**arguments)


# === Made._with_record with Self, attrs
@attrs.frozen(eq=False, repr=False)
class Made:
    record: Record | None = attrs.field(default=None, init=False)
    def _with_record(self, record: Record) -> Self:
        stamped = object.__new__(type(self))
        for field in self.__attrs_attrs__:
            object.__setattr__(stamped, field.name, getattr(self, field.name))
        object.__setattr__(stamped, "record", record)
        return stamped


# === Made.steps with is_own_constructor, attrs
@attrs.frozen(eq=False, repr=False)
class Made:
    record: Record | None = attrs.field(default=None, init=False)
    def steps(self) -> list[Made]:
        record = _record_of(self)
        chained = record is not None and is_own_constructor(record.constructor)
        arguments = dict(record.arguments) if record and chained else {}
        inner = arguments.get("transformation0") or arguments.get("measurement0")
        outer = (
            arguments.get("transformation1")
            or arguments.get("measurement1")
            or arguments.get("postprocess1")
        )
        if inner is None or outer is None:
            return [self]
        return [
            link
            for part in (inner, outer)
            for link in ([part] if _record_of(part) is None else part.steps())
        ]


# === Made.__reduce__ with Any, attrs
@attrs.frozen(eq=False, repr=False)
class Made:
    record: Record | None = attrs.field(default=None, init=False)
    def __reduce__(self) -> Any:
        name = type(self).__name__
        if self.record is None:
            raise TypeError(
                f"this {name} was built by hand and has no record, so it cannot be "
                "pickled; build it with a registered constructor"
            )
        for argument, value in self.record.arguments:
            for function in _local_functions(value):
                raise TypeError(
                    f"{self.record.constructor.__name__}: the function {function} in "
                    f"the argument {argument} cannot be pickled; pass a function that "
                    "is defined at the top level of a module"
                )
        return _rebuild, (self.record.constructor, dict(self.record.arguments))
