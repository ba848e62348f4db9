"""Randomized response: tell the truth with a known probability."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance, ExactNumber
from opendp_lite.base.arguments import check_type, rational_argument
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains import AtomDomain, BitVectorDomain, Domain, atom_domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import max_divergence
from opendp_lite.core.metrics import DiscreteDistance, Metric, discrete_distance
from opendp_lite.core.registry import constructor, then
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.enclosures import ln
from opendp_lite.exact.intervals import upper_bound
from opendp_lite.exact.rationals import Extended, to_mpq
from opendp_lite.randomness.draws import (
    sample_bernoulli_float,
    sample_bernoulli_rational,
    sample_bit_vectors,
    sample_uniform_below,
)

_FIX = "Pass the probability of the truth, between 1/2 (no information) and 1"
_KINDS = (bool, int, str)
_CATEGORIES_FIX = 'Pass a list of different values, such as ["a", "b", "c"]'
_FLIP_FIX = "Pass f, twice the probability that a bit is flipped, such as f=0.5"


@constructor(proof="measurements/make_randomized_response_bool", status="vetted")
def make_randomized_response_bool(
    prob: ExactNumber, constant_time: bool = False
) -> Measurement:
    """Return a measurement that releases a boolean with probability `prob`, else its
    opposite.

    Guarantee: for x, x' at discrete distance at most d_in,
    P(M(x) = y) <= e^epsilon P(M(x') = y) for both y, where epsilon is 0 at d_in = 0
    and ln(p / (1 - p)) otherwise, rounded up, and p is `prob`.

    :param prob: p, from 1/2 to 1, exact: float, Fraction, Decimal or text
    :param constant_time: always read the same number of random bits; `prob` must then
        be a float. Nothing is claimed about time otherwise.

    >>> import opendp_lite.prelude as dp
    >>> response = dp.m.make_randomized_response_bool(prob=0.75)
    >>> response.map(1)
    1.0986122886681098
    >>> response(True) in (True, False)
    True

    Proof: proofs/measurements/make_randomized_response_bool.tex
    """
    p = rational_argument(  # proof: p
        "MakeMeasurement", "prob", prob, fix=_FIX, at_most=1
    )
    if 2 * p < 1:  # proof: at-least-half
        raise refusal("MakeMeasurement", "prob", prob, "must be at least 1/2", _FIX)
    fix = "Say True or False"
    check_type(  # proof: flag
        "MakeMeasurement", "constant_time", constant_time, bool, fix
    )
    if constant_time and not isinstance(prob, float):  # proof: float
        rule = "must be a float when constant_time is True"
        raise refusal(
            "MakeMeasurement", "prob", prob, rule, "Pass a float such as 0.75"
        )

    def function(arg: Data) -> bool:
        if constant_time:
            truthful = sample_bernoulli_float(float(p), constant_time=True)  # proof: ct
        else:
            truthful = sample_bernoulli_rational(p)  # proof: truthful
        return bool(arg) == truthful  # proof: answer

    epsilon: Extended
    if p == 1:
        epsilon = math.inf  # proof: certain
    else:
        odds = p / (1 - p)  # proof: odds
        epsilon = upper_bound(lambda bits: ln(odds, bits), 128)  # proof: epsilon

    def privacy_map(d_in: ExactDistance) -> Any:
        return 0 if d_in == 0 else epsilon  # proof: map

    return Measurement(
        atom_domain(T=bool),
        function,
        discrete_distance(),
        max_divergence(),
        privacy_map,
    )


@constructor(proof="measurements/make_randomized_response", status="vetted")
def make_randomized_response(
    categories: Iterable[Data], prob: ExactNumber, T: TypeArgument | None = None
) -> Measurement:
    """Return a measurement that releases a category with probability `prob`, else one
    of the others, each with the same probability.

    Guarantee: for x, x' at discrete distance at most d_in,
    P(M(x) = y) <= e^epsilon P(M(x') = y) for every category y, where epsilon is 0 at
    d_in = 0 and ln(p (k - 1) / (1 - p)) otherwise, rounded up, p is `prob` and k the
    number of `categories`.

    A value that is none of the categories is a member of the domain too: for it each
    category is released with probability 1/k, within the same guarantee.

    :param categories: k >= 2 different values of one type: bool, int or str
    :param prob: p, from 1/k to 1, exact: float, Fraction, Decimal or text
    :param T: the type of the values, where it is not that of the categories: "u8", ...

    >>> import opendp_lite.prelude as dp
    >>> response = dp.m.make_randomized_response(["a", "b", "c"], prob=0.5)
    >>> response.map(1)
    0.6931471805599454
    >>> response("a") in ("a", "b", "c"), response("z") in ("a", "b", "c")
    (True, True)

    Proof: proofs/measurements/make_randomized_response.tex
    """
    domain, values = check_categories("MakeMeasurement", categories, T)  # proof: values
    k = len(values)
    p = check_truth(prob, k)  # proof: p
    positions = {value: i for i, value in enumerate(values)}  # proof: positions

    def function(arg: Data) -> Any:
        position = positions.get(native(arg))  # proof: position
        # Both draws are made always: their number must not tell who was honest.
        truthful = sample_bernoulli_rational(p)  # proof: truthful
        if position is None:
            return values[sample_uniform_below(k)]  # proof: outside
        other = sample_uniform_below(k - 1)  # proof: other
        lie = other + (other >= position)  # proof: lie
        return values[position if truthful else lie]  # proof: answer

    epsilon: Extended
    if p == 1:
        epsilon = math.inf  # proof: certain
    else:
        odds = p * (k - 1) / (1 - p)  # proof: odds
        epsilon = upper_bound(lambda bits: ln(odds, bits), 128)  # proof: epsilon

    def privacy_map(d_in: ExactDistance) -> Any:
        return 0 if d_in == 0 else epsilon  # proof: map

    return Measurement(
        domain, function, discrete_distance(), max_divergence(), privacy_map
    )


def check_categories(
    variant: str, categories: Iterable[Data], T: TypeArgument | None = None
) -> tuple[AtomDomain, list[Any]]:
    """Return the domain of the values, and the categories as a list; or refuse them."""
    fix = _CATEGORIES_FIX
    if not isinstance(categories, list | tuple):  # proof: list
        raise refusal(variant, "categories", categories, "must be a list", fix)
    values = [native(value) for value in categories]  # proof: native
    if len(values) < 2:  # proof: two
        raise refusal(variant, "categories", categories, "must be at least two", fix)
    if T is None and type(values[0]) not in _KINDS:  # proof: guess
        rule = "must be of type bool, int or str"
        raise refusal(variant, "categories", categories, rule, fix)
    domain = atom_domain(T=type(values[0]) if T is None else T)  # proof: domain
    if domain.T not in _KINDS:  # proof: kind
        rule = "the type of a category is bool, int or str"
        raise refusal(variant, "T", T, rule, "Leave T out")
    if not domain.all_members(values):  # proof: members
        rule = f"each must be {domain.rule()}"
        raise refusal(variant, "categories", categories, rule, fix)
    if len(set(values)) < len(values):  # proof: different
        raise refusal(variant, "categories", categories, "must be all different", fix)
    return domain, values


def check_truth(prob: ExactNumber, k: int) -> Any:
    """Return the probability of the truth among k categories, exactly; or refuse it."""
    fix = f"Pass the probability of the truth, from Fraction(1, {k}) to 1"
    p = rational_argument(  # proof: at-most-one
        "MakeMeasurement", "prob", prob, fix=fix, at_most=1
    )
    if k * p < 1:  # proof: at-least-uniform
        rule = f"must be at least 1/{k}, one over the number of categories"
        raise refusal("MakeMeasurement", "prob", prob, rule, fix)
    return p


@constructor(proof="measurements/make_randomized_response_bitvec", status="vetted")
def make_randomized_response_bitvec(
    input_domain: Domain,
    input_metric: Metric,
    f: ExactNumber,
    constant_time: bool = False,
) -> Measurement:
    """Return a measurement that flips each bit of a vector with probability f/2, all of
    them independently.

    Guarantee: for x, x' at discrete distance at most d_in,
    P(M(x) = y) <= e^epsilon P(M(x') = y) for every y, where epsilon is 0 at d_in = 0
    and min(2 m, n) ln((2 - f) / f) otherwise, rounded up; n is the `size` of the domain
    and m its `max_weight`, without which epsilon is n ln((2 - f) / f).

    The size must be in the domain: the length of a vector shows in its release. Bits
    past the size, which fill the last byte, are zero and stay so.

    :param input_domain: bitvector_domain with a size
    :param input_metric: discrete_distance
    :param f: 0 < f <= 1, exact: float, Fraction, Decimal or text; 1 is no information
    :param constant_time: always read the same number of random bits; `f` must then be
        a float. Nothing is claimed about time otherwise.

    >>> import opendp_lite.prelude as dp
    >>> space = dp.bitvector_domain(max_weight=4, size=24), dp.discrete_distance()
    >>> response = space >> dp.m.then_randomized_response_bitvec(f=0.95)
    >>> response.map(1)
    0.800667668455861
    >>> len(response(bytes([0, 8, 12])))
    3

    Proof: proofs/measurements/make_randomized_response_bitvec.tex
    """
    size, differing = _check_bits(input_domain, input_metric)  # proof: space
    flip = check_flip(f)  # proof: flip
    check_type(  # proof: flag
        "MakeMeasurement", "constant_time", constant_time, bool, "Say True or False"
    )
    if constant_time and (
        not isinstance(f, float) or to_mpq(float(flip)) != flip  # proof: float
    ):
        rule = "must be twice a float, and a float, when constant_time is True"
        raise refusal("MakeMeasurement", "f", f, rule, "Pass a float such as 0.5")

    def function(arg: Data) -> bytes:
        if not constant_time:
            return flip_bits(arg, sample_bit_vectors(flip, size, 1))  # proof: flips
        flips = bytearray(len(arg))  # proof: none
        for i in range(size):  # proof: every-bit
            coin = sample_bernoulli_float(float(flip), True)  # proof: ct
            flips[i // 8] |= coin << 7 - i % 8  # proof: bit
        return flip_bits(arg, flips)  # proof: ct-flips

    odds = (1 - flip) / flip  # proof: odds
    log_odds = upper_bound(lambda bits: ln(odds, bits), 128)  # proof: log-odds

    def privacy_map(d_in: ExactDistance) -> Any:
        return 0 if d_in == 0 else differing * log_odds  # proof: map

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


then_randomized_response_bitvec = then(make_randomized_response_bitvec)


def check_flip(f: ExactNumber) -> Any:
    """Return f/2, the probability that a bit is flipped, exactly; or refuse f."""
    exact = rational_argument(  # proof: f
        "MakeMeasurement", "f", f, fix=_FLIP_FIX, at_least=0, at_most=1
    )
    if exact == 0:  # proof: positive
        raise refusal("MakeMeasurement", "f", f, "must be above 0", _FLIP_FIX)
    return exact / 2  # proof: half


def flip_bits(vectors: bytes, flips: bytes | bytearray) -> bytes:
    """Return the exclusive or, bit by bit, of two strings of bytes of one length."""
    flipped = int.from_bytes(vectors, "big") ^ int.from_bytes(flips, "big")
    return flipped.to_bytes(len(vectors), "big")  # proof: xor


def _check_bits(domain: object, metric: object) -> tuple[int, int]:
    """Return the number of bits, and in how many of them two vectors can differ."""
    fix = "Pass bitvector_domain(max_weight=m, size=n) and discrete_distance()"
    if not isinstance(domain, BitVectorDomain):  # proof: bits
        rule = "must be a bitvector_domain"
        raise refusal("MakeMeasurement", "input_domain", domain, rule, fix)
    if domain.size is None:  # proof: size
        rule = "must have a size: the length of a vector shows in its release"
        raise refusal("MakeMeasurement", "input_domain", domain, rule, fix)
    if not isinstance(metric, DiscreteDistance):  # proof: metric
        rule = "must be discrete_distance()"
        raise refusal("MakeMeasurement", "input_metric", metric, rule, fix)
    if domain.max_weight is None:
        return domain.size, domain.size  # proof: any-weight
    return domain.size, min(2 * domain.max_weight, domain.size)  # proof: differing
