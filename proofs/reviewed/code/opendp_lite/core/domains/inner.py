# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.inner; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.arguments import check_type
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.errors import refusal
from opendp_lite.core.values.type_arguments import DEEPEST
from typing import Any

DOMAIN_FIX = "Pass a domain such as atom_domain(T=int)"
opendp_lite.core.values.type_arguments.DEEPEST = 64


# === check_inside with check_type, Domain, refusal, DEEPEST, Any, DOMAIN_FIX,
#    opendp_lite.core.values.type_arguments.DEEPEST
def check_inside(**inner: Any) -> None:
    for name, domain in inner.items():
        check_type("MakeDomain", name, domain, Domain, DOMAIN_FIX)
        if domain.depth >= DEEPEST:
            rule = f"domains nest at most {DEEPEST} deep"
            raise refusal("MakeDomain", name, domain, rule, DOMAIN_FIX)
