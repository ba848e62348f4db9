"""The format of a certificate: JSON, sealed by a digest over its canonical form.

The digest shows that a field was changed by accident, or by somebody who did not
compute the digest anew. Whoever computes it anew is found out by the derivation, but
for what is only `told`: when, of what name, with what comment, and in which lines.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import attrs

from opendp_lite.base.aliases import Value
from opendp_lite.base.errors import OpenDPException, printed
from opendp_lite.base.json_text import parse_json
from opendp_lite.show.texts import reason_of, visible

Content: TypeAlias = Mapping[str, Any]
"""What a certificate says, or a part of it: values of JSON by their names."""

Pairs: TypeAlias = Sequence[tuple[Any, Any]]
"""Pairs of inputs, which are members of the domain of what is certified."""

Subject: TypeAlias = Any
"""What a certificate is about: an object of the library, or what makes one."""

FORMAT = "opendp_lite pipeline certificate"
FORMAT_VERSION = 3
NOT_DERIVED = ("told",)
"""What no derivation can give back; the digest alone covers it."""

_KEYS: dict[str, type] = {
    "format": str,
    "format_version": int,
    "digest": str,
    "told": dict,
    "claim": dict,
    "pipeline": dict,
    "steps": list,
    "assumptions": list,
    "functions": list,
    "proofs": list,
    "rests_on": dict,
    "trusted": dict,
    "bit_trees": dict,
    "findings": list,
    "versions": dict,
}
_INSIDE: dict[str, dict[str, type | tuple[type, ...]]] = {
    "told": {
        "date": str,
        "subject": (str, type(None)),
        "comment": str,
        "places": list,
        "asked": list,
    },
    "pipeline": {
        "shown": str,
        "carried": (dict, type(None)),
        "not_carried": (str, type(None)),
        "d_in": object,
    },
    "bit_trees": {
        "pairs": list,
        "depth": int,
        "runs": int,
        "results": list,
        "none": (str, type(None)),
    },
}
_MOST_BYTES = 20_000_000
_AGAIN = "Ask whoever made it for the file as it was written"


@attrs.frozen
class Difference:
    """A field that differs: where, what the certificate has, what was derived here."""

    field: str
    old: Any
    new: Any

    def __str__(self) -> str:
        return f"{visible(self.field)}: {_short(self.old)} -> {_short(self.new)}"


class _Absent:
    """Where nothing stands: equal to no value that a certificate can have."""

    def __repr__(self) -> str:
        return "(absent)"


ABSENT = _Absent()


def _short(value: object) -> str:
    if value is ABSENT:
        return repr(value)
    text = visible(value) if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 100 else f"{text[:97]}..."


def canonical(value: object) -> str:
    """Return the one JSON text of a value: sorted, without spaces, in ASCII.

    >>> canonical({"b": 1, "a": ["x", None]})
    '{"a":["x",null],"b":1}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest_of(content: Content) -> str:
    """Return the digest of all but the digest.

    :param content: what a certificate says
    """
    rest = {key: value for key, value in content.items() if key != "digest"}
    return f"sha256:{hashlib.sha256(canonical(rest).encode()).hexdigest()}"


def sealed(content: Content) -> dict[str, Any]:
    """Return a content with its digest.

    :param content: what a certificate says
    """
    return {**content, "digest": digest_of(content)}


def malformed(rule: str, fix: str = _AGAIN) -> OpenDPException:
    """Return the error of a certificate that cannot be relied upon at all.

    :param rule: what is wrong with it
    :param fix: what to do
    """
    return OpenDPException("TypeParse", f"the certificate {rule}. {fix}.")


def read(given: str | Path) -> dict[str, Any]:
    """Return the content of a certificate, if it is whole; nothing in it is run.

    :param given: its text, or the path of its file
    """
    content = _parsed(_text(given))
    if type(content) is not dict or content.get("format") != FORMAT:
        raise malformed("is not a pipeline certificate of opendp_lite in JSON")
    version = content.get("format_version")
    if type(version) is not int or version != FORMAT_VERSION:
        raise malformed(
            f"has the format version {printed(version)}, and this version of "
            f"opendp_lite reads {FORMAT_VERSION}",
            "Use the version of opendp_lite that it names, or certify anew",
        )
    _check(content, _KEYS, "")
    if content["digest"] != digest_of(content):
        raise malformed("was changed after it was made: its digest does not fit")
    for key, inside in _INSIDE.items():
        _check(content[key], inside, f"{key}.")
    _check_told(content["told"])
    return content


def _text(given: str | Path) -> str:
    if isinstance(given, str) and given.lstrip()[:1] in ("{", "["):
        return given
    path = Path(given)
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise malformed(f"is larger than {_MOST_BYTES // 10**6} megabytes")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise malformed("is no text in UTF-8", "Pass the certificate in JSON") from None
    except OSError as error:
        raise OpenDPException(
            "FailedFunction",
            f"{path}: cannot be read: {reason_of(error)}. Name a certificate.",
        ) from None


def _parsed(text: str) -> Any:
    try:
        read = parse_json(text)
        canonical(read)  # so that all of it has a digest
        return read
    except (ValueError, RecursionError):
        raise malformed(
            "is no JSON", "Pass the certificate in JSON, not its HTML or PDF"
        ) from None


def _check(
    given: Content,
    keys: Mapping[str, type | tuple[type, ...]],
    where: str,
) -> None:
    for key, kind in keys.items():
        value = given.get(key)
        fits = isinstance(value, kind) and not (kind is int and type(value) is bool)
        if key not in given or not fits:
            raise malformed(f"has no {where}{key}, or one of another kind")
    if extra := sorted(given.keys() - keys.keys()):
        raise malformed(f"has a field {printed(where + extra[0])} that is unknown")


def _check_told(told: Content) -> None:
    texts = [*told["places"], *told["asked"]]
    if not all(each is None or isinstance(each, str) for each in texts):
        raise malformed("has told.places or told.asked of another kind")


def differences(old: Value, new: Value, field: str = "") -> Iterator[Difference]:
    """Yield where two values of JSON differ, leaf by leaf; types count.

    :param old: what a certificate has
    :param new: what was derived
    :param field: where they stand

    >>> [str(each) for each in differences({"a": [1, 2]}, {"a": [1, 3]})]
    ['a[1]: 2 -> 3']
    """
    if type(old) is dict and type(new) is dict:
        for key in sorted(old.keys() | new.keys()):
            inside = f"{field}.{key}" if field else key
            yield from differences(old.get(key, ABSENT), new.get(key, ABSENT), inside)
    elif type(old) is list and type(new) is list:
        for i in range(max(len(old), len(new))):
            left, right = (each[i] if i < len(each) else ABSENT for each in (old, new))
            yield from differences(left, right, f"{field}[{i}]")
    elif type(old) is not type(new) or old != new:
        yield Difference(field, old, new)
