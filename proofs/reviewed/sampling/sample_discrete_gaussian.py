# ruff: noqa
# fmt: off
# The code that was reviewed with the proof sampling/sample_discrete_gaussian; written by
# `opendp-lite proofs accept`, never by hand, and never run.


# === opendp_lite.sampling.discrete_gaussian:sample_discrete_gaussian ===

from gmpy2 import mpq

def sample_discrete_gaussian(scale: mpq) -> int:
    if scale < 0:
        raise ValueError(f"scale must be non-negative, got {scale}")
    if scale == 0:
        return 0
    while (x := _trial(scale)) is None:
        pass
    return x


# === opendp_lite.sampling.discrete_gaussian:_trial ===

from gmpy2 import mpq
from opendp_lite.sampling.bernoulli import sample_bernoulli_exp
from opendp_lite.sampling.discrete_laplace import sample_discrete_laplace

def _trial(scale: mpq) -> int | None:
    square = scale * scale
    width = mpq(scale.numerator // scale.denominator + 1)
    x = sample_discrete_laplace(width)
    distance = mpq(abs(x)) - square / width
    loss = distance * distance / (mpq(2) * square)
    return x if sample_bernoulli_exp(loss) else None
