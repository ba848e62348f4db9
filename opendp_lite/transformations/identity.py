"""The identity: data in, the same data out."""

from __future__ import annotations

from typing import Any

from opendp_lite.base.aliases import Data, ExactDistance
from opendp_lite.core.domains import Domain
from opendp_lite.core.metrics import Metric
from opendp_lite.core.registry import constructor, then
from opendp_lite.core.transformation import Transformation


@constructor(proof="transformations/make_identity", status="vetted")
def make_identity(domain: Domain, metric: Metric) -> Transformation:
    """Return the transformation of any metric space that returns its argument.

    Guarantee: d(x, x') <= d_in implies d(f(x), f(x')) <= d_in, for f(x) = x.

    :param domain: any domain
    :param metric: any metric of it

    >>> import opendp_lite.prelude as dp
    >>> space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    >>> same = space >> dp.t.then_identity()
    >>> same(["a", "b"]), same.map(2)
    (['a', 'b'], 2)

    Raises `MetricSpace` where (domain, metric) is no metric space.

    Proof: proofs/transformations/make_identity.tex
    """

    def function(arg: Data) -> Any:
        return arg  # proof: function

    def stability_map(d_in: ExactDistance) -> Any:
        return d_in  # proof: map

    return Transformation(  # proof: space
        domain, domain, function, metric, metric, stability_map
    )


then_identity = then(make_identity)
