"""A package and its folder of proofs: what the reviewer reads, read once."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import attrs

from opendp_lite.core.registry import REGISTRY
from opendp_lite.review.code.compare import Reviewed
from opendp_lite.review.code.dependencies import Dependencies
from opendp_lite.review.code.library import Library
from opendp_lite.review.code.quoting import (
    Quote,
    find,
    listing_letters,
    quote,
    without_registration,
)
from opendp_lite.review.history import History
from opendp_lite.review.problems import ReviewError
from opendp_lite.review.rules.premises import premise_digest, used_parts
from opendp_lite.review.shipped import build_folder, proofs_folder
from opendp_lite.review.tex.texfile import (
    Reference,
    TexFile,
    read_tex,
    statement_digest,
)

STYLE = "opendp-lite.sty"
TRUSTED = "trusted.toml"
DOORS = "lemmas/doors"
"""The lemma about what stands around every constructor, where a project has one."""
_NOT_PROOFS = {"build", "reviewed"}


@attrs.frozen
class Registered:
    """A constructor of the registry, as its decorator describes it."""

    module: str
    name: str
    proof: str | None
    status: str
    human_verified: tuple[str, ...]


@attrs.frozen
class Trusted:
    """An entry of trusted.toml: a definition that needs no proof, and why.

    Of a class, only the methods that are listed are trusted with it. `assumptions` are
    the names of what is assumed of it, which the proofs that reach it must mention.
    """

    name: str
    reason: str
    methods: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()

    @property
    def covers(self) -> tuple[str, ...]:
        """The full names of all that is trusted by this entry."""
        return (self.name, *(f"{self.name}.{each}" for each in self.methods))


def read_toml(path: Path) -> dict[str, Any]:
    """Return the contents of a TOML file; nothing if there is none."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise ReviewError(f"{path} is not valid TOML: {error}.") from None


def _trusted(
    name: str, reason: str = "", methods: Any = (), assumptions: Any = ()
) -> Trusted:
    for each in (methods, assumptions):
        if isinstance(each, str) or not all(isinstance(part, str) for part in each):
            raise TypeError("must be a list of texts")
    return Trusted(str(name), str(reason), tuple(methods), tuple(assumptions))


@attrs.frozen(slots=False, eq=False)
class Project:
    """A package, its proofs, and caches of everything that is derived from them."""

    package: str
    folder: Path
    library: Library = attrs.field()
    _quotes: dict[tuple[str, str], Quote] = attrs.field(factory=dict, init=False)
    _reviewed: dict[tuple[str, str], Reviewed] = attrs.field(factory=dict, init=False)
    _dependencies: dict[tuple[str, str], Dependencies] = attrs.field(
        factory=dict, init=False
    )

    @library.default
    def _library(self) -> Library:
        return Library(self.package)

    @cached_property
    def build(self) -> Path:
        """Where PDFs and kept answers are: never in an installed package."""
        return build_folder(self.folder)

    @cached_property
    def files(self) -> dict[str, TexFile]:
        """All proofs and lemmas by name."""
        if not self.folder.is_dir():
            raise ReviewError(
                f"there is no folder {self.folder}. Run the command where the proofs "
                "are, or name their folder with --proofs."
            )
        found = {}
        for path in sorted(self.folder.rglob("*.tex")):
            relative = path.relative_to(self.folder)
            if relative.parts[0] not in _NOT_PROOFS:
                name = relative.as_posix().removesuffix(".tex")
                found[name] = read_tex(self.folder, name)
        return found

    @cached_property
    def proofs(self) -> dict[str, TexFile]:
        """The proofs by name, lemmas left out."""
        return {name: tex for name, tex in self.files.items() if not tex.is_lemma}

    @cached_property
    def lemmas(self) -> dict[str, TexFile]:
        """The lemmas by name; the names begin with `lemmas/`."""
        return {name: tex for name, tex in self.files.items() if tex.is_lemma}

    def full_name(self, given: str) -> str:
        """Return the name of a proof that may be given without its folder."""
        given = given.removesuffix(".tex")
        fits = [n for n in self.files if n == given or n.rpartition("/")[2] == given]
        if given in fits or len(fits) == 1:
            return given if given in fits else fits[0]
        if not fits:
            names = {each for n in self.files for each in (n, n.rpartition("/")[2])}
            near = get_close_matches(given, sorted(names), n=1)
            meant = f" Is {near[0]} meant?" if near else ""
            raise ReviewError(f"there is no proof {given!r} in {self.folder}.{meant}")
        raise ReviewError(
            f"{given!r} may be any of {', '.join(fits)}: give one of them."
        )

    @cached_property
    def style(self) -> Path | None:
        """The style file: the folder's own, or the one that comes with the library."""
        for folder in (self.folder, proofs_folder()):
            if (folder / STYLE).is_file():
                return folder / STYLE
        return None

    @cached_property
    def style_text(self) -> str:
        """The text of the style file."""
        return "" if self.style is None else self.style.read_text(encoding="utf-8")

    @cached_property
    def letters(self) -> frozenset[str]:
        """The letters beyond ASCII that quoted code may contain."""
        return listing_letters(self.style_text)

    def premises(
        self, tex: TexFile, rests: set[str], calls: Mapping[str, set[str]] | None = None
    ) -> dict[str, str]:
        """Return digests of what a proof takes for granted: what the proofs and lemmas
        that it rests on state, and what the style file says in its postcondition.

        `calls` leads from a lemma to the functions that it states and the code calls.
        """
        stated = {}
        for name in sorted(rests):
            called = (calls or {}).get(name, set())
            parts = used_parts(tex, self.files[name], called)
            if name == DOORS and not tex.is_lemma:
                parts = []  # a constructor rests on all of it, whatever it cites
            for part in parts or [""]:
                key = f"{name}({part})" if part else name
                stated[key] = premise_digest(self.files[name], part)
        for macro, _ in tex.postconditions:
            digest = statement_digest(self.style_text, macro)
            stated[f"{STYLE}:{macro}"] = digest
        return stated

    @cached_property
    def registered(self) -> dict[str, Registered]:
        """The constructors of the package by dotted name; imports their modules."""
        for name in self.library.names:
            self._import(name)
        return self._registry()

    def registration(self, name: str) -> Registered | None:
        """Return the constructor of a dotted name, if it is one; imports its module."""
        if "registered" in vars(self):
            return self.registered.get(name)
        module, _ = self.library.split(name)
        if module is not None:
            self._import(module.name)
        return self._registry().get(name)

    def _import(self, name: str) -> None:
        module = self.library.module(name)
        if module is not None and "constructor" in module.text:
            try:
                importlib.import_module(name)
            except Exception as error:
                raise ReviewError(
                    f"the module {name} cannot be imported: {error!r}. Mend it, and "
                    "install what it needs."
                ) from error

    def _registry(self) -> dict[str, Registered]:
        found = {}
        for key, entry in REGISTRY.items():
            module_name, _, qualname = key.partition(":")
            if self.library.owns(module_name):
                found[f"{module_name}.{qualname}"] = Registered(
                    module_name,
                    qualname,
                    getattr(entry, "proof", None),
                    getattr(entry, "status", "draft"),
                    tuple(entry.human_verified),
                )
        return found

    @cached_property
    def trusted(self) -> dict[str, Trusted]:
        """What is taken on trust, by name."""
        path = self.folder / TRUSTED
        entries = read_toml(path).get("trusted", [])
        try:
            found = [_trusted(**each) for each in entries]
        except TypeError:
            raise ReviewError(
                f"{path} must hold [[trusted]] tables, each with a name and a reason, "
                "and perhaps with lists of methods and of assumptions."
            ) from None
        twice = {a.name for a, b in combinations(found, 2) if a.name == b.name}
        if twice:
            raise ReviewError(f"{path} names {min(twice)} twice. Make it one entry.")
        return {each.name: each for each in found}

    def quote(self, reference: Reference) -> Quote:
        """Return what a quote prints."""
        key = (reference.module, reference.name)
        if key not in self._quotes:
            self._quotes[key] = quote(self.library, *key, self.letters)
        return self._quotes[key]

    def reviewed(self, reference: Reference) -> Reviewed:
        """Return a quoted function with all that is read of it."""
        key = (reference.module, reference.name)
        if key not in self._reviewed:
            self._reviewed[key] = Reviewed(self.library, *key)
        return self._reviewed[key]

    def digests(self, tex: TexFile) -> dict[str, str]:
        """Return the digests of all that a proof quotes, by the names of functions."""
        return {f"{q.module}:{q.name}": self.reviewed(q).digest for q in tex.quotes}

    @cached_property
    def history(self) -> History:
        """What was recorded, as git has it."""
        return History(self.package, self.folder)

    def dependencies(self, reference: Reference) -> Dependencies:
        """Return what a quoted function reaches outside itself."""
        key = (reference.module, reference.name)
        if key not in self._dependencies:
            module = self.library.module(reference.module)
            if module is None:
                raise ReviewError(f"there is no module {reference.module}.")
            *around, node = find(module, reference.name)
            node = without_registration(node, self.library, module.name)
            self._dependencies[key] = Dependencies(
                self.library, module, node, tuple(around)
            )
        return self._dependencies[key]
