"""Carrying records over a change of names: what was read is what is there, renamed.

The files were moved and the imports rewritten before. Where the code at the new place
has, under its old names, the digest of what was read, the record goes on: who read
what, and when. Texts and the list of what is trusted get the new names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache, cached_property
from typing import NoReturn

import attrs

from opendp_lite.review.code.compare import difference
from opendp_lite.review.code.quoting import find
from opendp_lite.review.commands.index import write_index
from opendp_lite.review.commands.renaming import Renaming, renaming
from opendp_lite.review.commands.reviewing import statement_digests
from opendp_lite.review.problems import ReviewError
from opendp_lite.review.project import Project
from opendp_lite.review.records import (
    VOID,
    Review,
    check_format,
    is_current,
    lost,
    note_path,
    read_reviews,
    write_reviews,
)
from opendp_lite.review.rules.premises import premise_digest
from opendp_lite.review.tex.texfile import Reference, TexFile

_TRUSTED = re.compile(r'^(\s*name\s*=\s*")([^"]*)(")', re.MULTILINE)


def move(project: Project, names: list[str], changed: bool = False) -> str:
    """Return a sentence about the records and texts that were given new names.

    Nothing is written if some code is not, but for the names, what was read.

    :param project: the package and its proofs
    :param names: old and new names by turns
    :param changed: whether code that is not what was read keeps its record under the
        new name; `check` finds it changed, as before the move
    """
    for problem in check_format(project.folder):
        raise ReviewError(f"{problem.message} {problem.fix}")
    moving = _Move(project, renaming(names), changed)
    moving.refuse_names_of_others()
    moving.refuse_one_name_for_two()
    moving.refuse_other_code()
    moving.refuse_missing_names()
    moving.write()
    said = f"{len(moving.carried)} functions that were read have new names, and their "
    said += "records go on."
    if moving.void:
        said += f" The code of {len(moving.void)} of them is not what was read, and "
        said += "`check` says so."
    return said


def _reference(header: str) -> Reference:
    module, _, name = header.partition(":")
    return Reference(name, 0, module)


def _without_needless(
    project: Project, reviews: dict[str, Review]
) -> dict[str, Review]:
    """Return records without the premises that nothing needs any more.

    Which method is called is guessed from the modules in reach. After a division there
    are fewer, and what was read rests on less, if it is what is there.
    """
    same = [
        name
        for name, review in reviews.items()
        if name in project.files and is_current(project, project.files[name], review)
    ]
    needed = statement_digests(project, same)
    return reviews | {
        name: attrs.evolve(
            reviews[name],
            premises={
                k: v for k, v in reviews[name].premises.items() if k in needed[name]
            },
        )
        for name in same
    }


@attrs.frozen(slots=False, eq=False)
class _Move:
    project: Project
    to: Renaming
    changed: bool = False
    void: set[str] = attrs.field(factory=set, init=False)

    @cached_property
    def reviews(self) -> dict[str, Review]:
        """The records, with the old names."""
        return read_reviews(self.project.folder)

    @cached_property
    def recorded(self) -> dict[str, set[str]]:
        """The digests of what was read, by the old names of the functions."""
        found: dict[str, set[str]] = {}
        for review in self.reviews.values():
            for header, digest in review.code.items():
                found.setdefault(header, set()).add(digest)
        return found

    @cached_property
    def known(self) -> set[str]:
        """The full old names of what was read and of what is trusted."""
        return {*self.project.trusted, *(h.replace(":", ".") for h in self.recorded)}

    @cached_property
    def carried(self) -> dict[str, tuple[str, str] | None]:
        """The old names of functions that new names touch, to their digests.

        The first is that of the present code under its old names, the second under its
        new ones. None stands for a function that is not there.
        """
        former = cache(lambda name: self.to.former(name, self.known))
        found: dict[str, tuple[str, str] | None] = {}
        for header in self.recorded:
            new = self.to.header(header)
            reviewed = self.project.reviewed(_reference(new))
            try:
                present = reviewed.digest
            except ReviewError:
                if new != header:
                    found[header] = None
                continue
            under_old_names = reviewed.digest_under(former)
            if new != header or under_old_names != present:
                found[header] = under_old_names, present
        return found

    def refuse_names_of_others(self) -> None:
        """Refuse names that are not of this package: what they stand for is not here.

        If the package itself has a new name, records know the old one.
        """
        library = self.project.library
        recorded = [f"{header.replace(':', '.')}." for header in self.recorded]
        for old, new in self._pairs:
            name = old.replace(":", ".")
            is_known = any(each.startswith(f"{name}.") for each in recorded)
            if not is_known and not library.owns(old.partition(":")[0]):
                self._refuse(old)
            if not library.owns(new.partition(":")[0]):
                self._refuse(new)

    def refuse_missing_names(self) -> None:
        """Refuse new names under which nothing is there."""
        for _, new in self._pairs:
            module, _, name = new.partition(":")
            found = self.project.library.module(module)
            is_there = found is not None and (
                not name or name in found.definitions or bool(found.bindings(name))
            )
            if not is_there:
                self._refuse(new)

    @property
    def _pairs(self) -> list[tuple[str, str]]:
        return [*self.to.modules.items(), *self.to.functions.items()]

    def _refuse(self, name: str) -> NoReturn:
        raise ReviewError(
            f"{name} is no module, class, function or constant of "
            f"{self.project.package}. Records move between names of the package alone. "
            "Nothing was written."
        )

    def refuse_one_name_for_two(self) -> None:
        """Refuse if a new name was in use before: then it would mean two things."""
        found: dict[str, str] = {}
        for old in sorted(self.known):
            other = found.setdefault(self.to.full_name(old), old)
            if other != old:
                raise ReviewError(
                    f"{other} and {old} would both be {self.to.full_name(old)}, and "
                    "what was read uses both. Take a name that is new there. Nothing "
                    "was written."
                )

    def refuse_other_code(self) -> None:
        """Refuse if some code is something else than what was read, renamed.

        What was changed before may be carried, unless it would pass for what was read.
        """
        other = []
        for header, pair in self.carried.items():
            digests = self.recorded[header]
            if pair is None or pair[0] not in digests:
                self.void.add(header)
                if not self.changed or (pair is not None and pair[1] in digests):
                    other.append(header)
        if other:
            first = other[0]
            read = self.project.history.text(
                first, min(self.recorded[first]).removesuffix(VOID)
            )
            present = self.project.reviewed(_reference(self.to.header(first)))
            shown = lost(first.partition(":")[2])
            if read is not None:
                there = self.carried[first] is not None
                shown = difference(read, present.text if there else "")
            raise ReviewError(
                f"what was read of {', '.join(other)} is not what is there under the "
                f"new names; of {first}, now {self.to.header(first)}:\n{shown}\nMove "
                "first, and change the code afterwards; or, if it was changed before, "
                "carry the record as it is by --changed. A constant that was in a "
                "module before others joined it is named as old and new: m:X m:X. "
                "Nothing was written."
            )

    def _renamed(self, tex: TexFile) -> list[str]:
        r"""Return the functions with new short names that a file is about.

        They are quoted, or called by quoted code, and no variable has the same name.
        """
        quotes = {self.to.header(f"{each.module}:{each.name}") for each in tex.quotes}
        reached, bound = set(quotes), set[str]()
        for header in quotes:
            try:
                reach = self.project.dependencies(_reference(header))
            except ReviewError:
                continue
            reached |= {f"{each.module}:{each.qualname}" for each in reach.defined}
            bound |= set(self._bound(header))
        return [
            old
            for old, new in self.to.functions.items()
            if old.partition(":")[2] != new.partition(":")[2]
            and any(each == new or each.startswith(f"{new}.") for each in reached)
            and old.partition(":")[2] not in bound
        ]

    def _bound(self, header: str) -> Iterator[str]:
        reference = _reference(header)
        module = self.project.library.module(reference.module)
        assert module is not None
        for node in ast.walk(find(module, reference.name)[-1]):
            if isinstance(node, ast.arg):
                yield node.arg
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id

    @cached_property
    def texts(self) -> dict[str, tuple[list[TexFile], TexFile]]:
        """Each file by its new name: as it was before, and as it will be.

        Before, it had the old names; or somebody has written the new ones already.
        """
        back = self.to.reversed()
        found = {}
        for name, tex in self.project.files.items():
            renamed = self._renamed(tex)
            after = TexFile(name, self.to.tex(tex.raw, renamed))
            new = [self.to.header(header) for header in renamed]
            before = TexFile(name, back.tex(after.raw, new))
            found[name] = ([tex, before], after)
        return found

    def review(self, review: Review, name: str) -> Review:
        """Return a record with new names, and the digests that belong to them."""
        code = {}
        for header, digest in review.code.items():
            pair = self.carried.get(header, (digest, digest))
            if pair is not None and digest == pair[0]:
                digest = pair[1]
            else:  # it is of old names, and must not pass for that of new ones
                digest = digest.removesuffix(VOID) + VOID
            code[self.to.header(header)] = digest
        premises = {}
        for key, digest in review.premises.items():
            new = self.to.proof(key)
            stem, _, part = new.removesuffix(")").partition("(")
            if stem in self.texts:
                before, after = self.texts[stem]
                if digest in {premise_digest(each, part) for each in before}:
                    digest = premise_digest(after, part)
            premises[new] = digest
        tex = review.tex
        if name in self.texts:
            before, after = self.texts[name]
            tex = after.digest if tex in {each.digest for each in before} else tex
        return attrs.evolve(review, tex=tex, code=code, premises=premises)

    def write(self) -> None:
        """Write texts, records and the index."""
        folder, library = self.project.folder, self.project.library
        renamed = {}
        for name, review in self.reviews.items():
            new = self.to.proof(name)
            renamed[new] = self.review(review, new)
            note = note_path(folder, name)
            if new != name and note.is_file():
                note_path(folder, new).parent.mkdir(parents=True, exist_ok=True)
                note.rename(note_path(folder, new))
        for name, (_, after) in self.texts.items():
            if after.raw != self.project.files[name].raw:
                (folder / f"{name}.tex").write_text(after.raw, encoding="utf-8")
        trusted = folder / "trusted.toml"
        if trusted.is_file():
            text = trusted.read_text(encoding="utf-8")
            trusted.write_text(_TRUSTED.sub(self._trusted, text), encoding="utf-8")
        write_reviews(folder, renamed)
        moved = Project(self.project.package, folder, library)
        write_reviews(folder, _without_needless(moved, renamed))
        write_index(Project(self.project.package, folder))

    def _trusted(self, match: re.Match[str]) -> str:
        return f"{match.group(1)}{self.to.full_name(match.group(2))}{match.group(3)}"
