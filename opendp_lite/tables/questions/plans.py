"""A complete query about a table: its vectors, their noise, and its measurement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs
from gmpy2 import mpq

from opendp_lite.base.aliases import ExactLoss
from opendp_lite.laws.noise import Law
from opendp_lite.solving.budgets import least_budget, loss_with
from opendp_lite.tables.aggregates import Aggregate
from opendp_lite.tables.questions.accuracies import are_reached, goals_argument
from opendp_lite.tables.questions.asking import Grouping, Question, question
from opendp_lite.tables.questions.choosing import Way, choose_way, ways
from opendp_lite.tables.questions.noise import (
    Noisy,
    Planned,
    law_of,
    noisy_vectors,
    planned,
)


@attrs.frozen(eq=False)
class Plans:
    """What a query asks for, and the noise that it may get; each made once, on demand.

    `query` is a `Query` of the context, with the links before the groups. `law` is the
    noise that the user asks for; None if the user asks for none.
    """

    query: Any
    grouping: Grouping
    aggregates: tuple[tuple[str, Aggregate], ...]
    weights: Mapping[str, mpq]
    law: Law | None
    _known: dict[Any, Any] = attrs.field(factory=dict, init=False)

    def question(self, law: Law | None = None) -> Question:
        """Return the vectors that are to be released, and check the aggregates.

        :param law: of the noise; by default the usual one for the measure
        """
        law = law or self.law or law_of(self.query._output_measure)
        # Without public keys the vectors are the same for each law.
        power = 1 if self.grouping.order is None else law.power
        if power not in self._known:
            given = self.query, self.grouping, self.aggregates, power
            self._known[power] = question(*given)
        found: Question = self._known[power]
        return found

    def vectors(self, loss: ExactLoss) -> tuple[Way, list[Noisy], str | None]:
        """Return the noise for a loss, the vectors with it, and why it was chosen.

        The choice depends on public things alone; `choosing.py` says which.

        :param loss: the exact loss that the query may have
        """
        d_in, made = self.query._distance(), dict[Way, list[Noisy]]()

        def vectors(way: Way) -> list[Noisy]:
            if way not in made:
                parts = self.question(way.law).parts
                given = d_in, way.measure, way.loss, self.weights
                made[way] = noisy_vectors(parts, *given)
            return made[way]

        hidden = self.grouping.order is None
        found = ways(self.query._output_measure, loss, hidden, self.law)
        way, told = choose_way(found, vectors)
        return way, vectors(way), told

    def resolved(self) -> tuple[Planned, Any, str | None]:
        """Return the plan with its noise, the query of the context, and why."""
        if "plan" not in self._known:
            query, loss = self.query, self.query._allowed()
            way, noisy, told = self.vectors(loss)
            asked = self.question(way.law)
            given = query._distance(), way.measure, way.loss, noisy
            plan = planned(asked.parts, asked.grouping.order, *given)
            asking = query.new_with(chain=plan.measurement)  # it converts the loss
            self._known["plan"] = plan, asking, told
        found: tuple[Planned, Any, str | None] = self._known["plan"]
        return found

    def budget(self, accuracy: object, level: mpq, about: int | None) -> float:
        """Return the least epsilon or rho of six digits that reaches accuracies.

        :param accuracy: how far an answer may be off: a number, or a dict by names
        :param level: how rarely an answer may be farther off
        :param about: of how many rows a mean is; None if this is not known
        """
        asked, query = self.question().asked, self.query
        goals = goals_argument(accuracy, asked, about)

        def is_reached(number: float) -> bool:
            loss = loss_with(query._output_measure, number, query._d_out)
            return are_reached(goals, asked, self.vectors(loss)[1], level, about)

        return least_budget(is_reached)
