"""Where findings are: the lines of code, of proofs and of records that show them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from opendp_lite.review.code.library import Library
from opendp_lite.review.problems import Place
from opendp_lite.review.tex.texfile import TexFile

__all__ = ["changed_place", "cited_place", "definition_place", "line_place"]


def line_place(folder: Path, file: str, text: str) -> Place:
    """Return the first line of a file that holds a text, else its beginning.

    :param folder: the folder of the proofs
    :param file: the path of the file, relative to it
    :param text: what is looked for
    """
    path = folder / file
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    number = next((at for at, each in enumerate(lines, 1) if text in each), 1)
    return Place(number, file=file)


def definition_place(library: Library, module: str, name: str) -> Place | None:
    """Return the line on which a function is defined, if it is there."""
    found = library.module(module)
    if found is None or name not in found.definitions:
        return None
    return Place(found.definitions[name][0][-1].lineno, module=module)


def changed_place(library: Library, header: str, difference: str) -> Place | None:
    """Return the first line of a function that a difference has as new.

    Where none is new, as something was removed, it is the line of the definition. A
    function that is gone has no place but its proof.

    :param library: the package
    :param header: the function, as `module:name`
    :param difference: the lines of a unified difference
    """
    name, _, function = header.partition(":")
    place = definition_place(library, name, function)
    module = library.module(name)
    if module is None or place is None:
        return None
    node = module.definitions[function][0][-1]
    new = {line[1:].strip() for line in difference.splitlines() if line[:1] == "+"}
    inside = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    # A constant that the function uses stands outside of it.
    outside = [at for at in range(1, len(module.lines) + 1) if at not in inside]
    for number in [*inside, *outside]:
        line = module.lines[number - 1].partition("  #")[0].strip()
        if line and line in new:
            return Place(number, module=name)
    return place


def cited_place(tex: TexFile, premises: Iterable[str]) -> Place | None:
    """Return the first line of a proof that cites one of some premises, if one does.

    :param tex: the proof
    :param premises: names of lemmas, perhaps with the letter of a part behind
    """
    names = {each.partition("(")[0] for each in premises}
    lines = [each.line for each in tex.lemmas if f"lemmas/{each.name}" in names]
    return Place(min(lines)) if lines else None
