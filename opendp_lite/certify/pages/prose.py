r"""The claim of a proof as HTML: its words, names, lists, tables and formulas.

The statements (``\validMeasurement`` and so on) are those of the style file, read from
there. What cannot be shown is shown as the TeX that it is, never left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from opendp_lite.certify.pages.definitions import Macro, expanded, read_definitions
from opendp_lite.certify.pages.mathml import UnknownMacro, mathml
from opendp_lite.review.tex.macros import argument

_PIECE = re.compile(
    r"\\begin\{([a-z]+\*?)\}|\\end\{([a-z]+\*?)\}|\\\[|\\\(|\$|\\[a-zA-Z@]+\*?|\\.|\n\s*\n"
    r"|[~{}&]|``|''|---?",
    re.DOTALL,
)
_WRAPS = {
    "emph": "em",
    "textbf": "strong",
    "textit": "em",
    "texttt": "code",
    "textsf": "span",
    "textup": "span",
    "odl@clause": "strong",
    "human": "em",
}
_SIGNS = {"~": "\u00a0", "``": "“", "''": "”", "--": "–", "---": "—", "{": "", "}": ""}
_SIGNS |= {
    "\\\\": "<br>",
    "\\ ": " ",
    "\\,": "\u2009",
    "\\-": "",
    "\\/": "",
    "\\;": " ",
}
_SIGNS |= {"\\quad": " ", "\\qquad": " ", "\\noindent": "", "\\par": "<br>"}
_SIGNS |= {"\\ignorespaces": "", "\\enspace": " ", "\\dots": "…", "\\ldots": "…"}
_SIGNS |= {f"\\{each}": escape(each) for each in "#$%&_{}"}
_LISTS = {
    "odlclauses": "ol",
    "parts": 'ol type="a"',
    "itemize": "ul",
    "enumerate": "ol",
    "odlconditions": "ul",
    "center": "div",
    "postcondition": 'div class="theorem"',
    "description": "ul",
    "terms": "ul",
}
_ITEMS = {"odlclauses", "parts", "itemize", "enumerate", "odlconditions", "description"}
_ITEMS |= {"terms"}
_DISPLAYS = ("align", "equation", "gather", "multline")
_ELSEWHERE = {"ref", "linelabel", "pageref", "label", "checked"}


def claim_html(tex: str, definitions: list[str], style: str) -> str:
    """Return the claim of a proof as HTML.

    :param tex: what stands under the heading "Postcondition"
    :param definitions: the macros of the proof's own
    :param style: the text of the style file
    """
    macros = read_definitions(style) | read_definitions("\n".join(definitions))
    return prose(tex, macros)


def prose(tex: str, macros: Mapping[str, Macro]) -> str:
    r"""Return running text of TeX as HTML.

    :param tex: the text
    :param macros: the macros that its document defines

    >>> prose(r"\fn{scale} is $b$ \& more", {})
    '<code>scale</code> is <math><mi>b</mi></math> &amp; more'
    """
    return "".join(_Walk(macros).walked(tex, 0))


class _Walk:
    """One walk over a text; `depth` bounds macros that would never end."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        self.macros = macros

    def walked(self, tex: str, depth: int) -> list[str]:
        if depth > 40:
            return [escape(tex)]
        found: list[str] = []
        at = 0
        open_items: list[bool] = []
        inside = depth
        while match := _PIECE.search(tex, at):
            found.append(escape(tex[at : match.start()]))
            piece, at = match[0], match.end()
            if piece in ("$", "\\[", "\\("):
                html, at = self.formula(tex, piece, at)
                found.append(html)
            elif match[1] or match[2]:
                whole = (match[1] or "").rstrip("*") in (*_DISPLAYS, "tabular")
                inside += 0 if whole else 1 if match[1] else -1
                html, at = self.environment(tex, match, open_items)
                found.append(html)
            elif piece == "\\item":
                begun = open_items and open_items[-1]
                found.append("</li><li>" if begun else "<li>")
                if open_items:
                    open_items[-1] = True
                label = re.match(r"\s*\[([^\]]*)\]", tex[at:])
                if label:
                    found += [*self.walked(label[1], depth + 1), " "]
                    at += label.end()
            elif piece in _SIGNS:
                found.append(_SIGNS[piece])
            elif piece.isspace():
                found.append("<br><br>" if inside else "</p><p>")
            elif piece.startswith("\\"):
                html, at = self.command(tex, piece.rstrip("*")[1:], at, depth)
                found.append(html)
            else:
                found.append(escape(piece))
        found.append(escape(tex[at:]))
        return found

    def formula(self, tex: str, opening: str, at: int) -> tuple[str, int]:
        closing = {"$": "$", "\\[": "\\]", "\\(": "\\)"}[opening]
        end = _closing(tex, closing, at)
        body = tex[at:end]
        try:
            html = mathml(body, self.macros, display=opening == "\\[")
        except UnknownMacro:
            html = f'<code class="tex">{escape(body.strip())}</code>'
        return html, end + len(closing)

    def environment(
        self, tex: str, match: re.Match[str], open_items: list[bool]
    ) -> tuple[str, int]:
        name, at = match[1] or match[2], match.end()
        if match[1] and name == "tabular":
            end = tex.find("\\end{tabular}", at)
            columns = argument(tex, at)
            start = columns[1] if columns else at
            return self.tabular(tex[start:end]), end + len("\\end{tabular}")
        if match[1] and name.rstrip("*") in _DISPLAYS:
            end = tex.find(f"\\end{{{name}}}", at)
            body = f"\\begin{{aligned}}{tex[at:end]}\\end{{aligned}}"
            html, _ = self.formula(f"{body}\\]", "\\[", 0)
            return html, end + len(f"\\end{{{name}}}")
        tag = _LISTS.get(name, "div")
        if match[1]:
            option = re.match(r"\s*\[[^\]]*\]", tex[at:])
            at += option.end() if option else 0
            if name in _ITEMS:
                open_items.append(False)
            return f"<{tag}>", at
        begun = name in _ITEMS and open_items and open_items.pop()
        return ("</li>" if begun else "") + f"</{tag.split()[0]}>", at

    def tabular(self, body: str) -> str:
        rows = [row for row in re.split(r"\\\\", body) if row.strip()]
        cells = [
            [prose(cell.strip(), self.macros) for cell in _cells(row)] for row in rows
        ]
        shown = "".join(
            f"<tr>{''.join(f'<td>{c}</td>' for c in r)}</tr>" for r in cells
        )
        return f"<table>{shown}</table>"

    def command(self, tex: str, name: str, at: int, depth: int) -> tuple[str, int]:
        given = argument(tex, at)
        if name in _ELSEWHERE:
            text = "" if name in ("label", "checked") else "(in the proof)"
            return text, given[1] if given else at
        if name == "ifstrempty":
            return self.either(tex, at, depth)
        if name == "lemma" and given:
            return f'lemma <span class="lemma">{escape(given[0])}</span>', given[1]
        if name == "fn" and given:
            return f"<code>{escape(given[0])}</code>", given[1]
        if name in _WRAPS and given:
            tag = _WRAPS[name]
            point = "." if name == "odl@clause" else ""
            inside = "".join(self.walked(given[0], depth + 1))
            return f"<{tag}>{inside}{point}</{tag}> ".rstrip(" "), given[1]
        if name in self.macros:
            return self.put(tex, name, at, depth)
        return f'<code class="tex">\\{escape(name)}</code>', at

    def put(self, tex: str, name: str, at: int, depth: int) -> tuple[str, int]:
        """Put the text of a macro in its place."""
        macro, arguments = self.macros[name], []
        for _ in range(macro.count):
            given = argument(tex, at)
            if given is None:
                return f'<code class="tex">\\{escape(name)}</code>', at
            arguments.append(given[0])
            at = given[1]
        body = expanded(macro, tuple(arguments))
        return "".join(self.walked(body, depth + 1)), at

    def either(self, tex: str, at: int, depth: int) -> tuple[str, int]:
        """Read an ``\\ifstrempty``: the third argument, unless the first is empty."""
        parts = []
        for _ in range(3):
            given = argument(tex, at)
            if given is None:
                return "", at
            parts.append(given[0])
            at = given[1]
        chosen = parts[2] if parts[0].strip() else parts[1]
        return "".join(self.walked(chosen, depth + 1)), at


def _closing(tex: str, closing: str, at: int) -> int:
    r"""Return where a formula ends; one within ``\text{...}`` belongs to it."""
    depth = 0
    while at < len(tex):
        if depth == 0 and tex.startswith(closing, at):
            return at
        if tex[at] == "\\":
            at += 1
        else:
            depth += (tex[at] == "{") - (tex[at] == "}")
        at += 1
    return at


def _cells(row: str) -> list[str]:
    return re.split(r"(?<!\\)&", row)
