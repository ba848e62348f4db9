"""A certificate holds for the true mechanism and fails for every planted mutant."""

from __future__ import annotations

import math
import pickle
from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from operator import itemgetter
from typing import Any

import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite.core.measurement import Measurement
from opendp_lite.exact.enclosures import exp, ln
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.randomness.lazy import LazyUniform
from opendp_lite.verify import PrivacyCertificate, privacy
from tests.longer import shortened
from tests.randomness.integer_noise import sample_discrete_laplace, sample_geometric
from tests.rows import for_each

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
REALS = dp.atom_domain(T=Fraction), dp.absolute_distance(T=Fraction)
ONE = mpq(1)
DEPTH = 26
RUNS = 2000  # the most that a certificate in the ordinary tests may take

Map = Callable[[Any], Any]


def measurement(
    function: Callable[[Any], Any],
    privacy_map: Map = lambda d_in: mpq(d_in),
    measure: Any = None,
    space: Any = INTEGERS,
) -> Measurement:
    """A measurement built by hand: nothing vouches for its map."""
    domain, metric = space
    return Measurement(
        domain, function, metric, measure or dp.max_divergence(), privacy_map
    )


def certify(
    mechanism: Measurement, x: Any = 0, x2: Any = 1, depth: int = DEPTH
) -> PrivacyCertificate:
    certificate = privacy(mechanism, x, x2, depth=depth, runs=RUNS)
    assert certificate.unresolved < mpq(1, 10**4)
    return certificate


def noise(scale: mpq = ONE) -> int:
    return sample_discrete_laplace(scale)


def rarely(bits: int) -> bool:
    """True with probability 2^-bits."""
    return not any(random_bits(1) for _ in range(bits))


# --- the true mechanisms hold ---------------------------------------------------------


# Each scale is in some row that stays, and each distance.
@pytest.mark.parametrize(
    ("scale", "x2"),
    shortened(
        product(["1/2", 1, 2, 5], [0, 1, 3]),
        *[("1/2", 0), ("1/2", 3), (1, 1), (1, 3), (2, 0), (2, 1), (5, 0), (5, 3)],
        parts=2,
    ),
)
def test_laplace_holds_and_is_tight(scale: Any, x2: int) -> None:
    certificate = certify(dp.m.make_laplace(*INTEGERS, scale=scale), 0, x2, depth=40)
    claimed = x2 / mpq(scale)
    assert certificate.holds
    assert certificate.claimed_loss == certificate.certified_loss == claimed
    assert certificate.certified_delta < mpq(1, 10**5)
    assert claimed * mpq(999, 1000) <= certificate.needs_epsilon <= claimed


@for_each("prob", ["1/2", "0.6", "3/4", "0.999"])
def test_randomized_response_holds_and_is_tight(prob: str) -> None:
    made = dp.m.make_randomized_response_bool(prob)
    certificate = certify(made, True, False, depth=40)
    assert certificate.holds
    odds = mpq(prob) / (1 - mpq(prob))
    assert certificate.needs_epsilon > ln(odds, 64).lo - mpq(1, 10**6)


def test_laplace_on_a_grid_holds() -> None:
    mechanism = dp.m.make_laplace(*REALS, scale=1, k=0)
    certificate = certify(mechanism, Fraction(2, 5), Fraction(3, 5))
    assert certificate.claimed_loss == 1
    assert certificate.holds


def test_a_chain_holds() -> None:
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    chain = (
        space
        >> dp.t.then_clamp((0, 2))
        >> dp.t.then_sum()
        >> dp.m.then_laplace(scale=2)
    )
    certificate = certify(chain, [1, 1, 5], [1, 1])
    assert (certificate.claimed_loss, certificate.holds) == (1, True)
    assert certificate.d_in == 1


# --- the mutants do not ---------------------------------------------------------------


def truncated_uniform(x: int) -> int:
    """The floor of the noise is taken from 6 bits: the tail has holes."""
    prefix = random_bits(6) + 1
    magnitude = math.floor(-ln(mpq(prefix, 65), 64).hi)
    return x + (magnitude if random_bits(1) else -1 - magnitude)  # type: ignore[operator]


MUTANTS: dict[str, Callable[[int], Any]] = {
    "scale 5 % too small": lambda x: x + noise(mpq(95, 100)),
    "scale 10 % too small": lambda x: x + noise(mpq(90, 100)),
    "scale 20 % too small": lambda x: x + noise(mpq(80, 100)),
    "wrong sign": lambda x: x + sample_geometric(ONE),
    "zero counted twice": lambda x: (
        x + sample_geometric(ONE) * (1 if random_bits(1) else -1)
    ),
    "a path without noise": lambda x: x if rarely(8) else x + noise(),
    "a path that tells": lambda x: ("x", x) if rarely(8) else x + noise(),
    "floor of a truncated uniform": truncated_uniform,
    "a clipped tail": lambda x: x + max(-6, min(6, noise())),
    "sensitivity off by one": lambda x: 2 * x + noise(),
    "no noise": lambda x: x,
    "parity kept": lambda x: x + 2 * noise(),
}


@for_each("name", MUTANTS)
def test_a_mutant_of_laplace_fails(name: str) -> None:
    certificate = certify(measurement(MUTANTS[name]))
    assert certificate.refuted
    assert not certificate.holds
    assert not certificate
    assert certificate.needs_epsilon > 1
    with pytest.raises(
        AssertionError, match="PrivacyCertificate: REFUTED for this pair"
    ):
        certificate.assert_holds()


RARE: list[Any] = [(12, RUNS // 4, "1/50"), (15, RUNS, None)]


@pytest.mark.parametrize(("bits", "runs", "cap"), shortened(RARE, RARE[-1], parts=3))
def test_a_rarer_fault_takes_more_runs(bits: int, runs: int, cap: Any) -> None:
    """A fault of probability 2^-bits hides in what so many runs leave unresolved."""
    mutant = measurement(lambda x: x if rarely(bits) else x + noise())
    hidden = privacy(mutant, 0, 1, depth=40, runs=runs, cap=cap)
    assert hidden.holds
    assert hidden.unresolved > mpq(1, 2**bits)
    assert privacy(mutant, 0, 1, depth=40, runs=4 * runs).refuted


def test_the_mechanism_that_the_mutants_come_from_holds() -> None:
    assert certify(measurement(lambda x: x + noise()))


def test_a_forgotten_rounding_fails() -> None:
    def release(x: Fraction) -> int:
        return math.floor(x + Fraction(1, 2)) + noise()

    certificate = certify(
        measurement(release, space=REALS), Fraction(2, 5), Fraction(3, 5)
    )
    assert certificate.claimed_loss == mpq(1, 5)
    assert certificate.needs_epsilon > mpq(99, 100)
    assert certificate.refuted


@pytest.mark.parametrize("x2", [1, 4])
def test_a_map_one_percent_too_small_fails(x2: int) -> None:
    def claims(share: mpq) -> Measurement:
        return measurement(lambda x: x + noise(mpq(2)), lambda d: d * share / 2)

    assert certify(claims(mpq(1)), 0, x2).holds
    assert certify(claims(mpq(99, 100)), 0, x2).refuted


def test_randomized_response_with_a_map_one_percent_too_small_fails() -> None:
    true = dp.m.make_randomized_response_bool("0.7")
    loss = true.privacy_map(1)
    for share, verdict in ((mpq(1), "holds"), (mpq(99, 100), "refuted")):
        mechanism = Measurement(
            true.input_domain,
            true.function,
            true.input_metric,
            true.output_measure,
            lambda d_in, share=share: d_in * loss * share,
        )
        assert certify(mechanism, True, False).verdict == verdict


# --- the ends -------------------------------------------------------------------------


def test_epsilon_zero() -> None:
    constant = measurement(lambda x: random_bits(2), lambda d_in: 0)
    certificate = certify(constant)
    assert certificate.holds
    assert (certificate.certified_delta, certificate.needs_epsilon) == (0, 0)
    assert certify(measurement(lambda x: x + noise(), lambda d_in: 0)).refuted


def test_infinite_epsilon_claims_nothing() -> None:
    certificate = certify(dp.m.make_laplace(*INTEGERS, scale=0))
    assert certificate.claimed_loss == math.inf
    assert certificate.holds
    assert certificate.needs_epsilon == math.inf


def test_distance_zero() -> None:
    certificate = certify(dp.m.make_laplace(*INTEGERS, scale=1), 5, 5)
    assert (certificate.d_in, certificate.claimed_loss, certificate.holds) == (
        0,
        0,
        True,
    )


# --- what is neither certified nor refuted -------------------------------------------


def test_nothing_enumerated_proves_nothing_and_says_so() -> None:
    certificate = privacy(measurement(lambda x: x + noise()), 0, 1, depth=0)
    assert certificate.verdict == "undecided"
    assert certificate.certified_delta == 1
    assert certificate.needs_epsilon == 0
    assert certificate.unresolved == 1


def telling_after_many_bits(x: int) -> int:
    """No noise at all, behind more bits than can be enumerated."""
    random_bits(64)
    return x


def telling_at_times(x: int) -> Any:
    """x in clear with probability 1/8; nothing is known of the rest."""
    return ("x", x) if random_bits(3) == 0 else random_bits(64)


@for_each("depth", [0, 40, 60])
@for_each("epsilon", [1, "1/10", 20])
def test_a_leak_behind_unresolved_mass_never_holds(depth: int, epsilon: Any) -> None:
    claim = mpq(epsilon)
    for release in (telling_after_many_bits, telling_at_times):
        mutant = measurement(release, lambda d_in: d_in * claim)
        certificate = privacy(mutant, 0, 1, depth=depth)
        assert certificate.verdict == "undecided"
        assert not certificate
        words = r"UNDECIDED(.|\n)*request for 64 bits at once can never be enumerated"
        with pytest.raises(AssertionError, match=words if depth else "UNDECIDED"):
            certificate.assert_holds()
        # Where all is seen, it is refuted.
        tells = measurement(lambda x: ("x", x) if rarely(3) else 0, mutant.privacy_map)
        assert privacy(tells, 0, 1, depth=3).refuted


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"depth": 10}, r"needs more than depth=10 bits: raise depth, to 11 at least"),
        ({"depth": 40, "runs": 9}, r"of the mass was left over, on \d+ paths: raise"),
        ({"depth": 10, "runs": 60}, r"depth=10 bits.*; .* left over, on \d+ paths"),
    ],
)
def test_it_is_said_what_would_decide(terms: dict[str, Any], words: str) -> None:
    mechanism = dp.m.make_laplace(*INTEGERS, scale=1)
    certificate = privacy(mechanism, 0, 1, **terms)
    assert certificate.verdict == "undecided"
    assert certificate.resolve in str(certificate)
    more = r".*; the certified delta .* is above the claim by more than cap=1/1000"
    with pytest.raises(AssertionError, match=f"to decide: .*{words}{more}"):
        certificate.assert_holds()


def test_where_all_is_resolved_and_the_bounds_do_not_meet() -> None:
    """Neither of two bounds on rho at a delta is the truth: no run would help."""
    certificate = privacy(tells_at_times(6, "1/500", "1/16"), 0, 1, depth=7)
    assert certificate.unresolved == 0
    assert certificate.verdict == "undecided"
    assert (
        certificate.advice == "all is resolved; the two bounds on the loss do not meet"
    )


@for_each(
    ("depth", "cap", "verdict"),
    [
        *[(10, None, "undecided"), (10, "1/10", "holds"), (10, "1e-9", "undecided")],
        *[(20, None, "holds"), (20, "1/1000", "holds"), (20, "1e-9", "undecided")],
        *[(45, "1e-9", "holds"), (45, 0, "undecided"), (0, 1, "holds")],
    ],
)
def test_the_delta_that_may_stay_open_is_an_argument(
    depth: int, cap: Any, verdict: str
) -> None:
    mechanism = dp.m.make_laplace(*INTEGERS, scale=1)
    assert privacy(mechanism, 0, 1, depth=depth, cap=cap).verdict == verdict


@for_each("cap", [-1, "1.001", math.nan, math.inf, "much", True])
def test_a_cap_that_is_none_is_refused(cap: Any) -> None:
    mechanism = dp.m.make_laplace(*INTEGERS, scale=1)
    with pytest.raises(dp.OpenDPException, match=r"cap=.*such as cap='1/1000'"):
        privacy(mechanism, 0, 1, depth=2, cap=cap)


def test_all_that_is_resolved_counts_fully_even_without_a_cap() -> None:
    certificate = privacy(
        dp.m.make_randomized_response_bool("3/4"), True, False, depth=9, cap=0
    )
    assert certificate.unresolved == 0
    assert certificate.holds


# --- approximate differential privacy -------------------------------------------------


@pytest.mark.parametrize(
    ("bits", "verdict"), [(10, "holds"), (11, "refuted"), (9, "holds")]
)
def test_delta_is_certified(bits: int, verdict: str) -> None:
    mechanism = measurement(
        lambda x: ("x", x) if rarely(10) else x + noise(),
        lambda d_in: (mpq(d_in), mpq(1, 2**bits)),
        dp.approximate(dp.max_divergence()),
    )
    certificate = certify(mechanism)
    assert certificate.verdict == verdict
    assert abs(certificate.certified_delta - mpq(1, 2**10)) < mpq(1, 10**4)


# --- zero-concentrated differential privacy -------------------------------------------


def gaussian_table(sigma2: mpq) -> list[tuple[mpq, int]]:
    """Cumulative probabilities of a discrete Gaussian, cut at 9 and rounded."""
    weights = {x: mpq(exp(-mpq(x * x) / (2 * sigma2), 64).lo) for x in range(-9, 10)}
    whole = sum(weights.values())
    table, total = [], mpq(0)
    for x, weight in weights.items():
        total += weight / whole
        table.append((total, x))
    return table


def from_table(table: list[tuple[mpq, int]]) -> int:
    def decide(prefix: int, length: int) -> int | None:
        lower, upper = mpq(prefix, 2**length), mpq(prefix + 1, 2**length)
        end, x = table[bisect_right(table, lower, key=itemgetter(0))]
        return x if upper <= end else None

    return LazyUniform().locate(decide)


def gaussian(
    variance: mpq, measure: Any = None, delta: mpq | None = None, leak: int = 0
) -> Measurement:
    """Discrete Gaussian noise of this variance, with the map for variance 1."""
    table = gaussian_table(variance)

    def release(x: int) -> Any:
        return ("x", x) if leak and rarely(leak) else x + from_table(table)

    def privacy_map(d_in: Any) -> Any:
        rho = mpq(d_in) ** 2 / 2
        return rho if delta is None else (rho, delta)

    measure = measure or dp.zero_concentrated_divergence()
    return measurement(release, privacy_map, measure)


def test_a_gaussian_holds_and_is_tight() -> None:
    certificate = privacy(gaussian(mpq(1)), 0, 1, depth=45, runs=RUNS)
    assert certificate.holds
    assert mpq(1, 2) * mpq(98, 100) < certificate.needs_rho <= mpq(1, 2)
    assert certificate.certified_loss < mpq(1, 2) * mpq(105, 100)
    assert certificate.certified_delta < mpq(1, 10**6)


@pytest.mark.parametrize("percent", [5, 10, 20])
def test_a_gaussian_with_too_little_noise_fails(percent: int) -> None:
    variance = mpq(100 - percent, 100) ** 2
    certificate = privacy(gaussian(variance), 0, 1, depth=45, runs=RUNS)
    assert certificate.refuted
    assert certificate.needs_rho > mpq(1, 2)


def test_a_gaussian_that_tells_fails_without_delta() -> None:
    certificate = privacy(gaussian(mpq(1), leak=8), 0, 1, depth=45, runs=RUNS)
    assert certificate.needs_rho > mpq(1, 2)
    assert certificate.refuted


@pytest.mark.parametrize(("bits", "verdict"), [(8, "holds"), (12, "refuted")])
def test_approximate_concentrated_privacy(bits: int, verdict: str) -> None:
    measure = dp.approximate(dp.zero_concentrated_divergence())
    mechanism = gaussian(mpq(1), measure, mpq(1, 2**bits), leak=8)
    certificate = privacy(mechanism, 0, 1, depth=45, runs=RUNS)
    assert certificate.verdict == verdict
    assert abs(certificate.certified_delta - mpq(1, 2**8)) < mpq(1, 10**3)


APPROXIMATE = dp.approximate(dp.zero_concentrated_divergence())


@pytest.mark.parametrize(("share", "verdict"), [("1", "undecided"), ("1/2", "refuted")])
def test_of_a_vague_delta_what_is_certain_is_compared(share: str, verdict: str) -> None:
    """At this depth most outcomes are left out, so little is certified."""
    mechanism = gaussian(mpq(1), APPROXIMATE, mpq(share) / 2**8, leak=8)
    certificate = privacy(mechanism, 0, 1, depth=20, runs=RUNS)
    assert certificate.certified_delta > mpq(1, 4)
    assert certificate.certified_loss < certificate.claimed_loss
    assert certificate.verdict == verdict
    assert (certificate.needs_rho > mpq(1, 2)) == certificate.refuted


@pytest.mark.parametrize(("percent", "verdict"), [(0, "holds"), (2, "refuted")])
def test_a_small_delta_hides_no_fault(percent: int, verdict: str) -> None:
    variance = mpq(100 - percent, 100)
    mechanism = gaussian(variance, APPROXIMATE, mpq(1, 10**6))
    certificate = privacy(mechanism, 0, 1, depth=45, runs=RUNS)
    assert certificate.verdict == verdict
    assert certificate.certified_loss < mpq(1, 2) * mpq(17, 16)
    assert mpq(1, 10**6) <= certificate.certified_delta < mpq(11, 10**7)


def tells_at_times(sixty_fourths: int, rho: Any, delta: Any) -> Measurement:
    """x itself so often, and else a coin that looks like it."""
    return measurement(
        lambda x: x if random_bits(6) < sixty_fourths else random_bits(1),
        lambda d_in: (mpq(rho), mpq(delta)),
        APPROXIMATE,
    )


@for_each(
    ("sixty_fourths", "rho", "delta", "verdict"),
    [
        *[(1, 0, "1/32", "holds"), (2, 0, "1/32", "holds"), (3, 0, "1/32", "refuted")],
        *[(4, 0, "1/32", "refuted"), (5, "1/1000", "1/16", "holds")],
        *[(6, "1/1000", "1/16", "refuted"), (8, "1/1000", "1/16", "refuted")],
        *[(64, 0, 1, "holds"), (64, 5, "99/100", "refuted")],
    ],
)
def test_a_delta_on_outcomes_that_both_have(
    sixty_fourths: int, rho: Any, delta: Any, verdict: str
) -> None:
    """The claimed delta is taken off where it helps, and no more than that."""
    certificate = privacy(tells_at_times(sixty_fourths, rho, delta), 0, 1, depth=7)
    assert certificate.unresolved == 0
    assert certificate.verdict == verdict
    if verdict == "holds" and delta != 1:
        assert certificate.needs_rho <= certificate.certified_loss <= mpq(rho)
        assert certificate.certified_delta <= mpq(delta)


def test_what_is_not_certified_is_not_refuted() -> None:
    """At this depth no outcome is well resolved, and the claim is true."""
    mechanism = gaussian(mpq(1), dp.zero_concentrated_divergence())
    certificate = privacy(mechanism, 0, 1, depth=8)
    assert certificate.verdict == "undecided"
    assert certificate.certified_loss == math.inf
    assert certificate.needs_rho <= certificate.claimed_loss


def test_zero_rho() -> None:
    measure = dp.zero_concentrated_divergence()
    silent = measurement(lambda x: random_bits(2), lambda d_in: 0, measure)
    assert certify(silent).holds
    telling = measurement(lambda x: x + noise(), lambda d_in: 0, measure)
    assert certify(telling).refuted
    everything = measurement(lambda x: x, lambda d_in: math.inf, measure)
    assert certify(everything).holds
    nothing_in_common = measurement(lambda x: x, lambda d_in: mpq(5), measure)
    assert certify(nothing_in_common).refuted


# --- arguments and the certificate as a value -----------------------------------------


def test_a_larger_distance_may_be_given_and_a_smaller_one_not() -> None:
    mechanism = dp.m.make_laplace(*INTEGERS, scale=1)
    assert privacy(mechanism, 0, 1, 3, depth=20).claimed_loss == 3
    with pytest.raises(dp.OpenDPException, match=r"d_in=1: .* further apart"):
        privacy(mechanism, 0, 2, d_in=1, depth=20)
    with pytest.raises(dp.OpenDPException, match="InvalidDistance"):
        privacy(mechanism, 0, 2, d_in=math.nan, depth=20)


def test_inputs_must_be_members() -> None:
    mechanism = dp.m.make_laplace(*INTEGERS, scale=1)
    for x, x2 in ((0, "a"), (0.5, 1)):
        with pytest.raises(dp.OpenDPException, match="not a member"):
            privacy(mechanism, x, x2, depth=3)


def test_what_has_no_certificate_is_refused() -> None:
    clamp = dp.t.make_clamp(
        dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance(), (0, 1)
    )
    with pytest.raises(
        dp.OpenDPException, match=r"measurement=.*must be a Measurement"
    ):
        privacy(clamp, [1], [1])  # type: ignore[arg-type]
    curve = measurement(lambda x: x, lambda d_in: lambda a: 0, dp.renyi_divergence())
    with pytest.raises(dp.OpenDPException, match=r"no certificate under Renyi"):
        privacy(curve, 0, 1)


def test_workers_give_the_same_certificate() -> None:
    mechanism = dp.m.make_laplace(*INTEGERS, scale=1)
    alone = privacy(mechanism, 0, 1, depth=18)
    assert privacy(mechanism, 0, 1, depth=18, workers=2) == alone


def test_certificates_compare_by_value_and_pickle() -> None:
    mechanism = dp.m.make_laplace(*INTEGERS, scale=1)
    certificate = privacy(mechanism, 0, 1, depth=20)
    assert certificate == privacy(mechanism, 0, 1, depth=20)
    assert certificate != privacy(mechanism, 0, 1, depth=21)
    assert pickle.loads(pickle.dumps(certificate)) == certificate
    with pytest.raises(AttributeError, match="needs_epsilon"):
        _ = certificate.needs_rho


def test_a_certificate_prints_as_a_table() -> None:
    certificate = privacy(
        dp.m.make_randomized_response_bool(0.75), True, False, depth=9
    )
    assert str(certificate).splitlines() == [
        "PrivacyCertificate: holds for this pair at d_in=1",
        "  make_randomized_response_bool(prob=0.75)",
        "                  epsilon         delta",
        "  claimed         1.09862             0",
        "  certified       1.09862             0",
        "  needed          1.09861  at the claimed delta",
        "  unresolved mass <= 0, 6 paths",
    ]


# Profiles

ANSWERS = dp.atom_domain(T=bool), dp.discrete_distance()


def answer(x: bool) -> bool:
    """The truth with probability 3/4."""
    return bool(x) == (random_bits(2) != 0)


def profiled(profile: Map) -> Measurement:
    measure = dp.smoothed_max_divergence()
    return measurement(answer, lambda d_in: profile, measure, ANSWERS)


@pytest.mark.parametrize("epsilon", [0, "1/2", 2])
def test_a_profile_is_compared_at_an_epsilon(epsilon: Any) -> None:
    made = profiled(lambda at: mpq(1, 2) if at < 1 else mpq(1, 10))
    certificate = privacy(made, True, False, epsilon=epsilon)
    assert certificate.claimed_loss == mpq(epsilon)
    assert certificate.claimed_delta == (mpq(1, 10) if epsilon == 2 else mpq(1, 2))
    assert certificate.holds
    if epsilon == 0:  # the answers differ by 1/2, just what is claimed
        assert certificate.certified_delta == mpq(1, 2)


def test_a_profile_that_is_too_small_is_found() -> None:
    made = profiled(lambda at: mpq(1, 10))
    assert privacy(made, True, False, epsilon="1/10").refuted
    assert privacy(made, True, False).holds


@for_each(
    ("epsilon", "words"),
    [(-1, "at least 0"), ("x", "epsilon='x'"), (None, "number"), (math.nan, "nan")],
)
def test_an_epsilon_that_is_refused(epsilon: Any, words: str) -> None:
    made = profiled(lambda at: mpq(1))
    with pytest.raises(dp.OpenDPException, match=words) as caught:
        privacy(made, True, False, epsilon=epsilon)
    assert caught.value.variant == "InvalidDistance"
