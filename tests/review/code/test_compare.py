"""When two programs are the same, and what the reviewed text of one holds."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from opendp_lite.review.code.compare import Reviewed, canonical, difference
from opendp_lite.review.code.library import Library
from opendp_lite.review.problems import ReviewError
from tests.review.example import same_code
from tests.rows import for_each

Package = Callable[[dict[str, str]], Library]


@for_each(
    ("one", "other"),
    [
        ("x = 1", "x = 1.0"),
        ("x = 1", "x = True"),
        ("x = 1.0", "x = True"),
        ("x = 0.0", "x = -0.0"),
        ("x = 0", "x = False"),
        ("x = 'a'", "x = b'a'"),
        ("x = None", "x = ..."),
        ("x = 1e16", "x = 10**16"),
        ("x < y", "x <= y"),
        ("x and y", "x or y"),
        ("x is y", "x is not y"),
        ("f(x, y)", "f(y, x)"),
        ("f(x=y)", "f(y=x)"),
        ("f(*x)", "f(x)"),
        ("{**x}", "{x: x}"),
        ("x[1:2]", "x[1::2]"),
        ("def f(a, /): pass", "def f(a): pass"),
        ("def f(a: int): pass", "def f(a): pass"),
        ("def f(a, *, b=1): pass", "def f(a, *, b): pass"),
        ("async def f(): pass", "def f(): pass"),
        ("f'{x}'", "f'{x!r}'"),
        ("f'{x:.3}'", "f'{x:.4}'"),
        ("f'{x}a'", "f'a{x}'"),
        ("import a", "from a import a"),
        ("from . import a", "from .. import a"),
        ("@f\ndef g(): pass", "def g(): pass"),
        ("[i for i in x if i]", "[i for i in x]"),
        ("for i in x: f()\nelse: g()", "for i in x: f()\ng()"),
    ],
)
def test_different_programs_differ(one: str, other: str) -> None:
    assert not same_code(one, other)


@for_each(
    ("one", "other"),
    [
        ("x = 1", "x=(1)  # one"),
        ("x = 16", "x = 0x10"),
        ("x = 'ab'", 'x = "a" "b"'),
        ("f'{x}ab'", "f'{x}' 'a' \"b\""),
        ("f(\n    x,\n)", "f(x)"),
        ("if x:\n  y", "if x: y"),
        ("x = u'a'", "x = 'a'"),
        ("def f(): # type: ignore\n    pass", "def f(): pass"),
    ],
)
def test_the_same_program_is_the_same(one: str, other: str) -> None:
    assert same_code(one, other)


def test_the_name_of_a_function_counts(package: Package) -> None:
    library = package({"m.py": "def f(): pass\ndef g(): pass\n"})
    first, second = (Reviewed(library, "planted.m", name).digest for name in "fg")
    assert first != second


EVERYTHING = r"""
from math import inf as top
import a.b.c
X: int = 0x10
@decorate(k=1)
async def f(a, /, b: "int" = 1, *args, c: float = -0.0, **rest) -> list[int]:
    async with a as (y, z), b:
        await y
    return f"{a!r:>{b}} {{x}} {c=} " "tail" f"{b:}" + 'é' + "\n"
class C(D, metaclass=E):
    x: int
    y = b"\x00", 1j, ..., None, True, 1e300, 10**20
    def g(self, *, k=lambda v, *w: (yield)):
        global Q
        while (n := k()) and not n or n in {1, 2} | {*w}:
            match n:
                case {"a": [1, *_], **r} if r: break
                case C(x=0) | str() as s: continue
                case _: pass
        else:
            del self.x[1:2, ::3]
        try: assert 1 < k <= 3, "no"
        except (A, B) as e: raise e from None
        finally: print([i for j in k if j for i in j], {i: j for i, j in k})
def h(x):
    import a.c, b.d as e
    from a import g
    return X + a.b.c.k(g.x, top, TABLE[x], e)
TABLE = {k: f"{k}" for k in range(3)}
TABLE["x"] = 1; TABLE.update(y=2)
"""


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("f", "3663927f8b59c6789f504e73912d24280eb337216b161bd29071434c45107631"),
        ("C.g", "7cfc7313db5fa00a109a58be9fe5c6ecb53b642bfdf88478a4dc3d274acb238f"),
        ("h", "f4d051430f89a3b069bc9e160c794f0ed36dd6022102eb98f659a6e0947e2752"),
    ],
)
def test_the_digest_is_the_same_in_every_python(
    package: Package, name: str, digest: str
) -> None:
    # Computed by Python 3.11, 3.12 and 3.13.
    library = package({"m.py": EVERYTHING})
    assert Reviewed(library, "planted.m", name).digest == digest


def test_the_digest_does_not_use_what_python_prints_of_a_tree() -> None:
    tree = ast.parse("x = 1")
    assert ast.dump(tree) not in canonical(tree)
    assert canonical(tree) == (
        "Module(body=[Assign(targets=[Name(id='x')], value=int:1)])"
    )


def test_a_difference_is_a_diff() -> None:
    assert difference("a\nb\n", "a\nc\n").splitlines() == [
        "--- reviewed",
        "+++ present",
        "@@ -1,2 +1,2 @@",
        " a",
        "-b",
        "+c",
    ]


SOURCE = '''\
"""A module."""
import math
import os.path
from fractions import Fraction as Q
from planted import tools
from planted.front import helper
from planted.tools import LIMIT

UNUSED = 1
BASE = 2
FACTOR = BASE * LIMIT  # twice the limit
TABLE = {}
TABLE["a"] = 1
TABLE.update(b=2)


def other(): ...


def f(x, UNUSED):
    """Say it."""
    # why
    y = helper(x) + FACTOR  # proof: sum
    return Q(y, tools.STEP) + len(TABLE) + other() + math.inf + os.path.sep


class C:
    """A class."""

    limit: int = 3
    other = 4

    def g(self):
        """Say it."""
        return self.limit


def shadowed():
    BASE = 1
    return [UNUSED for UNUSED in range(BASE)]


def local():
    from planted.tools import STEP as s

    return s
'''
FILES = {
    "m.py": SOURCE,
    "front.py": "from planted.tools import helper\n",
    "tools.py": "from planted.deep import ONE\nLIMIT = 5\nSTEP = -ONE\n"
    "def helper(x): ...\n",
    "deep.py": "ONE = 1\n",
}


def text(package: Package, name: str, **changed: str) -> str:
    files = FILES | {f"{key}.py": value for key, value in changed.items()}
    return Reviewed(package(files), "planted.m", name).text


def digest(package: Package, name: str, **changed: str) -> str:
    files = FILES | {f"{key}.py": value for key, value in changed.items()}
    return Reviewed(package(files), "planted.m", name).digest


def test_the_text_holds_imports_constants_and_the_function(package: Package) -> None:
    assert text(package, "f") == (
        "from fractions import Fraction as Q\n"
        "from planted.tools import LIMIT\n"
        "from planted.tools import helper\n"
        "import math\n"
        "import os\n"
        "import planted.tools as tools\n"
        "\n"
        "planted.deep.ONE = 1\n"
        "BASE = 2\n"
        "FACTOR = BASE * LIMIT\n"
        "TABLE = {}\n"
        'TABLE["a"] = 1\n'
        "TABLE.update(b=2)\n"
        "planted.tools.LIMIT = 5\n"
        "planted.tools.STEP = -planted.deep.ONE\n"
        "\n"
        "def f(x, UNUSED):\n"
        "    y = helper(x) + FACTOR\n"
        "    return Q(y, tools.STEP) + len(TABLE) + other() + math.inf + os.path.sep\n"
    )


def test_a_method_stands_in_its_class_with_its_fields(package: Package) -> None:
    assert text(package, "C.g") == (
        "class C:\n    limit: int = 3\n    def g(self):\n        return self.limit\n"
    )


def test_local_names_are_not_constants(package: Package) -> None:
    assert text(package, "shadowed").startswith("def shadowed")


def test_an_import_inside_a_function_is_followed(package: Package) -> None:
    assert text(package, "local").startswith(
        "planted.deep.ONE = 1\nplanted.tools.STEP = -planted.deep.ONE\n"
    )


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("f", '    """Say it."""\n', ""),
        ("f", "    # why\n", ""),
        ("f", "  # proof: sum", ""),
        ("f", "UNUSED = 1", "UNUSED = 2"),
        ("f", "def other(): ...", "def other(): return 1"),
        ("f", "helper(x) + FACTOR", "(helper(x)\n        + FACTOR)"),
        ("f", "limit: int = 3", "limit: int = 4"),
        ("C.g", "other = 4", "other = 5"),
        ("C.g", '    """A class."""\n', ""),
        ("shadowed", "BASE = 2", "BASE = 3"),
    ],
)
def test_what_does_not_count(package: Package, name: str, old: str, new: str) -> None:
    assert old in SOURCE
    before = digest(package, name)
    after = digest(package, name, m=SOURCE.replace(old, new, 1))
    assert before == after


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("f", "BASE = 2", "BASE = 3"),
        ("f", "BASE * LIMIT", "BASE + LIMIT"),
        ("f", 'TABLE["a"] = 1', 'TABLE["a"] = 2'),
        ("f", "update(b=2)", "update(b=3)"),
        ("f", "Fraction as Q", "Decimal as Q"),
        ("f", "planted.front import helper", "planted.back import helper"),
        ("f", "import math", "import cmath as math"),
        ("f", "def f(x, UNUSED):", "def f(x, UNUSED=1):"),
        ("f", "def f(x, UNUSED):", "@other\ndef f(x, UNUSED):"),
        ("f", "\n\nclass C:", "\n\nf = other(f)\n\n\nclass C:"),
        ("f", "\n\nclass C:", "\n\nf.__defaults__ = (1,)\n\n\nclass C:"),
        ("C.g", "\n\ndef shadowed", "\n\nC.g = other\n\n\ndef shadowed"),
        ("C.g", "limit: int = 3", "limit: int = 4"),
        ("C.g", "class C:", "class C(Q):"),
        ("C.g", "class C:", "@other\nclass C:"),
    ],
)
def test_what_counts(package: Package, name: str, old: str, new: str) -> None:
    assert old in SOURCE
    before = digest(package, name)
    after = digest(
        package,
        name,
        m=SOURCE.replace(old, new, 1),
        back="def helper(x): ...\n",
    )
    assert before != after


@pytest.mark.parametrize(
    ("file", "new"),
    [
        ("tools", FILES["tools.py"].replace("LIMIT = 5", "LIMIT = 6")),
        ("tools", FILES["tools.py"].replace("-ONE", "+ONE")),
        ("deep", "ONE = True\n"),
        ("front", "def helper(x): ...\n"),
    ],
)
def test_constants_and_origins_in_other_modules_count(
    package: Package, file: str, new: str
) -> None:
    before = digest(package, "f")
    assert before != digest(package, "f", **{file: new})


def test_a_string_that_would_move_is_refused(package: Package) -> None:
    source = 'class C:\n    def g(self):\n        return """\n    x"""\n'
    with pytest.raises(ReviewError, match="several lines"):
        text(package, "C.g", m=source)


def test_an_f_string_of_another_module_is_refused(package: Package) -> None:
    source = "from planted.tools import NAME\ndef f():\n    return NAME\n"
    with pytest.raises(ReviewError, match="f-string"):
        text(package, "f", m=source, tools="NAME = f'{1}'\n")
