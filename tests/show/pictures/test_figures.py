"""The style that all pictures share: two themes, read by everybody, on no screen."""

from __future__ import annotations

import pickle
from itertools import combinations
from typing import Any

import numpy
import pytest

import opendp_lite.prelude as dp
from opendp_lite import plots
from opendp_lite.show.pictures.figures import rounded_up, theme_argument
from tests.interpreter import loaded_after
from tests.longer import shortened
from tests.rows import for_each
from tests.show.pictures.read import INTEGERS, letters

THEMES = ("light", "dark")
# What is seen by people without the first, the second and the third kind of cones
# (Machado, Oliveira and Fernandes 2009), of linear red, green and blue.
BLIND = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def linear(colour: str) -> Any:
    """Linear red, green and blue."""
    parts = numpy.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return numpy.where(
        parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4
    )


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21 (WCAG 2)."""
    weights = numpy.array([0.2126, 0.7152, 0.0722])
    low, high = sorted(float(weights @ linear(each)) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def seen_apart(one: str, other: str, kind: str) -> float:
    """How far two colours are apart for a person of that kind: Euclid, in sRGB."""
    matrix = numpy.array(BLIND[kind])
    seen = [
        numpy.clip(matrix @ linear(each), 0, 1) ** (1 / 2.2) for each in (one, other)
    ]
    return float(numpy.linalg.norm(seen[0] - seen[1]))


@pytest.mark.parametrize("name", THEMES)
def test_everything_is_seen_on_the_paper(name: str) -> None:
    theme = theme_argument(name)
    assert contrast(theme.ink, theme.paper) > 12
    assert contrast(theme.muted, theme.paper) > 4.5
    assert all(contrast(each, theme.paper) >= 3 for each in theme.colours)
    assert 1.1 < contrast(theme.faint, theme.paper) < 2


@for_each("kind", BLIND)
@for_each("name", THEMES)
def test_curves_are_told_apart_by_everybody(name: str, kind: str) -> None:
    theme = theme_argument(name)
    for one, other in combinations(theme.colours[:4], 2):
        assert seen_apart(one, other, kind) > 0.1
    # The two that stand beside each other everywhere differ without dashes.
    assert seen_apart(theme.colours[0], theme.colours[1], kind) > 0.3
    dashes = [theme.line(i)["linestyle"] for i in range(8)]
    assert len(set(dashes)) == 8


# What is drawn without a theme looks light, and so stands out on the dark one.
@pytest.fixture(scope="module", params=shortened(THEMES, "light"))
def pictures(request: pytest.FixtureRequest) -> tuple[str, list[Any]]:
    name = request.param
    noisy = dp.m.make_laplace(*INTEGERS, 1)
    compared = {"Laplace": noisy, "Gaussian": dp.m.make_gaussian(*INTEGERS, 2)}
    context = dp.Context.compositor(
        data=[1, 2],
        domain=dp.vector_domain(dp.atom_domain(T=int)),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
    )
    context.query(epsilon=0.5).count().laplace().release()
    return name, [
        plots.noise(noisy, theme=name),
        plots.profiles(compared, 1, theme=name),
        plots.tradeoffs(compared, 1, theme=name),
        plots.accuracies(
            {"Laplace": lambda s: dp.m.make_laplace(*INTEGERS, s)},
            1,
            (1, 2),
            theme=name,
        ),
        plots.counts([4, 5], 3, theme=name),
        context.plot(theme=name),
    ]


def test_all_is_written_in_ink_and_large_enough(
    pictures: tuple[str, list[Any]],
) -> None:
    from matplotlib.colors import to_hex

    name, figures = pictures
    theme = theme_argument(name)
    for figure in figures:
        figure.draw_without_rendering()
        for text in letters(figure):
            assert to_hex(text.get_color()) == theme.ink, text
            assert text.get_fontsize() >= 9, text


def test_nothing_is_cut_off(pictures: tuple[str, list[Any]]) -> None:
    for figure in pictures[1]:
        figure.draw_without_rendering()  # room is made for the letters by this
        width, height = figure.get_size_inches()
        box = figure.get_tightbbox()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= width
        assert box.y1 <= height


def test_paper_and_grid_are_of_the_theme(pictures: tuple[str, list[Any]]) -> None:
    from matplotlib.colors import to_hex

    name, figures = pictures
    theme = theme_argument(name)
    for figure in figures:
        assert to_hex(figure.get_facecolor()) == theme.paper
        for axes in figure.axes:
            assert to_hex(axes.get_facecolor()) == theme.paper
            assert axes.get_title(loc="left")


def test_matplotlib_is_loaded_by_pictures_only() -> None:
    asked = "from opendp_lite import plots; plots.noise, plots.budget, plots.accuracies"
    assert "matplotlib" not in loaded_after(asked)


def test_what_to_install_is_said(no_matplotlib: None) -> None:
    with pytest.raises(dp.OpenDPException, match=r"pip install 'opendp-lite\[plots\]'"):
        plots.noise(dp.m.make_laplace(*INTEGERS, 2))


@for_each(
    ("number", "text"),
    [
        (0, "0"),
        (6, "6"),
        (1.38629, "1.387"),
        (100.0, "100"),
        (123456.0, "123500"),
        (1e-9, "1e-9"),
        (12345678.0, "1.235e+7"),
        (0.1, "0.1"),
        (0.1 + 1e-16, "0.1001"),
    ],
)
def test_numbers_are_rounded_up(number: float, text: str) -> None:
    assert rounded_up(number) == text
    assert float(text) >= number


def test_notebooks_show_a_picture_without_pyplot() -> None:
    """What they ask a figure for; and it goes with its copies."""
    figure = plots.counts([1, 2], accuracy=1)
    shown = figure._repr_png_()
    assert shown.startswith(b"\x89PNG\r\n\x1a\n")
    assert pickle.loads(pickle.dumps(figure))._repr_png_() == shown
