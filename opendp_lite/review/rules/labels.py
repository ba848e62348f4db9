"""Labels, both ways: what a proof refers to is there, and what is there is used."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress

from opendp_lite.review.code.quoting import label_comments
from opendp_lite.review.problems import Place, Problem, ReviewError
from opendp_lite.review.project import Project
from opendp_lite.review.tex.texfile import Reference


def check_labels(project: Project, names: Collection[str]) -> Iterator[Problem]:
    """Yield quotes that cannot be printed, and labels that are missing or unused.

    Of the proofs that are not among `names`, only quotes of the same code are read.
    """
    used: set[tuple[str, int]] = set()
    quoted: dict[tuple[str, int], tuple[str, str]] = {}
    wanted = {_outermost(each) for n in names for each in project.files[n].quotes}
    for tex in project.files.values():
        places: dict[str, tuple[str, int]] = {}
        complete = tex.name in names
        for reference in tex.quotes:
            if _outermost(reference) not in wanted:
                continue
            try:
                quote = project.quote(reference)
            except ReviewError as error:
                complete = False
                message = f"line {reference.line} quotes {reference.name}, but {error}"
                fix = "See above; then check again."
                place = Place(reference.line)
                yield Problem("quote", tex.name, message, fix, place=place)
                continue
            for label, line in quote.labels.items():
                name, at = f"{reference.name}:{label}", (reference.module, line)
                if places.get(name, at) != at:
                    message = f"two quoted functions give a label {name}."
                    yield Problem(
                        "label-twice",
                        tex.name,
                        message,
                        "Rename one.",
                        place=Place(line, module=reference.module),
                    )
                places[name] = at
                quoted.setdefault(at, (tex.name, name))
        for reference in tex.labels if complete or places else ():
            if reference.name in places:
                used.add(places[reference.name])
            elif complete:
                yield _missing(tex.name, reference.name, reference.line, set(places))
    unused: dict[str, dict[str, tuple[str, int]]] = {}
    for at, (proof, name) in quoted.items():
        if at not in used:
            unused.setdefault(proof, {})[f"{name} (line {at[1]} of {at[0]})"] = at
    for proof, idle in unused.items():
        (module, line), *_ = idle.values()
        yield Problem(
            "label-unused",
            proof,
            f"no proof that quotes these labels uses them: {', '.join(idle)}.",
            r"Argue about these lines with \ref, or delete the comments.",
            place=Place(line, module=module),
        )


def _outermost(reference: Reference) -> tuple[str, str]:
    """Return the function, or the class, that a quote is taken from."""
    return reference.module, reference.name.partition(".")[0]


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
        place=Place(line),
    )


def check_unquoted(project: Project) -> Iterator[Problem]:
    """Yield the labels in the package that belong to no quoted function."""
    quoted: set[tuple[str, int]] = set()
    for tex in project.files.values():
        for reference in tex.quotes:
            with suppress(ReviewError):  # reported where labels are checked
                lines = project.quote(reference).labels.values()
                quoted |= {(reference.module, line) for line in lines}
    for name in project.library.names:
        module = project.library.module(name)
        if module is None or "# proof:" not in module.text:
            continue
        stray = {
            f"{label} (line {line})": line
            for line, label in label_comments(module).items()
            if (name, line) not in quoted
        }
        if stray:
            yield Problem(
                "label-unquoted",
                "",
                f"labels in {name} belong to no function that a proof quotes: "
                f"{', '.join(stray)}.",
                r"Quote the functions by \code, or delete the comments.",
                place=Place(min(stray.values()), module=name),
            )
