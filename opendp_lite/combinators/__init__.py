"""Combinators: constructors that make one object out of others."""

from opendp_lite.combinators.composition import (
    make_basic_composition,
    make_composition,
)
from opendp_lite.combinators.conversion import make_approximate, make_pureDP_to_zCDP
from opendp_lite.core.chaining import make_chain_mt, make_chain_pm, make_chain_tt

__all__ = [
    "make_approximate",
    "make_basic_composition",
    "make_chain_mt",
    "make_chain_pm",
    "make_chain_tt",
    "make_composition",
    "make_pureDP_to_zCDP",
]
