# ruff: noqa
# fmt: off
# What was read of opendp_lite.measurements.responses.randomized_response; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Iterable
from opendp_lite.base.aliases import Data
from opendp_lite.base.aliases import ExactDistance
from opendp_lite.base.aliases import ExactNumber
from opendp_lite.base.arguments import check_type
from opendp_lite.base.arguments import rational_argument
from opendp_lite.base.containers import native
from opendp_lite.base.errors import refusal
from opendp_lite.core.domains.atom import AtomDomain
from opendp_lite.core.domains.atom import atom_domain
from opendp_lite.core.domains.bitvector import BitVectorDomain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures.plain import max_divergence
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import DiscreteDistance
from opendp_lite.core.metrics.numbers import discrete_distance
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.exact.elementary import ln
from opendp_lite.exact.intervals import upper_bound
from opendp_lite.exact.rationals import Extended
from opendp_lite.exact.rationals import to_mpq
from opendp_lite.randomness.draws import sample_bernoulli_float
from opendp_lite.randomness.draws import sample_bernoulli_rational
from opendp_lite.randomness.draws import sample_bit_vectors
from opendp_lite.randomness.draws import sample_uniform_below
from typing import Any
import math

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.base.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.base.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.base.aliases.NumpyNumber, opendp_lite.base.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.base.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.base.aliases.NumpyNumber
opendp_lite.base.aliases.ExactDistance: typing.TypeAlias = typing.Any
opendp_lite.base.aliases.Data: typing.TypeAlias = typing.Any
opendp_lite.exact.rationals.Extended: typing.TypeAlias = int | gmpy2.mpq | float
_FIX = "Pass the probability of the truth, between 1/2 (no information) and 1"
opendp_lite.data.type_arguments.TypeArgument: typing.TypeAlias = type | str | types.GenericAlias | types.UnionType | opendp_lite.data.type_arguments.AtomType
_KINDS = (bool, int, str)
_CATEGORIES_FIX = 'Pass a list of different values, such as ["a", "b", "c"]'
_FLIP_FIX = "Pass f, twice the probability that a bit is flipped, such as f=0.5"


# === make_randomized_response_bool with Data, ExactDistance, ExactNumber, check_type,
#    rational_argument, refusal, atom_domain, Measurement, max_divergence,
#    discrete_distance, ln, upper_bound, Extended, sample_bernoulli_float,
#    sample_bernoulli_rational, Any, math, ?, opendp_lite.base.aliases.ExactNumber,
#    opendp_lite.base.aliases.ExactDistance, opendp_lite.base.aliases.Data,
#    opendp_lite.exact.rationals.Extended, _FIX
def make_randomized_response_bool(
    prob: ExactNumber, constant_time: bool = False
) -> Measurement:
    p = rational_argument(
        "MakeMeasurement", "prob", prob, fix=_FIX, at_most=1
    )
    if 2 * p < 1:
        raise refusal("MakeMeasurement", "prob", prob, "must be at least 1/2", _FIX)
    fix = "Say True or False"
    check_type(
        "MakeMeasurement", "constant_time", constant_time, bool, fix
    )
    if constant_time and not isinstance(prob, float):
        rule = "must be a float when constant_time is True"
        raise refusal(
            "MakeMeasurement", "prob", prob, rule, "Pass a float such as 0.75"
        )

    def function(arg: Data) -> bool:
        if constant_time:
            truthful = sample_bernoulli_float(float(p), constant_time=True)
        else:
            truthful = sample_bernoulli_rational(p)
        return bool(arg) == truthful

    epsilon: Extended
    if p == 1:
        epsilon = math.inf
    else:
        odds = p / (1 - p)
        epsilon = upper_bound(lambda bits: ln(odds, bits), 128)

    def privacy_map(d_in: ExactDistance) -> Any:
        return 0 if d_in == 0 else epsilon

    return Measurement(
        atom_domain(T=bool),
        function,
        discrete_distance(),
        max_divergence(),
        privacy_map,
    )


# === make_randomized_response with Iterable, Data, ExactDistance, ExactNumber, native,
#    Measurement, max_divergence, discrete_distance, TypeArgument, ln, upper_bound,
#    Extended, sample_bernoulli_rational, sample_uniform_below, Any, math, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data, opendp_lite.data.type_arguments.TypeArgument,
#    opendp_lite.exact.rationals.Extended
def make_randomized_response(
    categories: Iterable[Data], prob: ExactNumber, T: TypeArgument | None = None
) -> Measurement:
    domain, values = check_categories("MakeMeasurement", categories, T)
    k = len(values)
    p = check_truth(prob, k)
    positions = {value: i for i, value in enumerate(values)}

    def function(arg: Data) -> Any:
        position = positions.get(native(arg))
        truthful = sample_bernoulli_rational(p)
        if position is None:
            return values[sample_uniform_below(k)]
        other = sample_uniform_below(k - 1)
        lie = other + (other >= position)
        return values[position if truthful else lie]

    epsilon: Extended
    if p == 1:
        epsilon = math.inf
    else:
        odds = p * (k - 1) / (1 - p)
        epsilon = upper_bound(lambda bits: ln(odds, bits), 128)

    def privacy_map(d_in: ExactDistance) -> Any:
        return 0 if d_in == 0 else epsilon

    return Measurement(
        domain, function, discrete_distance(), max_divergence(), privacy_map
    )


# === check_categories with Iterable, Data, native, refusal, AtomDomain, atom_domain,
#    TypeArgument, Any, opendp_lite.base.aliases.Data,
#    opendp_lite.data.type_arguments.TypeArgument, _KINDS, _CATEGORIES_FIX
def check_categories(
    variant: str, categories: Iterable[Data], T: TypeArgument | None = None
) -> tuple[AtomDomain, list[Any]]:
    fix = _CATEGORIES_FIX
    if not issubclass(type(categories), list | tuple):
        raise refusal(variant, "categories", categories, "must be a list", fix)
    values = [native(value) for value in categories]
    if len(values) < 2:
        raise refusal(variant, "categories", categories, "must be at least two", fix)
    if T is None and type(values[0]) not in _KINDS:
        rule = "must be of type bool, int or str"
        raise refusal(variant, "categories", categories, rule, fix)
    domain = atom_domain(T=type(values[0]) if T is None else T)
    if domain.T not in _KINDS:
        rule = "the type of a category is bool, int or str"
        raise refusal(variant, "T", T, rule, "Leave T out")
    if not domain.all_members(values):
        rule = f"each must be {domain.rule()}"
        raise refusal(variant, "categories", categories, rule, fix)
    if len(set(values)) < len(values):
        raise refusal(variant, "categories", categories, "must be all different", fix)
    return domain, values


# === check_truth with ExactNumber, rational_argument, refusal, Any, ?,
#    opendp_lite.base.aliases.ExactNumber
def check_truth(prob: ExactNumber, k: int) -> Any:
    fix = f"Pass the probability of the truth, from Fraction(1, {k}) to 1"
    p = rational_argument(
        "MakeMeasurement", "prob", prob, fix=fix, at_most=1
    )
    if k * p < 1:
        rule = f"must be at least 1/{k}, one over the number of categories"
        raise refusal("MakeMeasurement", "prob", prob, rule, fix)
    return p


# === make_randomized_response_bitvec with Data, ExactDistance, ExactNumber, check_type,
#    refusal, Domain, Measurement, max_divergence, Metric, ln, upper_bound, to_mpq,
#    sample_bernoulli_float, sample_bit_vectors, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, opendp_lite.base.aliases.ExactDistance,
#    opendp_lite.base.aliases.Data
def make_randomized_response_bitvec(
    input_domain: Domain,
    input_metric: Metric,
    f: ExactNumber,
    constant_time: bool = False,
) -> Measurement:
    size, differing = _check_bits(input_domain, input_metric)
    flip = check_flip(f)
    check_type(
        "MakeMeasurement", "constant_time", constant_time, bool, "Say True or False"
    )
    if constant_time and (
        not isinstance(f, float) or to_mpq(float(flip)) != flip
    ):
        rule = "must be twice a float, and a float, when constant_time is True"
        raise refusal("MakeMeasurement", "f", f, rule, "Pass a float such as 0.5")

    def function(arg: Data) -> bytes:
        if not constant_time:
            return flip_bits(arg, sample_bit_vectors(flip, size, 1))
        flips = bytearray(len(arg))
        for i in range(size):
            coin = sample_bernoulli_float(float(flip), True)
            flips[i // 8] |= coin << 7 - i % 8
        return flip_bits(arg, flips)

    odds = (1 - flip) / flip
    log_odds = upper_bound(lambda bits: ln(odds, bits), 128)

    def privacy_map(d_in: ExactDistance) -> Any:
        return 0 if d_in == 0 else differing * log_odds

    return Measurement(
        input_domain, function, input_metric, max_divergence(), privacy_map
    )


# === check_flip with ExactNumber, rational_argument, refusal, Any, ?,
#    opendp_lite.base.aliases.ExactNumber, _FLIP_FIX
def check_flip(f: ExactNumber) -> Any:
    exact = rational_argument(
        "MakeMeasurement", "f", f, fix=_FLIP_FIX, at_least=0, at_most=1
    )
    if exact == 0:
        raise refusal("MakeMeasurement", "f", f, "must be above 0", _FLIP_FIX)
    return exact / 2


# === flip_bits
def flip_bits(vectors: bytes, flips: bytes | bytearray) -> bytes:
    flipped = int.from_bytes(vectors, "big") ^ int.from_bytes(flips, "big")
    return flipped.to_bytes(len(vectors), "big")


# === _check_bits with refusal, BitVectorDomain, DiscreteDistance
def _check_bits(domain: object, metric: object) -> tuple[int, int]:
    fix = "Pass bitvector_domain(max_weight=m, size=n) and discrete_distance()"
    if not isinstance(domain, BitVectorDomain):
        rule = "must be a bitvector_domain"
        raise refusal("MakeMeasurement", "input_domain", domain, rule, fix)
    if domain.size is None:
        rule = "must have a size: the length of a vector shows in its release"
        raise refusal("MakeMeasurement", "input_domain", domain, rule, fix)
    if not isinstance(metric, DiscreteDistance):
        rule = "must be discrete_distance()"
        raise refusal("MakeMeasurement", "input_metric", metric, rule, fix)
    if domain.max_weight is None:
        return domain.size, domain.size
    return domain.size, min(2 * domain.max_weight, domain.size)
