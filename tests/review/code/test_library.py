"""Where names land, within a package and outside."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from opendp_lite.review import Project, ReviewError
from opendp_lite.review.code.library import (
    Constant,
    Defined,
    External,
    Landing,
    Library,
    ModuleLanding,
    Unknown,
)
from opendp_lite.review.tex.texfile import Reference

Package = Callable[[dict[str, str]], Library]

FILES = {
    "m.py": "import math\n"
    "import planted.sub.deep\n"
    "from planted import sub\n"
    "from planted.sub import deep as d, re_exported, SIZE\n"
    "from .sub.deep import Child\n"
    "from planted.sub.stars import *\n"
    "try:\n    from fast import speed\nexcept ImportError:\n    speed = None\n"
    "if math.pi > 3:\n    def chosen(): ...\nelse:\n    chosen = math.floor\n"
    "def here(): ...\n"
    "alias = here\n",
    "sub/__init__.py": "from planted.sub.deep import real as re_exported\nSIZE = 3\n",
    "sub/deep.py": "class Base:\n    def kept(self): ...\n    def over(self): ...\n"
    "class Child(Base):\n    def over(self): ...\n"
    "def real(): ...\n",
    "sub/stars.py": "def starred(): ...\n",
    "loop.py": "from planted.pool import x\n",
    "pool.py": "from planted.loop import x\n",
}
DEEP = "planted.sub.deep"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("here", {Defined("planted.m", "here")}),
        ("alias", {Constant("planted.m", "alias")}),
        ("math", {External("math")}),
        ("math.floor", {External("math.floor")}),
        ("planted.sub.deep.real", {Defined(DEEP, "real")}),
        ("sub.re_exported", {Defined(DEEP, "real")}),
        ("sub.deep.real", {Defined(DEEP, "real")}),
        ("re_exported", {Defined(DEEP, "real")}),
        ("d", {ModuleLanding(DEEP)}),
        ("d.real", {Defined(DEEP, "real")}),
        ("SIZE", {Constant("planted.sub", "SIZE")}),
        ("Child", {Defined(DEEP, "Child")}),
        ("Child.over", {Defined(DEEP, "Child.over")}),
        ("Child.kept", {Defined(DEEP, "Base.kept")}),
        ("starred", {Defined("planted.sub.stars", "starred")}),
        ("speed", {External("fast.speed"), Constant("planted.m", "speed")}),
        ("chosen", {Defined("planted.m", "chosen"), Constant("planted.m", "chosen")}),
        ("nothing", {Unknown("planted.m.nothing")}),
        ("d.nothing", {Unknown("planted.sub.deep.nothing")}),
    ],
)
def test_landings(package: Package, path: str, expected: set[Landing]) -> None:
    assert package(FILES).resolve("planted.m", tuple(path.split("."))) == expected


def test_imports_in_a_circle_land_nowhere(package: Package) -> None:
    (landing,) = package(FILES).resolve("planted.loop", ("x",))
    assert isinstance(landing, Unknown)


def test_what_a_module_can_reach(package: Package) -> None:
    library = package(FILES)
    assert library.closure({"planted.pool"}) == {"planted.pool", "planted.loop"}
    assert library.closure({"planted.m"}) >= {DEEP, "planted.sub", "planted.sub.stars"}
    assert set(library.names) >= {"planted", "planted.m", DEEP}


def test_a_package_must_be_there() -> None:
    with pytest.raises(ReviewError, match="no package 'no_such_package'"):
        _ = Library("no_such_package").names


def test_a_package_may_be_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lonely.py").write_text("def f(): ...\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    library = Library("lonely")
    assert library.names == ["lonely"]
    assert library.resolve("lonely", ("f",)) == {Defined("lonely", "f")}


def test_the_decorator_of_the_registry_is_no_callee(tmp_path: Path) -> None:
    project = Project("opendp_lite", tmp_path)
    quoted = Reference(
        "make_laplace", 1, "opendp_lite.measurements.noise.laplace_gaussian"
    )
    callees = {landing.name for landing in project.dependencies(quoted).defined}
    assert "opendp_lite.core.measurement.Measurement" in callees
    assert "opendp_lite.core.registry.constructor" not in callees
