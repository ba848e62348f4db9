"""Docstrings have one voice: an opening, the guarantee, parameters, example, proof.

A reader of one can then read all. `complaints` is run on every exported function of
the package, and on planted functions that break one rule each.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import opendp_lite
import opendp_lite.prelude as dp
from opendp_lite import plots, review, testing, verify
from opendp_lite.core.registry import REGISTRY, constructor
from opendp_lite.extras.numpy import canonical
from tests.rows import for_each
from tests.test_repository import ROOT

MODULES = [dp, dp.c, dp.m, dp.t, plots, testing, verify, review, canonical]

# What is said of a function that returns nothing.
OPENINGS = {"Add", "Allow", "Check", "Fail", "Raise", "Take"}

# These act on a project with its files, which an example would have to have.
WITHOUT_EXAMPLE = {f"opendp_lite.{name}" for name in ("review", "base.features")}

OTHER_FORMS = re.compile(
    r"^\s*(Args|Arguments|Parameters|Returns|Raises|Yields)\s*:?\s*$"  # by headings
    r"|^\s*[*-] `\w+`.*:"  # in lists
    r"|^\s*:(parameter|arg|argument|key|type|return|returns|rtype|raises?)\b",
    re.MULTILINE,
)


def functions() -> dict[str, Callable[..., Any]]:
    """The functions that the public modules export, by their names."""
    found: dict[str, Callable[..., Any]] = {}
    for module in MODULES:
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value) and not name.startswith("then_"):
                found[f"{value.__module__}.{name}"] = value
    return found


def complaints(function: Callable[..., Any]) -> list[str]:
    """What a docstring lacks; nothing, if it has the form."""
    text = inspect.getdoc(function) or ""
    signature = inspect.signature(function)
    found = []
    opening = re.split(r"\n\s*\n", text)[0]
    verb = opening.partition(" ")[0].rstrip(",")
    returns = signature.return_annotation not in (None, "None")
    if (verb != "Return") if returns else (verb not in OPENINGS):
        found.append("opening")
    if not opening.endswith(".") or re.search(r"\.\s+[A-Z]", opening):
        found.append("one sentence")
    documented = re.findall(r"^:param (\w+): \S", text, re.MULTILINE)
    if documented != list(signature.parameters):
        found.append("parameters")
    if OTHER_FORMS.search(text):
        found.append("another form")
    home = function.__module__
    exempt = any(home.startswith(each) for each in WITHOUT_EXAMPLE)
    if ">>> " not in text and not exempt:
        found.append("example")
    proof = re.search(r"^Proof: proofs/(\S+)\.tex$", text, re.MULTILINE)
    entry = REGISTRY.get(f"{home}:{function.__qualname__}")
    if entry is not None:
        if not re.search(r"^Guarantee: ", text, re.MULTILINE):
            found.append("guarantee")
        if proof is None or proof[1] != entry.proof:
            found.append("proof")
    elif proof is not None and not (ROOT / "proofs" / f"{proof[1]}.tex").is_file():
        found.append("proof")
    order = [text.find(each) for each in ("\n:param ", "\n>>> ", "\nProof: ")]
    present = [place for place in order if place >= 0]
    if present != sorted(present):
        found.append("order")
    return found


@for_each("name", functions())
def test_the_docstring_has_the_form(name: str) -> None:
    assert complaints(functions()[name]) == []


def test_every_constructor_is_seen() -> None:
    for path in sorted(Path(opendp_lite.__file__).parent.rglob("*.py")):
        if "@constructor(" in path.read_text():
            parts = path.relative_to(ROOT).with_suffix("").parts
            importlib.import_module(".".join(parts))
    made = {name.replace(":", ".") for name in REGISTRY if name.startswith("opendp_")}
    assert len(made) > 30
    assert made - set(functions()) <= {"opendp_lite.core.registry.constructor"}


GOOD = """Return a measurement that does it with `scale`.

Guarantee: the loss at d_in is d_in / s, where s is `scale`.

:param scale: s > 0
:param T: the type

>>> 1 + 1
2

Proof: proofs/planted/make_planted.tex
"""

# A change of the docstring, and the complaint about it.
FAULTS: dict[str, tuple[str, str, str]] = {
    "it describes": ("Return", "Returns", "opening"),
    "it is a noun": ("Return a measurement", "A measurement", "opening"),
    "two sentences": ("with `scale`.", "with `scale`. It is fine.", "one sentence"),
    "no sentence": ("with `scale`.", "with `scale`", "one sentence"),
    "a parameter is missing": (":param T: the type\n", "", "parameters"),
    "a parameter is not explained": (":param T: the type", ":param T:", "parameters"),
    "a parameter is not there": (":param T:", ":param TO:", "parameters"),
    "the order is another": (
        ":param scale: s > 0\n:param T: the type",
        ":param T: the type\n:param scale: s > 0",
        "parameters",
    ),
    "a heading": ("\n>>> 1", "\nArgs:\n    T: the type\n\n>>> 1", "another form"),
    "a list": ("\n>>> 1", "\n* `T`: the type\n\n>>> 1", "another form"),
    "a second field": ("\n>>> 1", ":returns: it\n\n>>> 1", "another form"),
    "no example": (">>> 1 + 1\n2\n\n", "", "example"),
    "no guarantee": ("Guarantee: the", "The", "guarantee"),
    "no proof": ("Proof: proofs/planted/make_planted.tex", "", "proof"),
    "another proof": ("planted/make_planted", "planted/make_another", "proof"),
    "the example is not where it belongs": (
        ":param scale: s > 0\n:param T: the type\n\n>>> 1 + 1\n2\n",
        ">>> 1 + 1\n2\n\n:param scale: s > 0\n:param T: the type\n",
        "order",
    ),
}


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    @constructor(proof="planted/make_planted")
    def make_planted(scale: float, T: type) -> dp.Measurement:
        raise NotImplementedError

    name = f"{make_planted.__module__}:{make_planted.__qualname__}"
    monkeypatch.setitem(REGISTRY, name, REGISTRY.pop(name))
    return make_planted


def test_a_good_docstring_passes(planted: Callable[..., Any]) -> None:
    planted.__doc__ = GOOD
    assert complaints(planted) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_form_is_found(fault: str, planted: Callable[..., Any]) -> None:
    old, new, complaint = FAULTS[fault]
    assert GOOD.count(old) == 1
    planted.__doc__ = GOOD.replace(old, new)
    assert complaint in complaints(planted)


def test_a_function_that_returns_nothing_says_what_it_does() -> None:
    def allow() -> None:
        """Allow it.

        >>> 1
        1
        """

    assert complaints(allow) == []
    allow.__doc__ = "Return nothing.\n\n>>> 1\n1\n"
    assert complaints(allow) == ["opening"]


# How the functions of all modules begin, exported or not: with what they do.
VERBS = OPENINGS | set(
    "Return Yield Ask Bound Call Compare Do Draw Empty Enclose Keep Read Refuse "
    "Register Release Serve Set Write Put".split()
)


def openings(source: str) -> dict[str, str]:
    """The first words of the public functions of a module that do not say what is done.

    Commands are left out: what they say is shown by the command line.
    """
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            decorators = " ".join(map(ast.unparse, node.decorator_list))
            words = (ast.get_docstring(node) or "").split()
            if not re.search(r"\b(command|group)\(", decorators) and words:
                first = words[0].rstrip(",:")
                if first not in VERBS:
                    found[node.name] = first
    return found


def test_every_function_begins_with_what_it_does() -> None:
    found: dict[str, str] = {}
    for path in sorted(Path(opendp_lite.__file__).parent.rglob("*.py")):
        found |= openings(path.read_text(encoding="utf-8"))
    assert found == {}


def test_another_beginning_is_found() -> None:
    source = 'def {}():\n    """{} square."""\n'
    planted = source.format("f", "The") + source.format("g", "Return the")
    planted += (
        source.format("_h", "A") + '@cli.command("x")\n' + source.format("i", "A")
    )
    assert openings(planted) == {"f": "The"}
