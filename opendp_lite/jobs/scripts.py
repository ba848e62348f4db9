"""Python files of users: run once, with a sentence in place of a traceback."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from opendp_lite.core.errors import OpenDPException
from opendp_lite.jobs.errors import JobError

__all__ = ["failed", "look_in", "run_file", "run_text"]


def run_file(place: str) -> ModuleType:
    """Return the module that a file makes; its neighbours can be imported by it.

    The file is run by this: it is code that is trusted. One that ran already is not run
    again.

    :param place: path of the file
    """
    path = Path(place).resolve()
    if not path.is_file():
        raise JobError(f"{place}: there is no such file. Pass the path of one.")
    name = path.stem
    while name in sys.modules:
        if getattr(sys.modules[name], "__file__", None) == str(path):
            return sys.modules[name]
        name += "_"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise JobError(f"{place}: is no Python file. The name of one ends in .py.")
    module = importlib.util.module_from_spec(spec)
    look_in(path.parent)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise failed(place, error) from None
    return module


def run_text(place: str, content: bytes) -> ModuleType:
    """Return the module that the text of a file makes, whatever the file says by now.

    :param place: path of the file, for errors and for its neighbours
    :param content: what was read of it
    """
    path = Path(place).resolve()
    module = ModuleType(f"job:{path.stem}")  # the name of no other module
    module.__file__ = str(path)
    look_in(path.parent)
    sys.modules[module.__name__] = module  # where dataclasses look for it
    try:
        exec(compile(content, str(path), "exec"), vars(module))
    except (Exception, SystemExit) as error:
        raise failed(place, error) from None
    return module


def look_in(folder: Path) -> None:
    """Allow modules of a folder to be imported.

    :param folder: where they are
    """
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def failed(place: str, error: BaseException, *, told: bool = True) -> JobError:
    """Return what is said of a user's code that raised an error when it was run.

    :param place: the file or module, as it was named
    :param error: what it raised
    :param told: whether its text is shown; that of the library always is
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if Path(each.filename).stem == Path(place).stem]
    line = error.lineno if isinstance(error, SyntaxError) else None
    line = own[-1].lineno if own and line is None else line
    where = "" if line is None else f", line {line}"
    kind = type(error).__name__
    if not told and not isinstance(error, OpenDPException):
        return JobError(
            f"{place}{where}: could not be run: {kind}, whose text is not shown, as it "
            "may show data."
        )
    text = " ".join(f"{kind}: {error}".split()).removesuffix(":")
    return JobError(f"{place}{where}: could not be run: {text}")
