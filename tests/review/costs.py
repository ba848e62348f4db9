"""What a change costs: the number of records that each of twenty changes voids.

The table in proofs/COSTS.md is written by

    python -m tests.review.costs

and compared by a test. `before` is the number under the rules and with the proofs of
commit a9368d2, counted there in the same way.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

import attrs

from opendp_lite.review import Project, move
from opendp_lite.review.code.library import Library
from opendp_lite.review.code.modules import Module
from opendp_lite.review.commands.renaming import renaming
from opendp_lite.review.commands.reviewing import _rests
from opendp_lite.review.records import (
    Reading,
    Review,
    check_records,
    read_reviews,
    write_reviews,
)
from opendp_lite.review.tex.texfile import TexFile
from tests.review.example import ROOT, own_callees, own_project

TABLE = ROOT / "proofs" / "COSTS.md"
BEFORE = "a9368d2"


@attrs.frozen
class Change:
    """A planted change: in a file, one text for another; or a new name.

    `everywhere` is set where code of other modules sees the change as well. `read` is
    what somebody must read again because of it. `stated` is how many records it voids,
    where counting them takes long and is for the audit.
    """

    what: str
    before: int
    path: str = ""
    old: str = ""
    new: str = ""
    everywhere: bool = False
    renamed: tuple[str, str] | None = None
    read: str | None = None
    stated: int | None = None


_ARGUMENTS = "opendp_lite/base/arguments.py"
_GRIDS = "opendp_lite/exact/grids.py"
_ADDITIVE = "opendp_lite/measurements/noise/additive.py"
_EXACT = "proofs/lemmas/exact-arguments.tex"
_TO_MPQ = "\\code{opendp_lite.exact.rationals}{to_mpq}\n"

HARMLESS = [
    Change(
        "`integer_argument` is written another way",
        13,
        _ARGUMENTS,
        "return _whole(variant, name, value, number, fix)",
        "whole = _whole(variant, name, value, number, fix)\n    return whole",
    ),
    Change(
        "`_quotient` is written another way",
        26,
        _GRIDS,
        "(n, d << k) if k >= 0 else (n << -k, d)",
        "(n << -k, d) if k < 0 else (n, d << k)",
    ),
    Change(
        "one word in part (b) of the lemma `exact-arguments`",
        55,
        _EXACT,
        "(Distances in.)",
        "(Distances given.)",
    ),
    Change(
        "the lemma `exact-arguments` quotes one more function",
        55,
        _EXACT,
        _TO_MPQ,
        _TO_MPQ + "\\code{opendp_lite.exact.grids}{power_of_two}\n",
    ),
    Change(
        "a word in a remark of the lemma `postprocessing`",
        23,
        "proofs/lemmas/postprocessing.tex",
        "On a computer a release is",
        "On computers a release is",
    ),
    Change(
        "the words of the fix in `check_scale`",
        4,
        _ADDITIVE,
        "Pass the scale of the noise, such as",
        "Pass a scale of noise, such as",
    ),
    Change(
        "the words of a rule in `check_space`",
        5,
        _ADDITIVE,
        '"must not hold NaN"',
        '"must hold no NaN"',
    ),
    Change(
        "the docstring of `integer_argument`",
        0,
        _ARGUMENTS,
        "A number of another type is accepted",
        "Another type of number is accepted",
    ),
    Change(
        "the module `randomness.lanes` gets another name",
        14,
        renamed=("opendp_lite.randomness.lanes", "opendp_lite.randomness.bulk_lanes"),
        stated=0,
    ),
    Change(
        "the function `in_scales` gets another name",
        4,
        renamed=(
            "opendp_lite.measurements.noise.additive:in_scales",
            "opendp_lite.measurements.noise.additive:in_units_of_scale",
        ),
        stated=0,
    ),
]

HARMFUL = [
    Change(
        "`integer_argument` accepts halves",
        13,
        _ARGUMENTS,
        "if number.denominator != 1:",
        "if number.denominator > 2:",
        read="lemmas/exact-arguments",
    ),
    Change(
        "`_quotient` halves what it should not",
        26,
        _GRIDS,
        "(n, d << k) if",
        "(n, d << k + 1) if",
        read="lemmas/grids",
    ),
    Change(
        "part (a) of the lemma `exact-arguments` says less",
        55,
        _EXACT,
        r"number lies between \fn{at_least}",
        r"number rarely lies between \fn{at_least}",
        read="lemmas/noise-arguments",
    ),
    Change(
        "a definition in the lemma `exact-arguments` changes",
        55,
        _EXACT,
        "A NaN, a truth value, text",
        "A NaN, text",
        read="lemmas/noise-arguments",
    ),
    Change(
        "the constant `LAPLACE` is one-sided",
        9,
        "opendp_lite/laws/noise.py",
        'LAPLACE = Law("Laplace", 1, 2)',
        'LAPLACE = Law("Laplace", 1, 1)',
        everywhere=True,
        read="measurements/make_laplace",
        stated=6,
    ),
    Change(
        "`decide_below` compares by < instead of <=",
        2,
        "opendp_lite/randomness/draws.py",
        "(prefix + 1) * denominator <= threshold",
        "(prefix + 1) * denominator < threshold",
        read="randomness/sample_bernoulli_rational",
    ),
    Change(
        "a value in the fix of `check_space` is another one",
        5,
        _ADDITIVE,
        "l{law.power}_distance(T=int)",
        "l{law.sides}_distance(T=int)",
        read="lemmas/noise-arguments",
    ),
    Change(
        "`measurements.additive` computes with floats",
        6,
        _ADDITIVE,
        "from gmpy2 import mpq",
        "mpq = float",
        everywhere=True,
        read="lemmas/noise-arguments",
        stated=5,
    ),
    Change(
        "the postcondition of `sensitivity` allows twice as much",
        3,
        "proofs/measurements/sensitivity.tex",
        r"_p\le S$.",
        r"_p\le 2S$.",
        read="measurements/make_laplace",
    ),
    Change(
        r"the style's `\validMeasurement` holds in one order only",
        27,
        "proofs/opendp-lite.sty",
        "in\n    both orders.",
        "in\n    one order.",
        read="measurements/make_laplace",
    ),
]


class Copy:
    """The library with a copy of its proofs, in which all was read as it is."""

    def __init__(self, folder: Path, changes: list[Change]) -> None:
        """Read it; `changes` are those that are looked at."""
        ignored = shutil.ignore_patterns("build", "reviewed", "reviews.toml")
        shutil.copytree(ROOT / "proofs", folder, ignore=ignored)
        own = own_project()
        modules = {name: own.library.module(name) for name in own.library.names}
        self.modules = {name: each for name, each in modules.items() if each}
        self.project = Project(
            "opendp_lite", folder, Library("opendp_lite", self.modules)
        )
        # What no change can reach is the same before and after, whatever it is.
        reached = {each for change in changes for each in self.reached(change)}
        for tex in own.files.values():
            for each in tex.quotes:
                if each.module in reached:
                    reviewed = own.reviewed(each)
                    self.project._reviewed[each.module, each.name] = reviewed
                else:
                    vars(self.project.reviewed(each))["digest"] = ""
        self.callees = own_callees()
        self.rests = _rests(self.project, self.callees, list(self.project.files))
        reading = (Reading("2026-11-16", "somebody", "vetted"),)
        stated = self.stated(self.project)
        self.reviews = {
            name: Review(
                "somebody else",
                tex.digest,
                reading,
                self.project.digests(tex),
                stated[name],
            )
            for name, tex in self.project.files.items()
        }
        write_reviews(folder, self.reviews)

    def reached(self, change: Change) -> set[str]:
        """The modules whose code may see a change."""
        if change.renamed is not None:
            return set(self.modules)
        found = {change.path.removesuffix(".py").replace("/", ".")}
        waiting = list(found) if change.everywhere else []
        while waiting:
            name = waiting.pop()
            new = {n for n, m in self.modules.items() if name in m.imported} - found
            found |= new
            waiting += new
        return found & set(self.modules)

    def stated(self, project: Project) -> dict[str, dict[str, str]]:
        """The statements that each proof rests on, as they are in a project."""
        return {
            name: project.premises(tex, self.rests[name], self.callees.calls[name])
            for name, tex in project.files.items()
        }

    def voided(self, change: Change) -> set[str]:
        """The records that a change voids."""
        if change.renamed is not None:
            return self._voided_by_renaming(*change.renamed)
        modules, files = dict(self.modules), dict(self.project.files)
        style = self.project.style_text
        stem, _, suffix = change.path.rpartition(".")
        if suffix == "py":
            name = stem.replace("/", ".")
            text = replaced(modules[name].text, change)
            modules[name] = Module(name, text, modules[name].is_package)
        elif suffix == "tex":
            name = stem.removeprefix("proofs/")
            files[name] = TexFile(name, replaced(files[name].raw, change))
        else:
            name, style = "", replaced(style, change)
        library = Library("opendp_lite", modules)
        project = Project("opendp_lite", self.project.folder, library)
        vars(project).update(files=files, style_text=style)
        changed, known = self.reached(change), self.project._reviewed
        project._reviewed.update(
            {k: v for k, v in known.items() if k[0] not in changed}
        )
        problems = check_records(project, self.reviews, self.stated(project))
        return {p.proof for p in problems if p.kind != "note"}

    def _voided_by_renaming(self, old: str, new: str) -> set[str]:
        """Do what `proofs move` asks for, then let it carry the records."""
        to = renaming([old, new])
        before, after = (name.rpartition(":")[2] for name in (old, new))
        pattern = re.compile(rf"(?<![\w]){re.escape(before)}(?!\w)")
        modules = {}
        for name, module in self.modules.items():
            text, path = pattern.sub(after, module.text), to.full_name(name)
            modules[path] = Module(path, text, module.is_package)
        library = Library("opendp_lite", modules)
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) / "proofs"
            shutil.copytree(self.project.folder, folder)
            move(Project("opendp_lite", folder, library), [old, new])
            moved = Project("opendp_lite", folder, library)
            problems = list(
                check_records(moved, read_reviews(folder), self.stated(moved))
            )
        return {p.proof for p in problems if p.kind != "note"}


def replaced(text: str, change: Change) -> str:
    """The text with the change in it."""
    assert text.count(change.old) >= 1, (change.path, change.old)
    return text.replace(change.old, change.new, 1)


def table(counts: list[int]) -> str:
    """The text of proofs/COSTS.md: `counts` of the harmless, then of the harmful."""
    lines = [
        "# What a change costs",
        "",
        "Written by `python -m tests.review.costs`, and compared by a test. So many",
        "records does a planted change void, for somebody to read again: by the rules",
        f"and proofs of commit {BEFORE}, and now. Names are changed by `opendp-lite",
        "proofs move`. A change of code that a lemma states voids the lemma: others",
        "rely on what it claims, and the claim is what has to be shown anew.",
    ]
    numbers = iter(counts)
    for title, changes in (("Harmless", HARMLESS), ("Harmful", HARMFUL)):
        lines += ["", f"| {title} | Before | Now |", "| --- | ---: | ---: |"]
        lines += [
            f"| {change.what} | {change.before} | {next(numbers)} |"
            for change in changes
        ]
    return "\n".join(lines) + "\n"


def count(changes: list[Change]) -> list[set[str]]:
    """The records that each change voids."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Copy(Path(temporary) / "proofs", changes)
        return [copy.voided(change) for change in changes]


def main() -> None:
    """Write the table."""
    counts = [len(each) for each in count([*HARMLESS, *HARMFUL])]
    TABLE.write_text(table(counts), encoding="utf-8")


if __name__ == "__main__":
    main()
