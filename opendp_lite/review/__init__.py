"""The reviewer of proofs: what a proof quotes is what ships, and someone has read both.

The command is `opendp-lite proofs`; `check` is the whole review, `build` makes the
PDFs, `accept` records that a proof was read, `move` carries the records over new names.
A package and its folder of proofs form a `Project`; it may be this library or a user's
own.
"""

from opendp_lite.review.accepting import accept
from opendp_lite.review.index import write_index
from opendp_lite.review.latex import build
from opendp_lite.review.moving import move
from opendp_lite.review.problems import Problem, ReviewError
from opendp_lite.review.project import Project
from opendp_lite.review.reviewing import check
from opendp_lite.review.scaffold import new_proof

__all__ = [
    "Problem",
    "Project",
    "ReviewError",
    "accept",
    "build",
    "check",
    "move",
    "new_proof",
    "write_index",
]
