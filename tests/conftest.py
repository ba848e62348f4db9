"""One profile of hypothesis for all tests: the same cases in every run.

Neither a deadline nor the health check on slow generation applies, because both
would let the load of the machine decide the result of a test. And no test sees the
features that another has enabled.
"""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from opendp_lite.core.features import GLOBAL_FEATURES

settings.register_profile(
    "deterministic",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("deterministic")


@pytest.fixture(autouse=True)
def _same_features() -> Iterator[None]:
    before = set(GLOBAL_FEATURES)
    yield
    GLOBAL_FEATURES.clear()
    GLOBAL_FEATURES.update(before)
