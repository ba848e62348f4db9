"""Labels, both ways: what a proof refers to is there, and what is there is used."""

from __future__ import annotations

from collections.abc import Iterator

from opendp_lite.review.problems import Problem, ReviewError
from opendp_lite.review.project import Project
from opendp_lite.review.quoting import label_comments

__all__ = ["check_labels"]


def check_labels(project: Project) -> Iterator[Problem]:
    """Yield quotes that cannot be printed, and labels that are missing or unused."""
    used: set[tuple[str, int]] = set()
    quoted: dict[tuple[str, int], tuple[str, str]] = {}
    for tex in project.files.values():
        places: dict[str, tuple[str, int]] = {}
        complete = True
        for reference in tex.quotes:
            try:
                quote = project.quote(reference)
            except ReviewError as error:
                complete = False
                message = f"line {reference.line} quotes {reference.name}, but {error}"
                fix = "See above; then check again."
                yield Problem("quote", tex.name, message, fix)
                continue
            for label, line in quote.labels.items():
                name, place = f"{reference.name}:{label}", (reference.module, line)
                if places.get(name, place) != place:
                    message = f"two quoted functions give a label {name}."
                    yield Problem("label-twice", tex.name, message, "Rename one.")
                places[name] = place
                quoted.setdefault(place, (tex.name, name))
        for reference in tex.labels:
            if reference.name in places:
                used.add(places[reference.name])
            elif complete:
                yield _missing(tex.name, reference.name, reference.line, set(places))
    unused: dict[str, list[str]] = {}
    for place, (proof, name) in quoted.items():
        if place not in used:
            unused.setdefault(proof, []).append(
                f"{name} (line {place[1]} of {place[0]})"
            )
    for proof, names in unused.items():
        yield Problem(
            "label-unused",
            proof,
            f"no proof that quotes these labels uses them: {', '.join(names)}.",
            r"Argue about these lines with \ref, or delete the comments.",
        )
    yield from _check_unquoted(project, set(quoted))


def _missing(proof: str, name: str, line: int, known: set[str]) -> Problem:
    function = name.rpartition(":")[0]
    near = sorted(each for each in known if each.startswith(f"{function}:"))
    there = f" {function} has {', '.join(near)}." if near else ""
    return Problem(
        "label-missing",
        proof,
        f"line {line} refers to {name}, and no line of quoted code has that label."
        f"{there}",
        f"Put '# proof: {name.rpartition(':')[2]}' behind the line of code, quote the "
        "function, or correct the reference.",
    )


def _check_unquoted(
    project: Project, quoted: set[tuple[str, int]]
) -> Iterator[Problem]:
    """Yield the labels in the package that belong to no quoted function."""
    for name in project.library.names:
        module = project.library.module(name)
        if module is None or "# proof:" not in module.text:
            continue
        stray = [
            f"{label} (line {line})"
            for line, label in label_comments(module).items()
            if (name, line) not in quoted
        ]
        if stray:
            yield Problem(
                "label-unquoted",
                "",
                f"labels in {name} belong to no function that a proof quotes: "
                f"{', '.join(stray)}.",
                r"Quote the functions by \code, or delete the comments.",
            )
