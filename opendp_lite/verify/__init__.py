"""Check claims by running the code: bit trees, certificates and contracts.

`enumerate_tree` finds the exact law of a function of random bits. `law` compares it
with a stated law, `privacy` compares the laws of two neighbours with what a
measurement claims, and `contract` runs every check there is on a constructor.
"""

from opendp_lite.verify.certificates import PrivacyCertificate, privacy
from opendp_lite.verify.contracts import Contract, ContractBroken, contract
from opendp_lite.verify.divergences import divergence, hockey_stick, renyi
from opendp_lite.verify.laws import LawCertificate, law
from opendp_lite.verify.tree import Tree, enumerate_tree

__all__ = [
    "Contract",
    "ContractBroken",
    "LawCertificate",
    "PrivacyCertificate",
    "Tree",
    "contract",
    "divergence",
    "enumerate_tree",
    "hockey_stick",
    "law",
    "privacy",
    "renyi",
]
