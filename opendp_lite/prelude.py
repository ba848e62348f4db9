"""The whole public surface: `import opendp_lite.prelude as dp`.

Constructors are in `dp.t`, `dp.m` and `dp.c`, and synthetic tables in `dp.examples`.
"""

from typing import TYPE_CHECKING

from opendp_lite import __version__ as __version__
from opendp_lite import combinators, measurements, transformations
from opendp_lite.base.loading import on_demand

c = combinators
m = measurements
t = transformations

if TYPE_CHECKING:
    from opendp_lite import examples as examples
    from opendp_lite.accuracy import *  # noqa: F403
    from opendp_lite.context import *  # noqa: F403
    from opendp_lite.domains import *  # noqa: F403
    from opendp_lite.measures import *  # noqa: F403
    from opendp_lite.metrics import *  # noqa: F403
    from opendp_lite.mod import *  # noqa: F403
    from opendp_lite.tables import *  # noqa: F403
    from opendp_lite.typing import *  # noqa: F403
else:
    __getattr__, __dir__ = on_demand(__name__)
