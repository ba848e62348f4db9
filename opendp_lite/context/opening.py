"""Opening a Context: what is asked of its arguments, and the session on the data."""

from __future__ import annotations

from opendp_lite.base.aliases import Data
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.spaces import domain_of
from opendp_lite.sessions.session import Session
from opendp_lite.solving.refused import ContextError, refused


def check_first(name: str, value: object, kind: type, fix: str) -> None:
    """Refuse a pair whose first is of another kind; data may be passed by mistake."""
    if not isinstance(value, kind):
        rule = f"must be a {kind.__name__}"
        raise refused(f"{name}[0]", type(value), rule, fix)


def inferred_domain(data: Data) -> Domain:
    """Return the domain of the types of the data, or refuse."""
    kind = type(data)
    if kind.__name__ in ("DataFrame", "LazyFrame", "Table"):
        raise ContextError(
            "Context",
            f"data: the columns of a {kind.__name__} are declared, and not inferred. "
            "Pass domain=table_domain({...}), or one column.",
        )
    try:
        return domain_of(data, infer=True)
    except OpenDPException:
        raise ContextError(
            "Context",
            f"data: a {kind.__name__} whose types do not tell the domain. Pass it, for "
            "example domain=vector_domain(atom_domain(T=int)); rows that may be "
            "missing are described by option_domain(...), and pairs of numbers by "
            "vector_domain(atom_domain(T=float), size=2).",
        ) from None


def opened(accountant: Measurement, data: Data) -> Session:
    """Return a session on the data; where the domain is one of rows, say so."""
    try:
        session: Session = accountant(data)
    except OpenDPException as error:
        if accountant.input_domain.has_rows or not isinstance(error, TypeError):
            raise
        text = f"{error.message} If the data are rows, wrap domain by vector_domain()."
        raise type(error)(error.variant, text) from None
    return session
