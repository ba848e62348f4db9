"""The code that was read, taken from git by its digest.

A record holds only the digest of what somebody read. The text is in the history of git:
where the code was committed last, where the digest was recorded, or where a file was
before it changed or moved. Where there is no such history (in a wheel, or in a shallow
clone), the text cannot be shown, and the review says so.
"""

from __future__ import annotations

import re
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from io import BytesIO
from pathlib import Path

import attrs

from opendp_lite.review.code.compare import Reviewed
from opendp_lite.review.code.library import Library
from opendp_lite.review.code.modules import Module
from opendp_lite.review.problems import ReviewError

RECORDS = "reviews.toml"
_COMMITS = 30  # of one file, in which its code is looked for


class _Committed(Library):
    """The modules of a package in one commit; none is read from the working files."""

    def _read(self, name: str) -> Module | None:
        return None


@attrs.frozen(slots=False, eq=False)
class History:
    """The commits in which the code of a package may be what was recorded."""

    package: str
    folder: Path
    _libraries: dict[str, Library] = attrs.field(factory=dict, init=False)

    def text(self, header: str, digest: str) -> str | None:
        """Return the text that has a recorded digest, or None if git has none.

        :param header: the function, as `module:name`
        :param digest: what is recorded of it
        """
        for commit, former in self._places(header, digest):
            module, _, name = former.partition(":")
            reviewed = Reviewed(self._library(commit), module, name)
            try:
                if reviewed.digest == digest:
                    return reviewed.text
            except (ReviewError, SyntaxError):
                continue  # the function, or Python, was another one then
        return None

    @cached_property
    def _source(self) -> Path | None:
        """The folder or file of the package in a repository, or None."""
        try:
            root = Library(self.package).root
        except ReviewError:
            return None
        return root if self._git(root.parent, "rev-parse", "HEAD") else None

    def _places(self, header: str, digest: str) -> Iterator[tuple[str, str]]:
        """Yield commits, each with the name that the function may have had there."""
        if self._source is None or not re.fullmatch("[0-9a-f]{64}", digest):
            return
        yield "HEAD", header
        name = re.compile(rf'^"([^":]+:[^":]+)" = "{digest}"$', re.MULTILINE)
        search = ("log", "-m", f"-S{digest}", "--format=%H", "--", RECORDS)
        for commit in self._git(self.folder, *search).split():
            records = self._git(self.folder, "show", f"{commit}:./{RECORDS}")
            for former in dict.fromkeys(name.findall(records)):
                yield commit, former
        module, _, function = header.partition(":")
        file, commit = Library(self.package).file(module), ""
        log = f"log --follow -{_COMMITS} --format=%H --name-only --relative --".split()
        followed = self._git(self._source.parent, *log, str(file)) if file else ""
        for line in filter(None, followed.splitlines()):
            if line.endswith(".py"):
                yield commit, f"{self._module(line)}:{function}"
            else:
                commit = line

    def _library(self, commit: str) -> Library:
        if commit not in self._libraries:
            assert self._source is not None
            parent, name = self._source.parent, self._source.name
            packed = self._bytes(parent, "archive", commit, "--", name)
            modules = {}
            with (
                suppress(tarfile.ReadError),
                tarfile.open(None, "r", BytesIO(packed)) as t,
            ):
                for each in t:
                    content = t.extractfile(each)
                    if content is not None and each.name.endswith(".py"):
                        text = content.read().decode("utf-8", "replace")
                        module = self._module(each.name)
                        is_package = each.name.endswith("__init__.py")
                        modules[module] = Module(module, text, is_package)
            if len(self._libraries) > _COMMITS:
                self._libraries.clear()
            self._libraries[commit] = _Committed(self.package, modules)
        return self._libraries[commit]

    def _module(self, path: str) -> str:
        """Return the name of the module in a file, whose path begins at the package."""
        *around, _ = self.package.split(".")
        *folders, file = Path(path).with_suffix("").parts
        return ".".join([*around, *folders, *([] if file == "__init__" else [file])])

    def _git(self, folder: Path, *arguments: str) -> str:
        return self._bytes(folder, *arguments).decode("utf-8", "replace")

    def _bytes(self, folder: Path, *arguments: str) -> bytes:
        """Return what git prints; nothing if there is no git, or no repository."""
        try:
            done = subprocess.run(
                ["git", "-C", str(folder), *arguments], capture_output=True, check=True
            )
        except (OSError, subprocess.CalledProcessError):
            return b""
        return done.stdout
