"""Figures of matplotlib: one place that loads it, two themes, one style; and profiles.

A picture is for people, and nothing is decided by it. Colours are those of Okabe and
Ito, which people tell apart who do not see all colours; lines differ in their dashes
besides. Whoever draws makes all numbers first, so that a wrong argument is refused
before matplotlib is loaded.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, Context
from fractions import Fraction
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import attrs

from opendp_lite.base.aliases import Value
from opendp_lite.base.errors import OpenDPException, refusal
from opendp_lite.exact.rationals import to_mpq

if TYPE_CHECKING:
    from opendp_lite.base.aliases import ExactNumber
    from opendp_lite.core.measures.profiles import PrivacyProfile

Axes: TypeAlias = Any
"""The axes of a figure of matplotlib, which is loaded when one is drawn."""

Figure: TypeAlias = Any
"""A figure of matplotlib."""

ThemeName: TypeAlias = Literal["light", "dark"]
"""How a picture is coloured."""

# How lines are broken: dashes and gaps, in widths of the line.
_DASHES: tuple[Any, ...] = ("-", "--", "-.", ":")
_DASHES += ((0, (9, 2)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 3)), (0, (9, 2, 1, 2)))

_TITLE, _LABEL, _SMALL = 12, 10.5, 9.5  # sizes of letters, in points
_FOUR = Context(prec=4, rounding=ROUND_CEILING)


@attrs.frozen
class Theme:
    """The colours of a picture: of the paper, of what is written, and of curves."""

    paper: str
    ink: str
    muted: str
    faint: str
    colours: tuple[str, ...]

    def line(self, i: int) -> dict[str, Any]:
        """Return how the curve of that number is drawn: no two look the same."""
        colour = self.colours[i % len(self.colours)]
        return {"color": colour, "linestyle": _DASHES[i], "linewidth": 1.8}


_THEMES = {
    "light": Theme(
        paper="#ffffff",
        ink="#1f2933",
        muted="#5c6875",
        faint="#e3e8ee",
        colours=("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000"),
    ),
    "dark": Theme(
        paper="#161b22",
        ink="#e8ecf1",
        muted="#a9b4c0",
        faint="#303944",
        colours=("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442"),
    ),
}


def theme_argument(theme: object) -> Theme:
    """Return the theme of that name, or refuse it."""
    if type(theme) is not str or theme not in _THEMES:
        rule, fix = "must be 'light' or 'dark'", "Pass for example theme='dark'"
        raise refusal("Plot", "theme", theme, rule, fix)
    return _THEMES[theme]


def several_argument(
    name: str, value: Value, kinds: tuple[type, ...]
) -> dict[str, Any]:
    """Return a mapping from names to what is compared, or refuse it.

    One object of these kinds stands for itself, and has no name.
    """
    if isinstance(value, kinds):
        return {"": value}
    fix = f"Pass for example {name}={{'Laplace': ...}}, from names to what is compared"
    if not isinstance(value, Mapping) or not value:
        rule = "must be one, or a mapping from names, that is not empty"
        raise refusal("Plot", name, value, rule, fix)
    if len(value) > len(_DASHES):
        rule = f"has more than {len(_DASHES)} entries, too many to be told apart"
        raise refusal("Plot", name, value, rule, "Draw several pictures")
    for key in value:
        if type(key) is not str or not key:
            raise refusal("Plot", name, value, "each name must be text", fix)
    return dict(value)


def rounded_up(number: Value) -> str:
    """Return a number as text of four digits: the decimal it prints as, rounded up."""
    shown = _FOUR.create_decimal(repr(float(number))).normalize(_FOUR)
    large = shown.is_finite() and not -5 < shown.adjusted() < 6
    return f"{shown:e}" if large else f"{shown:f}"


def new_figure(
    theme: Theme,
    size: tuple[float, float] = (6.4, 4.2),
    rows: int = 1,
    error: type[OpenDPException] = OpenDPException,
    ax: Axes | Sequence[Axes] | None = None,
) -> tuple[Any, list[Any]]:
    """Return an empty figure, which needs no screen, and its axes, one below the other.

    With `ax` these axes are drawn into, and their figure is returned.

    :param theme: its colours
    :param size: width and height, in inches
    :param rows: how many axes it has; they share their x
    :param error: what is raised where matplotlib is missing
    :param ax: the user's own axes, as many as rows
    """
    if ax is not None:
        given = _axes_argument(ax, rows)
        return given[0].figure, [_plain(axes, theme) for axes in given]
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as Empty
    except ImportError:
        text = "pictures need matplotlib. Run pip install 'opendp-lite[plots]'."
        raise error("FailedFunction", text) from None
    figure = Empty(figsize=size, layout="constrained", facecolor=theme.paper)
    FigureCanvasAgg(figure)
    # Notebooks ask for it, and else show figures only where pyplot was loaded.
    figure._repr_png_ = partial(_png, figure)  # type: ignore[attr-defined]
    grid = figure.subplots(rows, 1, squeeze=False, sharex=True)
    return figure, [_plain(axes, theme) for axes in grid[:, 0]]


def _axes_argument(ax: object, rows: int) -> list[Any]:
    """Return the user's own axes as a list, or refuse them."""
    given: list[Any] = list(ax) if isinstance(ax, Iterable) else [ax]
    if len(given) != rows or not all(hasattr(each, "errorbar") for each in given):
        rule = "must be axes of matplotlib" + (f", a list of {rows}" * (rows > 1))
        fix = "Pass for example figure.subplots()"
        raise refusal("Plot", "ax", type(ax), rule, fix)
    return given


def title_argument(title: object, default: str) -> str:
    """Return the title of a picture: the user's own, or else this one.

    :param title: what the user passed; None for the default
    :param default: says what is drawn
    """
    if title is None:
        return default
    if type(title) is not str:
        rule, fix = "must be text", "Pass for example title='People by city'"
        raise refusal("Plot", "title", title, rule, fix)
    return title


def _png(figure: Figure) -> bytes:
    """Return a figure as the bytes of a PNG file."""
    written = BytesIO()
    figure.savefig(written, format="png")
    return written.getvalue()


def _plain(axes: Axes, theme: Theme) -> Any:
    """Return the axes with two spines, a faint grid behind, and letters to be read."""
    axes.set_facecolor(theme.paper)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(theme.muted)
    axes.tick_params(
        which="both", color=theme.muted, labelcolor=theme.ink, labelsize=_SMALL
    )
    axes.grid(visible=True, color=theme.faint, linewidth=0.8)
    axes.set_axisbelow(True)
    return axes


def label_axes(
    axes: Axes, theme: Theme, title: str = "", x: str = "", y: str = ""
) -> None:
    """Set the title and the names of the axes; a dollar sign in them is one."""
    plain = {"color": theme.ink, "parse_math": False}
    axes.set_title(title, loc="left", fontsize=_TITLE, **plain)
    axes.set_xlabel(x, fontsize=_LABEL, **plain)
    axes.set_ylabel(y, fontsize=_LABEL, **plain)


def put_legend(place: Axes, theme: Theme, handles: Iterable[Any], **where: Any) -> None:
    """Put the names of what is drawn into the picture.

    :param place: the axes or the figure in which they are put
    :param theme: the colours
    :param handles: what is named, with a label each
    :param where: what else `legend` is given
    """
    place.legend(
        handles=list(handles),
        fontsize=_SMALL,
        labelcolor=theme.ink,
        facecolor=theme.paper,
        edgecolor="none",
        framealpha=0.85,
        handlelength=2.6,
        **where,
    )


_POINTS = 200
# The curve is drawn down to the first of these that it reaches.
_DEEPEST = (Fraction(1, 10**12), Fraction(1, 10**6), Fraction(1, 10**2))


def profile_picture(
    profiles: Mapping[str, PrivacyProfile],
    deltas: Sequence[ExactNumber],
    theme: ThemeName = "light",
    ax: Axes | None = None,
    title: str | None = None,
) -> Any:
    """Return a figure: delta over epsilon, and the epsilons of some deltas marked.

    :param profiles: what is drawn, by names; a single one may have an empty name
    :param deltas: where pairs (epsilon, delta) are marked, if epsilon is finite
    :param theme: "light" or "dark"
    :param ax: the axes that are drawn into; those of a new figure by default
    :param title: in place of the usual one
    """
    colours = theme_argument(theme)
    heading = title_argument(title, "Pairs (epsilon, delta) that hold")
    if not isinstance(deltas, list | tuple):
        rule, fix = "must be a list or a tuple", "Pass for example deltas=[1e-9, 1e-6]"
        raise refusal("InvalidDistance", "deltas", deltas, rule, fix)
    marked = {name: _marked(each, deltas) for name, each in profiles.items()}
    reached = [epsilon for pairs in marked.values() for epsilon, _ in pairs]
    end = max(profile_end(each, reached) for each in profiles.values())
    curves = {name: _curve(each, end) for name, each in profiles.items()}
    below = 0.24 * len(curves) if len(curves) > 1 else 0  # for the names
    figure, (axes,) = new_figure(colours, (6.4, 4.2 + below), ax=ax)
    lines = []
    for i, (name, drawn) in enumerate(curves.items()):
        if drawn:
            axes.set_yscale("log")
            (line,) = axes.plot(*zip(*drawn, strict=True), **colours.line(i))
            told = [f"({rounded_up(e)}, {d:.3g})" for e, d in marked[name]]
            line.set_label(": ".join([name, *([", ".join(told)] if told else [])]))
            lines.append(line)
            _mark(axes, marked[name], line.get_color(), colours, write=len(curves) == 1)
    if not lines:
        axes.text(
            *(0.5, 0.5, "delta is 0"),
            transform=axes.transAxes,
            ha="center",
            color=colours.ink,
        )
    elif len(curves) > 1 and ax is not None:
        put_legend(axes, colours, lines)
    elif len(curves) > 1:
        put_legend(figure, colours, lines, loc="outside lower left")
    axes.set_xlim(0, float(end) * 1.05)
    label_axes(axes, colours, heading, "epsilon", "delta (upper bound)")
    return figure


def profile_end(profile: PrivacyProfile, marked: Sequence[float] = ()) -> Fraction:
    """Return the epsilon up to which a curve is drawn: finite, and more than 0.

    :param profile: the curve
    :param marked: epsilons that are to be seen
    """
    reached = [Fraction(x) for x in marked]
    for delta in _DEEPEST:
        epsilon = profile.epsilon(delta)
        if epsilon < math.inf:
            reached.append(Fraction(epsilon))
            break
    return max(reached, default=Fraction(10)) or Fraction(1)


def _curve(profile: PrivacyProfile, end: Fraction) -> list[tuple[float, float]]:
    """Return the points of a curve, from 0 to that epsilon.

    A delta of 0 has no place on the axis: the line ends before it, and there it falls
    so fast that points are needed closer and closer to each other.
    """
    epsilons = [end * i / _POINTS for i in range(_POINTS + 1)]
    last = profile.epsilon(0)
    if last < math.inf:
        nearer = [Fraction(last) * (1 - Fraction(1, 2**i)) for i in range(1, 41)]
        epsilons = sorted([*epsilons, *nearer])
    values = [(float(x), float(profile.delta(x))) for x in epsilons]
    return [(x, y) for x, y in values if y > 0]


def _marked(
    profile: PrivacyProfile, deltas: Sequence[ExactNumber]
) -> list[tuple[float, float]]:
    """Return the pairs (epsilon, delta) of these deltas, where epsilon is finite."""
    pairs = [(float(profile.epsilon(each)), float(to_mpq(each))) for each in deltas]
    return [(epsilon, delta) for epsilon, delta in pairs if epsilon < math.inf]


def _mark(
    axes: Axes,
    pairs: list[tuple[float, float]],
    colour: str,
    theme: Theme,
    *,
    write: bool,
) -> None:
    """Draw the pairs on the curve, and what they are if there is room."""
    for epsilon, delta in pairs:
        axes.plot(epsilon, delta, "o", color=colour, markersize=6)
        if write:
            axes.annotate(
                f"({rounded_up(epsilon)}, {delta:.3g})",
                (epsilon, delta),
                xytext=(7, 7),
                textcoords="offset points",
                color=theme.ink,
                fontsize=10,
            )
