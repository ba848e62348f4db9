# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.measures.plain; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.measures.measure import Measure
import attrs


# === MaxDivergence.processed with Measure, attrs
@attrs.frozen(repr=False)
class MaxDivergence(Measure):
    @property
    def processed(self) -> bool:
        return True


# === ZeroConcentratedDivergence.processed with Measure, attrs
@attrs.frozen(repr=False)
class ZeroConcentratedDivergence(Measure):
    @property
    def processed(self) -> bool:
        return True
