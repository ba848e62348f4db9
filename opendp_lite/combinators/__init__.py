"""Combinators: constructors that make one object out of others."""

from opendp_lite.core.chaining import make_chain_mt, make_chain_pm, make_chain_tt

__all__ = ["make_chain_mt", "make_chain_pm", "make_chain_tt"]
