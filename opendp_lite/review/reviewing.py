"""The whole review: every rule, in one list of findings."""

from __future__ import annotations

from opendp_lite.review.assumptions import check_assumptions
from opendp_lite.review.callees import Callees
from opendp_lite.review.checks import check_steps
from opendp_lite.review.coverage import (
    check_agreement,
    check_circles,
    check_lemmas,
    check_registry,
    subject_of,
)
from opendp_lite.review.form import check_form
from opendp_lite.review.index import check_index
from opendp_lite.review.labels import check_labels
from opendp_lite.review.problems import Problem
from opendp_lite.review.project import DOORS, Project
from opendp_lite.review.records import check_records, read_reviews
from opendp_lite.review.texfile import TexFile
from opendp_lite.review.trust import check_trusted

__all__ = ["check", "premises"]


def check(project: Project, fresh: bool = False) -> list[Problem]:
    """Return all that is wrong; with `fresh`, every check of algebra is run again."""
    reviews = read_reviews(project.folder)
    callees = Callees(project)
    problems: list[Problem] = []
    for tex in project.files.values():
        problems += check_form(project, tex)
    problems += check_labels(project)
    problems += [*callees.check(), *check_trusted(project, callees.trusts)]
    problems += check_assumptions(project, callees.rests, callees.trusts)
    rests = _premises(project, callees)
    problems += check_registry(project, rests)
    problems += check_lemmas(project)
    problems += check_circles(project, callees.rests)
    problems += check_steps(project, fresh)
    problems += check_records(project, reviews, rests)
    problems += check_agreement(project, reviews, _foundations(project, callees))
    problems += check_index(project)
    return sorted(problems, key=lambda problem: problem.proof)


def premises(project: Project) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return what each proof or lemma refers to, and what its truth rests on."""
    callees = Callees(project)
    callees.check()
    return _premises(project, callees), _foundations(project, callees)


def _premises(project: Project, callees: Callees) -> dict[str, set[str]]:
    return {
        name: callees.rests[name]
        | ({f"lemmas/{each.name}" for each in tex.lemmas} & project.lemmas.keys())
        | _doors(project, tex)
        for name, tex in project.files.items()
    }


def _foundations(project: Project, callees: Callees) -> dict[str, set[str]]:
    return {
        name: callees.rests[name]
        | (tex.foundations & project.lemmas.keys())
        | _doors(project, tex)
        for name, tex in project.files.items()
    }


def _doors(project: Project, tex: TexFile) -> set[str]:
    """Return the lemma about the doors, for the proof of a constructor.

    What a constructor returns is made, called and asked through the doors, so what is
    proved of it rests on what they do, whether the proof says so or not.
    """
    constructs = subject_of(tex) in project.registered
    return {DOORS} & project.lemmas.keys() if constructs else set()
