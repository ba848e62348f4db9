"""Randomness: the law of what is drawn is the law in the proof.

`entropy` serves the bits and is the only module that asks the operating system for
them. `lazy` reveals a uniform number U bit by bit. From it `draws` makes coins, uniform
integers and orders, `table` draws by inversion, and `blocks` proposes parts of the line
and accepts places in them. `discrete` and `real` draw noise. `lanes`, and the modules
whose names begin with `bulk`, do the same for whole arrays.
"""
