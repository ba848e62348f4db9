"""Hypothesis strategies: members of a domain, neighbours under a metric, outsiders.

The members are random and extreme: NaN where the domain has it, both zeros,
subnormal and largest floats, infinities, integers past every machine word, empty
data, one row, duplicates, text outside of ASCII. `extremes` are those that are tried in
every run. Hypothesis is a development dependency and is imported when a function here
is called.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from opendp_lite.core.aliases import Data
from opendp_lite.core.domain import (
    AtomDomain,
    BitVectorDomain,
    Domain,
    MapDomain,
    OptionDomain,
    VectorDomain,
)
from opendp_lite.core.metric import (
    AbsoluteDistance,
    ChangeOneDistance,
    HammingDistance,
    InsertDeleteDistance,
    L1Distance,
    L2Distance,
    LInfDistance,
    Metric,
    SymmetricDistance,
)

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

__all__ = ["extremes", "members", "neighbours", "outsiders", "require_hypothesis"]

_MOST_ROWS = 8
_INTEGERS = [0, 1, -1, 2, 127, 255, 2**53, 2**53 + 1, 2**63 - 1, 2**63, -(2**63)]
_INTEGERS += [2**64, 10**40, -(10**40)]
_FRACTIONS = [Fraction(1, 3), Fraction(-1, 10**30), Fraction(10**40, 3)]
# Hypothesis prints what it draws from, and Python does not print an int of this length.
_FAR = [10**5000, -(10**5000), Fraction(10**5000, 3), Fraction(1, 10**5000)]
_FLOATS = [math.nan, 0.0, -0.0, 1.0, -1.0, 0.1, 5e-324, -5e-324]
_FLOATS += [2.2250738585072014e-308, 1e16, float(2**53), 0.5, 1.5, 2.5]
_FLOATS += [1.7976931348623157e308, -1.7976931348623157e308, math.inf, -math.inf]
_TEXTS = ["", " ", "0", "1", "-0", " 1 ", "1e400", "nan", "inf", "true", "1_0", "0x1"]
_TEXTS += ["é", "e\u0301", "𝟙", "\u0661", "\x00", "a\x00", "\n", "1" * 400]
_TEXTS += ["\ud800", "1\udfff", "\udcff\ud800", "\U0010ffff", "9" * 5000, "1e5000"]
# A short alphabet: the table of all characters takes hypothesis seconds to build.
_LETTERS = "aZ019.-+e_ \t\x00é\u0301\u0661\u202e\ufeff𝟙𐍈"


def require_hypothesis() -> Any:
    """Return the module `hypothesis`, or say how to get it."""
    try:
        import hypothesis
    except ImportError as error:
        raise ImportError(
            "contracts need the package hypothesis: pip install hypothesis"
        ) from error
    return hypothesis


def members(domain: Domain) -> SearchStrategy[Any]:
    """Return a strategy of members of `domain`, random and extreme ones."""
    require_hypothesis()
    from hypothesis import strategies as st

    if isinstance(domain, AtomDomain):
        return _atoms(domain)
    if isinstance(domain, OptionDomain):
        return st.none() | members(domain.element_domain)
    if isinstance(domain, VectorDomain):
        element = members(domain.element_domain)
        least = domain.size or 0
        most = _MOST_ROWS if domain.size is None else domain.size
        few = st.lists(element, min_size=1, max_size=2).flatmap(
            lambda values: st.lists(
                st.sampled_from(values), min_size=least, max_size=most
            )
        )
        return st.lists(element, min_size=least, max_size=most) | few
    if isinstance(domain, MapDomain):
        keys, values = members(domain.key_domain), members(domain.value_domain)
        return st.dictionaries(keys, values, max_size=5)
    if isinstance(domain, BitVectorDomain):
        return _bit_vectors(domain)
    raise TypeError(
        f"no members of {domain!r} are known: pass data=... to the contract"
    )


def _atoms(domain: AtomDomain) -> SearchStrategy[Any]:
    from hypothesis import strategies as st

    if domain.T is bool:
        return st.booleans()
    if domain.T is str:
        return st.sampled_from(_TEXTS) | st.text(_LETTERS, max_size=6)
    lower, upper = domain.bounds or (None, None)
    ends = [] if domain.bounds is None else [*domain.bounds, *_inside(domain)]
    special = [*ends, *_INTEGERS]
    spread: SearchStrategy[Any]
    if domain.T is int:
        spread = st.integers(lower, upper)
    elif domain.T is Fraction:
        spread = st.fractions(lower, upper, max_denominator=1000)
        special += _FRACTIONS
    else:
        least = None if lower == -math.inf else lower
        most = None if upper == math.inf else upper
        spread = st.floats(
            least,
            most,
            allow_nan=domain.nan and domain.bounds is None,
            width=32 if domain.single else 64,
        ).filter(domain.member)
        special += _FLOATS
    special = [value for value in special if domain.member(value)]
    return st.sampled_from(special) | spread if special else spread


def _inside(domain: AtomDomain) -> list[Any]:
    """Values next to the bounds and between them; they need not be members."""
    assert domain.bounds is not None
    lower, upper = domain.bounds
    if domain.T is float:
        return [math.nextafter(lower, math.inf), math.nextafter(upper, -math.inf)]
    return [lower + 1, upper - 1, (lower + upper) // 2]


def _bit_vectors(domain: BitVectorDomain) -> SearchStrategy[bytes]:
    from hypothesis import strategies as st

    @st.composite
    def vectors(draw: DrawFn) -> bytes:
        size = domain.size
        if size is None:
            size = 8 * draw(st.integers(0, 4))
        most = size if domain.max_weight is None else min(size, domain.max_weight)
        ones = draw(st.sets(st.integers(0, size - 1), max_size=most)) if most else set()
        length = -(-size // 8)
        value = sum(1 << (8 * length - 1 - one) for one in ones)
        return value.to_bytes(length, "big")

    return vectors()


def extremes(domain: Domain) -> list[Any]:
    """Return the farthest members of a domain; none if the domain is of a user's own.

    >>> [len(x) for x in extremes(AtomDomain(T=str))][-2:]
    [5000, 6]
    """
    if isinstance(domain, AtomDomain):
        return _extreme_atoms(domain)
    if isinstance(domain, OptionDomain):
        return [None, *extremes(domain.element_domain)]
    if isinstance(domain, VectorDomain):
        rows = extremes(domain.element_domain)
        lists = [[row] * (domain.size or 1) for row in rows]
        lists += [rows, rows[::-1], []]
        return [each for each in lists if domain.member(each)]
    if isinstance(domain, MapDomain):
        keys, values = extremes(domain.key_domain), extremes(domain.value_domain)
        if not keys or not values:
            return []
        maps = [{keys[0]: value} for value in values] + [dict.fromkeys(keys, values[0])]
        return [each for each in maps if domain.member(each)]
    return []


def _extreme_atoms(domain: AtomDomain) -> list[Any]:
    if domain.T is bool:
        return [False, True]
    special: list[Any] = _TEXTS
    if domain.T is not str:
        special = [*_INTEGERS, *_FLOATS, *_FRACTIONS, *_FAR]
    ends = [] if domain.bounds is None else [*domain.bounds, *_inside(domain)]
    return [value for value in [*ends, *special] if domain.member(value)]


def neighbours(domain: Domain, metric: Metric, x: Data) -> SearchStrategy[Any]:
    """Return a strategy of members of `domain`, mostly near to `x` under `metric`.

    They include `x` itself, members at distance 0 that are not `x` (permutations
    where order does not count), and arbitrary members.
    """
    require_hypothesis()
    from hypothesis import strategies as st

    anything = members(domain)
    near: SearchStrategy[Any]
    if isinstance(domain, VectorDomain):
        if isinstance(metric, SymmetricDistance | InsertDeleteDistance):
            near = _edited(domain, list(x), domain.size is None)
        elif isinstance(metric, ChangeOneDistance | HammingDistance):
            near = _edited(domain, list(x), False)
        elif isinstance(metric, L1Distance | L2Distance | LInfDistance):
            element = domain.element_domain
            near = st.tuples(*(_shifted(element, each) for each in x)).map(list)
        else:
            near = anything
        if isinstance(metric, SymmetricDistance | ChangeOneDistance):
            near = near | near.flatmap(st.permutations)
        return (near | near | anything).filter(domain.member)
    if isinstance(metric, AbsoluteDistance):
        near = _shifted(domain, x)
        return (near | near | anything).filter(domain.member)
    if isinstance(domain, MapDomain):
        near = _edited_map(domain, x)
        return (near | near | anything).filter(domain.member)
    return st.just(x) | anything


def _edited(
    domain: VectorDomain, x: list[Data], resize: bool
) -> SearchStrategy[list[Any]]:
    """`x` after a few insertions and deletions, or else replacements."""
    from hypothesis import strategies as st

    element = members(domain.element_domain)

    @st.composite
    def edited(draw: DrawFn) -> list[Any]:
        data = list(x)
        for _ in range(draw(st.integers(0, 3))):
            if resize and draw(st.booleans()):
                data.insert(draw(st.integers(0, len(data))), draw(element))
            elif data:
                at = draw(st.integers(0, len(data) - 1))
                if resize:
                    del data[at]
                else:
                    data[at] = draw(element)
        return data

    return edited()


def _shifted(domain: Domain, x: Data) -> SearchStrategy[Any]:
    """Numbers near `x`, most of them members of `domain`."""
    from hypothesis import strategies as st

    near = [x]
    if isinstance(x, float):
        if math.isfinite(x):
            near += [math.nextafter(x, math.inf), math.nextafter(x, -math.inf)]
            near += [x + 0.5, x - 1.0, x * (1 + 2**-30)]
    else:
        near += [x + 1, x - 1, x + 3, x + 10**30]
        near += [x + Fraction(1, 10**9)] if isinstance(x, Fraction) else []
    return st.sampled_from([each for each in near if domain.member(each)])


def _edited_map(
    domain: MapDomain, x: dict[Data, Data]
) -> SearchStrategy[dict[Any, Any]]:
    from hypothesis import strategies as st

    new = st.dictionaries(members(domain.key_domain), members(domain.value_domain))

    @st.composite
    def edited(draw: Any) -> dict[Any, Any]:
        data = dict(x)
        if data and draw(st.booleans()):
            del data[draw(st.sampled_from(sorted(data, key=repr)))]
        if data and draw(st.booleans()):
            at = draw(st.sampled_from(sorted(data, key=repr)))
            data[at] = draw(members(domain.value_domain))
        if draw(st.booleans()):
            data |= draw(new)
        return data

    return edited()


def outsiders(domain: Domain) -> list[Any]:
    """Return values that are not members of `domain`, of many types."""
    values: list[Any] = [object(), None, "secret", 3j, {"secret": 1}, ("secret",)]
    values += [["secret"], [None], [[1]], [2j], [True, 1], [10**400], 10**400, math.nan]
    values += [[math.nan], [0.5, "secret"], b"secret", True, 0.25, [0.25], -12345]
    return [value for value in values if not domain.member(value)]
