"""Exact samplers: the law of what is drawn is the law in the proof.

``entropy`` serves the bits and is the only module that asks the operating system
for them. ``lazy`` reveals a uniform number U bit by bit, and ``exponential`` encloses
-ln U. From these ``bernoulli``, ``uniform``, ``clamped``, ``selection`` and ``above``
draw.

Noise has one of the laws in ``law``. ``weights`` encloses their weights, ``table``
draws from them by inversion, and ``blocks`` proposes parts of the line and accepts
places in them; ``discrete`` and ``real`` draw integers and real numbers from these.
What begins with ``bulk``, and ``lanes``, does the same for whole arrays.

``canonical`` has the law of canonical noise for one of the ``tradeoffs``, of which
``powers`` encloses the powers of e^epsilon; ``tulap`` draws it for (epsilon, delta).
"""

__all__: list[str] = []
