"""A small package of one's own, with one constructor and its proof."""

from scaling.multiplication import make_multiply, then_multiply

__all__ = ["make_multiply", "then_multiply"]
