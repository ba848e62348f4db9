"""Opening a Context and its queries: arguments, the session on the data, links."""

from __future__ import annotations

from opendp_lite.base.aliases import Data
from opendp_lite.base.errors import OpenDPException
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.spaces import domain_of
from opendp_lite.sessions.session import Session
from opendp_lite.solving.parameters import Chain, joined
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
            "Pass domain=table_domain({...}), or one column. "
            "print(draft_table_domain(data)) prints a draft of it.",
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
    """Return a session on the data; where the domain is one of rows, say so.

    A table is opened first: the domain then says which columns do not fit.
    """
    data = accountant.input_domain.open_data(data)
    try:
        session: Session = accountant(data)
    except OpenDPException as error:
        if accountant.input_domain.has_rows or not isinstance(error, TypeError):
            raise
        text = f"{error.message} If the data are rows, wrap domain by vector_domain()."
        raise type(error)(error.variant, text) from None
    return session


def join_link(chain: Chain, link: object) -> Chain:
    """Return a chain with one more link; a domain may add to the text of a refusal."""
    try:
        made: Chain = joined(chain, link)
    except OpenDPException as error:
        hint = chain[0].query_hint if isinstance(chain, tuple) else ""
        text = f"{error.message} {hint}".rstrip()
        raise type(error)(error.variant, text) from None
    return made
