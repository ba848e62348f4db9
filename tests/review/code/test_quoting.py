"""What a quote prints, and what it refuses to print."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from opendp_lite.review.code.compare import Reviewed
from opendp_lite.review.code.library import Library
from opendp_lite.review.code.quoting import Quote, listing_letters, quote
from opendp_lite.review.problems import ReviewError

Package = Callable[[dict[str, str]], Library]

SOURCE = '''\
"""A module."""

import functools

from opendp_lite.core.registry import constructor


@constructor(
    proof="a/b",
)
@functools.cache
def make_a(x):
    """Say what it does.

    At length.
    """

    # why
    y = x  # proof: first

    def inner(z):
        "short"
        return z + 1  # it is one more  # proof: last-1

    return inner(y), "# proof: no"


class C:
    """A class."""

    def empty(self):
        """Nothing else."""

    def method(self):
        text = """
  proof: no
"""
        return text  # proof: text


def outer():
    def inside():
        return 1  # proof: one

    return inside
'''


def quoted(package: Package, name: str, source: str = SOURCE) -> Quote:
    return quote(package({"m.py": source}), "planted.m", name)


def test_docstrings_and_the_registration_go_and_the_rest_stays(
    package: Package,
) -> None:
    assert quoted(package, "make_a").listing() == (
        "@functools.cache\n"
        "def make_a(x):\n"
        "    # why\n"
        r"    y = x(*@\label{make_a:first}@*)"
        "\n\n"
        "    def inner(z):\n"
        r"        return z + 1  # it is one more(*@\label{make_a:last-1}@*)"
        "\n\n"
        '    return inner(y), "# proof: no"\n'
    )


def test_labels_know_their_lines(package: Package) -> None:
    lines = SOURCE.split("\n")
    labels = quoted(package, "make_a").labels
    assert set(labels) == {"first", "last-1"}
    assert all(f"# proof: {label}" in lines[n - 1] for label, n in labels.items())


def test_a_method_is_moved_to_the_margin(package: Package) -> None:
    assert quoted(package, "C.method").lines == (
        "def method(self):",
        '    text = """',
        "proof: no",
        '"""',
        "    return text",
    )


def test_a_body_that_was_only_a_docstring_passes(package: Package) -> None:
    assert quoted(package, "C.empty").lines == ("def empty(self):", "    pass")


def test_a_function_inside_a_function_and_a_class_can_be_quoted(
    package: Package,
) -> None:
    assert quoted(package, "outer.inside").listing() == (
        "def inside():\n" r"    return 1(*@\label{outer.inside:one}@*)" "\n"
    )
    whole = quoted(package, "C")
    assert whole.lines[0] == "class C:"
    assert set(whole.labels) == {"text"}


@pytest.mark.parametrize(
    "decorator",
    [
        "@reg.constructor()",
        "@registry.constructor",
        "@opendp_lite.core.registry.constructor(proof='x')",
        "@again()",
    ],
)
def test_the_registration_is_found_by_what_it_is(
    package: Package, decorator: str
) -> None:
    library = package(
        {
            "other.py": "from opendp_lite.core.registry import constructor as again",
            "m.py": "import opendp_lite.core.registry as reg\n"
            "import opendp_lite.core.registry\n"
            "from opendp_lite.core import registry\n"
            "from .other import again\n"
            f"{decorator}\ndef f():\n    return 1\n",
        }
    )
    assert quote(library, "planted.m", "f").lines[0] == "def f():"


def test_another_decorator_of_that_name_stays(package: Package) -> None:
    source = "def constructor(f):\n    return f\n@constructor\ndef f():\n    return 1\n"
    assert quoted(package, "f", source).lines[0] == "@constructor"


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("    return '(*@ x'", "(*@"),
        ("    return '@*)'", "@*)"),
        ("    return 'λ'", "U+03BB"),
        ("    return '\t'", "U+0009"),
        ("    return " + "1 + " * 20 + "1", "columns wide"),
        ("    # proof: alone\n    return 1", "label without code"),
        ("    return 1  # proof: Upper", "not a label"),
        ("    return 1  # Proof: x", "not a label"),
        ("    return 1  # proof: a_b", "not a label"),
        ("    return 1  # proof:", "not a label"),
        ("    x = 1  # proof: a\n    return x  # proof: a", "repeats the label"),
        ("    'doc'; return 1", "something else on one line"),
        ("    'doc'  # proof: a\n    return 1", "something else on one line"),
    ],
)
def test_what_cannot_be_printed_is_refused(
    package: Package, body: str, complaint: str
) -> None:
    with pytest.raises(ReviewError) as refused:
        quoted(package, "f", f"def f():\n{body}\n")
    assert complaint in str(refused.value)
    assert str(refused.value).endswith(".")


def test_a_listed_letter_is_printed(package: Package) -> None:
    library = package({"m.py": "def f():\n    return 'λ'\n"})
    letters = listing_letters(r"\lstset{literate={é}{{\'e}}1 {λ}{{$\lambda$}}1}")
    assert "'λ'" in quote(library, "planted.m", "f", letters).listing()


def test_a_comment_may_hold_what_the_listing_prints(package: Package) -> None:
    with pytest.raises(ReviewError, match="U\\+2264"):
        quoted(package, "f", "def f(x):\n    return x  # x ≤ 1\n")


def test_88_columns_fit(package: Package) -> None:
    text = "    return " + "1" * 77
    assert quoted(package, "f", f"def f():\n{text}  # proof: x\n").lines[1] == text


@pytest.mark.parametrize(
    ("name", "source", "complaint"),
    [
        ("g", "def f(): ...", "defines no g"),
        ("f", "def f(): ...\ndef f(): ...", "more than once"),
        ("C.f", "def f(): ...", "defines no C.f"),
    ],
)
def test_a_name_must_mean_one_definition(
    package: Package, name: str, source: str, complaint: str
) -> None:
    with pytest.raises(ReviewError, match=complaint):
        quoted(package, name, source)


def test_a_module_must_be_there(package: Package) -> None:
    with pytest.raises(ReviewError, match=r"no module planted\.n"):
        quote(package({}), "planted.n", "f")


OVERLOADED = """\
from typing import overload

class C:
    @overload
    def f(self, x: int) -> int: ...
    @overload
    def f(self, x: str) -> str: ...
    def f(self, x):
        return x
"""


def test_overloads_are_left_out_of_a_method(package: Package) -> None:
    plain = OVERLOADED[: OVERLOADED.index("    @overload")] + (
        "    def f(self, x):\n        return x\n"
    )
    assert quoted(package, "C.f", OVERLOADED).lines == (
        "def f(self, x):",
        "    return x",
    )
    digests = {
        Reviewed(package({"m.py": source}), "planted.m", "C.f").digest
        for source in (OVERLOADED, plain)
    }
    assert len(digests) == 1


NESTED = """\
from typing import overload

class C:
    class D:
        @overload
        def f(self, x: int) -> int: ...
        def f(self, x):
            return x
"""


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("C.f", OVERLOADED.replace("from typing", "from planted.n")),
        ("C.f", OVERLOADED.replace("class", "def overload(f): return f\n\nclass")),
        ("C.f", OVERLOADED.replace("C:\n", "C:\n    overload = staticmethod(print)\n")),
        (
            "C.f",
            OVERLOADED.replace("    def f(self, x):", "    g = f\n    def f(self, x):"),
        ),
        ("C.f", OVERLOADED.replace("    @overload\n", "    @overload\n    @print\n")),
        (
            "C.f",
            OVERLOADED.replace(
                "    def f(self, x):", "    @f.setter\n    def f(self, x):"
            ),
        ),
        ("C.f", OVERLOADED.replace("(self, x):", "(self, x, g=[f]):")),
        ("C.D.f", NESTED),
    ],
)
def test_what_may_be_more_than_an_overload_is_a_definition(
    package: Package, name: str, source: str
) -> None:
    assert source != OVERLOADED
    with pytest.raises(ReviewError, match="more than once"):
        quoted(package, name, source)
