"""The five kinds of checks, each asked whether it sees the fault that is planted."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.laws.noise import LAPLACE
from opendp_lite.randomness.bulk_discrete import add_discrete
from opendp_lite.randomness.discrete import discrete_noise
from opendp_lite.randomness.entropy import use_source
from opendp_lite.randomness.table import UNDECIDED
from opendp_lite.review import Project
from opendp_lite.review.code.library import Library
from opendp_lite.review.code.modules import Module
from opendp_lite.review.records import Review, check_code, read_reviews
from opendp_lite.testing.ledger import state_flakiness
from tests.guard.planting import Fault, planted
from tests.randomness.lane_bits import LaneString, assert_lanes_equal_single_draws
from tests.review.example import ROOT

__all__ = ["CHECKS"]

# Loaded before the first fault is planted: what it is wrapped in is changed, too.
make_laplace = dp.m.make_laplace
SPACE = dp.atom_domain(T=int), dp.absolute_distance(T=int)
LISTS = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
PROOFS = ROOT / "proofs"
CELLS = [i * 40_503 % 65_536 for i in range(200)]
# Of these no more bits are read.
DECIDED = [
    format(cell, "016b")
    for cell in CELLS
    if discrete_noise(LAPLACE, mpq(2)).table.cells()[cell] != UNDECIDED  # type: ignore[union-attr]
]
assert len(DECIDED) > 150


@cache
def _on_record() -> tuple[Project, dict[str, Review]]:
    return Project("opendp_lite", PROOFS), read_reviews(PROOFS)


def review(fault: Fault) -> bool:
    """Whether some proof or lemma on record quotes the code, and reports the change."""
    project, reviews = _on_record()
    changed = Module(fault.module, fault.text(), False)
    library = Library("opendp_lite", {fault.module: changed})
    # What was read of other modules is kept; what is given is looked up before it.
    vars(library)["_cache"] = project.library._cache
    faulty = Project("opendp_lite", PROOFS, library)
    for name, tex in project.files.items():
        quotes = {(each.module, each.name) for each in tex.quotes}
        if (fault.module, fault.function) in quotes and name in reviews:
            found = check_code(faulty, tex, reviews[name])
            if any(each.kind == "code-changed" for each in found):
                return True
    return False


def tree(fault: Fault) -> bool:
    """Whether a certificate of a pair does not hold: it is refuted or undecided."""
    with planted(fault):
        noisy = make_laplace(*SPACE, scale=2)
        return not verify.privacy(noisy, 0, 1, depth=20, runs=3000)


def contract(fault: Fault) -> bool:
    """Whether the contract, shortened to a few examples, is broken."""
    space = {"input_domain": SPACE[0], "input_metric": SPACE[1]}
    refused = {**space, "scale": 1, "k": 0.5}, "MakeMeasurement", "integer"
    with planted(fault):
        try:
            verify.contract(
                make_laplace,
                arguments=st.just({**space, "scale": 2}),
                refusals=[refused],
                certificates=[({**space, "scale": 2}, 0, 1, 20)],
                map_values=[({**space, "scale": 2}, 1, 0.5)],
                examples=4,
                runs=3000,
            )
        except verify.ContractBroken:
            return True
    return False


def replay(fault: Fault) -> bool:
    """Whether arrays, or short lists, differ from single draws of the same bits."""
    starts = [format(cell, "016b") for cell in CELLS]
    with planted(fault):
        noise = discrete_noise(LAPLACE, mpq(2))
        values = np.zeros(len(starts), dtype=np.int64)
        # The middles of cells that are decided by 16 bits, and no more are read.
        short = [LaneString(0, "".join(starts[:8])) for _ in range(2)]
        try:
            assert_lanes_equal_single_draws(
                lambda run: add_discrete(noise, values, run),
                lambda i: noise.sample(),
                starts,
            )
            with use_source(short[0]):
                drawn = noise.add_to_list([0] * 8)
            with use_source(short[1]):
                assert drawn == [noise.sample() for _ in range(8)]
            assert short[0].position == short[1].position == 8 * 16
            for add in (noise.add, lambda zeros: noise.add_to_list(zeros.tolist())):
                with use_source(LaneString(0, "".join(DECIDED))):
                    found = list(add(values[: len(DECIDED)]))
                with use_source(LaneString(0, "".join(DECIDED))):
                    assert found == [noise.sample() for _ in DECIDED]
        except AssertionError:
            return True
    return False


DRAWS = 8_000
FLAKINESS = 1e-10


def _off(zeros: list[bool], share: float) -> bool:
    """Whether a share is out of Hoeffding's bounds, at the stated flakiness."""
    draws = len(zeros)
    return abs(sum(zeros) - draws * share) > math.sqrt(
        draws * math.log(2 / FLAKINESS) / 2
    )


def statistics(fault: Fault) -> bool:
    """Whether the share of zeros among draws of the operating system's bits is off.

    Five kinds of draws: 8,000 one by one, 200,000 in an array, and the last entries
    of 1,000 arrays, of 1,000 short ones and of 1,000 short lists. A share off by 0.08,
    0.016 or 0.22 is seen with the same certainty.
    """
    q = math.exp(-1 / 2)
    share = (1 - q) / (1 + q)
    with planted(fault):
        noisy = make_laplace(*SPACE, scale=2)
        many = make_laplace(*LISTS, scale=2)
        kinds = [
            [noisy(0) == 0 for _ in range(DRAWS)],
            (many(np.zeros(25 * DRAWS, dtype=np.int64)) == 0).tolist(),
            [int(many(zeros)[-1]) == 0 for zeros in [np.zeros(1600, int)] * 1000],
            [int(many(zeros)[-1]) == 0 for zeros in [np.zeros(200, int)] * 1000],
            [many(zeros)[-1] == 0 for zeros in [[0] * 10] * 1000],
        ]
    state_flakiness(5 * FLAKINESS)
    return any(_off(zeros, share) for zeros in kinds)


CHECKS: dict[str, Callable[[Fault], bool]] = {
    "review": review,
    "bit tree": tree,
    "contract": contract,
    "replay": replay,
    "statistics": statistics,
}
