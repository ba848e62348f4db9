"""JSON that decides something is read strictly."""

from __future__ import annotations

import json
from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite.base.json_text import has_fields, parse_json
from tests.rows import for_each


@for_each("value", [{}, [], 0, -1.5, None, "a", {"a": {"b": [True, {}]}, "b": 1e-308}])
def test_values_are_read(value: Any) -> None:
    assert parse_json(json.dumps(value)) == value


@for_each(
    ("text", "said"),
    [
        ('{"a": 1, "a": 1}', "the name 'a' stands twice"),
        ('[{"b": {"a": 1, "c": 0, "a": 2}}]', "the name 'a' stands twice"),
        ('{"a": 1, "\\u0061": 2}', "the name 'a' stands twice"),
        ('{"\\u001b": 1, "\\u001b": 2}', r"the name '\x1b' stands twice"),
        ("[NaN]", "the number 'NaN' is not finite"),
        ("-Infinity", "the number '-Infinity' is not finite"),
        ("1e999", "the number '1e999' is not finite"),
        ("9" * 5000, "an integer has 5000 digits, too many"),
        ("", "Expecting value"),
        ("{} {}", "Extra data"),
    ],
)
def test_what_readers_differ_about_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        parse_json(text)
    assert said in str(caught.value)
    assert str(caught.value).isprintable()


def test_serialized_objects_are_read_as_strictly() -> None:
    text = dp.serialize(dp.max_divergence())
    twice = text.replace('"of": []', '"of": [], "of": []')
    assert text != twice
    for each in (twice, text.replace("[]", "[1e999]")):
        with pytest.raises(dp.OpenDPException, match="is not JSON"):
            dp.deserialize(each)


def test_fields_and_types_are_exact() -> None:
    class Derived(dict):  # type: ignore[type-arg]
        pass

    fields = {"a": int, "b": list}
    assert has_fields({"b": [], "a": 1}, fields)
    wrong: list[Any] = [{"a": 1}, {"a": 1, "b": [], "c": 0}, {"a": True, "b": []}]
    wrong += [{"a": 1, "b": ()}, {"a": 1.0, "b": []}, None, [], [["a", 1], ["b", []]]]
    wrong += [Derived(a=1, b=[])]
    assert not any(has_fields(value, fields) for value in wrong)
