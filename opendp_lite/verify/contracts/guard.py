"""Find a function that asks for randomness or time behind the back of the bit source.

Three nets are cast. *Stand-ins* take the place of `os.urandom`, of the functions of
`random`, `secrets`, `uuid` and `numpy.random`, and of the clocks of `time`, wherever a
loaded module holds one under a name, so that `from os import urandom` is seen too. They
cost nothing, and all runs are made with them. A *profile function* sees every call of a
C function from Python, however it was come by, `datetime.now` included; as it makes a
run four times as long, it watches some of them. And the *states of all generators* of
`random` and of numpy that are alive are compared before and after many runs, which
shows that one was drawn from which was made elsewhere.

All guards of a process share the stand-ins: the first guard puts them in place, the
last one takes them out. Each guard notes what its own thread does.

These are not seen: sources that C code calls of itself, such as
`functools.partial(os.urandom, 8)`; in runs that are not watched, `datetime.now`, a new
`random.Random()`, and C functions that no module holds, such as a default argument
`f=os.urandom`; bits and clocks that other threads and processes ask for; files such as
/dev/urandom; the order of a set, which is the same in all runs of one process; and
counters and other state that the function keeps. What engines of tables do while the
library asks them is excepted.
"""

from __future__ import annotations

import datetime
import gc
import os
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import compress
from types import FrameType, TracebackType
from typing import Any, Final, ParamSpec, TypeVar

from opendp_lite.verify.contracts.terms import SourceUsed

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
_KINDS: Final = {
    "random": ("Random",),
    "numpy.random": ("BitGenerator", "Generator", "RandomState"),
}
_SHARED: Final = {"random": "_inst", "numpy.random.mtrand": "_rand"}
_DATES: Final = ("now", "utcnow", "today")
_C_MODULES: Final = ("posix", "nt", "time", "_ssl")
_NAMES: Final = frozenset(
    (*_BITS, *_CLOCKS, *_DATES, "random", "getrandbits", "RAND_bytes")
)


class _StandIns:
    """The stand-ins that are in place: all guards of a process share them."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.guards = 0
        self.modules = 0  # how many were loaded when they were last gone through
        self.replaced: list[tuple[Any, Any]] = []
        self.changed: list[dict[str, Any]] = []
        self.references: list[int] = []
        # What is noted of each thread, for each of the calls that it is within.
        self.notes: dict[int, list[list[str]]] = {}

    def enter(self) -> None:
        """Put them in place if no guard did so before."""
        with self.lock:
            self.guards += 1
            try:
                self.put()
            except BaseException:
                self.leave()
                raise

    def leave(self) -> None:
        """Take them out if no other guard is at work."""
        with self.lock:
            self.guards -= 1
            if not self.guards:
                try:
                    self._remove()
                except BaseException:  # a person interrupts
                    self._remove()
                    raise

    def put(self) -> None:
        """Put a stand-in for each source that is loaded and has none."""
        if self.modules == len(sys.modules):
            return
        with self.lock:
            self.modules = len(sys.modules)
            known = {id(each) for pair in self.replaced for each in pair}
            named: dict[int, tuple[str, Any]] = {}
            for name, original in _functions():
                if id(original) not in known:
                    named.setdefault(id(original), (name, original))
            new = [(each, _stand_in(name, each)) for name, each in named.values()]
            self.replaced += new
            self.references += _references(new)
            if new:
                self.changed += _swap({id(each): other for each, other in new})

    def _remove(self) -> None:
        back = {id(stand_in): original for original, stand_in in self.replaced}
        for names in self.changed:
            _put(names, back)
        # To go through all modules takes long. There is need only if somebody still
        # refers to a stand-in: a module that was imported meanwhile may have taken one.
        if _references(self.replaced) != self.references:
            _swap(back)
        self.replaced, self.changed, self.references = [], [], []
        self.modules = 0

    def note(self, text: str) -> None:
        """Tell all calls that this thread is within."""
        for found in self.notes.get(threading.get_ident(), ()):
            found.append(text)


_STAND_INS: Final = _StandIns()
if hasattr(os, "register_at_fork"):  # a child has all of them in place, or none
    os.register_at_fork(
        before=_STAND_INS.lock.acquire,
        after_in_parent=_STAND_INS.lock.release,
        after_in_child=_STAND_INS.lock.release,
    )


class Guard:
    """Raises `SourceUsed` when a function that it runs uses another source.

    >>> import os
    >>> with Guard() as guard:
    ...     _ = guard.call(len, "ab")
    ...     _ = guard.call(lambda: os.urandom(8))
    Traceback (most recent call last):
        ...
    opendp_lite.verify.contracts.terms.SourceUsed: sources: <lambda> called \
os.urandom, ...
    """

    def __enter__(self) -> Guard:
        _STAND_INS.enter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _STAND_INS.leave()

    def call(self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function, and raise if a stand-in was called meanwhile."""
        _STAND_INS.put()  # for modules that were loaded since
        found: list[str] = []
        thread = threading.get_ident()
        notes = _STAND_INS.notes.setdefault(thread, [])
        notes.append(found)
        try:
            return function(*args, **kwargs)
        except KeyboardInterrupt:
            found.clear()
            raise
        finally:
            notes.pop()
            if not notes:
                del _STAND_INS.notes[thread]
            if found:
                raise SourceUsed(found)

    def watch(
        self, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """As `call`, and every call of a C function and numpy's global state are seen.

        A profile function that is at work is put back afterwards. One that is written
        in C cannot be; while there is one, only the stand-ins and the state count.
        """
        before, state = sys.getprofile(), _numpy_state()

        def watched() -> R:
            if before is not None and not callable(before):
                return function(*args, **kwargs)
            sys.setprofile(_see)
            try:
                return function(*args, **kwargs)
            finally:
                sys.setprofile(before)
                if state is not None and state != _numpy_state():
                    _STAND_INS.note("the global generator of numpy was used")

        return self.call(watched)


class Generators:
    """The generators of `random` and numpy that are alive, and the states they have.

    To find those that somebody made takes milliseconds, so this is done if `foreign`:
    if functions that are not the library's are to run. The library's own modules name
    no generator, which is tested. Those that `gc.freeze` hides are not found.

    >>> import random
    >>> generator = random.Random(1)
    >>> before = Generators(foreign=True)
    >>> _ = generator.random()
    >>> before.changed()
    ['a generator random.Random was drawn from']
    """

    def __init__(self, foreign: bool) -> None:
        everything = gc.get_objects() if foreign else []
        # By their ids, as a class can have a metaclass with a hash of its own.
        classes, kinds = map(id, map(type, everything)), _kinds()
        alive = compress(everything, map(kinds.__contains__, classes))
        shared = [
            getattr(sys.modules.get(module), name, None)
            for module, name in _SHARED.items()
        ]
        self._states = [(each, _state(each)) for each in (*alive, *shared)]
        self._drawn: set[str] = set()

    def changed(self) -> list[str]:
        """Return in words which of them have had another state meanwhile."""
        self._compare()
        return [f"a generator {name} was drawn from" for name in sorted(self._drawn)]

    def apart(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a function that may draw from them, without counting what it draws."""
        self._compare()
        try:
            return function(*args, **kwargs)
        finally:
            self._states = [(each, _state(each)) for each, _ in self._states]

    def _compare(self) -> None:
        for each, before in self._states:
            if _state(each) != before:
                kind = type(each)
                self._drawn.add(f"{kind.__module__}.{kind.__qualname__}")


def _see(frame: FrameType, event: str, function: Callable[..., Any]) -> None:
    if event == "c_call" and function.__name__ in _NAMES:
        name = _source(function)
        if name is not None:
            _note(name, frame)


def _note(name: str, frame: FrameType) -> None:
    """Remember who called a source, unless it is not the function's own doing."""
    own = frame.f_code.co_filename == __file__
    if own and frame.f_code.co_name == "stand_in":
        return  # which was noted itself
    # What watches the garbage collector may look at the clock whenever it runs, and
    # so may modules that are imported on the way, and engines that hold tables.
    others = {getattr(each, "__code__", None) for each in gc.callbacks}
    engine = sys.modules.get("opendp_lite.tables.engines.engine")
    others.add(engine and engine.asked.__code__)
    above: FrameType | None = frame
    while above is not None and above.f_code is not Guard.call.__code__:
        code = above.f_code
        if code in others or code.co_filename.startswith("<frozen importlib"):
            return
        above = above.f_back
    _STAND_INS.note(f"{'it' if own else frame.f_code.co_qualname} called {name}")


def _stand_in(name: str, original: Any) -> Callable[..., Any]:
    def stand_in(*args: Any, **kwargs: Any) -> Any:
        if threading.get_ident() in _STAND_INS.notes:
            _note(name, sys._getframe(1))
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


def _kinds() -> dict[int, type]:
    """The classes of generators that are loaded, and all that are derived from them."""
    waiting = [
        getattr(sys.modules.get(module), name, None)
        for module, names in _KINDS.items()
        for name in names
    ]
    kinds: dict[int, type] = {}
    while waiting:
        kind = waiting.pop()
        if kind is not None and id(kind) not in kinds:
            kinds[id(kind)] = kind
            waiting += type.__subclasses__(kind)
    return kinds


def _state(generator: Any) -> object:
    """The state of a generator; None if it cannot be told."""
    random: Any = sys.modules.get("random")
    try:
        if random is not None and isinstance(generator, random.Random):
            return random.Random.getstate(generator)
        if hasattr(generator, "get_state"):
            return pickle.dumps(generator.get_state(legacy=False))
        return pickle.dumps(getattr(generator, "bit_generator", generator).state)
    except Exception:
        return None
