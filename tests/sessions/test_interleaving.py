"""The interaction lemma on small answerers, over all strategies, in exact numbers.

An answerer answers up to two questions, of two kinds, by 0 or 1; its law depends on all
it was asked and answered. Two of them are asked in any order. The best strategy is
found by recursion, and is what parts (d) to (f) of the lemma bound.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from gmpy2 import mpq

DATA = Path(__file__).parents[1] / "data" / "session_vectors.json"
Weights: TypeAlias = tuple[tuple[Any, Any], ...]
DEPTH, KINDS, ANSWERS = 2, (0, 1), (0, 1)


class Answerer:
    """Random laws after each history, for x and for x'."""

    def __init__(self, rng: random.Random, spread: int) -> None:
        self.rng, self.spread = rng, spread
        self.laws: dict[Any, Any] = {}

    def law(self, history: Any, question: int) -> Any:
        """Return the probabilities of both answers, for x and for x'."""
        if (history, question) not in self.laws:
            p = self.rng.choice([0, 20, *range(1, 20)])
            q = min(20, max(0, p + self.rng.randint(-self.spread, self.spread)))
            laws = [(mpq(n, 20), 1 - mpq(n, 20)) for n in (p, q)]
            self.laws[history, question] = laws
        return self.laws[history, question]


def best(answerers: list[Answerer], leaf: Callable[[Weights], Any]) -> Any:
    """Return the greatest sum of a function of the probabilities, over strategies."""

    def value(histories: tuple[Any, ...], weights: Weights) -> Any:
        options = [leaf(weights)]
        for i, each in enumerate(answerers):
            for question in KINDS if len(histories[i]) < DEPTH else ():
                p, q = each.law(histories[i], question)
                total = mpq(0)
                for v in ANSWERS:
                    after = list(histories)
                    after[i] = (*histories[i], (question, v))
                    w = list(weights)
                    w[i] = (weights[i][0] * p[v], weights[i][1] * q[v])
                    total += value(tuple(after), tuple(w))
                options.append(total)
        return max(options)

    start = tuple(() for _ in answerers)
    return value(start, tuple((mpq(1), mpq(1)) for _ in answerers))


def product(weights: Weights) -> tuple[Any, Any]:
    a = b = mpq(1)
    for p, q in weights:
        a, b = a * p, b * q
    return a, b


def hockey_stick(factor: Any) -> Callable[[Weights], Any]:
    def leaf(weights: Weights) -> Any:
        a, b = product(weights)
        return max(mpq(0), a - factor * b)

    return leaf


def moment(weights: Weights) -> Any:
    """The summand of the Renyi divergence of order 2."""
    a, b = product(weights)
    if a == 0:
        return mpq(0)
    return a * a / b if b else float("inf")


def pairs(trials: int = 24) -> Any:
    rng = random.Random(14)
    for _ in range(trials):
        spread = rng.choice((1, 4, 10))
        factors = [mpq(rng.randint(8, 24), 8) for _ in range(2)]
        yield [Answerer(rng, spread) for _ in range(2)], factors


def test_approximate_losses_add_up_over_all_strategies() -> None:
    closest, dropped = mpq(0), 0
    for two, factors in pairs():
        deltas = [
            best([each], hockey_stick(f)) for each, f in zip(two, factors, strict=True)
        ]
        joint = best(two, hockey_stick(factors[0] * factors[1]))
        assert joint <= sum(deltas)
        dropped += joint > max(deltas)
        if sum(deltas):
            closest = max(closest, joint / sum(deltas))
    # The bound is nearly met, and a sum that drops one delta is no bound.
    assert closest > mpq(9, 10)
    assert dropped >= 5


def test_renyi_moments_multiply_over_all_strategies() -> None:
    compared = 0
    for two, _ in pairs():
        moments = [best([each], moment) for each in two]
        joint = best(two, moment)
        if float("inf") not in moments:
            assert joint == moments[0] * moments[1]
            compared += 1
    assert compared >= 5


def test_stopping_when_a_profile_crosses_the_limit_is_not_private() -> None:
    """Why sessions refuse profiles: each path has delta 2/9, the whole has 8/27."""
    d = Fraction(2, 9)
    coin = [(Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))]
    leak = [(d, Fraction(0)), (1 - d, 1 - d), (Fraction(0), d)]

    def delta(then: Callable[[int], Any]) -> Any:
        return sum(
            max(p * r - 2 * q * s, Fraction(0))
            for answer, (p, q) in enumerate(coin)
            for r, s in then(answer)
        )

    assert delta(lambda a: coin) == delta(lambda a: leak) == d
    assert delta(lambda a: leak if a else coin) == Fraction(8, 27)
    (vector,) = (
        each
        for each in json.loads(DATA.read_text(encoding="utf-8"))["vectors"]
        if each["function"] == "natural_filter"
    )
    assert vector["lower"] == vector["upper"] == "8/27"
