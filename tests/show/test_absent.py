"""Names that are not there: those of OpenDP, mistyped ones, those of other rooms."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
import types
from importlib.metadata import version
from itertools import product

import opendp
import pytest

import opendp_lite.prelude as dp
from docs.tools.moving import public
from opendp_lite import (
    accuracy,
    domains,
    extras,
    measures,
    metrics,
    mod,
)
from opendp_lite import typing as names
from opendp_lite.extras import numpy as extras_numpy
from opendp_lite.show import absent
from tests.interpreter import loaded_after, printed_by
from tests.rows import for_each

# The modules of OpenDP, and where their names are looked for here.
ROOMS = {
    "opendp.accuracy": accuracy,
    "opendp.combinators": dp.c,
    "opendp.domains": domains,
    "opendp.measurements": dp.m,
    "opendp.measures": measures,
    "opendp.metrics": metrics,
    "opendp.mod": mod,
    "opendp.transformations": dp.t,
    "opendp.typing": names,
    "opendp.extras": extras,
    "opendp.extras.examples": dp.examples,
    "opendp.extras.numpy": extras_numpy,
}
HERE = [dp, *ROOMS.values()]


def modules_of_opendp() -> list[str]:
    found = pkgutil.walk_packages(opendp.__path__, "opendp.")
    return [each.name for each in found if "._" not in each.name]


def names_of_opendp() -> list[tuple[str, str]]:
    return [
        (module, name)
        for module in modules_of_opendp()
        for name in public(importlib.import_module(module))
    ]


OPENDP = names_of_opendp()


def found_here(name: str) -> bool:
    """Whether a room of the library has the name, or one of the extras."""
    from opendp_lite.extras.numpy import canonical

    return any(name in dir(room) for room in (*HERE, dp.c, dp.m, dp.t, canonical))


def test_all_of_opendp_is_looked_at() -> None:
    assert version("opendp").startswith("0.16.")
    assert set(ROOMS) | {"opendp.prelude", "opendp.context"} <= set(modules_of_opendp())
    for known in (
        ("opendp.prelude", "Context"),
        ("opendp.prelude", "polars"),
        ("opendp.core", "measurement_invoke"),
        ("opendp.extras.mbi", "AIM"),
        ("opendp.extras.numpy", "make_np_clamp"),
        ("opendp.extras.sklearn.decomposition", "PCA"),
        ("opendp.extras.examples", "get_france_lfs_path"),
        ("opendp.transformations", "make_mean"),
    ):
        assert known in OPENDP
    assert len(OPENDP) > 500


def test_every_name_of_opendp_is_here_or_in_the_table() -> None:
    silent = [
        (module, name)
        for module, name in OPENDP
        if not found_here(name) and name not in absent.table()
    ]
    assert silent == []


def test_the_table_has_names_of_opendp_only_and_each_once() -> None:
    real = {name for _, name in OPENDP}
    real |= {name.replace("then_", "make_", 1) for name in real}
    written = [name for said, _ in absent._SAID for name in said.split()]
    assert [name for name in written if name not in real] == []
    assert sorted(written) == sorted(set(written))


@for_each("module", dict.fromkeys(module for module, _ in OPENDP))
def test_each_name_that_is_not_there_says_something(module: str) -> None:
    rooms = {dp, ROOMS.get(module, dp)}
    for room, name in product(rooms, (n for each, n in OPENDP if each == module)):
        if name in dir(room) or hasattr(room, name):
            continue
        with pytest.raises(AttributeError) as caught:
            getattr(room, name)
        text = f"module {room.__name__!r} has no attribute {name!r}. "
        said = str(caught.value).removeprefix(text)
        assert said != str(caught.value), (room, name)
        assert caught.value.name == name
        if name in absent.table() and not found_here(name):
            assert said == absent.table()[name]
        assert not hasattr(room, name)
        assert name not in dir(room)


def resolved(written: str) -> object:
    """What a dotted name stands for, beginning with `dp` or the package."""
    if written.startswith("opendp_lite."):
        return importlib.import_module(written)
    value: object = dp
    for part in written.split(".")[1:]:
        value = getattr(value, part)
    return value


# A dotted name of the library; a word that can only be a name; what Python knows.
WRITTEN = re.compile(r"\b(?:dp|opendp_lite)(?:\.[A-Za-z_]\w*)+")
NAME = re.compile(r"\b[a-z]\w*_\w+\b|\b[A-Z][a-z]+[A-Z]\w*\b|\b\w+\(")
WORDS = {"d_in", "d_out", "OpenDP"}


def complaints(said: str) -> list[str]:
    """Names in a sentence that the library has not, or that are not written in full."""
    wrong = []
    for written in WRITTEN.findall(said):
        try:
            resolved(written)
        except (AttributeError, ImportError):
            wrong.append(written)
    rest = WRITTEN.sub("", said)
    return wrong + [word for word in NAME.findall(rest) if word not in WORDS]


def test_sentences_name_only_what_is_there() -> None:
    said = {text for _, text in absent._SAID}
    assert {text: complaints(text) for text in said if complaints(text)} == {}
    used = {written for text in said for written in WRITTEN.findall(text)}
    assert {
        "dp.t.make_sum",
        "dp.m.make_laplace_threshold",
        "dp.Measurement.map",
    } <= used


@for_each(
    "planted",
    [
        "Use dp.t.make_nothing.",
        "Use dp.Measurement.mapp instead.",
        "Use make_sum.",
        "It is in opendp_lite.extras.polars now.",
        "Use VectorDomain.",
    ],
)
def test_a_sentence_that_names_what_is_not_there_is_found(planted: str) -> None:
    assert complaints(planted)


def test_sentences_are_sentences() -> None:
    for _, said in absent._SAID:
        assert said[0].isupper()
        assert said.endswith(".")
        assert len(said) < 240
        assert "  " not in said
        assert ". " not in said.removesuffix(".")


@for_each(
    ("module", "name", "said"),
    [
        (dp.t, "then_lapalce", "Did you mean dp.m.then_laplace?"),
        (dp.t, "then_laplace", "It is dp.m.then_laplace."),
        (dp.t, "make_cuont", "Did you mean dp.t.make_count?"),
        (dp.m, "then_count", "It is dp.t.then_count."),
        (dp.c, "make_compositon", "Did you mean dp.c.make_composition?"),
        (dp, "make_laplace", "It is dp.m.make_laplace."),
        (dp, "then_laplac", "Did you mean dp.m.then_laplace?"),
        (dp, "atom_domian", "Did you mean dp.atom_domain?"),
        (dp.m, "atom_domain", "It is dp.atom_domain."),
        (mod, "AtomDomain", "It is dp.AtomDomain."),
        (domains, "max_divergence", "It is dp.max_divergence."),
        (names, "i23", None),
        (names, "usizes", "Did you mean opendp_lite.typing.usize?"),
        (dp.t, "nothing_like_it", None),
        (dp.m, "zzz", None),
    ],
)
def test_typos_and_other_rooms(
    module: types.ModuleType, name: str, said: str | None
) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(module, name)
    text = f"module {module.__name__!r} has no attribute {name!r}"
    assert str(caught.value) == (text if said is None else f"{text}. {said}")


def test_a_typo_of_a_name_that_is_not_here_is_told_what_serves() -> None:
    name = "make_report_noisy_max_gumble"
    said = "Did you mean OpenDP's make_report_noisy_max_gumbel? Its successor is"
    with pytest.raises(AttributeError, match=re.escape(said)):
        getattr(dp.m, name)


def test_python_adds_no_guess_of_its_own() -> None:
    program = "import opendp_lite.prelude as dp\ndp.m.then_lapalce"
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert run.returncode == 1
    assert run.stderr.count("Did you mean") == 1
    assert run.stderr.endswith("Did you mean dp.m.then_laplace?\n")


def test_a_name_that_comes_is_not_asked_of_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(absent.table(), "make_count", "Said by nobody.")
    assert dp.t.make_count.__name__ == "make_count"
    with pytest.raises(AttributeError, match=r"It is dp\.t\.make_count\.$"):
        dp.m.make_count  # type: ignore[attr-defined]  # noqa: B018


def test_the_table_is_loaded_when_a_name_is_missing_and_not_before() -> None:
    table = "opendp_lite.show.absent"
    program = (
        "import opendp_lite.prelude as dp\n"
        "from opendp_lite.extras.numpy import canonical\n"
        "from opendp_lite.transformations.sums import summing\n"
        "dp.m.make_laplace\n"
        "assert not hasattr(dp.t, '_repr_html_')\n"
        "assert not hasattr(dp.t, '__path') and not hasattr(dp, '__wrapped__')\n"
    )
    before = (
        f"import sys\n{program}assert not {{{table!r}, 'difflib'}} & {{*sys.modules}}"
    )
    assert table in loaded_after(f"{before}\nhasattr(dp.t, 'make_no_such')")


def test_other_rooms_are_looked_into_if_they_are_loaded() -> None:
    printed = printed_by(
        "import sys\n"
        "from opendp_lite import transformations\n"
        "try:\n"
        "    transformations.then_laplace\n"
        "except AttributeError as error:\n"
        "    print(error)\n"
        "assert 'opendp_lite.measurements' not in sys.modules\n"
    )
    text = "module 'opendp_lite.transformations' has no attribute 'then_laplace'\n"
    assert printed == text


def test_no_entry_is_left_of_a_name_that_has_come() -> None:
    rooms = (dp, dp.t, dp.m, dp.c)
    assert [n for n in absent.table() if any(n in dir(room) for room in rooms)] == []
