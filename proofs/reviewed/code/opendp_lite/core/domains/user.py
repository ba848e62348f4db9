# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.user; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from collections.abc import Callable
from opendp_lite.core.aliases import Data
from opendp_lite.core.domains.domain import Domain
from typing import Any
import attrs

opendp_lite.core.aliases.Data: typing.TypeAlias = typing.Any


# === UserDomain.member with Callable, Data, Domain, Any, attrs,
#    opendp_lite.core.aliases.Data
@attrs.frozen(repr=False)
class UserDomain(Domain):
    test: Callable[[Any], bool] = attrs.field(eq=False)
    def member(self, value: Data) -> bool:
        try:
            return bool(self.test(value))
        except Exception:
            return False
