"""Domains of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from opendp_lite.core.aliases import Data
from opendp_lite.core.arguments import check_user_part
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.errors import printed, refusal

if TYPE_CHECKING:
    pass

__all__ = [
    "UserDomain",
    "user_domain",
]


@attrs.frozen(repr=False)
class UserDomain(Domain):
    """A domain described by the user: an identifier, a membership test, a descriptor.

    Two user domains are equal when identifier and descriptor are.
    """

    identifier: str
    test: Callable[[Any], bool] = attrs.field(eq=False)
    descriptor: Any = None

    def __attrs_post_init__(self) -> None:
        check_user_part("MakeDomain", self, "Pass a name that no other user domain has")
        if not callable(self.test):
            rule = "must be callable"
            fix = "Pass a function from a value to True or False"
            raise refusal("MakeDomain", "member", self.test, rule, fix)

    def member(self, value: Data) -> bool:
        """Return what the user's test says; a test that raises says no."""
        try:
            return bool(self.test(value))
        except Exception:
            return False

    def rule(self) -> str:
        """Return the rule as constant text."""
        return f"what the membership test of {self.identifier!r} accepts"

    @property
    def opaque(self) -> bool:
        """Only the user knows what it is made of."""
        return True

    @property
    def carrier_type(self) -> str:
        """The type of the members, as text."""
        return "ExtrinsicObject"

    def taken_on_trust(self) -> tuple[str, Callable[..., Any] | None] | None:
        """Return that the user says what its members are."""
        text = f"{self!r} is a domain of your own: its members are what its test says"
        return text, self.test

    def __repr__(self) -> str:
        given = self.descriptor is not None
        tail = f", descriptor={printed(self.descriptor)}" if given else ""
        return f"UserDomain({self.identifier!r}{tail})"


def user_domain(
    identifier: str, member: Callable[[Any], bool], descriptor: object = None
) -> UserDomain:
    """Return a domain of the user's own.

    What `member` says cannot be checked: the feature `honest-but-curious` is needed.

    :param identifier: a name that no other domain of the user has
    :param member: the function that says whether a value is a member
    :param descriptor: what else tells such domains apart

    >>> import opendp_lite.prelude as dp
    >>> dp.enable_features("honest-but-curious")
    >>> dp.user_domain("even", lambda x: isinstance(x, int) and x % 2 == 0).member(3)
    False
    >>> dp.disable_features("honest-but-curious")
    """
    return UserDomain(identifier, member, descriptor)
