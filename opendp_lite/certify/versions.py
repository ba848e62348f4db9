"""The versions of all that is trusted and not proved."""

from __future__ import annotations

import hashlib
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import gmpy2

from opendp_lite import __version__
from opendp_lite.certify.format import canonical
from opendp_lite.review.code.library import Library

__all__ = ["versions"]

_ENGINES = ("duckdb", "narwhals", "pandas", "polars", "pyarrow", "pyspark")


def versions(tables: bool = False) -> dict[str, str | None]:
    """Return the versions of what the guarantee rests on beside the proofs.

    :param tables: whether engines compute the exact numbers of tables

    >>> sorted(versions())[:3]
    ['GMP', 'MPFR', 'OpenSSL']
    """
    found: dict[str, str | None] = {
        "opendp_lite": __version__,
        "opendp_lite, all files": _files(),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "gmpy2": gmpy2.version(),
        "GMP": _last(gmpy2.mp_version()),
        "MPFR": _last(gmpy2.mpfr_version()),
        "OpenSSL": _openssl(),
    }
    names = ("attrs", "cryptography", "numpy", *(_ENGINES if tables else ()))
    return found | {name: _installed(name) for name in names}


def _files() -> str:
    """Return the digest of all files of the package, those that no proof quotes too."""
    library = Library(__name__.partition(".")[0])
    texts = {name: library.module(name) for name in library.names}
    lines = {name: "" if each is None else each.text for name, each in texts.items()}
    return hashlib.sha256(canonical(lines).encode()).hexdigest()


def _last(text: str) -> str:
    return text.rpartition(" ")[2]


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _openssl() -> str | None:
    """Return the OpenSSL that draws in bulk: that of the package cryptography."""
    try:
        from cryptography.hazmat.backends.openssl import backend
    except ImportError:
        return None
    here: Any = backend
    return str(here.openssl_version_text())
