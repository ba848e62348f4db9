"""The rules on what a module of the package may name, checked on its syntax tree.

Dependencies point downward only, which import-linter checks; randomness enters in one
module; no transcendental function of binary floats is used; importing the prelude loads
no heavy library. The checks here are functions from source text to a list of
complaints, run on the package and on planted sources that break the rule.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from tests.interpreter import loaded_after
from tests.rows import for_each

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "opendp_lite"

# A star import (`os.*`) hides what is used, and counts as a use.
ENTROPY = f"{PACKAGE}.randomness.entropy"
RANDOMNESS = {
    "random",
    "secrets",
    "numpy.random",
    "os.urandom",
    "os.getrandom",
    "os.*",
    "posix.urandom",
    "ssl.RAND_bytes",
    "ssl.RAND_pseudo_bytes",
    "ssl.RAND_add",
    "ssl.RAND_status",
    "uuid.uuid1",
    "uuid.uuid4",
}

TRANSCENDENTAL = {"cmath", "math.*", "statistics.NormalDist"} | {
    f"math.{name}"
    for name in (
        "exp exp2 expm1 log log1p log2 log10 sqrt cbrt pow hypot dist erf erfc gamma "
        "lgamma sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh"
    ).split()
}

HEAVY = {"numpy", "cryptography", "sympy", "click", "rich", "matplotlib", "opendp"}
HEAVY |= {"duckdb", "narwhals", "pandas", "polars", "pyarrow", "pyspark"}


def modules() -> dict[str, Path]:
    """Name and file of every module of the package."""
    found = {}
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()
INITS = {name for name, path in MODULES.items() if path.name == "__init__.py"}


def absolute(module: str, node: ast.ImportFrom, *, is_package: bool) -> str:
    """The module that `from ... import` in `module` names, dots resolved."""
    if node.level == 0:
        return node.module or ""
    keep = module.split(".")
    keep = keep[: len(keep) - node.level + is_package]
    return ".".join([*keep, *([node.module] if node.module else [])])


@lru_cache(maxsize=1)
def nodes(source: str) -> list[ast.AST]:
    """All nodes of the syntax tree; kept, for all checks of one module."""
    return list(ast.walk(ast.parse(source)))


def dotted(node: ast.Attribute) -> list[str]:
    """The names of an attribute, from its root; none if the root is no name."""
    rest, inner = [node.attr], node.value
    while isinstance(inner, ast.Attribute):
        rest, inner = [inner.attr, *rest], inner.value
    return [inner.id, *rest] if isinstance(inner, ast.Name) else []


def bindings(module: str, source: str) -> Iterator[tuple[str, str]]:
    """(local name, imported dotted name) of every import, wherever it stands.

    A call of `import_module` or `__import__` with a literal is an import too.
    """
    for node in nodes(source):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.split(".")[0], alias.name
        elif isinstance(node, ast.ImportFrom):
            base = absolute(module, node, is_package=module in INITS)
            for alias in node.names:
                yield alias.asname or alias.name, f"{base}.{alias.name}"
        elif isinstance(node, ast.Call) and node.args:
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            first = node.args[0]
            if (
                called in ("import_module", "__import__")
                and isinstance(first, ast.Constant)
                and isinstance(first.value, str)
            ):
                yield "", first.value


def names_used(module: str, source: str) -> set[str]:
    """Dotted names that the source imports or reaches, with import aliases resolved.

    `np` and `numpy` mean numpy even when they are bound in another way, as they are
    where numpy is taken from `sys.modules`.
    """
    imported = list(bindings(module, source))
    # `import a.b` binds `a`; `import a.b as c` and `from a import b` bind all of it.
    meaning = {
        local: local if full.startswith(f"{local}.") else full
        for local, full in imported
    }
    meaning = {"np": "numpy", "numpy": "numpy"} | meaning
    used = {full for _, full in imported}
    for node in nodes(source):
        if isinstance(node, ast.Attribute):
            names = dotted(node)
            if names and names[0] in meaning:
                used.add(".".join([meaning[names[0]], *names[1:]]))
    return used


def within(name: str, roots: set[str]) -> bool:
    """Whether the dotted name is one of the roots or lies below one."""
    return any(name == root or name.startswith(f"{root}.") for root in roots)


def hidden_imports(module: str, source: str) -> list[str]:
    """Imports that the contract of import-linter does not see, and those of the root.

    Ruff keeps `import_module` to the files that pyproject.toml names.
    """
    complaints = [
        f"{module} uses __import__; write an import"
        for node in nodes(source)
        if isinstance(node, ast.Name) and node.id == "__import__"
    ]
    if module == PACKAGE:
        found = bindings(module, source)
        complaints += [
            f"{module} imports {full}; it imports nothing" for _, full in found
        ]
    return complaints


def stray_randomness(module: str, source: str) -> list[str]:
    """Uses of a random generator outside the one module that may have them."""
    if module == ENTROPY:
        return []
    return [
        f"{module} uses {name}; randomness comes from {ENTROPY}"
        for name in sorted(names_used(module, source))
        if within(name, RANDOMNESS)
    ]


def float_transcendentals(module: str, source: str) -> list[str]:
    """Transcendental functions, roots and powers of binary floats: none is allowed."""
    complaints = [
        f"{module} uses {name}; enclosures in {PACKAGE}.exact serve instead"
        for name in sorted(names_used(module, source))
        if within(name, TRANSCENDENTAL)
    ]
    for node in nodes(source):
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Pow)
            and isinstance(node.right, ast.Constant)
            and isinstance(node.right.value, float)
        ):
            complaints.append(f"{module} uses {ast.unparse(node)}: a float power")
    return complaints


def heavy_modules(statement: str) -> set[str]:
    """Which heavy libraries a fresh interpreter has loaded after the statement."""
    return HEAVY & loaded_after(statement)


Check = Callable[[str, str], list[str]]


CHECKS: list[Check] = [hidden_imports, stray_randomness, float_transcendentals]


def test_the_package_keeps_the_rules() -> None:
    complaints = []
    for module, path in MODULES.items():
        source = path.read_text(encoding="utf-8")
        complaints += [each for check in CHECKS for each in check(module, source)]
    assert complaints == []


def test_every_module_is_seen() -> None:
    assert {PACKAGE, f"{PACKAGE}.exact.rationals", ENTROPY} <= set(MODULES)


# Where an import is planted, the import, and what it points up to.
UPWARD = [
    ("exact.grids", "import opendp_lite.core.domains", "core.domains"),
    ("exact.rounding", "from opendp_lite import core", "core"),
    ("exact.roots", "from ..core.domains import Domain", "core.domains"),
    ("exact.normal", "from .. import core", "core"),
    ("exact", "from ..core import domains", "core.domains"),
    (
        "core.domains.map",
        "from opendp_lite.sessions.session import Session",
        "sessions.session",
    ),
    (
        "randomness.lazy",
        "from opendp_lite.base.errors import OpenDPException",
        "base.errors",
    ),
    ("laws.tails", "from opendp_lite.randomness import lazy", "randomness.lazy"),
    (
        "randomness.table",
        "def f():\n    from opendp_lite.base import errors",
        "base.errors",
    ),
    (
        "core.domains.domain",
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    import opendp_lite.measurements.noise.additive",
        "measurements.noise.additive",
    ),
    (
        "transformations.sums.summing",
        "from opendp_lite.measurements.noise import laplace_gaussian",
        "measurements.noise.laplace_gaussian",
    ),
    (
        "measurements.noise.geometric",
        "from opendp_lite.combinators import composition",
        "combinators.composition",
    ),
    ("combinators.composition", "import opendp_lite.prelude as dp", "prelude"),
    (
        "transformations.sums.totals",
        "from opendp_lite.domains import atom_domain",
        "domains",
    ),
    ("prelude", "from opendp_lite import verify", "verify"),
    (
        "verify.tree",
        "from opendp_lite.review.code import quoting",
        "review.code.quoting",
    ),
    ("testing.plugin", "from opendp_lite import cli", "cli"),
    (
        "show.pictures.noises",
        "from opendp_lite.testing.assertions import tolerance",
        "testing.assertions",
    ),
]
DOWNWARD = [
    ("exact.grids", "import math\nfrom gmpy2 import mpq"),
    ("exact.grids", "from .rationals import to_mpq"),
    ("core.domains.domain", "from opendp_lite.exact import rationals"),
    ("randomness.real", "from opendp_lite.randomness.lazy import LazyUniform"),
    ("measurements.noise.geometric", "from opendp_lite.exact import rationals"),
    ("prelude", "from opendp_lite import domains, combinators, __version__"),
    ("typing", "from typing import Any\nfrom opendp_lite.data import type_arguments"),
    ("cli", "from opendp_lite import verify, prelude"),
]
KEPT = "Dependencies point downward only KEPT"


def contract(folder: Path, planted: Iterable[tuple[str, str]]) -> str:
    """What import-linter says of a copy of the package with sources planted in it."""
    copy = folder / PACKAGE
    shutil.copytree(ROOT / PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for module, source in planted:
        path = folder / MODULES[f"{PACKAGE}.{module}"].relative_to(ROOT)
        text = path.read_text(encoding="utf-8")
        path.write_text(f"{text}\n\n{source}\n", encoding="utf-8")
    return layers_of(folder)


def layers_of(folder: Path) -> str:
    """What import-linter says of the package in a folder."""
    program = "from importlinter.cli import lint_imports_command as main; main()"
    options = ["--config", str(ROOT / "pyproject.toml"), "--no-cache", "--no-logo"]
    done = subprocess.run(
        [sys.executable, "-c", program, *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "COLUMNS": "500"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_an_upward_import_is_found(tmp_path: Path) -> None:
    said = contract(tmp_path, [(module, source) for module, source, _ in UPWARD])
    assert KEPT not in said
    for module, _, target in UPWARD:
        assert f"{PACKAGE}.{module} -> {PACKAGE}.{target} (" in said


def test_a_downward_import_is_allowed(tmp_path: Path) -> None:
    assert KEPT in contract(tmp_path, DOWNWARD)


def test_a_module_belongs_to_a_layer(tmp_path: Path) -> None:
    helpers = tmp_path / PACKAGE / "helpers.py"
    contract(tmp_path, [])
    helpers.write_text("import math\n", encoding="utf-8")
    assert "opendp_lite.helpers" in layers_of(tmp_path)


@for_each(
    ("module", "source"),
    [
        ("core.domains.domain", "__import__('opendp_lite.verify')"),
        ("", "from opendp_lite.exact import rationals"),
    ],
)
def test_a_hidden_import_is_found(module: str, source: str) -> None:
    name = f"{PACKAGE}.{module}" if module else PACKAGE
    assert len(hidden_imports(name, source)) == 1


@for_each(
    ("source", "rule"),
    [
        ("import importlib\nimportlib.import_module('opendp_lite.cli')", "TID251"),
        ("from importlib import import_module", "TID251"),
        ("import random", "TID251"),
        ("import os\nos.urandom(8)", "TID251"),
        ("from os import *", "F403"),
    ],
)
def test_ruff_finds_what_is_banned(source: str, rule: str) -> None:
    place = f"{PACKAGE}/core/domains/domain.py"
    command = ["ruff", "check", "--no-cache", "--stdin-filename", place, "-"]
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        input=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert rule in done.stdout


@for_each(
    "source",
    [
        "import random",
        "import random as r",
        "from random import gauss",
        "def f():\n    import secrets",
        "import os\nos.urandom(8)",
        "import os as system\nsystem.urandom(8)",
        "import os\nf = os.urandom",
        "from os import urandom as noise",
        "from os import *",
        "import ssl\nssl.RAND_bytes(8)",
        "from ssl import RAND_bytes",
        "import numpy as np\nnp.random.default_rng()",
        "import numpy\nnumpy.random.normal()",
        "import numpy.random",
        "from numpy.random import default_rng",
        "from numpy import random as r",
        "import sys\nnp = sys.modules.get('numpy')\nnp.random.normal()",
        "import importlib\nimportlib.import_module('random')",
        "import uuid\nuuid.uuid4()",
    ],
)
def test_stray_randomness_is_found(source: str) -> None:
    assert stray_randomness(f"{PACKAGE}.core.domains.domain", source)
    assert stray_randomness(ENTROPY, source) == []


@for_each(
    "source",
    [
        '"""Bits of os.urandom, never of random."""',
        "from opendp_lite.randomness.entropy import random_bits\nrandom_bits(3)",
        "import os\nos.path.join('a', 'random')",
        "self.random = 1\nprint(self.random)",
    ],
)
def test_words_about_randomness_are_allowed(source: str) -> None:
    assert stray_randomness(f"{PACKAGE}.core.domains.domain", source) == []


@for_each(
    "source",
    [
        *(
            f"import math\nmath.{name}(x)"
            for name in "exp log log1p expm1 sqrt erf erfc pow".split()
        ),
        "import math as m\nm.exp(x)",
        "from math import exp",
        "from math import log as logarithm",
        "from math import *\nexp(x)",
        "def f(x):\n    from math import sqrt\n    return sqrt(x)",
        "import math\nf = math.exp",
        "import cmath",
        "from statistics import NormalDist",
        "y = x ** 0.5",
    ],
)
def test_a_float_transcendental_is_found(source: str) -> None:
    assert float_transcendentals(f"{PACKAGE}.core.domains.domain", source)


@for_each(
    "source",
    [
        "import math\nmath.floor(x), math.isqrt(4), math.gcd(4, 6), math.inf",
        "from opendp_lite.exact.enclosures import exp\nexp(x, 64)",
        "context.exp(x)",
        "y = 2 ** k",
    ],
)
def test_exact_functions_are_allowed(source: str) -> None:
    assert float_transcendentals(f"{PACKAGE}.core.domains.domain", source) == []


def test_importing_the_prelude_loads_no_heavy_library() -> None:
    assert heavy_modules(f"import {PACKAGE}.prelude") == set()


def test_a_loaded_heavy_library_is_found() -> None:
    assert "numpy" in heavy_modules("import numpy.linalg")
    assert heavy_modules("from click import echo") == {"click"}


# No folder is too full.

MOST = 15


def crowded(files: Iterable[Path]) -> list[str]:
    """Folders with more than fifteen modules, beside their `__init__.py`."""
    count = Counter(path.parent for path in files if path.name != "__init__.py")
    return [f"{folder} has {n} modules" for folder, n in count.items() if n > MOST]


LONGEST = 450


def too_long(files: Iterable[Path]) -> list[str]:
    """Modules with more than 450 lines."""
    count = {path: len(path.read_text("utf-8").splitlines()) for path in files}
    return [f"{path} has {n} lines" for path, n in count.items() if n > LONGEST]


def test_no_module_is_too_long(tmp_path: Path) -> None:
    assert too_long(MODULES.values()) == []
    planted = tmp_path / "planted.py"
    planted.write_text("x = 1\n" * LONGEST)
    assert too_long([planted]) == []
    planted.write_text("x = 1\n" * (LONGEST + 1))
    assert len(too_long([planted])) == 1


def test_no_folder_is_crowded() -> None:
    assert crowded(MODULES.values()) == []


def test_a_crowded_folder_is_found(tmp_path: Path) -> None:
    files = [tmp_path / f"module_{i}.py" for i in range(MOST)]
    assert crowded([*files, tmp_path / "__init__.py"]) == []
    assert len(crowded([*files, tmp_path / "another.py"])) == 1
