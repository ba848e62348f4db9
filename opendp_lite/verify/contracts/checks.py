"""The checks of a contract: on an object, and on a pair of members of its domain.

Each raises `ContractBroken` with the name of the rule and the case.
"""

from __future__ import annotations

import copy
import hashlib
import pickle
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from opendp_lite.base.aliases import Data, Release
from opendp_lite.base.containers import is_array
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.record import Made
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.columns import extension_type, holds_integers
from opendp_lite.data.identity import key, visible
from opendp_lite.randomness.entropy import use_source
from opendp_lite.show.texts import form
from opendp_lite.verify.contracts.terms import ContractBroken, told

_RUN = 150  # bits of the run of zeros or ones at the start of some strings


class HashedBits:
    """The bit string number `seed`: SHA-256 in counter mode.

    Every fourth string starts with a long run of zeros and every fourth with a long
    run of ones, which lead samplers into their tails, and bits are to be asked for
    singly in half of them; but if a `granularity` is given, it is that, and all strings
    look random. This source is for replaying tests only.

    >>> HashedBits(2).bits(64)
    0
    >>> HashedBits(2, granularity=64).bits(8)
    161
    """

    def __init__(self, seed: int, granularity: int | None = None) -> None:
        self._seed = f"{seed}" if granularity is None else f"plain/{seed}"
        self._counter = 0
        self._held, self._length = 0, 0
        if granularity is None:
            granularity = 1 if seed % 8 < 4 else 64
            run = {2: (0, _RUN), 3: ((1 << _RUN) - 1, _RUN)}
            self._held, self._length = run.get(seed % 4, (0, 0))
        self.granularity = granularity

    def bits(self, count: int) -> int:
        """Return the next `count` bits as an integer."""
        while self._length < count:
            name = f"{self._seed}/{self._counter}".encode()
            block = int.from_bytes(hashlib.sha256(name).digest(), "big")
            self._held = self._held << 256 | block
            self._length += 256
            self._counter += 1
        self._length -= count
        taken = self._held >> self._length
        self._held &= (1 << self._length) - 1
        return taken


@attrs.frozen
class Trial:
    """An object, two members of its input domain, and the bits to run it with."""

    made: Any
    x: Any
    x2: Any
    seed: int
    replays: bool = True
    interview: Callable[[Any], Any] | None = None

    def run(self, x: Data) -> Any:
        """Apply the function to a member under the bits of this trial."""
        try:
            return release_of(self.made, x, self.seed, self.interview)
        except Exception as error:
            raise ContractBroken(
                f"members: {self.made!r} failed on the member {told(x)}: {error!r}"
            ) from error


def release_of(
    made: Transformation | Measurement,
    x: Data,
    seed: int,
    interview: Callable[[Any], Any] | None = None,
) -> Any:
    """Return what `made` gives for `x`, and its interview, under the bits of `seed`."""
    with use_source(HashedBits(seed)):
        output = made.invoke(x)
        return output if interview is None else interview(output)


def look(made: object, output: Release) -> Hashable:
    """Return the key of an output: of a release all that shows, else type and bits."""
    if not isinstance(made, Measurement):
        return key(output)
    try:
        seen = visible(output)
    except TypeError as error:
        raise ContractBroken(f"values: of what {made!r} gives, {error}") from error
    for array in _arrays(output):
        size = 0 if array.base is None else memoryview(array.base).nbytes
        if size > array.nbytes:
            raise ContractBroken(
                f"values: {made!r} gave an array of {array.nbytes} bytes whose base "
                f"shows {size}: return a copy of it"
            )
    return seen


def _arrays(output: Release) -> Iterator[Any]:
    if is_array(output):
        yield output
    elif isinstance(output, list | tuple):
        for item in output:
            yield from _arrays(item)
    elif isinstance(output, dict):
        yield from _arrays(list(output.values()))


def check_members(trial: Trial, turns: int = 2) -> None:
    """Check that members never fail nor change, and that the bits decide alone.

    The two members take turns, so that what is kept from one call shows in another.
    """
    pair = trial.x, trial.x2
    looks = [check_member(trial, x) for x in pair]
    for _ in range(turns - 1 if trial.replays else 0):
        for x, seen in zip(pair, looks, strict=True):
            if look(trial.made, trial.run(x)) != seen:
                raise ContractBroken(
                    f"members: {trial.made!r} gave two outputs for {told(x)} under the "
                    "same random bits: it depends on something else"
                )


def check_member(trial: Trial, x: Data) -> Hashable:
    """Return the key of the output for a member, which must not fail nor change."""
    if not trial.made.input_domain.member(x):
        raise ValueError(
            f"the contract's own data {told(x)} is no member of "
            f"{trial.made.input_domain!r}"
        )
    before = key(copy.deepcopy(x))
    output = trial.run(x)
    if key(x) != before:
        raise ContractBroken(
            f"values: {trial.made!r} changed its input, which is now {told(x)}"
        )
    return look(trial.made, output) if trial.replays else None


def check_stability(trial: Trial) -> None:
    """Check that outputs are members, and no further apart than the map says.

    How far apart random ones may be is for a coupling to tell.
    """
    made: Transformation = trial.made
    left, right = (trial.run(x) for x in (trial.x, trial.x2))
    for x, output in ((trial.x, left), (trial.x2, right)):
        if not made.output_domain.member(output):
            raise ContractBroken(
                f"stability: {made!r} took {told(x)} to {told(output)}, which is no "
                f"member of {made.output_domain!r}"
            )
    if made.random:
        claims = made.by_rows, made.merge, made.clamps, made.absorbs_clamp
        if any(claims) or made.reads_floats:
            raise ContractBroken(
                f"stability: {made!r} is random, and claims what only holds of "
                "functions: by_rows, merge, clamps, absorbs_clamp or reads_floats"
            )
        return
    again = release_of(made, trial.x, trial.seed + 1)
    if trial.replays and look(made, again) != look(made, left):
        raise ContractBroken(
            f"stability: {made!r} took {told(trial.x)} to {told(left)} and, under "
            f"other bits, to {told(again)}, but does not say that it is random"
        )
    if not made.input_metric.measures or not made.output_metric.measures:
        return
    d_in = made.input_metric.distance(trial.x, trial.x2)
    d_out = made.stability_map(d_in)
    if not made.output_metric.within_exact(left, right, d_out):
        raise ContractBroken(
            f"stability: {made!r} took {told(trial.x)} and {told(trial.x2)}, at "
            f"distance {told(d_in)}, to {told(left)} and {told(right)}, at distance "
            f"{told(made.output_metric.distance(left, right))}, above its map's "
            f"{told(d_out)}"
        )


def check_outsiders(
    made: Transformation | Measurement, strangers: Sequence[Data]
) -> None:
    """Check that strangers are refused; their form and type alone decide the text."""
    texts: dict[tuple[Any, ...], dict[str, Any]] = {}
    for stranger in strangers:
        if made.input_domain.member(made.input_domain.received(stranger)):
            raise ValueError(
                f"the contract's own outsider {told(stranger)} is a member of "
                f"{made.input_domain!r}, or stands for one"
            )
        try:
            made(stranger)
        except OpenDPException as error:
            alike = form(stranger), extension_type(stranger), holds_integers(stranger)
            texts.setdefault(alike, {})[str(error)] = stranger
        except Exception as error:
            raise ContractBroken(
                f"members: {made!r} must refuse {told(stranger)} by an "
                f"OpenDPException, but raised {error!r}"
            ) from error
        else:
            raise ContractBroken(f"members: {made!r} must refuse {told(stranger)}")
    for (alike, *_), said in texts.items():
        if len(said) > 1:
            raise ContractBroken(
                f"members: the refusal of data must be constant text for {alike}, but "
                f"there are different ones: {told(said)}"
            )


def check_values(
    made: object, name: str, arguments: Mapping[str, Any], pickles: bool
) -> None:
    """Check that the object prints, and survives pickling, copying, making again."""
    if not isinstance(made, Made) or made.record is None:
        raise ContractBroken(
            f"values: {name} made {made!r}, which has no record of how it was made; "
            "decorate the constructor, or build on make_user_transformation or "
            "make_user_measurement"
        )
    if not _prints(made):
        raise ContractBroken(f"values: the text {made!r} does not name {name}")
    make, recorded = made.record.constructor, dict(made.record.arguments)
    ways: dict[str, Callable[[], Any]] = {
        "made again from its record": lambda: make(**recorded),
    }
    if make.__name__ == name:
        ways["made again"] = lambda: make(**arguments)
    if pickles:
        ways["pickled"] = lambda: pickle.loads(pickle.dumps(made))
        ways["copied"] = lambda: copy.copy(made)
        ways["deeply copied"] = lambda: copy.deepcopy(made)
    text, number = repr(made), hash(made)
    for way, build in ways.items():
        try:
            again = build()
        except Exception as error:
            raise ContractBroken(
                f"values: {made!r} cannot be {way}: {error!r}"
            ) from error
        if again is made:
            continue  # it never changes, and is its own copy
        if again != made or hash(again) != number or repr(again) != text:
            raise ContractBroken(
                f"values: {made!r} is not the same when {way}: {again!r}"
            )


def _prints(made: Made) -> bool:
    """Whether the text names the constructor, or those of all links of a chain."""
    text = repr(made)
    records = [getattr(step, "record", None) for step in made.steps()]
    names = [record.constructor.__name__ for record in records if record is not None]
    if "(unproved, " in text:  # on classes derived from the library's it says so
        return True
    return bool(text) and all(
        name in text or f"then_{name.removeprefix('make_')}(" in text for name in names
    )
