# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.measures.user; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from gmpy2 import mpq
from opendp_lite.core.arguments import user_at_most
from opendp_lite.core.arguments import user_distance_argument
from opendp_lite.exact.rationals import to_loss
from typing import Any
import attrs


# === UserDivergence.parse with user_distance_argument, to_loss, Any, attrs
@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def parse(self, loss: Any, name: str = "d_out") -> Any:
        return user_distance_argument(name, loss, to_loss)


# === UserDivergence.at_most with user_at_most, Any, attrs
@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def at_most(self, loss: Any, limit: Any) -> bool:
        return user_at_most(loss, limit)


# === UserDivergence.present with mpq, Any, attrs
@attrs.frozen(repr=False)
class UserDivergence(Measure):
    def present(self, loss: Any, exact: bool = False) -> Any:
        numeric = type(loss) in (int, float, mpq)
        return super().present(loss, exact) if numeric else loss
