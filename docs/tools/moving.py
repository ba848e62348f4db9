"""The page for those who come from OpenDP: every public name of it, and where it is.

`python -m docs.tools.moving` writes the tables of docs/moving.md anew, from the OpenDP
that is installed; a test fails when they are no longer true. What is said of names that
are absent is what the library says when they are asked for (`show/absent.py`).
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import opendp_lite.prelude as dp
from opendp_lite.show import absent

__all__ = [
    "BEGIN",
    "BETTER",
    "PAGE",
    "accepts",
    "anchored",
    "names",
    "page",
    "public",
    "row",
    "slug",
]

BEGIN = "<!-- written by `python -m docs.tools.moving` -->"
PAGE = Path(__file__).resolve().parent.parent / "moving.md"

# The modules of OpenDP whose names are looked for, and where they are looked for here.
ROOMS = {
    "opendp.transformations": "transformations",
    "opendp.measurements": "measurements",
    "opendp.combinators": "combinators",
    "opendp.domains": "domains",
    "opendp.metrics": "metrics",
    "opendp.measures": "measures",
    "opendp.mod": "mod",
    "opendp.context": "context",
    "opendp.accuracy": "accuracy",
    "opendp.typing": "typing",
    "opendp.extras.numpy.canonical": "extras.numpy.canonical",
    "opendp.extras.examples": "examples",
}

INSIDE = ("extras.numpy.canonical", "extras.numpy", "extras")

EXACT_SUM = (
    "The sum is exact: no rounding is paid for, and rows of (-0.5, 0.5) move it by "
    "0.5, where OpenDP claims more than 1.",
    "Sums of floats",
)
NO_GRID = (
    "Floats have no grid: epsilon is exactly d_in / scale. Scales are exact numbers.",
    None,
)
THRESHOLD = (
    "#2922: delta counts the values that are equal to the threshold: 0.0364 where "
    "OpenDP claims 0.0134.",
    "Thresholds on maps",
)
ROUNDED = ("Rounded to the safe side, so that the accuracy asked for is kept.", None)
SEARCH = ("By exact maps; integers without limit; raises a sentence.", None)
CONTEXT = (
    "#2131: ten queries of 0.1 fit into 1, where OpenDP refuses the tenth; a query "
    "that loses more than it says is refused.",
    "Ten tenths",
)

LOWEST = (
    "Refused without negate=True behind make_quantile_score_candidates, where OpenDP "
    "selects the candidate that is furthest from the quantile.",
    "Scores of which the lowest are the best",
)

# What is better here, name by name, and the difference that has the numbers.
BETTER: dict[str, tuple[str, str | None]] = {
    "make_laplace_threshold": THRESHOLD,
    "make_gaussian_threshold": THRESHOLD,
    "make_noise_threshold": THRESHOLD,
    "make_resize": (
        "#2927: ordered data are never shuffled; in OpenDP data sets for which 2 is "
        "claimed are 4 apart.",
        "Resizing ordered data",
    ),
    "make_b_ary_tree": (
        "#2924: the map in L2 is exact: 4.47 where OpenDP claims 4.",
        "Trees in the L2 distance",
    ),
    "make_metric_bounded": (
        "#2926: insert-delete becomes the change-one distance; OpenDP claims 1 where 4 "
        "places change.",
        "From insert-delete to Hamming distance",
    ),
    "make_randomized_response_bitvec": (
        "The size must be public, as it shows in the release.",
        "Bit vectors without a size",
    ),
    "make_population_amplification": (
        "#2932, #2933: nothing is claimed that is not so: 1 where OpenDP claims 0.159.",
        "Samples of a population",
    ),
    "make_sum": EXACT_SUM,
    "make_mean": EXACT_SUM,
    "make_variance": EXACT_SUM,
    "make_sum_of_squared_deviations": EXACT_SUM,
    "make_count": (
        "Where the size is public the count costs 0, and 2 in OpenDP.",
        "Counts of data whose size is public",
    ),
    "make_pureDP_to_zCDP": (
        "rho is epsilon tanh(epsilon / 2): 4.9331 where OpenDP claims 12.5.",
        "Conversions",
    ),
    "make_fixed_approxDP_to_approxDP": (
        "A delta for each lesser epsilon: 0.3908 where OpenDP claims 1.",
        "Conversions",
    ),
    "make_zCDP_to_approxDP": (
        "Of approximate zCDP it makes one profile, where OpenDP makes a pair.",
        "Conversions",
    ),
    "make_laplace": NO_GRID,
    "make_gaussian": (
        "Floats have no grid: rho is exactly (d_in / scale)^2 / 2.",
        None,
    ),
    "make_noise": NO_GRID,
    "make_composition": ("Losses are added exactly, and rounded up once.", None),
    "make_fix_delta": ("Rounded up once; (0, 0) at distance 0.", None),
    "make_canonical_noise": ("At distance 0 the loss is 0.", None),
    "make_noisy_max": LOWEST,
    "make_noisy_top_k": LOWEST,
    "accuracy_to_laplacian_scale": ROUNDED,
    "accuracy_to_gaussian_scale": ROUNDED,
    "binary_search": SEARCH,
    "binary_search_param": SEARCH,
    "binary_search_chain": SEARCH,
    "serialize": ("JSON of this library, which calls nothing else.", "Text"),
    "deserialize": (
        "Reads texts of this library only; runs nothing that a text names.",
        "Text",
    ),
    "Context": CONTEXT,
    "Query": CONTEXT,
    "OpenDPException": (
        "Names the argument, the value, the rule and the fix; never the data.",
        None,
    ),
    "get_california_pums_path": ("The table is synthetic.", "Example data"),
    "get_france_lfs_path": ("The table is synthetic.", "Example data"),
    "Expr": ("Made by dp.col, and understood by every engine.", "Any engine"),
    "atom_domain": ("int has no limit; Fraction is a type of atoms, too.", None),
    "make_basic_composition": (
        "Its name is deprecated, which it says: make_composition is the same.",
        None,
    ),
}


def slug(title: str) -> str:
    """Return the anchor of a difference.

    :param title: the words that the paragraph begins with

    >>> slug("Trees in the L2 distance (#2924).")
    'trees-in-the-l2-distance'
    """
    words = title.partition("(#")[0].lower()
    return "-".join(re.findall(r"[a-z0-9]+", words))


def anchored(text: str) -> str:
    """Return the page of differences with an anchor at each of them.

    :param text: the page

    >>> print(anchored("**Two words (#1).** They say\\nmore.\\n\\nThen\\n"))
    **Two words (#1).** They say
    more.
    {: #two-words }
    <BLANKLINE>
    Then
    <BLANKLINE>
    """
    return re.sub(
        r"^\*\*(.+?)\*\*(?:.+\n)*?(?=\n|\Z)",
        lambda found: f"{found[0]}{{: #{slug(found[1])} }}\n",
        text,
        flags=re.MULTILINE,
    )


def public(module: ModuleType) -> Iterator[str]:
    """Yield the names of a module of OpenDP that users may ask for.

    Where there is no list of them they are those of objects that OpenDP defines; but
    all that can be had by `dp.`, whoever defined it.

    :param module: a module of OpenDP
    """
    listed = getattr(module, "__all__", dir(module))
    everything = module.__name__ in ("opendp.prelude", "opendp.typing")
    for name in dir(module) if everything else listed:
        value = getattr(module, name)
        home = str(getattr(value, "__module__", None) or getattr(value, "__name__", ""))
        told = everything or hasattr(module, "__all__") or home.startswith("opendp.")
        if not name.startswith("_") and told:
            yield name


def names() -> dict[str, list[str]]:
    """Return the public names of OpenDP, by module; each once, where it belongs."""
    import opendp

    found = pkgutil.walk_packages(opendp.__path__, "opendp.")
    modules = [each.name for each in found if "._" not in each.name]
    order = [*ROOMS, *(each for each in sorted(modules) if each not in ROOMS)]
    loaded = {module: importlib.import_module(module) for module in order}
    seen: set[str] = set()
    listed = {}
    for module in order:
        here = [
            name
            for name in sorted(set(public(loaded[module])), key=_key)
            if name not in seen
            and name.replace("then_", "make_", 1) not in seen
            # A module may be there because somebody else has loaded it.
            and (not inspect.ismodule(getattr(loaded[module], name)) or _told(name))
        ]
        mine = {each for each in here if each.startswith("make_")}
        pairs = {each.replace("make_", "then_", 1) for each in mine}
        listed[module] = [each for each in here if each not in pairs]
        seen |= set(here)
    return {module: here for module, here in listed.items() if here}


def _told(name: str) -> bool:
    """Return whether something is said of a name, wherever OpenDP has it."""
    return name in absent.table() or _found("", name)[1] is not None


def _key(name: str) -> tuple[str, str]:
    return name.lower(), name


def row(module: str, name: str) -> tuple[str, str, str]:
    """Return a name, its state (same, better, absent), and what is said of it.

    :param module: the module of OpenDP
    :param name: a public name of it

    >>> row("opendp.metrics", "l1_distance")
    ('l1_distance', 'same', '')
    """
    place, value = _found(module, name)
    if value is None:
        return name, "absent", absent.table()[name]
    exact = EXACT_SUM if "bounded_float_" in name else ("", None)
    said, title = BETTER.get(name, exact)
    words = f"{said} [More](differences.md#{slug(title)})" if title else said
    if place:
        words = f"It is `{place}`. {words}".strip()
    return name, "better" if said else "same", words


def _found(module: str, name: str) -> tuple[str, Any]:
    """Return where a name is, if not where OpenDP has it, and its value, or None."""
    rooms = {"dp": dp, "dp.t": dp.t, "dp.m": dp.m, "dp.c": dp.c}
    rooms["dp.examples"] = dp.examples
    for each in (*INSIDE, "mod", "typing"):
        rooms[f"opendp_lite.{each}"] = importlib.import_module(f"opendp_lite.{each}")
    if module in ROOMS:
        home = importlib.import_module(f"opendp_lite.{ROOMS[module]}")
        if name in dir(home):
            return "", getattr(home, name)
    for written, room in rooms.items():
        if name in getattr(room, "__all__", dir(room)):
            return "" if written == "dp" else f"{written}.{name}", getattr(room, name)
    return "", None


def accepts(theirs: Any, ours: Any) -> bool:
    """Return whether ours takes what theirs takes, in the same order.

    :param theirs: a function of OpenDP
    :param ours: that of the same name
    """
    wanted = list(inspect.signature(theirs).parameters)
    return list(inspect.signature(ours).parameters)[: len(wanted)] == wanted


def page(text: str) -> str:
    """Return the page with its tables as they are now.

    :param text: the page as it is
    """
    from importlib.metadata import version

    rows = {
        module: [row(module, name) for name in here] for module, here in names().items()
    }
    states = [state for listed in rows.values() for _, state, _ in listed]
    release = ".".join(version("opendp").split(".")[:2])
    lines = [BEGIN, "", f"| OpenDP {release} | names |", "| --- | ---: |"]
    for state in ("same", "better", "absent"):
        lines.append(f"| {state} | {states.count(state)} |")
    for module, listed in rows.items():
        lines += ["", f"### {module}", "", "| name | | |", "| --- | --- | --- |"]
        lines += [f"| `{name}` | {state} | {words} |" for name, state, words in listed]
    return text[: text.index(BEGIN)] + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
