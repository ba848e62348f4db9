"""The methods of queries that stand for constructors, as type checkers read them.

`opendp_lite/context/links.pyi` is written by

    python -m tests.context.links

from the constructors that the package exports, and a test compares it.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import subprocess
import sys
from inspect import Parameter, Signature
from pathlib import Path
from pkgutil import resolve_name
from textwrap import fill

from opendp_lite.context import methods
from opendp_lite.review.code.modules import import_targets

STUB = Path(inspect.getfile(methods)).with_name("links.pyi")
HEAD = '''\
"""What type checkers and editors read instead of `links.py`.

`python -m tests.context.links` writes this file, and a test compares it. Where
`output_measure` is left out, a query puts in its own measure. One number may be left
out, and the query then solves for it.
"""

'''


def stub() -> str:
    """Return the text of the stub, which is not formatted yet."""
    imports = {"Query": "opendp_lite.context.queries", "overload": "typing"}
    texts: list[str] = []
    for name in sorted(methods._homes()):
        made = method(name)
        for word, home in words(made).items():
            known = imports.setdefault(word, home)
            meanings = [resolve_name(f"{each}:{word}") for each in (known, home)]
            assert meanings[0] is meanings[1], f"{word} means two things"
        texts += definitions(made)
    heads = [f"from {home} import {word}" for word, home in imports.items()]
    return HEAD + "\n".join([*heads, "", "class Links:", *texts, ""])


def method(name: str) -> methods.Method:
    """Return the constructor that a method stands for, and what users pass to it."""
    function = methods.method_named(name)
    assert function is not None
    parameters = [*inspect.signature(function).parameters.values()][1:]
    room, there = methods._homes()[name]
    make = getattr(room, f"make_{name}", None) or getattr(room, there)
    return methods.Method(name, make, "alone", Signature(parameters))


def words(made: methods.Method) -> dict[str, str]:
    """Return the names in the annotations, and the modules that they come from."""
    home = made.make.__module__
    tree = ast.parse(inspect.getsource(sys.modules[home]))
    imported = {
        name: target.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name, target in import_targets(node, home, False).items()
    }
    annotations = "\n".join(str(each.annotation) for each in made.parameters)
    nodes = ast.walk(ast.parse(annotations))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return {each: imported.get(each, home) for each in names - {*dir(builtins)}}


def definitions(made: methods.Method) -> list[str]:
    """Return a method, or its overloads: with a measure or without, and each number.

    The last argument that is needed gets a default, if it is a number. Where a number
    before it is left out, all that come after that number are passed by name.
    """
    needed = made.missing((), {})
    solved = [each for each in needed if made.solves(each)]
    last = solved[-1] if solved and solved[-1] == needed[-1] else ""
    starts = [[*made.parameters]]
    if needed[:1] == ["output_measure"]:
        starts.append([*made.parameters][1:])
    forms = [
        written(start, last, left)
        for start in starts
        for left in ("", *solved)
        if not left or left != last
    ]
    first, _, _ = (inspect.getdoc(made.make) or "").partition("\n\n")
    text = fill(" ".join(first.split()), 74, subsequent_indent=" " * 8)
    head = "    @overload\n" if len(forms) > 1 else ""
    bodies = [f'\n        """{text}"""', *[" ..."] * (len(forms) - 1)]
    return [
        f"{head}    def {made.name}({form}) -> Query:{body}"
        for form, body in zip(forms, bodies, strict=True)
    ]


def written(parameters: list[Parameter], last: str, left: str) -> str:
    """Return the parameters of one form: without `left`, or the last with a default."""
    shown = ["self"]
    by_name = False
    for each in parameters:
        if each.kind is Parameter.KEYWORD_ONLY or each.name == left:
            shown += [] if by_name else ["*"]
            by_name = True
        if each.name != left:
            default = "" if each.default is Parameter.empty else default_of(each)
            default = " = ..." if each.name == last and not left else default
            shown.append(f"{each.name}: {each.annotation}{default}")
    return ", ".join(shown)


def default_of(parameter: Parameter) -> str:
    """Return the default of a parameter as it is written: a constant, or a type."""
    default = parameter.default
    return f" = {default.__name__ if isinstance(default, type) else repr(default)}"


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
    for command in (["check", "--quiet", "--select", "I", "--fix"], ["format"]):
        subprocess.run([sys.executable, "-m", "ruff", *command, str(STUB)], check=True)
