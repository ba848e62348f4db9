r"""Steps of algebra: every ``\checked{id}`` has a function that proves it, and back.

The functions stand at the top of files ``checks_*.py`` anywhere in the proofs folder.
A step ``some-id`` belongs to the function ``some_id``, which takes nothing and returns
None, or raises. Functions whose names begin with an underscore are helpers. A file
that passed is not run again until it, a library that it uses, or a module of the
package that it can reach has changed.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import importlib.util
import json
import re
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path

import attrs

from opendp_lite.review.code.library import Library
from opendp_lite.review.code.modules import Module
from opendp_lite.review.problems import Place, Problem, ReviewError
from opendp_lite.review.project import Project

CACHE = "checks.json"
_OWN = "opendp_lite"
_NO_SYMPY = "checks of algebra need sympy: pip install 'opendp-lite[cli]'"
_DEFINED = re.compile(r"^def (\w+)\(", re.MULTILINE)


@attrs.frozen
class CheckFile:
    """One file of checks: its functions and a digest of all they depend on."""

    path: Path
    functions: tuple[str, ...]
    idle: tuple[str, ...]
    key: str
    lines: dict[str, int]

    def place(self, project: Project, name: str) -> Place:
        """Return where one of the functions stands, or the file begins."""
        file = self.path.relative_to(project.folder).as_posix()
        return Place(self.lines.get(name, 1), file=file)


def check_files(project: Project, steps: set[str] | None = None) -> list[CheckFile]:
    """Return the files of checks in the proofs folder, or those of some steps."""
    return [
        _read(project, path)
        for path in sorted(project.folder.rglob("checks_*.py"))
        if path.relative_to(project.folder).parts[0] not in ("build", "reviewed")
        and (steps is None or steps & set(_DEFINED.findall(path.read_text("utf-8"))))
    ]


def _read(project: Project, path: Path) -> CheckFile:
    text = path.read_text(encoding="utf-8")
    try:
        module = Module(path.stem, text)
        functions = [
            node
            for node in module.tree.body
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
        ]
    except SyntaxError as error:
        raise ReviewError(f"{path} is not valid Python: {error}.") from None
    working = (ast.Assert, ast.Raise, ast.Call)
    idle = [
        node.name
        for node in functions
        if not any(isinstance(each, working) for each in ast.walk(node))
    ]
    parts = [sys.version, text]
    for root in sorted({name.split(".")[0] for name in module.imported}):
        if root in (_OWN, project.package):
            library = project.library if root == project.package else Library(root)
            for name in sorted(library.closure(module.imported)):
                reached = library.module(name)
                parts.append(reached.text if reached else "")
        else:
            parts.append(f"{root} {_version(root)}")
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    lines = {node.name: node.lineno for node in functions}
    names = tuple(node.name for node in functions)
    return CheckFile(path, names, tuple(idle), key, lines)


def _version(root: str) -> str:
    try:
        return importlib.metadata.version(root)
    except importlib.metadata.PackageNotFoundError:
        return ""


def check_steps(
    project: Project, names: Iterable[str], fresh: bool = False
) -> list[Problem]:
    """Return the steps without a check, checks without a step, and checks that fail.

    Checks that belong to no step of the proofs `names` are left out.
    """
    steps = {
        each.name.replace("-", "_") for n in names for each in project.files[n].checked
    }
    everything = {*names} >= project.files.keys()
    files = check_files(project, None if everything else steps)
    return [*_match(project, files), *_run_all(project, files, fresh)]


def _match(project: Project, files: list[CheckFile]) -> Iterator[Problem]:
    where: dict[str, CheckFile] = {}
    for file in files:
        for name in file.functions:
            if name in where:
                message = (
                    f"{name} is defined in {where[name].path.name} and "
                    f"{file.path.name}."
                )
                place = file.place(project, name)
                fix = "Rename one of the two."
                yield Problem("check-twice", "", message, fix, place=place)
            where[name] = file
        for name in file.idle:
            message = f"the check {name} in {file.path.name} asserts nothing."
            place = file.place(project, name)
            fix = "Let it prove its step."
            yield Problem("check-failed", "", message, fix, place=place)
    steps = set()
    for tex in project.files.values():
        for each in tex.checked:
            name = each.name.replace("-", "_")
            steps.add(name)
            if name not in where:
                yield Problem(
                    "check-missing",
                    tex.name,
                    f"line {each.line} marks the step {each.name} as checked, and no "
                    f"file checks_*.py defines {name}.",
                    rf"Write the function, or remove \checked{{{each.name}}}.",
                    place=Place(each.line),
                )
    for name, file in where.items():
        if name not in steps:
            step = name.replace("_", "-")
            yield Problem(
                "check-unused",
                "",
                f"the check {name} in {file.path.name} belongs to no step of a proof.",
                rf"Mark the step by \checked{{{step}}}, or delete the check; the "
                "name of a helper begins with an underscore.",
                place=file.place(project, name),
            )


def _run_all(project: Project, files: list[CheckFile], fresh: bool) -> list[Problem]:
    cache = project.build / CACHE
    known = _load(cache)
    passed = {} if fresh else known
    kept = {
        name: key for name, key in known.items() if (project.folder / name).exists()
    }
    problems: list[Problem] = []
    for file in files:
        name = file.path.relative_to(project.folder).as_posix()
        found = [] if passed.get(name) == file.key else list(_run(project, file))
        kept.pop(name, None)
        if not found:
            kept[name] = file.key
        problems += found
    if kept != known:
        with suppress(OSError):  # a folder that cannot be written has no cache
            cache.parent.mkdir(parents=True, exist_ok=True)
            cache.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    return problems


def _load(cache: Path) -> dict[str, str]:
    try:
        return dict(json.loads(cache.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


class _Unkept(SourceFileLoader):
    """Leaves no bytecode beside a file of checks; what it imports may leave its own."""

    def set_data(self, *_: object, **__: object) -> None:
        """Write nothing."""


def _run(project: Project, file: CheckFile) -> Iterator[Problem]:
    """Run the checks of one file, and say whose step failed."""
    if not __debug__:
        raise ReviewError("checks are assertions, and python -O removes them.")
    loader = _Unkept(f"_{file.path.stem}", str(file.path))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    try:
        loader.exec_module(module)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "sympy":
            raise ReviewError(_NO_SYMPY) from None
        place = file.place(project, "")
        yield _failed(file, "import of the file", error, "", place)
        return
    owners = {
        each.name.replace("-", "_"): tex.name
        for tex in project.files.values()
        for each in tex.checked
    }
    for name in file.functions:
        place = file.place(project, name)
        try:
            result = getattr(module, name)()
        except Exception as error:
            yield _failed(file, name, error, owners.get(name, ""), place)
            continue
        if result is not None:
            message = f"the check {name} in {file.path.name} returned {result!r}."
            fix = "A check returns nothing; let it assert what it has computed."
            owner = owners.get(name, "")
            yield Problem("check-failed", owner, message, fix, place=place)


def _failed(
    file: CheckFile, name: str, error: Exception, proof: str, place: Place
) -> Problem:
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == str(file.path)
    ]
    lines = [f"{file.path.name}:{f.lineno}: {f.line}" for f in frames]
    said = traceback.format_exception_only(error)[-1].strip()
    return Problem(
        "check-failed",
        proof,
        f"the check {name} in {file.path.name} fails: {said}",
        "Correct the step in the proof, or its check.",
        "\n".join(lines),
        attrs.evolve(place, line=frames[-1].lineno or 1) if frames else place,
    )
