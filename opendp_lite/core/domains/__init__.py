"""Domains: the sets of values that functions may be applied to, one file a kind."""

from opendp_lite.core.domains.atom import AtomDomain, atom_domain
from opendp_lite.core.domains.ball import BallDomain, ball_domain
from opendp_lite.core.domains.bitvector import BitVectorDomain, bitvector_domain
from opendp_lite.core.domains.domain import Domain
from opendp_lite.core.domains.frame import FrameDomain, frame_domain
from opendp_lite.core.domains.map import MapDomain, map_domain
from opendp_lite.core.domains.option import OptionDomain, option_domain
from opendp_lite.core.domains.product import ProductDomain, product_domain
from opendp_lite.core.domains.vector import VectorDomain, vector_domain

__all__ = [
    "AtomDomain",
    "BallDomain",
    "BitVectorDomain",
    "Domain",
    "FrameDomain",
    "MapDomain",
    "OptionDomain",
    "ProductDomain",
    "VectorDomain",
    "atom_domain",
    "ball_domain",
    "bitvector_domain",
    "frame_domain",
    "map_domain",
    "option_domain",
    "product_domain",
    "vector_domain",
]
