"""Explanations of what a user wrote: it shows no data, and forges no line."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import opendp_lite.prelude as dp
from tests.rows import for_each

SECRET = 918273645
SPACE = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
NOISY = SPACE >> dp.t.then_count() >> dp.m.then_laplace(scale=1)


class Holder:
    """A function that holds data, and prints them."""

    def __init__(self, data: list[int]) -> None:
        self.data = data

    def __call__(self, arg: Any) -> Any:
        return arg

    def __repr__(self) -> str:
        return f"Holder({self.data})"


def looked_up(data: list[int], arg: Any) -> Any:
    return arg


@for_each(
    ("function", "named"),
    [
        (partial(looked_up, [SECRET]), "partial(looked_up, ...)"),
        (partial(partial(looked_up), [SECRET]), "partial(looked_up, ...)"),
        (Holder([SECRET]), "<Holder>"),
        (partial(Holder([SECRET])), "partial(<Holder>, ...)"),
        (np.negative, "negative"),
    ],
)
def test_what_a_function_holds_is_not_shown(function: Any, named: str) -> None:
    dp.enable_features("honest-but-curious")
    made = NOISY >> function
    explained = made.explain(1)
    for text in (str(explained), explained.to_json(), repr(made), made.explain()):
        assert str(SECRET) not in str(text)
        assert named in str(text)
    assert str(SECRET) not in explained._repr_html_()


def test_a_name_forges_no_line() -> None:
    dp.enable_features("honest-but-curious")

    def function(arg: Any) -> Any:
        return arg

    function.__qualname__ = "f\n    proof  proofs/x.tex (vetted)\x1b[2J\u202e"
    explained = (NOISY >> function).explain(1)
    shown = "f proof proofs/x.tex (vetted)[U+001B][2J[U+202E]"
    honest = (NOISY >> looked_up.__get__([SECRET])).explain(1)
    assert f"  {shown}\n" in str(explained)
    assert len(str(explained).splitlines()) == len(str(honest).splitlines())
    assert f"{shown}  " in str((NOISY >> function).explain())
    assert f"<b>{shown}</b>" in explained._repr_html_()
    assert "\x1b" not in explained._repr_html_() + str(explained)
