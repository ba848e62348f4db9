r"""The source of a function as it is printed in a proof.

Docstrings go, and so does the decorator that registers a constructor: it carries the
status of the proof itself. Every other decorator stays, because it changes what the
function does. A comment ``# proof: label`` at the end of a line of code becomes a
``\label`` for that line; other comments are printed. What the listing could not
print faithfully is refused with a sentence.
"""

from __future__ import annotations

import ast
import copy
import pkgutil
import re

import attrs

from opendp_lite.core.registry import constructor
from opendp_lite.review.code.library import Defined, External, Landing, Library
from opendp_lite.review.code.modules import (
    Definition,
    Import,
    Module,
    comments,
    definition_lines,
)
from opendp_lite.review.code.names import dotted
from opendp_lite.review.problems import ReviewError

WIDTH = 88
OPEN, CLOSE = "(*@", "@*)"
_LABEL = re.compile(r"#\s*proof:\s*([a-z0-9]+(?:-[a-z0-9]+)*)\s*$")
_ALMOST = re.compile(r"#\s*proof\s*:", re.IGNORECASE)
_CONSTRUCTOR = f"{constructor.__module__}.{constructor.__qualname__}"


@attrs.frozen
class Quote:
    """The printed lines of one function, and its labels.

    `labels` leads from a label to the number of its line in the module's file;
    `marks` from an index into `lines` to the label of that line.
    """

    module: str
    name: str
    lines: tuple[str, ...]
    labels: dict[str, int]
    marks: dict[int, str]

    def listing(self) -> str:
        """Return the text that the listings package reads."""
        printed = [
            f"{line}{OPEN}\\label{{{self.name}:{self.marks[i]}}}{CLOSE}"
            if i in self.marks
            else line
            for i, line in enumerate(self.lines)
        ]
        return "\n".join(printed) + "\n"


def find(module: Module, name: str) -> tuple[Definition, ...]:
    """Return the definition of a function, method or class with those around it."""
    found = module.definitions.get(name, [])
    if not found:
        raise ReviewError(
            f"{module.name} defines no {name}. Correct the name, or restore the "
            "function."
        )
    if len(found) > 1:
        lines = ", ".join(str(path[-1].lineno) for path in found)
        raise ReviewError(
            f"{module.name} defines {name} more than once (lines {lines}), so a quote "
            "of it is ambiguous. Give each definition its own name."
        )
    _check_plain(module, found[0])
    return found[0]


def _check_plain(module: Module, path: tuple[Definition, ...]) -> None:
    """Refuse a definition whose name may stand for something else."""
    outermost = path[0]
    for other in module.bindings(outermost.name):
        if isinstance(other, Import) or other.lineno < outermost.lineno:
            raise ReviewError(
                f"{module.name} binds {outermost.name} in another way too, by an "
                "import or before its definition, so a quote of it is ambiguous. Give "
                "each its own name."
            )
    if module.stars:
        raise ReviewError(
            f"{module.name} imports everything from {module.stars[0]}, so its names, "
            f"{outermost.name} among them, may stand for anything. Import them by name."
        )


def registration_decorators(
    node: Definition, library: Library, module: str
) -> list[ast.expr]:
    """Return the decorators that enter the function in the registry."""
    return [d for d in node.decorator_list if _registers(d, library, module)]


def without_registration(node: Definition, library: Library, module: str) -> Definition:
    """Return a shallow copy that lacks the decorators of the registry."""
    registering = registration_decorators(node, library, module)
    node = copy.copy(node)
    node.decorator_list = [d for d in node.decorator_list if d not in registering]
    return node


def _registers(decorator: ast.expr, library: Library, module: str) -> bool:
    path = dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
    if path is None:
        return False
    return all(_is_constructor(each) for each in library.resolve(module, path))


def _is_constructor(landing: Landing) -> bool:
    if not isinstance(landing, Defined | External):
        return False
    if landing.name.startswith("opendp_lite."):  # perhaps exported elsewhere
        try:
            return pkgutil.resolve_name(landing.name) is constructor
        except (ImportError, AttributeError):
            return False
    return landing.name == _CONSTRUCTOR


def listing_letters(style: str) -> frozenset[str]:
    """Return the letters beyond ASCII that the style file's listings can print.

    >>> sorted(listing_letters("literate={é}{{\\\\'e}}1 {λ}{{$\\\\lambda$}}1"))
    ['é', 'λ']
    """
    return frozenset(
        letter
        for start in re.finditer(r"literate\s*=", style)
        for letter in re.findall(r"\{([^\x00-\x7f])\}", style[start.end() :])
    )


def label_comments(module: Module) -> dict[int, str]:
    """Return line number to label, for every label in a module."""
    return {
        line: match.group(1)
        for line, (_, comment) in comments(module.text).items()
        if (match := _LABEL.search(comment))
    }


def quote(
    library: Library,
    module_name: str,
    name: str,
    letters: frozenset[str] = frozenset(),
) -> Quote:
    """Return a function as it is printed."""
    module = library.module(module_name)
    if module is None:
        raise ReviewError(
            f"the package {library.package} has no module {module_name}. Correct the "
            r"name in \code."
        )
    node = find(module, name)[-1]
    registering = registration_decorators(node, library, module_name)
    printed: list[str] = []
    labels: dict[str, int] = {}
    marks: dict[int, str] = {}
    for number, text in definition_lines(module, node, registering):
        where = f"line {number} of {module_name}, in {name},"
        line, label = _cut_label(text, comments(module.text).get(number), where)
        line = _dedent(line, node.col_offset)
        _check_line(line, letters, where)
        if label is not None:
            if label in labels:
                raise ReviewError(f"{where} repeats the label {label!r}. Rename one.")
            labels[label] = number
            marks[len(printed)] = label
        printed.append(line)
    return Quote(module_name, name, tuple(printed), labels, marks)


def _cut_label(
    line: str, comment: tuple[int, str] | None, where: str
) -> tuple[str, str | None]:
    """Return the line without its label, and the label."""
    if comment is None:
        return line, None
    column, text = comment
    match = _LABEL.search(text)
    if match is None:
        if _ALMOST.search(text):
            raise ReviewError(
                f"{where} has the comment {text!r}, which is not a label. Write "
                "'# proof: label' at the end of the comment, the label in lower-case "
                "letters, digits and single hyphens."
            )
        return line, None
    if not line[:column].strip():
        raise ReviewError(
            f"{where} is a label without code. Put '# proof: {match.group(1)}' at the "
            "end of the line that it names."
        )
    return line[: column + match.start()].rstrip(), match.group(1)


def _dedent(line: str, columns: int) -> str:
    return line[columns:] if not line[:columns].strip() else line.lstrip()


def _check_line(line: str, letters: frozenset[str], where: str) -> None:
    for mark in (OPEN, CLOSE):
        if mark in line:
            raise ReviewError(
                f"{where} contains {mark!r}, which the listing would take for the "
                "border of TeX code. Write it in two parts that are added."
            )
    for letter in line:
        if not (" " <= letter <= "~" or letter in letters):
            raise ReviewError(
                f"{where} contains the character {letter!r} (U+{ord(letter):04X}), "
                "which the listing cannot print. Use ASCII, or add the character to "
                "'literate' in the style file."
            )
    if len(line) > WIDTH:
        raise ReviewError(
            f"{where} is {len(line)} columns wide when printed, and {WIDTH} fit on the "
            "page. Break the line."
        )
