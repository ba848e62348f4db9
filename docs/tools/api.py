"""The pages of the API: every public name of the package, from its docstring.

The list is the package's own: a module that comes into `opendp_lite` gets a page,
unless it is named below as a room of the house. A name that several modules export is
described by the first of them, and the others lead there.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any

import opendp_lite
from docs.tools.docstrings import markdown, paragraphs

__all__ = ["INTERNAL", "TITLES", "homes", "modules", "page", "pages"]

# Rooms that users do not enter: their names are reached through those below.
INTERNAL = {"base", "cli", "core", "data", "exact", "extras", "laws", "prelude"}
INTERNAL |= {"randomness", "sessions", "show", "solving"}
# The public modules inside of one of these.
INSIDE = ("extras.numpy.canonical",)

# The order of the pages, and how their names are written. What is not named here comes
# last, under its own name.
TITLES = {
    "transformations": "Transformations (dp.t)",
    "measurements": "Measurements (dp.m)",
    "combinators": "Combinators (dp.c)",
    "context": "Context",
    "tables": "Tables",
    "domains": "Domains",
    "metrics": "Metrics",
    "measures": "Measures",
    "mod": "Objects, searches, features",
    "accuracy": "Accuracy",
    "typing": "Names of types",
    "examples": "Example data (dp.examples)",
    "extras.numpy.canonical": "Private tests of counts",
    "verify": "verify",
    "testing": "testing",
    "plots": "plots",
    "certify": "certify",
    "jobs": "jobs",
    "review": "review",
}
# Classes that users meet and do not call by name, by the page that describes them.
MET = {
    "context": (
        "tables.questions.queries:TableQuery",
        "context.journal:Preview",
        "context.journal:Journal",
    ),
}
# Modules whose names are had by `dp.`, and those that have a letter there.
PRELUDE = {"context", "tables", "domains", "metrics", "measures", "mod", "accuracy"}
PRELUDE |= {"typing"}
LETTERS = {"transformations": "dp.t", "measurements": "dp.m", "combinators": "dp.c"}

PROOFS = "../proofs/pdf"
_STARS = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}


def modules() -> list[str]:
    """Return the public modules of the package, in the order of their pages.

    >>> modules()[:2]
    ['transformations', 'measurements']
    """
    inside = pkgutil.iter_modules(opendp_lite.__path__)
    found = {each.name for each in inside} - INTERNAL | set(INSIDE)
    order = [*TITLES, *sorted(found - set(TITLES))]
    return [name for name in order if name in found]


def load(module: str) -> Any:
    """Return a module of the package.

    :param module: its name, without that of the package

    >>> load("domains").__name__
    'opendp_lite.domains'
    """
    return importlib.import_module(f"{opendp_lite.__name__}.{module}")


def homes() -> dict[str, dict[str, str]]:
    """Return, by module and name, the module whose page describes the name.

    >>> homes()["mod"]["domain_of"]
    'context'
    """
    seen: dict[tuple[str, int], str] = {}
    found: dict[str, dict[str, str]] = {}
    for module in modules():
        loaded = load(module)
        found[module] = {
            name: seen.setdefault((name, id(getattr(loaded, name))), module)
            for name in loaded.__all__
        }
    return found


def pages() -> dict[str, str]:
    """Return the Markdown of all pages, by their paths.

    >>> sorted(pages())[0]
    'api/accuracy.md'
    """
    places = homes()
    made = {f"api/{module}.md": page(module, places[module]) for module in places}
    lines = [
        "# API",
        "Every public name, from its docstring. All examples run in the tests.",
        "\n".join(
            f"* [{TITLES.get(module, module)}]({module}.md): {_opening(load(module))}"
            for module in places
        ),
    ]
    return made | {"api/index.md": "\n\n".join(lines) + "\n"}


def page(module: str, homes: dict[str, str]) -> str:
    """Return the page of a module as Markdown.

    :param module: its name, without that of the package
    :param homes: the module that describes it, for each of its names

    >>> "## l1_distance" in page("metrics", {"l1_distance": "metrics"})
    True
    """
    loaded = load(module)
    blocks = [f"# {TITLES.get(module, module)}", _use(module)]
    if loaded.__doc__:
        blocks += [markdown(loaded.__doc__, {}, PROOFS)]
    constants = []
    for name in sorted(homes, key=_order(loaded)):
        value = getattr(loaded, name)
        if homes[name] != module:
            there = f"{homes[name]}.md#{name}"
            blocks += [f"## {name}", f"See [`{name}`]({there})."]
        elif inspect.isroutine(value) or inspect.isclass(value):
            made = name.replace("then_", "make_", 1)
            if made == name or made not in homes:  # `then_x` is told with `make_x`
                blocks += _described(name, value, homes)
        else:
            constants.append(f"* `{name}` is `{_short(value)}`")
    for each in MET.get(module, ()):
        home, _, name = each.partition(":")
        blocks += _described(name, getattr(load(home), name), homes)
    if constants:
        blocks += ["## Constants", "\n".join(constants)]
    return "\n\n".join(blocks) + "\n"


def _order(module: Any) -> Any:
    """Return the key that sorts functions before classes, and both by name."""
    return lambda name: (inspect.isclass(getattr(module, name)), name.lower(), name)


def _use(module: str) -> str:
    """Return the sentence that says how the names are written."""
    if module in LETTERS:
        return f"`import opendp_lite.prelude as dp`, and `{LETTERS[module]}.make_...`."
    if module in PRELUDE:
        return "`import opendp_lite.prelude as dp`, and `dp.` before a name."
    if module == "examples":
        return "`import opendp_lite.prelude as dp`, and `dp.examples.` before a name."
    parent, _, last = f"{opendp_lite.__name__}.{module}".rpartition(".")
    return f"`from {parent} import {last}`."


def _opening(value: Any) -> str:
    """Return the first paragraph of a docstring, on one line, its signs escaped."""
    first = paragraphs(value.__doc__ or "")[:1]
    return markdown(" ".join("".join(first).split()), {}, PROOFS)


def _described(name: str, value: Any, homes: dict[str, str]) -> Iterator[str]:
    """Yield the blocks of a function or class."""
    yield f"## {name} {{ #{name} }}"
    yield from _body(name, value)
    then = name.replace("make_", "then_", 1)
    if then != name and then in homes:
        yield f"After `>>`: `{then}`, without the domain and the metric."
    if inspect.isclass(value) and not issubclass(value, BaseException):
        for method, function in _methods(value):
            yield f"### {name}.{method} {{ #{name}.{method} }}"
            yield from _body(method, function)


def _body(name: str, value: Any) -> Iterator[str]:
    """Yield the signature and the docstring."""
    types: dict[str, str] = {}
    if isinstance(value, property | cached_property):
        value = value.fget if isinstance(value, property) else value.func
    else:
        try:
            signature = inspect.signature(value)
        except ValueError:
            signature = inspect.Signature()
        parameters = [p for p in signature.parameters.values() if p.name != "self"]
        types = {p.name: _type(p.annotation) for p in parameters}
        yield f"```python\n{_call(name, parameters)}\n```"
    yield markdown(inspect.getdoc(value) or "", types, PROOFS)


def _methods(cls: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties that are described in this class.

    What a class has from another that is public is described there.
    """
    public = {getattr(load(module), name) for module, name in _classes()} - {cls}
    for name in sorted(dir(cls)):
        owner = next(each for each in cls.__mro__ if name in vars(each))
        value = vars(owner)[name]
        if isinstance(value, staticmethod | classmethod):
            value = getattr(cls, name)
        told = inspect.isroutine(value) or isinstance(value, property)
        ours = owner.__module__.startswith(opendp_lite.__name__)
        told = told and ours and owner not in public and bool(value.__doc__)
        if told and not name.startswith("_"):
            yield name, value


@cache
def _classes() -> list[tuple[str, str]]:
    """Return the public classes, each as a module and a name."""
    return [
        (module, name)
        for module, names in homes().items()
        for name in names
        if inspect.isclass(getattr(load(module), name))
    ]


def _call(name: str, parameters: list[inspect.Parameter]) -> str:
    """Return a call as it is written, in one line or with a line for each parameter."""
    written = []
    keyword_only = False
    for each in parameters:
        if each.kind is each.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            written.append("*")
        if each.kind is each.VAR_POSITIONAL:
            keyword_only = True
        stars = _STARS.get(each.kind.name, "")
        default = "" if each.default is each.empty else f"={_short(each.default)}"
        written.append(f"{stars}{each.name}{default}")
    line = f"{name}({', '.join(written)})"
    if len(line) <= 72:
        return line
    return "\n".join([f"{name}(", *(f"    {each}," for each in written), ")"])


def _short(value: Any) -> str:
    """Return the repr of a default or constant, without addresses."""
    if inspect.isroutine(value) or inspect.isclass(value):
        return str(value.__qualname__)
    text = " ".join(repr(value).split())
    return "..." if " at 0x" in text else text.removeprefix("opendp_lite.")


def _type(annotation: Any) -> str:
    """Return an annotation as it is written."""
    if annotation is inspect.Parameter.empty:
        return ""
    if isinstance(annotation, str):
        return annotation
    return inspect.formatannotation(annotation)
