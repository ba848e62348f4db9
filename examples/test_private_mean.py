"""A user's test file: tests of code that adds noise, each with a stated flakiness.

Run it with `pytest examples/test_private_mean.py`, or as a script. At the end the
plugin says with which probability correct code would fail; `--dp-flakiness=1e-9` makes
the assertions that state no flakiness narrower.
"""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import opendp_lite.prelude as dp
from opendp_lite.testing import (
    assert_close,
    assert_noisy,
    mean_flakiness,
    mean_tolerance,
    state_flakiness,
    tolerance,
)

# The code under test: the mean of ages from 0 to 100, as the quotient of a noisy sum of
# the differences to 50 and a noisy count.

rows = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
noisy_count = rows >> dp.t.then_count() >> dp.m.then_laplace(scale=2)
noisy_sum = (
    rows
    >> dp.t.then_clamp(bounds=(-50, 50))
    >> dp.t.then_sum()
    >> dp.m.then_laplace(scale=100)
)


def private_mean(ages: list[int]) -> Fraction:
    """Return the noisy mean, at epsilon = 1."""
    differences = noisy_sum([age - 50 for age in ages])
    mean = 50 + Fraction(differences, max(noisy_count(ages), 1))
    return min(max(mean, Fraction(0)), Fraction(100))


# Its tests.

AGES = [20 + n % 50 for n in range(10_000)]
NORMALIZED_SUM = sum(age - 50 for age in AGES)


def test_the_count_is_close() -> None:
    """The default flakiness is 1e-23: this fails for noise of more than 106."""
    assert_close(noisy_count(AGES), len(AGES), noisy_count)


def test_the_sum_is_close_and_noisy() -> None:
    """Noise is there, and it is not too large."""
    release = noisy_sum([age - 50 for age in AGES])
    assert_close(release, NORMALIZED_SUM, noisy_sum)
    # The noise of one sum is 0 with probability 1/200, and that is too often. Of eight
    # sums at once all are without noise with probability 1e-18.
    entries = dp.vector_domain(dp.atom_domain(T=int), size=8), dp.l1_distance(T=int)
    noisy_sums = entries >> dp.m.then_laplace(scale=100)
    sums = [NORMALIZED_SUM] * 8
    assert_noisy(noisy_sums(sums), sums, noisy_sums, "1e-17")


def test_the_mean_is_close() -> None:
    """The mean moves as far as the noise of the sum and of the count takes it."""
    flakiness = "1e-23"
    part = mean_flakiness(flakiness)  # for each of the sum and the count
    allowed = mean_tolerance(
        lower=0,
        upper=100,
        normalized_sum=NORMALIZED_SUM,
        count=len(AGES),
        sum_tolerance=tolerance(noisy_sum, part),
        count_tolerance=tolerance(noisy_count, part),
    )
    assert allowed < 1
    state_flakiness(flakiness)
    assert abs(private_mean(AGES) - Fraction(sum(AGES), len(AGES))) <= allowed


if __name__ == "__main__":
    plugin = ["-p", "opendp_lite.testing.plugin"]
    command = [sys.executable, "-m", "pytest", "-q", *plugin, __file__]
    sys.exit(subprocess.run(command, check=False).returncode)
