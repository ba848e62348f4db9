"""One release of one number, or of one answer."""

from __future__ import annotations

from math import log, sqrt
from typing import Any

from benchmarks.harness import OURS, Call, Contender, Goal, Row
from benchmarks.peers import load

__all__ = ["rows"]

SCALE = 10.0
DELTA = 1e-6

Number = type[int] | type[float]


def noisy(name: str, law: str, T: Number) -> Call:
    """Add noise through the same lines of either library."""
    dp = load(name)
    atom = dp.atom_domain(T=int) if T is int else dp.atom_domain(T=float, nan=False)
    make = getattr(dp.m, f"make_{law}")
    measurement = make(atom, dp.absolute_distance(T=T), scale=SCALE)
    number = T(3)
    return lambda: measurement(number)


def pydp(law: str, T: Number) -> Call:
    """`add_noise` of a mechanism that is made once; its method, looked up once."""
    mechanisms = load("PyDP", submodule="algorithms.numerical_mechanisms")
    mechanism: Any
    if law == "laplace":
        mechanism = mechanisms.LaplaceMechanism(epsilon=1 / SCALE, sensitivity=1.0)
    else:
        mechanism = mechanisms.GaussianMechanism.create_from_standard_deviation(SCALE)
    number, add_noise = T(3), mechanism.add_noise
    return lambda: add_noise(number)


def diffprivlib(law: str, T: Number) -> Call:
    """`randomise` of a mechanism that is made once."""
    mechanisms = load("diffprivlib", submodule="mechanisms")
    mechanism: Any
    if law == "gaussian" and T is int:
        # Its scale follows from epsilon by a search: 9.92.
        mechanism = mechanisms.GaussianDiscrete(epsilon=0.4, delta=DELTA, sensitivity=1)
    elif law == "gaussian":
        sensitivity = SCALE * 0.5 / sqrt(2 * log(1.25 / DELTA))
        mechanism = mechanisms.Gaussian(
            epsilon=0.5, delta=DELTA, sensitivity=sensitivity
        )
    elif T is int:
        mechanism = mechanisms.Geometric(epsilon=1 / SCALE, sensitivity=1)
    else:
        mechanism = mechanisms.Laplace(epsilon=1 / SCALE, sensitivity=1)
    number, randomise = T(3), mechanism.randomise
    return lambda: randomise(number)


def numpy_float(law: str, T: Number) -> Call:
    """One float of numpy's generator, which is neither exact nor secure."""
    generator = load("numpy").random.default_rng()
    draw = generator.normal if law == "gaussian" else generator.laplace
    number = T(3)
    return lambda: number + draw(0.0, SCALE)


def row(law: str, T: Number) -> Row:
    """One law on one type."""
    made = f"make_{law}, made once"
    contenders = [
        Contender(OURS, lambda: noisy(OURS, law, T), note=made),
        Contender("OpenDP", lambda: noisy("OpenDP", law, T), note=made),
    ]
    if law != "geometric":
        contenders.append(
            Contender(
                "PyDP",
                lambda: pydp(law, T),
                note="NumericalMechanism.add_noise, made once; C++, a law near by",
            )
        )
    contenders += [
        Contender(
            "diffprivlib",
            lambda: diffprivlib(law, T),
            note="randomise of the mechanism, made once; float arithmetic",
        ),
        Contender(
            "numpy float",
            lambda: numpy_float(law, T),
            note="the number plus one draw of a Generator; no mechanism, not secure",
        ),
    ]
    others = ("diffprivlib",) if law == "geometric" else ("PyDP", "diffprivlib")
    return Row(
        f"scalar-{law}-{T.__name__}",
        f"one release, {law.title()}, {T.__name__}",
        "call",
        tuple(contenders),
        (Goal(("OpenDP",), 20), Goal(others, 1)),
        "scale 10",
    )


def answer(name: str) -> Call:
    """Randomized response on one boolean."""
    response = load(name).m.make_randomized_response_bool(prob=0.75)
    return lambda: response(True)


def binary() -> Call:
    """The binary mechanism of diffprivlib, which takes text; e^epsilon = 3."""
    mechanisms = load("diffprivlib", submodule="mechanisms")
    mechanism = mechanisms.Binary(epsilon=log(3), value0="no", value1="yes")
    return lambda: mechanism.randomise("yes")


def rows() -> list[Row]:
    """The laws that have a scalar release."""
    response = Row(
        "scalar-response-bool",
        "one release, randomized response, bool",
        "call",
        (
            Contender(OURS, lambda: answer(OURS), note="made once"),
            Contender("OpenDP", lambda: answer("OpenDP"), note="made once"),
            Contender("diffprivlib", binary, note="Binary.randomise, made once"),
        ),
        (Goal(("OpenDP",), 20), Goal(("diffprivlib",), 1)),
        "the truth with probability 3/4",
    )
    return [
        row("laplace", int),
        row("laplace", float),
        row("gaussian", int),
        row("gaussian", float),
        row("geometric", int),
        response,
    ]
