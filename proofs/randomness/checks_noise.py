"""Proofs by SymPy of the algebra in the proofs of weights, blocks and noise."""

from __future__ import annotations

import sympy as sp


def neighbouring_squares() -> None:
    """(j+1)^2 - j^2 = 2j + 1, and the next such difference is greater by 2."""
    j = sp.symbols("j")
    difference = (j + 1) ** 2 - j**2
    assert sp.expand(difference - (2 * j + 1)) == 0
    assert sp.expand(difference.subs(j, j + 1) - difference) == 2


def exponential_below_parabola() -> None:
    """1 - t <= e^-t <= 1 - t + t^2/2 for t >= 0, and 2^-16 - 2^-33 >= 2^-17.

    The difference is 0 at 0, its derivative, t - 1 + e^-t, is 0 at 0, and the second
    derivative, 1 - e^-t, is 0 at 0 and increases. So all three are never negative; the
    derivative is what e^-t is above 1 - t.
    """
    t = sp.symbols("t", nonnegative=True)
    difference = 1 - t + t**2 / 2 - sp.exp(-t)
    first, second = sp.diff(difference, t), sp.diff(difference, t, 2)
    assert sp.expand(first - (sp.exp(-t) - (1 - t))) == 0
    assert difference.subs(t, 0) == 0
    assert first.subs(t, 0) == 0
    assert second.subs(t, 0) == 0
    assert sp.simplify(sp.diff(second, t)).is_positive
    two = sp.Integer(2)
    assert two**-16 - two**-33 >= two**-17


def width_sums() -> None:
    """4j + 2 + 4 = 4(j+1) + 2, and 2j(j+1) + (4j + 2) + 2 = 2(j+1)(j+2)."""
    j = sp.symbols("j")
    assert sp.expand(4 * j + 2 + 4 - (4 * (j + 1) + 2)) == 0
    width = 2 * j * (j + 1)
    assert sp.expand(width + 4 * j + 2 + 2 - width.subs(j, j + 1)) == 0


def odds_increase() -> None:
    """The derivative of t/(1 - t) is 1/(1 - t)^2."""
    t = sp.symbols("t", real=True)
    assert sp.simplify(sp.diff(t / (1 - t), t) - 1 / (1 - t) ** 2) == 0


def loss_of_square() -> None:
    """(y + v)^2 - y^2 = v (2y + v) = a (2^(b+1) y + a)/2^(2b) at v = a/2^b."""
    y, v, a = sp.symbols("y v a", nonnegative=True)
    block = sp.symbols("B", positive=True)  # 2^b
    assert sp.expand((y + v) ** 2 - y**2 - v * (2 * y + v)) == 0
    at_place = (v * (2 * y + v)).subs(v, a / block)
    assert sp.simplify(at_place - a * (2 * block * y + a) / block**2) == 0


def weight_of_place() -> None:
    """The exponents of a block and of a place in it add up to rate |x|^power."""
    rate, block, x, y = sp.symbols("rate B x y", positive=True)
    for power in (1, 2):
        unit = rate * block**power
        place = x / block
        total = unit * y**power + unit * (place**power - y**power)
        assert sp.simplify(total - rate * x**power) == 0


def acceptance_of_blocks() -> None:
    """(m + 1)/e > 11 for m = 32, and 1 - 1/W > 10/11 for W > 11."""
    assert (3 - sp.E).is_positive
    assert (sp.Integer(32) + 1) / 3 == 11
    assert 1 - 1 / sp.Integer(11) == sp.Rational(10, 11)
    total = sp.symbols("W", positive=True)
    assert sp.diff(1 - 1 / total, total).is_positive
