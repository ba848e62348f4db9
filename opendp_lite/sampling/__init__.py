"""Exact samplers: the law of what is drawn is the law in the proof.

``entropy`` serves the bits and is the only module that asks the operating system
for them. ``lazy`` reveals a uniform number U bit by bit, ``exponential`` encloses
-ln U and ``normal`` the size of a normal variable. Every other module is one law, drawn
by inversion of U with all rounding enclosed: ``bernoulli``, ``uniform``,
``discrete_laplace``, ``clamped`` (the same within limits, from a fixed number of bits),
``laplace``, ``gaussian`` and ``selection``. Only ``discrete_gaussian``, and one of the
two laws of ``selection``, are drawn by trials that are repeated until one is accepted.
"""

__all__: list[str] = []
