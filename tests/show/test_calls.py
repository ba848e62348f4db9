"""Partial forms show the signature of their constructor; a call that fails says why."""

from __future__ import annotations

import inspect
import pydoc
from typing import Any

import numpy as np
import pytest

import opendp_lite.prelude as dp
from tests.rows import for_each

SPACE = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
PARTIALS = [
    getattr(room, name)
    for room in (dp.t, dp.m, dp.c)
    for name in dir(room)
    if name.startswith("then_")
]


def test_a_partial_form_shows_its_parameters_and_the_docstring() -> None:
    assert len(PARTIALS) > 50
    for partial in PARTIALS:
        name = partial.__name__.removeprefix("then_")
        make = next(
            getattr(room, f"make_{name}")
            for room in (dp.t, dp.m, dp.c)
            if f"make_{name}" in dir(room)
        )
        shown, whole = (
            list(inspect.signature(each).parameters.values())
            for each in (partial, make)
        )
        assert shown == whole[2:], name
        assert (inspect.getdoc(make) or "none") in (inspect.getdoc(partial) or ""), name
        assert partial.__doc__.startswith(f"Partial form of `make_{name}`")


def test_help_shows_bounds_and_guarantee() -> None:
    text = pydoc.plain(pydoc.render_doc(dp.t.then_clamp))
    assert "then_clamp(bounds" in text
    assert "Guarantee:" in text
    assert ":param bounds:" in text


CALLS: list[tuple[Any, tuple[Any, ...], dict[str, Any], str]] = [
    (
        dp.m.then_laplace,
        (),
        {"epsilon": 1.0},
        "has no argument epsilon. Noise is set by its scale: pass scale=..., which "
        "dp.binary_search_param finds for a privacy loss.",
    ),
    (dp.m.then_gaussian, (), {"rho": 1.0}, "Noise is set by its scale"),
    (dp.m.then_laplace, (), {"sensitivity": 1}, "follows from the space"),
    (
        dp.m.then_laplace,
        (),
        {"sclae": 1.0},
        "has no argument sclae. Did you mean scale?",
    ),
    (
        dp.t.then_clamp,
        (0, 10),
        {},
        "then_clamp(bounds) takes 1 argument by position, and 2 came. "
        "Bounds are a pair: pass bounds=(lower, upper).",
    ),
    (dp.t.then_clamp, (), {"lower": 0, "upper": 1}, "Bounds are a pair"),
    (dp.t.then_clamp, (), {}, "then_clamp(bounds) needs bounds."),
    (
        dp.t.then_clamp,
        ((0, 1),),
        {"bounds": (0, 1)},
        "got bounds by position and by name",
    ),
    (dp.t.then_sum, (), {"epsilon": 1}, "has no argument epsilon."),
    (dp.t.then_identity, (), {"epsilon": 1}, "() has no argument epsilon."),
    (dp.t.then_drop_null, (), {"lower": 1}, "() has no argument lower."),
    (dp.t.then_identity, (), {"sensitivity": 1}, "follows from the space"),
    (dp.t.then_identity, (1,), {}, "() takes 0 arguments by position, and 1 came."),
    (
        dp.m.make_laplace,
        (),
        {"scale": 1.0},
        "needs input_domain and input_metric. Pass make_laplace(*space, ...), or write "
        "space >> then_laplace(...).",
    ),
]


@for_each(("call", "args", "kwargs", "said"), CALLS)
def test_a_call_that_does_not_fit_says_what_to_pass(
    call: Any, args: tuple[Any, ...], kwargs: dict[str, Any], said: str
) -> None:
    with pytest.raises(TypeError) as caught:
        call(*args, **kwargs)
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"{call.__name__}(")


def test_no_value_is_shown() -> None:
    secret = np.array([31415])
    calls: list[Any] = [dp.t.then_clamp, dp.t.make_clamp, dp.m.then_laplace]
    for call in calls:
        with pytest.raises(TypeError) as caught:
            call(secret, secret, secret, secret, data=secret)
        assert "31415" not in str(caught.value)


def test_what_cannot_follow_is_named() -> None:
    clamped = SPACE >> dp.t.then_clamp((0, 10)) >> dp.t.then_sum()
    noisy = clamped >> dp.m.then_laplace(scale=1.0)
    with pytest.raises(dp.OpenDPException, match="by then_sum: what it"):
        noisy >> dp.t.then_sum()  # type: ignore[operator]
    with pytest.raises(dp.OpenDPException, match="by a Measurement"):
        noisy >> noisy
    with pytest.raises(dp.OpenDPException, match="call it: then_laplace"):
        clamped >> dp.m.then_laplace  # type: ignore[operator]


def test_a_type_without_its_name_and_data_in_place_of_a_type() -> None:
    with pytest.raises(dp.OpenDPException, match="by name, as in T=int"):
        dp.atom_domain(int)  # type: ignore[arg-type]
    for data in ([1, 2], np.array([1]), 3, (1, 2), {"a": 1}):
        with pytest.raises(dp.OpenDPException, match="infer=True"):
            dp.space_of(data)
    assert dp.space_of([1, 2], infer=True) == SPACE
    assert dp.space_of(list[int]) == dp.space_of("Vec<int>") == SPACE
