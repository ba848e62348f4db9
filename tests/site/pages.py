"""The blocks of a page of the documentation, and what happens when they run.

Examples (`pycon`) are doctests, in order and in one namespace for each page. A block
with a title is a file, which is written; lines after `$ opendp-lite` are given to the
command, and what it prints is compared. All of it happens in a folder of its own.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

from click.testing import CliRunner

import opendp_lite.prelude as dp
from opendp_lite.base.features import GLOBAL_FEATURES
from opendp_lite.cli import main
from opendp_lite.core.registry import REGISTRY

FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)(?: title=\"(?P<title>[^\"]+)\")?\n"
    r"(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
# What pages may show, and whether it runs: in others nothing is claimed to.
RUNS = {"pycon", "console"}
FILES = {"python", "toml", "csv", "yaml"}
SHOWN = {"sh", "text", "latex"}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Block:
    """One block of code of a page."""

    def __init__(self, found: re.Match[str]) -> None:
        self.language = found["language"]
        self.title = found["title"]
        indent = len(found["indent"])
        self.text = "".join(
            line[indent:] for line in found["text"].splitlines(keepends=True)
        )


def blocks(page: str) -> list[Block]:
    """All fenced blocks of a page."""
    return [Block(found) for found in FENCE.finditer(page)]


def complaints(page: str) -> list[str]:
    """What the blocks of a page break: all code runs, or is a file that is written."""
    found = []
    for block in blocks(page):
        if block.language in FILES and block.title is None:
            found.append(f"a block of {block.language} that does not run")
        elif block.language not in RUNS | FILES | SHOWN:
            found.append(f"a block of unknown language {block.language!r}")
        elif block.language == "pycon" and not block.text.startswith(">>> "):
            found.append("an example that does not begin with >>>")
        elif block.language == "console" and not block.text.startswith("$ "):
            found.append("a command that does not begin with $")
        elif block.language == "sh" and re.search("^opendp-lite", block.text, re.M):
            found.append("a command of ours that does not run")
    return found + ["a fence without an end"] * (page.count("```") % 2)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what it is shown to print."""
    for each in re.split(r"^\$ ", text.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
        command, _, shown = each.partition("\n")
        yield command, shown


@contextmanager
def restored(folder: Path) -> Iterator[None]:
    """Be in a folder; the features, modules and constructors of a page go with it."""
    before, features = Path.cwd(), set(GLOBAL_FEATURES)
    modules, paths = set(sys.modules), list(sys.path)
    constructors = set(REGISTRY)
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        os.chdir(before)
        sys.path[:] = paths
        for name in set(sys.modules) - modules:
            home = getattr(sys.modules[name], "__file__", None) or ""
            if home.startswith(str(folder)):
                del sys.modules[name]
        for name in set(REGISTRY) - constructors:
            if not name.startswith("opendp_lite."):
                del REGISTRY[name]
        dp.disable_features(*(GLOBAL_FEATURES - features))


def wrong_output(command: str, shown: str) -> str:
    """Run a command of ours, and say what it prints if that is not what is shown.

    It must end well, or with the exit code that `; echo $?` shows on the last line.
    """
    asked, _, _ = command.partition("; echo $?")
    words = shlex.split(asked)
    if words[0] != "opendp-lite":
        return ""
    with redirect_stdout(io.StringIO()):
        result = CliRunner().invoke(main, words[1:])
    printed = result.output
    if "; echo $?" in command:
        printed += f"{result.exit_code}\n"
    elif result.exit_code != 0:
        return f"exit code {result.exit_code}: {result.exception}\n"
    if doctest.OutputChecker().check_output(shown, printed, FLAGS):
        return ""
    return f"$ {command}\nshown:\n{shown}\nprinted:\n{printed}\n"


def failures(name: str, page: str) -> str:
    """What a page shows and does not happen, as text; empty if all is true.

    Files are written where one is: see `restored`.
    """
    told = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False, optionflags=FLAGS)
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        if block.title is not None:
            path = Path(block.title)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "pycon":
            parser = doctest.DocTestParser()
            test = parser.get_doctest(block.text, namespace, name, name, 0)
            runner.run(test, out=told.write, clear_globs=False)
            namespace = test.globs
        elif block.language == "console":
            for command, shown in commands(block.text):
                told.write(wrong_output(command, shown))
    return told.getvalue()
