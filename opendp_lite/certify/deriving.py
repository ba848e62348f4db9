"""Deriving a certificate: from an object and a distance, with what is here now."""

from __future__ import annotations

import hashlib
import json
import platform
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import attrs
import gmpy2

from opendp_lite import __version__
from opendp_lite.base.aliases import Distance
from opendp_lite.base.errors import OpenDPException, refusal
from opendp_lite.certify.evidence import OWN, Evidence, ProofFacts
from opendp_lite.certify.format import (
    FORMAT,
    FORMAT_VERSION,
    Content,
    Pairs,
    Subject,
    canonical,
    sealed,
)
from opendp_lite.certify.running import own_functions
from opendp_lite.certify.trees import DEPTH, RUNS, bit_trees, carried
from opendp_lite.certify.words import claim_of
from opendp_lite.core.record import Made
from opendp_lite.jobs.records import reserved
from opendp_lite.review.code.library import Library
from opendp_lite.show.explaining.steps import ProofReference, Step

_ENGINES = ("duckdb", "narwhals", "pandas", "polars", "pyarrow", "pyspark")


def versions(tables: bool = False) -> dict[str, str | None]:
    """Return the versions of what the guarantee rests on beside the proofs.

    :param tables: whether engines compute the exact numbers of tables

    >>> sorted(versions())[:3]
    ['GMP', 'MPFR', 'OpenSSL']
    """
    found: dict[str, str | None] = {
        "opendp_lite": __version__,
        "opendp_lite, all files": _files(),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "gmpy2": gmpy2.version(),
        "GMP": _last(gmpy2.mp_version()),
        "MPFR": _last(gmpy2.mpfr_version()),
        "OpenSSL": _openssl(),
    }
    names = ("attrs", "cryptography", "numpy", *(_ENGINES if tables else ()))
    return found | {name: _installed(name) for name in names}


def _files() -> str:
    """Return the digest of all files of the package, those that no proof quotes too."""
    library = Library(__name__.partition(".")[0])
    texts = {name: library.module(name) for name in library.names}
    lines = {name: "" if each is None else each.text for name, each in texts.items()}
    return hashlib.sha256(canonical(lines).encode()).hexdigest()


def _last(text: str) -> str:
    return text.rpartition(" ")[2]


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _openssl() -> str | None:
    """Return the OpenSSL that draws in bulk: that of the package cryptography."""
    try:
        from cryptography.hazmat.backends.openssl import backend
    except ImportError:
        return None
    here: Any = backend
    return str(here.openssl_version_text())


_AFTER = "a function of the release alone"
_PLACE = re.compile(r", [^,]*:\d+$")
_SUFFIXES = (".json", ".html", ".pdf")
_D_IN_FIX = "Pass the distance of neighbours, such as d_in=1"


@attrs.frozen(repr=False)
class PipelineCertificate:
    """A pipeline's guarantee with its derivation: what `certificate` returns.

    `content` is all that it says, as values of JSON. It can be handed on as JSON, which
    `check` derives anew elsewhere; HTML and PDF are for reading.
    """

    content: dict[str, Any]
    style: str = attrs.field(default="", repr=False)

    @property
    def claim(self) -> str:
        """The claim in one sentence."""
        return str(self.content["claim"]["sentence"])

    @property
    def findings(self) -> tuple[str, ...]:
        """In which ways it is not what was reviewed; empty if all is."""
        return tuple(self.content["findings"])

    @property
    def digest(self) -> str:
        """The digest of its content."""
        return str(self.content["digest"])

    def to_json(self) -> str:
        """Return it as JSON."""
        return json.dumps(self.content, indent=1, allow_nan=False) + "\n"

    def to_html(self) -> str:
        """Return it as a page that needs nothing else."""
        from opendp_lite.certify.pages.html import html_page

        return html_page(self.content, self.style)

    def save(self, path: str | Path) -> None:
        """Write it to a file, in the form that the ending of its name says.

        A file that is there is replaced, once all of the new one is written.

        :param path: ends in .json, .html or .pdf; for a PDF TeX is needed
        """
        target = Path(path)
        with reserved(target, force=True) as place:
            place.fill(self.to_file(target))

    def to_file(self, path: str | Path) -> str | bytes:
        """Return what a file of this name holds.

        :param path: ends in .json, .html or .pdf
        """
        target = Path(path)
        if target.suffix not in _SUFFIXES:
            rule, fix = f"must end in {', '.join(_SUFFIXES)}", "Choose one of them"
            raise refusal("FailedFunction", "path", str(path), rule, fix)
        if target.suffix == ".pdf":
            from opendp_lite.certify.pages.pdf import pdf_file

            return pdf_file(self.content, self.style)
        return self.to_json() if target.suffix == ".json" else self.to_html()

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from opendp_lite.show.texts import page

        return page(repr(self))

    def __repr__(self) -> str:
        found = len(self.findings)
        amiss = f"; {found} finding{'s' * (found != 1)}" if found else ""
        return f"PipelineCertificate({self.claim!r}, {self.digest[:19]}...{amiss})"


def certificate(
    subject: Subject,
    d_in: Distance = None,
    *,
    pairs: Pairs | None = None,
    depth: int = DEPTH,
    runs: int = RUNS,
    name: str | None = None,
    comment: str = "",
    evidence: Evidence | None = None,
) -> PipelineCertificate:
    """Return the certificate of a pipeline: its guarantee, step by step, with proofs.

    :param subject: a measurement, a transformation, an odometer, a query or a Context
    :param d_in: the distance of neighbours; that of a query or a Context by default
    :param pairs: neighbouring inputs, invented and small, whose bit trees are to be in
        it; they are printed. One is looked for if None; none is made of an empty list
    :param depth: how many random bits a path of a bit tree may have
    :param runs: how often the code may be run for each input of a bit tree
    :param name: what the subject is called, such as "pipeline.py:count"
    :param comment: is printed
    :param evidence: proofs that were read already; read anew by default

    >>> import opendp_lite.prelude as dp
    >>> space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    >>> noisy = space >> dp.m.then_laplace(scale=2)
    >>> certificate(noisy, 1, pairs=[]).claim.partition(": ")[2]
    'pure differential privacy with epsilon = 1/2 = 0.5.'
    """
    made, d_in, asked = _subject(subject, d_in)
    known = Evidence() if evidence is None else evidence
    content, places = derived(made, d_in, pairs, depth, runs, known)
    told = {
        "date": datetime.now(UTC).date().isoformat(),
        "subject": name,
        "comment": comment,
        "places": places,
        "asked": asked,
    }
    return PipelineCertificate(sealed(content | {"told": told}), known.style_text)


def _subject(subject: Subject, d_in: Distance) -> tuple[Made, Distance, list[str]]:
    """Return what is certified, at what distance, and what was asked of a Context."""
    asked: list[str] = []
    if isinstance(getattr(subject, "accountant", None), Made):
        d_in = subject.d_in if d_in is None else d_in
        asked = [f"{each.link}: {_charge(each)}" for each in _asked(subject)]
        subject = subject.accountant
    elif callable(getattr(subject, "resolve", None)):
        query = getattr(subject, "_query", subject)  # a query about a table has one
        d_in = getattr(query, "_d_in", None) if d_in is None else d_in
        subject = subject.resolve()
    if not isinstance(subject, Made):
        rule = "must be a measurement, a transformation, a query or a Context"
        fix = "Pass what a make_ function or >> returned"
        raise refusal("Unsupported", "subject", type(subject).__name__, rule, fix)
    if d_in is None:
        raise refusal("InvalidDistance", "d_in", None, "is missing", _D_IN_FIX)
    return subject, d_in, asked


def _asked(context: Any) -> Iterator[Step]:
    parts = context.explain().whole.parts
    return (each for each in parts if each.charged is not None or each.state)


def _charge(step: Step) -> str:
    charged = "nothing told" if step.charged is None else str(step.charged)
    return f"charged {charged}, {step.state}"


def derived(
    made: Subject,
    d_in: Distance,
    pairs: Pairs | None,
    depth: int,
    runs: int,
    evidence: Evidence,
) -> tuple[dict[str, Any], list[str | None]]:
    """Return all that can be derived, and the places of the assumptions.

    :param made: what is certified
    :param d_in: the distance of neighbours
    :param pairs: of inputs of bit trees; one is looked for if None
    :param depth: of the bit trees
    :param runs: of the bit trees
    :param evidence: the proofs
    """
    explained = made.explain(d_in)
    whole = explained.whole
    if explained.d_in is None:
        raise refusal("InvalidDistance", "d_in", d_in, "is missing", _D_IN_FIX)
    if explained.d_out is None and (
        hasattr(made, "privacy_map") or hasattr(made, "stability_map")
    ):
        why = "; ".join(whole.notes) or "its map says nothing"
        raise OpenDPException(
            "InvalidDistance",
            f"there is no guarantee to certify at d_in={explained.d_in.exact}: {why}",
        )
    shown, reason = None, None
    try:
        shown = carried(made)
    except OpenDPException as error:
        reason = " ".join(str(error.message).split())
    trees = bit_trees(made, d_in, pairs, depth, runs)
    proofs, rests_on, findings = _proofs(whole, evidence)
    functions = own_functions(made)
    findings += tree_findings(trees)
    findings += [
        f"{each['name']}: no text of it is known, so nobody can tell whether it is "
        "the one that was signed for"
        for each in functions
        if each["source"] is None
    ]
    content = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "claim": claim_of(made, explained.kind, explained.d_in, explained.d_out, d_in),
        "pipeline": {
            "shown": " ".join(repr(made).split()),
            "carried": shown,
            "not_carried": reason,
            "d_in": carried(d_in),
        },
        "steps": [_step(each) for each in explained.steps],
        "assumptions": [
            {"text": each.text, "about": [_PLACE.sub("", a) for a in each.about]}
            for each in explained.assumptions
        ],
        "functions": functions,
        "proofs": proofs,
        "rests_on": rests_on,
        "trusted": {each: evidence.trusted(each) for each in _packages(proofs)},
        "bit_trees": trees,
        "findings": findings,
        "versions": versions(_holds_tables(made)),
    }
    return content, [_place(each) for each in explained.assumptions]


def _place(assumption: Any) -> str | None:
    places = [assumption.place] if assumption.place else []
    places += [m[0][2:] for each in assumption.about if (m := _PLACE.search(each))]
    return ", ".join(dict.fromkeys(places)) or None


def _step(step: Step) -> dict[str, Any]:
    """Return a step as plain values; its assumptions are told all together."""
    told = step.to_dict()
    del told["assumptions"]
    return told | {"parts": [_step(each) for each in step.parts]}


def _holds_tables(made: Subject) -> bool:
    home = type(made.input_domain).__module__
    return home.startswith(f"{OWN}.tables.")


def _packages(proofs: list[dict[str, Any]]) -> list[str]:
    return sorted({each["package"] for each in proofs if each["known"]})


def _references(whole: Step) -> Iterator[tuple[ProofReference, Step]]:
    """Yield the proofs of all steps from the data outward, that of the whole last."""
    first, *steps = whole.walk()
    for each in (*steps, first):
        for proof in (each.proof, each.chained_by):
            if proof is not None:
                yield proof, each


def _proofs(
    whole: Step, evidence: Evidence
) -> tuple[list[dict[str, Any]], dict[str, Any], list[str]]:
    """Return the proofs of all steps, what these rest on, and what is amiss."""
    findings = [
        f"{each.link}: {each.standing}, so nothing is proved of it"
        for each in whole.walk()
        if each.constructor is not None or each.standing == "unproved"
        if each.proof is None and each.standing != _AFTER
    ]
    found: dict[tuple[str, str], dict[str, Any]] = {}
    named: dict[str, list[str]] = {}
    for reference, step in _references(whole):
        name = reference.path.removeprefix("proofs/").removesuffix(".tex")
        key = reference.package, name
        if key in found:
            continue
        if reference.package not in evidence.all_projects:
            found[key] = _elsewhere(reference)
            findings.append(
                f"{step.link}: proved elsewhere, by {reference.path} of the package "
                f"{reference.package}, which was not looked at"
            )
            continue
        facts = evidence.facts(*key)
        named.setdefault(reference.package, []).append(name)
        found[key] = _proof(reference, facts)
        findings += [f"{reference.path}: {each}" for each in facts.findings]
        if reference is step.proof and step.constructor not in (None, *facts.about):
            findings.append(f"{reference.path}: it is not about {step.constructor}")
    rests_on: dict[str, Any] = {}
    for package, names in sorted(named.items()):
        for name in evidence.closure(package, names):
            facts = evidence.facts(package, name)
            rests_on[f"{package}:{name}"] = facts.brief()
            findings += [f"proofs/{name}.tex: {each}" for each in facts.findings]
    return list(found.values()), rests_on, list(dict.fromkeys(findings))


def _elsewhere(reference: ProofReference) -> dict[str, Any]:
    return {
        "path": reference.path,
        "package": reference.package,
        "known": False,
        "status": reference.status,
    }


def _proof(reference: ProofReference, facts: ProofFacts) -> dict[str, Any]:
    review = facts.review
    readings = () if review is None else review.readings
    return {
        "path": reference.path,
        "package": reference.package,
        "known": True,
        "status": facts.status,
        "author": None if review is None else review.author,
        "readings": [attrs.asdict(each) for each in readings],
        "text": facts.text,
        "code": facts.code,
        "premises": facts.premises,
        "as_reviewed": facts.as_reviewed,
        "theorem": facts.theorem(),
    }


def tree_findings(trees: Content) -> Iterator[str]:
    """Yield what bit trees have against the claim: no review can mend that.

    :param trees: the field `bit_trees` of a certificate
    """
    for each in trees["results"]:
        tree = f"the bit tree of the pair {each['x']} and {each['x2']}"
        if each["verdict"] == "refuted":
            yield f"{tree} REFUTES the claim"
        if "sources" in each:
            why = "something else than random bits may decide what is released"
            yield f"{tree} says nothing, as {why}: {', '.join(each['sources'])}"
