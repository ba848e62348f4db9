"""A new mechanism is a constructor in one file, and all that shows or checks knows it.

What it makes keeps a contract, is certified by its tree of bits, chains, prints, is
pickled and explained, and is a method of queries, whose free number is solved for.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from gmpy2 import mpq
from hypothesis import strategies as st

import opendp_lite.prelude as dp
from opendp_lite.context import methods
from opendp_lite.verify import Contract, contract, privacy
from tests.kinds.doubtful_bit import (
    make_doubtful_bit,
    make_too_doubtful_bit,
    then_doubtful_bit,
)

SPACE = dp.atom_domain(T=bool), dp.discrete_distance()


@pytest.fixture
def trusting() -> Iterator[None]:
    """The feature that constructors without a vetted proof need."""
    dp.enable_features("contrib")
    yield
    dp.disable_features("contrib")


@pytest.fixture
def registered(trusting: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the mechanism a method of queries, for one test."""
    monkeypatch.setattr(methods, "_REGISTERED", {})
    dp.register(make_doubtful_bit)
    yield
    methods.method_named.cache_clear()


def given(bits: Any, domain: Any = SPACE[0], metric: Any = SPACE[1]) -> dict[str, Any]:
    return {"input_domain": domain, "input_metric": metric, "bits": bits}


CONTRACT = Contract(
    make_doubtful_bit,
    st.sampled_from([given(bits) for bits in (1, 2, 7, 64)]),
    refusals=[
        (given(0), "MakeMeasurement", "bits=0: must be at least 1"),
        (given(1.5), "MakeMeasurement", "bits=1.5: must be an integer"),
        (given(1, dp.atom_domain(T=int)), "MakeMeasurement", "input_domain"),
        (given(1, SPACE[1]), "MakeMeasurement", "input_domain"),
    ],
    certificates=[(given(1), False, True, 4), (given(6), True, False, 8)],
    map_values=[(given(10), 1, mpq(7))],
    features=("contrib",),
    examples=4,
)


def test_a_contract_of_a_new_mechanism_is_kept() -> None:
    contract(CONTRACT)


@pytest.mark.usefixtures("trusting")
def test_a_false_claim_of_a_new_mechanism_is_refuted() -> None:
    assert privacy(make_doubtful_bit(*SPACE, 4), True, False, depth=6).holds
    assert privacy(make_too_doubtful_bit(*SPACE, 4), True, False, depth=6).refuted


@pytest.mark.usefixtures("trusting")
def test_a_new_mechanism_chains_prints_and_is_pickled() -> None:
    made = SPACE >> then_doubtful_bit(bits=3)
    assert made == make_doubtful_bit(*SPACE, 3)
    assert "make_doubtful_bit" in repr(made)
    assert pickle.loads(pickle.dumps(made)) == copy.deepcopy(made) == made
    several = dp.c.make_composition([made, made])
    assert several.map(1) == 2 * made.map(1) == 4.2
    assert all(type(release) is bool for release in several(True))


@pytest.mark.usefixtures("trusting")
def test_a_new_mechanism_is_explained_as_unproved() -> None:
    explained = str(make_doubtful_bit(*SPACE, 3).explain(d_in=1))
    assert "make_doubtful_bit" in explained
    assert "2.1" in explained
    assert "there is no proof of make_doubtful_bit" in explained


@pytest.mark.usefixtures("trusting")
def test_text_names_constructors_of_the_library_only() -> None:
    """A text must not name code of somebody else, which reading it would run."""
    with pytest.raises(dp.OpenDPException, match="not the library's"):
        dp.serialize(make_doubtful_bit(*SPACE, 3))


@pytest.mark.usefixtures("registered")
def test_a_new_mechanism_is_a_method_of_queries() -> None:
    context = dp.Context.compositor(
        data=True,
        domain=SPACE[0],
        privacy_unit=(SPACE[1], 1),
        privacy_loss=dp.loss_of(epsilon=7.0),
    )
    begun: Any = context.query(epsilon=3.0)  # type checkers know no such method
    query = begun.doubtful_bit()
    assert query.param() == 4  # of 2.8; the next one costs 3.5
    assert query.release() in (True, False)
    assert context.remaining_privacy_loss() == 4.2
    assert "doubtful_bit(bits=4)" in repr(context.journal())
    with pytest.raises(dp.OpenDPException, match="bits=0"):
        begun.doubtful_bit(bits=0)
