"""The whole review: every rule, in one list of findings."""

from __future__ import annotations

from collections.abc import Iterable

from opendp_lite.review.answer_cache import remembered
from opendp_lite.review.code.words import check_words
from opendp_lite.review.commands.index import check_index
from opendp_lite.review.problems import Problem
from opendp_lite.review.project import DOORS, Project
from opendp_lite.review.records import (
    Review,
    check_format,
    check_records,
    check_strays,
    read_reviews,
)
from opendp_lite.review.rules.algebra import check_steps
from opendp_lite.review.rules.callees import Callees, check_quotes
from opendp_lite.review.rules.coverage import (
    check_agreement,
    check_circles,
    check_lemmas,
    check_registry,
    subject_of,
)
from opendp_lite.review.rules.form import check_form
from opendp_lite.review.rules.labels import check_labels, check_unquoted
from opendp_lite.review.rules.plain_names import check_plain
from opendp_lite.review.rules.premises import check_citations
from opendp_lite.review.rules.trust import check_assumptions, check_trusted
from opendp_lite.review.tex.texfile import TexFile


def check(
    project: Project, fresh: bool = False, only: Iterable[str] | None = None
) -> list[Problem]:
    """Return all that is wrong.

    With the names of some proofs, return what is wrong with these, as far as it can be
    told without a look at what the code of all others calls.

    :param project: the package and its proofs
    :param fresh: whether to run every check of algebra again
    :param only: names of proofs; all by default
    """
    if only is not None or project.library.given:
        return _check(project, fresh, only)
    return remembered(project, lambda: _check(project, fresh), fresh)


def _check(
    project: Project, fresh: bool, only: Iterable[str] | None = None
) -> list[Problem]:
    names = list(project.files if only is None else only)
    reviews = read_reviews(project.folder)
    callees = Callees(project)
    problems = [p for name in names for p in check_form(project, project.files[name])]
    problems += check_labels(project, names)
    problems += callees.check(names)
    problems += check_quotes(project, callees.claims, names)
    problems += [*check_lemmas(project), *check_citations(project)]
    problems += check_steps(project, names, fresh)
    rests = _rests(project, callees, names)
    old = [*check_format(project.folder)]
    stated = _stated(project, callees, rests)
    problems += check_records(project, reviews, stated, with_code=not old)
    foundations = _foundations(project, callees, names)
    problems += check_agreement(project, reviews, foundations)
    if only is None:
        problems += _check_together(project, reviews, callees, rests)
    else:
        problems = [problem for problem in problems if problem.proof in names]
    problems += old
    return sorted(problems, key=lambda problem: problem.proof)


def _check_together(
    project: Project,
    reviews: dict[str, Review],
    callees: Callees,
    rests: dict[str, set[str]],
) -> list[Problem]:
    """Return what is wrong with the project as a whole."""
    return [
        *check_unquoted(project),
        *check_trusted(project, callees.trusts),
        *check_assumptions(project, callees.rests, callees.trusts),
        *check_circles(project, callees.rests),
        *check_registry(project, rests),
        *check_words(project),
        *check_plain(project),
        *check_strays(project, reviews),
        *check_index(project),
    ]


def premises(
    project: Project, names: Iterable[str] | None = None
) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return what each proof or lemma refers to, and what its truth rests on."""
    callees = Callees(project)
    names = list(project.files if names is None else names)
    callees.check(names)
    return _rests(project, callees, names), _foundations(project, callees, names)


def statement_digests(
    project: Project, names: Iterable[str]
) -> dict[str, dict[str, str]]:
    """Return the digests of all statements that each of some proofs rests on."""
    callees, names = Callees(project), list(names)
    callees.check(names)
    return _stated(project, callees, _rests(project, callees, names))


def present_premises(
    callees: Callees, name: str
) -> tuple[dict[str, str], list[Problem]]:
    """Return the digests of what one proof rests on, and what of its calls is amiss.

    :param callees: of the project; it remembers what it was asked
    :param name: of the proof
    """
    project, problems = callees.project, callees.check([name])
    rests = _rests(project, callees, [name])
    return _stated(project, callees, rests)[name], problems


def _stated(
    project: Project, callees: Callees, rests: dict[str, set[str]]
) -> dict[str, dict[str, str]]:
    return {
        name: project.premises(project.files[name], rests[name], callees.calls[name])
        for name in rests
    }


def _rests(
    project: Project, callees: Callees, names: Iterable[str]
) -> dict[str, set[str]]:
    lemmas, found = project.lemmas.keys(), {}
    for name in names:
        tex = project.files[name]
        cited = {f"lemmas/{each.name}" for each in tex.lemmas} & lemmas
        found[name] = callees.rests[name] | cited | _doors(project, tex)
    return found


def _foundations(
    project: Project, callees: Callees, names: Iterable[str]
) -> dict[str, set[str]]:
    lemmas, found = project.lemmas.keys(), {}
    for name in names:
        tex = project.files[name]
        argued = tex.foundations & lemmas
        found[name] = callees.rests[name] | argued | _doors(project, tex)
    return found


def _doors(project: Project, tex: TexFile) -> set[str]:
    """Return the lemma about the doors, for the proof of a constructor.

    What a constructor returns is made, called and asked through the doors, so what is
    proved of it rests on what they do, whether the proof says so or not.
    """
    if DOORS not in project.lemmas or not project.registration(subject_of(tex)):
        return set()
    return {DOORS}
