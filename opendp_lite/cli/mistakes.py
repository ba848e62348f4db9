"""What a user's mistake looks like: one sentence, exit code 2, and no traceback."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

import click

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
        reason = (error.strerror or type(error).__name__).lower()
        raise Mistake(f"{error.filename}: cannot be opened: {reason}.") from None


def one_line(text: object) -> str:
    """Return a text without its line breaks.

    >>> one_line("two\\n  lines")
    'two lines'
    """
    return " ".join(str(text).split())
