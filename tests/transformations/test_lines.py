from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy
import opendp.prelude as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.base.containers import text_lines

DATA = Path(__file__).parent.parent / "data" / "vector_vectors.json"
VECTORS = [
    vector
    for vector in json.loads(DATA.read_text())["vectors"]
    if vector["id"].startswith("lines")
]
TEXTS = st.text("ab,;\r\n \x0b\x1c\u2028", max_size=12)


pytestmark = pytest.mark.usefixtures("contrib")


def test_no_vector_is_forgotten() -> None:
    assert len(VECTORS) == 2


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_expected_values(vector: dict[str, Any]) -> None:
    made: Any = None
    for name, arguments in vector["chain"]:
        step = getattr(dp.t, name)(**arguments)
        made = step if made is None else made >> step
    assert made(vector["data"]) == vector["expected"]
    assert made.map(3) == 3


@given(TEXTS)
def test_lines_end_at_line_feeds_only(text: str) -> None:
    """#2931: the lines are as OpenDP cuts them, and as the distance counts them."""
    oracle.enable_features("contrib")
    assert text_lines(text) == oracle.t.make_split_lines()(text)
    assert "\n" not in "".join(text_lines(text))


@given(st.lists(st.text("ab\r \x0b\u2028", max_size=4)))
def test_lines_that_were_put_together_are_found_again(lines: list[str]) -> None:
    whole = [line.removesuffix("\r") for line in lines]
    assert text_lines("".join(line + "\r\n" for line in whole)) == whole


def test_the_distance_of_texts_counts_lines() -> None:
    metric = dp.symmetric_distance()
    assert metric.distance("a\nb\n", "b\r\na") == 0
    assert metric.distance("a\nb\n", "a\n") == 1
    assert metric.distance("a\nb\nc", "a\nx\nc") == 2
    assert metric.distance("ab", "ba") == 2  # no characters
    assert metric.distance("", "\n") == 1
    assert metric.distance(numpy.str_("a\nb"), "b\na\n") == 0
    assert metric.distance(["ab"], ["a", "b"]) == 3  # rows of a list are not cut


def test_only_the_symmetric_distance_measures_texts() -> None:
    text = dp.atom_domain(T=str)
    assert dp.symmetric_distance().objection(text) is None
    assert dp.symmetric_distance().objection(dp.atom_domain(T=int)) is not None
    for metric in (dp.insert_delete_distance(), dp.change_one_distance()):
        assert metric.objection(text) is not None
    with pytest.raises(dp.OpenDPException, match="VectorDomain"):
        dp.t.make_count(text, dp.symmetric_distance())


def test_the_map_is_the_greatest_distance() -> None:
    """Over all texts of four characters: the distances are the same."""
    made = dp.t.make_split_lines()
    texts = ["".join(each) for n in range(5) for each in product("a\r\n", repeat=n)]
    for x in texts[::3]:
        for y in texts:
            d_in = made.input_metric.distance(x, y)
            assert made.output_metric.distance(made(x), made(y)) == d_in


def test_records() -> None:
    made = dp.t.make_split_records()
    assert made(["a, b ,", "", " \t", "x"]) == [["a", "b", ""], [""], [""], ["x"]]
    assert made(numpy.array(["a,b"])) == [["a", "b"]]
    assert made([]) == []
    assert dp.t.make_split_records("::")(["a::b:c"]) == [["a", "b:c"]]


def test_a_column_of_text_is_counted_in_a_chain() -> None:
    chain = dp.t.make_split_lines() >> dp.t.then_cast_default(int)
    total = chain >> dp.t.then_clamp((0, 100)) >> dp.t.then_sum()
    assert total("31\n27\r\nx\n900\n") == 158
    assert total.map(1) == 100
    with pytest.raises(dp.OpenDPException) as caught:
        total(b"31\n")
    assert "31" not in str(caught.value)
