"""Exact samplers: the law of what is drawn is the law in the proof.

`entropy` serves the bits and is the only module that asks the operating system for
them. `lazy` reveals a uniform number U bit by bit. From it `bernoulli` and `uniform`
draw, `permutation` draws orders, `table` draws by inversion, and `blocks` proposes
parts of the line and accepts places in them. `lanes`, and what begins with `bulk`, do
the same for whole arrays.
"""

__all__: list[str] = []
