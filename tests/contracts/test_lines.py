"""The contracts of make_split_lines and make_split_records."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.base.containers import text_lines
from opendp_lite.data.edge_values import edited_rows
from opendp_lite.verify import Contract
from tests.contracts.shorter import shorter

ENDS = st.sampled_from(["\n", "\r\n"])
LINE = st.text("ab,\r \x0b\u2028", max_size=4)


def texts(_: Any) -> Any:
    """Texts of a few lines, with ends of both kinds or none at the end."""
    return st.tuples(st.lists(st.tuples(LINE, ENDS)), LINE).map(
        lambda parts: "".join(line + end for line, end in parts[0]) + parts[1]
    )


def neighbours(_: Any, x: str) -> Any:
    """The lines of a text with some more or fewer, and other ends."""
    lines = edited_rows(LINE, text_lines(x), True)
    return st.tuples(lines, ENDS).map(lambda each: each[1].join([*each[0], ""]))


CONTRACTS = [
    Contract(
        dp.t.make_split_lines,
        st.just({}),
        data=data,
        neighbours=near,
        examples=100,
    )
    for data, near in [(None, None), (texts, neighbours)]
]
CONTRACTS += [
    Contract(
        dp.t.make_split_records,
        st.sampled_from([{}, {"separator": ";"}, {"separator": ", "}]),
        [
            ({"separator": bad}, "MakeTransformation", ["separator", "text"])
            for bad in ("", None, 3, b",")
        ],
    )
]


@pytest.mark.parametrize("terms", CONTRACTS, ids=lambda terms: terms.name)
def test_contract(terms: Contract) -> None:
    verify.contract(shorter(terms))
