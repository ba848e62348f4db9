r"""The claim of a proof as HTML: its words, names, lists, tables and formulas.

``\newcommand``, ``\DeclareMathOperator`` and ``\DeclarePairedDelimiter`` are read, so
that a page in HTML says the words of the style file, and no copy of them.

The statements (``\validMeasurement`` and so on) are those of the style file, read from
there. What cannot be shown is shown as the TeX that it is, never left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape
from xml.etree.ElementTree import tostring

import attrs

from opendp_lite.review.tex.texfile import argument, strip_comments

_NEW_COMMAND = re.compile(
    r"\\(?:re|provide)?newcommand\*?\s*\{?\\([a-zA-Z@]+)\}?\s*(?:\[(\d)\])?"
    r"|\\DeclareRobustCommand\*?\s*\{?\\([a-zA-Z@]+)\}?\s*(?:\[(\d)\])?"
)
_OPERATOR = re.compile(r"\\DeclareMathOperator\*?\s*\{\\([a-zA-Z]+)\}")
_PAIR = re.compile(r"\\DeclarePairedDelimiter\s*\{\\([a-zA-Z]+)\}")


@attrs.frozen
class Macro:
    """A macro: how many arguments it takes, and its text with #1, #2, ..."""

    count: int
    body: str


def read_definitions(text: str) -> dict[str, Macro]:
    r"""Return the macros that a text of TeX defines, by name.

    >>> read_definitions(r"\newcommand{\twice}[1]{#1#1}")["twice"]
    Macro(count=1, body='#1#1')
    >>> read_definitions(r"\DeclareMathOperator{\RN}{RN}")["RN"].body
    '\\operatorname{RN}'
    """
    plain = strip_comments(text)
    found: dict[str, Macro] = {}
    for match in _NEW_COMMAND.finditer(plain):
        body = argument(plain, match.end())
        name, count = match[1] or match[3], match[2] or match[4] or "0"
        if body is not None:
            found[name] = Macro(int(count), body[0])
    for match in _OPERATOR.finditer(plain):
        body = argument(plain, match.end())
        if body is not None:
            found[match[1]] = Macro(0, rf"\operatorname{{{body[0]}}}")
    for match in _PAIR.finditer(plain):
        left = argument(plain, match.end())
        right = argument(plain, left[1]) if left else None
        if left and right:
            found[match[1]] = Macro(1, f"{left[0]} #1{right[0]} ")
    return found


def own_definitions(head: str) -> list[str]:
    r"""Return the macros of a proof's own, each as a ``\newcommand`` in one line.

    :param head: what stands before the document begins

    >>> own_definitions(r"\DeclareMathOperator{\clip}{clip}")
    ['\\newcommand{\\clip}{\\operatorname{clip}}']
    """
    lines = []
    for name, macro in read_definitions(head).items():
        count = f"[{macro.count}]" if macro.count else ""
        body = " ".join(macro.body.split())
        lines.append(rf"\newcommand{{\{name}}}{count}{{{body}}}")
    return lines


def expanded(macro: Macro, arguments: tuple[str, ...]) -> str:
    """Return the text of a macro with its arguments put in place.

    >>> expanded(Macro(2, "#2, #1"), ("a", "#1"))
    '#1, a'
    """
    given: Mapping[str, str] = {f"#{i + 1}": each for i, each in enumerate(arguments)}
    return re.sub(r"#\d", lambda match: given.get(match[0], ""), macro.body)


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

# Formulas: a command or a macro, one token, and a command whose argument is words.
_COMMAND = re.compile(r"\\([a-zA-Z@]+|.)\*?", re.DOTALL)
_FONT = re.compile(r"(\\math[a-z]+) ([a-zA-Z])")
_TOKEN = re.compile(r"\s*(\\[a-zA-Z@]+|\\.|.)", re.DOTALL)
_WORDS = re.compile(r"\\(?:text|texttt|textrm|textup|textit|mbox)\s*(?=\{)")
_REWRITTEN = {"fn": Macro(1, r"\texttt{#1}"), "label": Macro(1, "")}
_BEGIN = re.compile(r"\\begin\{([^{}]*)\}")
_ENVIRONMENTS = {"align*", "array", "cases"}
# How many elements these of MathML have: latex2mathml does not count them.
_PARTS = {"mfrac": 2, "msub": 2, "msup": 2, "mover": 2, "munder": 2}
_PARTS |= {"msubsup": 3, "munderover": 3, "mroot": 2}
_CLOSE = {"|", "‖", "∞"}  # no space around them, and bars are as high as letters
_MOST_COMMANDS, _LONGEST = 10_000, 50_000  # a macro may use itself, which has no end


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

    >>> prose(r"\fn{scale} is \emph{exact} \& more", {})
    '<code>scale</code> is <em>exact</em> &amp; more'
    """
    return "".join(_Walk(macros).walked(tex, 0))


def mathml(tex: str, macros: Mapping[str, Macro], display: bool = False) -> str | None:
    r"""Return a formula as MathML, or None if it cannot be converted.

    :param tex: the formula, without its dollar signs
    :param macros: the macros that its document defines
    :param display: whether the formula stands on a line of its own
    """
    try:
        from latex2mathml.converter import Converter
        from latex2mathml.symbols_parser import convert_symbol
    except ImportError:
        return None
    try:
        plain = _split_words(_expand_macros(tex, macros))
        plain = _FONT.sub(r"\1{\2}", plain.replace("{aligned}", "{align*}"))
        shown = "block" if display else "inline"
        math = Converter(display=shown).convert_to_element(plain)
    except Exception:  # it has no class of its own for what it cannot read
        return None
    if not set(_BEGIN.findall(plain)) <= _ENVIRONMENTS:
        return None
    if argument(f"{{{plain}}}", 0) != (plain, len(plain) + 2):  # a brace is missing
        return None
    for each in math.iter():
        # Its own `convert` would write the text of a formula as HTML, whoever wrote it.
        text = unescape(each.text or "")
        symbol = convert_symbol(text) if text.startswith("\\") else None
        each.text = chr(int(symbol, 16)) if symbol else text
        if each.text in _CLOSE and "minsize" not in each.attrib:
            each.attrib |= {"lspace": "0", "rspace": "0", "stretchy": "false"}
        if set("\\&") & set(each.text) or {"class", "href", "style"} & set(each.attrib):
            return None
        if len(each) != _PARTS.get(each.tag, len(each)):
            return None
    del math.attrib["xmlns"]  # HTML needs none
    return tostring(math, encoding="unicode")


def _expand_macros(tex: str, macros: Mapping[str, Macro]) -> str:
    """Return a formula in which all macros are replaced by their texts."""
    at = 0
    for _ in range(_MOST_COMMANDS):
        match = _COMMAND.search(tex, at)
        if match is None:
            return tex
        at = match.end()
        macro = _REWRITTEN.get(match[1]) or macros.get(match[1])
        if macro is not None:
            arguments = []
            for _ in range(macro.count):
                given = argument(tex, at)
                token = _TOKEN.match(tex, at)
                if given is None and token is not None:
                    given = token[1], token.end()
                if given is None:
                    raise ValueError("an argument is missing")
                arguments.append(given[0])
                at = given[1]
            body = expanded(macro, tuple(arguments))
            space = " " * body[:1].isalpha()  # "\\le" and "d" are no "\\led"
            tex = f"{tex[: match.start()]}{space}{body} {tex[at:]}"
            at = match.start()
        if len(tex) > _LONGEST:
            break
    raise ValueError("its macros have no end")


def _split_words(tex: str) -> str:
    r"""Return a formula in which each ``\text`` contains words only.

    latex2mathml reads the argument of ``\text`` up to the first closing brace.

    >>> _split_words(r"\text{if $x_{1}$ is \texttt{a_b}}")
    '\\text{if }{x_{1}}\\text{ is a_b}'
    """
    parts, at = [], 0
    for match in _WORDS.finditer(tex):
        given = argument(tex, match.end())
        if match.start() < at or given is None:
            continue
        parts.append(tex[at : match.start()])
        for number, part in enumerate(given[0].split("$")):
            if number % 2:
                parts.append(f"{{{_split_words(part)}}}")
            elif part:
                words = re.sub(r"\\texttt\{([^{}]*)\} ?", r"\1", part)
                words = re.sub(r"\\([,;: #%&_])", r"\1", words).replace("~", " ")
                parts.append(rf"\text{{{words}}}")
        at = given[1]
    return "".join([*parts, tex[at:]])


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
        math = mathml(body, self.macros, display=opening == "\\[")
        html = math or f'<code class="tex">{escape(body.strip())}</code>'
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
