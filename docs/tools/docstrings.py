"""Docstrings of the house as Markdown: text, parameters, examples, the proof.

All exported functions have one form (`tests/test_docstrings.py` checks it), so that a
few rules read all of them. Formulas in docstrings are plain text, and stay so.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

__all__ = ["PROOF", "escaped", "markdown", "paragraphs"]

PROOF = re.compile(r"^Proof: proofs/(\S+)\.tex$")

# What stands between backticks is code, and is left alone.
_CODE = re.compile(r"(`+[^`]+`+)")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=\w)([^*\n]*\w)\*(?![\w*])")
_PARAM = re.compile(r"^:param (\w+): ?", re.MULTILINE)
_BULLET = re.compile(r"^(\*|-|\d+\.) ", re.MULTILINE)


def escaped(text: str) -> str:
    """Return text whose signs mean themselves in Markdown, but for code and emphasis.

    :param text: some words of a docstring

    >>> escaped("2 * x < `a*b` and *real* _y")
    '2 \\\\* x &lt; `a*b` and *real* \\\\_y'
    """
    parts = _CODE.split(text)
    for place in range(0, len(parts), 2):
        words = _EMPHASIS.sub("\0\\1\0", parts[place].replace("\\", "\\\\"))
        words = words.replace("*", "\\*").replace("\0", "*")
        words = re.sub(r"(?<!\w)_", r"\\_", words)
        parts[place] = words.replace("&", "&amp;").replace("<", "&lt;")
    return "".join(parts)


def paragraphs(docstring: str) -> list[str]:
    """Return the paragraphs of a docstring, those of one example as one.

    :param docstring: the text, as it is written or cleaned

    >>> paragraphs("Return it.\\n\\n    >>> 1\\n    1\\n\\n    >>> 2\\n    2\\n")
    ['Return it.', '>>> 1\\n1\\n\\n>>> 2\\n2']
    """
    found: list[str] = []
    for each in re.split(r"\n[ \t]*\n", inspect.cleandoc(docstring).strip("\n")):
        if each.startswith(">>> ") and found and found[-1].startswith(">>> "):
            found[-1] += f"\n\n{each}"
        else:
            found.append(each)
    return found


def markdown(docstring: str, types: dict[str, str], proofs: str) -> str:
    """Return a docstring as Markdown.

    :param docstring: the text
    :param types: what may be passed, by the name of the parameter
    :param proofs: where the PDFs of proofs are, seen from the page

    >>> print(markdown("Return x.\\n\\n:param x: a number", {"x": "int"}, ".."))
    Return x.
    <BLANKLINE>
    * `x` (`int`): a number
    """
    lines = (
        line for each in paragraphs(docstring) for line in _shown(each, types, proofs)
    )
    return "\n\n".join(lines)


def _shown(text: str, types: dict[str, str], proofs: str) -> Iterator[str]:
    """Yield the blocks of Markdown that a paragraph becomes."""
    if text.startswith(">>> "):
        yield f"```pycon\n{text}\n```"
    elif text.startswith(":param "):
        yield "\n".join(_parameters(text, types))
    elif found := PROOF.match(text):
        yield f"Proof: [`{found[1]}`]({proofs}/{found[1].replace('/', '-')}.pdf)"
    elif all(line.startswith("    ") for line in text.splitlines()):
        yield f"```text\n{inspect.cleandoc(text)}\n```"
    elif found := re.search(r":\n(?=    )", text):
        yield escaped(text[: found.start() + 1])
        yield f"```text\n{inspect.cleandoc(text[found.end() :])}\n```"
    elif first := _BULLET.search(text):
        if first.start():
            yield escaped(text[: first.start()])
        yield "\n".join(_bullets(text[first.start() :]))
    else:
        yield escaped(text)


def _bullets(text: str) -> Iterator[str]:
    """Yield the lines of a list; what goes on is indented by four."""
    for line in text.splitlines():
        if _BULLET.match(line):
            mark, _, words = line.partition(" ")
            yield f"{mark.replace('-', '*')} {escaped(words)}"
        else:
            yield f"    {escaped(line.strip())}"


def _parameters(text: str, types: dict[str, str]) -> Iterator[str]:
    """Yield a line for each parameter."""
    pieces = _PARAM.split(text)[1:]
    for name, words in zip(pieces[::2], pieces[1::2], strict=True):
        kind = f" (`{types[name]}`)" if types.get(name) else ""
        yield f"* `{name}`{kind}: {escaped(' '.join(words.split()))}"
