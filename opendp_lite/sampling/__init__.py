"""Exact samplers: the law of what is drawn is the law in the proof.

``entropy`` serves the bits and is the only module that asks the operating system
for them. ``lazy`` reveals a uniform number U bit by bit, ``exponential`` encloses
-ln U. Every other module is one law, drawn by inversion of U with all rounding
enclosed: ``bernoulli``, ``uniform``, ``discrete_laplace``, ``clamped`` (the same
within limits, from a fixed number of bits) and ``laplace``.
"""

__all__: list[str] = []
