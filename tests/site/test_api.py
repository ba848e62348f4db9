"""The pages of the API have every public name, and are read as they were written."""

from __future__ import annotations

import pkgutil
import re

import opendp_lite
import opendp_lite.prelude as dp
from docs.tools import api, commands
from docs.tools.docstrings import escaped, markdown
from tests.rows import for_each
from tests.test_repository import ROOT

PAGES = api.pages()
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def test_every_module_is_described_or_a_room_of_the_house() -> None:
    inside = {each.name for each in pkgutil.iter_modules(opendp_lite.__path__)}
    assert set(api.modules()) - set(api.INSIDE) == inside - api.INTERNAL
    assert inside >= api.INTERNAL
    known = {"transformations", "measurements", "context", "verify", "testing"}
    assert known <= set(api.modules())


@for_each("module", api.modules())
def test_every_name_is_on_the_page(module: str) -> None:
    page = PAGES[f"api/{module}.md"]
    for name in api.load(module).__all__:
        made = name.replace("then_", "make_", 1)
        shown = re.search(rf"^## {made}(?: |$)", page, re.MULTILINE)
        shown = shown or re.search(rf"^## {name}(?: |$)", page, re.MULTILINE)
        assert shown or f"* `{name}` is " in page, name
        if made != name and made in api.load(module).__all__:
            assert f"After `>>`: `{name}`" in page


def test_what_others_describe_leads_there() -> None:
    for module, names in api.homes().items():
        for name, home in names.items():
            if home != module:
                assert f"({home}.md#{name})" in PAGES[f"api/{module}.md"]
                assert f"## {name} {{ #{name} }}" in PAGES[f"api/{home}.md"]


@for_each("path", PAGES)
def test_no_mark_of_a_docstring_is_left(path: str) -> None:
    outside = FENCED.sub("", PAGES[path])
    assert not re.search(r"^\s*(:param|>>> |Proof: proofs/)", outside, re.MULTILINE)
    assert PAGES[path].count("```") % 2 == 0
    assert " at 0x" not in PAGES[path]


def test_proofs_are_linked() -> None:
    linked = re.findall(
        r"\(\.\./proofs/pdf/([\w-]+)\.pdf\)", PAGES["api/measurements.md"]
    )
    texts = {
        path.relative_to(ROOT / "proofs").with_suffix("").as_posix().replace("/", "-")
        for path in (ROOT / "proofs").rglob("*.tex")
    }
    assert "measurements-make_laplace" in linked
    assert set(linked) <= texts


def test_a_constructor_is_described_whole() -> None:
    page = PAGES["api/measurements.md"]
    text = page.partition("## make_laplace { #make_laplace }")[2].partition("\n## ")[0]
    assert "make_laplace(\n    input_domain,\n    input_metric,\n    scale," in text
    assert "* `scale` (`ExactNumber`): b >= 0, exact" in text
    assert "```pycon\n>>> import opendp_lite.prelude as dp\n" in text
    assert "After `>>`: `then_laplace`" in text


def test_methods_are_described_where_they_belong() -> None:
    assert "### Context.compositor" in PAGES["api/context.md"]
    assert "### TableQuery.group_by" in PAGES["api/context.md"]
    assert "### Measurement.map" in PAGES["api/mod.md"]
    assert "### Noise.quantile" in PAGES["api/measurements.md"]
    assert "### Domain.contains" in PAGES["api/domains.md"]
    inherited = set(vars(dp.Domain)) - set(vars(dp.VectorDomain))
    assert "entry_domain" in inherited
    for name in inherited:
        assert f"### VectorDomain.{name} " not in PAGES["api/domains.md"]


@for_each(
    ("text", "shown"),
    [
        ("a * b", r"a \* b"),
        ("a *real* one", "a *real* one"),
        ("x_1 and _x", r"x_1 and \_x"),
        ("`a*b < c` < d", "`a*b < c` &lt; d"),
        ("a & b", "a &amp; b"),
    ],
)
def test_signs_mean_themselves(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_lists_and_formulas_are_kept() -> None:
    text = "It is:\n\n    x = y\n\nOne of\n\n* a, which\n  goes on\n* b\n"
    assert markdown(text, {}, "..") == (
        "It is:\n\n```text\nx = y\n```\n\nOne of\n\n* a, which\n    goes on\n* b"
    )
    assert markdown("These:\n* a\n* b", {}, "..") == "These:\n\n\n* a\n* b"


def test_every_command_has_its_help() -> None:
    page = commands.page()
    for name in ("opendp-lite", "opendp-lite proofs", "opendp-lite proofs check"):
        assert f"\n## {name}\n" in page
    assert page.count("Usage: opendp-lite") == page.count("\n## ")
