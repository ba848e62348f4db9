"""Texts that people read: of calls that do not fit, of the form of data, as HTML.

Nothing is imported from here before a call fails. Values are never shown: only how many
came, and under which names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from html import escape
from inspect import Parameter, Signature

from opendp_lite.base.aliases import Data
from opendp_lite.base.containers import is_array
from opendp_lite.base.ownership import class_name


def visible(text: str) -> str:
    """Return a text in one line, in which every letter can be seen.

    Names, keys and certificates may hold signs that move the cursor of a terminal,
    begin lines of their own, or turn the direction of writing.

    :param text: of a user, of the data or of a file

    >>> visible("one\\ntwo\\x1b[2J")
    'one[U+000A]two[U+001B][2J'
    """
    return "".join(
        each if each.isprintable() else f"[U+{ord(each):04X}]" for each in text
    )


_LEFT = ' style="text-align:left"'


def reason_of(error: OSError) -> str:
    """Return in words why a file could not be read or written.

    >>> reason_of(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    """
    return (error.strerror or type(error).__name__).lower()


def table(
    title: str,
    rows: Iterable[tuple[str, ...]],
    note: str = "",
    head: tuple[str, ...] = (),
) -> str:
    """Return a table of text; the first cell of a row names the others.

    :param title: what is shown
    :param rows: the cells, row by row, as plain text
    :param note: a sentence below the table
    :param head: the names of the columns; none if empty

    >>> print(table("count", [("x", "1 < 2")]))
    <div><b>count</b><table><tr><th style="text-align:left">x</th>\
<td style="text-align:left"><code>1 &lt; 2</code></td></tr></table></div>
    """
    lines = "".join(
        f"<tr><th{_LEFT}>{escape(first)}</th>"
        + "".join(f"<td{_LEFT}><code>{escape(cell)}</code></td>" for cell in cells)
        + "</tr>"
        for first, *cells in rows
    )
    named = "".join(f"<th{_LEFT}>{escape(each)}</th>" for each in head)
    if head:
        lines = f"<thead><tr>{named}</tr></thead><tbody>{lines}</tbody>"
    below = f"<div>{escape(note)}</div>" if note else ""
    return f"<div><b>{escape(title)}</b><table>{lines}</table>{below}</div>"


def page(text: str) -> str:
    """Return plain text as it is, line by line, in a font of one width.

    Some notebooks give `pre` the font of their text, so the font is named here.

    :param text: what is shown

    >>> page("1 < 2")
    '<pre style="font-family:monospace;white-space:pre-wrap">1 &lt; 2</pre>'
    """
    style = "font-family:monospace;white-space:pre-wrap"
    return f'<pre style="{style}">{escape(text)}</pre>'


# Of these dtypes no more is said: that of text tells how long the longest row is, that
# of records what its columns are called, and others may hold objects of a user's.
_WORDS = {"U": "text", "T": "text", "S": "bytes", "V": "records", "O": "objects"}


def form(value: Data) -> str:
    """Return the class of a value and, of an array, its dtype and dimensions.

    :param value: what was passed as data; nothing inside of it is looked at

    >>> form([1, 2]), form("text"), form(None)
    ('a list', 'a str', 'None')
    """
    if value is None:
        return "None"
    if not is_array(value):
        name = class_name(type(value))
        return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"
    dtype = value.dtype
    words = _WORDS.get(dtype.kind) or f"dtype {class_name(dtype.type)}"
    return f"a {value.ndim}-d array of {words}"


def is_row_form(value: Data) -> bool:
    """Return whether a value is a list, or an array of one dimension.

    :param value: what was passed as data; nothing inside of it is looked at
    """
    return type(value) is list or (is_array(value) and value.ndim == 1)


_SCALE = (
    "Noise is set by its scale: pass scale=..., which dp.binary_search_param finds for "
    "a privacy loss."
)
_PAIR = "Bounds are a pair: pass bounds=(lower, upper)."
_PASSED = {
    **dict.fromkeys("budget d_out delta eps epsilon loss rho".split(), _SCALE),
    "sensitivity": "The sensitivity follows from the space, by the map: leave it out.",
    **dict.fromkeys("high low lower max min upper".split(), _PAIR),
}
# What each remedy of the table needs: a parameter of this name.
_NEEDED = {_SCALE: "scale", _PAIR: "bounds"}


def misfit(
    name: str, parameters: list[Parameter], args: int, given: Collection[str]
) -> TypeError:
    """Return the error of a call that Python would not bind to the parameters.

    :param name: what was called
    :param parameters: its parameters, each with a name of its own
    :param args: how many arguments came by position
    :param given: the names of those that came by name

    >>> a = Parameter("bounds", Parameter.POSITIONAL_OR_KEYWORD)
    >>> print(misfit("then_clamp", [a], 2, []))
    then_clamp(bounds) takes 1 argument by position, and 2 came. Bounds are a pair: \
pass bounds=(lower, upper).
    """
    names = [each.name for each in parameters]
    positional = [
        each.name for each in parameters if each.kind != Parameter.KEYWORD_ONLY
    ]
    plain = Signature([each.replace(annotation=Parameter.empty) for each in parameters])
    said = [*positional[:args], *given]
    unknown = [each for each in given if each not in names]
    twice = [each for each in positional[:args] if each in given]
    if unknown:
        what, remedy = f"has no argument {unknown[0]}", _remedy(unknown[0], names)
    elif args > len(positional):
        count = len(positional)
        plural = "" if count == 1 else "s"
        what = f"takes {count} argument{plural} by position, and {args} came"
        remedy = _PAIR if "bounds" in names else ""
    elif twice:
        what, remedy = f"got {twice[0]} by position and by name", "Pass it once."
    else:
        missing = [
            each.name
            for each in parameters
            if each.default is Parameter.empty and each.name not in said
        ]
        what, remedy = f"needs {' and '.join(missing)}", _space(name, missing)
    return TypeError(f"{name}{plain} {what}. {remedy}".rstrip())


def _remedy(name: str, names: list[str]) -> str:
    """Return what to pass in place of an argument that there is not."""
    from difflib import get_close_matches

    known = _PASSED.get(name, "")
    if known and (known not in _NEEDED or _NEEDED[known] in names):
        return known
    for near in get_close_matches(name, names, 1):
        return f"Did you mean {near}?"
    return ""


def _space(name: str, missing: list[str]) -> str:
    """Return how a constructor gets the space that it lacks."""
    if missing[:1] != ["input_domain"] and missing[:1] != ["input_metric"]:
        return ""
    partial = f"then_{name.removeprefix('make_')}"
    return f"Pass {name}(*space, ...), or write space >> {partial}(...)."
