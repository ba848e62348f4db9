"""A picture of a budget: what each query of a Context took, and what is left."""

from __future__ import annotations

from typing import Any

from opendp_lite.context.contexts import Context
from opendp_lite.context.pictures import budget_picture
from opendp_lite.core.arguments import check_type
from opendp_lite.core.words.figures import ThemeName, theme_argument

__all__ = ["budget"]


def budget(context: Context, theme: ThemeName = "light") -> Any:
    """Return a picture of the budget of a Context, as `context.plot()` does.

    Each query has a bar on top of those before it; a line shows the budget. What was
    spent of the part that a Context within it was given is drawn inside of its bar.

    :param context: what is shown
    :param theme: "light" or "dark"

    >>> import opendp_lite.prelude as dp
    >>> context = dp.Context.compositor(
    ...     data=[1, 2, 3], domain=dp.vector_domain(dp.atom_domain(T=int)),
    ...     privacy_unit=dp.unit_of(contributions=1),
    ...     privacy_loss=dp.loss_of(epsilon=1.0))
    >>> budget(context).axes[0].get_ylabel()
    'epsilon spent'
    """
    theme_argument(theme)
    fix = "Pass what dp.Context.compositor(...) returns"
    check_type("Plot", "context", context, Context, fix)
    return budget_picture(context, theme)
