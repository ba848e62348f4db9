# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.user; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from opendp_lite.core.domains.domain import Domain
from typing import Any
import attrs


# === UserDomain.member with Callable, Domain, Any, attrs
@attrs.frozen(repr=False)
class UserDomain(Domain):
    test: Callable[[Any], bool] = attrs.field(eq=False)
    def member(self, value: Any) -> bool:
        try:
            return bool(self.test(value))
        except Exception:
            return False
