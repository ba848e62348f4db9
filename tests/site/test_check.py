"""The check of the site finds what it looks for: planted sites with one fault each."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from docs.tools import (
    api,
    browser,
    commands,
    copies,
    docstrings,
    links,
    moving,
    pasted,
)
from docs.tools.formulas import formulas
from docs.tools.pictures import low_bit
from tests.rows import for_each

GOOD = """<html><head>
<link rel="stylesheet" href="style.css"><script src="a.js"></script></head>
<body><h1 id="top">A</h1><a href="b.html#here">b</a><a href="#top">up</a>
<a href="https://example.org/page">elsewhere</a><img src="p.svg#only-light">
<a href="inside/">inside</a></body></html>"""


def site(folder: Path, page: str = GOOD, style: str = "a { color: red }") -> Path:
    """A small site, whose first page and style are given."""
    (folder / "inside").mkdir()
    (folder / "index.html").write_text(page)
    (folder / "b.html").write_text('<p id="here">b</p><a href="/index.html">a</a>')
    (folder / "inside" / "index.html").write_text('<a href="../b.html">b</a>')
    (folder / "style.css").write_text(style)
    for name in ("a.js", "p.svg"):
        (folder / name).write_text("")
    return folder


def test_a_good_site_passes(tmp_path: Path) -> None:
    built = site(tmp_path)
    assert links.external(built) == []
    assert links.broken(built) == []


@pytest.mark.parametrize(
    "loaded",
    [
        '<script src="https://cdn.example.org/a.js"></script>',
        '<script src="//cdn.example.org/a.js"></script>',
        '<link rel="stylesheet" href="https://example.org/a.css">',
        '<link rel="preconnect" href="https://fonts.gstatic.com">',
        '<img src="http://example.org/a.png">',
        '<img srcset="https://example.org/a.png 2x">',
        '<iframe src="https://example.org"></iframe>',
        '<p style="background: url(https://example.org/a.png)">',
        "<style>@import 'https://example.org/a.css';</style>",
        '<svg><use xlink:href="https://example.org/a.svg#b"/></svg>',
    ],
)
def test_what_is_loaded_from_elsewhere_is_found(tmp_path: Path, loaded: str) -> None:
    built = site(tmp_path, GOOD.replace("<h1", f"{loaded}<h1"))
    assert len(links.external(built)) == 1


@pytest.mark.parametrize(
    "style",
    [
        "@import url(https://example.org/a.css);",
        '@font-face { src: url("https://example.org/a.woff2") }',
    ],
)
def test_a_style_that_loads_from_elsewhere_is_found(tmp_path: Path, style: str) -> None:
    assert len(links.external(site(tmp_path, style=style))) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("b.html#here", "c.html"),
        ("b.html#here", "b.html#there"),
        ("#top", "#bottom"),
        ("inside/", "outside/"),
        ("p.svg#", "q.svg#"),
        ("a.js", "b.js"),
        ("style.css", "/styles.css"),
    ],
)
def test_a_link_that_leads_nowhere_is_found(tmp_path: Path, old: str, new: str) -> None:
    assert GOOD.count(old) == 1
    assert links.broken(site(tmp_path, GOOD.replace(old, new))) == [
        f"index.html names {new + ('only-light' if old == 'p.svg#' else '')}"
    ]


FINE: dict[str, Any] = {
    "wide": 0,
    "flat": 0,
    "raw": 0,
    "blank": [],
    "scheme": "slate",
}


@for_each(
    ("told", "found"),
    [
        ({}, []),
        ({"wide": 400}, ["is 400 wide"]),
        ({"flat": 2, "raw": 1}, ["3 formulas are not drawn"]),
        ({"blank": ["p.svg"]}, ["p.svg is not drawn"]),
        ({"scheme": "default"}, ["has the colours of default"]),
    ],
)
def test_what_a_browser_tells_is_judged(told: dict[str, Any], found: list[str]) -> None:
    assert browser.wrong(FINE | told, "dark") == found


def test_pages_of_the_repository_are_fitted_to_the_site() -> None:
    made = copies.pages()
    assert set(made) == set(copies.PAGES.values()) - {"differences.md"}
    assert made["benchmarks/results.md"].startswith("# Speed\n")
    assert "do not edit" not in made["proofs/index.md"]
    assert "(../proofs/pdf/measurements-make_laplace.pdf)" in made["proofs/index.md"]
    assert "(../proofs/index.md)" in made["contributing/house.md"]
    with pytest.raises(ValueError, match="no longer says"):
        copies.prefaced("proofs/index.md", "# Proofs\n")


def test_the_index_of_proofs_has_a_filter_and_four_columns() -> None:
    index = (copies.ROOT / "proofs" / "INDEX.md").read_text(encoding="utf-8")
    page = copies.pages()["proofs/index.md"]
    rows = [line for line in page.splitlines() if line.startswith("| [")]
    assert len(rows) == sum(line.startswith("| [") for line in index.splitlines())
    assert {row.count(" | ") for row in rows} == {3}
    # Nothing is lost but that there is nothing.
    for word in ("a reader of", "people verify: the rows were drawn", "`_kept`"):
        assert word in page
    assert page.index("<div data-filter") < page.index("## Constructors")


SHOWN = """>>> def f(x):
...     return x
>>> f(
...     1
... )
1
>>> # nothing
>>> f(0) / 0
Traceback (most recent call last):
    ...
ZeroDivisionError: division by zero
"""


def test_what_is_copied_of_an_example_runs_as_it_is() -> None:
    code = "def f(x):\n    return x\n\nf(\n    1\n)\nf(0) / 0\n"
    assert pasted.code(SHOWN) == code
    span = '<span class="gp">&gt;&gt;&gt; </span>x = "a"\n'
    page = f'<div class="language-{{}} highlight"><code>{span}</code></div>'
    shown = page.format("pycon")
    copied = shown.replace('">', '" data-copy="x = &quot;a&quot;&#10;">', 1)
    assert pasted.copyable(f"<p>{shown}</p>") == f"<p>{copied}</p>"
    assert pasted.copyable(page.format("text")) == page.format("text")


def test_the_site_marks_examples_as_what_is_copied_expects() -> None:
    config = (copies.ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert "pygments_lang_class: true" in config
    assert "content.code.copy" in config
    assert "- filter.js" in config


def test_the_page_of_checks_has_the_table_of_security() -> None:
    page = (copies.ROOT / "docs" / "concepts" / "checks.md").read_text(encoding="utf-8")
    assert '--8<-- "SECURITY.md:checks"' in page
    text = (copies.ROOT / "SECURITY.md").read_text(encoding="utf-8")
    _, _, part = text.partition("<!-- --8<-- [start:checks] -->")
    part, _, _ = part.partition("<!-- --8<-- [end:checks] -->")
    assert "| planted fault | review |" in part
    assert "](" not in part  # a link would lead nowhere from the other page


def test_formulas_are_found() -> None:
    page = r'<span class="arithmatex">\(a &lt; b\)</span>, '
    page += r'<div class="arithmatex">\[c\]</div>'
    assert formulas(page) == ["a < b", "c"]


def test_the_lowest_bit_of_a_double() -> None:
    for value, bit in ((1.0, 0), (0.5, -1), (0.1, -55), (12.0, 2), (5e-324, -1074)):
        assert low_bit(value) == bit


@for_each("module", [api, commands, copies, docstrings, moving, pasted])
def test_the_examples_of_the_tools_are_true(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
