"""What the domains that are built on others, or have a size, share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opendp_lite.core.aliases import ExactNumber
from opendp_lite.core.arguments import check_type, integer_argument
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.errors import refusal
from opendp_lite.core.values.type_arguments import DEEPEST

if TYPE_CHECKING:
    pass

__all__ = [
    "DOMAIN_FIX",
    "check_inside",
    "public_size",
]


DOMAIN_FIX = "Pass a domain such as atom_domain(T=int)"


def public_size(size: ExactNumber | None) -> int | None:
    """Return the size as an int: maps multiply it, and another type would round."""
    if size is None:
        return None
    fix = "Pass the public number of rows or bits, or leave size out"
    return integer_argument(
        "MakeDomain", "size", size, fix=fix, at_least=0, at_most=2**63 - 1
    )


def check_inside(**inner: Any) -> None:
    """Refuse what is no domain, and domains inside of which too many others lie."""
    for name, domain in inner.items():
        check_type("MakeDomain", name, domain, Domain, DOMAIN_FIX)
        if domain.depth >= DEEPEST:
            rule = f"domains nest at most {DEEPEST} deep"
            raise refusal("MakeDomain", name, domain, rule, DOMAIN_FIX)
