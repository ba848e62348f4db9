"""Samplers of noise: integers, real numbers, canonical noise.

What begins with `bulk` draws whole arrays.
"""

__all__: list[str] = []
