"""Records: how an object prints, compares, copies and pickles."""

from __future__ import annotations

import copy
import inspect
import pickle
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gmpy2 import mpq

from opendp_lite.base.errors import OpenDPException, OpenDPTypeError
from opendp_lite.base.features import disable_features, enable_features
from opendp_lite.combinators import make_chain_mt, make_chain_pm, make_chain_tt
from opendp_lite.core.domains import Domain, atom_domain, vector_domain
from opendp_lite.core.measurement import Measurement, new_function
from opendp_lite.core.measures import max_divergence
from opendp_lite.core.metrics import (
    Metric,
    absolute_distance,
    discrete_distance,
    l1_distance,
    symmetric_distance,
)
from opendp_lite.core.registry import REGISTRY, Partial, _binder, constructor, then
from opendp_lite.core.transformation import Transformation
from opendp_lite.measurements import (
    make_laplace,
    make_randomized_response_bool,
    then_laplace,
)
from opendp_lite.sessions.user import (
    make_user_measurement,
    make_user_transformation,
    user_domain,
)
from opendp_lite.transformations import (
    make_clamp,
    make_count,
    then_cast_default,
    then_clamp,
    then_count,
    then_impute_constant,
    then_sum,
)

INT = atom_domain(T=int), absolute_distance(T=int)
ROWS = vector_domain(atom_domain(T=int)), symmetric_distance()
TEXT = vector_domain(atom_domain(T=str)), symmetric_distance()


def double(x: Any) -> Any:
    return 2 * x


def identity(d: Any) -> Any:
    return d


def accept(x: Any) -> bool:
    return True


def examples() -> list[Any]:
    noisy = INT >> then_laplace(scale=2.0)
    short = ROWS >> then_count() >> then_laplace(scale=2.0)
    long = (
        TEXT
        >> then_cast_default(TOA=float)
        >> then_impute_constant(0.5)
        >> then_clamp((0.0, 10.0))
        >> then_sum()
        >> then_laplace(scale=Fraction(1, 3))
        >> round
    )
    return [
        noisy,
        short,
        long,
        make_randomized_response_bool(0.75),
        make_laplace(*INT, scale="1/3", k=2),
        noisy >> double >> float,
        noisy >> new_function(double),
        ROWS >> then_clamp((0, 10)),
        ROWS >> then_clamp((0, 10)) >> then_sum(),
        make_laplace(vector_domain(atom_domain(T=int)), l1_distance(T=int), 1),
    ]


def test_a_single_object_prints_as_its_call() -> None:
    space = "AtomDomain(T=int), AbsoluteDistance(T=int)"
    assert repr(INT >> then_laplace(scale=2.0)) == f"make_laplace({space}, scale=2.0)"
    assert repr(make_laplace(*INT, "1/3", 2)) == (
        f"make_laplace({space}, scale='1/3', k=2)"
    )
    assert repr(make_randomized_response_bool(0.75)) == (
        "make_randomized_response_bool(prob=0.75)"
    )
    assert repr(make_randomized_response_bool(prob=0.75, constant_time=True)) == (
        "make_randomized_response_bool(prob=0.75, constant_time=True)"
    )


def test_defaults_are_hidden_however_they_were_given() -> None:
    plain = make_laplace(*INT, scale=1.0)
    # Equal to the default, but another object.
    again = make_laplace(*INT, scale=1.0, k=None, MO="".join(["Max", "Divergence"]))
    assert repr(plain) == repr(again)
    assert "MO" not in repr(again)
    assert repr(pickle.loads(pickle.dumps(plain))) == repr(plain)


@pytest.mark.usefixtures("honest")
def test_a_short_chain_prints_in_one_line() -> None:
    response = make_randomized_response_bool(0.75)
    assert repr(response >> double) == (
        "make_randomized_response_bool(prob=0.75) >> double"
    )
    assert repr(INT >> then_laplace(1) >> float >> abs) == (
        "(AtomDomain(T=int), AbsoluteDistance(T=int)) >> then_laplace(scale=1)"
        " >> float >> abs"
    )


def test_a_long_chain_prints_a_step_a_line() -> None:
    chain = ROWS >> then_clamp((0, 10)) >> then_sum() >> then_laplace(scale=5.0)
    assert repr(chain) == (
        "(\n"
        "    (VectorDomain(AtomDomain(T=int)), SymmetricDistance())\n"
        "    >> then_clamp(bounds=(0, 10))\n"
        "    >> then_sum()\n"
        "    >> then_laplace(scale=5.0)\n"
        ")"
    )


def test_a_chain_prints_the_same_however_it_was_bracketed() -> None:
    clamp, count = ROWS >> then_clamp((0, 1)), make_count(*ROWS)
    noisy = make_laplace(*INT, 1)
    left = (clamp >> count) >> noisy
    right = clamp >> (count >> noisy)
    assert repr(left) == repr(right)
    assert [step.record for step in left.steps()] == [
        step.record for step in right.steps()
    ]


def test_huge_arguments_are_printed_short() -> None:
    assert "scale=<int of 16610 bits>" in repr(make_laplace(*INT, scale=10**5000))
    assert "bits" in repr(ROWS >> then_clamp((0, 10**5000)))
    assert "bits" in repr(then_laplace(10**5000))
    assert repr(then_clamp((1,))) == "then_clamp((1,))"


@pytest.mark.usefixtures("honest")
def test_equality_and_hash_follow_the_record() -> None:
    for one, other in zip(examples(), examples(), strict=True):
        assert one == other
        assert one is not other
        assert hash(one) == hash(other)
        assert repr(one) == repr(other)
    distinct = examples()
    assert len(set(distinct)) == len(distinct)
    assert make_laplace(*INT, 1) != make_laplace(*INT, 2)
    assert make_laplace(*INT, 1) != make_laplace(
        atom_domain(bounds=(0, 1)), absolute_distance(T=int), 1
    )
    assert make_laplace(*INT, 1) != "make_laplace"
    assert (INT >> then_laplace(1)) == make_laplace(*INT, scale=1)


@pytest.mark.usefixtures("honest")
@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_round_trip(protocol: int) -> None:
    for made in examples():
        again = pickle.loads(pickle.dumps(made, protocol))
        assert type(again) is type(made)
        assert again == made
        assert repr(again) == repr(made)
        assert again.input_domain == made.input_domain
        assert again.input_metric == made.input_metric
        assert again.map(1, exact=True) == made.map(1, exact=True)


def test_pickles_are_read_by_another_process() -> None:
    chain = ROWS >> then_count() >> then_laplace(scale="1/3")
    program = (
        "import pickle, sys\n"
        "made = pickle.load(sys.stdin.buffer)\n"
        "print(made.map(1), type(made([1, 2])).__name__)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps(chain),
        capture_output=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert run.stdout.decode().split() == ["3.0", "int"]


def test_unpickling_checks_again() -> None:
    make, (stamped, arguments) = make_laplace(*INT, 1).__reduce__()
    with pytest.raises(OpenDPException, match="scale=-1"):
        make(stamped, arguments | {"scale": -1})


@pytest.mark.usefixtures("honest")
def test_copies_are_the_object_itself() -> None:
    by_hand = Measurement(
        INT[0], lambda x: x, INT[1], max_divergence(), lambda d: mpq(d)
    )
    local = make_laplace(*INT, 1) >> (lambda x: x)
    for made in [*examples(), by_hand, local]:
        assert copy.copy(made) is made
        assert copy.deepcopy(made) is made
        assert copy.deepcopy([made])[0] is made


def test_copies_draw_anew() -> None:
    noisy = make_laplace(*INT, scale=10**30)
    again = pickle.loads(pickle.dumps(noisy))
    # Two draws agree with probability under 1e-30.
    assert len({noisy(0), again(0), copy.deepcopy(noisy)(0), noisy(0)}) == 4


@pytest.mark.usefixtures("honest")
def test_a_lambda_is_refused_in_a_sentence() -> None:
    def local(x: Any) -> Any:
        return x

    noisy = make_laplace(*INT, 1)
    own = user_domain("own", lambda x: True)
    for made, argument in (
        (noisy >> (lambda x: x), "postprocess1"),
        (noisy >> local, "postprocess1"),
        (noisy >> new_function(lambda x: x), "postprocess1"),
        (noisy >> local >> double, "postprocess1"),
        (
            make_user_transformation(*INT, *INT, double, lambda d: 2 * d),
            "stability_map",
        ),
        (
            make_user_measurement(
                vector_domain(own),
                symmetric_distance(),
                max_divergence(),
                double,
                identity,
            ),
            "input_domain",
        ),
    ):
        with pytest.raises(TypeError) as caught:
            pickle.dumps(made)
        text = str(caught.value)
        assert f"in the argument {argument} cannot be pickled" in text
        assert "<lambda>" in text or "local" in text
        assert "top level of a module" in text


def test_an_object_built_by_hand_is_unproved() -> None:
    by_hand = Measurement(
        INT[0], lambda x: x, INT[1], max_divergence(), lambda d: mpq(d)
    )
    assert repr(by_hand) == (
        "Measurement(unproved, input_domain=AtomDomain(T=int), "
        "input_metric=AbsoluteDistance(T=int), output_measure=MaxDivergence())"
    )
    with pytest.raises(TypeError, match="built by hand and has no record"):
        pickle.dumps(by_hand)
    same = Measurement(INT[0], by_hand.function, INT[1], max_divergence(), identity)
    assert by_hand == by_hand
    assert by_hand != same
    assert len({by_hand, same}) == 2
    by_hand_too = Transformation(*INT[:1], INT[0], double, INT[1], INT[1], double)
    assert "Transformation(unproved" in repr(by_hand_too)
    chain = by_hand_too >> make_laplace(*INT, 1)
    assert "unproved" in repr(chain)
    with pytest.raises(TypeError, match="built by hand"):
        pickle.dumps(chain)


def test_constructors_are_registered_by_module_and_name() -> None:
    name = "opendp_lite.measurements.noise.laplace_gaussian:make_laplace"
    assert REGISTRY[name].make is make_laplace
    assert REGISTRY[name].human_verified == ()
    user = REGISTRY["opendp_lite.sessions.user:make_user_measurement"]
    assert len(user.human_verified) == 2
    assert make_laplace.__name__ == "make_laplace"
    assert make_laplace.__module__ == "opendp_lite.measurements.noise.laplace_gaussian"


@pytest.fixture
def empty_registry() -> Any:
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


@pytest.mark.usefixtures("honest")
@pytest.mark.usefixtures("empty_registry")
def test_the_outermost_record_wins() -> None:
    @constructor(proof="tests/make_noisy_count", status="vetted")
    def make_noisy_count(
        input_domain: Domain, input_metric: Metric, epsilon: Any
    ) -> Measurement:
        """Count, then add noise."""
        count = make_count(input_domain, input_metric)
        return make_chain_mt(make_laplace(*count.output_space, 1 / epsilon), count)

    made = make_noisy_count(*ROWS, epsilon=0.5)
    assert repr(made) == (
        "make_noisy_count(VectorDomain(AtomDomain(T=int)), SymmetricDistance(), "
        "epsilon=0.5)"
    )
    assert made.record is not None
    assert made.record.constructor is make_noisy_count
    assert made.steps() == [made]
    assert made.map(1) == 0.5
    assert repr(ROWS >> then(make_noisy_count)(0.5) >> double).endswith(
        ">> then_noisy_count(epsilon=0.5)\n    >> double\n)"
    )


@pytest.mark.usefixtures("empty_registry")
def test_what_is_recorded_is_what_is_used() -> None:
    seen: list[Any] = []

    @constructor(proof="tests/make_choice", status="vetted")
    def make_choice(
        input_domain: Domain, input_metric: Metric, choices: Any, extra: Any = None
    ) -> Measurement:
        """Release the first choice."""
        seen.append(choices)
        return Measurement(
            input_domain,
            lambda x: choices[0],
            input_metric,
            max_divergence(),
            lambda d: 0,
        )

    choices = [[1, 2], 3]
    made = make_choice(*INT, choices)
    choices[0] = 7
    assert made(0) == (1, 2)
    assert seen == [((1, 2), 3)]
    assert made.record is not None
    assert dict(made.record.arguments)["choices"] == ((1, 2), 3)
    array = np.array([1, 2])
    from_array = make_choice(*INT, array)
    array[0] = 9
    assert from_array(0) == 1
    assert from_array == make_choice(*INT, [1, 2])
    # Arguments without a hash do not stop the object from having one.
    odd = make_choice(*INT, (1,), extra={"a": 1})
    assert hash(odd) == hash(make_choice(*INT, (1,), extra={"a": 1}))
    assert odd == make_choice(*INT, (1,), extra={"a": 1})
    assert odd != make_choice(*INT, (1,), extra={"a": 2})


@pytest.mark.usefixtures("empty_registry")
def test_arguments_are_bound_as_python_binds_them() -> None:
    def make(a: Any, b: Any, c: Any = 3, *, d: Any, e: Any = None) -> Any:
        raise AssertionError("only its signature is used")

    signature = inspect.signature(make)
    bind = _binder("make", list(signature.parameters.values()))
    odd = np.array([1, 2])  # has no single truth value
    values = [{}, {"d": 1}, {"d": odd, "e": 2}, {"c": 7, "d": 1}, {"b": 2, "d": 1}]
    values += [{"a": 1, "b": 2, "d": 3}, {"d": 1, "z": 0}, {"e": 1, "d": 2, "a": 5}]
    good = 0
    for n in range(6):
        for kwargs in values:
            args = (1, odd, 4, 5, 6)[:n]
            try:
                bound = signature.bind(*args, **kwargs)  # type: ignore[arg-type]
            except TypeError:
                with pytest.raises(
                    TypeError, match=r"^make\(a, b, c=3, \*, d, e=None\) "
                ):
                    bind(args, kwargs)  # type: ignore[arg-type]
            else:
                good += 1
                bound.apply_defaults()
                found = bind(args, kwargs)  # type: ignore[arg-type]
                assert list(found) == list(bound.arguments)
                assert all(found[name] is v for name, v in bound.arguments.items())
    assert good == 7


@pytest.mark.usefixtures("empty_registry")
@pytest.mark.parametrize(
    "make", [lambda *args: None, lambda **kwargs: None, lambda a, /: None]
)
def test_a_constructor_names_all_its_parameters(make: Any) -> None:
    with pytest.raises(TypeError, match="a name of its own"):
        constructor()(make)


def test_wrong_calls_are_type_errors() -> None:
    with pytest.raises(TypeError, match="scale"):
        make_laplace(*INT)
    with pytest.raises(TypeError, match="sclae"):
        make_laplace(*INT, 1, sclae=1)
    with pytest.raises(TypeError, match="scale"):
        INT >> then_laplace()


@pytest.mark.usefixtures("honest")
def test_rebuilding_needs_the_same_feature() -> None:
    made = make_user_measurement(*INT, max_divergence(), double, identity)
    kept = pickle.dumps(made)
    assert pickle.loads(kept) == made
    disable_features("honest-but-curious")
    with pytest.raises(OpenDPException, match="honest-but-curious"):
        pickle.loads(kept)


@pytest.mark.usefixtures("honest")
def test_user_objects_pickle_with_functions_of_a_module() -> None:
    own = user_domain("own", accept)
    made = make_user_transformation(
        own, discrete_distance(), own, discrete_distance(), double, identity
    )
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert again(3) == 6
    unhashable = user_domain("own", accept, descriptor={"a": [1]})
    odd = make_user_transformation(
        unhashable, discrete_distance(), own, discrete_distance(), double, identity
    )
    assert hash(odd) == hash(odd)
    assert pickle.loads(pickle.dumps(odd)) == odd


# Partial constructors.


def test_partials_take_the_space_from_the_left() -> None:
    made = ROWS >> then_count() >> then_laplace(2.0)
    assert isinstance(made, Measurement)
    assert made.map(1) == 0.5
    assert then_laplace(2.0)(*INT) == make_laplace(*INT, 2.0)


def test_partials_chain_without_a_space() -> None:
    partial = then_clamp((0, 10)) >> then_sum() >> then_laplace(5.0)
    assert isinstance(partial, Partial)
    assert repr(partial) == ("then_clamp((0, 10)) >> then_sum() >> then_laplace(5.0)")
    expected = ROWS >> then_clamp((0, 10)) >> then_sum() >> then_laplace(5.0)
    assert (ROWS >> partial) == expected
    right = then_clamp((0, 10)) >> (then_sum() >> then_laplace(5.0))
    assert right == partial
    assert (ROWS >> right) == expected
    first = make_clamp(*ROWS, (0, 10))
    assert (first >> (then_sum() >> then_laplace(5.0))).map(1) == expected.map(1)


@pytest.mark.usefixtures("honest")
def test_partials_chain_with_objects_and_functions() -> None:
    noisy = make_laplace(*INT, 0)
    partial = then_count() >> noisy >> double
    assert repr(partial) == f"then_count() >> {noisy!r} >> double"
    assert (ROWS >> partial)([1, 2, 3]) == 6
    assert (ROWS >> (then_count() >> then_laplace(0) >> float))([1]) == 1.0
    with pytest.raises(TypeError):
        then_count() >> 5  # type: ignore[operator]
    with pytest.raises(OpenDPException, match="put functions after a measurement"):
        ROWS >> (then_count() >> double)
    with pytest.raises(OpenDPException, match="followed by then_laplace"):
        INT >> (then_laplace(1) >> then_laplace(1))


def test_partials_print_and_compare() -> None:
    assert repr(then_laplace(scale=2.0, k=3)) == "then_laplace(scale=2.0, k=3)"
    assert repr(then_cast_default(TOA=float)) == "then_cast_default(TOA=float)"
    assert then_laplace(2.0) == then_laplace(2.0)
    assert then_laplace(2.0) != then_laplace(3.0)
    assert pickle.loads(pickle.dumps(then_laplace(2.0))) == then_laplace(2.0)
    assert then_laplace.__name__ == "then_laplace"
    assert then_laplace.__doc__ is not None
    assert "make_laplace" in then_laplace.__doc__


def test_only_a_space_stands_left_of_a_partial() -> None:
    with pytest.raises(OpenDPTypeError, match="has no metric"):
        INT[0] >> then_laplace(1.0)
    for bad in ([*INT], (1, 2, 3), 5, None):
        with pytest.raises(TypeError, match="unsupported operand"):
            bad >> then_laplace(1.0)  # type: ignore[operator]
    for pair in ((1, 2), INT[::-1]):
        with pytest.raises(OpenDPException, match="input_domain"):
            pair >> then_laplace(1.0)  # type: ignore[operator]


@pytest.mark.usefixtures("honest")
def test_chains_made_by_name_are_chains() -> None:
    count, noisy = make_count(*ROWS), make_laplace(*INT, 1)
    assert make_chain_mt(noisy, count) == count >> noisy
    assert make_chain_pm(double, noisy) == noisy >> double
    clamp = make_clamp(*ROWS, (0, 1))
    assert make_chain_tt(count, clamp) == clamp >> count


def test_a_draft_needs_contrib_and_a_vetted_constructor_needs_nothing() -> None:
    def make_one(input_domain: Domain, input_metric: Metric) -> Measurement:
        return Measurement(
            input_domain, lambda _: 1, input_metric, max_divergence(), lambda _: 0
        )

    try:
        make_draft = constructor()(make_one)
        with pytest.raises(OpenDPException, match="contrib"):
            make_draft(*INT)
        enable_features("contrib")
        assert make_draft(*INT)(5) == 1
        disable_features("contrib")
        vetted = {"proof": "tests/make_one", "status": "vetted"}
        make_vetted = constructor(**vetted)(make_one)  # type: ignore[arg-type]
        assert make_vetted(*INT)(5) == 1
        make_trusting = constructor(**vetted, human_verified=("it is so",))
        with pytest.raises(OpenDPException, match="honest-but-curious"):
            make_trusting(make_one)(*INT)
    finally:
        disable_features("contrib")
        REGISTRY.pop(f"{make_one.__module__}:{make_one.__qualname__}")


def test_objects_that_impute_different_zeros_are_not_equal() -> None:
    floats = vector_domain(atom_domain(T=float)), symmetric_distance()
    plus, minus = (floats >> then_impute_constant(zero) for zero in (0.0, -0.0))
    assert plus != minus
    assert plus == (floats >> then_impute_constant(0.0))


@pytest.mark.usefixtures("honest")
def test_explain_names_the_proof_of_every_link() -> None:
    chain = TEXT >> then_cast_default(TOA=int) >> then_clamp((0, 9)) >> then_sum()
    lines = str((chain >> then_laplace(scale=1) >> double).explain()).splitlines()
    words = [word for line in lines for word in line.split()]
    assert [word for word in words if word.startswith("proofs/")] == [
        "proofs/transformations/make_cast_default.tex",
        "proofs/transformations/make_clamp.tex",
        "proofs/transformations/make_sum.tex",
        "proofs/measurements/make_laplace.tex",
        "proofs/core/make_chain_mt.tex",
        "proofs/core/make_chain_pm.tex",
        "proofs/core/make_chain_tt.tex",
    ]
    assert "a function of the release alone" in lines[4]
    by_hand = Measurement(INT[0], double, INT[1], max_divergence(), lambda _: 0)
    assert str(by_hand.explain()).endswith("unproved")
