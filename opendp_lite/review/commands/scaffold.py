r"""The beginning of a proof, written from the signature of its subject.

What a person must write is marked by ``\unfinished``, which the review refuses.
"""

from __future__ import annotations

import ast
from pathlib import Path

from opendp_lite.review.code.modules import Definition
from opendp_lite.review.code.quoting import find, label_comments
from opendp_lite.review.problems import ReviewError
from opendp_lite.review.project import Project
from opendp_lite.review.tex.texfile import PARTS

_STATEMENTS = {
    "Measurement": "validMeasurement",
    "Transformation": "validTransformation",
    "Function": "validPostprocessor",
    "Odometer": "validOdometer",
}


def proof_name(project: Project, module: str, function: str) -> str:
    """Return the name for a proof: what the registry says, else family/function."""
    entry = project.registered.get(f"{module}.{function}")
    if entry is not None and entry.proof is not None:
        return entry.proof
    parts = module.removeprefix(project.package).split(".")
    family = parts[1] if len(parts) > 1 else project.package
    return f"{family}/{function}"


def new_proof(project: Project, module: str, function: str) -> Path:
    """Return the path of a proof whose beginning was written.

    :param project: the package and its proofs
    :param module: dotted name of a module
    :param function: name of a function of it
    """
    name = proof_name(project, module, function)
    path = project.folder / f"{name}.tex"
    if path.exists():
        raise ReviewError(f"{path} exists already. Nothing was written.")
    text = skeleton(project, module, function)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def skeleton(project: Project, module_name: str, function: str) -> str:
    """Return the text of a proof of which only the frame is written."""
    module = project.library.module(module_name)
    if module is None:
        raise ReviewError(f"the package {project.package} has no module {module_name}.")
    node = find(module, function)[-1]
    lines_of = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    labels = [each for n, each in label_comments(module).items() if n in lines_of]
    macro = _statement(node)
    entry = project.registered.get(f"{module_name}.{function}")
    human = entry.human_verified if entry is not None else ()
    lines = [
        r"\documentclass[11pt]{article}",
        r"\usepackage{opendp-lite}",
        rf"\proofof{{{module_name}}}{{{function}}}",
        r"\begin{document}",
        r"\maketitle",
        r"\summary{\unfinished{one sentence: what this proves}}",
        "",
        r"\section{Hoare triple}",
        r"\subsection*{Preconditions}",
        *_conditions(node, labels, function),
        *_human(human),
        r"\subsection*{Pseudocode}",
        rf"\code{{{module_name}}}{{{function}}}",
        r"\subsection*{Postcondition}",
        r"\begin{postcondition}",
        rf"  \{macro}{{{function}}}{{\unfinished{{spaces and map, or the law}}}}",
        r"\end{postcondition}",
        "",
        r"\section{Proof}",
    ]
    for part in PARTS[macro]:
        lines += [
            rf"\begin{{proof}}[{part}]",
            rf"  \unfinished{{the argument for: {part.lower()}}}",
            r"\end{proof}",
            "",
        ]
    return "\n".join([*lines, r"\end{document}", ""])


def _statement(node: Definition) -> str:
    """Return the macro for what a function returns, by its annotation or its code."""
    otherwise = "validSampler" if node.name.startswith("sample_") else "validFunction"
    if isinstance(node, ast.ClassDef):
        return otherwise
    if node.returns is not None:
        made = [ast.unparse(node.returns)]
    else:
        values = [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
        made = [ast.unparse(v.func) for v in values if isinstance(v, ast.Call)]
    names = (each.rpartition(".")[2] for each in made)
    return next((_STATEMENTS[n] for n in names if n in _STATEMENTS), otherwise)


def _conditions(node: Definition, labels: list[str], function: str) -> list[str]:
    items = []
    if not isinstance(node, ast.ClassDef):
        arguments = node.args
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            if each.arg in ("self", "cls"):
                continue
            kind = ast.unparse(each.annotation) if each.annotation else "Any"
            if kind in ("Any", "object"):
                by = rf"\unfinished{{the line that checks it}} \by{{{function}:LABEL}}"
                items.append(rf"  \item \fn{{{each.arg}}} {by}")
            else:
                said = rf"\fn{{{each.arg}}} is of type \fn{{{kind}}}."
                items.append(rf"  \item {said} \by{{type}}")
    known = ", ".join(f"{function}:{label}" for label in labels) or "none yet"
    return [
        r"\begin{compilerverified}",
        f"  % labels in the code: {known}",
        *(items or ["  None."]),
        r"\end{compilerverified}",
    ]


def _human(conditions: tuple[str, ...]) -> list[str]:
    items = [
        rf"  \item \human{{{text}}} \unfinished{{why the code cannot check it}}"
        for text in conditions
    ]
    body = items or ["  None."]
    return [r"\begin{humanverified}", *body, r"\end{humanverified}"]
