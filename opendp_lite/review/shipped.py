"""Where the library's own proofs are, and where what is made of them is kept.

In the repository they are the folder `proofs` beside the package. A wheel carries a
copy inside the package (see force-include in pyproject.toml), which nothing is ever
written into: PDFs and kept answers go to the user's cache.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from opendp_lite.review.problems import ReviewError

_PACKAGE = Path(__file__).resolve().parents[1]
SHIPPED = _PACKAGE / "proofs"
"""The copy that a wheel carries; there is none in the repository."""


def proofs_folder() -> Path:
    """Return the folder of the proofs of this library.

    It is the copy inside the package where there is one, else the folder of the
    repository.
    """
    for folder in (SHIPPED, _PACKAGE.parent / "proofs"):
        if (folder / "opendp-lite.sty").is_file():
            return folder
    raise ReviewError(
        f"the proofs of opendp_lite are not beside the package in {_PACKAGE}. Install "
        "it again, from a wheel or from the repository."
    )


def is_shipped(folder: Path) -> bool:
    """Return whether a folder of proofs is the copy in a wheel, which is only read."""
    return folder.resolve() == SHIPPED


def cache_folder() -> Path:
    """Return the folder of the user's where this version may keep what it makes."""
    given = os.environ.get("XDG_CACHE_HOME")
    try:
        if given and os.path.isabs(given):
            folder = Path(given)
        elif sys.platform == "win32":
            local = os.environ.get("LOCALAPPDATA")
            folder = Path(local) if local else Path.home() / "AppData" / "Local"
        elif sys.platform == "darwin":
            folder = Path.home() / "Library" / "Caches"
        else:
            folder = Path.home() / ".cache"
    except RuntimeError:
        raise ReviewError(
            "there is no home folder to keep PDFs in. Set XDG_CACHE_HOME to a folder."
        ) from None
    try:
        return folder / "opendp-lite" / version("opendp-lite")
    except PackageNotFoundError:
        return folder / "opendp-lite" / "unversioned"


def build_folder(folder: Path) -> Path:
    """Return where what is made of a folder of proofs is kept: PDFs, answers.

    It is the folder `build` in it, and for the proofs in a wheel one of the user's.

    :param folder: the folder of the proofs
    """
    if is_shipped(folder):
        cache = cache_folder()
        _check_own(cache.parent)
        return cache / "proofs"
    return folder / "build"


def _check_own(folder: Path) -> None:
    """Make the folder for this user alone, or refuse one that others can write into.

    They could put a PDF there that is not that of the proof, or an answer that all is
    in order.
    """
    with suppress(OSError):  # then nothing is kept
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700)
    if not os.path.lexists(folder) or not hasattr(os, "getuid"):
        return
    found = os.lstat(folder)
    others = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or others:
        raise ReviewError(
            f"{folder}: is not a folder of yours into which nobody else can write, and "
            "what is kept there is shown as proved. Remove it, or set XDG_CACHE_HOME "
            "to a folder of your own."
        )
