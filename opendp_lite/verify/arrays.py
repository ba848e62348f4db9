"""Numpy arrays and scalars that stand for the same data as a list or a number."""

from __future__ import annotations

from typing import Any

from opendp_lite.core.aliases import Data
from opendp_lite.core.domain import AtomDomain, VectorDomain
from opendp_lite.core.identity import key

__all__ = ["array_forms", "constant_forms", "scalar_forms"]

_DTYPES = {
    bool: ["bool"],
    int: ["int64", "uint64", "int8", "uint8", "int32", ">i4"],
    float: ["float64", "float32", ">f8"],
    str: ["U"],
}


def array_forms(data: list[Data], domain: VectorDomain) -> list[Any]:
    """Return arrays with exactly the rows of `data`, if there are any.

    They are of different dtypes, of which the first is the usual one; one of them is
    not contiguous and one cannot be written to.
    """
    element = domain.element_domain
    if not isinstance(element, AtomDomain):
        return []
    if any(type(row) is not element.T for row in data):
        return []
    import numpy

    forms = []
    for dtype in _DTYPES.get(element.T, []):
        form = _converted(numpy, data, dtype)
        if form is not None and domain.member(form):
            forms.append(form)
    if forms:
        forms.append(numpy.repeat(forms[0], 2)[::2])
        forms.append(forms[0].copy())
        forms[-1].flags.writeable = False
    return forms


def constant_forms(form: Any, domain: VectorDomain) -> list[Any]:
    """Return arrays of the dtype of `form` with other rows: none, or all the same."""
    import numpy

    forms = [form[:0]] + [numpy.full_like(form, row) for row in form[:2]]
    return [each for each in forms if domain.member(each)]


def scalar_forms(value: object, domain: AtomDomain) -> list[Any]:
    """Return numpy scalars that are exactly `value`."""
    if type(value) is not domain.T:
        return []
    import numpy

    forms = []
    for dtype in _DTYPES.get(domain.T, []):
        form = _converted(numpy, [value], dtype)
        if form is not None and domain.member(form[0]):
            forms.append(form[0])
    return forms


def _converted(numpy: Any, data: list[Data], dtype: str) -> Any:
    """The array, or None if the dtype cannot hold these rows exactly."""
    try:
        with numpy.errstate(all="ignore"):
            form = numpy.array(data, dtype=dtype)
    except (OverflowError, ValueError):
        return None
    return form if key(form.tolist()) == key(data) else None
