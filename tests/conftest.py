"""Hypothesis tries the same cases in every run: 25 of a property, and 60 in the audit.

Neither a deadline nor the health check on slow generation applies, because both
would let the load of the machine decide the result of a test. And no test sees the
features that another has enabled, nor imports what another has written: jobs and
commands look for modules beside the files that they are given, and which tests a
process has run before differs from run to run.

The paths of a bit tree ask for the same bounds of -ln U again and again. They depend on
three integers alone, and are kept here, because that saves certificates much of their
time; tests/laws/test_exponential.py asks the function itself.

Garbage that counts no references is looked for less often than usual, and never among
the tests themselves, of which a process holds twenty thousand: they stay to the end.
"""

import atexit
import gc
import sys
from collections.abc import Iterator
from functools import lru_cache

import pytest
from hypothesis import HealthCheck, settings

from opendp_lite.base.features import enable_features
from opendp_lite.laws.weights import bound_exponential
from tests import processes
from tests.rows import as_before

for _name, _examples in (("short", 25), ("whole", 60)):
    settings.register_profile(
        _name,
        derandomize=True,
        deadline=None,
        max_examples=_examples,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("short")
gc.set_threshold(50_000, 20, 100)


def pytest_configure(config: pytest.Config) -> None:
    """Try more cases of each property in the audit; let processes tell less."""
    if config.option.markexpr.strip() != "not audit":
        settings.load_profile("whole")
    processes.pytest_configure(config)


def pytest_collection_finish() -> None:
    """Leave the tests out of all searches for garbage, until Python ends."""
    gc.freeze()
    atexit.register(gc.unfreeze)


def _undone() -> Iterator[None]:
    with as_before():
        yield


@pytest.fixture
def honest() -> None:
    """What takes code or claims on trust is allowed for the length of a test."""
    enable_features("honest-but-curious")


@pytest.fixture(scope="module")
def contrib() -> None:
    """Drafts are allowed in the tests of a module."""
    enable_features("contrib")


# After each test, and after what a file of tests makes for all of them.
_undone_after_the_test = pytest.fixture(autouse=True)(_undone)
_undone_after_the_module = pytest.fixture(autouse=True, scope="module")(_undone)


@pytest.fixture(autouse=True, scope="session")
def _bounds_are_kept() -> Iterator[None]:
    kept = lru_cache(maxsize=2**16)(bound_exponential)
    name = bound_exponential.__name__
    with pytest.MonkeyPatch.context() as patch:
        # All that a run of tests asks for is loaded by now.
        for module in list(sys.modules.values()):
            if (
                module.__name__.startswith("opendp_lite.")
                and module.__name__ != bound_exponential.__module__
                and vars(module).get(name) is bound_exponential
            ):
                patch.setattr(module, name, kept)
        yield
