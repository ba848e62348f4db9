"""Names for type arguments, as OpenDP's users write them: `i32`, `Vec[f64]`, ...

They are the text that `opendp_lite.data.type_arguments` parses; Python's own
types (`int`, `list[float]`) serve as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from opendp_lite.base.loading import refusing

__all__ = [
    "HashMap",
    "Option",
    "String",
    "Vec",
    "f32",
    "f64",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
]


class _Generic:
    """A type constructor: `Vec[int]` is the text "Vec<int>"."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getitem__(self, arguments: Any) -> str:
        parts = arguments if isinstance(arguments, tuple) else (arguments,)
        names = (part if isinstance(part, str) else part.__name__ for part in parts)
        return f"{self.name}<{', '.join(names)}>"

    def __repr__(self) -> str:
        return self.name


Vec = _Generic("Vec")
Option = _Generic("Option")
HashMap = _Generic("HashMap")
String: Final = "String"
f32: Final = "f32"
f64: Final = "f64"
i8: Final = "i8"
i16: Final = "i16"
i32: Final = "i32"
i64: Final = "i64"
i128: Final = "i128"
isize: Final = "isize"
u8: Final = "u8"
u16: Final = "u16"
u32: Final = "u32"
u64: Final = "u64"
u128: Final = "u128"
usize: Final = "usize"


def __dir__() -> list[str]:
    return sorted(__all__)


if not TYPE_CHECKING:
    __getattr__ = refusing(__name__)
