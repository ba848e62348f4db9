"""What commands share: the object and the data they are given, and users' mistakes."""

from __future__ import annotations

import errno
import importlib
import json
import math
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import click
from click.shell_completion import CompletionItem

from opendp_lite.base.aliases import Value
from opendp_lite.show.texts import reason_of

_SPECIAL = re.compile(r'"(?:[^"\\]|\\.)*"|\b(nan|inf|infinity)\b', re.IGNORECASE)
_JSON_FIX = (
    "Write JSON: a number, a list such as [1, 2.5, nan, -inf], or text in quotes, "
    "'\"a\"'"
)


def files(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return that files complete what is written: FILE.py:NAME begins with one."""
    return [CompletionItem(incomplete, type="file")]


def distance_of(text: str | None, option: str = "--d-in") -> Any:
    """Return a distance: an int, an exact fraction, infinity, or None if none is given.

    :param text: what was written
    :param option: what it was written for
    """
    if text is None:
        return None
    written = text.strip()
    if written in ("inf", "Infinity"):
        return math.inf
    if re.fullmatch(r"[+-]?[0-9]{1,300}", written, re.ASCII):
        return int(written)
    form = r"[+-]?(?:[0-9]+/[0-9]+|[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?)"
    if len(written) <= 300 and re.fullmatch(form, written, re.ASCII):
        try:
            return Fraction(written)
        except ZeroDivisionError:
            pass
    raise Mistake(
        f"{option}={text!r}: is no number. Write for example 1, 0.5, 1/3 or inf."
    )


def data_of(text: str, option: str) -> Any:
    """Return data that are written as JSON, with nan and inf spelled.

    :param text: what was written
    :param option: what it was written for
    """
    try:
        return json.loads(_SPECIAL.sub(_spelled, text))
    except (ValueError, RecursionError):
        raise Mistake(f"{option}: cannot be read. {_JSON_FIX}.") from None


def _spelled(match: re.Match[str]) -> str:
    """Return nan and infinity as Python's JSON has them; text stays as it is."""
    if match[1] is None:
        return match[0]
    return "NaN" if match[1].lower() == "nan" else "Infinity"


_FORM = "Write MODULE:NAME or FILE.py:NAME, such as pipeline.py:count"
_MISSING = object()
_PACKAGE = Path(__file__).parent.parent


def subject(text: str) -> Any:
    """Return the object that a text names: "module:name" or "folder/file.py:name".

    Modules are looked for in the current folder too, as by `python -m`. The module is
    run by this; only name code that you trust. While it runs no noise can be drawn, as
    whatever it releases by itself would be released once more.

    :param text: what stands on the command line
    """
    place, colon, name = text.rpartition(":")
    if not colon or not place or not name:
        raise Mistake(f"{text!r}: names no object. {_FORM}.")
    from opendp_lite.randomness.entropy import use_source

    source, failure = _NoBits(), None
    try:
        with mistakes(), use_source(source):
            found: Any = _module(place)
    except Mistake as error:
        failure = error
    if source.asked:
        raise Mistake(
            f"{place}: makes a release when it is loaded, which would be one more each "
            'time. Put releases below `if __name__ == "__main__":`, or into a function.'
        )
    if failure is not None:
        raise failure
    for part in name.split("."):
        inside = found
        found = getattr(inside, part, _MISSING)
        if found is _MISSING:
            raise Mistake(f"{text}: {place} has no {name!r}.{_near(part, inside)}")
    return found


class _NoBits:
    """A source that has no bits: who asks for one is to be refused."""

    granularity = 1

    def __init__(self) -> None:
        self.asked = False

    def bits(self, count: int) -> int:
        """Refuse, and keep in mind that somebody asked."""
        self.asked = True
        raise RuntimeError("nothing is released while a module is loaded")


@contextmanager
def code_of(text: str) -> Iterator[None]:
    """Raise what the user's own code raises, where it is called, as one sentence.

    What the library raises by itself is a fault of the library, and has a traceback.

    :param text: what stands on the command line
    """
    from opendp_lite.base.errors import OpenDPException
    from opendp_lite.jobs.reading import failed

    try:
        yield
    except (OpenDPException, OSError, click.ClickException):
        raise
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        if Path(frames[-1].filename).is_relative_to(_PACKAGE):
            raise
        place = text.rpartition(":")[0]
        raise Mistake(failed(place, error).message) from None


def _module(place: str) -> ModuleType:
    from opendp_lite.jobs.reading import failed, look_in, run_file

    if place.endswith(".py") or "/" in place or "\\" in place:
        return run_file(place)
    look_in(Path.cwd())
    try:
        return importlib.import_module(place)
    except ModuleNotFoundError as error:
        parts = place.split(".")
        if error.name not in [".".join(parts[: i + 1]) for i in range(len(parts))]:
            raise failed(place, error) from None
        text = f"{place}: there is no module {error.name!r}, here or installed."
        raise Mistake(f"{text} {_FORM}.") from None
    except (Exception, SystemExit) as error:
        raise failed(place, error) from None


def _near(name: str, inside: Value) -> str:
    """Return what may have been meant."""
    names = [each for each in dir(inside) if not each.startswith("_")]
    for near in get_close_matches(name, names, 1):
        return f" Did you mean {near!r}?"
    return ""


FINDING = 1  # a check found something: refuted, undecided, differs
MISTAKE = 2  # what was asked for cannot be: nothing was released, nothing spent


class Mistake(click.ClickException):
    """Something that the user can put right; the text says what, and how."""

    exit_code = MISTAKE


@contextmanager
def mistakes() -> Iterator[None]:
    """Raise what the library and the files refuse as one sentence, a Mistake.

    Other errors are faults of the program, and keep their traceback.
    """
    from opendp_lite.base.errors import OpenDPException
    from opendp_lite.review import ReviewError

    try:
        yield
    except OpenDPException as error:
        raise Mistake(one_line(error.message)) from None
    except ReviewError as error:
        raise Mistake(str(error)) from None
    except UnicodeDecodeError:
        raise Mistake("a file that should be text is not UTF-8.") from None
    except OSError as error:
        # Nobody reads on: click ends quietly. And not every OSError is of a file.
        if error.errno == errno.EPIPE or error.filename is None:
            raise
        raise Mistake(
            f"{error.filename}: cannot be opened: {reason_of(error)}."
        ) from None


def one_line(text: object) -> str:
    """Return a text without its line breaks.

    >>> one_line("two\\n  lines")
    'two lines'
    """
    return " ".join(str(text).split())
