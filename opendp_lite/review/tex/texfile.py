r"""Reading TeX: macros, what the style file states, what a proof says to the reviewer.

The file is read for a few macros of the style file: ``\proofof``, ``\lemmaof``,
``\code``, ``\uses``, ``\by``, ``\human``, ``\lemma``, ``\checked``, references, the
preconditions and the postcondition. Comments and what follows the end of the document
count for nothing, here and in the digest. A postcondition is words of the style file,
so a proof was read together with them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

import attrs

from opendp_lite.review.problems import ReviewError

PARTS: dict[str, tuple[str, ...]] = {
    "validTransformation": (
        "Data-independent errors",
        "Appropriate output domain",
        "Stability guarantee",
    ),
    "validRandomTransformation": (
        "Data-independent errors",
        "Appropriate output domain",
        "Stability guarantee",
    ),
    "validMeasurement": ("Data-independent errors", "Privacy guarantee"),
    "validSampler": ("Exact law", "Almost-sure termination"),
    "validPostprocessor": ("Function of the release", "No errors"),
    "validFunction": ("Correct value", "No errors"),
    "validOdometer": ("Data-independent errors", "Privacy guarantee"),
}
"""The statements of the style file, and the parts that each needs a proof of."""

_REFERENCES = (
    "ref",
    "linelabel",
    "by",
    "pageref",
    "autoref",
    "cref",
    "Cref",
    "nameref",
)
_PROOF = re.compile(r"\\begin\{proof\}.*?\\end\{proof\}", re.DOTALL)
_FORBIDDEN = {
    r"\\(?:input|include|subfile)\b": "takes text from another file, which the digest "
    "of this one does not cover. Put the text here, or into a lemma",
    r"\\lstinputlisting\b": r"quotes a file by hand. Use \code{module}{function}",
    r"\\begin\{(?:lstlisting|verbatim\*?|algorithm\w*\*?)\}": "holds code that is "
    r"typed by hand and never runs. Quote the shipped code by \code",
    r"\\if(?!f(?![a-zA-Z]))[a-zA-Z@]*|\\endinput\b|\\begin\{comment\}": "hides text "
    "from the page but not from the reviewer. Delete it, or use % comments",
    r"\\(?:verb|lstinline|catcode|scantokens|url|path|href)(?![a-zA-Z])|\^\^": (
        "may print a percent sign, or make one, where the reviewer sees another thing. "
        r"Write plain text, and a percent sign as \%"
    ),
    r"\\end\s*\{document\}(?=\s*\S)": "is not the end of the file, and what follows it "
    "does not count. Remove what follows",
    r"\\fn\{(?:[^{}]|\{[^{}]*\})*?\\[&%_#${}]": "prints its backslash, as \\fn shows "
    r"what it is given. Write the character alone, and a percent sign as \texttt{\%}",
}


@attrs.frozen
class Reference:
    """Something that a line of the file names."""

    name: str
    line: int
    module: str = ""


@attrs.frozen
class Item:
    r"""One precondition: its text, and what its ``\by`` or ``\human`` names."""

    text: str
    line: int
    by: tuple[str, ...] = ()
    human: str | None = None

    @property
    def names(self) -> set[str]:
        r"""The names set by ``\fn`` in the item."""
        return {argument for _, (argument,) in macros(self.text, "fn", 1)}


@attrs.frozen(slots=False)
class TexFile:
    """One proof or lemma, as read. `name` is its path without the suffix."""

    name: str
    raw: str

    @cached_property
    def text(self) -> str:
        """The text without comments."""
        return strip_comments(self.raw)

    @cached_property
    def digest(self) -> str:
        """The digest of the text, without comments and whatever its line breaks."""
        return hashlib.sha256(" ".join(self.text.split()).encode()).hexdigest()

    def line(self, position: int) -> int:
        """Return the number of the line at a position of the text."""
        return self.text.count("\n", 0, position) + 1

    def _references(self, macro: str) -> tuple[Reference, ...]:
        return tuple(
            Reference(name.strip(), self.line(at))
            for at, (argument,) in macros(self.text, macro, 1)
            for name in argument.split(",")
        )

    def _pairs(self, macro: str) -> tuple[Reference, ...]:
        return tuple(
            Reference(name.strip(), self.line(at), module.strip())
            for at, (module, name) in macros(self.text, macro, 2)
        )

    @cached_property
    def subjects(self) -> tuple[Reference, ...]:
        r"""What ``\proofof`` names; a file has one, unless it is a lemma."""
        return self._pairs("proofof")

    @property
    def subject(self) -> Reference:
        """The function or class that is proved here."""
        return self.subjects[0]

    @cached_property
    def lemma_names(self) -> tuple[Reference, ...]:
        r"""What ``\lemmaof`` names."""
        return self._references("lemmaof")

    @property
    def is_lemma(self) -> bool:
        """Whether the file lies among the lemmas."""
        return self.name.startswith("lemmas/")

    @cached_property
    def quotes(self) -> tuple[Reference, ...]:
        r"""The functions that ``\code`` quotes."""
        return self._pairs("code")

    @cached_property
    def uses(self) -> tuple[Reference, ...]:
        r"""The methods that ``\uses`` declares."""
        return self._pairs("uses")

    @cached_property
    def lemmas(self) -> tuple[Reference, ...]:
        r"""The lemmas that ``\lemma`` names."""
        return self._references("lemma")

    @cached_property
    def checked(self) -> tuple[Reference, ...]:
        r"""The steps that ``\checked`` marks."""
        return self._references("checked")

    @cached_property
    def labels(self) -> tuple[Reference, ...]:
        r"""The labels that are referred to, ``\by{type}`` and own labels left out."""
        own = {reference.name for reference in self._references("label")}
        return tuple(
            reference
            for macro in _REFERENCES
            for reference in self._references(macro)
            if reference.name not in own and (macro, reference.name) != ("by", "type")
        )

    @cached_property
    def unfinished(self) -> tuple[Reference, ...]:
        r"""What ``\unfinished`` says is missing."""
        return tuple(
            Reference(" ".join(argument.split()), self.line(at))
            for at, (argument,) in macros(self.text, "unfinished", 1)
        )

    def environment(self, name: str) -> tuple[str, int] | None:
        r"""Return the body of the first ``\begin{name}`` and where it starts."""
        match = re.search(
            rf"\\begin\{{{name}\}}(.*?)\\end\{{{name}\}}", self.text, re.DOTALL
        )
        return None if match is None else (match.group(1), match.start(1))

    def environments(self, name: str) -> list[str]:
        r"""Return the bodies of all ``\begin{name}``."""
        found = rf"\\begin\{{{name}\}}(.*?)\\end\{{{name}\}}"
        return re.findall(found, self.text, re.DOTALL)

    def conditions(self, name: str) -> tuple[Item, ...] | None:
        """Return the items of a list of preconditions; None if it is not there."""
        found = self.environment(name)
        if found is None:
            return None
        body, start = found
        positions = [
            match.start() for match in re.finditer(r"\\item(?![a-zA-Z])", body)
        ]
        items = []
        for at, end in pairwise([*positions, len(body)]):
            text = body[at + len(r"\item") : end].strip()
            tail = re.search(r"(?:\\by\s*\{[^{}]*\}\s*)+\.?$", text)
            by = macros(tail.group(), "by", 1) if tail else ()
            human = [" ".join(a.split()) for _, (a,) in macros(text, "human", 1)]
            items.append(
                Item(
                    text,
                    self.line(start + at),
                    tuple(label.strip() for _, (label,) in by),
                    human[0] if len(human) == 1 else None,
                )
            )
        return tuple(items)

    @cached_property
    def postconditions(self) -> tuple[tuple[str, str], ...]:
        """The statements inside the postcondition: macro, and function it is about."""
        found = self.environment("postcondition")
        if found is None:
            return ()
        stated = [
            (at, macro, function.strip())
            for macro in PARTS
            for at, (function, _) in macros(found[0], macro, 2)
        ]
        return tuple((macro, function) for _, macro, function in sorted(stated))

    @cached_property
    def claim(self) -> str:
        """What is claimed: the statement of a lemma, the postcondition of a proof."""
        kind = "lemmastatement" if self.is_lemma else "postcondition"
        return "\n".join(self.environments(kind))

    @cached_property
    def named(self) -> frozenset[str]:
        r"""The names that ``\fn`` sets in the claim."""
        return frozenset(name.strip() for _, (name,) in macros(self.claim, "fn", 1))

    @cached_property
    def proof_titles(self) -> tuple[str, ...]:
        r"""The titles of the ``proof`` environments, empty where none is given."""
        found = re.findall(r"\\begin\{proof\}\s*(?:\[([^\]]*)\])?", self.text)
        return tuple(" ".join(title.split()) for title in found)

    @cached_property
    def arguments(self) -> str:
        """The text of all ``proof`` environments."""
        return "\n".join(_PROOF.findall(self.text))

    @property
    def foundations(self) -> set[str]:
        """The lemmas on which the truth of this one rests, by full name.

        A lemma may mention another where it borrows its terms; what counts is the
        argument. In a proof every mention counts.
        """
        text = self.arguments if self.is_lemma else self.text
        return {f"lemmas/{name.strip()}" for _, (name,) in macros(text, "lemma", 1)}

    @cached_property
    def forbidden(self) -> tuple[Reference, ...]:
        """The things that a proof may not contain, each with its reason."""
        return tuple(
            Reference(f"{match.group()} {reason}", self.line(match.start()))
            for pattern, reason in _FORBIDDEN.items()
            for match in re.finditer(pattern, strip_comments(self.raw, whole=True))
        )


@lru_cache(maxsize=1024)
def _parsed(name: str, raw: str) -> TexFile:
    return TexFile(name, raw)


def read_tex(folder: Path, name: str) -> TexFile:
    """Return the proof of that name in a proofs folder."""
    path = folder / f"{name}.tex"
    try:
        raw = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ReviewError(f"there is no proof {name}: {path} does not exist.") from None
    except UnicodeDecodeError:
        raise ReviewError(f"{path} is not UTF-8. Save it in that encoding.") from None
    return _parsed(name, raw)


_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")


def strip_comments(text: str, whole: bool = False) -> str:
    r"""Return TeX without comments and without what follows the document.

    Lines keep their numbers. With `whole`, what follows is kept.

    >>> strip_comments("50\\% of it % why\n% a line\n\\end{document} more")
    '50\\% of it \n\n\\end{document}'
    """
    kept = _COMMENT.sub(r"\1", text) if "%" in text else text
    body, end, rest = kept.partition(r"\end{document}")
    return body + end + (rest if whole else "")


def argument(text: str, start: int) -> tuple[str, int] | None:
    """Return the `{...}` that begins at or after `start`, and where it ends."""
    while start < len(text) and text[start].isspace():
        start += 1
    if start >= len(text) or text[start] != "{":
        return None
    depth, at = 0, start
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return text[start + 1 : at], at + 1
        at += 1
    return None


def macros(text: str, name: str, count: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    r"""Yield position and arguments of every ``\name``, with ``[...]`` skipped."""
    pattern = re.compile(rf"\\{name}(?![a-zA-Z])\*?\s*(?:\[[^\]]*\])?")
    for match in pattern.finditer(text):
        arguments, at = [], match.end()
        for _ in range(count):
            found = argument(text, at)
            if found is None:
                break
            arguments.append(found[0])
            at = found[1]
        if len(arguments) == count:
            yield match.start(), tuple(arguments)


_DEFINITION = re.compile(
    r"\\(?:re)?newcommand\*?\s*\{?\\([a-zA-Z@]+)\}?\s*(?:\[[^\]]*\])*"
)
_MACRO = re.compile(r"\\([a-zA-Z@]+)")
_LAYOUT = re.compile(r"\\[a-zA-Z@]+|\\(?:begin|end)\{[^}]*\}")


@lru_cache(maxsize=8)
def _definitions(style: str) -> dict[str, str]:
    text = strip_comments(style)
    found = {}
    for match in _DEFINITION.finditer(text):
        body = argument(text, match.end())
        if body is not None:
            found[match.group(1)] = " ".join(body[0].split())
    return found


def statement_digest(style: str, macro: str) -> str:
    r"""Return the digest of a statement, with the macros in it that hold words.

    Macros that only arrange the page do not count.

    >>> style = r"\newcommand{\validX}{\box{\all}} \newcommand{\all}{For every one}"
    >>> moved = style + r" \newcommand{\box}[1]{\par #1}"
    >>> statement_digest(style, "validX") == statement_digest(moved, "validX")
    True
    >>> weaker = style.replace("every", "some")
    >>> statement_digest(style, "validX") == statement_digest(weaker, "validX")
    False
    """
    definitions = _definitions(style)
    said: dict[str, str] = {}
    waiting = [macro]
    while waiting:
        name = waiting.pop()
        body = definitions.get(name)
        if body is None or name in said:
            continue
        if name == macro or re.search("[a-z]{2}", _LAYOUT.sub("", body)):
            said[name] = body
        waiting += _MACRO.findall(body)
    text = "\n".join(f"{name} {said[name]}" for name in sorted(said))
    return hashlib.sha256(text.encode()).hexdigest()
