# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.domains.inner; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.core.aliases import ExactNumber
from opendp_lite.core.arguments import check_type
from opendp_lite.core.arguments import integer_argument
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.errors import refusal
from opendp_lite.core.values.type_arguments import DEEPEST
from typing import Any

if typing.TYPE_CHECKING:
    import numpy as np
    opendp_lite.core.aliases.NumpyNumber: typing.TypeAlias = numpy.integer[typing.Any] | numpy.floating[typing.Any]
    opendp_lite.core.aliases.Array: typing.TypeAlias = numpy.ndarray[typing.Any, typing.Any]
else:
    opendp_lite.core.aliases.NumpyNumber, opendp_lite.core.aliases.Array = (typing.SupportsFloat, collections.abc.Sequence)
opendp_lite.core.aliases.ExactNumber: typing.TypeAlias = int | float | str | fractions.Fraction | decimal.Decimal | gmpy2.mpz | gmpy2.mpq | gmpy2.mpfr | opendp_lite.core.aliases.NumpyNumber
DOMAIN_FIX = "Pass a domain such as atom_domain(T=int)"
opendp_lite.core.values.type_arguments.DEEPEST = 64


# === public_size with ExactNumber, integer_argument, ?,
#    opendp_lite.core.aliases.ExactNumber
def public_size(size: ExactNumber | None) -> int | None:
    if size is None:
        return None
    fix = "Pass the public number of rows or bits, or leave size out"
    return integer_argument(
        "MakeDomain", "size", size, fix=fix, at_least=0, at_most=2**63 - 1
    )


# === check_inside with check_type, Domain, refusal, DEEPEST, Any, DOMAIN_FIX,
#    opendp_lite.core.values.type_arguments.DEEPEST
def check_inside(**inner: Any) -> None:
    for name, domain in inner.items():
        check_type("MakeDomain", name, domain, Domain, DOMAIN_FIX)
        if domain.depth >= DEEPEST:
            rule = f"domains nest at most {DEEPEST} deep"
            raise refusal("MakeDomain", name, domain, rule, DOMAIN_FIX)
