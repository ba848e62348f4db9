"""Queries: a chain that is built method by method, and what it may cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, overload

import attrs

from opendp_lite.base.aliases import Data, Distance, ExactNumber, Loss
from opendp_lite.base.arguments import check_type, pair_argument, rational_argument
from opendp_lite.base.errors import write_number
from opendp_lite.context.budgets import budget_of, find_accuracy
from opendp_lite.context.journal import Preview
from opendp_lite.context.links import Links
from opendp_lite.context.methods import Method
from opendp_lite.context.opening import join_link
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure
from opendp_lite.core.metrics import Metric
from opendp_lite.core.transformation import Transformation, check_space
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.sessions.losses import shown_loss, write_left, write_loss
from opendp_lite.sessions.odometer import Odometer
from opendp_lite.solving.casts import cast, translated
from opendp_lite.solving.links import (
    canonical_link,
    check_context,
    check_functions,
    compositor_link,
    middle,
)
from opendp_lite.solving.parameters import (
    Chain,
    Free,
    PartialChain,
    Solution,
    joined,
    shown_chain,
    solved,
)
from opendp_lite.solving.refused import ContextError, refused
from opendp_lite.solving.shares import asked_loss, exact_loss
from opendp_lite.solving.units import parse_unit

if TYPE_CHECKING:
    from opendp_lite.context.contexts import Context
    from opendp_lite.show.explaining.steps import Explanation


_Bounds = tuple[Any, Any] | None
_NOISE_FIX = "Add noise, for example by .laplace(), before it is released"


class Query(Links):
    """A question that is built method by method: `context.query(epsilon=1).count()`.

    Every `then_` constructor is a method, and returns a new query. One number may be
    left out: it is solved for, so that the query loses what it may. `query >> f` has
    a function of the release follow.

    :param chain: a space, a transformation or a measurement to begin with
    :param output_measure: how the loss is counted
    :param d_in: how far neighbours are apart
    :param d_out: the loss that is allowed
    :param context: where it is asked; None for a query that stands alone

    >>> import opendp_lite.prelude as dp
    >>> query = dp.Query(dp.space_of(list[int]), dp.max_divergence(), 1, 0.5)
    >>> query.count().laplace().param()
    2.0
    """

    def __init__(
        self,
        chain: Chain,
        output_measure: Measure,
        d_in: Distance = None,
        d_out: Loss = None,
        context: Context | None = None,
        _wrap_release: Callable[[Any], Any] | None = None,
    ) -> None:
        fix = "Pass for example max_divergence()"
        check_type("Context", "output_measure", output_measure, Measure, fix)
        kinds = (tuple, Transformation, Measurement, Odometer, PartialChain)
        check_type("Context", "chain", chain, kinds, "Pass a space, (domain, metric)")
        if isinstance(chain, tuple):
            check_space(*pair_argument("Context", "chain", chain, "Pass a space"))
        check_context(context)
        self._chain, self._output_measure = chain, output_measure
        self._context = context
        self._d_in, self._wrap_release = d_in, _wrap_release
        self._d_out = None if d_out is None else asked_loss(output_measure, d_out)
        self._metric: Metric | None = None
        if isinstance(chain, tuple):
            self._metric = chain[1]
        elif not isinstance(chain, PartialChain):
            self._metric = chain.input_metric
        self._solution: Solution | None = None

    # --- building ---------------------------------------------------------------------

    def _hint(self) -> str:
        return self._chain[0].query_hint if isinstance(self._chain, tuple) else ""

    def _applied(
        self, method: Method, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Query:
        """Return the query with one more link, whose last number may be missing."""
        args = method.measured(args, kwargs, self._output_measure)
        missing = method.missing(args, kwargs)
        if other := method.refitted(self._chain, args, kwargs, missing):
            return self.new_with(chain=other)._applied(method, args, kwargs)
        if not missing:
            return self.new_with(chain=self._linked(method, args, kwargs))
        if len(missing) > 1 or not method.solves(missing[0]):
            raise ContextError(
                "Context",
                f"{method.name} needs {' and '.join(missing)}. One number may be left "
                "out, which is then solved for; give all others.",
            )
        if isinstance(self._chain, PartialChain):
            raise ContextError(
                "Context",
                f"{method.name} needs {missing[0]}, and a link before it misses a "
                "number too: at most one can be solved for. Give one of them.",
            )
        name = missing[0]
        self._check_open(method.kind)
        if method.kind == "measurement":
            made = PartialChain(
                lambda value: self._linked(method, args, {**kwargs, name: value})
            )
            return self.new_with(chain=made)

        def link(value: Any) -> Any:
            return method.make(*args, **{**kwargs, name: value})

        return self.new_with(
            chain=PartialChain.of(Free(self._chain, link, name, method.name))
        )

    def _linked(
        self, method: Method, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Return the chain with one more link, all of whose arguments are there."""
        chain = self._chain
        self._check_open(method.kind)
        if method.kind != "measurement":
            return join_link(chain, method.make(*args, **kwargs))
        if isinstance(chain, PartialChain):
            inner = chain
            return PartialChain(
                lambda value: method.make(inner(value), *args, **kwargs)
            )
        return method.make(chain, *args, **kwargs)

    def _check_open(self, kind: str = "alone") -> None:
        """Refuse links after one whose release is made something else of.

        What takes the whole measurement, such as a conversion, changes no release.
        """
        if self._wrap_release is not None and kind != "measurement":
            raise ContextError(
                "Context",
                "nothing follows a compositor, or canonical noise with a "
                "binomial_size. Release the query, and go on with what it releases.",
            )

    def __rshift__(self, other: object) -> Query:
        self._check_open()
        return self.new_with(chain=joined(self._chain, other))

    def canonical_noise(self, binomial_size: int | None = None) -> Query:
        """Return the query with the noise that its (epsilon, delta) calls for.

        The sensitivity is that of the links before.

        :param binomial_size: if the count is one of independent trials, how many there
            are; the release is then a `BinomialCND`, which tests and estimates the rate
        """
        self._check_open()
        space, d_in = middle(self._chain, self._distance())
        loss = exact_loss(self._allowed())
        made, wrapped = canonical_link(space, d_in, loss, binomial_size)
        chain = joined(self._chain, made)
        return self.new_with(chain=chain, wrap_release=wrapped)

    def new_with(
        self, *, chain: Chain, wrap_release: Callable[[Any], Any] | None = None
    ) -> Query:
        """Return the query with another chain.

        :param chain: the new chain
        :param wrap_release: a function of what is released
        """
        wrap = wrap_release or self._wrap_release
        made = Query(
            *(chain, self._output_measure, self._d_in, None, self._context, wrap)
        )
        made._d_out, made._metric = self._d_out, self._metric
        return made

    # --- what it may cost -------------------------------------------------------------

    def _distance(self) -> Any:
        """Return the exact distance of neighbours, or refuse."""
        if self._d_in is None or self._metric is None:
            fix = "Pass it to Query with a space, or begin with context.query()"
            raise refused("d_in", None, "is not known", fix)
        return parse_unit(self._metric, self._d_in, "d_in")

    def _allowed(self) -> Any:
        """Return the exact loss that is allowed, or refuse."""
        if self._d_out is None:
            raise ContextError(
                "Context",
                "it was not said what the query may lose. Say it in query(), such as "
                "query(epsilon=0.5), or in d_out, or give the query all its numbers.",
            )
        return self._d_out

    # --- resolving --------------------------------------------------------------------

    @overload
    def resolve(
        self,
        allow_transformations: Literal[False] = False,
        bounds: _Bounds = None,
        T: TypeArgument | None = None,
    ) -> Measurement: ...
    @overload
    def resolve(
        self,
        allow_transformations: bool,
        bounds: _Bounds = None,
        T: TypeArgument | None = None,
    ) -> Measurement | Transformation: ...
    def resolve(
        self,
        allow_transformations: bool = False,
        bounds: _Bounds = None,
        T: TypeArgument | None = None,
    ) -> Any:
        """Return the query as a measurement, its free parameter solved for.

        A measurement that loses more than the query was to lose is refused. A query for
        an odometer returns the odometer, which type checkers take for a measurement.

        :param allow_transformations: whether it may be a transformation
        :param bounds: where to search for the parameter
        :param T: the type of the parameter: float or int
        """
        return self._solve(allow_transformations, bounds, T).measurement

    def _solve(
        self,
        allow_transformations: bool = False,
        bounds: _Bounds = None,
        T: TypeArgument | None = None,
    ) -> Solution:
        plain = bounds is None and T is None
        if plain and self._solution is not None:
            return self._solution
        chain, measure = self._chain, self._output_measure
        if isinstance(chain, PartialChain):
            d_in, d_out = self._distance(), self._allowed()
            found = solved(chain, d_in, measure, d_out, bounds, T)
        elif isinstance(chain, Measurement):
            found = Solution(None, chain, cast(chain, measure, self._d_out))
        elif isinstance(chain, Odometer):
            found = Solution(None, chain, chain)
        elif isinstance(chain, Transformation) and allow_transformations:
            return Solution(None, chain, chain)
        else:
            raise ContextError(
                "Context",
                "the query is not a measurement yet: it would release the data, or "
                f"what a transformation makes of them. {_NOISE_FIX}.",
            )
        found = self._checked(found)
        if plain:
            self._solution = found
        return found

    def _checked(self, found: Solution) -> Solution:
        """Return what was found with its loss; refuse more than was asked for."""
        check_functions(found.plain)
        if self._d_in is None or isinstance(found.measurement, Odometer):
            return found
        measure, loss = self._output_measure, found.loss
        if loss is None:
            loss = found.measurement.privacy_map(self._distance())
        if self._d_out is None or measure.at_most(loss, self._d_out):
            return attrs.evolve(found, loss=loss)
        raise ContextError(
            "Context",
            f"the query would lose {write_loss(measure, loss)}, and it may lose "
            f"{write_left(measure, self._d_out)}. Nothing was spent: allow more in "
            "query(), or use more noise.",
        )

    def param(
        self,
        allow_transformations: bool = False,
        bounds: _Bounds = None,
        T: TypeArgument | None = None,
    ) -> Any:
        """Return the parameter that was solved for, or None if none was missing.

        :param allow_transformations: whether the query may be a transformation
        :param bounds: where to search for the parameter
        :param T: the type of the parameter: float or int
        """
        return self._solve(allow_transformations, bounds, T).param

    def preview(
        self,
        alpha: ExactNumber = 0.05,
        bounds: _Bounds = None,
        T: TypeArgument | None = None,
        about: int | None = None,
    ) -> Preview:
        """Return what the query would cost and leave, and how near it would be.

        Losses are counted as the context counts. Nothing is spent; no data are read.

        :param alpha: how rarely the answer may be farther away than `accuracy` says
        :param bounds: where to search for the parameter
        :param T: the type of the parameter: float or int
        :param about: about how many rows a mean is of; by default 100, 1,000, 10,000
        """
        found = self._solve(False, bounds, T)
        accuracy = find_accuracy(found.plain, alpha, about)
        if self._context is None:
            loss = found.loss
            shown = None if loss is None else shown_loss(self._output_measure, loss)
            return Preview(shown, None, found.param, accuracy, True)
        told = self._context.queryable.preview(self._counted(found.measurement))
        return Preview(
            *(told.loss, told.left, found.param, accuracy, told.answered, told.reason)
        )

    def budget(
        self, accuracy: Any, alpha: ExactNumber = 0.05, about: int | None = None
    ) -> float:
        """Return the epsilon, or the rho, with which the preview shows an accuracy.

        The number has six digits, and the next smaller one is not enough. Of the loss
        that the query may have only delta is used. Nothing is spent.

        :param accuracy: how far an answer may be off; a list for several answers
        :param alpha: how rarely an answer may be farther off, each by itself
        :param about: about how many rows there are; needed for `private_mean`
        """
        return budget_of(self, accuracy, alpha, about)

    def _counted(self, measurement: Any) -> Any:
        """Return the measurement under the measure of the context."""
        assert self._context is not None
        measure = self._context.output_measure
        if isinstance(measurement, Odometer):
            return measurement
        return cast(measurement, measure, None)

    def release(
        self,
        data: Data = None,
        bounds: _Bounds = None,
        T: TypeArgument | None = None,
    ) -> Any:
        """Return an answer: ask the context, which charges for it, or the data.

        :param data: only for a query that belongs to no context
        :param bounds: where to search for the parameter
        :param T: the type of the parameter: float or int
        """
        if self._context is not None and data is not None:
            raise ContextError(
                "Context",
                "data: the query belongs to a context, which has its own. Leave them "
                "out, or build the query by dp.Query.",
            )
        if self._context is None and data is None:
            raise ContextError(
                "Context",
                "data: the query belongs to no context. Pass the data, or begin with "
                "context.query().",
            )
        made = self._solve(False, bounds, T).measurement
        if self._context is None:
            answer = made(data)
            return answer if self._wrap_release is None else self._wrap_release(answer)
        return self._context._ask(self._counted(made), self._wrap_release)

    def compositor(
        self,
        split_evenly_over: object = None,
        split_by_weights: object = None,
        d_out: Loss = None,
        output_measure: Measure | None = None,
        alpha: ExactNumber | None = None,
    ) -> Query:
        """Return a query whose release is a Context with a part of the budget.

        The budget is reserved when it is released. Closing that Context returns what it
        did not spend, where the outer one is a filter of the same measure.

        :param split_evenly_over: how many queries share the budget alike
        :param split_by_weights: a weight for each query
        :param d_out: the budget; what the query may lose by default
        :param output_measure: how the new Context counts; as this one by default
        :param alpha: the part of delta for queries, where the new Context counts by
            approximate(zero_concentrated_divergence())
        """
        space, d_in = middle(self._chain, self._distance())
        outer = self._output_measure
        measure = outer if output_measure is None else output_measure
        fix = "Pass for example zero_concentrated_divergence()"
        check_type("Context", "output_measure", measure, Measure, fix)
        allowed = self._allowed() if d_out is None else asked_loss(outer, d_out)
        part = None
        if alpha is not None:
            fix = "Pass for example alpha=0.5"
            part = rational_argument("Context", "alpha", alpha, fix=fix)
        loss = translated(allowed, outer, measure, part)
        shares = split_evenly_over, split_by_weights
        made, wrapped = compositor_link(space, d_in, measure, loss, *shares)
        chain = joined(self._chain, made)
        query = self.new_with(chain=chain, wrap_release=wrapped)
        if query._d_out is None:
            query._d_out = allowed
        return query

    def explain(self, d_in: Distance = None) -> Explanation:
        """Return, link by link, what the measurement does, costs, and who proved it.

        :param d_in: the distance of the data; that of the query by default
        """
        from opendp_lite.show.explaining.contexts import explain_query

        return explain_query(self, d_in, "Query")

    def __repr__(self) -> str:
        shown = shown_chain(self._chain)
        measure, d_out = self._output_measure, self._d_out
        loss = None if d_out is None else write_left(measure, d_out)
        d_in = write_number(self._d_in)
        return f"Query({shown}, {measure!r}, d_in={d_in}, d_out={loss})"
