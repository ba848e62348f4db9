"""Values of a TOML file, and what is said of a job that cannot be run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, TypeAlias

import attrs

from opendp_lite.base.aliases import Value
from opendp_lite.base.errors import OpenDPException, shown


class JobError(OpenDPException):
    """A job that is not as it must be; nothing was released, and nothing spent."""

    def __init__(self, message: str, variant: str = "Job") -> None:
        # The order of OpenDPException, so that it pickles, is kept in `args`.
        super().__init__(variant, message)

    def __reduce__(self) -> tuple[type[JobError], tuple[str, str]]:
        return type(self), (self.message, self.variant)


@attrs.frozen
class Key:
    """A place in a file: the path of a key, such as `query[0].filter`."""

    file: str
    path: str = ""

    def at(self, key: str | int) -> Key:
        """Return the place of a key, or of an entry of a list, within this one.

        >>> Key("a.toml").at("query").at(0).at("name").path
        'query[0].name'
        """
        if isinstance(key, int):
            return Key(self.file, f"{self.path}[{key}]")
        return Key(self.file, f"{self.path}.{key}" if self.path else key)

    def __str__(self) -> str:
        return f"{self.file}: {self.path}" if self.path else self.file

    def refused(self, value: object, rule: str, fix: str) -> JobError:
        """Return the error of a value that does not fit.

        >>> print(Key("a.toml", "privacy.epsilon").refused("x", "is no number",
        ...       "Write for example epsilon = 1.0").message)
        a.toml: privacy.epsilon='x': is no number. Write for example epsilon = 1.0.
        """
        return JobError(f"{self}={shown(value)}: {rule}. {fix.rstrip('.')}.")

    def missing(self, rule: str, fix: str) -> JobError:
        """Return the error of a key that is not there, or may not be there."""
        end = "" if fix.endswith("?") else "."
        return JobError(f"{self}: {rule}. {fix.rstrip('.')}{end}")

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Put this place before what the library refuses within."""
        try:
            yield
        except JobError:
            raise
        except OpenDPException as error:
            raise JobError(f"{self}: {error.message}") from None


def near(name: str, names: Iterable[str], otherwise: str) -> str:
    """Return what may have been meant by a name that is unknown, or what there is.

    :param name: the unknown name
    :param names: those that are known
    :param otherwise: how the known ones are introduced if none is like it

    >>> near("epsilom", ["epsilon", "rho"], "Keys")
    "Did you mean 'epsilon'?"
    >>> near("x", ["epsilon", "rho"], "Keys")
    "Keys: 'epsilon', 'rho'"
    """
    known = list(names)
    for found in get_close_matches(name, known, 1):
        return f"Did you mean {found!r}?"
    return f"{otherwise}: {', '.join(map(repr, known))}"


Named: TypeAlias = Mapping[str, Any]
"""Values by their names: a table of TOML, say, or the columns of an answer."""

_LOSS_FIX = "Write epsilon = 1.0, with or without delta = 1e-9, or rho = 0.1"
_LONGEST = 60  # characters of a number
_LARGEST = 2**400  # far beyond all that is sensible, and well within a double
_NUMBER = re.compile(r"[0-9]+/[0-9]+|[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)


def table_at(
    key: Key, value: Value, keys: Sequence[str] | None, required: Sequence[str] = ()
) -> Mapping[str, Any]:
    """Return a table, or refuse what is none and what has other keys.

    :param key: where it stands
    :param value: what stands there
    :param keys: those that it may have; None for any
    :param required: those that it must have
    """
    if type(value) is not dict:
        told = key.path.rpartition(".")[2]
        raise key.refused(value, "must be a table", f"Write [{told}] and keys below it")
    for name in value:
        if not name.isprintable():  # what is shown of a job is what it says
            rule = f"the key {shown(name)} has a character that is not shown"
            raise key.missing(rule, "Choose another name")
        if keys is not None and name not in keys:
            raise key.at(name).missing(
                "there is no such key", near(name, keys, "The keys are")
            )
    for name in required:
        if name not in value:
            raise key.at(name).missing("is missing", "Write it into the file")
    return value


def text_at(key: Key, table: Named, name: str, default: str | None) -> str:
    """Return the text under a key; without a default it must be there, and not empty.

    :param key: where the table stands
    :param table: which has the key
    :param name: of the key
    :param default: what is returned where it is not there
    """
    if name not in table and default is not None:
        return default
    value = table.get(name)
    if name not in table:
        raise key.at(name).missing("is missing", f'Write {name} = "..."')
    if type(value) is not str or not value.strip():
        raise key.at(name).refused(value, "must be text", f'Write {name} = "..."')
    if not value.isprintable():  # it could hide the cost of the job from who is asked
        rule = "must be one line, without characters that are not shown"
        raise key.at(name).refused(value, rule, f'Write {name} = "..."')
    return value


def list_at(key: Key, value: Value, fix: str) -> list[Any]:
    """Return a list that is not empty, or refuse what is none.

    :param key: where it stands
    :param value: what stands there
    :param fix: what to write
    """
    if type(value) is not list or not value:
        raise key.refused(value, "must be a list of at least one entry", fix)
    return value


def whole_at(key: Key, value: Value) -> int:
    """Return a whole number of at least 1, or refuse what is none.

    :param key: where it stands
    :param value: what stands there
    """
    if type(value) is not int or not 1 <= value <= _LARGEST:
        rule = "must be a whole number of at least 1, and not absurdly large"
        raise key.refused(value, rule, "Write 1")
    return value


def number_at(
    key: Key, value: Value, *, zero: bool = False, below: int | None = None
) -> Fraction:
    """Return an exact number above 0: a number, or text such as "1/3".

    :param key: where it stands
    :param value: what stands there
    :param zero: whether it may be 0
    :param below: what it must be less than
    """
    bounds = "at least 0" if zero else "above 0"
    bounds += "" if below is None else f" and below {below}"
    rule, fix = f"must be an exact number {bounds}", 'Write for example 0.5 or "1/3"'
    exact = None
    if type(value) in (int, str, Decimal, float, Fraction):
        exact = _exact(value)
    if exact is None or exact < 0 or (exact == 0 and not zero):
        raise key.refused(value, rule, fix)
    if below is not None and exact >= below:
        raise key.refused(value, rule, fix)
    return exact


def _exact(value: Value) -> Fraction | None:
    """Return the number that is written, or None if it is none, or absurd.

    Numbers that are absurdly large or small would be shown as infinite or as 0.
    """
    if type(value) is int:
        return Fraction(value) if abs(value) <= _LARGEST else None
    text = repr(value) if type(value) is float else str(value)
    if len(text) > _LONGEST or not _NUMBER.fullmatch(text):
        return None
    try:
        exact = Fraction(text)
    except ZeroDivisionError:
        return None
    return exact if not exact or 1 <= exact * _LARGEST <= _LARGEST**2 else None


def loss_at(key: Key, value: Value) -> dict[str, Fraction]:
    """Return a loss as exact numbers by name: epsilon or rho, and delta if it is there.

    :param key: where it stands
    :param value: a table
    """
    table = table_at(key, value, ("epsilon", "delta", "rho"))
    if ("epsilon" in table) == ("rho" in table):
        raise key.missing("either epsilon or rho is needed", _LOSS_FIX)
    name = "epsilon" if "epsilon" in table else "rho"
    found = {name: number_at(key.at(name), table[name])}
    if "delta" in table:
        found["delta"] = number_at(key.at("delta"), table["delta"], zero=True, below=1)
    return found
