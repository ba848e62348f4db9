"""Sessions and queries for tests, and the checks that planted faults must not pass."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import opendp_lite.prelude as dp
from opendp_lite import verify
from opendp_lite.randomness.entropy import random_bits
from opendp_lite.sessions.session import Session

INTEGERS = dp.atom_domain(T=int), dp.absolute_distance(T=int)
BOOLS = dp.atom_domain(T=bool), dp.discrete_distance()
PURE = dp.max_divergence()
CONCENTRATED = dp.zero_concentrated_divergence()
APPROXIMATE = dp.approximate(PURE)
BOTH = dp.approximate(CONCENTRATED)


def in_child(act: Any) -> bytes:
    """What a forked process says of it: the text of the error, or "done"."""
    read, write = os.pipe()
    with warnings.catch_warnings(action="ignore"):  # of forks beside other threads
        child = os.fork()
    if child == 0:
        try:
            act()
            os.write(write, b"done")
        except dp.OpenDPException as error:
            os.write(write, error.message.encode()[:200])
        except Exception as error:
            # The type alone: pytest puts what was compared into the text.
            os.write(write, type(error).__name__.encode())
        finally:
            os._exit(0)
    os.close(write)
    said = os.read(read, 300)
    os.close(read)
    os.waitpid(child, 0)
    return said


def laplace(scale: Any) -> dp.Measurement:
    return dp.m.make_laplace(*INTEGERS, scale=scale)


def odometer(measure: Any = PURE, space: Any = INTEGERS) -> dp.Odometer:
    return dp.c.make_fully_adaptive_composition(*space, measure)


def filtering(
    limit: Any, measure: Any = PURE, d_in: Any = 1, space: Any = INTEGERS
) -> dp.Measurement:
    return dp.c.make_privacy_filter(odometer(measure, space), d_in, limit)


def filtered(limit: Any, measure: Any = PURE, data: Any = 0, **more: Any) -> Session:
    session: Session = filtering(limit, measure, **more)(data)
    return session


def planning(shares: Any, measure: Any = PURE, d_in: Any = 1) -> dp.Measurement:
    return dp.c.make_adaptive_composition(*INTEGERS, measure, d_in, shares)


def user(
    loss: Any,
    function: Callable[[Any], Any] = lambda x: 0,
    measure: Any = PURE,
    space: Any = INTEGERS,
    TO: str = "",
) -> dp.Measurement:
    """A measurement of the user's own, which loses the same at every distance."""
    return dp.m.make_user_measurement(*space, measure, function, lambda d: loss, TO)


def counter(loss: Any, measure: Any = PURE) -> dp.Measurement:
    """Releases a queryable that counts how often it was asked; it looks at no data."""

    def function(x: Any) -> dp.Queryable:
        asked: list[Any] = []

        def answer(query: Any, internal: bool) -> int:
            asked.append(query)
            return len(asked)

        return dp.new_queryable(answer)

    return user(loss, function, measure, TO="Queryable")


def leak(x: bool) -> Any:
    """The truth with probability 1/4, and nothing otherwise: (0, 1/4)-private."""
    return bool(x) if random_bits(2) == 0 else None


def answered(session: Any, query: dp.Measurement) -> bool:
    """Whether a query was answered, and not refused."""
    try:
        session(query)
    except dp.OpenDPException as error:
        if error.variant != "FailedFunction":
            raise
        return False
    return True


# Checks that are run on the shipped session, and on sessions with a planted fault.


def check_order() -> None:
    """What raises is charged, and what does not fit is not run."""
    ran = []

    def shows(y: Any) -> Any:
        ran.append(y)
        raise ValueError(f"noisy={y}")

    session = filtered(1)
    raising = laplace(2) >> shows
    with suppress(ValueError):
        session(raising)
    assert session.privacy_loss(1) == 0.5, "an exception was free"
    assert not answered(session, laplace("1/1000") >> shows)
    assert len(ran) == 1, "a query that does not fit was run"
    assert session.remaining() == 0.5


def check_deltas() -> None:
    """No delta is forgotten: the whole, by its bit tree, keeps the limit."""

    def strategy(session: Any) -> list[Any]:
        query = user((0, "1/4"), leak, APPROXIMATE, BOOLS)
        return [_or_none(session, query) for _ in range(3)]

    whole = filtering((0, "1/2"), APPROXIMATE, space=BOOLS) >> strategy
    certificate = verify.privacy(whole, True, False, depth=8)
    assert certificate.holds, str(certificate)


def _or_none(session: Any, query: dp.Measurement) -> Any:
    try:
        return session(query)
    except dp.OpenDPException:
        return "refused"


def check_race(rounds: int, threads: int = 8, places: int = 50) -> None:
    """Threads race for the places of a filter: all are taken, and no more."""
    sessions = [filtered(places) for _ in range(rounds)]
    won = [[0] * threads for _ in range(rounds)]
    query, barrier = user(1), threading.Barrier(threads)
    refusals: set[str] = set()

    def work(own: int) -> None:
        for turn, session in enumerate(sessions):
            barrier.wait(60)
            try:
                while True:
                    session(query)
                    won[turn][own] += 1
            except dp.OpenDPException as error:
                refusals.add(error.message)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(threads)]
    for each in workers:
        each.start()
    for each in workers:
        each.join(120)
    assert not any(each.is_alive() for each in workers), "a thread hangs"
    found = {sum(each) for each in won}
    assert found == {places}, f"{found} places were taken, of {places}"
    full = all("0.0 of the limit is left" in each for each in refusals)
    assert full, f"places were taken one after the other, and yet {refusals}"
    assert {session.privacy_loss(1) for session in sessions} == {float(places)}
