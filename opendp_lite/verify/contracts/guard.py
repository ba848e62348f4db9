"""Find a function that asks for randomness or time behind the back of the bit source.

Two nets are cast. *Stand-ins* take the place of `os.urandom`, of the functions of
`random`, `secrets`, `uuid` and `numpy.random`, and of the clocks of `time`, wherever a
loaded module holds one under a name, so that `from os import urandom` is seen too. They
cost nothing, and all runs are made with them. A *profile function* sees every call of a
C function from Python, however it was come by, `datetime.now` included; as it makes a
run three times as long, it watches some of them.

Not seen are functions that no module holds and that C code calls, other threads and
processes, files such as /dev/urandom, and draws from a generator that was given a seed
(whose state then shows, if it does, as a release that is not repeated).
"""

from __future__ import annotations

import datetime
import gc
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Any, Final, ParamSpec, TypeVar

from opendp_lite.verify.contracts.errors import ContractBroken

__all__ = ["Guard"]

P = ParamSpec("P")
R = TypeVar("R")

_BITS: Final = ("urandom", "getrandom")
_CLOCKS: Final = (
    *("time", "monotonic", "perf_counter", "process_time", "thread_time"),
    *("time_ns", "monotonic_ns", "perf_counter_ns", "process_time_ns"),
    *("thread_time_ns", "clock_gettime", "clock_gettime_ns"),
    *("gmtime", "localtime", "ctime"),
)
_SOURCES: Final[dict[str, tuple[str, ...]]] = {
    "os": _BITS,
    "time": _CLOCKS,
    "uuid": ("uuid1", "uuid4", "uuid6", "uuid7"),
    "secrets": ("choice", "randbelow", "randbits", "token_bytes", "token_hex"),
    "ssl": ("RAND_bytes",),
}
_GENERATORS: Final = ("random", "numpy.random")  # all their functions count
_DATES: Final = ("now", "utcnow", "today")
_C_MODULES: Final = ("posix", "nt", "time", "_ssl")
_NAMES: Final = frozenset(
    (*_BITS, *_CLOCKS, *_DATES, "random", "getrandbits", "RAND_bytes")
)


class Guard:
    """Raises `ContractBroken` when a function that it runs uses another source.

    >>> import os
    >>> with Guard() as guard:
    ...     _ = guard.call(len, "ab")
    ...     _ = guard.call(lambda: os.urandom(8))
    Traceback (most recent call last):
        ...
    opendp_lite.verify.contracts.errors.ContractBroken: sources: <lambda> called \
os.urandom, ...
    """

    def __init__(self) -> None:
        self._found: list[str] = []
        self._armed: int | None = None  # the thread that is watched
        self._replaced: list[tuple[Any, Any]] = []
        self._changed: list[dict[str, Any]] = []
        self._references: list[int] = []

    def __enter__(self) -> Guard:
        named: dict[int, tuple[str, Any]] = {}
        for name, original in _functions():
            named.setdefault(id(original), (name, original))
        self._replaced = [
            (each, self._stand_in(name, each)) for name, each in named.values()
        ]
        self._references = _references(self._replaced)
        self._changed = _swap({id(each): new for each, new in self._replaced})
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        back = {id(stand_in): original for original, stand_in in self._replaced}
        for names in self._changed:
            _put(names, back)
        # To go through all modules takes long. There is need only if somebody still
        # refers to a stand-in: a module that was imported meanwhile may have taken one.
        if _references(self._replaced) != self._references:
            _swap(back)

    def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function, and raise if a stand-in was called meanwhile."""
        if self._armed is not None:
            return function(*args, **kwargs)
        self._armed = threading.get_ident()
        try:
            return function(*args, **kwargs)
        finally:
            self._armed = None
            if self._found:
                self._report()

    def watch(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """As `call`, and every call of a C function and numpy's global state are seen.

        A profile function that is at work is put back afterwards. One that is written
        in C cannot be; while there is one, only the stand-ins and the state count.
        """
        before, state = sys.getprofile(), _numpy_state()

        def watched() -> R:
            if before is not None and not callable(before):
                return function(*args, **kwargs)
            sys.setprofile(self._see)
            try:
                return function(*args, **kwargs)
            finally:
                sys.setprofile(before)
                if state is not None and state != _numpy_state():
                    self._found.append("the global generator of numpy was used")

        return self.call(watched)

    def _report(self) -> None:
        found, self._found = dict.fromkeys(self._found), []
        raise ContractBroken(
            f"sources: {', '.join(found)}, but only the random bits of "
            "opendp_lite.sampling.entropy may decide what comes out"
        )

    def _see(self, frame: FrameType, event: str, function: Callable[..., Any]) -> None:
        if event == "c_call" and function.__name__ in _NAMES:
            name = _source(function)
            if name is not None:
                self._note(name, frame)

    def _note(self, name: str, frame: FrameType) -> None:
        """Remember who called a source, unless it is not the function's own doing."""
        if frame.f_code.co_filename == __file__:
            return  # a stand-in, which was noted itself
        # What watches the garbage collector may look at the clock whenever it runs, and
        # so may modules that are imported on the way.
        others = {getattr(each, "__code__", None) for each in gc.callbacks}
        above: FrameType | None = frame
        while above is not None and above.f_code.co_filename != __file__:
            code = above.f_code
            if code in others or code.co_filename.startswith("<frozen importlib"):
                return
            above = above.f_back
        self._found.append(f"{frame.f_code.co_qualname} called {name}")

    def _stand_in(self, name: str, original: Any) -> Callable[..., Any]:
        def stand_in(*args: Any, **kwargs: Any) -> Any:
            if self._armed == threading.get_ident():
                self._note(name, sys._getframe(1))
            return original(*args, **kwargs)

        return stand_in


def _swap(others: dict[int, Any]) -> list[dict[str, Any]]:
    """Put others, by the `id` of what they replace, wherever a module holds it.

    Return the names of the modules that did.
    """
    modules = list(sys.modules.values())
    named = [getattr(module, "__dict__", None) for module in modules]
    return [names for names in named if type(names) is dict and _put(names, others)]


def _put(names: dict[str, Any], others: dict[int, Any]) -> bool:
    """Replace what a module holds under its names; return whether there was any."""
    # Most modules hold none, which is found out without a loop in Python.
    if others.keys().isdisjoint(map(id, names.values())):
        return False
    held = [name for name, value in names.items() if id(value) in others]
    names.update([(name, others[id(names[name])]) for name in held])
    return True


def _references(pairs: list[tuple[Any, Any]]) -> list[int]:
    """How many references there are to each stand-in."""
    return [sys.getrefcount(stand_in) for _, stand_in in pairs]


def _functions() -> Iterator[tuple[str, Any]]:
    """The functions that get stand-ins, of the modules that are loaded."""
    for module, names in _SOURCES.items():
        for name in names:
            function = getattr(sys.modules.get(module), name, None)
            if function is not None:
                yield f"{module}.{name}", function
    for module in _GENERATORS:
        for name, function in vars(sys.modules.get(module, object)).items():
            public = not name.startswith("_") and not name.endswith("state")
            if public and callable(function) and not isinstance(function, type):
                yield f"{module}.{name}", function


def _source(function: Callable[..., Any]) -> str | None:
    """The name of a C function that is a source, or None if it only is named so."""
    name, owner = function.__name__, getattr(function, "__self__", None)
    if name in _DATES:
        if isinstance(owner, type) and issubclass(owner, datetime.date):
            return f"datetime.{name}"
        return None
    generators = getattr(sys.modules.get("_random"), "Random", ())
    if isinstance(owner, generators):
        return f"random.{name}"
    module = getattr(function, "__module__", None)
    return f"{module}.{name}" if module in _C_MODULES else None


def _numpy_state() -> bytes | None:
    """The state of numpy's global generator; None if there is none."""
    module = sys.modules.get("numpy.random")
    if module is None:
        return None
    return pickle.dumps(module.get_state(legacy=False))
