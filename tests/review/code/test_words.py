"""The words of refusals do not count, and nothing but a message can depend on them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from opendp_lite.review import Project
from opendp_lite.review.code.library import Library
from opendp_lite.review.code.words import check_words, words
from opendp_lite.review.tex.texfile import TexFile
from tests.review.example import ROOT, own_project, same_code
from tests.rows import for_each

Package = Callable[[dict[str, str]], Library]

IMPORT = "from opendp_lite.base.errors import refusal\n"


def function(body: str) -> str:
    return f"{IMPORT}def f(x):\n    {body}\n"


@for_each(
    "code",
    [
        'fix = "A"',
        'rule = "A"',
        'rule: str = "A"',
        'rule, fix = "A", x',
        'rule, fix = x, "A"',
        'fix = ("A" "b")',
        'fix += "A"',
        'g(x, fix="A")',
        'g(x, rule="A")',
        'raise refusal("V", "x", x, "A", "Pass y")',
        'raise refusal("V", "x", x, "must be y", "A")',
        'raise refusal("V", "x", x, f"{x}", "A")',
        'def g():\n        fix = "A"\n        return h(fix)',
    ],
)
def test_words_do_not_count(code: str) -> None:
    assert same_code(function(code), function(code.replace("A", "B")))


@for_each(
    "code",
    [
        'text = "A"',
        'fixes = "A"',
        'fix = f"A{x}"',
        'fix = b"A"',
        'fix = x + "A"',
        'fix = "A" if x else "C"',
        'fix = g("A")',
        'text, fix = "A", x',
        'fix = text = g("A")',
        'x.fix = "A"',
        'x["fix"] = "A"',
        'return "A"',
        'g("A")',
        'g(x, text="A")',
        'raise refusal("A", "x", x, "must be y", "Pass y")',
        'raise refusal("V", "A", x, "must be y", "Pass y")',
        'raise refusal("V", "x", "A", "must be y", "Pass y")',
        'raise other("V", "x", x, "A", "Pass y")',
        'raise x.refusal("V", "x", x, "A", "Pass y")',
    ],
)
def test_everything_else_counts(code: str) -> None:
    assert not same_code(function(code), function(code.replace("A", "B")))


@for_each(
    ("text", "counts"),
    [
        ('_K_FIX = "A"\ndef f(): ...', False),
        ('FIX: str = "A"\ndef f(): ...', False),
        ('a.b._K_RULE = "A"\ndef f(): ...', False),
        ('_FIXED = "A"\ndef f(): ...', True),
        ('PREFIX = "A"\ndef f(): ...', True),
        ('fix = "A"\ndef f(): ...', True),
        ('a.b.fix = "A"\ndef f(): ...', True),
        ('class C:\n    fix = "A"\n    def f(self): ...', True),
        ('class C:\n    K_FIX = "A"\n    def f(self): ...', True),
        ('class C:\n    def f(self):\n        fix = "A"', False),
        ('def f():\n    raise refusal("V", "x", 1, "A", "B")', True),
        ('from planted.m import refusal\ndef f():\n    refusal(1, 2, 3, "A")', True),
    ],
)
def test_words_of_constants_and_classes(text: str, counts: bool) -> None:
    assert same_code(text, text.replace("A", "B")) != counts


def test_a_word_and_a_value_are_not_the_same() -> None:
    assert not same_code(function('fix = "A"'), function('fix = f"A{x}"'))
    assert not same_code(function('fix = "A"'), function("fix = x"))
    assert not same_code(function('fix = "A"'), function("fix = None"))


HELPERS = """
def checked(name, value, fix):
    raise refusal("V", name, value, "must be", fix)

def passed_on(value, *, fix):
    return checked("x", value, f"{fix}, please")

def measured(value, fix):
    return len(fix)
"""


def found(package: Package, code: str, helpers: str = HELPERS) -> list[str]:
    library = package(
        {
            "m.py": f"{IMPORT}from planted.helpers import *\n"
            f"from planted import helpers\n_K_FIX = 'x'\ndef f(x):\n    {code}\n",
            "helpers.py": IMPORT + helpers,
        }
    )
    project = Project("planted", Path("none"), library)
    vars(project)["files"] = {"a/f": TexFile("a/f", r"\code{planted.m}{f}")}
    return [problem.message for problem in check_words(project)]


@pytest.mark.parametrize(
    "code",
    [
        'rule, fix = "a", "b"; raise refusal("V", "x", x, rule, fix)',
        'raise refusal("V", "x", x, rule="a", fix=_K_FIX)',
        'raise refusal("V", "x", x, f"no {x}", f"{_K_FIX}; {x}")',
        'fix = "a"; fix += "b"; return checked("x", x, fix)',
        'fix = "a" + _K_FIX; return helpers.checked("x", x, fix)',
        'return passed_on(x, fix="a")',
        'fix = "a"; raise ValueError(fix)',
    ],
)
def test_words_may_reach_messages(package: Package, code: str) -> None:
    assert found(package, code, HELPERS.replace("len(fix)", "0")) == []


@pytest.mark.parametrize(
    "code",
    [
        'fix = "a"; return fix',
        'fix = "a"; return len(fix)',
        'fix = "a"; return x if fix else 0',
        'fix = "a"; return fix == x',
        'fix = "a"; return fix.upper()',
        'fix = "a"; y = fix',
        'fix = "a"; y = f"{fix}"',
        'fix = "a"; return [fix]',
        'fix = "a"; x.append(fix)',
        'fix = "a"; return refusal(fix, "x", x, "must be", "Pass y")',
        'fix = "a"; return refusal("V", "x", fix, "must be", "Pass y")',
        'fix = "a"; return checked(fix, x, "Pass y")',
        'fix = "a"; return x(fix)',
        'fix = "a"; raise x(fix)',
        "return x(fix='a')",
        "return len(_K_FIX)",
        "return helpers._K_FIX",
        "global fix; fix = 'a'",
        "from planted.m import _K_FIX as k; return k",
        "return passed_on(x, text='a') + _K_FIX",
    ],
)
def test_words_may_reach_nothing_else(package: Package, code: str) -> None:
    helpers = HELPERS.replace("len(fix)", "0")
    (message,) = found(package, code, helpers)
    assert "of planted.m uses" in message


def test_a_function_that_words_are_passed_to_is_looked_at(package: Package) -> None:
    (message,) = found(package, 'return passed_on(x, fix="a")')
    assert "line 10 of planted.helpers uses fix" in message


def test_words_of_the_library_reach_messages_only() -> None:
    """Nothing that is proved can depend on the words that do not count.

    Every module counts here, whether it is quoted or not, but for the tools, of which
    none is: they have sentences of their own.
    """
    library = own_project().library
    tools = "certify cli jobs review show.pictures verify".split()
    roots = tuple(f"opendp_lite.{tool}" for tool in tools)
    modules = [name for name in library.names if not name.startswith(roots)]
    quotes = "".join(rf"\code{{{name}}}{{f}}" for name in modules)
    project = Project("opendp_lite", ROOT / "proofs", library)
    vars(project)["files"] = {"a/f": TexFile("a/f", quotes)}
    assert list(check_words(project)) == []
    count = 0
    for name in modules:
        module = library.module(name)
        assert module is not None
        count += len(list(words(module.tree)))
    assert count > 250
