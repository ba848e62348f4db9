# ruff: noqa
# fmt: off
# What was read of opendp_lite.laws.noise; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
import attrs


# === Law.rate with mpq, attrs
@attrs.frozen
class Law:
    power: int
    def rate(self, scale: mpq) -> mpq:
        if self.power == 1:
            return mpq(1) / scale
        return mpq(1) / (mpq(2) * scale * scale)
