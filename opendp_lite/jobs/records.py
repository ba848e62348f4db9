"""The record of a release: what was asked, charged and answered, as JSON; never data.

It holds nothing that was computed from the data but answers: no number of rows, no
digest, no error of the engine.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite import __version__
from opendp_lite.base.json_text import has_fields, parse_json
from opendp_lite.jobs.previews import answer_lines, loss_entry, plain
from opendp_lite.jobs.shapes import JobError
from opendp_lite.sessions.losses import added, no_loss
from opendp_lite.show.texts import reason_of, visible

if TYPE_CHECKING:
    from opendp_lite.jobs.running import Opened


_KIND, _FORMAT = "opendp-lite release", 1
_LIBRARIES = ("numpy", "gmpy2", "cryptography", "narwhals", "duckdb", "pyarrow")
_FIELDS = {
    "record": str,
    "format": int,
    "time": str,
    "job": dict,
    "data": dict,
    "privacy": dict,
    "queries": list,
    "versions": dict,
}


@attrs.frozen
class Record:
    """What a release was: plain values, as they stand in its JSON file."""

    content: Mapping[str, Any]

    @property
    def answers(self) -> dict[str, Any]:
        """The answers by the names of their queries; of tables, columns by name."""
        queries = self.content["queries"]
        return {q["name"]: q["answer"] for q in queries if q["state"] == "released"}

    @property
    def complete(self) -> bool:
        """Whether all queries were answered."""
        return all(q["state"] == "released" for q in self.content["queries"])

    def __str__(self) -> str:
        """Return the answers as tables, each number with its interval.

        Below a table stands how much of each person counts.
        """
        parts = []
        bounds = {q["name"]: q.get("bounds") for q in self.content["queries"]}
        for name, answer in self.answers.items():
            lines = answer_lines(answer) if isinstance(answer, dict) else [str(answer)]
            lines += [] if bounds[name] is None else [visible(bounds[name])]
            parts.append("\n".join([name, *(f"  {line}" for line in lines)]))
        return "\n\n".join(parts)

    def to_json(self) -> str:
        """Return the record as text; the same record has the same text."""
        return json.dumps(dict(self.content), indent=2, allow_nan=False) + "\n"

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write the record to a file, which is there whole or not at all.

        :param path: of the file
        :param force: whether a file that is there is replaced
        """
        with reserved(path, force=force) as place:
            place.fill(self.to_json())


def read_record(path: str | os.PathLike[str]) -> Record:
    """Return the record that a file holds, or refuse what is none.

    :param path: of the file
    """
    place = os.fspath(path)
    try:
        content = parse_json(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise JobError(
            f"{place}: {reason_of(error)}. Pass the path of a record."
        ) from None
    except (ValueError, RecursionError):
        content = None
    known = has_fields(content, _FIELDS)
    if not known or (content["record"], content["format"]) != (_KIND, _FORMAT):
        raise JobError(
            f"{place}: is no record of a release in format {_FORMAT}. Pass the file "
            "that `opendp-lite release -o` wrote."
        )
    return Record(content)


def record_of(opened: Opened, time: datetime, entries: list[dict[str, Any]]) -> Record:
    """Return the record of a job that was run.

    :param opened: the job with its Context
    :param time: when it began
    :param entries: what became of each query
    """
    job, context = opened.job, opened.context
    session = context.queryable
    measure, (_, metric) = session.output_measure, session.input_space
    charged = no_loss(measure)
    for each in session.journal():
        charged = added(charged, each.loss)
    declared = job.columns
    columns = None if declared is None else {n: repr(d) for n, d in declared.items()}
    content = {
        "record": _KIND,
        "format": _FORMAT,
        "time": time.isoformat(timespec="seconds"),
        "job": {
            "file": Path(job.file).name,
            "sha256": job.sha256,
            "title": job.title,
            "alpha": str(job.alpha),
            "text": job.text,
        },
        "data": {
            "file": None if opened.data is None else Path(opened.data).name,
            "kind": opened.kind,
            "columns": columns,
        },
        "privacy": {
            "unit": repr(metric),
            "distance": plain(context.d_in),
            "measure": repr(measure),
            "budget": loss_entry(measure, session.limit),
            "charged": loss_entry(measure, charged),
        },
        "queries": entries,
        "versions": _versions(),
    }
    return Record(content)


def _versions() -> dict[str, str]:
    """Return the versions of what computed the answers."""
    found = {"opendp_lite": __version__, "python": platform.python_version()}
    for library in _LIBRARIES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found[library] = metadata.version(library)
    return found


@attrs.define(eq=False)
class Reserved:
    """A place for a record: a new file beside it that can be written to."""

    path: str
    partial: str
    force: bool

    def fill(self, text: str | bytes) -> None:
        """Write the text, and give the file its name; OSError if that fails.

        :param text: all of the record
        """
        with open(self.partial, "wb") as file:
            file.write(text.encode() if isinstance(text, str) else text)
            file.flush()
            os.fsync(file.fileno())
        if self.force:
            os.replace(self.partial, self.path)
            return
        try:
            os.link(self.partial, self.path)  # fails where there is a file by now
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            if os.path.lexists(self.path):
                raise
            os.replace(self.partial, self.path)


@contextmanager
def reserved(path: str | os.PathLike[str], *, force: bool) -> Iterator[Reserved]:
    """Check that a file can be written, before there is anything to write.

    :param path: of the file
    :param force: whether a file that is there may be replaced
    """
    place = os.fspath(path)
    if os.path.isdir(place):
        raise JobError(f"{place}: is a folder. Name a file in it.")
    if os.path.lexists(place) and not force:
        raise JobError(
            f"{place}: is there already, and is not replaced. Name another file, or "
            "use --force."
        )
    try:
        partial = _beside(place)
    except OSError as error:
        raise JobError(
            f"{place}: cannot be written: {reason_of(error)}. Name a file in a folder "
            "that is there and is yours."
        ) from None
    try:
        yield Reserved(place, partial, force)
    finally:
        with contextlib.suppress(OSError):
            os.remove(partial)


def _beside(place: str) -> str:
    """Make a new file beside another, with its permissions, and return its path."""
    folder, name = os.path.split(place)
    for number in range(1000):
        partial = os.path.join(folder, f".{name}.{os.getpid()}-{number}.part")
        try:
            handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            continue
        os.close(handle)
        if os.path.exists(place):
            os.chmod(partial, stat.S_IMODE(os.stat(place).st_mode))
        return partial
    raise FileExistsError(f"{place}: too many unfinished files beside it")
