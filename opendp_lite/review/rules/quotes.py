r"""Each definition is quoted in one text, and cited by its claim in all others.

So a change that keeps the claim voids the record of one text: the others rest on the
claim. A method counts as quoted where its class is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opendp_lite.review.problems import Place, Problem
from opendp_lite.review.project import Project
from opendp_lite.review.rules.claims import Claims, full_name
from opendp_lite.review.rules.premises import statement
from opendp_lite.review.tex.texfile import Reference

__all__ = ["check_quotes"]


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
