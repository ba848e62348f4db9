"""Check claims by running the code: bit trees, certificates and contracts.

`enumerate_tree` finds the exact law of a function of random bits. `law` compares it
with a stated law, `privacy` compares the laws of two neighbours with what a
measurement claims, `coupling` with what a random transformation claims, and
`contract` runs every check there is on a constructor.
"""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.verify.contracts.terms import (
        ContractBroken as ContractBroken,
        Contract as Contract,
    )
    from opendp_lite.verify.certificates import (
        PrivacyCertificate as PrivacyCertificate,
        privacy as privacy,
    )
    from opendp_lite.verify.contracts.contract import contract as contract
    from opendp_lite.verify.couplings import (
        CouplingCertificate as CouplingCertificate,
        coupling as coupling,
    )
    from opendp_lite.verify.divergences import (
        divergence as divergence,
        hockey_stick as hockey_stick,
        renyi as renyi,
    )
    from opendp_lite.verify.laws import (
        LawCertificate as LawCertificate,
        law as law,
    )
    from opendp_lite.verify.tree import (
        Tree as Tree,
        enumerate_tree as enumerate_tree,
    )
else:
    __getattr__, __dir__ = on_demand(__name__)
