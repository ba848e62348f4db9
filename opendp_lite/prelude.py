"""The whole public surface: `import opendp_lite.prelude as dp`."""

from typing import TYPE_CHECKING

from opendp_lite import accuracy, domains, measures, metrics, mod, typing
from opendp_lite import combinators as c
from opendp_lite import measurements as m
from opendp_lite import transformations as t
from opendp_lite.core.loading import on_demand
from opendp_lite.domains import *  # noqa: F403
from opendp_lite.measures import *  # noqa: F403
from opendp_lite.metrics import *  # noqa: F403
from opendp_lite.mod import *  # noqa: F403
from opendp_lite.typing import *  # noqa: F403

if TYPE_CHECKING:
    from opendp_lite.accuracy import *  # noqa: F403
else:
    __getattr__, __dir__ = on_demand(__name__, {accuracy.__name__: accuracy.__all__})

__all__ = ["c", "m", "t"]
__all__ += accuracy.__all__ + domains.__all__ + measures.__all__ + metrics.__all__
__all__ += mod.__all__ + typing.__all__
