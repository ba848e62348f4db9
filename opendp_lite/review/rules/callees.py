r"""What quoted code calls: each callee is quoted once, stated, or trusted.

To quote a function is not to say what it does. A file *states* a definition if it
quotes it, or the class that holds it, and if its claim, the statement of a lemma or the
postcondition of a proof, names it by ``\fn``: ``\fn{function}``, ``\fn{Class.method}``,
or ``\fn{Class}`` for the making of an object. The macro of a postcondition names the
subject of the proof.

A name that lands on a function or class of the package must be quoted in the same
file, be stated by a proof or by a lemma that the file cites, or stand in trusted.toml.
An attribute of an object that the
reviewer cannot know is matched by its name: where a class of the package, among the
modules in reach, has a method of that name, one such method must be covered, if need be
after ``\uses{module}{Class.method}``.

So a change that keeps the claim voids the record of one text: the others rest on the
claim. A method counts as quoted where its class is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from opendp_lite.review.code.compare import MAKING
from opendp_lite.review.problems import Place, Problem, ReviewError
from opendp_lite.review.project import Project
from opendp_lite.review.rules.premises import statement
from opendp_lite.review.tex.texfile import Reference, TexFile


def full_name(module: str, name: str) -> str:
    """Return the dotted name of a definition."""
    return f"{module}.{name}"


def quoted_here(tex: TexFile, callee: str) -> bool:
    """Return whether a file quotes a definition, or the class that holds it.

    A class counts as quoted where what makes its objects is.
    """
    made = {f"{callee}.{method}" for method in MAKING}
    for each in tex.quotes:
        quoted = full_name(each.module, each.name)
        if callee == quoted or callee.startswith(f"{quoted}.") or quoted in made:
            return True
    return False


class Claims:
    """Which files state a definition, and which only quote it."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._proved = {
            full_name(tex.subject.module, tex.subject.name): tex.name
            for tex in project.proofs.values()
            if len(tex.subjects) == 1
        }
        self._naming: dict[str, list[TexFile]] = {}
        for tex in project.files.values():
            for name in tex.named:
                self._naming.setdefault(name, []).append(tex)
        self._stated: dict[str, list[str]] = {}

    def proof_of(self, callee: str) -> str | None:
        """Return the proof whose subject a definition is."""
        return self._proved.get(callee)

    def stating(self, callee: str) -> list[str]:
        """Return the names of the files that state a definition."""
        if callee not in self._stated:
            found = set(self._claiming(callee))
            proof = self.proof_of(callee)
            if proof is not None and self.project.files[proof].postconditions:
                found.add(proof)
            self._stated[callee] = sorted(found, key=self._position.__getitem__)
        return self._stated[callee]

    @cached_property
    def _position(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self.project.files)}

    def _claiming(self, callee: str) -> Iterator[str]:
        """Yield the files whose claims name a definition which they quote."""
        module, name = self.project.library.split(callee)
        if module is None or name not in module.definitions:
            return
        for tex in self._naming.get(name, ()):
            for each in tex.quotes:
                owner, _, last = each.name.rpartition(".")
                quoted = name == each.name or name.startswith(f"{each.name}.")
                made = name == owner and last in MAKING
                if each.module == module.name and (quoted or made):
                    yield tex.name

    def quoting(self, callee: str) -> list[str]:
        """Return the names of the files that quote a definition and do not state it."""
        return [
            name
            for name, tex in self.project.files.items()
            if name not in self.stating(callee) and quoted_here(tex, callee)
        ]


class Callees:
    """The callees of all proofs of a project.

    `rests` leads from a file to the proofs and lemmas that state what it calls, `calls`
    to the functions that each of these states for it, and `trusts` to the names in
    trusted.toml that cover what it calls.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self.claims = Claims(project)
        self.rests: dict[str, set[str]] = {name: set() for name in project.files}
        self.calls: dict[str, dict[str, set[str]]] = {n: {} for n in project.files}
        self.trusts: dict[str, set[str]] = {name: set() for name in project.files}
        self._trusted = {
            name for entry in project.trusted.values() for name in entry.covers
        }
        self._closures: dict[str, set[str]] = {}

    def _cover(self, tex: TexFile, callee: str) -> bool:
        """Return whether a callee is covered, and note by what."""
        if quoted_here(tex, callee):
            return True
        stating = self.claims.stating(callee)
        cited = {f"lemmas/{each.name}" for each in tex.lemmas}
        proofs = [name for name in stating if not self.project.files[name].is_lemma]
        resting = (
            [name for name in stating if name in cited]
            or [name for name in proofs if name == self.claims.proof_of(callee)]
            or proofs
        )
        if resting:
            self.rests[tex.name].update(resting)
            for name in resting:
                called = self.calls[tex.name].setdefault(name, set())
                called.add(self.project.library.split(callee)[1])
        elif callee in self._trusted:
            self.trusts[tex.name].add(callee)
        else:
            return False
        return True

    def check(self, names: Iterable[str] | None = None) -> list[Problem]:
        """Return what is uncovered, and what is declared for nothing."""
        return [
            problem
            for name in (self.project.files if names is None else names)
            for problem in self._check_file(self.project.files[name])
        ]

    def _check_file(self, tex: TexFile) -> Iterator[Problem]:
        attributes: dict[str, tuple[Reference, set[str]]] = {}
        callees: dict[str, Reference] = {}
        for reference in tex.quotes:
            try:
                reach = self.project.dependencies(reference)
            except ReviewError:
                continue  # the quote itself is reported
            for landing in reach.defined:
                callees.setdefault(landing.name, reference)
            for name in sorted(reach.unknown):
                yield Problem(
                    "name-unknown",
                    tex.name,
                    f"{reference.name} uses {name}, which is bound nowhere that the "
                    "reviewer can see.",
                    "Import or define the name in the plain way.",
                    place=Place(reference.line),
                )
            for attribute in reach.attributes:
                attributes.setdefault(attribute, (reference, set()))[1].update(
                    self._methods(reference.module, attribute)
                )
        uncovered = {
            name: reference
            for name, reference in sorted(callees.items())
            if not self._cover(tex, name)
        }
        if uncovered:
            users = {name: reference.name for name, reference in uncovered.items()}
            first = min(reference.line for reference in uncovered.values())
            yield self._uncovered(tex, users, first)
        yield from self._check_uses(tex, set(attributes) | _last_parts(callees))
        declared = {f"{each.module}.{each.name}" for each in tex.uses}
        for attribute, (reference, methods) in sorted(attributes.items()):
            if not methods or methods & declared:
                continue
            # All are asked, so that every proof this one may rest on is noted.
            covered = [each for each in sorted(methods) if self._cover(tex, each)]
            if not covered:
                yield self._undeclared(tex, attribute, methods, reference)

    def _methods(self, module: str, attribute: str) -> set[str]:
        """Return the methods of that name in the modules that `module` can reach."""
        if module not in self._closures:
            self._closures[module] = self.project.library.closure({module})
        found = set()
        for name in self._closures[module]:
            each = self.project.library.module(name)
            assert each is not None
            found |= {f"{name}.{q}" for q in each.methods.get(attribute, ())}
        return found

    def _check_uses(self, tex: TexFile, read: set[str]) -> Iterator[Problem]:
        for each in tex.uses:
            module = self.project.library.module(each.module)
            name = f"{each.module}.{each.name}"
            if module is None or each.name not in module.definitions:
                message = (
                    rf"line {each.line} declares \uses of {name}, which is not there."
                )
                yield Problem(
                    "uses-missing",
                    tex.name,
                    message,
                    "Correct the name.",
                    place=Place(each.line),
                )
            elif each.name.rpartition(".")[2] not in read:
                message = (
                    f"no quoted code uses {each.name}, which line {each.line} declares."
                )
                yield Problem(
                    "uses-unused",
                    tex.name,
                    message,
                    r"Remove the \uses.",
                    place=Place(each.line),
                )
            elif not self._cover(tex, name):
                yield self._uncovered(tex, {name: r"\uses"}, each.line)

    def _why(self, callee: str) -> tuple[str, str]:
        """Return what is known of an uncovered callee, and what to do about it."""
        name = self.project.library.split(callee)[1]
        stating = self.claims.stating(callee)
        if stating:
            lemmas = " or ".join(stating)
            known = f"{lemmas} states it, and is not cited here"
            lemma = stating[0].removeprefix("lemmas/")
            return known, rf"Use it by \lemma{{{lemma}}}."
        quoting = self.claims.quoting(callee)
        if quoting:
            # A lemma can be made to state it for everybody, so lemmas come first.
            first = min(quoting, key=lambda each: not each.startswith("lemmas/"))
            is_lemma = self.project.files[first].is_lemma
            where = "lemmastatement" if is_lemma else "postcondition"
            known = f"{', '.join(quoting)} {_quote(quoting)} it without stating it"
            return known, (
                rf"Name it by \fn{{{name}}} in the {where} of {first}, with what it "
                "returns for which arguments"
                + (", and cite the lemma." if is_lemma else ".")
            )
        entry = self.project.trusted.get(callee.rpartition(".")[0])
        if entry is not None:
            known = "trusted.toml has its class, and does not list it"
            return known, (
                f'Write methods = ["{name.rpartition(".")[2]}"] there, with the '
                r"reason; or state it, or quote it by \code."
            )
        return "", (
            r"Quote it by \code, state it in a lemma or a proof, or give a reason in "
            "trusted.toml."
        )

    def _uncovered(self, tex: TexFile, users: dict[str, str], line: int) -> Problem:
        lines, fixes = [], []
        for name, user in users.items():
            known, fix = self._why(name)
            lines.append(f"{name}, by {user}" + (f": {known}" if known else ""))
            fixes.append(fix)
        return Problem(
            "callee",
            tex.name,
            "quoted code uses what is neither quoted here, nor stated by a proof or by "
            "a lemma that is used here, nor trusted.",
            " ".join(dict.fromkeys(fixes)),
            "\n".join(lines),
            Place(line),
        )

    def _undeclared(
        self, tex: TexFile, attribute: str, methods: set[str], reference: Reference
    ) -> Problem:
        shown = sorted(methods)
        listed = ", ".join(shown[:4]) + (", ..." if len(shown) > 4 else "")
        known = [f"{name}: {why}" for name in shown if (why := self._why(name)[0])]
        return Problem(
            "method",
            tex.name,
            f"{reference.name} reads .{attribute} from an object, which may be "
            f"{listed}; none of these is quoted here, stated, or trusted.",
            r"Declare which by \uses{module}{Class." + attribute + "}, and quote, "
            "state or trust that method.",
            "\n".join(known),
            Place(reference.line),
        )


def _last_parts(names: dict[str, Reference]) -> set[str]:
    return {name.rpartition(".")[2] for name in names}


def _quote(files: list[str]) -> str:
    return "quote" if len(files) > 1 else "quotes"


def check_quotes(
    project: Project, claims: Claims, names: Iterable[str]
) -> Iterator[Problem]:
    """Yield what these files quote although it belongs to another one.

    It belongs to the proof of which it is the subject, else to the first file that
    states it, else to the first lemma, or file, that quotes it.
    """
    quoting: dict[str, dict[str, Reference]] = {}
    for tex in project.files.values():
        for each in tex.quotes:
            quoted = full_name(each.module, each.name)
            quoting.setdefault(quoted, {}).setdefault(tex.name, each)
    wanted = set(names)
    for quoted, direct in sorted(quoting.items()):
        (reference, *_) = direct.values()
        files = dict(direct)
        parts = reference.name.split(".")
        for length in range(1, len(parts)):
            outer = full_name(reference.module, ".".join(parts[:length]))
            for name, each in quoting.get(outer, {}).items():
                files.setdefault(name, each)
        if len(files) == 1:
            continue
        owner = _owner(project, claims, quoted, files)
        for name in sorted(files.keys() - {owner}):
            if name in wanted:
                yield _quoted_twice(
                    project, claims, reference, files[name], name, owner
                )


def _owner(project: Project, claims: Claims, quoted: str, files: Iterable[str]) -> str:
    order = [name for name in project.files if name in set(files)]
    stating = [name for name in claims.stating(quoted) if name in order]
    lemmas = [name for name in order if project.files[name].is_lemma]
    proof = claims.proof_of(quoted)
    return proof if proof in order else [*stating, *lemmas, *order][0]


def _quoted_twice(
    project: Project,
    claims: Claims,
    shared: Reference,
    here: Reference,
    name: str,
    owner: str,
) -> Problem:
    """Return the finding that what `owner` quotes is quoted by `name` as well."""
    tex = project.files[owner]
    callee = full_name(shared.module, shared.name)
    within = "" if here.name == shared.name else f", with {shared.name} in it"
    if owner in claims.stating(callee):
        letters = sorted(statement(tex).naming(shared.name)) if tex.is_lemma else []
        part = "".join(f"~({letter})" for letter in letters[:1])
        cited = owner.removeprefix("lemmas/")
        how = rf"\lemma{{{cited}}}{part}" if tex.is_lemma else f"the proof {owner}"
        known, fix = "states it", f"and cite {how} for what it does."
    else:
        where = "lemmastatement" if tex.is_lemma else "postcondition"
        known = "quotes it too"
        fix = (
            rf"name it by \fn{{{shared.name}}} in the {where} of {owner}, with what it "
            "returns for which arguments, and cite that."
        )
    removed = rf"\code{{{here.module}}}{{{here.name}}}"
    rest = "" if not within else ", quote the rest of the class by its methods"
    return Problem(
        "quoted-twice",
        name,
        f"line {here.line} quotes {here.name}{within}, and {owner} {known}.",
        f"Remove {removed} here{rest}, {fix}",
        place=Place(here.line),
    )
