"""What a certificate says, as blocks in their order; HTML and TeX lay them out.

Text between backquotes is code.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, TypeAlias

import attrs

from opendp_lite.base.aliases import Value
from opendp_lite.certify.format import Content


@attrs.frozen
class Heading:
    """A heading, of a section (1) or below one (2)."""

    text: str
    level: int = 1


@attrs.frozen
class Text:
    """A paragraph."""

    text: str


@attrs.frozen
class Banner:
    """What everybody must see: the claim, that all is in order, or that it is not."""

    text: str
    kind: str
    items: tuple[str, ...] = ()


@attrs.frozen
class Facts:
    """Names and what they stand for."""

    rows: tuple[tuple[str, str], ...]


@attrs.frozen
class Table:
    """A table; `widths` are shares of the width of the page."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[float, ...]
    folded: str = ""


@attrs.frozen
class Theorem:
    """The claim of a proof, as TeX."""

    tex: str
    definitions: tuple[str, ...]


@attrs.frozen
class Listing:
    """Lines that stand as they are."""

    text: str


@attrs.frozen
class Sign:
    """What a person signs, and room for it."""

    number: int
    text: str
    notes: tuple[str, ...] = ()


Block: TypeAlias = Heading | Text | Banner | Facts | Table | Theorem | Listing | Sign

_LONG = 24  # letters of a number in a cell
_NAMES = {
    "input_domain": "data",
    "input_metric": "distance of data",
    "output_domain": "outputs",
    "output_metric": "distance of outputs",
    "output_measure": "loss is counted in",
}


def blocks(content: Content) -> Iterator[Block]:
    """Yield all that a certificate says.

    :param content: of a certificate
    """
    yield Banner(content["claim"]["sentence"], "claim")
    yield from _standing(content)
    yield from _claim(content)
    yield from _derivation(content)
    yield from _assumptions(content)
    yield from _trees(content["bit_trees"])
    yield from _theorems(content)
    yield from _foundations(content)
    yield from _versions(content)
    yield from _checking(content)
    yield from _digests(content)


def _standing(content: Content) -> Iterator[Block]:
    if content["findings"]:
        text = "Not all of this is what somebody has reviewed and vetted:"
        yield Banner(text, "amiss", tuple(content["findings"]))
        return
    count = len(content["rests_on"])
    given = content["assumptions"]
    assumed = " All this holds under the assumptions that a person signs." * bool(given)
    yield Banner(
        "Every constructor in it has a proof that was vetted by somebody other than "
        f"its author, and so were the {count} texts that these proofs rest on. Text "
        f"and code are, digest by digest, what was read.{assumed}",
        "order",
    )


def _shown(distance: Content | None) -> str:
    """Return a distance: exact, and as a number if that is not the same."""
    if distance is None:
        return "–"
    exact, number = distance["exact"], distance["float"]
    if number is None or str(number) in (exact, f"{exact}.0"):
        return str(exact)
    try:
        same = Fraction(exact) == number
    except ValueError:  # a pair, or a root
        same = False
    if same:
        return f"{exact} = {number}"
    return f"{exact}, rounded up {_numbers(number)}"


def _brief(distance: Content | None) -> str:
    """Return a distance in a cell of a table: rounded up, where it is long."""
    if distance is None:
        return "–"
    if len(distance["exact"]) <= _LONG or distance["float"] is None:
        return str(distance["exact"])
    return f"≤ {_numbers(distance['float'])}"


def _numbers(number: Value) -> str:
    inside = isinstance(number, list)
    return f"({', '.join(map(str, number))})" if inside else str(number)


def _claim(content: Content) -> Iterator[Block]:
    claim, told = content["claim"], content["told"]
    yield Heading("What is claimed")
    yield Text(claim["formal"])
    rows = [("what is protected", claim["protects"])]
    if told["subject"]:
        rows.append(("subject", f"`{told['subject']}`"))
    rows.append(("kind", claim["kind"]))
    rows += [(n, f"`{claim[key]}`") for key, n in _NAMES.items() if claim[key]]
    rows.append(("distance of neighbours", _shown(claim["d_in"])))
    if claim["d_out"]:
        rows.append(("guarantee", _shown(claim["d_out"])))
    rows += [(f"at {at}", value) for at, value in claim["curve"]]
    if told["comment"]:
        rows.append(("comment", told["comment"]))
    yield Facts(tuple(rows))
    yield Text("The pipeline:")
    yield Listing(content["pipeline"]["shown"].replace(" >> ", "\n>> "))
    if told["asked"]:
        yield Text("What was asked of it so far, as whoever certified it tells:")
        yield Listing("\n".join(told["asked"]))


def _walk(steps: list[Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for number, step in enumerate(steps, start=1):
        yield f"{prefix}{number}", step
        yield from _walk(step["parts"], f"{prefix}{number}.")


def _derivation(content: Content) -> Iterator[Block]:
    yield Heading("The derivation")
    yield Text(
        "From the data outward. Each step takes inputs at the distance in to outputs "
        "at the distance out, by the theorem of its proof; a step within a step has a "
        "number with a dot. Links are joined by the theorems of `>>`."
    )
    rows = []
    for number, step in _walk(content["steps"]):
        proofs = [step["proof"], step["chained_by"]]
        cited = [f"`{each['path']}` ({each['status']})" for each in proofs if each]
        said = " joined by ".join(cited) if cited else step["standing"]
        said = "; ".join([said, *step["notes"]]) if said else "; ".join(step["notes"])
        distances = _brief(step["d_in"]), _brief(step["d_out"])
        rows.append((number, _link(step), *distances, said))
    head = "step", "link", "in", "out", "by"
    yield Table(head, tuple(rows), (0.08, 0.3, 0.09, 0.17, 0.36))


def _link(step: Content) -> str:
    """Return a step as it was written; what it was made of stands below it."""
    if step["link"] == ">>":
        return f"a chain of {len(step['parts'])} links"
    link = " ".join(step["link"].split())
    if step["parts"] and step["constructor"]:
        given = [f"{name}={value}" for name, value in step["arguments"]]
        link = f"{link.partition('(')[0]}({', '.join([*given, '...'])})"
    return "; ".join([f"`{link}`", *step["units"]])


def _assumptions(content: Content) -> Iterator[Block]:
    yield Heading("Assumptions to be signed")
    given = content["assumptions"]
    if not given:
        yield Text(
            "None. Every condition of every step is checked by the code; nothing in "
            "this pipeline rests on the word of a person. That the domain describes "
            "the data, and the distance whom you protect, no code can verify: whoever "
            "releases answers for it."
        )
        return
    yield Text(
        "No code can verify these. The guarantee holds if they do, and whoever signs "
        "answers for them."
    )
    places = content["told"]["places"]
    for number, each in enumerate(given):
        place = places[number] if number < len(places) else None
        notes = [f"about `{about}`" for about in each["about"]]
        notes += [f"made at `{place}`"] if place else []
        yield Sign(number + 1, each["text"], tuple(notes))
    if content["functions"]:
        names = ", ".join(f"`{each['name']}`" for each in content["functions"])
        yield Text(
            f"The functions of one's own, whose digests are at the end: {names}."
        )


def _trees(trees: Content) -> Iterator[Block]:
    yield Heading("Bit trees of small cases")
    if not trees["results"]:
        yield Text(f"There is none: {trees['none']}.")
        return
    whole = all(each["unresolved"] == "0" for each in trees["results"])
    strings = (
        "on every string of random bits"
        if whole
        else f"on strings of random bits, the most probable first, with at most "
        f"{trees['depth']} bits and {trees['runs']} runs for each input"
    )
    yield Text(
        f"The code was run {strings}, for two inputs that are neighbours. The "
        "probabilities of its releases were added up exactly; those of strings on "
        "which it did not end are the unresolved mass. That shows something of these "
        "inputs, and no more: that the claim holds for all is what the proofs show."
    )
    yield Text(
        "While it ran, other sources of randomness, and clocks, were looked for, and "
        "functions that are not the library's were run twice on each string. Where "
        "something was found, nothing is said. This search does not see everything. It "
        "misses what other threads, other processes and files give; state that a "
        "function keeps, unless it shows when the function is run again at once; the "
        "order of a set; and a source that a function holds itself, if none of the "
        "first 16 runs uses it."
    )
    for each in trees["results"]:
        found = [("it also used", f"`{source}`") for source in each.get("sources", ())]
        yield Facts(
            (
                ("inputs", f"`{each['x']}` and `{each['x2']}`"),
                ("verdict", each["verdict"]),
                ("this says", each["says"]),
                *found,
            )
        )
        yield Listing(each["shown"])


def _theorems(content: Content) -> Iterator[Block]:
    yield Heading("The theorems")
    for each in content["proofs"]:
        name = each["path"].rpartition("/")[2].removesuffix(".tex")
        yield Heading(f"`{name}`", 2)
        if not each["known"]:
            yield Text(
                f"Proved elsewhere: `{each['path']}` of the package "
                f"`{each['package']}`, which says that it is {each['status']}. It was "
                "not looked at."
            )
            continue
        theorem = each["theorem"]
        yield Theorem(theorem["tex"], tuple(theorem["definitions"]))
        readings = [f"{r['what']}: {r['who']}, {r['date']}" for r in each["readings"]]
        standing = (
            "what was reviewed" if each["as_reviewed"] else "NOT what was reviewed"
        )
        yield Facts(
            (
                ("proof", f"`{each['path']}` of `{each['package']}`"),
                ("status", f"{each['status']}; text and code are {standing}"),
                ("written by", each["author"] or "not recorded"),
                ("last read", readings[-1] if readings else "not recorded"),
            )
        )


def _last(header: str) -> str:
    return header.rpartition(":")[2]


def _foundations(content: Content) -> Iterator[Block]:
    rests_on = content["rests_on"]
    if not rests_on:
        return
    yield Heading("What the theorems rest on")
    yield Text(
        f"{len(rests_on)} more texts, directly or through each other: lemmas, and "
        "proofs of samplers and of arithmetic."
    )
    rows = tuple(
        (
            f"`{name.partition(':')[2]}`",
            each["status"]
            if each["as_reviewed"]
            else f"{each['status']}, NOT as reviewed",
        )
        for name, each in rests_on.items()
    )
    yield Table(("text", "status"), rows, (0.7, 0.3), "Show them")


def _versions(content: Content) -> Iterator[Block]:
    yield Heading("What is trusted")
    yield Text(
        "These are not proved, and were used in these versions. Which parts of them "
        "are relied upon, and why, the list `trusted.toml` of the proofs says."
    )
    rows = [(k, v or "not installed") for k, v in sorted(content["versions"].items())]
    yield Facts(tuple(rows))


def _checking(content: Content) -> Iterator[Block]:
    carried = content["pipeline"]["carried"] is not None
    yield Heading("How to check it elsewhere")
    command = "opendp-lite certify --verify certificate.json"
    if not carried:
        why = content["pipeline"]["not_carried"]
        yield Text(
            f"The pipeline cannot be carried in the certificate: {why} So whoever "
            "checks it names the object, in code that they have read."
        )
        command += " --subject MODULE:NAME"
    yield Text(
        "In a clone of opendp_lite, at the version or commit that is named above, and "
        "in an environment of its own:"
    )
    yield Listing(f"pip install '.[cli]'\n{command}")
    yield Text(
        "This derives everything anew, from the code and the proofs of that machine: "
        "exit code 0 if code, proofs and numbers are the same, 1 if something differs, "
        "with the name of each field, 2 if the file was tampered with or cannot be "
        "read. Versions that differ are reported as such. Nothing that the certificate "
        "names is imported or called. What cannot be derived is covered by the digest "
        "alone: the date, the name of the subject, the comment, the places of "
        "assumptions, and what was asked of a Context. The digest is no signature: "
        "whoever hands the certificate on may sign the file."
    )
    yield Facts((("made on", content["told"]["date"]),))


def _digests(content: Content) -> Iterator[Block]:
    """Yield all digests: they are for programs, so they stand at the end."""
    yield Heading("Digests")
    yield Text(
        "SHA-256, of each text and of the code that it quotes. `certify --verify` "
        "compares them. In the table they are cut short; the certificate in JSON has "
        "them whole."
    )
    rows = [
        (f"`{name.partition(':')[2]}`", f"`{e['text'][:12]}`", f"`{e['code'][:12]}`")
        for name, e in content["rests_on"].items()
    ]
    if rows:
        head = "text", "digest of text", "of its code"
        yield Table(head, tuple(rows), (0.6, 0.2, 0.2), "Show them")
    facts = []
    for each in content["proofs"]:
        if each["known"]:
            facts.append((f"`{each['path']}`", f"`{each['text']}`"))
            code = each["code"].items()
            facts += [(f"code `{_last(name)}`", f"`{digest}`") for name, digest in code]
    for each in content["functions"]:
        source = each["source"] or "no text is known"
        facts.append((f"`{each['name']}`, without what it calls", f"`{source}`"))
    for package, digest in content["trusted"].items():
        facts.append((f"`trusted.toml` of `{package}`, and its code", f"`{digest}`"))
    yield Facts((*facts, ("this certificate", f"`{content['digest']}`")))
