"""What the processes of pytest-xdist tell the one that started them: less.

Of a test that passes, a process tells two things in place of five: that it passed, and
that it is at its end. All that is shown and counted comes from these. To send,
read and hand on the others takes both processes as long as a short test does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

__all__ = ["pytest_configure"]


def pytest_configure(config: pytest.Config) -> None:
    """Let this process tell less, if it is one of xdist's."""
    for plugin in config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            plugin.sendevent = partial(_send, plugin.sendevent)


def _send(send: Callable[..., None], event: str, **details: Any) -> None:
    if event in ("logstart", "logfinish"):
        return
    report = details["data"] if event == "testreport" else {}
    if report.get("when") != "setup" or report["outcome"] != "passed":
        send(event, **details)
