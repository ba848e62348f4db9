"""Metrics: how far apart two members of a domain are; kinds alike share a file."""

from opendp_lite.core.metrics.counting import (
    ChangeOneDistance,
    HammingDistance,
    InsertDeleteDistance,
    SymmetricDistance,
    change_one_distance,
    hamming_distance,
    insert_delete_distance,
    symmetric_distance,
)
from opendp_lite.core.metrics.map_differences import (
    L01InfDistance,
    L02InfDistance,
    l01inf_distance,
    l02inf_distance,
)
from opendp_lite.core.metrics.metric import Metric
from opendp_lite.core.metrics.numbers import (
    AbsoluteDistance,
    DiscreteDistance,
    L1Distance,
    L2Distance,
    LInfDistance,
    absolute_distance,
    discrete_distance,
    l1_distance,
    l2_distance,
    linf_distance,
)
from opendp_lite.core.metrics.product import ProductDistance, product_distance

__all__ = [
    "AbsoluteDistance",
    "ChangeOneDistance",
    "DiscreteDistance",
    "HammingDistance",
    "InsertDeleteDistance",
    "L01InfDistance",
    "L02InfDistance",
    "L1Distance",
    "L2Distance",
    "LInfDistance",
    "Metric",
    "ProductDistance",
    "SymmetricDistance",
    "absolute_distance",
    "change_one_distance",
    "discrete_distance",
    "hamming_distance",
    "insert_delete_distance",
    "l01inf_distance",
    "l02inf_distance",
    "l1_distance",
    "l2_distance",
    "linf_distance",
    "product_distance",
    "symmetric_distance",
]
