"""A ledger: a file that adds up what releases about the same data have lost.

It is bookkeeping, and as honest as those who use it: whoever leaves it out, names
another file or restores an old copy is not counted. Losses add up, as they do within a
Context. A release is charged before it is made, under a lock, and the file is replaced
as a whole; what fails afterwards stays charged. A file that is not exactly what this
module writes is refused and not changed: a name that stands twice could hide charges.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import attrs

from opendp_lite.base.errors import write_number
from opendp_lite.base.json_text import has_fields, parse_json
from opendp_lite.jobs.records import Reserved, reserved
from opendp_lite.jobs.shapes import JobError
from opendp_lite.show.texts import reason_of

_KIND, _FORMAT = "opendp-lite ledger", 1
_EXACT = re.compile(r"[0-9]{1,4000}(?:/(?!0+$)[0-9]{1,4000})?|[0-9]{1,20}\.[0-9]{1,20}")
_FIELDS = {"ledger": str, "format": int, "entries": list}
_ENTRY = {"time": str, "job": str, "unit": str, "loss": dict}
_LOSSES = ({"epsilon"}, {"rho"}, {"epsilon", "delta"}, {"rho", "delta"})


def _followed(path: str) -> str:
    return os.path.realpath(path)


@attrs.frozen
class Ledger:
    """The ledger in a file, which begins with the first charge.

    One ledger is of one data set, of one unit of privacy, and of one kind of loss.

    >>> import tempfile, pathlib
    >>> ledger = Ledger(str(pathlib.Path(tempfile.mkdtemp()) / "ledger.json"))
    >>> limit = {"epsilon": Fraction(1)}
    >>> ledger.charge("visits.toml", "people", {"epsilon": Fraction(3, 4)}, limit)
    >>> ledger.spent()
    {'epsilon': Fraction(3, 4)}
    """

    path: str = attrs.field(converter=_followed)  # a link stays one

    def spent(self) -> dict[str, Fraction]:
        """Return the sum of what was charged, by name; empty if nothing was."""
        return _sum(each["loss"] for each in self._entries())

    def check(
        self, unit: str, loss: Mapping[str, Fraction], limit: Mapping[str, Fraction]
    ) -> dict[str, Fraction]:
        """Return what would be spent in all, or refuse what passes the limit.

        :param unit: what is protected, in words; all charges have the same
        :param loss: exact numbers by name
        :param limit: the greatest sum, by the same names
        """
        if set(loss) != set(limit):
            raise JobError(
                f"{self.path}: the limit is told in {' and '.join(limit)}, and the "
                f"release loses {' and '.join(loss)}. Tell both in the same terms."
            )
        entries = self._entries()
        if any(e["unit"] != unit or e["loss"].keys() != set(loss) for e in entries):
            raise JobError(
                f"{self.path}: counts releases of another unit of privacy, or another "
                "kind of loss. Use a ledger for each."
            )
        spent = _sum([*(each["loss"] for each in entries), loss])
        for name, most in limit.items():
            if spent[name] > most:
                before = write_number(spent[name] - loss[name])
                more, limited = write_number(loss[name]), write_number(most)
                raise JobError(
                    f"{self.path}: {name} {before} was spent before, and {more} "
                    f"more would pass the limit of {limited}. Nothing was released: "
                    "wait for other data, or ask for less."
                )
        return spent

    def charge(
        self,
        job: str,
        unit: str,
        loss: Mapping[str, Fraction],
        limit: Mapping[str, Fraction],
    ) -> None:
        """Charge a release that is about to be made, or refuse it.

        :param job: its name or digest
        :param unit: what is protected, in words
        :param loss: exact numbers by name
        :param limit: the greatest sum, by the same names
        """
        with _locked(self.path):
            self.check(unit, loss, limit)
            told = {name: write_number(number) for name, number in loss.items()}
            if not _is_loss(told):
                raise JobError(
                    f"{self.path}: a loss of {' and '.join(told.values())} cannot be "
                    "kept: its exact numbers have thousands of digits, or are below 0. "
                    "Nothing was charged, and nothing released. Ask for a shorter one."
                )
            time = datetime.now(UTC).isoformat(timespec="seconds")
            entry = {"time": time, "job": job, "unit": unit, "loss": told}
            kept = [*self._entries(), entry]
            content = {"ledger": _KIND, "format": _FORMAT, "entries": kept}
            with reserved(self.path, force=True) as place:
                self._write(place, json.dumps(content, indent=2) + "\n")

    def _write(self, place: Reserved, text: str) -> None:
        """Replace the file, for good, or say that nothing was charged."""
        try:
            place.fill(text)
        except OSError as error:
            raise JobError(
                f"{self.path}: cannot be written: {reason_of(error)}. Nothing was "
                "charged, and nothing released."
            ) from None
        with contextlib.suppress(OSError):  # of a system that cannot do it
            _settle(os.path.dirname(self.path))

    def _entries(self) -> list[dict[str, Any]]:
        """Return the charges as they are written; refuse a file that is no ledger."""
        if not os.path.lexists(self.path):
            return []
        try:
            if os.stat(self.path).st_nlink > 1:
                raise JobError(
                    f"{self.path}: is the same file as another name (a hard link), "
                    "which would count apart. Keep one of them."
                )
            return _parse_entries(Path(self.path).read_text(encoding="utf-8"))
        except OSError as error:
            reason = reason_of(error)
        except RecursionError:
            reason = "it nests too deep"
        except ValueError as error:
            reason = str(error)
        raise JobError(
            f"{self.path}: cannot be read as a ledger: {reason}. Nothing was released, "
            "and the file was not changed. Restore it, or name another one."
        )


def _parse_entries(text: str) -> list[dict[str, Any]]:
    """Return the charges that a text states; raise ValueError if it is no ledger."""
    content = parse_json(text)
    if not has_fields(content, _FIELDS):
        raise ValueError(f"its fields must be {', '.join(_FIELDS)}")
    if (content["ledger"], content["format"]) != (_KIND, _FORMAT):
        raise ValueError(f"it is no {_KIND} in format {_FORMAT}")
    entries: list[dict[str, Any]] = content["entries"]
    if not all(has_fields(e, _ENTRY) and _is_loss(e["loss"]) for e in entries):
        rule = f"the fields of an entry must be {', '.join(_ENTRY)}"
        raise ValueError(f"{rule}, with texts, and exact numbers as texts in loss")
    return entries


def _is_loss(loss: dict[str, Any]) -> bool:
    """Return whether a loss has known names, and exact numbers as text."""
    return loss.keys() in _LOSSES and all(
        type(number) is str and _EXACT.fullmatch(number) for number in loss.values()
    )


def _sum(losses: Iterable[Mapping[str, str | Fraction]]) -> dict[str, Fraction]:
    total: dict[str, Fraction] = {}
    for loss in losses:
        for name, number in loss.items():
            total[name] = total.get(name, Fraction(0)) + Fraction(number)
    return total


def _settle(folder: str) -> None:
    """See that the new name of a file is on the disk, as its content is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _locked(path: str) -> Iterator[None]:
    """Hold the lock of a ledger, which ends with the process at the latest."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover
        raise JobError(
            f"{path}: a ledger needs locks of files, which this system has not. Leave "
            "--ledger out."
        ) from None
    try:
        handle = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise JobError(
            f"{path}: cannot be locked: {reason_of(error)}. Name a file in a folder "
            "that is there and is yours."
        ) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
