"""The figures that `python -m benchmarks.house` prints: what counts in them."""

from __future__ import annotations

import ast

from benchmarks import house
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.review.tex.texfile import macros

SOURCE = '''"""A docstring."""
import os
__all__ = ["f"]
# A comment.
def f(x):
    """Another."""
    return (lambda: x)()
'''


def test_imports_docstrings_and_exports_do_not_count_but_a_lambda_does() -> None:
    tree = ast.parse(SOURCE)
    assert house.statements(tree) == 3  # def, return, lambda
    assert house.code_lines(SOURCE, tree) == [
        "import os",
        '__all__ = ["f"]',
        "def f(x):",
        "    return (lambda: x)()",
    ]


def test_a_walk_is_the_same_each_time() -> None:
    first, second = (house.walk(house.table_query()) for _ in range(2))
    assert first == second
    entered, changes = first
    assert sum(entered.values()) > changes > 0


def test_a_generator_counts_once_however_often_it_is_resumed() -> None:
    text = r"\lemma{a} \lemma{b} \lemma{c}"
    entered, _ = house.walk(lambda: list(macros(text, "lemma", 1)))
    assert {code.co_name: n for code, n in entered.items()}["macros"] == 1


def test_a_walk_counts_the_frames_of_the_package() -> None:
    entered, _ = house.walk(lambda: [to_fraction(n) for n in (1, 2)])
    assert {code.co_name: n for code, n in entered.items()}["to_fraction"] == 2
    assert not [code for code in entered if code.co_name.startswith("<")]
