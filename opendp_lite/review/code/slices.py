"""Pieces of source text: comments by their tokens, docstrings by the syntax tree."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator
from functools import lru_cache

from opendp_lite.review.code.modules import Definition, Module
from opendp_lite.review.problems import ReviewError


@lru_cache(maxsize=256)
def comments(text: str) -> dict[int, tuple[int, str]]:
    """Return line number to column and text of each comment.

    >>> comments("x = '#'  # why")
    {1: (9, '# why')}
    """
    return {
        token.start[0]: (token.start[1], token.string)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }


def definition_lines(
    module: Module, node: Definition, without: Iterable[ast.expr] = ()
) -> Iterator[tuple[int, str]]:
    """Yield number and text of the lines of a definition, docstrings left out.

    The decorators in `without` are left out too. Where a docstring is all that a body
    has, `pass` stands for it.
    """
    source = module.lines
    dropped, passes = _docstrings(module, node)
    for decorator in without:
        dropped |= set(range(decorator.lineno, (decorator.end_lineno or 0) + 1))
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    for number in range(first, (node.end_lineno or node.lineno) + 1):
        if number in passes:
            yield number, passes[number]
        elif number - 1 in dropped and not source[number - 1].strip():
            dropped.add(number)  # the blank lines after a docstring go with it
        elif number not in dropped:
            yield number, source[number - 1]


def _docstrings(module: Module, node: Definition) -> tuple[set[int], dict[int, str]]:
    dropped: set[int] = set()
    passes: dict[int, str] = {}
    for each in ast.walk(node):
        if not isinstance(each, Definition) or ast.get_docstring(each, False) is None:
            continue
        string = each.body[0]
        start, end = string.lineno, string.end_lineno or string.lineno
        before = module.lines[start - 1].encode()[: string.col_offset].decode()
        after = module.lines[end - 1].encode()[string.end_col_offset :].decode()
        if before.strip() or after.strip():
            raise ReviewError(
                f"line {start} of {module.name}, in {node.name}, has a docstring and "
                "something else on one line. Put the docstring on lines of its own."
            )
        dropped |= set(range(start, end + 1))
        if len(each.body) == 1:
            passes[start] = f"{before}pass"
    return dropped, passes


def _without_comments(module: Module, lines: Iterable[tuple[int, str]]) -> list[str]:
    kept = []
    for number, line in lines:
        # Most lines have none, and then the module need not be cut into tokens.
        column, text = (
            comments(module.text).get(number, (0, "")) if "#" in line else (0, "")
        )
        if text and line[column:].startswith(text):
            line = line[:column].rstrip()
            if not line:
                continue
        kept.append(line)
    return kept


def _dedent(lines: list[str], columns: int) -> str:
    cut = [line[columns:] if not line[:columns].strip() else line for line in lines]
    return "\n".join(cut)


def bare_source(
    module: Module, node: Definition, without: Iterable[ast.expr] = ()
) -> str:
    """Return a definition without docstrings and comments, at the left margin."""
    lines = _without_comments(module, definition_lines(module, node, without))
    return _dedent(lines, node.col_offset)


def statement_source(module: Module, node: ast.stmt) -> str:
    """Return a statement without comments, at the left margin."""
    numbers = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    lines = [(number, module.lines[number - 1]) for number in numbers]
    return _dedent(_without_comments(module, lines), node.col_offset)
