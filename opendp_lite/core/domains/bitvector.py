"""The domain of bit vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.base.aliases import Data, ExactNumber
from opendp_lite.base.arguments import integer_argument
from opendp_lite.core.domains.domain import Domain

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy
from opendp_lite.core.domains.domain import public_size

_MOST_BYTES = 4


def _public_weight(max_weight: ExactNumber | None) -> int | None:
    """Return the bound on the number of ones as an int."""
    if max_weight is None:
        return None
    fix = "Pass a whole number, or leave max_weight out"
    return integer_argument(
        "MakeDomain", "max_weight", max_weight, fix=fix, at_least=0, at_most=2**63 - 1
    )


@attrs.frozen(repr=False)
class BitVectorDomain(Domain):
    """Bit vectors as `bytes`, most significant bit first.

    `size` is the public number of bits; bits past it in the last byte are zero.
    `max_weight` bounds the number of ones.
    """

    max_weight: int | None = attrs.field(default=None, converter=_public_weight)
    size: int | None = attrs.field(default=None, converter=public_size)

    def member(self, value: Data) -> bool:
        """Return whether `value` is bytes of the right length and weight."""
        if type(value) is not bytes:
            return False
        bits = int.from_bytes(value, "big")
        if self.size is not None:
            padding = -self.size % 8
            if 8 * len(value) != self.size + padding or bits & ((1 << padding) - 1):
                return False
        return self.max_weight is None or bits.bit_count() <= self.max_weight

    def rule(self) -> str:
        """Return the rule as constant text."""
        size = "" if self.size is None else f" holding {self.size} bits"
        weight = ""
        if self.max_weight is not None:
            weight = f" with at most {self.max_weight} ones"
        return f"a bytes object{size}{weight}"

    def contains(self, other: Domain) -> bool:
        """Return whether size and weight of `other` fit."""
        if not isinstance(other, BitVectorDomain):
            return False
        if self.size not in (None, other.size):
            return False
        if self.max_weight is None:
            return True
        return other.max_weight is not None and other.max_weight <= self.max_weight

    def members(self) -> SearchStrategy[bytes]:
        """Return a strategy of bit vectors of the right length and weight."""
        from hypothesis import strategies as st

        @st.composite
        def vectors(draw: DrawFn) -> bytes:
            size = self.size
            if size is None:
                size = 8 * draw(st.integers(0, _MOST_BYTES))
            most = size if self.max_weight is None else min(size, self.max_weight)
            places = st.sets(st.integers(0, size - 1), max_size=most)
            ones = draw(places) if most else set()
            length = -(-size // 8)
            value = sum(1 << (8 * length - 1 - one) for one in ones)
            return value.to_bytes(length, "big")

        return vectors()

    def outside(self) -> list[Any]:
        """Return bytes that are too many, too heavy, or have a bit past the last."""
        length = _MOST_BYTES if self.size is None else -(-self.size // 8)
        values = [
            bytes(length + 1),
            bytes([255] * length),
            bytes(length)[:-1] + b"\x01",
        ]
        return [value for value in values if not self.member(value)]

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return "BitVector"

    def __repr__(self) -> str:
        names = ("max_weight", "size")
        given = [(n, getattr(self, n)) for n in names if getattr(self, n) is not None]
        return f"BitVectorDomain({', '.join(f'{n}={v}' for n, v in given)})"


def bitvector_domain(
    max_weight: ExactNumber | None = None, size: ExactNumber | None = None
) -> BitVectorDomain:
    """Return the domain of bit vectors (bytes).

    :param max_weight: greatest number of ones, if there is one
    :param size: number of bits, if it is public

    >>> bitvector_domain(max_weight=1, size=8).member(bytes([4]))
    True
    """
    return BitVectorDomain(max_weight, size)
