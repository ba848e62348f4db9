"""Registry and proofs, both ways; lemmas, both ways; status and conditions agree."""

from __future__ import annotations

import importlib
from collections.abc import Iterator

from opendp_lite.review.problems import Place, Problem
from opendp_lite.review.project import DOORS, Project, Registered
from opendp_lite.review.records import Review, definition_place
from opendp_lite.review.tex.texfile import TexFile


def subject_of(tex: TexFile) -> str:
    """Return the dotted name of what a proof is about; empty for a lemma."""
    return f"{tex.subject.module}.{tex.subject.name}" if len(tex.subjects) == 1 else ""


def _is_public_part(tex: TexFile) -> bool:
    """Whether the subject is public and stands alone: no transformation, and so on."""
    macros = {macro for macro, _ in tex.postconditions}
    alone = {"validSampler", "validFunction", "validPostprocessor"}
    if len(tex.subjects) != 1 or not macros or macros - alone:
        return False
    module = importlib.import_module(tex.subject.module)
    listed = getattr(module, "__all__", None)
    if listed is None:
        return "." not in tex.subject.name and tex.subject.name[0] != "_"
    return tex.subject.name in listed


def check_registry(project: Project, rests: dict[str, set[str]]) -> Iterator[Problem]:
    """Yield constructors without a proof, and proofs that belong to nothing."""
    for name, entry in sorted(project.registered.items()):
        if entry.proof is None:
            yield Problem(
                "proof-missing",
                "",
                f"the constructor {name} names no proof.",
                '@constructor(proof="family/function") names it; `opendp-lite proofs '
                f"new {entry.module} {entry.name}` begins one.",
                place=_decorated(project, entry),
            )
        elif entry.proof not in project.proofs:
            yield Problem(
                "proof-missing",
                entry.proof,
                f"the constructor {name} names this proof, and there is no such file.",
                f"Restore {entry.proof}.tex, or begin one by `opendp-lite proofs new "
                f"{entry.module} {entry.name}`.",
                place=_decorated(project, entry),
            )
        elif subject_of(project.proofs[entry.proof]) != name:
            about = subject_of(project.proofs[entry.proof]) or "nothing"
            message = (
                f"the constructor {name} names this proof, which is about {about}."
            )
            fix = r"Correct the decorator's `proof`, or \proofof."
            place = _decorated(project, entry)
            yield Problem("proof-missing", entry.proof, message, fix, place=place)
    used = set().union(*rests.values())
    for tex in project.proofs.values():
        registered = project.registered.get(subject_of(tex))
        if registered is None and tex.name not in used and not _is_public_part(tex):
            yield Problem(
                "proof-orphan",
                tex.name,
                f"{subject_of(tex) or 'its subject'} is not in the registry, and no "
                "other proof quotes code that uses it.",
                "Register it by @constructor, or remove the proof. A sampler, a plain "
                "function or a post-processor may stand alone if it is public: in its "
                "module's __all__ or, where there is none, without an underscore.",
            )
        elif registered is not None and registered.proof not in (None, tex.name):
            message = (
                f"{subject_of(tex)} is registered with the proof {registered.proof}."
            )
            fix = "Keep one proof, and name it in the decorator."
            yield Problem("proof-orphan", tex.name, message, fix)


def check_lemmas(project: Project) -> Iterator[Problem]:
    """Yield lemmas that are missing or unused.

    The lemma about the doors is used by every constructor.
    """
    for name, tex in project.files.items():
        for each in tex.lemmas:
            if f"lemmas/{each.name}" not in project.lemmas:
                yield Problem(
                    "lemma-missing",
                    name,
                    f"line {each.line} uses the lemma {each.name}, and there is no "
                    f"lemmas/{each.name}.tex.",
                    "Write the lemma, or correct its name.",
                    place=Place(each.line),
                )
    for name in sorted(project.lemmas.keys() - {DOORS}):
        users = {
            other
            for other, tex in project.files.items()
            if name in {f"lemmas/{each.name}" for each in tex.lemmas}
        }
        if not users - {name}:
            fix = rf"Use it by \lemma{{{name.removeprefix('lemmas/')}}}, or remove it."
            yield Problem("lemma-unused", name, "no proof uses this lemma.", fix)


def check_circles(project: Project, rests: dict[str, set[str]]) -> Iterator[Problem]:
    """Yield proofs and lemmas that rest on themselves.

    `rests` leads from a file to those that state what its code calls; the lemmas that
    its argument cites are added.
    """
    used = {
        name: rests[name] | (tex.foundations & project.lemmas.keys())
        for name, tex in project.files.items()
    }
    for name, tex in project.files.items():
        reached = _reached(name, used)
        if name in reached:
            through = sorted(each for each in reached if name in used[each])
            yield Problem(
                "lemma-circular" if tex.is_lemma else "proof-circular",
                name,
                f"its truth rests on itself, through {', '.join(through)}.",
                "Break the circle: quote together, and prove together, what calls each "
                r"other; or declare by \uses whose method is meant.",
            )


def _reached(name: str, used: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = list(used.get(name, ()))
    while waiting:
        each = waiting.pop()
        if each not in reached:
            reached.add(each)
            waiting += used.get(each, ())
    return reached


def check_agreement(
    project: Project, reviews: dict[str, Review], foundations: dict[str, set[str]]
) -> Iterator[Problem]:
    """Yield where decorator, text and records say different things.

    `foundations` leads from each proof that is looked at to what it rests on.
    """
    for tex in [project.files[name] for name in foundations]:
        entry = project.registration(subject_of(tex))
        if entry is None:
            continue
        yield from check_conditions(tex, entry)
        review = reviews.get(tex.name)
        if review is not None and review.status != entry.status:
            yield Problem(
                "status",
                tex.name,
                f"the decorator of {entry.name} says status={entry.status!r}, and "
                f"reviews.toml says {review.status!r}.",
                f'Write status="{review.status}" in the decorator, or record another '
                "review.",
                place=_decorated(project, entry),
            )
    vetted = {name for name, review in reviews.items() if review.status == "vetted"}
    for name in foundations:
        for other in sorted(foundations[name]):
            if name in vetted and other not in vetted:
                message = f"it is vetted, and rests on {other}, which is not."
                fix = f"Let {other} be refereed, or take the status back to draft."
                yield Problem("rests-on-draft", name, message, fix)


def _decorated(project: Project, entry: Registered) -> Place | None:
    return definition_place(project.library, entry.module, entry.name)


def check_conditions(tex: TexFile, entry: Registered) -> Iterator[Problem]:
    """Yield that text and decorator leave other conditions to a person.

    :param tex: the text
    :param entry: the constructor that it is about
    """
    items = tex.conditions("humanverified") or ()
    stated = [item.human for item in items]
    declared = [" ".join(text.split()) for text in entry.human_verified]
    if stated != declared:
        yield Problem(
            "human-verified",
            tex.name,
            f"the text has {_listed(stated)} for a person to verify, and the decorator "
            f"of {entry.name} has {_listed(declared)}.",
            r"Make them the same, in the same order: \human{...} in the text, "
            "human_verified=(...) in the decorator.",
        )


def _listed(texts: list[str] | list[str | None]) -> str:
    return ", ".join(repr(text) for text in texts) or "nothing"
