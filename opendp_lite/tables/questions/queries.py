"""Queries about a table: filters, groups and aggregates, one measurement in the end.

A query is built method by method, and each link is checked as it is added, before any
data are looked at. Nothing here decides privacy: see `contexts.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import attrs

from opendp_lite.base.aliases import Distance, ExactNumber
from opendp_lite.base.errors import printed, write_number
from opendp_lite.core.measurement import Measurement
from opendp_lite.laws.noise import GAUSSIAN, LAPLACE, Law
from opendp_lite.solving.budgets import about_argument
from opendp_lite.solving.parameters import joined
from opendp_lite.solving.refused import ContextError
from opendp_lite.tables.aggregates import Aggregate
from opendp_lite.tables.answers.outputs import Output
from opendp_lite.tables.answers.previews import TablePreview
from opendp_lite.tables.domain import TableDomain
from opendp_lite.tables.expressions import Expr
from opendp_lite.tables.questions.accuracies import mean_rows, preview_rows
from opendp_lite.tables.questions.arguments import (
    AGG_FIX,
    AbsentMethods,
    fit_aggregate,
    fit_numbers,
    name_aggregates,
    number_truths,
    public_columns,
    space_of,
)
from opendp_lite.tables.questions.asking import Grouping, all_misfits
from opendp_lite.tables.questions.bounds import Bounds
from opendp_lite.tables.questions.choosing import check_law
from opendp_lite.tables.questions.noise import weights_argument
from opendp_lite.tables.questions.plans import Plans
from opendp_lite.tables.questions.results import (
    answered,
    level_argument,
    makers,
    needed_level,
)
from opendp_lite.tables.rows import (
    then_table_filter,
    then_table_join,
    then_table_with_columns,
)

if TYPE_CHECKING:
    from opendp_lite.context.queries import Query
    from opendp_lite.show.explaining.steps import Explanation


@attrs.frozen(eq=False, repr=False)
class TableQuery(AbsentMethods):
    """A question about a table: `context.table().group_by(...).agg(...).release()`.

    Every method returns a new query. The whole is one measurement, which is asked of
    the context at once: what is added up for all aggregates, in one pass over the table
    (quantiles, histograms and numbers of different values or misfits are a pass more
    each), and noise on the exact numbers.

    Where the table has an identifier, `Context.table` or `group_by` says by `rows` and
    `groups` how much of a person counts, and the preview repeats it.

    Under (epsilon, delta) the query gets Laplace or Gaussian noise. It gets the noise
    whose largest accuracy, relative to the same number with the other noise, is
    smaller. This choice depends on public things alone: the query, the declared
    columns, the unit of privacy and the loss. The preview tells the choice, and
    `gaussian()` and `laplace()` ask for one of them.

    A lazy frame must say the same in each pass. Its parts are made by `Context.table`,
    and are no public arguments.

    >>> import opendp_lite.prelude as dp
    >>> context = dp.Context.compositor(
    ...     data={"id": [1, 1, 2], "age": [31, 33, None]},
    ...     domain=dp.table_domain({
    ...         "id": dp.atom_domain(T="i64"),
    ...         "age": dp.option_domain(dp.atom_domain(T="i64"))}),
    ...     privacy_unit=dp.unit_of(contributions=1, identifier="id"),
    ...     privacy_loss=dp.loss_of(epsilon=1.0))
    >>> age = dp.col("age").fill_null(0).clip(0, 100)
    >>> query = context.table(epsilon=0.5, rows=2)
    >>> query = query.agg(people=dp.people(), years=age.sum())
    >>> query.preview()
    column  aggregate  distribution     loss  sensitivity  scale  accuracy
    people  people     Integer Laplace  0.25  1            4      12
    years   sum        Integer Laplace  0.25  200          800    2397
    loss 0.5; left then 0.5; accuracy at alpha 0.05, for each key by itself, of the \
bounded data; at most 2 rows of each id count
    >>> list(query.release())[:4]
    ['people', 'people_low', 'people_high', 'years']
    """

    _query: Query
    _output: Output
    _limits: Bounds
    _links: tuple[str, ...] = ("table()",)
    _grouping: Grouping | None = None
    _aggregates: tuple[tuple[str, Aggregate], ...] = ()
    _law: Law | None = None
    _plans: Plans | None = None

    @classmethod
    def of(
        cls,
        query: Query,
        output: Output | None,
        rows: int | None = None,
        groups: int | None = None,
    ) -> TableQuery:
        """Return the query to begin with, or refuse data that are no table.

        :param query: says what may be lost
        :param output: makes frames of the kind of the data; None makes dicts
        :param rows: as of `group_by`
        :param groups: as of `group_by`
        """
        chain: Any = query._chain
        if not isinstance(chain[0], TableDomain):
            raise ContextError(
                "Context",
                f"the data are described by {chain[0]!r}, and are no table. Pass "
                "domain=table_domain({...}), or use query().",
            )
        limits = Bounds.of(chain[1]).with_given(rows, groups)
        told = ", ".join(f"{n}={write_number(m)}" for n, m in limits.given().items())
        return cls(query, output or Output("dict"), limits, (f"table({told})",))

    def filter(self, *predicates: Expr) -> TableQuery:
        """Return the query about the rows for which all predicates are true.

        :param predicates: expressions that are bool and never missing
        """
        query = self
        for each in predicates:
            predicate = fit_numbers(each, space_of(query._query._chain)[0].declared)
            link = then_table_filter(predicate)
            query = query._linked(link, "filter", repr, predicate)
        return query

    def with_columns(self, **new: Expr) -> TableQuery:
        """Return the query about the table with new columns, or with others instead.

        :param new: names and expressions of the columns as they were before
        """

        def told(columns: dict[str, Expr]) -> str:
            return ", ".join(f"{name}={expr!r}" for name, expr in columns.items())

        columns = space_of(self._query._chain)[0].declared
        new = {name: fit_numbers(each, columns) for name, each in new.items()}
        return self._linked(then_table_with_columns(new), "with_columns", told, new)

    def join(self, public: Any, on: Any, how: str = "left") -> TableQuery:
        """Return the query about the table with columns of a public table.

        :param public: a dict of columns, or a frame of pandas, Polars or PyArrow; its
            keys are different, present and no floats
        :param on: the key column, or a list of them, which both tables have
        :param how: "left": missing values where no key fits; "inner": no row there
        """
        link = then_table_join(public_columns(public), on, how)

        def told(on: Any) -> str:
            return f"..., on={on!r}, how={how!r}"

        return self._linked(link, "join", told, on)

    def _linked(
        self, link: Any, name: str, told: Callable[[Any], str], given: object
    ) -> TableQuery:
        """Return the query with one more link, which is checked before it is shown."""
        if self._grouping is not None or self._aggregates:
            raise ContextError(
                "Context",
                f"{name} comes before group_by and agg: noise is "
                "added to the groups. Write it before; what is released can be "
                "filtered as any frame.",
            )
        chain = joined(self._query._chain, link)
        query = self._query.new_with(chain=chain)
        links = (*self._links, f"{name}({told(given)})")
        return attrs.evolve(self, query=query, links=links)

    def group_by(
        self,
        *by: str,
        keys: Any = None,
        rows: int | None = None,
        groups: int | None = None,
    ) -> TableQuery:
        """Return the query with a group for each key.

        Public keys all come out, in their order, with noise also where no row has them;
        rows of other keys do not count. Without `keys` those come out that enough
        people have (without an identifier, enough rows), for which a delta is needed.

        :param by: the key columns; those of `keys` if they are left out
        :param keys: a dict of columns and lists of their values, whose product is
            taken; or a list of values of the one column of `by`, or of tuples with a
            value for each column. A range, an array or a column does for a list
        Where the table has an identifier, `rows` and `groups` say how much of a person
        counts. They have no default: the right numbers depend on the table, and no
        interval shows that wrong numbers left something out.

        :param rows: how many rows of a person count in each group; if there are more,
            they are averaged down to that many. Needed by counts, sums, means,
            variances, quantiles and histograms, here or in `Context.table`
        :param groups: in how many groups a person counts. Needed where there are keys,
            and by quantiles, histograms and `n_unique`, here or in `Context.table`
        """
        if self._grouping is not None or self._aggregates:
            raise ContextError("Context", "group_by comes once, before agg.")
        if len(by) == 1 and isinstance(by[0], list | tuple):
            by = tuple(by[0])  # as a list, too
        limits = self._limits.with_given(rows, groups)
        made = Grouping.of(self._query, by, keys, limits)
        links = (*self._links, made.written(limits.given(), len(made.order or ())))
        return attrs.evolve(self, grouping=made, links=links)

    def agg(
        self,
        *unnamed: Any,
        weights: Mapping[str, ExactNumber] | None = None,
        **aggregates: Any,
    ) -> TableQuery:
        """Return the query with what is asked of each group.

        The loss is parted evenly over the columns that `preview` lists, or by weights.
        The number of rows serves counts, means and variances, and costs once. For
        quantiles and histograms `rows` and `groups` bound what a person adds to the
        numbers of rows by key and bin, for numbers of different values `groups` bounds
        the pairs of a key and a value; these and misfits need public keys. A query that
        needs a bound which nobody gave is refused here.

        A sum of bools is the number of rows where they are true, and their mean is the
        proportion.

        :param unnamed: `dp.count()`, named count, and `dp.people()`, named people
        :param weights: numbers by the names that `preview` lists; 1 where left out
        :param aggregates: names of columns, and `dp.people()`, `dp.count()`,
            `expr.sum()`, `.mean()`, `.variance()`, `.quantiles(alphas, edges)`,
            `.histogram(edges)`, `.n_unique()`, `.misfits()`
        """
        if self._aggregates:
            raise ContextError("Context", "agg comes once: ask for all at once.")
        given = name_aggregates(unnamed, aggregates)
        columns = space_of(self._query._chain)[0].declared
        given = {name: fit_aggregate(each, columns) for name, each in given.items()}
        exact = weights_argument(weights)
        told = [f"{name}={each!r}" for name, each in given.items()]
        told += [] if weights is None else [f"weights={printed(dict(weights))}"]
        grouping = self._grouping or Grouping.of(self._query, (), None, self._limits)
        chain: Any = self._query._chain
        chain, given = number_truths(chain, given, self._limits.identifier)
        query, named = self._query.new_with(chain=chain), tuple(given.items())
        plans = Plans(query, grouping, named, exact, self._law)
        made = attrs.evolve(
            self,
            query=query,
            grouping=grouping,
            aggregates=named,
            links=(*self._links, f"agg({', '.join(told)})"),
            plans=plans,
        )
        plans.question()
        self._check_bounds(named, self._write)
        return made

    def count_misfits(self) -> TableQuery:
        """Return the query with the number of misfits of each column, as `agg` does.

        A misfit is a text that is no value of its column, so that `csv_to_parquet` made
        it missing and marked it. With an identifier at most `rows` misfits of a person
        count in each column, and rows without an identifier do not count.

        >>> import opendp_lite.prelude as dp
        >>> columns = {"age": dp.option_domain(dp.atom_domain(T=int))}
        >>> context = dp.Context.compositor(
        ...     data={"age": [31, None], "age_misfit": [False, True]},
        ...     domain=dp.table_domain(dp.declare_misfits(columns)),
        ...     privacy_unit=dp.unit_of(contributions=1),
        ...     privacy_loss=dp.loss_of(epsilon=1.0))
        >>> list(context.table(epsilon=0.1).count_misfits().release())
        ['age_misfits', 'age_misfits_low', 'age_misfits_high']
        """
        found: dict[str, Any] = dict(all_misfits(self._query))
        return self.agg(**found)

    def _write(self, bounds: Mapping[str, int]) -> str:
        """Return how some bounds are written in this query."""
        if self._grouping is not None:
            return f".{self._grouping.written(bounds)}"
        told = "".join(f", {name}={each}" for name, each in bounds.items())
        return f"context.table(...{told})"

    def _check_bounds(
        self,
        aggregates: Sequence[tuple[str, Aggregate]],
        write: Callable[[Mapping[str, int]], str],
    ) -> None:
        """Refuse aggregates that need a bound of a person which was not given."""
        grouping = self._grouping
        limits = self._limits if grouping is None else grouping.limits
        limits.check(() if grouping is None else grouping.by, aggregates, write)

    def select(self, *unnamed: Any, **aggregates: Any) -> TableQuery:
        """Return the query with what is asked of the whole table, as `agg` does.

        :param unnamed: as of `agg`
        :param aggregates: as of `agg`
        """
        if self._grouping is not None:
            raise ContextError("Context", "select is for the whole table. Use agg.")
        return self.agg(*unnamed, **aggregates)

    def _complete(self) -> Plans:
        """Return what is asked for and its noise, or refuse if nothing is asked for."""
        if self._plans is None:
            raise ContextError(
                "Context", f"it was not said what is asked for. Use .agg(): {AGG_FIX}."
            )
        return self._plans

    def _sentence(self) -> str | None:
        """Return how much of each person counts, or None if all does."""
        grouping = self._complete().grouping
        return grouping.limits.sentence(grouping.by, self._aggregates)

    def resolve(self) -> Measurement:
        """Return the query as a measurement, which the context is asked for."""
        return cast("Measurement", self._complete().resolved()[1].resolve())

    def explain(self, d_in: Distance = None) -> Explanation:
        """Return, link by link, what the measurement does, costs, and who proved it.

        :param d_in: the distance of the tables; that of the context by default
        """
        from opendp_lite.show.explaining.contexts import explain_query

        return explain_query(self._complete().resolved()[1], d_in, repr(self))

    def gaussian(self) -> TableQuery:
        """Return the query with Gaussian noise, whichever noise would be chosen."""
        return self._with_law(GAUSSIAN)

    def laplace(self) -> TableQuery:
        """Return the query with Laplace noise, whichever noise would be chosen."""
        return self._with_law(LAPLACE)

    def _with_law(self, law: Law) -> TableQuery:
        check_law(law, self._query._output_measure, self._query._d_out)
        links = (*self._links, f"{law.name.lower()}()")
        plans = self._plans and attrs.evolve(self._plans, law=law)
        return attrs.evolve(self, law=law, links=links, plans=plans)

    def preview(
        self, alpha: ExactNumber = 0.05, about: int | None = None
    ) -> TablePreview:
        """Return what the query would cost, and the noise of each column.

        Nothing is spent, and the data are not looked at. So the accuracy of a mean is
        told for numbers of rows that do not come from the data.

        :param alpha: how rarely noise may be larger than `accuracy` says
        :param about: about how many rows, or people, each group has; by default means
            are told for 100, 1,000 and 10,000 of them
        """
        level, sizes = needed_level(alpha), about_argument(about)
        plan, query, why = self._complete().resolved()
        asked = self._complete().question().asked
        means = mean_rows(asked, plan.vectors, level, sizes)
        context = query._context
        assert context is not None
        counted = query._counted(query.resolve())
        told = context.queryable.preview(counted)
        loss = counted.map(query._d_in) if told.loss is None else told.loss
        return TablePreview(
            preview_rows(plan.vectors, level),
            *(loss, told.left, float(level), told.answered, told.reason),
            *(plan.threshold, self._sentence(), self._output, means, why),
        )

    summarize = preview  # as OpenDP calls it

    def budget(
        self, accuracy: Any, alpha: ExactNumber = 0.05, about: int | None = None
    ) -> float:
        """Return the epsilon, or the rho, with which the preview shows an accuracy.

        The number has six digits, and with the next smaller one the accuracy is not
        reached. The loss that the query was given does not matter, except for delta.
        Nothing is spent, and the data are not looked at.

        :param accuracy: how far an answer may be off: a number for all aggregates, or a
            dict of their names and numbers
        :param alpha: how rarely an answer may be farther off, each by itself
        :param about: about how many rows, or people, each group has; needed for means
        """
        sizes = None if about is None else about_argument(about)[0]
        return self._complete().budget(accuracy, needed_level(alpha), sizes)

    def release(self, alpha: ExactNumber | None = 0.05) -> Any:
        """Return the answer, a frame of the kind of the data; the context is charged.

        After the keys each number has two more columns, `_low` and `_high`: between
        them lies the exact number of the bounded data with probability at least
        1 - alpha, for each number by itself; whole numbers as int64 holds them, beyond
        which all stop at its ends. In the bounded data values are clipped and rounded,
        and of each person no more counts than `rows` and `groups` say. So the number of
        the table itself may lie outside of an interval.

        Frames of pandas carry these bounds as a sentence in `attrs["bounds"]`, and
        tables of PyArrow in `schema.metadata[b"bounds"]`; beside it stands `alpha`. A
        dict and frames of Polars and Spark have no place for these; the journal of the
        Context has the query with its bounds for answers of every kind.

        A group without rows has no mean, variance or quantile, and what is told of one
        means nothing. Where keys are not public, a key comes out with an interval that
        misses with probability alpha at most; of those that come out a larger part may
        miss, as noise has a hand in which these are.

        :param alpha: how rarely an interval may miss the number of the bounded data;
            None for no intervals
        """
        level = level_argument(alpha)
        plans = self._complete()
        asked, (plan, query, _) = plans.question(), plans.resolved()
        made_of = makers(asked.asked, plan.noises(), level)  # before it is charged
        parts = list(zip(asked.asked, made_of, strict=True))
        sentence = self._sentence()

        def wrap(release: Any) -> Any:
            order, released = plan.released(release)
            columns = answered(asked.keys, order, parts, released, level is not None)
            return self._output.frame(columns, sentence, level)

        context, made = query._context, query._counted(query.resolve())
        assert context is not None
        return context._ask(made, wrap, repr(self))

    def __repr__(self) -> str:
        return ".".join(self._links)
