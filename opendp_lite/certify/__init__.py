"""Certificates of pipelines: a guarantee with its derivation, checked again elsewhere.

`certificate` derives one from a measurement, a transformation, a query or a Context and
a distance: every step with its theorem, the digests of its code and its proof, what a
person has to sign, bit trees of small cases, and the versions of what is trusted.
`check` derives it anew, on another machine, and names every field that differs. The
command is `opendp-lite certify`.
"""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.certify.checking import (
        Findings as Findings,
        check as check,
        loaded as loaded,
    )
    from opendp_lite.certify.deriving import (
        PipelineCertificate as PipelineCertificate,
        certificate as certificate,
    )
    from opendp_lite.certify.evidence import Evidence as Evidence
    from opendp_lite.certify.format import Difference as Difference
else:
    __getattr__, __dir__ = on_demand(__name__)
