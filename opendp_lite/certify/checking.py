"""Checking a certificate: derive it anew from what is here, and compare every field.

Nothing that a certificate names is imported or called. The pipeline is made anew by the
library's own constructors from the description that it carries; where it carries none,
because it rests on functions of a user's own, whoever checks names the object.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

from opendp_lite.base.aliases import Value
from opendp_lite.base.errors import OpenDPException
from opendp_lite.certify.deriving import (
    PipelineCertificate,
    _subject,
    derived,
    tree_findings,
)
from opendp_lite.certify.evidence import Evidence
from opendp_lite.certify.format import (
    Difference,
    Subject,
    canonical,
    differences,
    malformed,
    read,
)
from opendp_lite.certify.trees import DEPTH, NONE_FOUND, RUNS, restored
from opendp_lite.show.texts import visible

_APART = ("told", "versions", "digest")


@attrs.frozen(repr=False)
class Findings:
    """What came of a check.

    `differences` are fields that are not what was derived here: code, proofs, numbers.
    `environment` are versions of trusted parts that differ on this machine, which is
    lawful and worth knowing. `unreviewed` is what the certificate itself says is not
    what was reviewed. `against` is what the bit trees that were run here have against
    the claim. `claim` is the one that was derived here, which is that of the
    certificate if nothing differs.
    """

    differences: tuple[Difference, ...]
    environment: tuple[Difference, ...]
    unreviewed: tuple[str, ...]
    against: tuple[str, ...]
    claim: str

    @property
    def same(self) -> bool:
        """Whether everything that can be derived is as the certificate says."""
        return not self.differences

    def __bool__(self) -> bool:
        return self.same and not self.unreviewed and not self.against

    def __repr__(self) -> str:
        lines = [self.claim]
        if self.differences:
            lines.append("It DIFFERS from what is derived here (certificate -> here):")
            lines += [f"  {each}" for each in self.differences]
        else:
            lines.append("Derived anew: code, proofs and numbers are the same.")
        if self.unreviewed:
            lines.append("It says itself that not all of it was reviewed:")
            lines += [f"  {each}" for each in self.unreviewed]
        if self.environment:
            lines.append(
                "The environment differs, which is no fault of the certificate "
                "(certificate -> here):"
            )
            lines += [f"  {each}" for each in self.environment]
        return "\n".join(lines)


def loaded(given: str | Path) -> PipelineCertificate:
    """Return a certificate as it was written, if it is whole; it is not checked.

    :param given: its text, or the path of its file
    """
    return PipelineCertificate(read(given), Evidence().style_text)


def check(
    given: str | Path, subject: Subject = None, *, evidence: Evidence | None = None
) -> Findings:
    """Return where a certificate differs from what is derived here and now.

    What is `told` (date, name, comment, places, what was asked) cannot be derived: it
    is covered by the digest alone. A certificate that is malformed, of another format,
    or changed without its digest is refused. What the library's constructors are asked
    for costs time and memory, as `deserialize` says: check what a stranger hands you
    where a limit is set.

    :param given: its text, or the path of its file
    :param subject: the object, where the certificate carries no description of it
    :param evidence: proofs that were read already; read anew by default

    >>> import opendp_lite.prelude as dp
    >>> from opendp_lite.certify import Evidence, certificate
    >>> space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    >>> counted, known = dp.t.make_count(*space), Evidence()
    >>> text = certificate(counted, 2, evidence=known).to_json()
    >>> bool(check(text, evidence=known))
    True
    """
    content = read(given)
    pipeline, trees = content["pipeline"], content["bit_trees"]
    d_in = _restored(pipeline["d_in"], "pipeline.d_in")
    if subject is not None:
        made = _subject(subject, d_in)[0]
    elif pipeline["carried"] is not None:
        made = _restored(pipeline["carried"], "pipeline.carried")
        made = _subject(made, d_in)[0]
    else:
        raise OpenDPException(
            "Unsupported",
            "the certificate carries no description of its pipeline: "
            f"{visible(pipeline['not_carried'] or '')} Name the object yourself, with "
            "--subject MODULE:NAME or subject=.",
        )
    pairs = [_pair(each) for each in trees["pairs"]]
    known = Evidence() if evidence is None else evidence
    asked: tuple[list[Any] | None, int, int] = pairs, trees["depth"], trees["runs"]
    if not pairs and trees["none"] == NONE_FOUND:
        asked = None, DEPTH, RUNS  # so one is looked for here too
    try:
        here, _ = derived(made, d_in, *asked, known)
    except RecursionError:
        raise malformed("has a pipeline that is nested too deeply") from None
    old = {key: value for key, value in content.items() if key not in _APART}
    new = {key: value for key, value in here.items() if key not in _APART}
    return Findings(
        tuple(differences(old, new)),
        tuple(differences(content["versions"], here["versions"], "versions")),
        tuple(map(_said, content["findings"])),
        tuple(tree_findings(here["bit_trees"])),
        str(here["claim"]["sentence"]),
    )


def _said(finding: Value) -> str:
    return visible(finding if isinstance(finding, str) else canonical(finding))


def _restored(value: Value, field: str) -> Any:
    try:
        return restored(value)
    except OpenDPException as error:
        if error.variant == "FeatureRequired":
            raise
        why = " ".join(str(error.message).split()).rstrip(".")
        raise malformed(f"has a {field} that cannot be made: {why}") from None


def _pair(value: Value) -> tuple[Any, Any]:
    if type(value) is not list or len(value) != 2:
        raise malformed("has bit_trees.pairs of another kind")
    x, x2 = (_restored(each, "bit_trees.pairs") for each in value)
    return x, x2
