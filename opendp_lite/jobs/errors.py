"""What is said of a job that cannot be run: file, key, value, rule and fix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches

import attrs

from opendp_lite.core.errors import OpenDPException, shown

__all__ = ["JobError", "Key", "near"]


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
