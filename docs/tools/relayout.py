"""Move the modules to their new places, all at once, as `relayout.toml` lists them.

    python -m docs.tools.relayout            # move, and carry the records of the proofs
    python -m docs.tools.relayout --plan     # only check the list, and count

It works on every tree that has the modules of the list. It joins modules, rewrites
imports, dotted names and paths wherever they stand, moves the tests and the proofs, and
calls `opendp-lite proofs move` once. It is deleted when the moves are on main.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = "opendp_lite"
LIST = Path(__file__).with_suffix(".toml")
PYTHON = ("opendp_lite", "tests", "benchmarks", "docs", "examples", "proofs", "stubs")
# What tells the past, what `proofs move` writes, and the list itself.
UNTOUCHED = re.compile(
    r"CHANGELOG\.md|proofs/reviewed/|proofs/reviews\.toml|proofs/INDEX\.md"
    r"|proofs/trusted\.toml|benchmarks/results/|docs/tools/relayout\."
)
TEXTS = {".md", ".toml", ".yml", ".yaml", ".py", ".ipynb", ".cfg", ".sty", ".json", ""}


class Refused(Exception):
    """The list does not fit the tree."""


def full(name: str) -> str:
    """Return a full dotted name."""
    return f"{PACKAGE}.{name}" if name else PACKAGE


def short(name: str) -> str:
    """Return a name without that of the package."""
    return name.removeprefix(f"{PACKAGE}.")


def run(*command: str) -> str:
    """Return what a command prints."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"{' '.join(command[:4])} ...: {done.stdout}{done.stderr}")
    return done.stdout


# The list


class Layout:
    """Old modules and the files of the tree, and where each goes."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.edits: list[dict[str, Any]] = data.pop("edit", [])
        self.after: list[dict[str, Any]] = data.pop("after", [])
        self.docs: dict[str, str] = data.pop("docstrings", {})
        self.renames: dict[str, str] = data.pop("names", {})
        self.tests: dict[str, str] = data.pop("tests", {})
        self.keep_all: set[str] = set(data.pop("keep", {}).get("all", []))
        self.folders: dict[str, str] = data.pop("folders", {})
        self.parts: dict[str, list[str]] = {}
        self.inits: dict[str, str] = {}
        self.new_folders: dict[str, str] = {}
        self._read("", data)
        self.old = modules()
        self.to = self._targets()

    def _read(self, prefix: str, table: dict[str, Any]) -> None:
        for key, value in table.items():
            name = f"{prefix}.{key}".strip(".")
            if isinstance(value, dict):
                self._read(name, value)
            elif key == "init":
                self.inits[prefix] = value
            elif key == "doc":
                self.new_folders[prefix] = value
            else:
                self.parts[name] = value.split()

    def _targets(self) -> dict[str, str]:
        """Return the new name of each old module, without that of the package."""
        found: dict[str, str] = {}
        for new, olds in self.parts.items():
            for old in olds:
                if old in found or old not in self.old:
                    raise Refused(f"{old} is listed twice, or is not there")
                found[old] = new
        for new, old in self.inits.items():
            if old not in self.old:
                raise Refused(f"the folder {old} is not there")
            found[old] = new
        for name, path in self.old.items():
            if path.name != "__init__.py":
                found.setdefault(name, name)
        stray = [
            name
            for name, path in self.old.items()
            if path.name != "__init__.py"
            and found[name] == name
            and (folder := name.rpartition(".")[0])
            and (found.get(folder, folder) != folder or folder in self.folders)
        ]
        if stray:
            raise Refused(f"their folder goes, so name them in the list: {stray}")
        homes = {new.rpartition(".")[0] for new in found.values()}
        for name in self.old:
            if name not in found:  # a folder that is not listed
                gone = name and not any((h + ".").startswith(name + ".") for h in homes)
                if gone and name != "examples":
                    if len(self.old[name].read_text().splitlines()) > 12:
                        raise Refused(f"the folder {name} goes, and is not empty")
                else:
                    found[name] = name
        for name, new in self.folders.items():
            found.setdefault(name, new)
        return found

    def exports(self, folder: str, name: str) -> bool:
        """Return whether a folder exports something that has the name of a module."""
        path = self.old.get(short(folder) if folder != PACKAGE else "")
        if path is None or path.name != "__init__.py":
            return False
        return name in bound(ast.parse(path.read_text(encoding="utf-8")))

    def new(self, dotted: str) -> str:
        """Return the new form of a full dotted name of a module or of what is in it."""
        parts = dotted.split(".")[1:]
        for cut in range(len(parts), 0, -1):
            old = ".".join(parts[:cut])
            if old in self.to:
                rest = parts[cut:]
                if rest:
                    key = f"{old}:{rest[0]}"
                    if key in self.renames:
                        there, _, name = self.renames[key].partition(":")
                        return ".".join([full(there), name, *rest[1:]])
                return ".".join([full(self.to[old]), *rest])
        return dotted

    def name(self, module: str, name: str) -> tuple[str, str]:
        """Return the new module and the new name of something in an old module."""
        key = f"{short(module)}:{name}"
        if key in self.renames:
            there, _, new = self.renames[key].partition(":")
            return full(there), new
        return self.new(module), name


def modules() -> dict[str, Path]:
    """Return the modules by their names without that of the package."""
    found = {}
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        parts = path.relative_to(ROOT / PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


# Imports


def spans(text: str) -> list[int]:
    """Return where the lines of a text begin, in bytes."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    return starts


def replaced(text: str, changes: list[tuple[ast.AST, str]]) -> str:
    """Return a text with some nodes written anew."""
    raw, starts = text.encode(), spans(text)
    for node, new in sorted(changes, key=lambda each: -each[0].lineno):  # type: ignore[attr-defined]
        begin = starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        gone = raw[begin:end].decode()
        if "#" in gone:
            new += "  " + gone[gone.index("#") :].splitlines()[0]
        raw = raw[:begin] + new.encode() + raw[end:]
    return raw.decode()


def new_imports(
    layout: Layout, node: ast.ImportFrom | ast.Import, paths: dict[str, str]
) -> list[str] | None:
    """Return the statements that stand for an import, or None if it is the same."""
    if isinstance(node, ast.Import):
        names = [
            (_new_module(layout, each.name, paths), each.asname) for each in node.names
        ]
        if all(
            new == each.name for (new, _), each in zip(names, node.names, strict=True)
        ):
            return None
        return [f"import {new}" + (f" as {as_}" if as_ else "") for new, as_ in names]
    module = node.module or ""
    if node.level or not (is_own(module) or module.partition(".")[0] == "tests"):
        return None
    found: dict[str, list[str]] = defaultdict(list)
    for each in node.names:
        whole = f"{module}.{each.name}"
        if not is_own(module):
            home, name = _new_module(layout, module, paths), each.name
            if new := paths.get(whole.replace(".", "/") + ".py"):
                home, _, name = new[:-3].replace("/", ".").rpartition(".")
        elif short(whole) in layout.old and not layout.exports(module, each.name):
            home, _, name = layout.new(whole).rpartition(".")
        elif each.name == "*":
            home, name = layout.new(module), "*"
        else:
            home, name = layout.name(module, each.name)
        local = each.asname or each.name
        same = name == local and not each.asname
        found[home].append(name if same else f"{name} as {local}")
    before = {module: [ast.unparse(each) for each in node.names]}
    if dict(found) == before:
        return None
    return [f"from {home} import {', '.join(names)}" for home, names in found.items()]


def _new_module(layout: Layout, name: str, paths: dict[str, str]) -> str:
    if is_own(name):
        return layout.new(name)
    new = paths.get(name.replace(".", "/") + ".py")
    return new.removesuffix(".py").replace("/", ".") if new else name


def is_own(name: str) -> bool:
    """Return whether a dotted name is the package's."""
    return name == PACKAGE or name.startswith(f"{PACKAGE}.")


def with_new_imports(layout: Layout, text: str, paths: dict[str, str]) -> str:
    """Return a text of Python with all imports rewritten, wherever they stand."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text
    changes: list[tuple[ast.AST, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            new = new_imports(layout, node, paths)
            if new is not None:
                pad = "\n" + " " * node.col_offset
                changes.append((node, pad.join(new)))
    return replaced(text, changes)


def with_joined_imports(text: str) -> str:
    """Return a module in which what is imported from one place stands together."""
    tree = ast.parse(text)
    changes: list[tuple[ast.AST, str]] = []
    gone: list[ast.stmt] = []
    for block in (tree.body, *(n.body for n in tree.body if isinstance(n, ast.If))):
        first: dict[str, ast.ImportFrom] = {}
        names: dict[str, list[str]] = defaultdict(list)
        for node in block:
            if isinstance(node, ast.ImportFrom) and node.module:
                names[node.module] += [ast.unparse(each) for each in node.names]
                if first.setdefault(node.module, node) is not node:
                    gone.append(node)
        for module, node in first.items():
            if len(names[module]) > len(node.names):
                inside = "".join(f"        {each},\n" for each in names[module])
                changes.append((node, f"from {module} import (\n{inside}    )"))
    kept = replaced("".join(_in_place(text, gone)), changes)
    return re.sub(r"\n@@gone@@(?=\n)", "", kept)


def _in_place(text: str, gone: list[ast.stmt]) -> list[str]:
    """Return the lines of a text with marks where statements were."""
    lines = text.splitlines(keepends=True)
    for each in gone:
        for i in range(each.lineno - 1, each.end_lineno or each.lineno):
            lines[i] = "@@gone@@\n"
    return lines


# Texts


class Words:
    """Dotted names and paths in texts, and what they become."""

    def __init__(self, layout: Layout, paths: dict[str, str]) -> None:
        self.layout, self.paths = layout, paths
        self.dotted = re.compile(
            rf"(?<![\w./])({PACKAGE}|\{{(?:PACKAGE|OWN|_PACKAGE)\}})((?:\.[a-zA-Z_]\w*)+)"
            r"(:\w+)?"
        )
        # Names without that of the package, in quotes, with a dot at least.
        self.quoted = re.compile(r"(?<=[\"'`])((?:[a-z_]\w*\.)+[a-z_]\w*)(?=[\"'`:])")
        self.path = re.compile(r"(?<![\w.])((?:[\w-]+/)+[\w.-]*\w)")

    def __call__(self, text: str) -> str:
        text = self.dotted.sub(self._dotted, text)
        text = self.quoted.sub(self._quoted, text)
        return self.path.sub(self._path, text)

    def _dotted(self, match: re.Match[str]) -> str:
        root, rest, colon = match.groups()
        if colon is not None:
            module = rest.removeprefix(".")
            home, name = self.layout.name(full(module), colon[1:])
            return f"{root}.{short(home)}:{name}"
        new = self.layout.new(f"{PACKAGE}{rest}")
        return root + new.removeprefix(PACKAGE)

    def _quoted(self, match: re.Match[str]) -> str:
        name = match[1]
        if name.startswith("tests."):
            return self._test(name)
        return self.layout.to[name] if name in self.layout.old else name

    def _test(self, name: str) -> str:
        new = self.paths.get(name.replace(".", "/") + ".py")
        return new.removesuffix(".py").replace("/", ".") if new else name

    def _path(self, match: re.Match[str]) -> str:
        path = match[1]
        if path in self.paths:
            return self.paths[path]
        for root in ("", f"{PACKAGE}/"):
            if not path.startswith(root):
                continue
            rest = path.removeprefix(root)
            name = rest.removesuffix(".py").replace("/", ".")
            is_file = name in self.layout.old and (
                path.endswith(".py") or path.count("/") > 1
            )
            if is_file or (root and name in self.layout.to):
                ending = ".py" if path.endswith(".py") else ""
                return root + self.layout.to[name].replace(".", "/") + ending
        return path


# Joining


def docstring_node(tree: ast.Module) -> ast.Expr | None:
    """Return the docstring of a module, if it has one."""
    first = tree.body[0] if tree.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return first
    return None


def is_all(node: ast.stmt) -> bool:
    """Return whether a statement binds `__all__`."""
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) == "__all__"
    return isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "__all__"


def is_typing(node: ast.stmt) -> bool:
    """Return whether a statement is `if TYPE_CHECKING`."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def without_lines(text: str, nodes: Iterable[ast.stmt]) -> str:
    """Return a text without the lines of some statements."""
    lines = text.splitlines(keepends=True)
    for node in nodes:
        for i in range(node.lineno - 1, node.end_lineno or node.lineno):
            lines[i] = ""
    return "".join(lines)


def exports_imports(tree: ast.Module) -> bool:
    """Return whether `__all__` names something that the module has imported."""
    listed: set[str] = set()
    imported: set[str] = set()
    for node in tree.body:
        if is_all(node):
            value = node.value  # type: ignore[attr-defined]
            try:
                listed |= set(ast.literal_eval(value))
            except ValueError:
                return True
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imported |= {each.asname or each.name for each in node.names}
    return bool(listed & imported)


def without_all(text: str) -> str:
    """Return a module without `__all__`, unless it exports what it imports."""
    tree = ast.parse(text)
    if exports_imports(tree):
        return text
    return without_lines(text, [node for node in tree.body if is_all(node)])


def bound(tree: ast.Module) -> dict[str, str]:
    """Return the names that a module binds at its top, and what each stands for."""
    found: dict[str, str] = {}
    nodes = list(tree.body)
    for node in tree.body:
        if is_typing(node):
            nodes += node.body  # type: ignore[attr-defined]
    for node in nodes:
        if is_all(node):
            continue
        if isinstance(node, ast.ImportFrom):
            for each in node.names:
                name = each.asname or each.name
                found[name] = f"{node.module}.{each.name}"
        elif isinstance(node, ast.Import):
            for each in node.names:
                found[each.asname or each.name.split(".")[0]] = each.name
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = "here"
        else:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    found[inner.id] = "here"
    return found


def join(layout: Layout, new: str, texts: dict[str, str]) -> str:
    """Return one module made of several, whose imports are rewritten already."""
    future, imports, typed, bodies = False, [], [], []
    further: list[str] = []
    seen: dict[str, tuple[str, str]] = {}
    home = full(new)
    for old, text in texts.items():
        tree = ast.parse(text)
        for name, meaning in bound(tree).items():
            if meaning.startswith(f"{home}."):
                if meaning != f"{home}.{name}":
                    raise Refused(f"{old} imports {meaning} as {name} into {new}")
                continue
            other = seen.setdefault(name, (meaning, old))
            if other[0] != meaning or (meaning == "here" and other[1] != old):
                raise Refused(f"{name} means two things in {new}: in {other[1]}, {old}")
        gone: list[ast.stmt] = []
        said = docstring_node(tree)
        if said is not None:
            gone.append(said)
            further += (ast.get_docstring(tree) or "").split("\n\n")[1:]
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                future = True
                gone.append(node)
            elif isinstance(node, ast.ImportFrom) and node.module == home:
                gone.append(node)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                imports.append(source_of(text, node))
                gone.append(node)
            elif is_typing(node):
                if node.orelse:  # type: ignore[attr-defined]
                    raise Refused(f"{old} has an else beside TYPE_CHECKING")
                for each in node.body:  # type: ignore[attr-defined]
                    if not (isinstance(each, ast.ImportFrom) and each.module == home):
                        typed.append(source_of(text, each))
                gone.append(node)
            elif is_all(node) and not exports_imports(tree):
                gone.append(node)
        for inner in ast.walk(tree):
            if isinstance(inner, ast.ImportFrom) and inner.module == home:
                known = any(inner in getattr(each, "body", []) for each in gone)
                if inner.col_offset and not known:
                    raise Refused(f"{old} imports its own module {new} in a function")
        bodies.append(without_lines(text, gone).strip("\n"))
    runtime = {
        name
        for each in imports
        for node in ast.parse(each).body
        for name in bound(ast.Module([node], []))
    }
    typed = [each for each in typed if set(bound(ast.parse(each))) - runtime]
    if not typed:
        imports = [each for each in imports if "TYPE_CHECKING" not in each] + [
            f"from typing import {', '.join(kept)}"
            for each in imports
            if "TYPE_CHECKING" in each and (kept := typing_names(each))
        ]
    said_of_all = layout.docs.get(new)
    if said_of_all is None:
        raise Refused(f"the list says nothing about {new}, which is joined")
    if "\n" not in said_of_all.strip():  # then the other paragraphs of all parts follow
        said_of_all = "\n\n".join([said_of_all, *further])
    parts = [docstring(said_of_all)]
    if future:
        parts.append("from __future__ import annotations")
    parts.append("\n".join(dict.fromkeys(imports)))
    if typed:
        lines = "\n".join(dict.fromkeys(typed))
        parts.append("if TYPE_CHECKING:\n" + indented(lines))
    return (
        "\n\n".join(part for part in parts if part)
        + "\n\n"
        + "\n\n\n".join(bodies)
        + "\n"
    )


def typing_names(statement: str) -> list[str]:
    """Return what an import of `typing` brings beside TYPE_CHECKING."""
    node = ast.parse(statement).body[0]
    assert isinstance(node, ast.ImportFrom)
    return [each.name for each in node.names if each.name != "TYPE_CHECKING"]


def indented(text: str) -> str:
    """Return a text four blanks further right."""
    return "\n".join(f"    {line}" for line in text.splitlines())


def source_of(text: str, node: ast.stmt) -> str:
    """Return a statement with the comment behind it."""
    lines = text.splitlines()
    source = ast.unparse(node)
    comment = re.search(r"  (#\s*noqa.*)$", lines[(node.end_lineno or 1) - 1])
    return f"{source}  {comment[1]}" if comment else source


def renamed_in(layout: Layout, old: str, text: str) -> str:
    """Return the text of an old module with its own names as the list has them."""
    table = {
        key.partition(":")[2]: new.partition(":")[2]
        for key, new in layout.renames.items()
        if key.partition(":")[0] == old
    }
    table = {a: b for a, b in table.items() if a != b}
    tree = ast.parse(text)
    if not set(table) & {k for k, v in bound(tree).items() if v == "here"}:
        return text
    starts, raw = spans(text), text.encode()
    places: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in table:
            places.append((starts[node.lineno - 1] + node.col_offset, node.id))
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in table:
            if node.col_offset:
                continue
            begin = starts[node.lineno - 1]
            places.append((raw.index(node.name.encode(), begin), node.name))
        elif isinstance(node, ast.arg) and node.arg in table:
            raise Refused(f"{node.arg} is an argument in {old} too")
    for begin, name in sorted(set(places), reverse=True):
        raw = raw[:begin] + table[name].encode() + raw[begin + len(name.encode()) :]
    return raw.decode()


# Tests and proofs


def moves_of_tests(layout: Layout) -> dict[str, str]:
    """Return the old and new paths of tests; they mirror the package."""
    by_part: dict[tuple[str, str], list[str]] = defaultdict(list)
    for old, path in layout.old.items():
        if path.name != "__init__.py" and "." in old:
            by_part[old.split(".")[0], old.rpartition(".")[2]].append(old)
    found: dict[str, str] = {}
    taken: set[str] = set()
    for path in sorted((ROOT / "tests").rglob("*.py")):
        here = path.relative_to(ROOT).as_posix()
        folder = path.parent.relative_to(ROOT / "tests").as_posix().replace("/", ".")
        if here in layout.tests:
            new = layout.tests[here]
        elif folder in ("", ".") or folder.split(".")[0] in (
            "contracts",
            "data",
            "guard",
            "kinds",
            "site",
            "benchmarks",
        ):
            new = here
        else:
            new = _test_place(layout, folder, path.name, by_part)
        if new in taken:
            raise Refused(f"two tests would be {new}")
        taken.add(new)
        found[here] = new
    return {old: new for old, new in found.items() if old != new}


def _test_place(
    layout: Layout, folder: str, name: str, by_part: dict[tuple[str, str], list[str]]
) -> str:
    about = name.removeprefix("test_").removesuffix(".py")
    exact = f"{folder}.{about}"
    olds = [exact] if exact in layout.old else by_part[folder.split(".")[0], about]
    if name.startswith("test_") and len(olds) == 1 and olds[0] in layout.to:
        new = layout.to[olds[0]]
        home = new.rpartition(".")[0].replace(".", "/")
        alone = layout.parts.get(new, [olds[0]]) == olds
        about = new.rpartition(".")[2] if alone else about
        return f"tests/{home}/test_{about}.py".replace("//", "/")
    home = layout.to.get(folder, folder).replace(".", "/")
    return f"tests/{home}/{name}"


def moves_of_proofs(layout: Layout) -> dict[str, str]:
    """Return the old and new names of proofs: each is in the part of its subject."""
    found = {}
    for path in sorted((ROOT / "proofs").rglob("*.tex")):
        name = path.relative_to(ROOT / "proofs").with_suffix("").as_posix()
        if name.split("/")[0] in ("lemmas", "build", "reviewed"):
            continue
        subject = re.search(r"\\proofof\{([^}]*)\}", path.read_text(encoding="utf-8"))
        if subject is None:
            continue
        module = subject[1].strip()
        before, after = (each.split(".")[1] for each in (module, layout.new(module)))
        parts = name.split("/")
        if parts[0] == before and before != after:
            found[name] = "/".join([after, *parts[1:]])
    return found


_UP = re.compile(
    r"(Path\(__file__\)(?:\.resolve\(\))?)(?:\.parents\[(\d+)\]|((?:\.parent)+)\b)"
)


def with_new_depth(text: str, old: str, new: str) -> str:
    """Return the text of a test that climbs as far as before, from its new place."""
    depth = old.count("/")
    further = new.count("/") - depth

    def climb(match: re.Match[str]) -> str:
        steps = int(match[2]) + 1 if match[2] else match[3].count(".parent")
        if steps < depth or not further:
            return match[0]
        return f"{match[1]}.parents[{steps + further - 1}]"

    return _UP.sub(climb, text)


# Doing it


def git_files() -> list[Path]:
    """Return all files that git follows."""
    names = run("git", "ls-files", "--cached", "--others", "--exclude-standard")
    return [ROOT / name for name in names.splitlines() if (ROOT / name).is_file()]


def edit(changes: list[dict[str, Any]], lost: list[str]) -> None:
    """Replace texts in files, and note those that are not there."""
    for each in changes:
        path = ROOT / each["file"]
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if "delete" in each:
            run("git", "rm", "-q", "-f", each["file"])
            continue
        if text.count(each["old"]) != 1:
            lost.append(f"{each['file']}: {each['old'][:60]!r} is not there once")
            continue
        path.write_text(text.replace(each["old"], each["new"]), encoding="utf-8")


def write(layout: Layout) -> None:
    """Move everything."""
    lost: list[str] = []
    edit(layout.edits, lost)
    tests, proofs = moves_of_tests(layout), moves_of_proofs(layout)
    paths = dict(tests)
    for old, new in tests.items():
        if old.rpartition("/")[2].startswith("test_"):
            paths[old.removeprefix("tests/")] = new.removeprefix("tests/")
    for old, new in proofs.items():
        for ending in ("", ".tex"):
            paths[old + ending] = new + ending
            paths[f"proofs/{old}{ending}"] = f"proofs/{new}{ending}"
    checks = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "proofs").rglob("checks_*.py")
    }
    for old in sorted(checks):
        part = old.split("/")[1]
        if part in layout.folders or part in layout.inits.values():
            new = layout.to[part]
            paths[old] = old.replace(f"/{part}/", f"/{new}/")
    words = Words(layout, paths)

    # The texts of all files, with new imports and new names in them.
    new_texts: dict[Path, str] = {}
    for path in git_files():
        name = path.relative_to(ROOT).as_posix()
        if UNTOUCHED.search(name) or path.suffix not in TEXTS:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        new = text
        if path.suffix == ".py":
            module = next((m for m, p in layout.old.items() if p == path), None)
            if module is not None:
                new = renamed_in(layout, module, new)
            new = with_new_imports(layout, new, paths)
            if name in tests:
                new = with_new_depth(new, name, tests[name])
        new = words(new)
        if new != text or path in layout.old.values():
            new_texts[path] = new

    # The package.
    package: dict[str, str] = {}
    sources: dict[str, Path] = {}
    for new, olds in layout.parts.items():
        texts = {old: new_texts[layout.old[old]] for old in olds}
        if len(texts) > 1:
            package[new] = join(layout, new, texts)
            largest = max(olds, key=lambda old: len(texts[old]))
            sources[new] = layout.old[largest]
        elif layout.old[olds[0]].name != "__init__.py":
            package[new] = texts[olds[0]]
            sources[new] = layout.old[olds[0]]
        else:  # a folder becomes a module
            package[new] = texts[olds[0]]
            sources[new] = layout.old[olds[0]]
    for old, path in layout.old.items():
        if path.name != "__init__.py" and layout.to[old] not in package:
            package[old], sources[old] = new_texts[path], path
    inits: dict[str, str] = {"": new_texts[layout.old[""]]}
    for new, old in layout.inits.items():
        inits[new] = new_texts[layout.old[old]]
        sources[f"{new}/"] = layout.old[old]
    for new, said in layout.new_folders.items():
        inits[new] = f'"""{said}"""\n'
    for name in [*package, "examples.x"]:
        while "." in name:
            name = name.rpartition(".")[0]
            if name not in inits:
                inits[name] = new_texts[layout.old[name]]
                sources[f"{name}/"] = layout.old[name]
    for new, said in layout.docs.items():
        if new in inits:
            inits[new] = with_docstring(inits[new], said)
        elif new in package:
            if len(layout.parts.get(new, ())) < 2:  # else `join` has written it
                package[new] = with_docstring(package[new], said)
        else:
            lost.append(f"docstring of {new}")
    for new in package:
        if "." not in new:
            package[new] = with_joined_imports(package[new])
        if new not in layout.keep_all and "." in new:
            package[new] = without_all(package[new])
    for new in inits:
        inits[new] = with_joined_imports(inits[new])
        if new not in layout.keep_all and new:
            inits[new] = without_all(inits[new]).rstrip("\n") + "\n"

    # Files move with git, so that their history goes on.
    targets = {new: ROOT / PACKAGE / (new.replace(".", "/") + ".py") for new in package}
    for new in inits:
        targets[f"{new}/"] = ROOT / PACKAGE / new.replace(".", "/") / "__init__.py"
    stays = set(targets.values())
    moved: set[Path] = set()
    waiting = []
    for new, source in sources.items():
        target = targets[new]
        if source != target and source not in moved:
            moved.add(source)
            waiting.append((source, target))
    for i, (source, _) in enumerate(waiting):
        run("git", "mv", "-f", str(source), str(ROOT / f".relayout_{i}"))
    for path in layout.old.values():
        if path not in stays and path.exists():
            run("git", "rm", "-q", "-f", str(path))
    for i, (_, target) in enumerate(waiting):
        target.parent.mkdir(parents=True, exist_ok=True)
        run("git", "mv", "-f", str(ROOT / f".relayout_{i}"), str(target))
    for new, text in (*package.items(), *((f"{n}/", t) for n, t in inits.items())):
        targets[new].parent.mkdir(parents=True, exist_ok=True)
        targets[new].write_text(text, encoding="utf-8")
    for path, text in new_texts.items():
        if path not in layout.old.values():
            path.write_text(text, encoding="utf-8")
    for old, new in paths.items():
        mine = old.startswith(("proofs/", "tests/")) and (ROOT / old).is_file()
        if mine and old != new:
            (ROOT / new).parent.mkdir(parents=True, exist_ok=True)
            run("git", "mv", old, new)
    remove_empty(ROOT / PACKAGE)
    remove_empty(ROOT / "tests")
    remove_empty(ROOT / "proofs")
    run("git", "add", "-A")
    ruff()
    edit(layout.after, lost)
    ruff()
    run("git", "add", "-A")
    names = [
        word
        for old, new in sorted(layout.to.items())
        if old and old != new
        for word in (full(old), full(new))
    ]
    for old, new in layout.renames.items():
        names += [full(old), full(new)]
    for old, new in proofs.items():
        names += [old, new]
    print(run(sys.executable, "-m", f"{PACKAGE}.cli", "proofs", "move", *names))
    run("git", "add", "-A")
    if lost:
        raise Refused("not found:\n" + "\n".join(lost))


def with_docstring(text: str, said: str) -> str:
    """Return a module with another docstring."""
    node = docstring_node(ast.parse(text))
    new = docstring(said)
    return replaced(text, [(node, new)]) if node is not None else f"{new}\n\n{text}"


def docstring(said: str) -> str:
    """Return the source of a docstring."""
    said = said.strip()
    raw = "r" if "\\" in said else ""
    return f'{raw}"""{said}\n"""' if "\n" in said else f'{raw}"""{said}"""'


def ruff() -> None:
    """Sort imports, and format."""
    command = [sys.executable, "-m", "ruff"]
    quiet = {"cwd": ROOT, "capture_output": True}
    subprocess.run([*command, "check", "--fix", "--select", "I", "."], **quiet)  # type: ignore[call-overload]
    subprocess.run([*command, "format", "."], **quiet)  # type: ignore[call-overload]


def remove_empty(top: Path) -> None:
    """Remove folders without files."""
    for folder in sorted(top.rglob("*"), reverse=True):
        if folder.is_dir():
            cache = folder / "__pycache__"
            left = [each for each in folder.iterdir() if each != cache]
            if not left and folder.name != "__pycache__":
                if cache.exists():
                    for each in cache.iterdir():
                        each.unlink()
                    cache.rmdir()
                folder.rmdir()


def plan(layout: Layout) -> Iterator[str]:
    """Yield what the list makes of the tree."""
    lines: Counter[str] = Counter()
    for old, path in layout.old.items():
        if path.name != "__init__.py":
            lines[layout.to[old]] += len(path.read_text().splitlines())
    yield f"{len(lines)} modules"
    for old, new in sorted(moves_of_tests(layout).items()):
        yield f"{old} -> {new}"
    for old, new in moves_of_proofs(layout).items():
        yield f"proofs/{old} -> {new}"


def main() -> None:
    """Move, or show what would be moved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", action="store_true")
    options = parser.parse_args()
    layout = Layout(tomllib.loads(LIST.read_text(encoding="utf-8")))
    if options.plan:
        print("\n".join(plan(layout)))
    else:
        write(layout)


if __name__ == "__main__":
    try:
        main()
    except Refused as error:
        sys.exit(str(error))
