"""What OpenDP's own tests ask for, and what this library answers to it.

Where the answer is another one on purpose, docs/differences.md says why.
"""

from __future__ import annotations

import functools
import warnings
from typing import Any

import numpy as np
import opendp.prelude as oracle
import pytest

import opendp_lite
import opendp_lite.prelude as dp
from tests.rows import for_each

INT = dp.atom_domain(T=int), dp.absolute_distance(T=int)
ROWS = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
COUNT = ROWS >> dp.t.then_count()
NOISY = COUNT >> dp.m.then_laplace(scale=4)
PAIRS = dp.approximate(dp.max_divergence())


def test_the_prelude_tells_the_version() -> None:
    assert dp.__version__ == opendp_lite.__version__
    assert "__version__" not in dir(dp)


# --- check ------------------------------------------------------------------------


def test_a_check_that_fails_says_why() -> None:
    assert NOISY.check(1, 0.25, debug=True) is True
    assert NOISY.check(1, 0.2) is False
    with pytest.raises(dp.OpenDPException, match=r"d_out=0.2: .* lose up to 0\.25"):
        NOISY.check(1, 0.2, debug=True)
    assert COUNT.check(3, 3, debug=True) is True
    assert COUNT.check(3, 2) is False
    with pytest.raises(dp.OpenDPException, match="outputs may be 3 apart") as e:
        COUNT.check(3, 2, debug=True)
    assert e.value.variant == "RelationDebug"
    pair = dp.c.make_approximate(NOISY)
    with pytest.raises(dp.OpenDPException, match=r"lose up to \(0\.25, 0\.0\)"):
        pair.check(1, (0.2, 1e-9), debug=True)


def test_debug_is_looked_at_only_where_the_answer_is_no() -> None:
    unclear: Any = np.array([1, 2])  # neither true nor false: bool() raises an error
    for made in (NOISY, COUNT):
        assert made.check(1, 1, debug=unclear) is True
        with pytest.raises(ValueError, match="ambiguous"):
            made.check(1, 0, debug=unclear)


def test_a_distance_that_is_none_is_refused_with_debug_or_without() -> None:
    for debug in (True, False):
        with pytest.raises(dp.OpenDPException, match="InvalidDistance"):
            NOISY.check(-1, 1, debug=debug)


# --- types ------------------------------------------------------------------------


def test_objects_tell_the_types_of_their_distances() -> None:
    mean = (
        dp.vector_domain(dp.atom_domain(bounds=(0.0, 10.0)), size=9),
        dp.symmetric_distance(),
    ) >> dp.t.then_mean()
    assert mean.input_distance_type == "int"
    assert mean.output_distance_type == "Fraction"  # as the mean is exact
    assert mean.input_carrier_type == "Vec<float>"
    noisy = INT >> dp.m.then_laplace(scale=1.5)
    assert (noisy.input_distance_type, noisy.output_distance_type) == ("int", "float")
    assert noisy.input_carrier_type == "int"
    odometer = dp.c.make_fully_adaptive_composition(*ROWS, PAIRS)
    assert odometer.input_distance_type == "int"
    assert odometer.output_distance_type == "(float, float)"
    assert odometer.input_carrier_type == "Vec<int>"


@for_each(
    ("part", "text"),
    [
        (dp.hamming_distance(), "int"),
        (dp.discrete_distance(), "int"),
        (dp.l2_distance(T=float), "float"),
        (dp.l01inf_distance(dp.absolute_distance(T=float)), "(int, float, float)"),
        (dp.symmetric_id_distance("id"), "int"),
        (dp.product_distance([ROWS[1], dp.l1_distance(T=float)]), "(int, float)"),
        (dp.zero_concentrated_divergence(), "float"),
        (dp.approximate(dp.zero_concentrated_divergence()), "(float, float)"),
        (dp.renyi_divergence(), "Function<float, float>"),
        (dp.smoothed_max_divergence(), "PrivacyProfile"),
    ],
)
def test_metrics_and_measures_tell_the_type_of_a_distance(part: Any, text: str) -> None:
    assert part.distance_type == text


@pytest.mark.usefixtures("honest")
def test_distances_of_a_users_own_kind_may_have_any_type() -> None:
    assert dp.user_distance("edits").distance_type == "ExtrinsicObject"
    assert dp.user_divergence("tCDP").distance_type == "ExtrinsicObject"


@for_each(
    ("example", "text"),
    [
        (23, "int"),
        (12.0, "float"),
        (True, "bool"),
        (["A", "B"], "Vec<str>"),
        ([[1.5]], "Vec<Vec<float>>"),
        ({"a": 1}, "HashMap<str, int>"),
        ((12.0, True, "A"), "(float, bool, str)"),
        (np.array([1, 2]), "Vec<int>"),
    ],
)
def test_types_are_inferred(example: object, text: str) -> None:
    assert dp.RuntimeType.infer(example) == text


@for_each("example", [[], {}, None, (1, object())])
def test_types_that_are_not_known_raise(example: object) -> None:
    with pytest.raises(dp.UnknownTypeException):
        dp.RuntimeType.infer(example)
    text = "(int, ExtrinsicObject)" if example else "ExtrinsicObject"
    assert dp.RuntimeType.infer(example, py_object=True) == text


def test_a_type_that_does_not_parse_raises_the_same() -> None:
    with pytest.raises(dp.UnknownTypeException) as caught:
        dp.atom_domain(T="i33")
    assert isinstance(caught.value, dp.OpenDPException)
    assert caught.value.variant == "TypeParse"


def test_pairs_have_a_class_of_measures() -> None:
    assert isinstance(PAIRS, dp.ApproximateDivergence)
    assert PAIRS.inner_measure == dp.max_divergence()


# --- what is released -------------------------------------------------------------


@pytest.mark.usefixtures("honest")
def test_a_list_that_is_released_becomes_an_array() -> None:
    counts = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    released = (counts >> dp.m.then_laplace(scale=0) >> dp.as_array())([1, 2])
    assert type(released) is np.ndarray
    assert released.tolist() == [1, 2]


def test_an_array_is_made_by_numpy_which_nobody_has_proved() -> None:
    counts = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    with pytest.raises(dp.OpenDPException, match="honest-but-curious"):
        counts >> dp.m.then_laplace(scale=0) >> dp.as_array()


def test_queryables_answer_by_functions_of_one_argument_and_of_two() -> None:
    def one(query: int) -> int:
        return query + 1

    def two(query: list[int], is_internal: bool) -> tuple[int, bool]:
        return query[-1], is_internal

    def own(query: int, *, power: int = 2) -> int:
        return query**power

    assert dp.new_queryable(one, int, int)(2) == 3
    assert dp.new_queryable(two, "Vec<i32>", int)([2, 3]) == (3, False)
    assert dp.new_queryable(own)(3) == 9
    assert dp.new_queryable(len)("four") == 4
    # All that is told of either is where its function is defined.
    for each in (one, two):
        (assumption,) = dp.new_queryable(each).explain().whole.assumptions
        line = f"test_opendp_tests.py:{each.__code__.co_firstlineno}"
        assert str(assumption.place).endswith(line)


# --- distances of a user's own class -------------------------------------------------


class Less:
    """A distance that has an order, but only the strict one."""

    def __init__(self, days: int) -> None:
        self.days = days

    def __lt__(self, other: Less) -> bool:
        return self.days < other.days

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Less) and self.days == other.days

    def __hash__(self) -> int:
        return hash(self.days)


@functools.total_ordering
class Ordered(Less):
    """A distance that has all comparisons."""


class Unordered:
    """A distance that cannot be compared."""


@pytest.mark.usefixtures("honest")
@pytest.mark.parametrize("kind", [Less, Ordered])
def test_distances_that_order_themselves_are_composed(kind: Any) -> None:
    space = dp.atom_domain(T=bool), dp.user_distance("days")
    query = dp.m.make_user_measurement(
        *space, dp.max_divergence(), lambda x: 0, lambda d_in: d_in.days / 4
    )
    planned = dp.c.make_adaptive_composition(
        *space, dp.max_divergence(), d_in=kind(2), d_mids=[0.5, 0.5]
    )
    assert planned.map(kind(1)) == planned.map(kind(2)) == 1.0
    with pytest.raises(dp.OpenDPException, match="limited for distances up to"):
        planned.map(kind(3))
    session = planned(True)
    session(query)
    assert session.privacy_loss(kind(1)) == 0.25
    assert dp.c.make_composition([query, query]).map(kind(1)) == 0.5


@pytest.mark.usefixtures("honest")
def test_what_is_not_greater_need_not_be_less() -> None:
    class Places(Less):
        def __lt__(self, other: Less) -> bool:
            return False  # none of two different sets of places is in the other

    metric = dp.user_distance("places")
    assert metric.at_most(Places(1), Places(1))
    assert not metric.at_most(Places(1), Places(2))


@pytest.mark.usefixtures("honest")
def test_distances_without_an_order_are_not_compared() -> None:
    space = dp.atom_domain(T=bool), dp.user_distance("days")
    planned = dp.c.make_adaptive_composition(
        *space, dp.max_divergence(), d_in=Unordered(), d_mids=[1.0]
    )
    with pytest.raises(TypeError, match="'<' not supported"):
        planned.map(Unordered())


# --- where the answer is another one ------------------------------------------------


def test_a_value_of_another_type_is_no_member_and_nothing_is_warned() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not dp.atom_domain(T=int).member("A")
    with pytest.warns(UserWarning, match="does not belong to carrier type"):
        assert not oracle.atom_domain(T=int).member("A")


def test_a_context_of_sums_is_asked_about_sums() -> None:
    context = dp.Context.compositor(
        data=[1, 2, 3],
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(epsilon=1.0),
        split_evenly_over=2,
        domain=ROWS[0],
    )
    query = context.query().clamp((0, 1)).sum().compositor(split_evenly_over=1)
    below = query.release()
    assert below.query_space[0].contains(dp.atom_domain(T=int))
    assert below.query_space[1] == dp.absolute_distance(T=int)
    assert below.accountant.input_space == below.query_space


@for_each("metric", [dp.symmetric_distance(), dp.symmetric_id_distance("id")], ids=repr)
def test_groups_of_rows_are_bounded_elsewhere(metric: Any) -> None:
    with pytest.raises(dp.OpenDPException, match=r"pass rows= and groups= to"):
        dp.l01inf_distance(metric)
    with pytest.raises(AttributeError, match=r"rows= and groups= to Context\.table"):
        _ = vars(dp)["__getattr__"]("frame_distance")


# --- first guesses --------------------------------------------------------------------


def test_a_domain_without_a_metric_is_told_what_it_lacks() -> None:
    for link in (dp.t.then_count(), dp.t.then_count):
        with pytest.raises(TypeError, match=r"(?s)has no metric.*space_of\(domain\)"):
            ROWS[0] >> link
    with pytest.raises(dp.OpenDPException) as caught:
        dp.bitvector_domain(4, 4) >> dp.t.then_count()
    assert "space_of" not in caught.value.message


@for_each(
    ("call", "meant"),
    [
        (lambda: dp.loss_of(eps=1.0), "has no argument eps. Did you mean epsilon?"),
        (lambda: dp.loss_of(epsilon=1, dleta=0), "Did you mean delta?"),
        (lambda: dp.unit_of(contribution=1), "Did you mean contributions?"),
        (lambda: dp.unit_of(1), "takes 0 arguments by position"),
    ],
)
def test_a_wrong_name_of_an_argument_is_told_the_right_one(
    call: Any, meant: str
) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert meant in str(caught.value)


def test_a_certificate_is_looked_for_where_it_is_not() -> None:
    for made in (NOISY, COUNT):
        with pytest.raises(AttributeError, match=r"certify\.certificate\(it, d_in\)"):
            _ = made.certificate
        assert not hasattr(made, "certificate")


def test_what_constructors_of_ones_own_need_is_public() -> None:
    from opendp_lite.core.registry import constructor, then

    assert dp.constructor is constructor
    assert dp.then is then


def test_a_loss_that_is_a_pair_is_told_which_measure_takes_it() -> None:
    with pytest.raises(dp.OpenDPException) as caught:
        NOISY.check(1, (1.0, 1e-9))
    assert "pairs (epsilon, delta) are losses of approximate(...)" in str(caught.value)
