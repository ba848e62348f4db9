"""What `make_chain_proved` accepts is proved, and vetted where the chain is."""

from __future__ import annotations

import ast
from pathlib import Path

from opendp_lite.review.records import read_reviews

ROOT = Path(__file__).resolve().parent.parent.parent
CHAIN = "core/make_chain_proved"
# tests/transformations/trees/test_releases.py looks at what these name as their proofs.
PROVED = {
    "make_cdf",
    "make_consistent_b_ary_tree",
    "make_quantiles_from_counts",
}


def callers(text: str) -> set[str]:
    """The names of the functions that use `proved_function`."""
    return {
        function.name
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Name | ast.Attribute)
        and "proved_function" in (getattr(node, "id", ""), getattr(node, "attr", ""))
    }


def test_no_other_function_is_called_proved() -> None:
    """The chain is as good as the proofs of all that it accepts: these are all."""
    found: set[str] = set()
    for path in (ROOT / "opendp_lite").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "proved_function" in text:
            found |= callers(text)
    assert found == PROVED
    assert callers("def f():\n    return m.proved_function(1)") == {"f"}


def test_the_chain_is_not_vetted_before_what_it_accepts() -> None:
    """Vetted, it asks for no feature, and the functions have no decorator that could.

    No code of the chain uses theirs, so that no other rule of the review sees it.
    """
    reviews = read_reviews(ROOT / "proofs")
    if CHAIN in reviews and reviews[CHAIN].status == "vetted":
        for name in PROVED:
            assert reviews[f"transformations/{name}"].status == "vetted"
