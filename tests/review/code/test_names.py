"""Which names of a function reach the globals: Python's scopes."""

from __future__ import annotations

import ast

from opendp_lite.review.code.modules import Definition, Import
from opendp_lite.review.code.names import Uses, uses
from tests.rows import for_each


def used(source: str, *around: Definition) -> Uses:
    (node,) = ast.parse(source).body
    return uses([node], "p.m", False, around)


@for_each(
    ("source", "expected"),
    [
        ("def f(x): return x + y", {"y"}),
        ("def f(x=y): y = 1", {"y"}),
        ("def f(x: T) -> S: pass", {"T", "S"}),
        ("@d\ndef f(): pass", {"d"}),
        ("def f():\n    y = 1\n    return y", set()),
        ("def f():\n    global y\n    y = 1", {"y"}),
        ("def f():\n    for i, (j, *k) in z: i, j, k", {"z"}),
        ("def f():\n    with a as b, c as (d, e): b, d, e", {"a", "c"}),
        ("def f():\n    try: pass\n    except E as e: e", {"E"}),
        ("def f():\n    import a.b\n    return a.b.c", set()),
        ("def f():\n    y = 1\n    def g(): return y\n    return g", set()),
        ("def f():\n    def g():\n        y = 1\n    return y", {"y"}),
        ("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2", set()),
        ("def f(): return lambda a, b=c: a + b + d", {"c", "d"}),
        ("def f(): return [x for x in y if x > z]", {"y", "z"}),
        ("def f(): return [x for x in x]", {"x"}),
        ("def f(): return ([x for x in y], x)", {"y", "x"}),
        ("def f(): return {k: v for k, v in y for k in v}", {"y"}),
        ("def f(): return ([w := x for x in y], w)", {"y"}),
        ("def f():\n    return (w := 1) + w", set()),
        (
            "def f(x):\n    match x:\n        case {'a': a, **r}: a, r\n"
            "        case [b, *c]: b, c\n        case K() as d: d",
            {"K"},
        ),
        ("class C(B):\n    x = y\n    def g(self): return x", {"B", "y", "x"}),
        ("class C:\n    x = 1\n    z = x", set()),
        ("def f():\n    del y", set()),
        ("def f():\n    y: int\n    return y", {"int"}),
        ("async def f():\n    async for i in y: await i", {"y"}),
    ],
)
def test_globals(source: str, expected: set[str]) -> None:
    assert {path[0] for path in used(source).globals} == expected


def test_dotted_names_keep_their_parts() -> None:
    found = used("def f(x):\n    return a.b.c(x).d + x.e.g + h[0].i")
    assert found.globals == {("a", "b", "c"), ("h",)}
    assert found.attributes == {"d", "e", "g", "i"}


def test_imports_inside_functions_are_known() -> None:
    found = used(
        "def f():\n    from .a import b as c\n    import d.e as g\n"
        "    def h(): return c.x, g.y, c"
    )
    assert found.globals == set()
    assert found.imports == {
        (Import("p.a", "b"), ("x",)),
        (Import("p.a", "b"), ()),
        (Import("d.e"), ("y",)),
    }


def test_names_of_the_functions_around_are_not_global() -> None:
    (outer,) = ast.parse("def f(x):\n    y = 1\n    def g(): return x + y + z").body
    assert isinstance(outer, ast.FunctionDef)
    found = uses([outer.body[1]], "p.m", False, (outer,))
    assert found.globals == {("z",)}
