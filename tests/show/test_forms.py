"""What a refusal tells of data: their form, and nothing that the data determine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import opendp_lite.prelude as dp
from opendp_lite.show.texts import form
from tests.rows import for_each

COUNT = dp.t.make_count(
    dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
)


def refused(value: Any) -> str:
    with pytest.raises(dp.OpenDPException) as caught:
        COUNT(value)
    assert isinstance(caught.value, TypeError)
    return str(caught.value)


class Raising(type):
    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise RuntimeError("secret")


class Numbered(type):
    __name__ = 8675309  # type: ignore[assignment]


class Secret(str):
    def __format__(self, spec: str) -> str:
        return "secret"

    def __str__(self) -> str:
        return "secret"

    def __getitem__(self, place: Any) -> str:
        raise RuntimeError("secret")


@pytest.mark.parametrize(
    "kind",
    [Raising("Own", (), {}), Numbered("Own", (), {}), type(Secret("Own"), (), {})],
    ids=["raising", "numbered", "text of its own"],
)
def test_the_name_of_a_class_runs_no_code_of_it(kind: type) -> None:
    assert form(kind()) == "an Own"
    assert refused(kind()) == refused(type("Own", (), {})())


def test_the_lengths_of_texts_are_not_told() -> None:
    short, long = np.array(["a"]), np.array(["a" * 1000])
    assert form(short) == form(long) == "a 1-d array of text"
    assert refused(short) == refused(long)
    assert form(np.array([b"a"])) == form(np.array([b"abc"])) == "a 1-d array of bytes"


@for_each(
    "dtype",
    [
        np.dtype([("secret", int)]),
        np.dtype("i4", metadata={"secret": 1}),
        np.dtypes.StringDType(na_object="secret"),
        np.dtype(object),
    ],
    ids=["records", "metadata", "missing", "objects"],
)
def test_what_a_dtype_holds_is_not_told(dtype: Any) -> None:
    array = np.zeros((2, 2), dtype)
    assert form(array).startswith("a 2-d array of ")
    assert "secret" not in refused(array)


@for_each("kind", [np.bool, np.int8, np.float64, np.complex64])
def test_numbers_are_told_by_their_dtype(kind: type) -> None:
    array: Any = np.zeros((1, 1, 1), kind)
    assert form(array) == f"a 3-d array of dtype {kind.__name__}"
    assert form(array) == form(array.view(array.dtype.newbyteorder()))
    assert form(array) in refused(array)
