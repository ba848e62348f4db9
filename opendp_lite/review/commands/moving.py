"""Carrying records over a change of names: what was read is what is there, renamed.

The files were moved and the imports rewritten before. Where the code at the new place
is, but for the names, the code that was read, the record goes on: who read what, and
when. Texts and the list of what is trusted get the new names.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property

import attrs

from opendp_lite.review.code.compare import code_digest, difference
from opendp_lite.review.code.quoting import find
from opendp_lite.review.commands.index import write_index
from opendp_lite.review.commands.renaming import Renaming, renaming
from opendp_lite.review.commands.reviewing import statement_digests
from opendp_lite.review.problems import ReviewError
from opendp_lite.review.project import Project
from opendp_lite.review.records import (
    Review,
    is_current,
    note_path,
    read_reviews,
    write_reviews,
)
from opendp_lite.review.reviewed_code import read_code, stored_modules, write_code
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
    moving = _Move(project, renaming(names), changed)
    moving.refuse_one_name_for_two()
    moving.refuse_other_code()
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
    def kept(self) -> dict[str, str]:
        """The texts that were read, by their old names."""
        folder = self.project.folder
        return {
            f"{module}:{name}": text
            for module in stored_modules(folder)
            for name, text in read_code(folder, module).items()
        }

    def _present(self, header: str) -> str | None:
        try:
            return self.project.text(_reference(header))
        except ReviewError:
            return None

    @cached_property
    def carried(self) -> dict[str, str | None]:
        """The old names of functions whose texts change, to the new texts.

        None stands for a text that changes in something else than names.
        """
        nothing, library = Renaming({}, {}, {}), self.project.library
        found: dict[str, str | None] = {}
        for header, text in self.kept.items():
            if not self.to.touches(library, header, text):
                continue
            new = self.to.header(header)
            said = self.to.meaning(library, header, text)
            present = self._present(new)
            if present and said == nothing.meaning(library, new, present):
                found[header] = present
            else:
                found[header] = self._still_void(header, text, present)
        return found

    def _still_void(self, header: str, text: str, present: str | None) -> str | None:
        """Return what was read, to be kept under the new name; None if it may not be.

        Under the new name it must not pass for the present code.
        """
        new, library = self.to.header(header), self.project.library
        if not self.changed:
            return None
        if present is not None:
            text = self.to.with_new_imports(library, header, text, present)
            nothing = Renaming({}, {}, {})
            if nothing.meaning(library, new, text) == nothing.meaning(
                library, new, present
            ):
                return None
        self.void.add(header)
        return text

    def refuse_one_name_for_two(self) -> None:
        """Refuse if a new name was in use before: then it would mean two things."""
        library, old_names = self.project.library, set(self.project.trusted)
        for header, text in self.kept.items():
            old_names |= self.to.names(library, header, text)
        found: dict[str, str] = {}
        for old in sorted(old_names):
            other = found.setdefault(self.to.full_name(old), old)
            if other != old:
                raise ReviewError(
                    f"{other} and {old} would both be {self.to.full_name(old)}, and "
                    "what was read uses both. Take a name that is new there. Nothing "
                    "was written."
                )

    def refuse_other_code(self) -> None:
        """Refuse if some code is something else than what was read, renamed."""
        other = [header for header, text in self.carried.items() if text is None]
        if other:
            new = self.to.header(other[0])
            shown = difference(self.kept[other[0]], self._present(new) or "")
            raise ReviewError(
                f"what was read of {', '.join(other)} is not what is there under the "
                f"new names; of {other[0]}, now {new}:\n{shown}\nMove first, and "
                "change the code afterwards; or, if it was changed before, carry the "
                "record as it is by --changed. Nothing was written."
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
            text = self.carried.get(header)
            new = self.to.header(header)
            if text is not None and digest == code_digest({header: self.kept[header]}):
                digest = code_digest({new: text})
            code[new] = digest
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
        """Write texts, records, kept code and the index."""
        folder, library = self.project.folder, self.project.library
        reviews = read_reviews(folder)
        renamed = {}
        for name, review in reviews.items():
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
        modules: dict[str, dict[str, str]] = {
            header.partition(":")[0]: {} for header in self.kept
        }
        for header, text in self.kept.items():
            module, _, name = self.to.header(header).partition(":")
            modules.setdefault(module, {})[name] = self.carried.get(header) or text
        for module, texts in modules.items():
            there = library.module(module)
            order = [*(there.definitions if there else ()), *texts]
            write_code(folder, module, {n: texts[n] for n in order if n in texts})
        write_reviews(folder, renamed)
        moved = Project(self.project.package, folder, library)
        write_reviews(folder, _without_needless(moved, renamed))
        write_index(Project(self.project.package, folder))

    def _trusted(self, match: re.Match[str]) -> str:
        return f"{match.group(1)}{self.to.full_name(match.group(2))}{match.group(3)}"
