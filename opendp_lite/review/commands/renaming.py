r"""New names for modules, functions and proofs, in code and in TeX.

Code is compared by what it means, in full names (see `compare`): each of these is
replaced by the old one, and then the digest must be that of what was read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set

import attrs

from opendp_lite.review.problems import ReviewError

_PAIR = re.compile(r"(\\(?:code|uses|proofof)\s*)\{([^}]*)\}(\s*)\{([^}]*)\}")
_LEMMA = re.compile(r"(\\(?:lemma|lemmaof)\s*)\{([^}]*)\}")
_NAMED = re.compile(r"(\\(?:fn|valid[A-Z]\w*)\s*)\{([^}]*)\}")
_FILE = re.compile(r"(\\fn\s*\{)([a-z_0-9/]+)\.py\}")
_LABELS = re.compile(
    r"(\\(?:ref|linelabel|by|pageref|autoref|[cC]ref|nameref)\s*)\{([^}]*)\}"
)


@attrs.frozen
class Renaming:
    """Old names to new ones: of modules and packages, of functions, of proofs.

    Functions are named `module:function`; proofs and their folders have a slash.
    """

    modules: dict[str, str]
    functions: dict[str, str]
    proofs: dict[str, str]

    def reversed(self) -> Renaming:
        """Return the renaming from the new names to the old ones."""
        tables = (self.modules, self.functions, self.proofs)
        return Renaming(*({new: old for old, new in t.items()} for t in tables))

    def header(self, header: str) -> str:
        """Return the new name of `module:function`; a method goes with its class."""
        module, _, name = header.partition(":")
        parts = name.split(".")
        for cut in range(len(parts), 0, -1):
            new = self.functions.get(f"{module}:{'.'.join(parts[:cut])}")
            if new is not None:
                return ".".join([new, *parts[cut:]])
        return f"{_by_prefix(self.modules, module, '.')}:{name}"

    def full_name(self, name: str) -> str:
        """Return the new full name of a definition, a constant or a module."""
        parts = name.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            header = f"{'.'.join(parts[:cut])}:{'.'.join(parts[cut:])}"
            for end in range(len(parts), cut, -1):
                new = self.functions.get(header)
                if new is not None:
                    return ".".join([new.replace(":", "."), *parts[end:]])
                header = header.rpartition(".")[0]
        return _by_prefix(self.modules, name, ".")

    def former(self, name: str, known: Set[str]) -> str:
        """Return the full old name of what has a name now.

        Where modules were joined, one of several old names must be among those that
        are `known`. A name that was given away stands for something new.
        """
        stays = self.full_name(name) == name
        found = self._sources(self.functions, name)
        if not found:
            found = self._sources(self.modules, name)
            if found and stays and _is_known(name, known):
                return name
        if len(found) > 1:
            likely = {old for old in found if _is_known(old, known)}
            if len(likely) != 1:
                raise ReviewError(
                    f"{name} may be what was {' or '.join(sorted(found))}. Give its "
                    "old and its new name too, as MODULE:NAME. Nothing was written."
                )
            found = likely
        if found:
            return found.pop()
        return name if stays else f"{name}, which is new"

    def _sources(self, table: dict[str, str], name: str) -> set[str]:
        """Return the names from which one of the tables leads to a full name."""
        dots = {
            old.replace(":", "."): new.replace(":", ".") for old, new in table.items()
        }
        found = {
            f"{old}{name[len(new) :]}"
            for old, new in dots.items()
            if f"{name}.".startswith(f"{new}.")
        }
        return {old for old in found if self.full_name(old) == name}

    def proof(self, name: str) -> str:
        """Return the new name of a proof, or of a premise, which may end in a part."""
        stem, bracket, part = name.partition("(")
        return _by_prefix(self.proofs, stem, "/") + bracket + part

    def tex(self, raw: str, functions: Iterable[str]) -> str:
        r"""Return TeX with the new names.

        Of the `functions` whose names change it rewrites labels and ``\fn`` as well.
        """
        raw = _PAIR.sub(self._pair, raw)
        raw = _LEMMA.sub(self._lemma, raw)
        raw = _FILE.sub(self._file, raw)
        short: dict[str, str] = {}
        for old in functions:
            before, after = old.partition(":")[2], self.header(old).partition(":")[2]
            if short.setdefault(before, after) != after:
                raise ReviewError(
                    f"{before} is the name of two functions that get different names, "
                    f"{short[before]} and {after}. Move one after the other."
                )
        if short:  # all at once, so that two functions may change places
            names = "|".join(map(re.escape, sorted(short, key=len, reverse=True)))
            begins = re.compile(rf"(?<![\w.])({names})(?=(?:\.[\w.]+)?:[a-z0-9-])")
            is_it = re.compile(rf"^\s*({names})(?=\s*$|\.)")
            for macro, name in ((_LABELS, begins), (_NAMED, is_it)):
                raw = macro.sub(_inside(name, short), raw)
        return raw

    def _pair(self, match: re.Match[str]) -> str:
        macro, module, space, name = match.groups()
        new = self.header(f"{module.strip()}:{name.strip()}")
        new_module, _, new_name = new.partition(":")
        return f"{macro}{{{new_module}}}{space}{{{new_name}}}"

    def _lemma(self, match: re.Match[str]) -> str:
        names = [self.proof(f"lemmas/{n.strip()}") for n in match.group(2).split(",")]
        inside = ",".join(name.removeprefix("lemmas/") for name in names)
        return f"{match.group(1)}{{{inside}}}"

    def _file(self, match: re.Match[str]) -> str:
        """Return the file of a module, which the package's folder is left out of."""
        macro, path = match.groups()
        old = path.replace("/", ".")
        for package in {name.partition(".")[0] for name in self.modules}:
            new = self.modules.get(f"{package}.{old}", f"{package}.{old}")
            path = new.removeprefix(f"{package}.").replace(".", "/")
        return f"{macro}{path}.py}}"


def _by_prefix(table: dict[str, str], name: str, dot: str) -> str:
    """Return a name with the longest beginning that has a new name replaced."""
    old, end = name, len(name)
    while old not in table:
        end = name.rfind(dot, 0, end)
        if end < 0:
            return name
        old = name[:end]
    return table[old] + name[end:]


def _is_known(name: str, known: Set[str]) -> bool:
    """Return whether a name, a part of it, or something within it is known."""
    return any(
        f"{name}.".startswith(f"{each}.") or f"{each}.".startswith(f"{name}.")
        for each in known
    )


def _inside(
    name: re.Pattern[str], new: dict[str, str]
) -> Callable[[re.Match[str]], str]:
    """Return what replaces names in the argument of a macro."""

    def replaced(match: re.Match[str]) -> str:
        inside = name.sub(lambda found: new[found.group(1)], match.group(2))
        return f"{match.group(1)}{{{inside}}}"

    return replaced


def renaming(names: Iterable[str]) -> Renaming:
    """Read OLD NEW OLD NEW ...: modules, `module:function`, or proofs with a slash."""
    given = list(names)
    if not given or len(given) % 2:
        raise ReviewError("give the names in pairs: OLD NEW, and perhaps more pairs.")
    found = Renaming({}, {}, {})
    for old, new in zip(given[::2], given[1::2], strict=True):
        kinds = {(":" in name, "/" in name) for name in (old, new)}
        if len(kinds) > 1 or kinds == {(True, True)}:
            raise ReviewError(
                f"{old} and {new} must both be modules, functions or proofs."
            )
        is_function, is_proof = kinds.pop()
        table = found.proofs if is_proof else found.functions if is_function else None
        table = found.modules if table is None else table
        table[old.strip("/").removesuffix(".tex")] = new.strip("/").removesuffix(".tex")
    return found
