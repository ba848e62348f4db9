"""CONTRIBUTING names the files of each sort of kind, and the toys are what it says."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

import opendp_lite.prelude as dp
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.registry import REGISTRY
from opendp_lite.tables.engines.lazy import LazyEngine
from tests.rows import for_each
from tests.test_layers import MODULES

ROOT = Path(__file__).parents[2]
SORTS = {
    "domain": dp.Domain,
    "metric": dp.Metric,
    "measure": dp.Measure,
    "engine": LazyEngine,
    "law of noise": dp.m.Noise,
}
_SECTION = re.compile(r"### An? ([a-z ]+)\n\n((?:\* .*\n)+)")
_FILE = re.compile(r"^\* (toy: )?`([^`]+)`", re.MULTILINE)


def sections() -> dict[str, tuple[list[str], list[str]]]:
    """Return the files of each sort that CONTRIBUTING names, and its toys."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found: dict[str, tuple[list[str], list[str]]] = {}
    for sort, lines in _SECTION.findall(text):
        files, toys = found.setdefault(sort, ([], []))
        for toy, path in _FILE.findall(lines):
            (toys if toy else files).append(path)
    return found


def test_each_sort_has_a_section_with_one_toy() -> None:
    assert {*sections()} == {*SORTS, "mechanism"}
    for sort, (files, toys) in sections().items():
        assert len(toys) == 1, sort
        assert (ROOT / toys[0]).is_file(), sort
        for path in files:
            new = re.search(r"(^|_)x[._]", Path(path).name)
            assert (ROOT / path).parent.is_dir(), path
            assert new is not None or (ROOT / path).is_file(), path


def test_a_mechanism_takes_five_files_in_three_folders() -> None:
    files, _ = sections()["mechanism"]
    assert len(files) == 5
    assert len({Path(path).parent for path in files}) == 3


@for_each("sort", [*SORTS])
def test_the_toy_is_a_class_of_its_sort_in_one_file(sort: str) -> None:
    (toy,) = sections()[sort][1]
    module = import_module(toy.removesuffix(".py").replace("/", "."))
    kinds = [
        each
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, SORTS[sort])
        and each.__module__ == module.__name__
    ]
    assert kinds
    for kind in kinds:
        assert not named_by_package(kind.__name__)


def test_the_toy_mechanism_is_a_constructor_in_one_file() -> None:
    (toy,) = sections()["mechanism"][1]
    module = import_module(toy.removesuffix(".py").replace("/", "."))
    made = [each for key, each in REGISTRY.items() if key.startswith(module.__name__)]
    assert made
    for entry in made:
        returned = inspect.signature(entry.make).return_annotation
        assert returned in ("Measurement", Measurement)
        assert not named_by_package(entry.make.__name__.removeprefix("make_"))


def named_by_package(name: str) -> list[str]:
    """Return the modules of the package that name a toy."""
    return [
        module
        for module, path in MODULES.items()
        if name in path.read_text(encoding="utf-8")
    ]


def test_names_in_the_package_are_found() -> None:
    assert "opendp_lite.tables.engines.polars" in named_by_package("PolarsEngine")
