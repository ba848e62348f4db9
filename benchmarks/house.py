"""Measure the size of the repository by its meaning, and two walks through the package.

A statement is a node of the syntax tree, without imports, `__all__` and docstrings; a
lambda counts as one. A walk calls the library under a fixed source of bits and counts
the frames of the package's named functions that it enters. The resumptions of
generators, comprehensions, lambdas and what attrs writes (`__init__`) do not count.

    python -m benchmarks.house
"""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any

import attrs

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "opendp_lite"


def files() -> list[Path]:
    """Return all files of Python that git follows."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout
    found = [ROOT / each for each in sorted(set(listed.split()))]
    return [each for each in found if each.exists()]


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield what stands alone as text: docstrings, and texts below an assignment."""
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value


def statements(tree: ast.Module) -> int:
    """Return the number of statements that mean something when the code is run.

    >>> statements(ast.parse('import a\\nf = lambda: 1\\nif f():\\n    "text"\\n'))
    3
    """
    nodes = list(ast.walk(tree))
    said = {id(each) for each in docstrings(tree)}
    skipped = 0
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            skipped += 1
        elif isinstance(node, ast.Expr):
            skipped += id(node.value) in said
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            skipped += ast.unparse(targets[0]) == "__all__"
    lambdas = sum(isinstance(each, ast.Lambda) for each in nodes)
    return sum(isinstance(each, ast.stmt) for each in nodes) - skipped + lambdas


def code_lines(text: str, tree: ast.Module) -> list[str]:
    """Return the lines that are not blank, not comments and not docstrings."""
    said = {
        number
        for each in docstrings(tree)
        for number in range(each.lineno, (each.end_lineno or each.lineno) + 1)
    }
    lines = enumerate(text.splitlines(), 1)
    kept = [line.rstrip() for number, line in lines if number not in said]
    return [line for line in kept if line and not line.lstrip().startswith("#")]


def size(paths: list[Path]) -> tuple[int, int, int, float]:
    """Return the numbers of files, statements, words, and letters in a line of code."""
    count = words = letters = lines = 0
    for path in paths:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        code = code_lines(text, tree)
        count += statements(tree)
        words += sum(len(str(each.value).split()) for each in docstrings(tree))
        letters += sum(map(len, code))
        lines += len(code)
    return len(paths), count, words, round(letters / max(lines, 1), 1)


def public_twice(paths: list[Path]) -> list[str]:
    """Return the public functions and classes that two modules define."""
    found = Counter(
        node.name
        for path in paths
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_"
    )
    return sorted(name for name, count in found.items() if count > 1)


def share_names(paths: list[Path]) -> list[Path]:
    """Return the modules that have the file name of another one."""
    modules = [path for path in paths if path.name != "__init__.py"]
    count = Counter(path.name for path in modules)
    return [path for path in modules if count[path.name] > 1]


@attrs.frozen
class Bits:
    """A fixed source of bits, the same in each run."""

    _drawn: Random
    granularity: int = 64

    def bits(self, count: int) -> int:
        """Return the next bits."""
        return self._drawn.getrandbits(count) if count else 0


def walk(run: Callable[[], object]) -> tuple[Counter[CodeType], int]:
    """Return how often each function is entered, and how often the file changes."""
    from opendp_lite.randomness.entropy import use_source

    run()  # what is loaded once is loaded now
    entered: Counter[CodeType] = Counter()
    begun: set[FrameType] = set()
    changes, last = 0, ""

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal changes, last
        code = frame.f_code
        inside = code.co_filename.startswith(f"{PACKAGE}/")
        if event != "call" or not inside or code.co_name.startswith("<"):
            return
        if code.co_flags & inspect.CO_GENERATOR:
            if frame in begun:
                return  # it is resumed
            begun.add(frame)
        entered[code] += 1
        changes += code.co_filename != last
        last = code.co_filename

    with use_source(Bits(Random(0))):
        sys.setprofile(note)
        try:
            run()
        finally:
            sys.setprofile(None)
    return entered, changes


def table_query() -> Callable[[], object]:
    """Return what builds the table query of the README and releases it."""
    import opendp_lite.prelude as dp

    context = dp.Context.compositor(
        data={
            "id": [1, 1, 2, 3],
            "city": ["A", "B", "A", None],
            "spend": [9.5, None, 20.0, 1e9],
        },
        domain=dp.table_domain(
            {
                "id": dp.atom_domain(T=int),
                "city": dp.option_domain(dp.atom_domain(T=str)),
                "spend": dp.option_domain(dp.atom_domain(T=float)),
            }
        ),
        privacy_unit=dp.unit_of(contributions=1, identifier="id"),
        privacy_loss=dp.loss_of(epsilon=2.0),  # the query is released twice
    )

    def run() -> object:
        spend = dp.col("spend").fill_null(0.0).clip(0.0, 64.0)
        query = (
            context.table(epsilon=0.75)
            .with_columns(city=dp.col("city").fill_null("?"))
            .group_by(keys={"city": ["A", "B", "?"]}, rows=2, groups=2)
            .agg(people=dp.people(), average=spend.mean())
        )
        return query.release()

    return run


def laplace() -> Callable[[], object]:
    """Return what makes a measurement by `make_laplace`."""
    import opendp_lite.prelude as dp

    return lambda: dp.m.make_laplace(
        dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), 1.0
    )


def main() -> None:
    """Print all figures."""
    everything = files()
    package = [path for path in everything if path.is_relative_to(PACKAGE)]
    tests = [path for path in everything if path.is_relative_to(ROOT / "tests")]
    groups = {"package": package, "tests": tests, "repository": everything}
    head = ("", "modules", "statements", "words", "letters a line")
    print("{:12}{:>9}{:>12}{:>10}{:>16}".format(*head))
    for name, paths in groups.items():
        print("{:12}{:>9,}{:>12,}{:>10,}{:>16}".format(name, *size(paths)))
    print(f"\nPublic names that two modules define: {len(public_twice(package))}")
    print(f"Modules that share their file name: {len(share_names(package))}\n")
    for title, prepare in (("table query", table_query), ("make_laplace", laplace)):
        entered, changes = walk(prepare())
        named = Counter({code.co_qualname: count for code, count in entered.items()})
        places = len({code.co_filename for code in entered})
        print(f"{title}: {sum(entered.values()):,} frames, {len(entered)} functions,")
        print(f"  {places} files, {changes:,} changes of file, AtomDomain is built")
        print(f"  {named['AtomDomain.__attrs_post_init__']} times")


if __name__ == "__main__":
    main()
