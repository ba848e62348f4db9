"""Pictures: noise, guarantees, accuracies, budgets and releases, drawn by matplotlib.

Each function returns a figure of matplotlib, which needs no screen: `savefig` writes
it. The extra `plots` is needed. What is drawn are the numbers of the library, certified
where there are certified ones; a picture is for people, and nothing is decided by it.
"""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import on_demand

if TYPE_CHECKING:
    from opendp_lite.show.pictures.budgets import budget as budget
    from opendp_lite.show.pictures.costs import accuracies as accuracies
    from opendp_lite.show.pictures.guarantees import (
        profiles as profiles,
        tradeoffs as tradeoffs,
    )
    from opendp_lite.show.pictures.noises import noise as noise
    from opendp_lite.show.pictures.released import (
        counts as counts,
        frame as frame,
    )
else:
    __getattr__, __dir__ = on_demand(__name__)
