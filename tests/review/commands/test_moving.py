"""Records are carried over new names, and over nothing else."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from opendp_lite.review import ReviewError, move
from opendp_lite.review.code.compare import Reviewed
from opendp_lite.review.code.library import Library
from opendp_lite.review.code.modules import Module
from opendp_lite.review.commands.renaming import renaming
from opendp_lite.review.records import Review, read_reviews, write_reviews
from tests.review.example import LEMMA, NAME, ROOT, Example, Planted
from tests.rows import for_each


def records(example: Example) -> dict[str, Review]:
    return read_reviews(example.root / "proofs")


def snapshot(example: Example) -> dict[str, str]:
    folder = example.root / "proofs"
    return {
        str(path): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "build" not in path.relative_to(folder).parts
    }


def replace(example: Example, path: str, old: str, new: str) -> None:
    text = example.read(path)
    assert old in text
    example.write(path, text.replace(old, new))


def move_module(example: Example) -> None:
    """scaling.multiplication becomes scaling.maps.products."""
    example.write("scaling/maps/__init__.py", "")
    example.write("scaling/maps/products.py", example.read(example.code))
    example.remove(example.code)
    replace(
        example,
        "scaling/__init__.py",
        "scaling.multiplication",
        "scaling.maps.products",
    )


MODULE = ["scaling.multiplication", "scaling.maps.products"]


def test_a_module_moves_with_its_records(example: Example) -> None:
    before = records(example)
    move_module(example)
    assert {"quote", "proof-missing"} <= example.kinds()
    said = move(example.project(), MODULE)
    assert said.startswith("2 functions")
    assert example.problems() == []
    after = records(example)
    assert after[NAME].readings == before[NAME].readings
    assert after[NAME].author == before[NAME].author
    assert after[NAME].premises == before[NAME].premises
    assert after[LEMMA] == before[LEMMA]
    assert sorted(after[NAME].code) == [
        "scaling.maps.products:make_multiply",
        "scaling.maps.products:scaled_distance",
    ]
    assert r"\code{scaling.maps.products}{make_multiply}" in example.read(example.proof)
    assert r"\proofof{scaling.maps.products}" in example.read(example.proof)
    assert '"scaling.maps.products.refusal"' in example.read(example.trusted)


def test_a_module_that_was_renamed_in_the_texts_already_moves_too(
    example: Example,
) -> None:
    move_module(example)
    replace(example, example.proof, *MODULE)
    assert "text-changed" in example.kinds()
    move(example.project(), MODULE)
    assert example.problems() == []


@pytest.mark.parametrize(
    ("old", "new", "function"),
    [
        ("abs(factor) * d_in", "abs(factor) + d_in", "scaled_distance"),
        ("factor * int(arg)", "factor - int(arg)", "make_multiply"),
        ("import math\n", "import cmath as math\n", "scaled_distance"),
        ("d_in == 0 or factor", "d_in == 1 or factor", "scaled_distance"),
    ],
)
def test_a_change_during_a_move_is_refused(
    example: Example, old: str, new: str, function: str
) -> None:
    example.commit()
    move_module(example)
    example.edit("scaling/maps/products.py", old, new)
    before = snapshot(example)
    with pytest.raises(ReviewError, match=f"read of scaling.*{function}") as refused:
        move(example.project(), MODULE)
    assert "Nothing was written" in str(refused.value)
    assert "@@" in str(refused.value)
    assert snapshot(example) == before


def test_a_change_is_refused_without_a_history_to_show_it_from(
    example: Example,
) -> None:
    move_module(example)
    example.edit("scaling/maps/products.py", "abs(factor) * d_in", "factor * d_in")
    with pytest.raises(ReviewError, match=r"of scaled_distance .* cannot be shown"):
        move(example.project(), MODULE)


@pytest.mark.parametrize("changed", [False, True])
@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("math:inf", "math:nan", "math:inf"),
        ("math", "cmath", "math"),
        ("math:inf", "scaling.multiplication:nan", "math:inf"),
        ("scaling.multiplication:inf", "math:nan", "math:nan"),
        ("scaling.math", "math", "math"),
        ("scaling.old", "scaling.gone", "scaling.gone"),
        ("scaling.old:inf", "scaling.multiplication:gone", "scaling.mul.*:gone"),
        ("scalings", "scaling", "scalings"),
    ],
)
def test_only_names_of_the_package_move(
    example: Example, old: str, new: str, wrong: str, changed: bool
) -> None:
    """What was read of code that uses `inf` once passed for code that uses `nan`."""
    replace(example, example.code, "math.inf", "math.nan")
    before = snapshot(example)
    with pytest.raises(ReviewError, match=rf"^{wrong} is no module.* of scaling\."):
        move(example.project(), [old, new], changed)
    assert snapshot(example) == before


def test_the_package_itself_moves(example: Example) -> None:
    """The records know the old name of the package, and so `move` takes it."""
    (example.root / "scaling").rename(example.root / "stretching")
    for path in ("stretching/__init__.py", "stretching/multiplication.py"):
        example.write(path, example.read(path).replace("scaling", "stretching"))
    said = carry(example.root, "stretching", ["scaling", "stretching"])
    assert said.startswith("2 functions")
    assert sorted(records(example)[NAME].code) == [
        "stretching.multiplication:make_multiply",
        "stretching.multiplication:scaled_distance",
    ]


def test_records_of_another_format_do_not_move(example: Example) -> None:
    example.edit(example.records, "format = 2\n", "")
    move_module(example)
    before = snapshot(example)
    with pytest.raises(ReviewError, match="written by another version"):
        move(example.project(), MODULE)
    assert snapshot(example) == before


def test_a_function_that_is_not_at_the_new_place_is_refused(example: Example) -> None:
    before = snapshot(example)
    with pytest.raises(ReviewError, match=r"scaling\.multiplication:make_multiply"):
        move(example.project(), ["scaling.multiplication", "scaling.nowhere"])
    assert snapshot(example) == before


FUNCTION = [
    "scaling.multiplication:scaled_distance",
    "scaling.multiplication:times_factor",
]


def test_a_function_moves_with_its_labels_and_its_name_in_the_text(
    example: Example,
) -> None:
    text = r"\fn{scaled_distance} is meant; \fn{factor} is another thing."
    example.edit(example.proof, "The constructor sees no data.", text)
    example.accept(NAME)
    before = records(example)[NAME]
    replace(example, example.code, "scaled_distance", "times_factor")
    assert {"quote", "callee"} <= example.kinds()
    move(example.project(), FUNCTION)
    assert example.problems() == []
    proof = example.read(example.proof)
    assert "scaled_distance" not in proof
    assert r"\fn{times_factor} is meant; \fn{factor} is another" in proof
    assert r"\ref{times_factor:zero}" in proof
    assert records(example)[NAME].readings == before.readings


def test_a_name_that_is_also_a_variable_is_left_alone(example: Example) -> None:
    """`factor` is a parameter, so the text may not mean the function of that name."""
    replace(example, example.code, "def refusal(", "def factor_(): ...\ndef refusal(")
    move(
        example.project(),
        ["scaling.multiplication:factor", "scaling.multiplication:factor_"],
    )
    assert r"\fn{factor}" in example.read(example.proof)


def test_a_function_moves_to_another_module(example: Example) -> None:
    code = example.read(example.code)
    begin = code.index("def scaled_distance")
    end = code.index("def refusal")
    example.write(
        "scaling/distances.py",
        "from __future__ import annotations\nfrom math import inf\nimport math\n"
        "from typing import Any\n\n" + code[begin:end],
    )
    code = code[:begin] + code[end:]
    example.write(
        example.code,
        code.replace("import math\n", "").replace(
            "import opendp_lite.prelude as dp\n",
            "import opendp_lite.prelude as dp\n"
            "from scaling.distances import scaled_distance\n",
        ),
    )
    new = "scaling.distances:scaled_distance"
    move(example.project(), ["scaling.multiplication:scaled_distance", new])
    assert example.problems() == []
    assert new in records(example)[NAME].code


def test_a_proof_and_a_lemma_move_with_their_notes(
    example: Example, tmp_path: Path
) -> None:
    note = tmp_path / "note.md"
    note.write_text("Objection: none, after a long search.\n")
    example.accept(LEMMA, NAME, status="vetted", note=note)
    example.edit(example.code, 'status="draft"', 'status="vetted"')
    assert example.problems() == []
    for old, new in (
        (example.proof, "proofs/products/make_multiply.tex"),
        (example.checks, "proofs/products/checks_multiplication.py"),
        (example.lemma, "proofs/lemmas/factors.tex"),
    ):
        example.write(new, example.read(old))
        example.remove(old)
    replace(
        example, example.code, "multiplication/make_multiply", "products/make_multiply"
    )
    names = ["multiplication/", "products/", LEMMA, "lemmas/factors"]
    move(example.project(), names)
    assert example.problems() == []
    assert records(example).keys() == {"products/make_multiply", "lemmas/factors"}
    assert "lemmas/factors" in records(example)["products/make_multiply"].premises
    assert "search" in example.read("proofs/reviewed/lemmas/factors.md")


def test_what_was_void_stays_void(example: Example) -> None:
    example.edit(example.proof, "sees no data", "sees data")
    example.edit(example.lemma, "For all real", "For some real")
    void = {(p.kind, p.proof) for p in example.problems()}
    assert ("text-changed", NAME) in void
    assert ("premise-changed", NAME) in void
    move_module(example)
    move(example.project(), MODULE)
    assert {(p.kind, p.proof) for p in example.problems()} == void


def test_a_record_may_rest_on_less_after_a_move(example: Example) -> None:
    folder = example.root / "proofs"
    reviews = read_reviews(folder)
    more = reviews[NAME].premises | {f"{LEMMA}(z)": "0" * 64}
    with_more = reviews | {NAME: attrs.evolve(reviews[NAME], premises=more)}
    write_reviews(folder, with_more)
    assert example.kinds() == {"premise-changed"}
    move_module(example)
    move(example.project(), MODULE)
    assert example.problems() == []
    assert records(example)[NAME].premises == reviews[NAME].premises


@pytest.mark.parametrize("what", ["text", "premise"])
def test_a_record_of_something_else_keeps_its_premises(
    example: Example, what: str
) -> None:
    """Of another text they are not known to be needless; and a changed one counts."""
    folder = example.root / "proofs"
    reviews = read_reviews(folder)
    more = reviews[NAME].premises | {f"{LEMMA}(z)": "0" * 64}
    if what == "text":
        example.edit(example.proof, "sees no data", "sees data")
    else:
        more = reviews[NAME].premises | {LEMMA: "0" * 64}
    write_reviews(folder, reviews | {NAME: attrs.evolve(reviews[NAME], premises=more)})
    void = example.found()
    assert ("premise-changed", NAME) in void
    move_module(example)
    move(example.project(), MODULE)
    assert example.found() == void


VOID = [
    ("abs(factor) * d_in", "abs(factor) + d_in", "scaled_distance"),
    ("factor * int(arg)", "factor - int(arg)", "make_multiply"),
]


@pytest.mark.parametrize(("old", "new", "function"), VOID)
def test_changed_code_moves_and_stays_void(
    example: Example, old: str, new: str, function: str
) -> None:
    example.commit()
    example.edit(example.code, old, new)
    (before,) = example.problems()
    move_module(example)
    said = move(example.project(), MODULE, changed=True)
    assert "The code of 1 of them is not what was read" in said
    (after,) = example.problems()
    assert (after.kind, after.proof) == (before.kind, before.proof)
    assert after.detail == before.detail  # the change, and no new names
    assert "+++ present\n" in before.detail
    # Nobody has read it under its new name, so it must be read even if it is undone.
    example.edit("scaling/maps/products.py", new, old)
    assert [each.kind for each in example.problems()] == ["code-changed"]
    with pytest.raises(ReviewError, match=rf"read of scaling.*{function}"):
        move(example.project(), MODULE[::-1])
    example.accept(NAME)
    assert example.problems() == []


def test_an_import_of_changed_code_gets_its_new_name(example: Example) -> None:
    """A function is changed, and what it calls moves away from it."""
    example.commit()
    example.edit(example.code, *VOID[1][:2])
    code = example.read(example.code)
    begin, end = code.index("def scaled_distance"), code.index("def refusal")
    example.write(
        "scaling/distances.py",
        "from __future__ import annotations\nfrom math import inf\nimport math\n"
        "from typing import Any\n\n" + code[begin:end],
    )
    code = code[:begin] + code[end:]
    example.write(
        example.code,
        code.replace("import math\n", "").replace(
            "import opendp_lite.prelude as dp\n",
            "import opendp_lite.prelude as dp\n"
            "from scaling.distances import scaled_distance\n",
        ),
    )
    new = "scaling.distances:scaled_distance"
    pair = ["scaling.multiplication:scaled_distance", new]
    before = snapshot(example)
    with pytest.raises(ReviewError, match="--changed"):
        move(example.project(), pair)
    assert snapshot(example) == before
    move(example.project(), pair, changed=True)
    (problem,) = example.problems()
    assert problem.kind == "code-changed"
    changes = [line for line in problem.detail.splitlines() if line[0] in "+-"]
    assert [line for line in changes if "factor" not in line and "+++" not in line] == [
        "--- reviewed",
        "+from scaling.distances import scaled_distance",
    ]
    example.edit(example.code, *reversed(VOID[1][:2]))
    assert [each.kind for each in example.problems()] == ["code-changed"]


def test_void_code_must_not_pass_for_the_present_one(example: Example) -> None:
    """Another function has the old name, and is called in place of what was read."""
    other = "def scaled_distance(factor: int, d_in: Any) -> Any:\n    return d_in\n\n\n"
    replace(example, example.code, "def scaled_distance", "def times_factor")
    replace(example, example.code, "def refusal(", f"{other}def refusal(")
    before = snapshot(example)
    with pytest.raises(ReviewError, match=r"read of scaling.*make_multiply"):
        move(example.project(), FUNCTION, changed=True)
    assert snapshot(example) == before


def test_void_code_does_not_pass_later_either(example: Example) -> None:
    """It was carried; then what it once called is put back, and is something else."""
    example.edit(example.code, *VOID[1][:2])
    replace(example, example.code, "scaled_distance", "times_factor")
    move(example.project(), FUNCTION, changed=True)
    example.edit(example.code, *reversed(VOID[1][:2]))
    new, old = (each.partition(":")[2] for each in FUNCTION[::-1])
    other = f"def {old}(factor: int, d_in: Any) -> Any:\n    return d_in\n\n\n"
    example.edit(example.code, f"return {new}(", f"return {old}(")
    replace(example, example.code, "def refusal(", f"{other}def refusal(")
    assert "code-changed" in example.kinds()


@for_each(
    "names",
    [
        [],
        ["a"],
        ["a", "b", "c"],
        ["a:f", "b"],
        ["a", "b/c"],
        ["a/b:c", "a/b:d"],
    ],
)
def test_names_come_in_pairs_of_one_kind(names: list[str]) -> None:
    with pytest.raises(ReviewError, match=r"pairs|both be"):
        renaming(names)


def test_the_longest_beginning_decides() -> None:
    to = renaming(["p.a", "p.b", "p.a.c", "p.d", "p.a:f", "p.e:g", "x/", "y/"])
    assert to.header("p.a.m:h") == "p.b.m:h"
    assert to.header("p.a.c.m:h") == "p.d.m:h"
    assert to.header("p.a:f") == "p.e:g"
    assert to.header("p.a:f.inner") == "p.e:g.inner"
    assert to.header("p.a:ff") == "p.b:ff"
    assert to.header("p.ab:f") == "p.ab:f"
    assert to.full_name("p.a.f") == "p.e.g"
    assert to.full_name("p.a.c.f") == "p.d.f"
    assert to.proof("x/z(b)") == "y/z(b)"
    assert to.proof("xx/z") == "xx/z"
    assert to.reversed().header("p.e:g") == "p.a:f"


def test_names_in_tex_are_replaced_whole() -> None:
    to = renaming(
        ["p.m", "p.n", "p.m:f", "p.k:g", "p.m:C", "p.m:D", "lemmas/a", "lemmas/b"]
    )
    text = (
        r"\code{p.m}{f} \code {p.m} {ff} \uses{p.m}{C.h} \proofof{p.mm}{f} "
        r"\ref{f:x} \cref{ff:x,f:y, C.h:z} \by{e.f:x} \linelabel{C:w} \ref{fig:f}"
        r"\fn{f} \fn{ff} \fn{C.h} \fn{x.f} \validFunction{f}{f is \fn{f}} \lemma{a}~(f)"
        r"\lemma{aa} \lemmaof{a} f C"
    )
    assert to.tex(text, ["p.m:f", "p.m:C"]) == (
        r"\code{p.k}{g} \code {p.n} {ff} \uses{p.m}{D.h} \proofof{p.mm}{f} "
        r"\ref{g:x} \cref{ff:x,g:y, D.h:z} \by{e.f:x} \linelabel{D:w} \ref{fig:f}"
        r"\fn{g} \fn{ff} \fn{D.h} \fn{x.f} \validFunction{g}{f is \fn{g}} \lemma{b}~(f)"
        r"\lemma{aa} \lemmaof{b} f C"
    )
    assert r"\ref{f:x}" in to.tex(text, [])
    files = renaming(["p.core.m", "p.base.n"])
    assert files.tex(r"\fn{core/m.py} \fn{core/mm.py} \fn{m}", []) == (
        r"\fn{base/n.py} \fn{core/mm.py} \fn{m}"
    )


TOOLS = "LIMIT = 1\ndef helper(x): ...\n"
OTHERS = {
    "others": TOOLS,
    "either": "try:\n    from planted.others import helper\n"
    "except ImportError:\n    from math import fabs as helper\n",
}
OLD = (
    "from planted.old import helper\nimport planted.old as t\n"
    "BASE = 2\ndef own(): ...\n"
    "def f(x):\n    size = x\n    return helper(size) + t.LIMIT + BASE + own()\n"
)
PRESENT = OLD.replace("planted.old", "planted.tools")


def planted(**texts: str) -> Library:
    modules = {f"planted.{name}": text for name, text in (OTHERS | texts).items()}
    given = {name: Module(name, text) for name, text in modules.items()}
    return Planted("planted", {"planted": Module("planted", "", True), **given})


def same(
    present: str,
    old: str = OLD,
    tools: str = TOOLS,
    pairs: tuple[str, ...] = ("planted.old", "planted.tools"),
    known: tuple[str, ...] = (),
    **texts: str,
) -> bool:
    """Whether `f` of a module `m` has, under its old names, the digest that it had."""
    to = renaming(pairs)
    before = Reviewed(planted(m=old, old=TOOLS, **texts), "planted.m", "f")
    after = Reviewed(planted(m=present, tools=tools, **texts), "planted.m", "f")
    return before.digest == after.digest_under(lambda n: to.former(n, {*known}))


def test_the_same_code_has_the_same_digest_under_its_old_names() -> None:
    assert same(PRESENT)
    renamed = PRESENT.replace("import helper", "import helper as h")
    assert same(renamed.replace("helper(size)", "h(size)"))
    dotted = PRESENT.replace("from planted.tools import helper\n", "")
    assert same(dotted.replace("helper(size)", "t.helper(size)"))
    inner = "def f(x):\n    from planted.{} import helper\n    return helper(x)\n"
    assert same(inner.format("tools"), inner.format("old"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("BASE = 2", "BASE = 3"),
        ("planted.tools import helper", "planted.others import helper"),
        ("planted.tools import helper", "planted.either import helper"),
        ("helper(size)", "own(size)"),
        ("helper(size)", "helper(x)"),
        ("t.LIMIT", "t.OTHER"),
        ("size = x", "size = x + 1"),
        ("size = x", "helper = x"),
        ("def f(x)", "def f(y)"),
    ],
)
def test_other_code_has_another_digest(old: str, new: str) -> None:
    assert old in PRESENT
    assert not same(PRESENT.replace(old, new, 1))


def test_another_constant_has_another_digest() -> None:
    assert not same(PRESENT, tools=TOOLS.replace("LIMIT = 1", "LIMIT = 2"))


def test_a_local_name_is_not_the_global_one_of_that_name() -> None:
    head = "from planted.{} import helper{}\n"
    body = (
        "def f(x):\n    def g(helper):\n        return {}(x)\n    return {}(x) + g(x)\n"
    )
    old = head.format("old", "") + body.format("helper", "helper")
    aliased = head.format("tools", " as h")
    assert same(aliased + body.format("helper", "h"), old)
    assert not same(aliased + body.format("h", "h"), old)


def test_the_order_of_constants_counts() -> None:
    old = OLD.replace("BASE = 2\n", "BASE = 3\nBASE = 2\n")
    assert same(PRESENT.replace("BASE = 2\n", "BASE = 3\nBASE = 2\n"), old)
    assert not same(PRESENT.replace("BASE = 2\n", "BASE = 2\nBASE = 3\n"), old)


def test_constants_may_stand_in_another_order_if_only_modules_have_new_names() -> None:
    present = OLD.replace("planted.old", "planted.a")
    pair = ("planted.old", "planted.a")
    assert same(present, pairs=pair, a=TOOLS)


JOINED = ("planted.old", "planted.tools", "planted.more", "planted.tools")


def test_modules_may_be_joined_if_it_is_said_what_was_where() -> None:
    """The functions are known from the records; of constants it must be said."""
    old = OLD.replace("BASE + own()", "SIZE + BASE + own()")
    old = f"from planted.more import SIZE\n{old}"
    present = old.replace("planted.more", "planted.tools")
    present = present.replace("planted.old", "planted.tools")
    both, more = f"{TOOLS}SIZE = 4\n", {"more": "SIZE = 4\n"}
    known = ("planted.old.helper",)
    with pytest.raises(ReviewError, match=r"may be what was planted\.more\.\w+ or"):
        same(present, old, both, JOINED, known, **more)
    said = ["planted.old:LIMIT", "planted.tools:LIMIT"]
    said += ["planted.more:SIZE", "planted.tools:SIZE"]
    assert same(present, old, both, (*JOINED, *said), known, **more)
    other = both.replace("SIZE = 4", "SIZE = 5")
    assert not same(present, old, other, (*JOINED, *said), known, **more)


def test_what_was_there_before_another_module_joined_it() -> None:
    to = renaming(["p.a", "p.b", "p.b:LIMIT", "p.b:LIMIT", "p.c:f", "p.c:g"])
    known = {"p.b.stays", "p.a.comes", "p.b.C.method"}
    for name in ("p.b.stays", "p.b.C", "p.b.C.method", "p.b.LIMIT", "p.d.x"):
        assert to.former(name, known) == name
    assert to.former("p.b.comes", known) == "p.a.comes"
    assert to.former("p.b.OTHER", known) == "p.a.OTHER"
    assert to.former("p.c.g.inner", known) == "p.c.f.inner"
    for name in ("p.a.x", "p.c.f"):  # what had this name has another one now
        assert to.former(name, known) == f"{name}, which is new"


@pytest.mark.parametrize("name", ["refusal", "abs", "make_multiply"])
def test_a_name_that_was_in_use_is_refused(example: Example, name: str) -> None:
    """What was read calls both, so afterwards one name would mean two things."""
    replace(example, example.code, "scaled_distance", name)
    before = snapshot(example)
    module = "scaling.multiplication"
    with pytest.raises(ReviewError, match=r"would both be|is not what is there"):
        move(example.project(), [f"{module}:scaled_distance", f"{module}:{name}"])
    assert snapshot(example) == before


def test_two_functions_may_change_places() -> None:
    to = renaming(["p.m:f", "p.m:g", "p.m:g", "p.m:f"])
    text = r"\code{p.m}{f} \code{p.m}{g} \fn{f} of \fn{g}, \ref{f:x}, \ref{g:y}"
    swapped = r"\code{p.m}{g} \code{p.m}{f} \fn{g} of \fn{f}, \ref{g:x}, \ref{f:y}"
    assert to.tex(text, ["p.m:f", "p.m:g"]) == swapped
    assert to.reversed().tex(swapped, ["p.m:f", "p.m:g"]) == text


def test_one_short_name_has_one_new_name() -> None:
    to = renaming(["p.m:f", "p.m:g", "p.n:f", "p.n:h"])
    with pytest.raises(ReviewError, match="two functions that get different names"):
        to.tex(r"\fn{f}", ["p.m:f", "p.n:f"])


# The library itself, in a copy.

MODULES = (
    "opendp_lite.measurements.noise.laplace_gaussian",
    "opendp_lite.measurements.noise.noise_laplace",
)
RENAMED = ("opendp_lite.measurements.noise.additive:in_scales", "in_units_of_scale")
PAIRS = [*MODULES, RENAMED[0], f"opendp_lite.measurements.noise.additive:{RENAMED[1]}"]


def run(root: Path, program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-B", "-c", program],
        cwd=root,
        env={"PATH": "", "PYTHONPATH": os.pathsep.join([str(root), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout if done.returncode == 0 else done.stderr


def found(root: Path) -> list[str]:
    """What the review of a copy finds, with the old names."""
    program = (
        "import json; from pathlib import Path\n"
        "from opendp_lite.review import Project, check\n"
        "problems = check(Project('opendp_lite', Path('proofs')))\n"
        "print(json.dumps([[p.kind, p.proof, p.message] for p in problems]))"
    )
    text = run(root, program)
    text = text.replace(MODULES[1], MODULES[0]).replace(RENAMED[1], "in_scales")
    return sorted(map(str, json.loads(text)))


def carry(root: Path, package: str, names: list[str]) -> str:
    return run(
        root,
        "from pathlib import Path\nfrom opendp_lite.review import Project, move\n"
        f"print(move(Project({package!r}, Path('proofs')), {names!r}))",
    )


@pytest.mark.audit
def test_the_library_moves_without_losing_a_record(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__", "build")
    for name in ("opendp_lite", "proofs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    passed = ROOT / "proofs" / "build" / "checks.json"
    if passed.is_file():
        (tmp_path / "proofs" / "build").mkdir()
        shutil.copy(passed, tmp_path / "proofs" / "build")
    before = found(tmp_path)
    folder = tmp_path / "opendp_lite" / "measurements" / "noise"
    (folder / "laplace_gaussian.py").rename(folder / "noise_laplace.py")
    for path in (tmp_path / "opendp_lite").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        text = re.sub(rf"{re.escape(MODULES[0])}\b", MODULES[1], text)
        path.write_text(re.sub(r"\bin_scales\b", RENAMED[1], text), encoding="utf-8")
    assert found(tmp_path) != before
    moved = (folder / "noise_laplace.py").read_text(encoding="utf-8")
    planted = moved.replace("k is None and", "k is not None and")
    assert planted != moved
    (folder / "noise_laplace.py").write_text(planted, encoding="utf-8")
    reviews = (tmp_path / "proofs" / "reviews.toml").read_bytes()
    refused = carry(tmp_path, "opendp_lite", PAIRS)
    assert f"{MODULES[0]}:make_laplace is not what is there" in refused
    assert (tmp_path / "proofs" / "reviews.toml").read_bytes() == reviews
    (folder / "noise_laplace.py").write_text(moved, encoding="utf-8")
    assert "records go on" in carry(tmp_path, "opendp_lite", PAIRS)
    assert found(tmp_path) == before
    old, new = read_reviews(ROOT / "proofs"), read_reviews(tmp_path / "proofs")
    assert {n: r.readings for n, r in old.items()} == {
        n: r.readings for n, r in new.items()
    }
    proof = (tmp_path / "proofs/measurements/make_laplace.tex").read_text()
    assert rf"\code{{{MODULES[1]}}}{{make_laplace}}" in proof
    assert "in_scales" not in proof
