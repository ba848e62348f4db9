"""What is said of a call whose arguments do not fit: which one, and what to pass.

Nothing is imported from here before a call fails. Values are never shown: only how many
came, and under which names.
"""

from __future__ import annotations

from collections.abc import Collection
from inspect import Parameter, Signature

__all__ = ["misfit"]

_SCALE = (
    "Noise is set by its scale: pass scale=..., which dp.binary_search_param finds for "
    "a privacy loss."
)
_PAIR = "Bounds are a pair: pass bounds=(lower, upper)."
_PASSED = {
    **dict.fromkeys("budget d_out delta eps epsilon loss rho".split(), _SCALE),
    "sensitivity": "The sensitivity follows from the space, by the map: leave it out.",
    **dict.fromkeys("high low lower max min upper".split(), _PAIR),
}
# What each remedy of the table needs: a parameter of this name.
_NEEDED = {_SCALE: "scale", _PAIR: "bounds"}


def misfit(
    name: str, parameters: list[Parameter], args: int, given: Collection[str]
) -> TypeError:
    """Return the error of a call that Python would not bind to the parameters.

    :param name: what was called
    :param parameters: its parameters, each with a name of its own
    :param args: how many arguments came by position
    :param given: the names of those that came by name

    >>> a = Parameter("bounds", Parameter.POSITIONAL_OR_KEYWORD)
    >>> print(misfit("then_clamp", [a], 2, []))
    then_clamp(bounds) takes 1 argument by position, and 2 came. Bounds are a pair: \
pass bounds=(lower, upper).
    """
    names = [each.name for each in parameters]
    positional = [
        each.name for each in parameters if each.kind != Parameter.KEYWORD_ONLY
    ]
    plain = Signature([each.replace(annotation=Parameter.empty) for each in parameters])
    said = [*positional[:args], *given]
    unknown = [each for each in given if each not in names]
    twice = [each for each in positional[:args] if each in given]
    if unknown:
        what, remedy = f"has no argument {unknown[0]}", _remedy(unknown[0], names)
    elif args > len(positional):
        count = len(positional)
        plural = "" if count == 1 else "s"
        what = f"takes {count} argument{plural} by position, and {args} came"
        remedy = _PAIR if "bounds" in names else ""
    elif twice:
        what, remedy = f"got {twice[0]} by position and by name", "Pass it once."
    else:
        missing = [
            each.name
            for each in parameters
            if each.default is Parameter.empty and each.name not in said
        ]
        what, remedy = f"needs {' and '.join(missing)}", _space(name, missing)
    return TypeError(f"{name}{plain} {what}. {remedy}".rstrip())


def _remedy(name: str, names: list[str]) -> str:
    """Return what to pass in place of an argument that there is not."""
    from difflib import get_close_matches

    known = _PASSED.get(name, "")
    if known and (known not in _NEEDED or _NEEDED[known] in names):
        return known
    for near in get_close_matches(name, names, 1):
        return f"Did you mean {near}?"
    return ""


def _space(name: str, missing: list[str]) -> str:
    """Return how a constructor gets the space that it lacks."""
    if missing[:1] != ["input_domain"] and missing[:1] != ["input_metric"]:
        return ""
    partial = f"then_{name.removeprefix('make_')}"
    return f"Pass {name}(*space, ...), or write space >> {partial}(...)."
