"""Names that are loaded when they are first asked for, and what they leave unloaded."""

from __future__ import annotations

import ast
import importlib
import inspect
import pickle
import pydoc
import sys
import types
from pathlib import Path

import pytest

import opendp_lite.prelude as dp
from opendp_lite import accuracy, mod, review, testing, verify
from tests.interpreter import loaded_after, printed_by
from tests.longer import shortened
from tests.rows import for_each

MODULES = [dp.c, dp.m, dp.t, accuracy, mod, review, testing, verify]

# What the prelude needs of the package itself: of these parts all that it imports, of
# the others nothing but the lists of their names.
PARTS = "base combinators core data exact laws sessions show".split()
EAGER = tuple(f"opendp_lite.{name}." for name in PARTS)
THIN = {f"opendp_lite.{name}" for name in "accuracy domains measures metrics".split()}
THIN |= {f"opendp_lite.{name}" for name in "mod prelude typing".split()}
THIN |= {f"opendp_lite.{name}" for name in PARTS}
THIN |= {"opendp_lite", "opendp_lite.measurements", "opendp_lite.transformations"}


def too_much(modules: set[str]) -> set[str]:
    """The modules of the package that the prelude has no need of."""
    ours = {each for each in modules if each.partition(".")[0] == "opendp_lite"}
    return {each for each in ours - THIN if not each.startswith(EAGER)}


def homes(module: types.ModuleType) -> dict[str, list[str]]:
    """What a module imports for those who read its types, by home."""
    (block,) = (
        node
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )
    found = {}
    for node in block.body:
        if isinstance(node, ast.ImportFrom):
            assert node.module is not None
            found[node.module] = [alias.name for alias in node.names]
    return found


HOMES = sorted({home for module in MODULES for home in homes(module)})

PLANTED = """
from typing import TYPE_CHECKING

from opendp_lite import combinators
from opendp_lite.base.loading import on_demand

c = combinators

if TYPE_CHECKING:
    from planted_home import four, one as one, two as two
    from planted_star import *

    three = four
else:
    __getattr__, __dir__ = on_demand(__name__)
"""
NAMES = ["c", "five", "one", "six", "three", "two"]


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A module that takes names from another, which counts its loads."""
    source = (
        "import sys\nsys.loads = getattr(sys, 'loads', 0) + 1\n"
        "one, two, four = [1], [2], [4]\n"
    )
    (tmp_path / "planted_home.py").write_text(source)
    (tmp_path / "planted_star.py").write_text(
        "__all__ = ['five', 'six']\nfive, six, seven = [5], [6], [7]"
    )
    (tmp_path / "planted.py").write_text(PLANTED)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "loads", 0, raising=False)
    for name in ("planted", "planted_home", "planted_star"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        monkeypatch.delitem(sys.modules, name)
    return importlib.import_module("planted")


def test_a_name_is_loaded_once_and_when_asked_for(planted: types.ModuleType) -> None:
    assert "planted_home" not in sys.modules
    one = planted.one
    home = sys.modules["planted_home"]
    assert one is home.one
    assert vars(planted)["one"] is one
    assert "two" not in vars(planted)
    del home.one
    assert planted.one is one
    assert planted.two is home.two
    assert sys.loads == 1  # type: ignore[attr-defined]


def test_all_names_are_listed_before_and_after_loading(
    planted: types.ModuleType,
) -> None:
    assert dir(planted) == planted.__all__ == NAMES
    assert "planted_home" not in sys.modules
    assert planted.one == [1]
    assert dir(planted) == NAMES


def test_a_name_may_be_another_one_there(planted: types.ModuleType) -> None:
    assert planted.three == [4]
    assert planted.c is dp.c
    for name in ("four", "seven", "combinators_"):
        with pytest.raises(AttributeError, match="has no attribute"):
            getattr(planted, name)


def test_a_star_stands_for_all_names(planted: types.ModuleType) -> None:
    assert (planted.five, planted.six) == ([5], [6])


def test_an_unknown_name_is_refused_as_usual(planted: types.ModuleType) -> None:
    text = "module 'planted' has no attribute 'eight'"
    with pytest.raises(AttributeError) as caught:
        planted.eight  # noqa: B018
    assert str(caught.value) == text
    assert (caught.value.name, caught.value.obj) == ("eight", planted)
    assert not hasattr(planted, "eight")
    assert "planted_home" not in sys.modules


@for_each("module", [*MODULES, dp], ids=lambda each: each.__name__)
def test_an_unknown_name_of_the_package_is_refused(module: types.ModuleType) -> None:
    name = module.__name__
    text = f"module '{name}' has no attribute 'make_laplase'"
    with pytest.raises(AttributeError) as caught:
        module.make_laplase  # noqa: B018
    assert str(caught.value) == f"{text}. Did you mean dp.m.make_laplace?"
    assert (caught.value.name, caught.value.obj) == ("make_laplase", None)
    with pytest.raises(ImportError, match="cannot import name 'make_laplase' from"):
        exec(f"from {name} import make_laplase")


@for_each("module", MODULES, ids=lambda each: each.__name__)
def test_every_name_is_that_of_its_home(module: types.ModuleType) -> None:
    listed = [name for those in homes(module).values() for name in those]
    renamed = {"PartialConstructor": "Partial"}
    assert sorted(renamed.get(name, name) for name in dir(module)) == sorted(listed)
    for home, those in homes(module).items():
        for name in set(those) & set(dir(module)):
            value = getattr(module, name)
            assert value is getattr(importlib.import_module(home), name)
            if callable(value) and home.startswith(module.__name__):
                assert value.__module__ == home  # where pickle looks for it


@for_each("module", [*MODULES, dp], ids=lambda each: each.__name__)
def test_every_public_name_is_listed_and_helped(module: types.ModuleType) -> None:
    assert module.__all__ == dir(module)
    described = pydoc.plain(pydoc.render_doc(module))
    assert [name for name in module.__all__ if name not in described] == []


def test_the_prelude_loads_no_constructor_before_it_is_asked_for() -> None:
    assert too_much(loaded_after("import opendp_lite.prelude")) == set()


def test_a_constructor_loads_what_it_needs_and_no_more() -> None:
    modules = loaded_after("import opendp_lite.prelude as dp\ndp.m.make_laplace")
    more = too_much(modules)
    assert {
        "opendp_lite.measurements.noise.laplace_gaussian",
        "opendp_lite.randomness.real",
    } <= more
    assert not {
        f"opendp_lite.{name}"
        for name in (
            "measurements.accuracy measurements.canonical_noise measurements.snapping "
            "measurements.threshold sampling.canonical sampling.tradeoffs "
            "transformations.quantiles"
        ).split()
    } & set(more)
    assert not {"numpy", "cryptography"} & modules


# To load the package again and again, of whose files none changes: the code of a module
# is read once, and what attrs writes for a class is compiled once.
AFRESH = """
import builtins, importlib, sys
from functools import cache
from importlib.machinery import SourceFileLoader
builtins.compile = cache(compile)
read, codes = SourceFileLoader.get_code, {}
def get_code(self, name):
    if name not in codes:
        codes[name] = read(self, name)
    return codes[name]
SourceFileLoader.get_code = get_code
def afresh(module):
    for name in [n for n in sys.modules if n.startswith('opendp_lite')]:
        del sys.modules[name]
    return importlib.import_module(module)
"""


def test_a_star_import_brings_all_names() -> None:
    """Of each module, where nothing else of the package is loaded before."""
    names = [module.__name__ for module in (*MODULES, dp)]
    missing = printed_by(
        AFRESH + f"for module in {names!r}:\n"
        "    afresh(module)\n"
        "    found = {}\n"
        "    exec(f'from {module} import *', found)\n"
        "    print(*(set(sys.modules[module].__all__) - set(found)))\n"
        "    assert len(found) > 1\n"
    )
    assert missing.split() == []


@pytest.mark.parametrize("those", shortened([HOMES[::3], HOMES], HOMES), ids=len)
def test_every_home_loads_first(those: list[str]) -> None:
    """No home needs another to be loaded before it, whatever is asked for first.

    Here each third is asked: they are sorted, so that every folder has some of them.
    """
    count = f"{len(those)}\n"
    loaded = f"print(len([afresh(home) for home in {those!r}]))"
    assert printed_by(AFRESH + loaded) == count


def test_threads_that_ask_at_once_get_the_same() -> None:
    printed_by(
        "import sys, threading\n"
        "import opendp_lite.prelude as dp\n"
        "sys.setswitchinterval(1e-5)\n"
        "names, got = dp.m.__all__, [None] * 8\n"
        "start = threading.Barrier(8)\n"
        "def ask(i):\n"
        "    order = names[i::8] + names\n"
        "    start.wait()\n"
        "    found = {name: getattr(dp.m, name) for name in order}\n"
        "    got[i] = [found[name] for name in names]\n"
        "threads = [threading.Thread(target=ask, args=(i,)) for i in range(8)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "assert got[0] is not None\n"
        "assert all(list(map(id, each)) == list(map(id, got[0])) for each in got)\n"
    )


def test_a_pickle_is_read_where_nothing_is_loaded() -> None:
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    made = dp.m.make_laplace(*space, 2)
    text = pickle.dumps([made, dp.m.then_laplace, dp.t.make_sum])
    printed = printed_by(f"import pickle; print(pickle.loads({text!r})[0])")
    assert printed.strip() == repr(made)
