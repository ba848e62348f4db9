"""One profile of hypothesis for all tests: the same cases in every run.

Neither a deadline nor the health check on slow generation applies, because both
would let the load of the machine decide the result of a test.
"""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "deterministic",
    derandomize=True,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("deterministic")
