"""Explanations as text and HTML, and the place where an object was made.

A place is told as an import would find the file, such as "survey/pipeline.py:12": the
same on every machine, and without the names of its directories.

Without distances the text is one line a link, with its proof. With distances each step
also says what goes in and out, and at the end is all that a person must verify.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import PurePath
from types import FrameType, FunctionType, MethodType
from typing import Any

from opendp_lite.base.errors import printed
from opendp_lite.base.ownership import PACKAGE
from opendp_lite.show.explaining.steps import Explanation, Step
from opendp_lite.show.texts import visible


def place_of_call() -> str | None:
    """Return where the library was called: the innermost frame outside of it."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        # Code that attrs has generated has no module of its own.
        module = frame.f_globals.get("__name__")
        if type(module) is str and module.partition(".")[0] != PACKAGE:
            return _place(module, frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None


def place_of_function(function: object) -> str | None:
    """Return where a function is defined; None of one that is not written in Python.

    :param function: anything that can be called

    >>> place_of_function(place_of_call).partition(":")[0]
    'opendp_lite/show/explaining/showing.py'
    >>> place_of_function(len) is None
    True
    """
    if type(function) is MethodType:
        function = function.__func__
    if type(function) is not FunctionType:
        return None
    module, code = function.__globals__.get("__name__"), function.__code__
    return _place(module, code.co_filename, code.co_firstlineno)


def _place(module: object, file: str, line: int) -> str:
    """Return a line of a file, which is named as its module is."""
    if file.startswith("<"):
        return f"{file}:{line}"  # what was typed in, or a doctest
    path = PurePath(file)
    names = module.split(".") if type(module) is str else []
    found = path.with_suffix("").parts
    for parts in (names, [*names, "__init__"]):
        if list(found[-len(parts) :]) == parts:
            return f"{'/'.join((*parts[:-1], path.name))}:{line}"
    return f"{path.name}:{line}"


_VERIFY = "To be verified by a person:"
_INSIDE = "margin:0 0 0.3em 1.5em;font-size:inherit"
_STYLES = {"from": "cyan", "to": "cyan", "proof": "green", ">>": "green", "note": "red"}


def text(explanation: Explanation) -> str:
    """Return an explanation as plain text.

    :param explanation: what `explain` returns
    """
    if not _is_measured(explanation):
        lines = proof_lines(explanation.whole)
        width = max(len(link) for link, _ in lines)
        return "\n".join(f"{link:{width}}  {proof}" for link, proof in lines)
    told = [] if explanation.sentence is None else [_line(explanation.sentence)]
    told, whole = [*told, _title(explanation)], explanation.whole
    if _is_named(explanation):
        told += _row_lines(whole, "  ")
    for step, times in _counted(_branches(explanation)):
        told += _lines(step, "  ", times)
    return "\n".join(told + _to_verify(explanation))


def proof_lines(step: Step) -> list[tuple[str, str]]:
    """Return each link with its proof; what a link was made of is set below it.

    :param step: one link, or a chain
    """
    if not step.is_chain:
        below = [line for part in step.parts for line in proof_lines(part)]
        shown = [(_name(step), _line(step.standing))]
        return shown + [(f"  {link}", proof) for link, proof in below]
    lines = [line for link in step.parts for line in proof_lines(link)]
    proofs = {_line(str(link.chained_by)) for link in step.parts if link.chained_by}
    return lines + [(">>", proof) for proof in sorted(proofs)]


def html(explanation: Explanation) -> str:
    """Return an explanation as a tree of a notebook, all of whose text is escaped.

    :param explanation: what `explain` returns
    """
    steps = "".join(_branch(*each) for each in _counted(_branches(explanation)))
    if _is_named(explanation):
        steps = _table(explanation.whole) + steps
    points = "".join(
        f"<li>{escape(_line(str(each)))}</li>" for each in explanation.assumptions
    )
    verify = f"<div>{_VERIFY}<ol>{points}</ol></div>" if points else ""
    said = explanation.sentence
    sentence = "" if said is None else f"<p>{escape(_line(said))}</p>"
    title = escape(_title(explanation))
    return f"<div>{sentence}<b>{title}</b>{steps}{verify}</div>"


def rich_tree(explanation: Explanation) -> Any:
    """Return an explanation as a tree of rich, which is installed with the extra `cli`.

    :param explanation: what `explain` returns
    """
    from rich.text import Text
    from rich.tree import Tree

    def say(tree: Tree, step: Step) -> None:
        for name, value in _rows(step):
            style = _STYLES.get(name, "")
            tree.add(Text.assemble((f"{name}  ", style), value))

    def grow(tree: Tree, step: Step, times: int) -> None:
        branch = tree.add(Text(_named(step, times), style="bold"))
        say(branch, step)
        for each in _counted(step.parts):
            grow(branch, *each)

    title = Text(_title(explanation), style="bold")
    if explanation.sentence is not None:
        title = Text.assemble(f"{_line(explanation.sentence)}\n", title)
    root = Tree(title)
    if _is_named(explanation):
        say(root, explanation.whole)
    for each in _counted(_branches(explanation)):
        grow(root, *each)
    if explanation.assumptions:
        last = root.add(Text(_VERIFY, style="bold"))
        for assumption in explanation.assumptions:
            last.add(Text(_line(str(assumption))))
    return root


def _is_measured(explanation: Explanation) -> bool:
    """Return whether a distance, or what was charged, is told of anything."""
    return any(
        each.d_in is not None or each.charged is not None or each.state is not None
        for each in explanation.whole.walk()
    )


def _title(explanation: Explanation) -> str:
    """Return what is explained, and the guarantee of the whole."""
    whole = explanation.whole
    given = (("d_in", whole.d_in), ("d_out", whole.d_out))
    told = [f"{name} = {each}" for name, each in given if each is not None]
    return _line(explanation.kind) + (f": {', '.join(told)}" if told else "")


def _name(step: Step) -> str:
    """Return the link, without the arguments that stand below it."""
    if step.is_chain:
        return f"chain of {len(step.parts)} links"
    called = step.parts and step.constructor is not None
    return _line(f"{step.link.partition('(')[0]}(...)" if called else step.link)


def _line(text: str) -> str:
    """Return a text in one line, all of whose characters are shown.

    Names and reprs are a user's: none is to look like a line of its own, such as one
    that tells a proof, or to give orders to the terminal.
    """
    return visible(" ".join(text.split()))


def _counted(steps: tuple[Step, ...]) -> Iterator[tuple[Step, int]]:
    """Yield the steps, and how often each stands there one after the other."""
    for step, same in groupby(steps):
        times = len(list(same))
        # Links follow one another, and are told one by one.
        yield from [(step, times)] if step.chained_by is None else [(step, 1)] * times


def _named(step: Step, times: int) -> str:
    """Return the name of a step that stands there so often."""
    return _name(step) if times == 1 else f"{times} times: {_name(step)}"


def _rows(step: Step) -> Iterator[tuple[str, str]]:
    """Yield what is said of a step, by name, each in a line."""
    for name, value in _said(step):
        yield _line(name), _line(value)


def _said(step: Step) -> Iterator[tuple[str, str]]:
    enters = [step.input_domain, step.input_metric]
    leaves = [step.output_domain, step.output_metric, step.output_measure]
    for name, spaces, distance, value in (
        ("from", enters, "d_in", step.d_in),
        ("to", leaves, "d_out", step.d_out),
    ):
        said = ", ".join(printed(each) for each in spaces if each is not None)
        if said:
            yield name, said if value is None else f"{said}: {distance} = {value}"
    for said in step.units:
        yield "units", said
    if step.constructor is None:
        yield from step.arguments  # of all others they stand in the link
    if step.charged is not None:
        yield "charged", str(step.charged)
    if step.state is not None:
        yield "state", step.state
    if step.standing and not step.is_chain:
        yield "proof", step.standing
    if step.chained_by is not None:
        yield ">>", str(step.chained_by)
    for note in step.notes:
        yield "note", note


def _lines(step: Step, margin: str, times: int = 1) -> Iterator[str]:
    """Yield the lines of a step, and those of its parts below it."""
    yield f"{margin}{_named(step, times)}"
    yield from _row_lines(step, f"{margin}  ")
    for part, count in _counted(step.parts):
        yield from _lines(part, f"{margin}  ", count)


def _row_lines(step: Step, margin: str) -> Iterator[str]:
    """Yield the lines of what is said of a step, without its parts."""
    rows = list(_rows(step))
    width = max(len("proof"), *(len(name) for name, _ in rows))
    for name, value in rows:
        yield f"{margin}{name:{width}}  {value}"


def _is_named(explanation: Explanation) -> bool:
    """Return whether the title already names the whole, as of a session."""
    return explanation.whole.link == explanation.kind


def _branches(explanation: Explanation) -> tuple[Step, ...]:
    """Return the steps below the title."""
    named = _is_named(explanation)
    return explanation.whole.parts if named else explanation.steps


def _branch(step: Step, times: int) -> str:
    """Return a step as an element that can be folded, its parts inside."""
    inside = "".join(_branch(*each) for each in _counted(step.parts))
    return (
        '<details open style="margin-left:1.5em">'
        f"<summary><code><b>{escape(_named(step, times))}</b></code></summary>"
        f"{_table(step)}{inside}</details>"
    )


def _table(step: Step) -> str:
    """Return what is said of a step as a table."""
    rows = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:left"><code>{escape(value)}</code></td></tr>'
        for name, value in _rows(step)
    )
    return f'<table style="{_INSIDE}">{rows}</table>'


def _to_verify(explanation: Explanation) -> list[str]:
    """Return the lines of what a person must verify, if there is any."""
    assumed = [_line(str(each)) for each in explanation.assumptions]
    points = [f"  {i}. {each}" for i, each in enumerate(assumed, 1)]
    return [_VERIFY, *points] if points else []
