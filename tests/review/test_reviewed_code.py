"""What was read is kept once, in files that mirror the package, and is read back."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from opendp_lite.review.code.compare import same_code
from opendp_lite.review.problems import Problem
from opendp_lite.review.records import code_digests, read_reviews
from opendp_lite.review.reviewed_code import (
    code_path,
    read_code,
    stored_modules,
    write_code,
)
from tests.review.example import LEMMA, NAME, ROOT, Example

HEAD = "from typing import Any\nimport math\n\nTABLE = {}\nTABLE['a'] = 1\n"
TEXTS = {
    "f": f"{HEAD}p.q.STEP: int = 2\n\n@wrap\ndef f(x: Any):\n    return TABLE[x]\n",
    "C.g": "import math\n\nclass C:\n    x: int\n    def g(self):\n        ...\n",
    "h": "def h():\n    return 1\n",
    "longer": "".join(f"from some.module import a_long_name_{i}\n" for i in range(20))
    + "\ndef longer():\n    return (\n        1\n    )\n",
}


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    write_code(tmp_path, "p.m", TEXTS)
    assert read_code(tmp_path, "p.m") == TEXTS
    assert list(read_code(tmp_path, "p.m")) == list(TEXTS)
    assert stored_modules(tmp_path) == ["p.m"]
    assert code_path(tmp_path, "p.m") == tmp_path / "reviewed/code/p/m.py"


def test_imports_and_constants_stand_there_once(tmp_path: Path) -> None:
    write_code(tmp_path, "p.m", TEXTS)
    text = code_path(tmp_path, "p.m").read_text()
    assert text.count("import math\n") == 1
    assert text.count("TABLE = {}\n") == 1
    assert all(len(line) <= 88 for line in text.splitlines())
    top = text.partition("# === ")[0]
    assert top.index("import Any") < top.index("TABLE = {}") < top.index("TABLE['a']")
    ast.parse(text)


def test_a_function_that_was_read_with_something_else_keeps_it(tmp_path: Path) -> None:
    older = {"old": "LIMIT = 1\n\ndef old():\n    return LIMIT\n"}
    newer = {"new": "LIMIT = 2\n\ndef new():\n    return LIMIT\n"}
    write_code(tmp_path, "m", older)
    write_code(tmp_path, "m", older | newer, newest=newer)
    assert read_code(tmp_path, "m") == older | newer
    text = code_path(tmp_path, "m").read_text()
    assert text.index("LIMIT = 2") < text.index("# === old\n") < text.index("LIMIT = 1")


@pytest.mark.parametrize(
    "constants",
    [
        "A, B = 1, 2\nA = 5",
        "A = 1\nB = 2\nA += B",
        "if A:\n    B = 1\nelse:\n    B = 2",
        "f(1).x = 2\nf(2).x = 3",
        "[]\nfor B in C:\n    pass",
        "del B",
    ],
)
def test_every_kind_of_statement_is_kept(tmp_path: Path, constants: str) -> None:
    texts = {
        "f": f"{constants}\n\ndef f():\n    return B\n",
        "g": "B = 2\n\ndef g():\n    return B\n",
    }
    write_code(tmp_path, "m", texts)
    found = read_code(tmp_path, "m")
    assert all(same_code(found[name], texts[name]) for name in texts)


def test_nothing_is_kept_of_nothing(tmp_path: Path) -> None:
    write_code(tmp_path, "p.m", TEXTS)
    write_code(tmp_path, "p.m", {})
    assert read_code(tmp_path, "p.m") == {}
    assert stored_modules(tmp_path) == []


def test_the_library_keeps_each_function_once_as_somebody_read_it() -> None:
    folder = ROOT / "proofs"
    read: dict[str, set[str]] = {}
    for review in read_reviews(folder).values():
        for header, digest in review.code.items():
            read.setdefault(header, set()).add(digest)
    kept = {
        f"{module}:{name}": text
        for module in stored_modules(folder)
        for name, text in read_code(folder, module).items()
    }
    assert kept.keys() == read.keys()
    for header, digest in code_digests(kept).items():
        assert digest in read[header]
    for module in stored_modules(folder):
        ast.parse(code_path(folder, module).read_text(encoding="utf-8"))


# Two proofs that quote one function.

SECOND = "multiplication/scaled_distance"


def add_second_proof(example: Example) -> None:
    text = example.read(example.proof).replace(
        r"{scaling.multiplication}{make_multiply}",
        r"{scaling.multiplication}{scaled_distance}",
    )
    text = text.replace("\\code{scaling.multiplication}{scaled_distance}\n", "", 1)
    text = text.replace(
        r"\validTransformation{make_multiply}", r"\validFunction{scaled_distance}"
    )
    text = text.replace("[Data-independent errors]", "[No errors]")
    text = text.replace("[Stability guarantee]", "[Correct value]")
    for label in ("domain", "metric", "factor", "product"):
        text = text.replace(f"make_multiply:{label}", "scaled_distance:zero")
    example.write(f"proofs/{SECOND}.tex", text)


def beside_the_quotes(example: Example) -> list[Problem]:
    """The findings, but for that two texts quote one function, which is meant here."""
    return [p for p in example.problems() if p.kind != "quoted-twice"]


def test_two_readings_of_one_function_are_told_apart(example: Example) -> None:
    add_second_proof(example)
    example.accept(SECOND)
    assert beside_the_quotes(example) == []
    assert example.read(example.kept).count("def scaled_distance") == 1
    example.edit(example.code, "abs(factor) * d_in", "d_in * abs(factor)")
    changed = [p for p in example.problems() if p.kind == "code-changed"]
    assert [p.proof for p in changed] == [NAME, SECOND]
    assert all("+    return d_in * abs(factor)" in p.detail for p in changed)
    example.accept(SECOND)
    (problem,) = beside_the_quotes(example)
    assert (problem.kind, problem.proof) == ("code-changed", NAME)
    assert problem.detail == (
        "Its text of that time was replaced by that of a later reading."
    )
    # The record is a digest, so the code of that time is still known when it is seen.
    example.edit(example.code, "d_in * abs(factor)", "abs(factor) * d_in")
    (problem,) = beside_the_quotes(example)
    assert (problem.kind, problem.proof) == ("code-changed", SECOND)
    assert "-    return d_in * abs(factor)" in problem.detail


def test_what_no_record_has_any_more_is_forgotten(example: Example) -> None:
    quoted = "\\code{scaling.multiplication}{scaled_distance}\n"
    more = "\\code{scaling.multiplication}{refusal}\n"
    example.edit(example.proof, quoted, quoted + more)
    example.accept(NAME)
    kept = example.read(example.kept)
    assert kept.index("def scaled_distance") < kept.index("def refusal")
    example.edit(example.proof, more, "")
    example.accept(NAME)
    assert "def refusal" not in example.read(example.kept)
    assert example.problems() == []


def test_a_lemma_without_code_keeps_none(example: Example) -> None:
    assert read_reviews(example.root / "proofs")[LEMMA].code == {}
