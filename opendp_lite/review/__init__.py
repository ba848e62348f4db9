"""The reviewer of proofs: what a proof quotes is what ships, and someone has read both.

The command is `opendp-lite proofs`; `check` is the whole review, `build` makes the
PDFs, `accept` records that a proof was read, `move` carries the records over new names.
A package and its folder of proofs form a `Project`; it may be this library or a user's
own.
"""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.review.commands.accepting import accept as accept
    from opendp_lite.review.commands.index import write_index as write_index
    from opendp_lite.review.commands.building import build as build
    from opendp_lite.review.commands.moving import move as move
    from opendp_lite.review.problems import (
        Problem as Problem,
        ReviewError as ReviewError,
    )
    from opendp_lite.review.project import Project as Project
    from opendp_lite.review.commands.reviewing import check as check
    from opendp_lite.review.commands.scaffold import new_proof as new_proof
else:
    __getattr__, __dir__ = on_demand(__name__)
