"""The words of refusals: they are for people, and do not count as code.

A refusal says a rule and a fix. Where these are plain text, they can be put better
without anybody having to read a proof again. So text that a function gives to its names
`rule` and `fix`, to parameters of these names, or to `refusal`, and text of constants
named `*_RULE` and `*_FIX`, is the same to the review whatever it says. An f-string
counts, because it holds values.

Nothing may depend on such text but a message, and `check_words` sees to it: in modules
that are quoted the names are read only where they are passed to `refusal`, or to a
parameter `rule` or `fix` that is itself only passed on.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import pkgutil
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from opendp_lite.base.errors import refusal
from opendp_lite.review.code.library import Defined, External, Landing, Library, Unknown
from opendp_lite.review.code.modules import Module, import_targets
from opendp_lite.review.code.names import dotted
from opendp_lite.review.problems import Place, Problem

if TYPE_CHECKING:
    from opendp_lite.review.project import Project


_NAMES = ("rule", "fix")
_CONSTANT = re.compile(r"_?(?:[A-Z0-9_]*_)?(?:RULE|FIX)")
_OWN = "opendp_lite."
_FIRST = 3  # of the arguments of `refusal` that are words
_PARTS_OF_WORDS = ast.FormattedValue | ast.JoinedStr | ast.BinOp | ast.Tuple
_REFUSAL = f"{refusal.__module__}.{refusal.__name__}"
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _holds_words(node: ast.AST) -> bool:
    """Return whether a name, or an attribute, is one of those that hold words."""
    if isinstance(node, ast.Name):
        return node.id in _NAMES or _CONSTANT.fullmatch(node.id) is not None
    return isinstance(node, ast.Attribute) and bool(_CONSTANT.fullmatch(node.attr))


def blank_words(tree: ast.Module) -> None:
    """Empty the words in the recorded text of a function, in place."""
    for each in words(tree):
        each.value = ""


def words(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield the words in a text that begins with the imports which it uses.

    It does not matter where in this library `refusal` stands, so that it can move.
    """
    refusals = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(_OWN)
        for alias in node.names
        if alias.name == refusal.__name__
    }
    for node in _where_words_stand(tree.body):
        values = list(_given_to_names(node))
        if isinstance(node, ast.Call):
            values = [each.value for each in node.keywords if each.arg in _NAMES]
            if isinstance(node.func, ast.Name) and node.func.id in refusals:
                values += node.args[_FIRST:]
        for value in values:
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value


def _where_words_stand(body: Iterable[ast.stmt]) -> Iterator[ast.AST]:
    """Yield all nodes of functions, and the statements that bind constants.

    What a class binds, and a name `rule` or `fix` of a module, others can read.
    """
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _where_words_stand(
                each for each in node.body if isinstance(each, _Function | ast.ClassDef)
            )
        elif isinstance(node, _Function):
            yield from _inside(node)
        elif not any(
            isinstance(n, ast.Name) and n.id in _NAMES for n in _targets(node)
        ):
            yield node


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes of a function, but for what a class in it binds."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield from _where_words_stand([child])
        else:
            yield from _inside(child)


def _targets(node: ast.AST) -> Iterator[ast.expr]:
    found = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign | ast.AugAssign):
        found = [node.target]
    for target in found:
        yield from target.elts if isinstance(target, ast.Tuple) else [target]


def _given_to_names(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what an assignment gives to names that hold words."""
    targets = list(_targets(node))
    value: ast.expr | None = getattr(node, "value", None) if targets else None
    values = value.elts if isinstance(value, ast.Tuple) else [value]
    if len(values) == len(targets):
        for target, each in zip(targets, values, strict=True):
            if each is not None and _holds_words(target):
                yield each


def check_words(project: Project) -> Iterator[Problem]:
    """Yield where words are read for something else than messages, in quoted modules.

    A module with a function that words are passed to is looked at as well.
    """
    quoted = {each.module for tex in project.files.values() for each in tex.quotes}
    waiting = sorted(quoted)
    for name in waiting:
        module = project.library.module(name)
        if module is None or name == refusal.__module__:
            continue
        reading = _Reading(project.library, module)
        for line in reading.other_refusals():
            yield Problem(
                "words",
                "",
                f"line {line} of {name} gives the name `refusal` to something else.",
                "The words that are passed to `refusal` do not count, so this name is "
                "for one function. Use another name.",
                place=Place(line, module=name),
            )
        for node in reading.words:
            passed = reading.destinations(node)
            if passed is None:
                yield Problem(
                    "words",
                    "",
                    f"line {getattr(node, 'lineno', '?')} of {name} uses "
                    f"{ast.unparse(node)}, words of a message, for something else.",
                    "Names `rule` and `fix`, and constants `*_RULE` and `*_FIX`, are "
                    "for the arguments of `refusal`. Use another name.",
                    place=Place(getattr(node, "lineno", 1), module=name),
                )
            waiting += sorted((passed or set()).difference(waiting))


class _Reading:
    """Where one module uses words, and what becomes of them."""

    def __init__(self, library: Library, module: Module) -> None:
        self.library = library
        self.module = module
        self._parents = {
            child: node for node in module.nodes for child in ast.iter_child_nodes(node)
        }
        self.words = [
            node.value if isinstance(node, ast.keyword) else node
            for node in self._parents
            if _uses_words(node)
        ]

    def other_refusals(self) -> Iterator[int]:
        """Yield the lines that give the name of `refusal` to something else."""
        names = set()
        for node in self._parents:
            if isinstance(node, ast.ImportFrom):
                targets = import_targets(node, self.module.name, self.module.is_package)
                for name, each in targets.items():
                    if each.attribute == refusal.__name__ and each.module:
                        landings = self.library.resolve(each.module, (each.attribute,))
                        found = {getattr(landing, "name", "") for landing in landings}
                        names.add(name)
                        if any(n.startswith(_OWN) and n != _REFUSAL for n in found):
                            yield node.lineno
        for node in self._parents:
            bound = {getattr(node, "arg", ""), getattr(node, "name", "")}
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                bound = {node.id}
            if bound & names and not isinstance(node, ast.keyword | ast.alias):
                yield getattr(node, "lineno", 0)

    def destinations(self, node: ast.AST) -> set[str] | None:
        """Return the modules of the functions that words are passed to.

        None is returned if they go elsewhere than into a message.
        """
        parent = self._parents[node]
        while isinstance(parent, _PARTS_OF_WORDS):
            if isinstance(getattr(parent, "op", None), ast.Mod):
                return None  # words that do not fit what is put into them raise
            if node is getattr(parent, "format_spec", None):
                return None
            node, parent = parent, self._parents[parent]
        call = self._parents[parent] if isinstance(parent, ast.keyword) else parent
        if not isinstance(call, ast.Call) or node is call.func:
            return set() if node in [*_given_to_names(parent)] else None
        path = dotted(call.func)
        landings = self.library.resolve(self.module.name, path) if path else set()
        is_raised = isinstance(self._parents[call], ast.Raise)
        found: set[str] = set()
        for landing in landings:
            function = self._function(landing)
            if function is not None:
                names = [each.arg for each in function.args.args]
                if _parameter(names, call, node) not in _NAMES:
                    return None
                found.add(getattr(landing, "module", ""))
            elif not _makes_message(landing, is_raised, call, node):
                return None
        return found if landings else None

    def _function(self, landing: Landing) -> _Function | None:
        """Return the function of the package that a call lands on, if it does."""
        module = self.library.module(getattr(landing, "module", ""))
        if module is None or not isinstance(landing, Defined):
            return None
        node = module.definitions[landing.qualname][0][-1]
        return None if isinstance(node, ast.ClassDef) else node


def _uses_words(node: ast.AST) -> bool:
    """Return whether a node reads words, passes them by name, or lets others read."""
    if isinstance(node, ast.Name | ast.Attribute):
        return _holds_words(node) and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.alias):
        renamed = node.asname not in (None, node.name)
        return renamed and _CONSTANT.fullmatch(node.name) is not None
    if isinstance(node, ast.Global):
        return not {*_NAMES}.isdisjoint(node.names)
    return isinstance(node, ast.keyword) and node.arg in _NAMES


def _makes_message(
    landing: Landing, is_raised: bool, call: ast.Call, node: ast.AST
) -> bool:
    """Return whether a call makes an exception, or a user's package calls ours."""
    if isinstance(landing, External) and landing.name.startswith(_OWN):
        try:
            names = inspect.signature(pkgutil.resolve_name(landing.name)).parameters
        except (ImportError, AttributeError, TypeError, ValueError):
            return False
        return _parameter(list(names), call, node) in (*_NAMES, "message")
    if isinstance(landing, Unknown):
        known = vars(builtins).get(landing.name.rpartition(".")[2])
        return isinstance(known, type) and issubclass(known, BaseException)
    return is_raised


def _parameter(names: list[str], call: ast.Call, node: ast.AST) -> str:
    """Return the name of the parameter that an argument is given to."""
    for keyword in call.keywords:
        if keyword.value is node:
            return keyword.arg or ""
    at = [each is node for each in call.args].index(True)
    return names[at] if at < len(names) else ""
