"""The copy button of an example copies its code, without prompts and outputs.

The theme's button copies the text of the attribute `data-copy` where a block has one.
"""

from __future__ import annotations

import ast
import doctest
import re
from html import escape, unescape

__all__ = ["code", "commands", "copyable"]

_BLOCK = re.compile(
    r'<div class="language-(?P<language>pycon|console) highlight">(?P<shown>.*?)</div>',
    re.DOTALL,
)
_TAG = re.compile("<[^>]*>")


def code(example: str) -> str:
    """Return the code of an example, ready to be pasted into Python or a notebook.

    A blank line follows what Python would else wait for the end of, such as a loop.

    :param example: the text of the block, with prompts and outputs

    >>> code(">>> for x in [1]:\\n...     print(x)\\n1\\n>>> 1 + 1\\n2\\n")
    'for x in [1]:\\n    print(x)\\n\\n1 + 1\\n'
    """
    lines = []
    for each in doctest.DocTestParser().get_examples(example):
        waits = hasattr(ast.parse(each.source).body[-1], "body")
        lines += [each.source, "\n" * waits]
    return "".join(lines)


def commands(example: str) -> str:
    """Return the commands of an example for a shell.

    :param example: the text of the block, with prompts and outputs

    >>> commands("$ ls a \\\\\\n  b\\nc\\n$ pwd\\n/\\n")
    'ls a \\\\\\n  b\\npwd\\n'
    """
    found = re.findall(r"^\$ ((?:.*\\\n)*.*\n)", example, re.MULTILINE)
    return "".join(found)


def copyable(html: str) -> str:
    """Return a page whose examples say what is copied of them.

    :param html: the page

    >>> shown = '<pre><code><span class="gp">&gt;&gt;&gt; </span>1\\n1\\n</code></pre>'
    >>> copyable(f'<div class="language-pycon highlight">{shown}</div>')[:58]
    '<div class="language-pycon highlight" data-copy="1&#10;"><'
    """

    def told(found: re.Match[str]) -> str:
        text = unescape(_TAG.sub("", found["shown"]))
        copied = code(text) if found["language"] == "pycon" else commands(text)
        written = escape(copied).replace("\n", "&#10;")
        opening = f'<div class="language-{found["language"]} highlight"'
        return f'{opening} data-copy="{written}">{found["shown"]}</div>'

    return _BLOCK.sub(told, html)
