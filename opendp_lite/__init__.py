"""Differential privacy with exact arithmetic, exact samplers and checkable proofs.

The public interface is one module, ``import opendp_lite.prelude as dp``. This file
imports nothing, so that a part of the library loads no other part.
"""

__all__ = ["__version__"]

__version__ = "0.2.0"
