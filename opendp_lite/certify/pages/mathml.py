r"""Formulas of TeX as MathML: the part of the language that claims of proofs use.

A macro that is neither known here nor defined in the style file or in the proof is an
`UnknownMacro`; whoever asked then shows the TeX as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

from opendp_lite.certify.pages.definitions import Macro, expanded

_TOKEN = re.compile(
    r"\\begin\{[a-z]+\*?\}|\\end\{[a-z]+\*?\}|\\[a-zA-Z@]+|\\.|\d+(?:\.\d+)?|\s+|.",
    re.DOTALL,
)
_LETTERS = (
    "alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ iota ι "
    "kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ varrho ϱ sigma σ tau τ upsilon υ phi ϕ "
    "varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ "
    "Phi Φ Psi Ψ Omega Ω ell ℓ infty ∞ emptyset ∅ partial ∂"
).split()
_LETTER = dict(zip(_LETTERS[::2], _LETTERS[1::2], strict=True))
_OPERATORS = (
    "le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ in ∈ notin ∉ subseteq ⊆ subset ⊂ cup ∪ cap ∩ "
    "setminus ∖ mapsto ↦ to → cdot ⋅ times × pm ± mp ∓ dots … ldots … cdots ⋯ mid ∣ "
    "given ∣ approx ≈ sim ∼ equiv ≡ ll ≪ gg ≫ circ ∘ ast ∗ colon : lvert | rvert | "
    "vert | lVert ‖ rVert ‖ Vert ‖ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ langle ⟨ rangle ⟩ "
    "Rightarrow ⇒ iff ⇔ forall ∀ exists ∃ lor ∨ land ∧ neg ¬ prime ′ oplus ⊕ checkmark "
    "✓"
).split()
_OPERATOR = dict(zip(_OPERATORS[::2], _OPERATORS[1::2], strict=True))
_OPERATOR |= {"{": "{", "}": "}", "|": "‖", "%": "%", "#": "#", "&": "&", "_": "_"}
_LARGE = {"sum": "∑", "int": "∫", "prod": "∏", "bigcup": "⋃", "bigcap": "⋂"}
_LIMITS = {"max", "min", "sup", "inf", "lim"}
_NAMED = _LIMITS | set("ln log exp sin cos tan tanh sinh cosh arctan deg det".split())
_SPACES = {",": "0.17em", ":": "0.22em", ";": "0.28em", " ": "0.3em", "quad": "1em"}
_SPACES |= {"qquad": "2em", "!": "-0.17em", "space": "0.3em"}
_SIZES = set("big Big bigg bigl bigr Bigl Bigr biggl biggr left right middle".split())
_NOTHING = {"textstyle", "displaystyle", "limits", "nolimits", "nobreak", "allowbreak"}
_NOTHING |= {"mathop", "mathrel", "mathbin", "mathopen", "mathclose", "notag", "/"}
_SCRIPT = dict(zip("BEFHILMR", "ℬℰℱℋℐℒℳℛ", strict=True))
_DOUBLE = dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True))
_MARKS = {"bar": "¯", "overline": "¯", "hat": "^", "tilde": "~", "vec": "→"}
_TEXTS = {"text", "mathrm", "textrm", "operatorname", "textup", "mathit", "textit"}
_TEXTS |= {"mathsf", "texttt", "fn", "mbox", "mathtt"}
_BRACKETS = set("()[]{}|‖⌊⌋⌈⌉⟨⟩")
_MOST = 10_000  # expansions of macros in one formula; a circle of them has no end


class UnknownMacro(ValueError):
    """A macro that cannot be shown as MathML."""


def mathml(tex: str, macros: Mapping[str, Macro], display: bool = False) -> str:
    r"""Return a formula as MathML.

    :param tex: the formula, without its dollar signs
    :param macros: the macros that its document defines
    :param display: whether it stands on a line of its own

    >>> mathml("x^2", {})
    '<math><msup><mi>x</mi><mrow><mn>2</mn></mrow></msup></math>'
    """
    body = _Reader(tex, macros, display).row("")
    block = ' display="block"' if display else ""
    return f"<math{block}>{body}</math>"


class _Reader:
    """The tokens of a formula, and how far it is read."""

    def __init__(self, tex: str, macros: Mapping[str, Macro], display: bool) -> None:
        self.tokens = _TOKEN.findall(tex)
        self.macros, self.display, self.left = macros, display, _MOST

    def peek(self) -> str:
        while self.tokens and self.tokens[0].isspace():
            self.tokens.pop(0)
        return self.tokens[0] if self.tokens else ""

    def take(self) -> str:
        token = self.peek()
        if token:
            self.tokens.pop(0)
        return token

    def raw(self) -> str:
        """Take an argument as text: a group without its braces, or one token."""
        if self.peek() != "{":
            return self.take()
        self.take()
        depth, parts = 1, list[str]()
        while self.tokens:
            token = self.tokens.pop(0)
            depth += (token == "{") - (token == "}")
            if depth == 0:
                return "".join(parts)
            parts.append(token)
        raise UnknownMacro("a brace is not closed")

    def inner(self, tex: str) -> str:
        """Return another piece of TeX, read by the same rules, as one element."""
        return _one(_Reader(tex, self.macros, False).row(""))

    def row(self, *ends: str) -> str:
        """Read elements up to one of some tokens, which is not taken."""
        parts: list[str] = []
        while (token := self.peek()) not in ends and token:
            if token in ("^", "_", "'"):
                base = parts.pop() if parts else "<mrow></mrow>"
                parts.append(self.scripts(base, False))
                continue
            element, limits = self.element()
            if element and self.peek() in ("^", "_", "'"):
                element = self.scripts(element, limits)
            if element:
                parts.append(element)
        return "".join(parts)

    def scripts(self, base: str, limits: bool) -> str:
        below = above = ""
        while self.peek() in ("^", "_", "'"):
            if (mark := self.take()) == "'":
                above += "<mo>′</mo>"
            elif mark == "_":
                below = _one(self.group())
            else:
                above += self.group()
        above = _one(above) if above else ""
        over = limits and self.display
        names = (
            ("munder", "mover", "munderover") if over else ("msub", "msup", "msubsup")
        )
        if below and above:
            return f"<{names[2]}>{base}{below}{above}</{names[2]}>"
        name = names[0] if below else names[1]
        return f"<{name}>{base}{below or above}</{name}>"

    def group(self) -> str:
        """Read an argument or a script: a group, or one element, or one digit."""
        if self.peek() != "{":
            found = ""
            while not found and (token := self.peek()):
                if len(token) > 1 and token[0].isdigit():
                    self.tokens[0:1] = [token[0], token[1:]]
                found = self.element()[0]
            if not found:
                raise UnknownMacro("something is missing at its end")
            return found
        self.take()
        found = self.row("}")
        if self.take() != "}":
            raise UnknownMacro("a brace is not closed")
        return found

    def element(self) -> tuple[str, bool]:
        """Read one element, and whether scripts stand below and above it."""
        token = self.peek()
        if not token:
            raise UnknownMacro("something is missing at its end")
        if token == "{":
            return _one(self.group()), False
        self.take()
        if token.startswith("\\"):
            return self.command(token)
        if token[0].isdigit():
            return f"<mn>{token}</mn>", False
        if token.isalpha():
            return f"<mi>{escape(token)}</mi>", False
        if token == "~":
            return '<mspace width="0.3em"/>', False
        if token in ("}", "&"):
            raise UnknownMacro(f"{token} stands where nothing was begun")
        return _sign({"-": "−", "*": "∗"}.get(token, token)), False

    def command(self, token: str) -> tuple[str, bool]:
        name = token[1:]
        if token.startswith("\\begin{"):
            return self.table(token), False
        if name in self.macros and name not in _TEXTS:
            self.expand(self.macros[name])
            return "", False
        if name in _LETTER:
            return f"<mi>{_LETTER[name]}</mi>", False
        if name in _OPERATOR:
            return _sign(_OPERATOR[name]), False
        if name in _LARGE:
            return f"<mo>{_LARGE[name]}</mo>", True
        if name in _NAMED:
            return f"<mi>{name}</mi>", name in _LIMITS
        if name in _SPACES:
            return f'<mspace width="{_SPACES[name]}"/>', False
        if name in _NOTHING:
            return "", False
        if name in _SIZES:
            return self.delimiter(), False
        return self.with_arguments(name), False

    def expand(self, macro: Macro) -> None:
        self.left -= 1
        if self.left < 0:
            raise UnknownMacro("its macros have no end")
        if self.peek() == "*":
            self.take()
        given = tuple(self.raw() for _ in range(macro.count))
        self.tokens = _TOKEN.findall(expanded(macro, given)) + self.tokens

    def delimiter(self) -> str:
        token = self.take()
        if token == ".":
            return ""
        shown = _OPERATOR.get(token.removeprefix("\\"), token.removeprefix("\\"))
        return f"<mo>{escape(shown)}</mo>"

    def with_arguments(self, name: str) -> str:
        if name in ("frac", "tfrac", "dfrac"):
            return f"<mfrac>{_one(self.group())}{_one(self.group())}</mfrac>"
        if name == "binom":
            pair = _one(self.group()) + _one(self.group())
            inside = f'<mfrac linethickness="0">{pair}</mfrac>'
            return f"<mrow><mo>(</mo>{inside}<mo>)</mo></mrow>"
        if name == "sqrt":
            if self.peek() == "[":
                raise UnknownMacro("\\sqrt[")
            return f"<msqrt>{self.group()}</msqrt>"
        if name in _MARKS:
            return f"<mover>{_one(self.group())}<mo>{_MARKS[name]}</mo></mover>"
        if name in ("bmod", "mod"):
            return '<mspace width="0.3em"/><mi>mod</mi><mspace width="0.3em"/>'
        if name in ("mathcal", "mathbb", "mathbf"):
            return f"<mi>{''.join(_styled(name, c) for c in self.raw())}</mi>"
        if name in _TEXTS:
            return self.text(name)
        if name == "label":
            self.raw()
            return ""
        raise UnknownMacro(f"\\{name}")

    def text(self, name: str) -> str:
        """Show words within a formula, and the formulas within these."""
        if name == "operatorname" and self.peek() == "*":
            self.take()
        parts = self.raw().split("$")
        found = []
        for number, part in enumerate(parts):
            if number % 2:
                found.append(self.inner(part))
            elif part:
                plain = re.sub(r"\\fn\{([^{}]*)\}", r"\1", part)
                plain = re.sub(r"\\([,;: #%&_{}])", r"\1", plain)
                if "\\" in plain:
                    raise UnknownMacro(plain)
                shown = escape(plain.replace("~", " ").replace(" ", "\u00a0"))
                tag = "mi" if name in ("operatorname", "mathrm") else "mtext"
                found.append(f"<{tag}>{shown}</{tag}>")
        return _one("".join(found))

    def table(self, begin: str) -> str:
        kind = begin[len("\\begin{") : -1]
        if kind not in ("cases", "aligned", "align", "array", "gathered"):
            raise UnknownMacro(begin)
        if kind == "array":
            self.raw()
        rows: list[list[str]] = [[]]
        end = f"\\end{{{kind}}}"
        while True:
            rows[-1].append(self.row("&", "\\\\", end))
            token = self.take()
            if token in (end, ""):
                break
            if token == "\\\\":
                rows.append([])
        cells = [
            f"<mtr>{''.join(f'<mtd>{c}</mtd>' for c in row)}</mtr>"
            for row in rows
            if any(row)
        ]
        table = f'<mtable columnalign="left">{"".join(cells)}</mtable>'
        return f"<mrow><mo>{{</mo>{table}</mrow>" if kind == "cases" else table


def _styled(name: str, letter: str) -> str:
    if not ("A" <= letter <= "Z"):
        return escape(letter)
    at = ord(letter) - ord("A")
    if name == "mathcal":
        return _SCRIPT.get(letter) or chr(0x1D49C + at)
    if name == "mathbb":
        return _DOUBLE.get(letter) or chr(0x1D538 + at)
    return chr(0x1D400 + at)


def _sign(sign: str) -> str:
    """Return an operator; brackets are as high as letters, and stand close to them."""
    close = ' stretchy="false" lspace="0" rspace="0"' if sign in _BRACKETS else ""
    return f"<mo{close}>{escape(sign)}</mo>"


def _one(elements: str) -> str:
    """Return elements as one element."""
    return f"<mrow>{elements}</mrow>" if elements else "<mrow></mrow>"
