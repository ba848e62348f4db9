"""What combinators ask of the measure of the measurement that they are given."""

from __future__ import annotations

from typing import Any

import pytest

import opendp_lite.prelude as dp
from opendp_lite.combinators.composition import check_measure
from tests.rows import for_each

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
MAX, RHO = dp.max_divergence(), dp.zero_concentrated_divergence()
RENYI, CURVE = dp.renyi_divergence(), dp.smoothed_max_divergence()


def under(measure: Any) -> dp.Measurement:
    return dp.Measurement(INTEGERS[0], abs, INTEGERS[1], measure, lambda d_in: d_in)


@pytest.mark.parametrize("base", [MAX, RHO, RENYI], ids=repr)
def test_the_measure_or_approximate_of_it(base: Any) -> None:
    assert check_measure(under(base), base, fix="F") is False
    assert check_measure(under(dp.approximate(base)), base, fix="F") is True
    for other in (MAX, RHO, RENYI, CURVE):
        for measure in (other, dp.approximate(other)):
            if other != base:
                with pytest.raises(dp.OpenDPException) as caught:
                    check_measure(under(measure), base, fix="Do this")
                text = str(caught.value)
                assert f"measures loss by {measure!r}; it must be" in text
                assert f"{type(base).__name__}, or Approximate of it. Do this." in text


@for_each(
    ("make", "measure", "fix"),
    [
        (dp.c.make_pureDP_to_zCDP, RHO, "Leave make_pureDP_to_zCDP out"),
        (dp.c.make_zCDP_to_approxDP, MAX, "make_pureDP_to_zCDP first"),
        (dp.c.make_RDP_to_approxDP, RHO, "by make_zCDP_to_approxDP"),
        (lambda each: dp.c.make_poisson_subsample(each, 0.1), RHO, "make_fix_delta"),
        (
            lambda each: dp.c.make_select_private_candidate(each, 0.1, 1),
            RHO,
            "Use a pure measurement",
        ),
    ],
)
def test_each_combinator_refuses_other_measures(
    make: Any, measure: Any, fix: str
) -> None:
    dp.enable_features("honest-but-curious")
    try:
        with pytest.raises(dp.OpenDPException, match=fix) as caught:
            make(under(measure))
    finally:
        dp.disable_features("honest-but-curious")
    assert caught.value.variant == "MeasureMismatch"
