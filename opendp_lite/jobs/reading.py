"""Read a job: a TOML file in a closed language, or a Python file of two functions.

Everything of a TOML file is checked when it is read, against an empty table of its
columns: what does not fit is refused before there are any data.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import sys
import tomllib
import traceback
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

from opendp_lite.base.errors import OpenDPException
from opendp_lite.jobs.running import Job, check_context, named_queries
from opendp_lite.jobs.shapes import JobError, Key, loss_at, number_at, table_at, text_at
from opendp_lite.jobs.tables import Description, columns_at, description_at
from opendp_lite.show.texts import reason_of


def run_file(place: str) -> ModuleType:
    """Return the module that a file makes; its neighbours can be imported by it.

    The file is run by this: it is code that is trusted. One that ran already is not run
    again.

    :param place: path of the file
    """
    path = Path(place).resolve()
    if not path.is_file():
        raise JobError(f"{place}: there is no such file. Pass the path of one.")
    name = path.stem
    while name in sys.modules:
        if getattr(sys.modules[name], "__file__", None) == str(path):
            return sys.modules[name]
        name += "_"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise JobError(f"{place}: is no Python file. The name of one ends in .py.")
    module = importlib.util.module_from_spec(spec)
    look_in(path.parent)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise failed(place, error) from None
    return module


def run_text(place: str, content: bytes) -> ModuleType:
    """Return the module that the text of a file makes, whatever the file says by now.

    :param place: path of the file, for errors and for its neighbours
    :param content: what was read of it
    """
    path = Path(place).resolve()
    module = ModuleType(f"job:{path.stem}")  # the name of no other module
    module.__file__ = str(path)
    look_in(path.parent)
    sys.modules[module.__name__] = module  # where dataclasses look for it
    try:
        exec(compile(content, str(path), "exec"), vars(module))
    except (Exception, SystemExit) as error:
        raise failed(place, error) from None
    return module


def look_in(folder: Path) -> None:
    """Allow modules of a folder to be imported.

    :param folder: where they are
    """
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def failed(place: str, error: BaseException, *, told: bool = True) -> JobError:
    """Return what is said of a user's code that raised an error when it was run.

    :param place: the file or module, as it was named
    :param error: what it raised
    :param told: whether its text is shown; that of the library always is
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if Path(each.filename).stem == Path(place).stem]
    line = error.lineno if isinstance(error, SyntaxError) else None
    line = own[-1].lineno if own and line is None else line
    where = "" if line is None else f", line {line}"
    kind = type(error).__name__
    if not told and not isinstance(error, OpenDPException):
        return JobError(
            f"{place}{where}: could not be run: {kind}, whose text is not shown, as it "
            "may show data."
        )
    text = " ".join(f"{kind}: {error}".split()).removesuffix(":")
    return JobError(f"{place}{where}: could not be run: {text}")


_KEYS = ("title", "alpha", "data", "privacy", "ledger", "misfits", "query")
_ALPHA = Decimal("0.05")
_LONGEST = 2**20  # bytes of a job
_DEEP = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){30}"""
)
_FUNCTIONS = (
    "A job in Python defines context(data), which returns a Context, and "
    "queries(context), which returns a dict of names and queries"
)


def read(path: str | os.PathLike[str]) -> Job:
    """Return the job that a file describes, or refuse it in a sentence.

    A TOML file is data: nothing of it is run. A Python file is run.

    :param path: of a file whose name ends in .toml or .py

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "people.toml"
    >>> _ = file.write_text('''
    ... [data.columns]
    ... id = "int"
    ... [privacy]
    ... contributions = 1
    ... identifier = "id"
    ... epsilon = 0.5
    ... [[query]]
    ... name = "all"
    ... aggregates = { people = "people()" }
    ... ''')
    >>> read(file).preview()
    all: table().agg(people=people())
    column  aggregate  distribution     loss  sensitivity  scale  accuracy
    people  people     Integer Laplace  0.5   1            2      6
    <BLANKLINE>
    whole job: epsilon 1/2 of epsilon 1/2
    protected: IdentifierDistance('id'), d_in=1
    accuracy at alpha 0.05, for each key by itself, of the bounded data
    """
    place = os.fspath(path)
    suffix = Path(place).suffix.lower()
    if suffix not in (".toml", ".py"):
        raise JobError(f"{place}: is no job. The name of one ends in .toml or .py.")
    try:
        with open(place, "rb") as file:
            content = file.read(_LONGEST + 1)
    except OSError as error:
        raise JobError(
            f"{place}: {reason_of(error)}. Pass the path of a job."
        ) from None
    if len(content) > _LONGEST:
        raise JobError(f"{place}: is no job. One has at most {_LONGEST} bytes.")
    digest = hashlib.sha256(content).hexdigest()
    return (_toml if suffix == ".toml" else _python)(place, content, digest)


def _toml(place: str, content: bytes, digest: str) -> Job:
    """Return the job of a TOML file, all of which fits together."""
    top = Key(place)
    try:
        text = content.decode("utf-8")
        if _DEEP.search(text):  # the time for these grows with their square
            raise RecursionError
        # Decimal numbers mean what is written: 0.1 is a tenth.
        given = tomllib.loads(text, parse_float=Decimal)
    except UnicodeDecodeError:
        given, reason = None, "its text is not UTF-8"
    except tomllib.TOMLDecodeError as error:
        given, reason = None, str(error)
    except ValueError:  # of a number that Python does not read
        given, reason = None, "it has a number of thousands of digits"
    except RecursionError:
        given, reason = None, "it nests too deep"
    if given is None:
        raise JobError(f"{place}: is no TOML: {reason}.")
    whole = table_at(top, given, _KEYS, required=("data", "privacy", "query"))
    title = text_at(top, whole, "title", "")
    alpha = number_at(top.at("alpha"), whole.get("alpha", _ALPHA), below=1)
    columns, separator, header = columns_at(top.at("data"), whole["data"])
    described: Description = description_at(top, whole, columns)
    limit = loss_at(top.at("ledger"), whole["ledger"]) if "ledger" in whole else None
    job = Job(
        file=place,
        text=content.decode("utf-8", "replace"),
        sha256=digest,
        title=title,
        columns=columns,
        separator=separator,
        header=header,
        alpha=alpha,
        limit=limit,
        open=described.opened,
        needs_data=False,
        misfits=described.misfits,
    )
    job.preview()  # what does not fit together is refused here
    return job


def _python(place: str, content: bytes, digest: str) -> Job:
    """Return the job of a Python file."""
    module = run_text(place, content)
    for name in ("context", "queries"):
        if not callable(getattr(module, name, None)):
            raise JobError(f"{place}: has no function {name!r}. {_FUNCTIONS}.")

    def opened(data: str | None) -> tuple[Any, Any]:
        try:
            context = module.context(data)
            check_context(place, context)
            queries = module.queries(context)
        except JobError:
            raise
        except (Exception, SystemExit) as error:
            # It has seen the data, and its text may show some of them.
            raise failed(place, error, told=False) from None
        return context, named_queries(place, context, queries)

    columns = getattr(module, "COLUMNS", None)
    if columns is not None:
        from opendp_lite.tables.domain import TableDomain

        with Key(place, "COLUMNS").naming():
            columns = TableDomain(columns).declared
    ledger = getattr(module, "LEDGER", None)
    return Job(
        file=place,
        text=content.decode("utf-8", "replace"),
        sha256=digest,
        title=(module.__doc__ or "").strip().partition("\n")[0],
        columns=columns,
        limit=None if ledger is None else loss_at(Key(place, "LEDGER"), ledger),
        open=opened,
        needs_data=True,
    )
