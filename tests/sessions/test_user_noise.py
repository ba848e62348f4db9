"""Noise that the author of a measurement states: what follows from it, and who says so.

The laws here are the author's: a sum of coins, which no constructor of the library
adds, and Laplace noise, whose numbers are compared with those of `make_laplace`.
"""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Iterator
from typing import Any, Literal

import attrs
import pytest
from gmpy2 import mpq

import opendp_lite.prelude as dp
from opendp_lite import plots, testing
from opendp_lite.core.measurement import AUTHORS_NOISE
from opendp_lite.core.registry import constructor
from opendp_lite.exact.intervals import Enclosure
from opendp_lite.exact.rationals import to_fraction
from opendp_lite.laws.tails import laplace_tail
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.testing.ledger import LEDGER
from opendp_lite.verify import enumerate_tree
from tests.rows import for_each
from tests.show.pictures.read import bars

INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
INTS = dp.vector_domain(dp.atom_domain(T=int), size=30), dp.l1_distance(T=int)
FLOAT = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
PURE = dp.max_divergence()
UNSTATED = "does not say which noise is added"
WORD = "as its author states"


@attrs.frozen
class CoinNoise(dp.m.Noise):
    """The number of heads among 2n coins, less n; for a number, or for each entry."""

    n: int
    entries: int | None = None

    @property
    def title(self) -> str:
        """The number of coins."""
        return f"Noise of {2 * self.n} coins"

    @property
    def form(self) -> Literal["number", "vector", "map"]:
        """A vector, if it has entries."""
        return "number" if self.entries is None else "vector"

    @property
    def size(self) -> int | None:
        """The number of entries."""
        return self.entries

    @property
    def whole(self) -> bool:
        """Integers are released."""
        return True

    @property
    def step(self) -> mpq:
        """Integers are 1 apart."""
        return mpq(1)

    def beyond(self, distance: Any) -> mpq:
        """P(N > distance)."""
        least = math.floor(distance) + 1
        heads = range(least + self.n, 2 * self.n + 1)
        return mpq(sum(math.comb(2 * self.n, each) for each in heads), 4**self.n)

    def tail(self, distance: mpq, precision: int) -> Enclosure:
        """P(N > distance), exactly."""
        return Enclosure(self.beyond(distance), self.beyond(distance))

    def quantile(self, level: mpq) -> mpq:
        """The least t with P(|N| > t) <= level."""
        return mpq(next(t for t in range(self.n + 1) if 2 * self.beyond(t) <= level))


@attrs.frozen
class Exponential(dp.m.Noise):
    """Laplace noise on doubles, with no more than a law of noise must say."""

    width: mpq

    @property
    def title(self) -> str:
        """The law."""
        return "Exponential noise on both sides"

    def tail(self, distance: mpq, precision: int) -> Enclosure:
        """e^(-distance/width)/2."""
        return laplace_tail(distance / self.width, precision)

    def quantile(self, level: mpq) -> mpq | float:
        """That of the library."""
        found = dp.laplacian_scale_to_accuracy(self.width, level)
        return found if found == math.inf else mpq(found)


N = 8


def coins(x: int) -> int:
    """The number, and the noise of 16 coins."""
    return x + random_bits(2 * N).bit_count() - N


def coins_each(values: Any) -> list[int]:
    """Each entry with noise of its own."""
    return [coins(int(x)) for x in values]


def nothing_promised(d_in: Any) -> Any:
    """The two laws have other supports."""
    return math.inf if d_in else 0


def own(noise: Any = CoinNoise(N), space: Any = INT, function: Any = coins) -> Any:
    return dp.m.make_user_measurement(
        *space, PURE, function, nothing_promised, noise=noise
    )


@constructor()
def make_coins(n: int) -> dp.Measurement:
    """A registered constructor, which gives the object its noise."""
    return dp.Measurement(
        INT[0], coins, INT[1], PURE, nothing_promised, noise=CoinNoise(n)
    )


def laplace() -> Any:
    """The function is that of the library; the noise is stated by its author."""
    function = dp.m.make_laplace(*FLOAT, 2.0).function
    return own(Exponential(mpq(2)), FLOAT, function)


@pytest.fixture(autouse=True)
def _contrib() -> Iterator[None]:
    dp.enable_features("contrib", "honest-but-curious")
    yield
    dp.disable_features("contrib")


MADE = {"the user's function": own, "a registered constructor": lambda: make_coins(N)}


@for_each("name", MADE)
def test_an_accuracy_follows_from_stated_noise(name: str) -> None:
    made = MADE[name]()
    for alpha in (mpq("0.5"), mpq("0.05"), mpq("1e-4"), mpq("1e-5")):
        a = made.accuracy(to_fraction(alpha))
        assert 2 * CoinNoise(N).beyond(a) <= alpha
        assert a == 0 or 2 * CoinNoise(N).beyond(a - 1) > alpha
    assert made.accuracy("1e-9") == N
    with pytest.raises(dp.OpenDPException, match="Noise of 16 coins, which has no sca"):
        _ = made.scale
    with pytest.raises(dp.OpenDPException, match="alpha=0"):
        made.accuracy(0)


@for_each("name", MADE)
def test_assertions_know_stated_noise(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LEDGER, "charge", lambda level: None)  # nothing is drawn
    made = MADE[name]()
    assert testing.tolerance(made, "0.05") == made.accuracy("0.05")
    tree = enumerate_tree(lambda: made(100), depth=2 * N)
    assert tree.unresolved == 0
    for level in (mpq("0.3"), mpq("0.05"), mpq("1e-4")):
        failing = mpq(0)
        for key, mass in tree.masses.items():
            try:
                testing.assert_close(tree.outcomes[key], 100, made, to_fraction(level))
            except AssertionError:
                failing += mass
        assert 0 < failing <= level


def test_vectors_of_stated_noise_are_noisy() -> None:
    made = own(CoinNoise(N, 30), INTS, coins_each)
    data = [5] * 30
    testing.assert_close(made(data), data, made, "1e-12")
    testing.assert_noisy(made(data), data, made, "1e-12")
    with pytest.raises(AssertionError, match="no noise"):
        testing.assert_noisy(data, data, made, "1e-12")
    with pytest.raises(AssertionError, match="beyond the tolerance"):
        testing.assert_close([14, *data[1:]], data, made, "1e-12")


def test_a_picture_shows_the_stated_law() -> None:
    figure = plots.noise(own(), alphas=["0.05"], at=3)
    assert figure.axes[0].get_title(loc="left") == "Noise of 16 coins"
    found = bars(figure)
    for place in range(-2, 9):
        chance = math.comb(2 * N, place - 3 + N) / 4**N
        assert found[place] == pytest.approx(chance)


def test_a_title_a_tail_and_a_quantile_are_enough_for_doubles() -> None:
    made, same = laplace(), dp.m.make_laplace(*FLOAT, 2.0)
    for alpha in ("0.5", "0.05", "1e-9"):
        assert made.accuracy(alpha) == same.accuracy(alpha)
        assert testing.tolerance(made, alpha) == testing.tolerance(same, alpha)
    for release in (1.0, 1.0 + 1e-13):
        for each in (made, same):
            with pytest.raises(AssertionError, match="no noise"):
                testing.assert_noisy(release, 1.0, each, "1e-12")
    testing.assert_noisy(made(1.0), 1.0, made, "1e-12")
    figures = [plots.noise(each, at=2).axes[0] for each in (made, same)]
    paths = [axes.patches[0].get_path().vertices.tolist() for axes in figures]
    assert paths[0] == paths[1]


def test_chains_and_combinators_pass_stated_noise_on() -> None:
    made, library = own(), dp.m.make_laplace(*INT, 2)
    chain = ROWS >> dp.t.then_count() >> made
    a, b = made.accuracy("0.05"), library.accuracy("0.05")
    assert chain.accuracy("0.05") == a
    assert testing.tolerance(chain, "0.05") == a
    assert dp.c.make_composition([made, library]).accuracy("0.05") == [a, b]
    assert dp.c.make_approximate(made).accuracy("0.05") == a
    assert dp.c.make_approximate(chain).noise == CoinNoise(N)
    space = dp.product_domain([INT[0]] * 2), dp.product_distance([INT[1]] * 2)
    product = dp.c.make_product(*space, [None, made])
    assert product.accuracy("0.05") == [None, a]
    blocks = ROWS >> dp.c.then_parallel_composition([1, 2], [chain, chain])
    assert blocks.accuracy("0.05") == [a, a]


def test_a_function_of_the_release_has_no_stated_noise() -> None:
    for made in (own() >> abs, make_coins(N) >> abs):
        assert made.noise is None
        with pytest.raises(dp.OpenDPException, match=UNSTATED):
            made.accuracy("0.05")
        with pytest.raises(dp.OpenDPException, match=UNSTATED):
            testing.tolerance(made, "0.05")
        with pytest.raises(dp.OpenDPException, match=UNSTATED):
            plots.noise(made)


def test_an_object_with_stated_noise_is_a_value() -> None:
    for made in (own(), make_coins(N), ROWS >> dp.t.then_count() >> own()):
        again = pickle.loads(pickle.dumps(made))
        assert again == made
        assert hash(again) == hash(made)
        assert again.noise == made.noise == CoinNoise(N)
    assert own() != own(CoinNoise(N + 1))
    assert own() != own(None)
    assert "noise=CoinNoise(n=8" in repr(own())


def test_without_noise_the_error_names_the_argument() -> None:
    for ask in (
        lambda: own(None).accuracy(0.05),
        lambda: own(None).scale,
        lambda: testing.tolerance(own(None), "0.05"),
        lambda: plots.noise(own(None)),
    ):
        with pytest.raises(dp.OpenDPException) as refused:
            ask()
        assert UNSTATED in str(refused.value)
        assert "pass the argument noise, an object of a class" in str(refused.value)
        assert "dp.m.Noise" in str(refused.value)


@for_each("noise", [3, "laplace", CoinNoise, (CoinNoise(N),), {"scale": 1}, 0])
def test_what_is_no_noise_is_refused(noise: Any) -> None:
    with pytest.raises(dp.OpenDPException, match=r"noise=.*derived from dp\.m\.Noise"):
        own(noise)


def test_what_a_class_of_noise_leaves_out_is_asked_for() -> None:
    class Silent(dp.m.Noise):
        pass

    with pytest.raises(NotImplementedError):
        own(Silent()).accuracy(0.05)
    assert own(Silent())(3) is not None
    assert "accuracy" not in own(Silent())._repr_html_()


def rows_of(made: Any) -> str:
    """What a notebook shows of the accuracy."""
    html: str = made._repr_html_()
    return html.partition("accuracy(0.05)")[2]


AUTHORS: dict[str, Any] = {
    "user": own,
    "registered": lambda: make_coins(N),
    "chain": lambda: ROWS >> dp.t.then_count() >> own(),
    "conversion": lambda: dp.c.make_approximate(own()),
    "composition": lambda: dp.c.make_composition([dp.m.make_laplace(*INT, 2), own()]),
    "changed by hand": lambda: attrs.evolve(dp.m.make_laplace(*INT, 2), function=coins),
}
LIBRARY: dict[str, Any] = {
    "laplace": lambda: dp.m.make_laplace(*INT, 2),
    "chain": lambda: ROWS >> dp.t.then_count() >> dp.m.then_laplace(2),
    "conversion": lambda: dp.c.make_approximate(dp.m.make_laplace(*INT, 2)),
    "after the user's function": lambda: (
        ROWS
        >> dp.t.then_user_transformation(*INT, len, abs)
        >> dp.m.then_laplace(scale=2)
    ),
}


@for_each("name", AUTHORS)
def test_noise_that_an_author_states_is_told_as_such(name: str) -> None:
    made = AUTHORS[name]()
    assert WORD in rows_of(made)
    told = made.explain(1)
    said = [step for step in told.whole.walk() if AUTHORS_NOISE in step.notes]
    assert len(said) == 1
    for text in (str(told), told._repr_html_(), json.dumps(told.to_dict())):
        assert AUTHORS_NOISE in text


@for_each("name", LIBRARY)
def test_noise_that_the_library_adds_is_told_without_a_word(name: str) -> None:
    made = LIBRARY[name]()
    assert "6.0" in rows_of(made)
    assert WORD not in rows_of(made)
    assert AUTHORS_NOISE not in str(made.explain(1))


def test_where_no_noise_is_stated_nothing_is_told_of_it() -> None:
    for made in (own(None), own() >> abs, dp.m.make_randomized_response_bool(0.75)):
        assert "accuracy" not in made._repr_html_()
    assert AUTHORS_NOISE not in str(own(None).explain(1))
