"""A pytest plugin that leaves out files whose tests passed on the same code before.

`make test` loads it by `-p tests.kept`; `make test FRESH=1` empties what is kept first,
and `make audit` and a plain `pytest` do not load it. What passed stands in
.cache/tests.json, which is never committed.

A file of tests is left out when all of its tests passed in a run of the whole suite,
and nothing that they depend on has changed since: the file, its doctests, every module
and every file of data in its closure (tests/closure.py), pytest's configuration, the
plugins of this repository, the versions of Python, of TeX and of all that is installed,
the platform, and the variables of the environment that these read. The closure is found
from the syntax, so the run itself is watched too. A file whose tests read anything of
the repository beyond the closure, list its folders, or start programs depends on the
whole repository; so does one that uses a module which was seen to do this.

What is not known is run: nothing is answered, and nothing kept, if the command line
selects tests; no file is kept of which a test failed, was skipped, could not be
collected or did not report, of which one ran in a process that died, or that depends on
what somebody worked on during the run. All others are kept, whatever became of these.

Statistical tests are kept like others: they passed on this code, with a flakiness that
was counted in the run in which they did, and FRESH=1 draws again. So are properties,
although hypothesis chooses among the constants of all modules that are loaded: each of
its choices is a fair one.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.closure import Repository

__all__ = ["Watch", "environment", "pytest_configure", "read", "selection"]

KEPT = ".cache/tests.json"
_HARMLESS = re.compile(
    r"-[qv]+|-p|tests\.kept|-n|auto|\d+|--dist|worksteal|load|--durations=\d+"
    r"|--junitxml=.+"
)
_VARIABLES = re.compile(r"PYTHON|HYPOTHESIS|OPENDP|OPENBLAS|OMP|MKL|LC_|LANG|TZ$|TEX")
_PROGRAMS = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn"}
_LISTS = {"os.listdir", "os.scandir"}
_HEARD = frozenset({"open"} | _LISTS | _PROGRAMS)
_ALL = "*"  # in place of a file: any of them
_IMPORTING = "<frozen importlib"
_CONSTANTS = os.path.join("hypothesis", "internal", "constants_ast.py")

Seen = dict[str, set[tuple[str, str]]]  # file of tests -> (who read, what was read)


def pytest_configure(config: pytest.Config) -> None:
    """Begin to watch, in every process, and to keep, in the first."""
    given = getattr(config, "workerinput", None)
    if given is not None and "answered" not in given:
        return  # the first process keeps nothing
    if given is not None:
        keeper: Any = _Worker(config, set(given["answered"]))
    elif reason := selection(config.invocation_params.args, os.environ):
        keeper = _Idle(reason)
    else:
        keeper = _Keeper(config)
    config.pluginmanager.register(keeper, "kept")


def selection(arguments: tuple[str | os.PathLike[str], ...], variables: Any) -> str:
    """Return what may select tests on the command line, or nothing."""
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        if variables.get(name):
            return name
    strange = (str(a) for a in arguments if not _HARMLESS.fullmatch(str(a)))
    return next(strange, "")


def environment() -> str:
    """Return what the result of a test depends on beside the repository."""
    tex = ""
    if shutil.which("pdflatex"):
        command = ["pdflatex", "--version"]
        tex = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = importlib.metadata.distributions()
    # The lines that name it and its version: to have them parsed takes long.
    texts = (each.read_text("METADATA") or each.read_text("PKG-INFO") for each in found)
    installed = sorted({(text or "").partition("\n\n")[0] for text in texts})
    variables = {k: v for k, v in os.environ.items() if _VARIABLES.match(k)}
    parts = [sys.version, repr(sys.flags), platform.platform(), installed, tex]
    return json.dumps([*parts, sorted(variables.items())])


def read(path: Path) -> dict[str, dict[str, Any]]:
    """Return what is kept; nothing, if it cannot be read as it was written."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        kept = json.loads(path.read_text(encoding="utf-8"))
        types = {"digest": str, "wide": bool, "tests": int}
        for each in kept.values():
            if {name: type(value) for name, value in each.items()} != types:
                return {}
        return dict(kept)
    return {}


class Digests:
    """The digests of files of tests and of all that they depend on."""

    def __init__(self, root: Path) -> None:
        """Read the repository; `root` is its folder."""
        self.repository = Repository(root)
        self.contents = {
            path: hashlib.sha256(content).hexdigest()
            for path, content in self.repository.files.items()
        }
        self.environment = environment()

    @cached_property
    def loaded(self) -> dict[str, set[str]]:
        """What each file of tests and the plugins of this repository can load."""
        settings = tomllib.loads(self.repository.files["pyproject.toml"].decode())
        points = settings.get("project", {}).get("entry-points", {})
        plugins = self._closures_of(points.get("pytest11", {}).values())
        paths = settings["tool"]["pytest"]["ini_options"]["testpaths"]
        folders = tuple(f"{path}/" for path in paths)
        tests = [path for path in self.contents if path.startswith(folders)]
        return {
            path: self.repository.closure(path) | plugins
            for path in tests
            if path.endswith(".py")
        }

    @cached_property
    def closures(self) -> dict[str, set[str]]:
        """What each file of tests depends on, which takes seconds to find."""
        this = self._closures_of(["tests.kept"]) | {"pyproject.toml"}
        return {path: loaded | this for path, loaded in self.loaded.items()}

    def _closures_of(self, modules: Iterable[str]) -> set[str]:
        """The closures of those of these modules that are in the repository."""
        known = self.repository.modules
        paths = [known[module] for module in modules if module in known]
        return set[str]().union(*map(self.repository.closure, paths))

    @cached_property
    def lines(self) -> dict[str, str]:
        """The name and the digest of each file, in their order."""
        return {f: f"{f} {self.contents[f]}" for f in sorted(self.contents)}

    @cached_property
    def whole(self) -> str:
        """The lines of all files."""
        return "\n".join(self.lines.values())

    @cached_property
    def around(self) -> set[str]:
        """The files of code that look for files, and it is not seen for which."""
        return set(filter(self.repository.looks_around, self.contents))

    def digest(self, path: str, wide: bool) -> str:
        """Return the digest for a file of tests; `wide`: of the whole repository."""
        text = self.whole
        if not wide:
            closure = self.closures[path]
            text = "\n".join(line for f, line in self.lines.items() if f in closure)
        parts = path, self.environment, text
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def answered(self, kept: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Return that part of what is kept on which everything is as it was."""
        return {
            path: each
            for path, each in kept.items()
            if path in self.closures
            if each["digest"] == self.digest(path, each["wide"])
        }

    def widths(self, seen: Seen) -> dict[str, bool]:
        """Return, for every file of tests, whether it depends on the whole repository.

        That is so if its tests read more than their closure, or look for files and it
        is not seen for which.
        """
        # What one file of tests had read, another may find in memory; but not what this
        # plugin reads, which is tested, too, and in which others do not look.
        read_by: dict[str, set[str]] = {}
        for reads in seen.values():
            for who, what in reads:
                if not what.endswith(".py"):
                    read_by.setdefault(who, set()).add(what)
        wide = {}
        for path, closure in self.closures.items():
            read = {what for _, what in seen.get(path, ())}
            readers = self.loaded[path] & read_by.keys()
            read = read.union(*map(read_by.__getitem__, readers))
            top = path.split("/")[0] + "/"
            looks = any(each.startswith(top) for each in closure & self.around)
            wide[path] = looks or not read <= closure
        return wide


class Watch:
    """Notes what is read of the repository while a file of tests is at work."""

    def __init__(self, root: Path) -> None:
        """Watch from now on: an audit hook is never removed."""
        self.root = f"{root}{os.sep}"
        self.is_ignored = Repository(root).is_ignored
        self.is_ignored("")  # which reads .gitignore, now
        self.path: str | None = None
        self.seen: Seen = {}
        hear = self._hear

        # Python reports much more, each call of `id` say, of which certificates make
        # millions. So what is not listened for is turned away at once.
        def hook(event: str, args: tuple[Any, ...], heard: Any = _HEARD) -> None:
            if event in heard:
                hear(event, args)

        sys.addaudithook(hook)

    @contextmanager
    def during(self, path: str) -> Iterator[None]:
        """Take what is read for reads of this file of tests."""
        before, self.path = self.path, path
        try:
            yield
        finally:
            self.path = before

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if self.path is None:
            return
        given = args[0] if args else None
        if isinstance(given, bytes):
            given = os.fsdecode(given)
        if event == "open":
            what = self._inside(given)
        elif event in _LISTS:
            what = _ALL if self._inside(given or ".") is not None else None
        else:
            what = _ALL
        if what is None or (event in _LISTS and _is_importing()):
            return
        who = self._reader()
        # What no code of the repository asked for, tools read for themselves: .pdbrc.
        if who is not None and (who or what.endswith(".py")):
            self.seen.setdefault(self.path, set()).add((who, what))

    def _inside(self, path: Any) -> str | None:
        """Return the path relative to the root, of a module's source for bytecode."""
        if not isinstance(path, str) or path.startswith("<"):
            return None  # a descriptor; code without a file
        full = os.path.abspath(path)
        if not f"{full}{os.sep}".startswith(self.root):
            return None
        *folders, name = full[len(self.root) :].split(os.sep)
        if folders and folders[-1] == "__pycache__":
            folders.pop()
            name = name.split(".")[0] + ".py"
        if any(map(self.is_ignored, folders)):
            return None  # caches, and the environment
        return "/".join([*folders, name])

    def _reader(self) -> str | None:
        """Return the innermost file of the repository that is running, or "".

        None stands for hypothesis, in search of constants.
        """
        frame: FrameType | None = sys._getframe(2)
        while frame is not None:
            if frame.f_code.co_filename.endswith(_CONSTANTS):
                return None
            path = self._inside(frame.f_code.co_filename)
            if path is not None and frame.f_code.co_filename != __file__:
                return path
            frame = frame.f_back
        return ""


def _is_importing() -> bool:
    """Whether Python itself asked for what was heard, to find a module."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(_IMPORTING)


class _Idle:
    """Says why nothing is kept or answered."""

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.write_line(
            f"Nothing is kept or answered from before: {self.reason} may select tests."
        )


class _Worker:
    """Runs tests: leaves out what is answered, and watches the rest."""

    def __init__(self, config: pytest.Config, answered: set[str]) -> None:
        self.config = config
        self.root = config.rootpath.resolve()
        self.answered = answered
        self.watch = Watch(self.root)
        self._path = cache(self._resolved)  # asked for each test, and slow

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        return True if self._path(collection_path) in self.answered else None

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Any:
        if not isinstance(collector, pytest.File):
            return (yield)
        with self.watch.during(self._path(collector.path)):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        with self.watch.during(self._path(item.path)):
            return (yield)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            seen = self.watch.seen
            output["seen"] = {path: sorted(reads) for path, reads in seen.items()}

    def _resolved(self, path: Path) -> str:
        with suppress(ValueError):
            return path.resolve().relative_to(self.root).as_posix()
        return ""


class _Keeper(_Worker):
    """Decides what is answered, and keeps what passed."""

    def __init__(self, config: pytest.Config) -> None:
        self.digests = Digests(config.rootpath.resolve())
        self.file = config.rootpath / KEPT
        before = read(self.file)
        self.kept = self.digests.answered(before) if before else {}
        # Else both are needed at the end, and found while processes collect tests.
        self.finding = threading.Thread(
            target=lambda: (self.digests.closures, self.digests.around)
        )
        if not before:
            self.finding.start()
        super().__init__(config, set(self.kept))
        self.silent: set[str] = set()  # processes that did not say what they saw
        self.uncollected: set[str] = set()  # files and folders
        self.ran_in: dict[str, set[str]] = {}  # file of tests -> processes
        self.why_nothing = ""
        self.collected: dict[str, set[str]] = {}
        self.passed: dict[str, set[str]] = {}

    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["answered"] = sorted(self.answered)

    def pytest_testnodedown(self, node: Any) -> None:
        output = getattr(node, "workeroutput", None) or {}
        if "seen" not in output:
            self.silent.add(node.gateway.id)
        for path, reads in output.get("seen", {}).items():
            self.watch.seen.setdefault(path, set()).update(map(tuple, reads))

    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        for each in ids:
            self.collected.setdefault(each.split("::")[0], set()).add(each)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.pytest_xdist_node_collection_finished([i.nodeid for i in session.items])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if not report.passed:
            self.uncollected.add(report.nodeid.split("::")[0])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        path = report.nodeid.split("::")[0]
        node = getattr(report, "node", None)
        if node is not None:
            self.ran_in.setdefault(path, set()).add(node.gateway.id)
        if not report.passed:
            self.collected.setdefault(path, set()).add("something that did not pass")
        elif report.when == "teardown":
            self.passed.setdefault(path, set()).add(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self.answered:
            session.exitstatus = pytest.ExitCode.OK
        finished = pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED
        if session.exitstatus not in finished:
            self.why_nothing = "the run was not finished"
        if "" in self.uncollected:
            self.why_nothing = "tests could not be collected"
        if self.why_nothing:
            return
        if self.finding.ident is not None:
            self.finding.join()
        before, now = self.digests, self.digests
        if before.repository.files != Repository(self.root).files:
            now = Digests(self.root)  # somebody worked meanwhile
        widths = before.widths(self.watch.seen)
        for path in before.closures.keys() & now.closures.keys():
            if path in self.answered or not self._has_passed(path):
                continue
            wide, count = widths[path], len(self.passed.get(path, set()))
            digest = before.digest(path, wide)
            if now is before or digest == now.digest(path, wide):
                self.kept[path] = {"digest": digest, "wide": wide, "tests": count}
        self.file.parent.mkdir(exist_ok=True)
        made = self.file.with_suffix(f".{os.getpid()}")
        made.write_text(json.dumps(self.kept, indent=1), encoding="utf-8")
        made.replace(self.file)

    def _has_passed(self, path: str) -> bool:
        """Whether all tests of a file ran and passed, watched to the end."""
        above = {path, *(parent.as_posix() for parent in Path(path).parents)}
        return (
            not above & self.uncollected
            and not self.ran_in.get(path, set()) & self.silent
            and self.passed.get(path, set()) == self.collected.get(path, set())
        )

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.why_nothing:
            terminalreporter.write_line(f"Nothing is kept: {self.why_nothing}.")
        tests = sum(self.kept[path]["tests"] for path in self.answered)
        if tests:
            terminalreporter.write_line(
                f"{tests} tests in {len(self.answered)} files passed before on the "
                "same code and were not run; make test FRESH=1 runs them."
            )
        wide = sum(each["tests"] for each in self.kept.values() if each["wide"])
        terminalreporter.write_line(
            f"After any change {wide} tests are run, which read the repository or "
            "start programs; the others where what they depend on changed."
        )
