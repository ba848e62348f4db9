"""Maps are never larger than OpenDP's (0.16), on recorded examples.

Each example is a line of code that runs under `dp`, what it was asked, and what OpenDP
answered. An example is evaluated as soon as everything it names exists here. Where the
answer is smaller, the table below says so, and why: an answer that becomes smaller, or
is not smaller any more, has to be explained by a change of this table.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import opendp_lite.prelude as dp
from tests.rows import for_each

RECORDED = json.loads(
    (Path(__file__).parent / "data" / "opendp_maps.json").read_text(encoding="utf-8")
)

EXACT_SUM = "the sum is exact, so there is no rounding of partial sums to pay for"
ADDED_UP = "losses are added exactly, and rounded up once, when they are shown"
SMALLER: dict[str, tuple[Any, str]] = {
    "count sized": (0, "the size is known, so it is the same for all neighbours"),
    "sum float sized n=100 (0,10)": (10.0, EXACT_SUM),
    "sum float sized n=1000000 (0,1)": (1.0, EXACT_SUM),
    "sum float split f32": (1.0, EXACT_SUM),
    "mean float n=1000 (-1,1)": (0.002, EXACT_SUM),
    "mean float n=100 (0,10)": (0.1, EXACT_SUM),
    "unamplified mean n=100 s=0.1": (1.0, EXACT_SUM),
    "amplification mean n=100 N=1000 s=0.1": (
        float.fromhex("0x1.44bdc49bd28cfp-3"),
        EXACT_SUM,
    ),
    "amplification mean n=100 N=100000 s=0.05": (
        float.fromhex("0x1.a1619a3b3c4eap-8"),
        EXACT_SUM,
    ),
    "laplace float scalar s=1 k=3": (
        8.0,
        "rounding takes a distance of 1 to at most one grid step of 8, and never to "
        "1 + 8; nothing is added",
    ),
    "RR bool p=0.6": (
        float.fromhex("0x1.9f323ecbf984bp-2"),
        "the logarithm is rounded up once, at the end",
    ),
    "gaussian float scalar k=-4": (
        0.5,
        "a distance of 1 is a number of grid steps of 1/16, and rounding leaves it so",
    ),
    "accuracy accuracy_to_laplacian_scale(3.0,0.05)": (
        float.fromhex("0x1.005d5cdb5e836p+0"),
        "3 / ln 20 rounded down; noise of OpenDP's scale misses the accuracy asked for",
    ),
    "accuracy accuracy_to_gaussian_scale(2.0,0.05)": (
        float.fromhex("0x1.053ab2bef0e47p+0"),
        "2 / z rounded down; noise of OpenDP's scale misses the accuracy asked for",
    ),
    "canonical eps=1.0 delta=1e-06 at 0": (
        (0.0, 0.0),
        "equal inputs have equal laws; OpenDP's map compares the wrong d_in with 0",
    ),
    "composition 3x laplace int s=3": (1.0, ADDED_UP),
    "pureDP_to_zCDP laplace s=1": (
        float.fromhex("0x1.d9353d7568af4p-2"),
        "epsilon tanh(epsilon / 2), which is less than epsilon^2 / 2",
    ),
    "zCDP->approxDP gaussian s=10.0 eps(delta=1e-08)": (
        float.fromhex("0x1.0c0f8c75c28b4p-1"),
        "rounded up once, at the end",
    ),
    "fix_delta gaussian s=1 1e-6": (
        (float.fromhex("0x1.4e2d9ece8c746p+2"), 1e-06),
        "rounded up once, at the end",
    ),
    "composition 10x laplace s=10": (1.0, ADDED_UP),
}

# No map is larger. An accuracy is, where OpenDP's, rounded to nearest, does not hold.
LARGER: dict[str, tuple[Any, str]] = {
    "accuracy laplacian_scale_to_accuracy(1.0,0.05)": (
        float.fromhex("0x1.7f7427b73e392p+1"),
        "ln 20 rounded up; the double before it is exceeded with more than 0.05",
    ),
}

REFUSED: dict[str, str] = {
    # Vectors of different lengths are told apart with certainty.
    "RR bitvec f=.5 w=1": "must have a size",
}


def exists(name: str) -> bool:
    found: Any = dp
    for part in name.split("."):
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True


def names_in(code: str) -> list[str]:
    """The names of `dp` in a line: `m.make_laplace`, `atom_domain`, ..."""
    return re.findall(r"\bdp\.((?:[tmc]\.)?\w+)", code)


def ours(example: dict[str, Any]) -> Any:
    code, _, reading = example["code"].partition("## then:")
    names = {"dp": dp, "d_in": example["d_in"]}
    made = eval(code.strip(), names)
    return eval(reading.strip() or "o.map(d_in)", {**names, "o": made})


def theirs(example: dict[str, Any]) -> Any:
    d_out = example["d_out"]
    if "d_out_hex" in example:
        assert float.fromhex(example["d_out_hex"]) == d_out
    if isinstance(d_out, list):
        return tuple(d_out)
    return math.inf if d_out == "inf" else d_out


def compare(mine: Any, other: Any) -> str:
    """equal, smaller, or larger; of tuples, larger if any part is."""
    mine, other = (x if isinstance(x, tuple) else (x,) for x in (mine, other))
    if len(mine) != len(other):
        return "of another form"
    if any(not a <= b for a, b in zip(mine, other, strict=True)):
        return "larger"
    return "equal" if mine == other else "smaller"


CHOSEN = [each for each in RECORDED if all(map(exists, names_in(each["code"])))]


@pytest.fixture
def _features() -> Iterator[None]:
    """For drafts, as scripts of OpenDP do, and for what an owner vouches for."""
    dp.enable_features("contrib", "honest-but-curious")
    yield
    dp.disable_features("contrib", "honest-but-curious")


@pytest.mark.usefixtures("_features")
@pytest.mark.parametrize("example", CHOSEN, ids=lambda each: each["name"])
def test_the_map_is_opendps_or_smaller_for_a_reason(example: dict[str, Any]) -> None:
    if example["name"] in REFUSED:
        with pytest.raises(dp.OpenDPException, match=REFUSED[example["name"]]):
            ours(example)
        return
    answer = ours(example)
    verdict = compare(answer, theirs(example))
    if example["name"] in SMALLER:
        assert verdict == "smaller"
        assert answer == SMALLER[example["name"]][0]
    elif example["name"] in LARGER:
        assert verdict == "larger"
        assert answer == LARGER[example["name"]][0]
    else:
        assert verdict == "equal", f"{answer} is {verdict}, theirs: {theirs(example)}"


def test_the_examples_are_evaluated() -> None:
    assert len(RECORDED) == 63
    assert len(CHOSEN) >= 40
    chosen = {each["name"] for each in CHOSEN}
    assert set(SMALLER) | set(REFUSED) | set(LARGER) <= chosen
    assert all(name.startswith("accuracy ") for name in LARGER)
    assert {"laplace int scalar s=10.0", "RR bool p=0.99", "clamp"} <= chosen


def test_a_name_that_does_not_exist_is_noticed() -> None:
    assert names_in("(dp.space_of(int)) >> dp.m.then_laplace(scale=1.)") == [
        "space_of",
        "m.then_laplace",
    ]
    assert exists("m.then_laplace")
    assert not exists("m.then_nothing")
    assert not exists("nothing.then_laplace")


@for_each(
    ("mine", "other", "verdict"),
    [
        (1.0, 1.0, "equal"),
        (3, 3, "equal"),
        (math.inf, math.inf, "equal"),
        (math.nextafter(1.0, 0.0), 1.0, "smaller"),
        (math.nextafter(1.0, 2.0), 1.0, "larger"),
        (math.nan, 1.0, "larger"),
        ((1.0, 1e-6), (1.0, 1e-6), "equal"),
        ((0.5, 1e-6), (1.0, 1e-6), "smaller"),
        ((0.5, 2e-6), (1.0, 1e-6), "larger"),
        (1.0, (1.0, 1e-6), "of another form"),
    ],
)
def test_comparison(mine: Any, other: Any, verdict: str) -> None:
    assert compare(mine, other) == verdict
