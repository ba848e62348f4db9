r"""What a proof takes for granted: of each lemma that it cites, the parts that it uses.

A lemma is stated as a list of `parts`: (a), (b) and so on. A citation with letters
behind it, ``\lemma{x}~(b)``, uses these parts, the others that the rest of the sentence
mentions, and what "part (c)" elsewhere in the file may refer to. "The terms of
``\lemma{x}``", or "terms are those of" it, uses the text around the list alone, which
holds the definitions. Any other citation uses the whole statement. Who uses a part uses
the text around the list as well, and the parts that this part mentions. Proofs,
remarks, examples, the summary and the quoted code state nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import attrs

from opendp_lite.review.problems import Place, Problem
from opendp_lite.review.tex.texfile import TexFile, macros

if TYPE_CHECKING:
    from opendp_lite.review.project import Project


TERMS = "terms"
_LETTER = r"\(([a-z])\)"
_TO = r"(?:to|through|until|up[~\s]+to|-{1,3}|–|—)"
_LIST = rf"{_LETTER}(?:[~\s]*(?:,|/|,?[~\s]*(?:and|or|{_TO}))[~\s]*{_LETTER})*"
_MENTION = re.compile(rf"(?<![\w}})\]]){_LIST}")
_ATTACHED = re.compile(rf"[~\s]*(?:,?\s*parts?[~\s]*)?{_LIST}")
_LOOSE = re.compile(rf"\b[Pp]arts?[~\s]+({_LIST})(?![~\s]+of[~\s]+\w+[~\s]+proofs?\b)")
_TITLE = re.compile(r"(?<=\\begin\{proof\})\s*\[[^\]]*\]")
_TERMS = re.compile(r"\b(?:[Tt]erms\s+are\s+those|[Tt]he\s+terms)\s+of[~\s]*$")
_OF_PROOF = re.compile(r"proofs?\s+of\s+\\fn\{[^}]*\},\s*$")
_SENTENCE = re.compile(r"[.;:]\s|\\lemma\b|\\begin\{|\\end\{")
_RANGE = re.compile(rf"{_LETTER}[~\s]*{_TO}[~\s]*{_LETTER}")
_BORDER = re.compile(r"\\(begin|end)\{(\w+)\*?\}(\[resume\])?|\\item(?![a-zA-Z])")
_STATED = re.compile(
    r"(\\begin\{lemmastatement\}.*?\\end\{lemmastatement\})", re.DOTALL
)
_ASIDE = re.compile(r"\\begin\{(proof|remark|example)\}.*?\\end\{\1\}", re.DOTALL)
_CODE = re.compile(r"\\(?:code|uses)\s*\{[^}]*\}\s*\{[^}]*\}")


@attrs.frozen(slots=False)
class Statement:
    """A statement: its parts by letter, and the text around them."""

    around: str
    parts: dict[str, str]

    @cached_property
    def _names(self) -> dict[str, set[str]]:
        return {
            letter: {name.strip() for _, (name,) in macros(text, "fn", 1)}
            for letter, text in self.parts.items()
        }

    def naming(self, function: str) -> set[str]:
        r"""Return the letters of the parts that name a function by ``\fn``."""
        return {letter for letter, names in self._names.items() if function in names}


def _letters(text: str) -> set[str]:
    """Return the letters in a list such as (a), (c) to (e)."""
    found = set(re.findall(_LETTER, text))
    for first, last in _RANGE.findall(text):
        found |= {chr(code) for code in range(ord(first), ord(last) + 1)}
    return found


def _mentions(text: str) -> set[str]:
    return {each for m in _MENTION.finditer(text) for each in _letters(m.group())}


@lru_cache(maxsize=1024)
def statement(tex: TexFile) -> Statement:
    """Return what a lemma states, or a proof in its conditions and its postcondition.

    Only the statement of a lemma is cut into parts.
    """
    if not tex.is_lemma:
        names = ("compilerverified", "humanverified", "postcondition")
        found = [each for name in names for each in tex.environments(name)]
        return Statement(" ".join(found), {})
    cut = _STATED.split(tex.text)
    text = "".join(
        each if each.startswith(r"\begin{lemmastatement}") else _ASIDE.sub("", each)
        for each in cut
    )
    text = _CODE.sub("", text)
    for _, (summary,) in macros(tex.text, "summary", 1):
        text = text.replace(summary, "", 1)
    begin = text.find(r"\begin{lemmastatement}")
    end = text.find(r"\end{lemmastatement}")
    if begin < 0 or end < 0:
        return Statement(text, {})
    items, borders = _items(text[begin:end])
    around, at = "", 0
    for first, last in borders:
        around += text[at : begin + first] + "(...)"
        at = begin + last
    return Statement(around + text[at:], items)


def _items(text: str) -> tuple[dict[str, str], list[tuple[int, int]]]:
    """Return the items of all lists of parts by letter, and where the lists stand."""
    items: dict[str, str] = {}
    borders: list[tuple[int, int]] = []
    inside: list[str] = []
    start = opened = 0
    for match in _BORDER.finditer(text):
        kind, name, resumed = match.groups()
        ends = kind == "end" and inside[-1:] == ["parts"]
        if inside == ["parts"] and (kind is None or ends) and start:
            items[chr(ord("a") + len(items))] = text[start : match.start()]
        if kind is None and inside == ["parts"]:
            start = match.end()
        elif kind == "begin":
            if name == "parts":
                if items and not resumed:
                    return {}, []  # two lists with the same letters: one statement
                opened, start = match.start(), 0
            if name != "lemmastatement":
                inside.append(name)
        elif kind == "end" and inside:
            inside.pop()
            if ends:
                borders.append((opened, match.end()))
    return items, borders


@lru_cache(maxsize=4096)
def premise_digest(tex: TexFile, letter: str = "") -> str:
    """Return the digest of a part, with the text around it and what it mentions.

    No letter stands for all parts, and `TERMS` for none.
    """
    stated = statement(tex)
    wanted = {letter} & stated.parts.keys() if letter else set(stated.parts)
    while more := _mentioned_by(stated, wanted) - wanted:
        wanted |= more
    texts = [f"({each}) {stated.parts[each]}" for each in sorted(wanted)]
    whole = " ".join(" ".join([stated.around, *texts]).split())
    return hashlib.sha256(whole.encode()).hexdigest()


def _mentioned_by(stated: Statement, letters: set[str]) -> set[str]:
    said = [_mentions(stated.parts[letter]) for letter in letters]
    return set().union(*said) & stated.parts.keys()


@attrs.frozen
class Citation:
    """One citation of a lemma: the letters behind it, and others in its sentence."""

    lemma: str
    line: int
    letters: frozenset[str] = frozenset()
    nearby: frozenset[str] = frozenset()
    is_of_terms: bool = False


@lru_cache(maxsize=1024)
def citations(tex: TexFile) -> tuple[Citation, ...]:
    """Return all citations of lemmas in a file."""
    found = []
    for at, (names,) in macros(tex.text, "lemma", 1):
        end = tex.text.index("}", at) + 1
        attached = _ATTACHED.match(tex.text, end)
        is_of_terms = bool(_TERMS.search(tex.text[max(0, at - 99) : at]))
        letters, nearby = set[str](), set[str]()
        if attached is not None or is_of_terms:
            letters = _letters(attached.group()) if attached else letters
            stop = _SENTENCE.search(tex.text, attached.end() if attached else end)
            nearby = _mentions(tex.text[end : stop.start() if stop else None])
        given = (tex.line(at), frozenset(letters), frozenset(nearby), is_of_terms)
        found += [
            Citation(f"lemmas/{name.strip()}", *given) for name in names.split(",")
        ]
    return tuple(found)


@lru_cache(maxsize=1024)
def _loose_mentions(tex: TexFile) -> set[str]:
    """Return the letters that follow the word "part", if not of a proof or a title."""
    text = _TITLE.sub("", tex.text)
    return {
        letter
        for match in _LOOSE.finditer(text)
        if not _OF_PROOF.search(text[max(0, match.start() - 99) : match.start()])
        for letter in _letters(match.group(1))
    }


def used_parts(tex: TexFile, lemma: TexFile, by_code: Iterable[str] = ()) -> list[str]:
    """Return the letters of the parts of a lemma that a file uses; none for all.

    `by_code` are the functions that its code calls and the lemma states. Instead of
    letters, `TERMS` alone is returned if nothing but the text around them is used.
    """
    stated = statement(lemma)
    cited = [each for each in citations(tex) if each.lemma == lemma.name]
    known = stated.parts.keys()
    if not cited or not known:
        return []
    if any(not each.letters & known and not each.is_of_terms for each in cited):
        return []
    letters = set().union(*(each.letters | each.nearby for each in cited))
    letters |= set().union(*(stated.naming(each) for each in by_code))
    if any(each.letters for each in cited):
        letters |= _loose_mentions(tex)
    return sorted(letters & known) or [TERMS]


def check_citations(project: Project) -> Iterator[Problem]:
    """Yield citations of parts that a lemma does not have."""
    for name, tex in project.files.items():
        for each in citations(tex):
            if each.lemma not in project.lemmas:
                continue  # reported where lemmas are
            there = statement(project.lemmas[each.lemma]).parts
            for letter in sorted(each.letters - there.keys()):
                yield Problem(
                    "lemma-missing",
                    name,
                    f"line {each.line} cites part ({letter}) of {each.lemma}, which "
                    f"has {f'the parts {_listed(there)}' if there else 'no parts'}.",
                    "Correct the letter.",
                    place=Place(each.line),
                )


def _listed(letters: Iterable[str]) -> str:
    return ", ".join(f"({letter})" for letter in letters)
