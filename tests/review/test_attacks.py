"""Faults planted where a review that follows names might not look.

Each changes what a quoted function does, without a change of its own lines. The record
must be void after it, or the way in which it is written must be refused before and
after.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from opendp_lite.review import Project, ReviewError
from opendp_lite.review.code.compare import Reviewed
from opendp_lite.review.code.library import Library
from opendp_lite.review.code.modules import Module
from opendp_lite.review.code.words import check_words
from opendp_lite.review.rules.callees import Callees
from opendp_lite.review.rules.plain_names import check_plain
from opendp_lite.review.tex.texfile import TexFile
from tests.review.example import NAME, Example, Planted, only
from tests.rows import for_each

Package = Callable[[dict[str, str]], Library]
IMPORT = "from opendp_lite.base.errors import refusal\n"


def look(
    package: Package, files: dict[str, str], quotes: tuple[str, ...]
) -> tuple[dict[str, str], set[str]]:
    """The digests of what is quoted, and the kinds of findings."""
    project = Project("planted", Path("none"), package(files))
    pairs = [each.split(":") for each in quotes]
    raw = "".join(rf"\code{{planted.{module}}}{{{name}}}" for module, name in pairs)
    tex = TexFile("a/f", raw)
    vars(project).update(files={"a/f": tex}, trusted={})
    try:
        digests = project.digests(tex)
    except ReviewError:
        return {}, {"quote"}
    problems = [*Callees(project).check(), *check_words(project), *check_plain(project)]
    return digests, {each.kind for each in problems}


BASE = (
    "def helper(x):\n    return x\nLIMIT = 1\ndef f(x):\n    return helper(x) + LIMIT\n"
)
TABLE = "TABLE = [1]\ndef change(t):\n    t.append(2)\ndef f(x):\n    return TABLE[0]\n"
METHOD = "class C:\n    L = {}\n    def g(self):\n        return self.L\n"
MADE = (
    "import attrs\n@attrs.frozen\nclass C:\n    a: int\n    b: int = 1\n"
    "    def __attrs_post_init__(self):\n        assert self.a\n"
    "def f(x):\n    return C(x)\n"
)
DERIVED = "class B:\n    L = 1\nclass C(B):\n    def g(self):\n        return self.L\n"
HEIR = f"from planted.k import B\n{DERIVED[DERIVED.index('class C') :]}"
INNER = "def f(x):\n    from planted.c import h\n    return h(x)\n"
DOTTED = "import planted.c as c\ndef f(x):\n    return c.h(x)\n"
BOTH = {"i.py": "def a(x):\n    return 1\ndef b(x):\n    return 2\n"}
SUMS = "from planted.k import A, B\ndef f(x):\n    return A + B\n"
CALL = "def f(x):\n    return g(x)\n"
TRY = "try:\n    from {} import g\nexcept ImportError:\n    from {} import g\n"
MODULE = "import planted.k as k\ndef f(x):\n    return getattr(k, 'L')\n"
CLOSURE = "def f(x):\n    k = {}\n    def g():\n        return k\n    return g\n"

USED = "from planted.k import L\ndef f(x):\n    return L\n"
SEEN = f"from planted.a import g as max\n{USED}"
FROM_A = "from planted.a import g\nL = {}(1, 2)\n"
FLOOR = "import math, numpy\nL = {}.floor(2.5)\n"
FIELD = (
    "from planted.a import {}\nfrom planted.k import C\nclass M(C):\n"
    "    def f(self):\n        return self.x\n"
)
BASES = (
    "from planted.a import A\nfrom planted.z import Z\nclass M({}): ...\n"
    "class C(M):\n    def f(self):\n        return self.x\n"
)
ONE = {"a.py": "class A:\n    x = 2\n"}
SUM = {"a.py": "def sum(x): ...\n"}

Files = dict[str, str]
CHANGED: list[tuple[tuple[str, ...], Files, Files]] = [
    # A name is bound again, or what it stands for is changed.
    (
        ("m:f", "m:helper"),
        {"m.py": BASE},
        {"m.py": f"{BASE}from math import fabs as f"},
    ),
    (
        ("m:f", "m:helper"),
        {"m.py": BASE},
        {"m.py": f"{BASE}from planted.e import *", "e.py": "def f(x):\n    return 0\n"},
    ),
    (("m:f",), {"m.py": TABLE}, {"m.py": f"{TABLE}change(TABLE)\n"}),
    (("m:f",), {"m.py": TABLE}, {"m.py": f"{TABLE}Y = change(TABLE)\n"}),
    (("m:C.g",), {"m.py": METHOD}, {"m.py": f"{METHOD}setattr(C, 'g', len)\n"}),
    (("m:f", "m:helper"), {"m.py": BASE}, {"m.py": f"{BASE}globals()['LIMIT'] = 3\n"}),
    (("m:f", "m:helper"), {"m.py": BASE}, {"m.py": f"{BASE}exec('LIMIT = 3')\n"}),
    (
        ("m:f", "m:helper"),
        {"m.py": BASE},
        {"m.py": f"import sys\n{BASE}sys.modules[__name__].LIMIT = 3\n"},
    ),
    (
        ("m:f", "m:helper"),
        {"m.py": BASE},
        {"m.py": f"{BASE}def enable():\n    global LIMIT\n    LIMIT = 3\n"},
    ),
    # Somebody else changes it.
    (
        ("m:f", "m:helper"),
        {"m.py": BASE, "o.py": "import planted.m\n"},
        {"m.py": BASE, "o.py": "import planted.m\nplanted.m.LIMIT = 3\n"},
    ),
    (
        ("m:f", "m:helper"),
        {"m.py": BASE},
        {
            "m.py": BASE,
            "o.py": "def g():\n    import planted.m as m\n    m.helper = abs\n",
        },
    ),
    (
        ("m:f",),
        {"m.py": TABLE},
        {"m.py": TABLE, "o.py": "from planted.m import TABLE\nTABLE.append(3)\n"},
    ),
    (
        ("m:f",),
        {"m.py": "import math\ndef f(x):\n    return math.pi\n"},
        {"m.py": "import math\nmath.pi = 3\ndef f(x):\n    return math.pi\n"},
    ),
    # Classes.
    (("m:C.g",), {"m.py": METHOD}, {"m.py": f"{METHOD}    g = len\n"}),
    (("m:C.g",), {"m.py": METHOD}, {"m.py": f"{METHOD}    if 1:\n        L = 2\n"}),
    (("m:C.g",), {"m.py": METHOD}, {"m.py": f"{METHOD}    L.update(a=1)\n"}),
    (("m:C.g",), {"m.py": METHOD}, {"m.py": f"{METHOD}    L |= {{1: 2}}\n"}),
    (
        ("m:f", "m:C.__attrs_post_init__"),
        {"m.py": MADE},
        {"m.py": MADE.replace("int = 1", "int = 2")},
    ),
    (("m:C.g",), {"m.py": DERIVED}, {"m.py": DERIVED.replace("L = 1", "L = 2")}),
    # Names that come from elsewhere.
    (
        ("m:f",),
        {"m.py": INNER, "c.py": "from math import fabs as h\n"},
        {"m.py": INNER, "c.py": "from math import exp as h\n"},
    ),
    (
        ("m:f", "i:a", "i:b"),
        {"m.py": INNER, "c.py": "from planted.i import a as h\n", **BOTH},
        {"m.py": INNER, "c.py": "from planted.i import b as h\n", **BOTH},
    ),
    (
        ("m:f",),
        {"m.py": DOTTED, "c.py": "from math import fabs as h\n"},
        {"m.py": DOTTED, "c.py": "from math import exp as h\n"},
    ),
    (
        ("m:f", "i:a", "i:b"),
        {"m.py": DOTTED, "c.py": "from planted.i import a as h\n", **BOTH},
        {"m.py": DOTTED, "c.py": "from planted.i import b as h\n", **BOTH},
    ),
    (
        ("m:f",),
        {"m.py": SUMS, "k.py": "A = 1; B = 2\n"},
        {"m.py": SUMS, "k.py": "A = 1; B = 3\n"},
    ),
    (("m:f",), {"m.py": TRY.format(*"ab") + CALL}, {"m.py": TRY.format(*"ba") + CALL}),
    (
        ("m:f",),
        {"m.py": f"from a import g\nfrom b import g\n{CALL}"},
        {"m.py": f"from b import g\nfrom a import g\n{CALL}"},
    ),
    (
        ("m:f",),
        {"m.py": MODULE, "k.py": "L = 1\n"},
        {"m.py": MODULE, "k.py": "L = 2\n"},
    ),
    # What stands around, or in a class inside.
    (("m:f.g",), {"m.py": CLOSURE.format(1)}, {"m.py": CLOSURE.format(2)}),
    (
        ("m:f",),
        {"m.py": "def f(x):\n    class K:\n        rule = 'A'\n    return K.rule\n"},
        {"m.py": "def f(x):\n    class K:\n        rule = 'B'\n    return K.rule\n"},
    ),
    (
        ("m:f",),
        {
            "m.py": "from opendp_lite.mod import constructor\n"
            "@constructor(proof='a/f')\ndef f(x):\n    return 1\n"
        },
        {
            "m.py": "from opendp_lite.mod import constructor\n"
            "constructor = lambda **k: lambda f: abs\n"
            "@constructor(proof='a/f')\ndef f(x):\n    return 1\n"
        },
    ),
    # What an inherited field is made of; and a name that a pattern binds.
    (
        ("m:C.g",),
        {"m.py": f"LIMIT = 1\n{DERIVED.replace('L = 1', 'L = LIMIT')}"},
        {"m.py": f"LIMIT = 2\n{DERIVED.replace('L = 1', 'L = LIMIT')}"},
    ),
    (
        ("m:C.g",),
        {"m.py": HEIR, "k.py": "N = 1\nLIMIT = N\nclass B:\n    L = LIMIT\n"},
        {"m.py": HEIR, "k.py": "N = 2\nLIMIT = N\nclass B:\n    L = LIMIT\n"},
    ),
    (
        ("m:f",),
        {"m.py": "match 1:\n    case L:\n        pass\ndef f(x):\n    return L\n"},
        {"m.py": "match 2:\n    case L:\n        pass\ndef f(x):\n    return L\n"},
    ),
    (
        ("m:f",),
        {"m.py": "match [1]:\n    case [*L]:\n        pass\ndef f(x):\n    return L\n"},
        {"m.py": "match [2]:\n    case [*L]:\n        pass\ndef f(x):\n    return L\n"},
    ),
    (
        ("m:f",),
        {"m.py": "match {1: 1}:\n    case {**L}:\n        pass\ndef f(x): return L\n"},
        {"m.py": "match {1: 2}:\n    case {**L}:\n        pass\ndef f(x): return L\n"},
    ),
    # The module of the function binds a name that a constant elsewhere uses for another
    # thing; the second and the last bind it by the same change.
    (
        ("m:f",),
        {"m.py": SEEN, "k.py": "from planted.a import g\nL = max(1, 2)\n"},
        {"m.py": SEEN, "k.py": "from planted.a import g\nL = g(1, 2)\n"},
    ),
    (
        ("m:f",),
        {"m.py": SEEN.replace("max", "top"), "k.py": FROM_A.format("g")},
        {"m.py": SEEN, "k.py": FROM_A.format("max")},
    ),
    (
        ("m:f",),
        {"m.py": f"def max(*x): ...\n{USED}", "k.py": "L = max(1, 2)\n"},
        {
            "m.py": f"def max(*x): ...\n{USED}",
            "k.py": "from planted.m import max\nL = max(1, 2)\n",
        },
    ),
    (
        ("m:f",),
        {"m.py": f"import numpy as math\n{USED}", "k.py": FLOOR.format("math")},
        {"m.py": f"import numpy as math\n{USED}", "k.py": FLOOR.format("numpy")},
    ),
    (
        ("m:f",),
        {"m.py": f"import math\n{USED}", "k.py": FLOOR.format("math")},
        {"m.py": f"import math as numpy\n{USED}", "k.py": FLOOR.format("numpy")},
    ),
    (
        ("m:f",),
        {"m.py": USED, "k.py": "from planted.a import g\nL = g(1, 2)\n"},
        {
            "m.py": f"from planted import a as operator\n{USED}",
            "k.py": "import operator\nL = operator.g(1, 2)\n",
        },
    ),
    (
        ("m:M.f",),
        {"m.py": FIELD.format("sum"), "k.py": "class C:\n    x = sum([1])\n", **SUM},
        {
            "m.py": FIELD.format("sum"),
            "k.py": "from planted.a import sum\nclass C:\n    x = sum([1])\n",
            **SUM,
        },
    ),
    # The order of bases decides which field is inherited.
    (
        ("m:C.f",),
        {"m.py": BASES.format("Z, A"), "z.py": "class Z:\n    x = 1\n", **ONE},
        {"m.py": BASES.format("A, Z"), "z.py": "class Z:\n    x = 1\n", **ONE},
    ),
]


HEAD = "from planted.k import fill, other as o\nimport math as m\n"
TWO = "try:\n    from a import {0}\nexcept ImportError:\n    from b import {0}\n"
CLASSES = "class A:\n    def g(self): ...\nclass B:\n    def g(self): ...\n"
DERIVED_BY = "from planted.i import A, B\nclass C(A): ...\nclass D(B): ...\n"


def inside(*lines: str) -> str:
    """A function of some lines, which come after imports."""
    first = ["from a import g as k", "if x: import d.b, a as n"]
    return "\n    ".join(["def f(x, y=1):", *first, *lines]) + "\n"


# The digest replaces names by what they stand for. What looks alike then is not alike:
# files, and what is replaced in them.
LIKE_IT: list[tuple[Files, str, str]] = [
    ({"m.py": f"{HEAD}def f(math):\n    return m\n"}, "return m", "return math"),
    (
        {"m.py": inside("if x: from a import g as l", "return k")},
        "return k",
        "return l",
    ),
    ({"m.py": inside("return n.g")}, "return n.g", "return k"),
    ({"m.py": inside("return n.g")}, "import d.b,", "import d.c,"),
    ({"m.py": f"from a import g\n{inside('return g')}"}, "return g", "return k"),
    (
        {"m.py": inside("if x: from a import h", "else: from b import i as h")},
        "import h",
        "import h as z",
    ),
    ({"m.py": inside("class K:", "    from a import h")}, "import h", "import h as z"),
    (
        {"m.py": f"{HEAD}T = [1]\nfill(T)\nT = [2]\ndef f(x):\n    return T\n"},
        "fill(T)\nT = [2]",
        "T = [2]\nfill(T)",
    ),
    ({"m.py": inside("def g():", "    return 1", "return g")}, "def g()", "def h()"),
    # A module inside is bound again, and two of its names stand for one thing.
    (
        {
            "m.py": inside("import planted.c as c", "c = x", "return c.h"),
            "c.py": "from a import g as h, g as i\n",
        },
        "return c.h",
        "return c.i",
    ),
    # A name of the module is like one that is imported inside.
    (
        {
            "m.py": "def h(): ...\n"
            + inside("def i():", "    from planted.c import h", "    return h", "h(i)"),
            "c.py": "from math import fabs as h\n",
        },
        "def h(): ...",
        "from math import fabs as h",
    ),
    # What several names may stand for.
    (
        {"m.py": f"from planted.c import g\n{CALL}", "c.py": TWO.format("g")},
        "from a",
        "from d",
    ),
    # An import that is relative to a module elsewhere.
    (
        {"m.py": f"from planted.s.c import g\n{CALL}", "s/c.py": TWO.format("g")},
        "from a",
        "from .a",
    ),
    (
        {
            "m.py": f"from planted.s.c import g\n{CALL}",
            "s/c.py": TWO.format("g").replace("from a", "from .a"),
        },
        "from .a",
        "from planted.a",
    ),
    # Methods that classes of another module have from their bases.
    (
        {
            "m.py": "import planted.c as c\ndef f(x):\n    return c.C.g(c.D.g(x))\n",
            "c.py": DERIVED_BY,
            "i.py": CLASSES,
        },
        DERIVED_BY,
        DERIVED_BY.replace("(A)", "(E)").replace("(B)", "(A)").replace("(E)", "(B)"),
    ),
]


@for_each(("files", "old", "new"), LIKE_IT)
def test_what_looks_like_it_has_another_digest(
    files: Files, old: str, new: str
) -> None:
    assert "".join(files.values()).count(old) == 1
    digests = set()
    for changes in ({}, {old: new}):
        modules = {}
        for path, text in files.items():
            name = f"planted.{path.removesuffix('.py').replace('/', '.')}"
            for before, after in changes.items():
                text = text.replace(before, after)
            modules[name] = Module(name, text)
        digests.add(Reviewed(Planted("planted", modules), "planted.m", "f").digest)
    assert len(digests) == 2


@pytest.mark.parametrize(("quotes", "before", "after"), CHANGED)
def test_a_change_behind_the_back_of_a_function_is_found(
    package: Package, quotes: tuple[str, ...], before: Files, after: Files
) -> None:
    digests, kinds = look(package, before, quotes)
    changed, found = look(package, after, quotes)
    assert digests != changed or found - kinds


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("L = 1\ndef f(x):\n    return eval('L')\n", "not-plain"),
        ("L = 1\ndef f(x):\n    return globals()['L']\n", "not-plain"),
        ("def f(x):\n    rule = 'a'\n    return locals()['rule']\n", "not-plain"),
        (
            "import importlib\ndef f(x):\n    return importlib.import_module('k').L\n",
            "not-plain",
        ),
        (
            f"{IMPORT}X_FIX = 'a'\ndef f(x):\n"
            "    raise refusal('V', 'x', x, 'r', f'{x:{X_FIX}}')\n",
            "words",
        ),
        (
            f"{IMPORT}def f(x):\n    fix = 'a'\n"
            "    raise refusal('V', 'x', x, 'r', fix % x)\n",
            "words",
        ),
        (
            f"{IMPORT}def f(x):\n    g = lambda refusal: refusal(1, 2, 3, 'A')\n"
            "    raise refusal('V', 'x', g(x), 'r', 'f')\n",
            "words",
        ),
        (
            "from opendp_lite.base.errors import other as refusal\n"
            "from opendp_lite.extras import refusal\n"
            "def f(x):\n    raise refusal('V', 'x', x, 'r', 'f')\n",
            "words",
        ),
        ("f = 3\ndef f(x):\n    return x\n", "quote"),
        ("from numpy import *\ndef f(x):\n    return abs(x)\n", "quote"),
    ],
)
def test_what_hides_from_the_review_is_refused(
    package: Package, code: str, kind: str
) -> None:
    assert kind in look(package, {"m.py": code}, ("m:f",))[1]


@for_each(
    "body",
    [
        "if X:\n        L = 1",
        "if X:\n        pass\n    else:\n        L = 1",
        "try:\n        L = 1\n    finally:\n        pass",
        "for L in [1]:\n        pass",
        "with X as L:\n        pass",
        "match 1:\n        case L:\n            pass",
        "if X:\n        def L(self): return 1",
        "if X:\n        class L: ...",
        "from planted.k import L",
        "L = 0\n    L += 1",
        "L = {}\n    L['a'] = 1",
        "L = []\n    L.append(1)",
        "L = []\n    fill(L)",
        "L = []\n    M = fill(L)",
        "M = 1\n    L = M",
        "M = 1\n    L = M + 1",
        "def M(): return 1\n    L = M()",
        "(L := 1)",
        "M = (N := 1)\n    L = N",
        "L, M = 1, 2",
        "L = 1\n    del L",
    ],
)
@for_each("form", [(METHOD, "L = {}"), (DERIVED, "L = 1")])
def test_a_class_binds_its_fields_plainly(form: tuple[str, str], body: str) -> None:
    """What a class binds under a condition was not seen by who inherits it."""
    code, plain = form
    for text, is_plain in ((code, True), (code.replace(plain, body), False)):
        library = Planted(
            "planted", {"planted.m": Module("planted.m", f"X = 1\n{text}")}
        )
        reviewed = Reviewed(library, "planted.m", "C.g")
        if is_plain:
            assert reviewed.digest
        else:
            with pytest.raises(ReviewError, match="binds fields in a way"):
                assert reviewed.digest == text


def test_a_constant_of_inherited_fields_stands_in_the_text_once() -> None:
    code = DERIVED.replace("L = 1", "L = X\n    M = X").replace("L\n", "L, self.M\n")
    for text in (code, code.replace("self.M", "self.M, X")):
        library = Planted(
            "planted", {"planted.m": Module("planted.m", f"X = 1\n{text}")}
        )
        reviewed = Reviewed(library, "planted.m", "C.g")
        assert reviewed.text.count("X = 1\n") == 1


@for_each(
    "body",
    [
        "L = 1\n    M: int\n    N: int = 2\n    pass",
        "L = M = 1",
        "L = [y for y in range(X)]",
        "def M(self): ...\n    L = M",
        "'A docstring.'\n    L = 1\n    'Another.'\n    class M: ...",
    ],
)
def test_plain_classes_can_be_compared(body: str) -> None:
    for text in (METHOD.replace("L = {}", body), DERIVED.replace("L = 1", body)):
        library = Planted(
            "planted", {"planted.m": Module("planted.m", f"X = 1\n{text}")}
        )
        assert Reviewed(library, "planted.m", "C.g").digest


def test_plain_code_is_plain(package: Package) -> None:
    code = (
        "import re\nfrom planted.t import TABLE, C\nWORD = re.compile('a')\nS = {}\n"
        "S['a'] = TABLE.copy()\nc = C()\nc.x = 1\n"
        "def f(x):\n    TABLE[x] = C(x)\n    S[x] = x\n    x.y = 1\n"
    )
    files = {"m.py": code, "t.py": "TABLE = {}\nclass C:\n    x = 0\n"}
    project = Project("planted", Path("none"), package(files))
    vars(project)["files"] = {"a/f": TexFile("a/f", r"\code{planted.m}{f}")}
    assert list(check_plain(project)) == []


def test_code_that_cannot_be_compared_is_reported(example: Example) -> None:
    """An f-string among the constants of another module once switched off the rest."""
    example.write("scaling/extra.py", "ONE = f'{1}'\n")
    code = example.read(example.code)
    code = code.replace("import math\n", "import math\nfrom scaling.extra import ONE\n")
    old = "abs(factor) * d_in"
    assert old in code
    example.write(example.code, code.replace(old, "abs(factor) + int(ONE)"))
    problem = only(example.problems(), "quote", NAME)
    assert "scaled_distance cannot be compared" in problem.message
    changed = code.replace(old, "abs(factor) + int(ONE)")
    example.write(example.code, changed.replace("factor * int(arg)", "int(arg)"))
    found = example.problems()
    only(found, "quote", NAME)
    assert "make_multiply" in only(found, "code-changed", NAME).message
