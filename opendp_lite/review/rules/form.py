"""Whether a proof has the form of a Hoare triple, part by part."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from opendp_lite.base import aliases
from opendp_lite.review.code.library import Constant, External, Library
from opendp_lite.review.code.quoting import find
from opendp_lite.review.problems import Place, Problem
from opendp_lite.review.project import Project
from opendp_lite.review.tex.texfile import PARTS, Item, TexFile

_SAYS_NOTHING = {"Any", "object", "typing.Any"} | {
    f"{aliases.__name__}.{name}"
    for name in aliases.__all__
    if getattr(aliases, name) in (Any, object)
}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def check_form(project: Project, tex: TexFile) -> Iterator[Problem]:
    """Yield what a proof or lemma lacks, whatever it says."""
    for each in tex.unfinished:
        yield Problem(
            "unfinished",
            tex.name,
            f"line {each.line} is unfinished: {each.name or 'nothing is said'}.",
            r"Write that part, and remove \unfinished.",
            place=Place(each.line),
        )
    for each in tex.forbidden:
        message, _, advice = each.name.rpartition(". ")
        yield Problem(
            "forbidden",
            tex.name,
            f"on line {each.line}, {message}.",
            f"{advice}.",
            place=Place(each.line),
        )
    if not tex.text.rstrip().endswith(r"\end{document}"):
        yield _lacks(tex, r"\end{document}", "Finish the document.")
    if r"\summary" not in tex.text:
        yield _lacks(tex, r"\summary{...}", "Say in one sentence what is proved.")
    if not tex.proof_titles:
        yield _lacks(tex, r"\begin{proof}", "Write the proof.")
    if tex.is_lemma:
        yield from _check_lemma(tex)
    else:
        yield from _check_proof(project, tex)


def _lacks(tex: TexFile, what: str, fix: str) -> Problem:
    return Problem("form", tex.name, f"the text has no {what}.", fix)


def _check_lemma(tex: TexFile) -> Iterator[Problem]:
    stem = tex.name.removeprefix("lemmas/")
    if [each.name for each in tex.lemma_names] != [stem]:
        fix = rf"Write \lemmaof{{{stem}}} before the document begins, once."
        yield Problem("form", tex.name, r"\lemmaof does not name this file.", fix)
    if tex.environment("lemmastatement") is None:
        yield _lacks(tex, r"\begin{lemmastatement}", "State the lemma there.")


def _check_proof(project: Project, tex: TexFile) -> Iterator[Problem]:
    if len(tex.subjects) != 1:
        fix = r"Write \proofof{module}{function} before the document begins, once."
        yield Problem("form", tex.name, "the text must name one subject.", fix)
        return
    subject = tex.subject
    stem = tex.name.rpartition("/")[2]
    short = subject.name.rpartition(".")[2]
    if stem not in (subject.name, short):
        fix = f"Rename the file to {short}.tex, or correct the subject."
        message = f"the file is named {stem}, and its subject is {subject.name}."
        yield Problem("form", tex.name, message, fix)
    quoted = {(each.module, each.name) for each in tex.quotes}
    if (subject.module, subject.name) not in quoted and not any(
        module == subject.module and name.startswith(f"{subject.name}.")
        for module, name in quoted
    ):
        fix = rf"Write \code{{{subject.module}}}{{{subject.name}}}."
        yield Problem("form", tex.name, "the text does not quote its subject.", fix)
    if len(tex.quotes) != len(quoted):
        yield Problem(
            "form", tex.name, "a function is quoted twice.", r"Remove one \code."
        )
    yield from _check_postcondition(tex, {subject.name, short})
    yield from _check_compiler_verified(project, tex)
    yield from _check_human_verified(tex)


def _check_postcondition(tex: TexFile, names: set[str]) -> Iterator[Problem]:
    if not tex.postconditions:
        fix = rf"State one of {', '.join(PARTS)} in \begin{{postcondition}}."
        yield _lacks(tex, "postcondition", fix)
    for macro, function in tex.postconditions:
        if function not in names:
            message = f"the postcondition is about {function}, not about the subject."
            fix = f"Write \\{macro}{{{min(names)}}}{{...}}."
            yield Problem("form", tex.name, message, fix)
        for part in PARTS[macro]:
            if not any(t.lower().startswith(part.lower()) for t in tex.proof_titles):
                message = f"the part {part!r} of \\{macro} has no proof."
                fix = rf"Write \begin{{proof}}[{part}] ... \end{{proof}}."
                yield Problem("part-unproved", tex.name, message, fix)


def annotated_parameters(project: Project, tex: TexFile) -> set[str]:
    """Return the parameters of quoted functions whose annotations say something.

    Where the subject has a parameter of the name, its annotation decides.
    """
    says: dict[str, bool] = {}
    subject = (tex.subject.module, tex.subject.name)
    for reference in sorted(
        tex.quotes, key=lambda each: (each.module, each.name) == subject
    ):
        module = project.library.module(reference.module)
        if module is None or reference.name not in module.definitions:
            continue
        node = find(module, reference.name)[-1]
        inner = [each.args for each in ast.walk(node) if isinstance(each, _FUNCTIONS)]
        for arguments in reversed(inner):  # the outermost last
            for each in ast.walk(arguments):
                if isinstance(each, ast.arg):
                    kind = ast.unparse(each.annotation) if each.annotation else "Any"
                    says[each.arg] = _says_something(
                        project.library, reference.module, kind
                    )
    return {name for name, something in says.items() if something}


def _says_something(library: Library, module: str, kind: str) -> bool:
    """Return whether an annotation in a module is more than a name for anything."""
    if kind in _SAYS_NOTHING:
        return False
    name = tuple(kind.split("."))
    landings = library.resolve(module, name) if all(map(str.isidentifier, name)) else ()
    for landing in landings:
        if isinstance(landing, External) and landing.name in _SAYS_NOTHING:
            return False
        here = library.module(landing.module) if isinstance(landing, Constant) else None
        for statement in here.bindings(name[-1]) if here else []:
            value = getattr(statement, "value", None)  # of `Name: TypeAlias = value`
            if isinstance(value, ast.Name) and value.id in _SAYS_NOTHING:
                return False
    return True


def _check_list(
    tex: TexFile, environment: str, items: tuple[Item, ...] | None, fix: str
) -> Iterator[Problem]:
    """Yield what is wrong with a list of conditions that is absent or empty."""
    if items is None:
        yield _lacks(tex, rf"\begin{{{environment}}}", fix)
        return
    found = tex.environment(environment)
    if not items and found is not None and found[0].strip().rstrip(".") != "None":
        message = f"the list {environment} holds text outside its items."
        fix = r"Write the single word None., or begin each condition with \item."
        yield Problem("form", tex.name, message, fix)


def _check_compiler_verified(project: Project, tex: TexFile) -> Iterator[Problem]:
    items = tex.conditions("compilerverified")
    yield from _check_list(
        tex, "compilerverified", items, "List the checked conditions."
    )
    typed = annotated_parameters(project, tex) if items else set()
    for item in items or ():
        if not item.by:
            yield Problem(
                "by-missing",
                tex.name,
                rf"the condition on line {item.line} does not end in \by{{...}}.",
                r"End it in \by{function:label}, the line that enforces it, or "
                r"\by{type}; or move it to the human-verified conditions.",
                place=Place(item.line),
            )
        elif "type" in item.by and not item.names & typed:
            yield Problem(
                "by-type",
                tex.name,
                f"the condition on line {item.line} is said to hold by type, and names "
                "no parameter of quoted code that has an annotation other than Any.",
                r"Name the parameter by \fn{...}, annotate it, or name the line that "
                r"enforces the condition by \by{function:label}.",
                place=Place(item.line),
            )


def _check_human_verified(tex: TexFile) -> Iterator[Problem]:
    items = tex.conditions("humanverified")
    yield from _check_list(tex, "humanverified", items, "Write None., or list them.")
    for item in items or ():
        if item.human is None or not item.text.startswith(r"\human"):
            yield Problem(
                "form",
                tex.name,
                f"the condition on line {item.line} does not begin with \\human{{}}.",
                r"Begin it with \human{the text of the decorator}, then its reason.",
                place=Place(item.line),
            )
