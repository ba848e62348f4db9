"""The libraries that take part, loaded when a row needs them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from attrs import frozen

from benchmarks.harness import OURS, Absent

__all__ = ["PEERS", "Peer", "absentees", "load", "versions"]


@frozen
class Peer:
    """A library: the name it is distributed under, and the module to import."""

    distribution: str
    module: str


PEERS: Mapping[str, Peer] = {
    OURS: Peer("opendp-lite", "opendp_lite.prelude"),
    "OpenDP": Peer("opendp", "opendp.prelude"),
    "PyDP": Peer("python-dp", "pydp"),
    "diffprivlib": Peer("diffprivlib", "diffprivlib"),
    "dp-accounting": Peer("dp-accounting", "dp_accounting"),
    "numpy": Peer("numpy", "numpy"),
}

# They decide how the peers run, and are named beside them.
_BESIDES = ("scikit-learn", "scipy", "gmpy2", "cryptography")


def load(name: str, peers: Mapping[str, Peer] = PEERS, submodule: str = "") -> Any:
    """The library, ready for use, or one of its modules.

    Absent says that it is not installed, or that it is and cannot be imported.
    """
    peer = peers[name]
    try:
        found = version(peer.distribution)
    except PackageNotFoundError:
        # A source tree on the path has no distribution; ours may be run so.
        found = ""
    try:
        # The whole first: where its import fails, parts of it may stay loaded, and
        # a library that is called absent must not be measured through them.
        library = import_module(peer.module)
        if submodule:
            library = import_module(f"{peer.module}.{submodule}")
    except ImportError as error:
        if found:
            kind = type(error).__name__
            raise Absent(f"{name} {found} does not import ({kind})") from None
        raise Absent(f"{name} is not installed") from None
    if hasattr(library, "enable_features"):
        library.enable_features("contrib")
    return library


def versions(peers: Mapping[str, Peer] = PEERS) -> dict[str, str | None]:
    """The version of every library, None for those that are not installed."""
    names = {name: peer.distribution for name, peer in peers.items()}
    names |= {name: name for name in _BESIDES}
    found: dict[str, str | None] = {}
    for name, distribution in names.items():
        try:
            found[name] = version(distribution)
        except PackageNotFoundError:
            found[name] = _own_version() if name == OURS else None
    return found


def _own_version() -> str:
    return str(import_module("opendp_lite").__version__)


def absentees(peers: Mapping[str, Peer] = PEERS) -> dict[str, str]:
    """Why each library that cannot take part cannot."""
    reasons = {}
    for name in peers:
        try:
            load(name, peers)
        except Absent as absent:
            reasons[name] = str(absent)
    return reasons
