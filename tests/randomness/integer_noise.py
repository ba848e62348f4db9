"""Integer noise by scale, as plain functions."""

from __future__ import annotations

from gmpy2 import mpq

from opendp_lite.laws.noise import GAUSSIAN, GEOMETRIC, LAPLACE
from opendp_lite.randomness.discrete import discrete_noise


def sample_discrete_laplace(scale: mpq) -> int:
    return discrete_noise(LAPLACE, scale).sample()


def sample_discrete_gaussian(scale: mpq) -> int:
    return discrete_noise(GAUSSIAN, scale).sample()


def sample_geometric(scale: mpq) -> int:
    return discrete_noise(GEOMETRIC, scale).sample()
