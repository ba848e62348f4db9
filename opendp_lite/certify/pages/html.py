"""A certificate as one page of HTML, in light and in dark, that needs nothing else."""

from __future__ import annotations

import re
from html import escape
from importlib.util import find_spec

from opendp_lite.certify.format import Content
from opendp_lite.certify.pages.document import (
    Banner,
    Block,
    Facts,
    Heading,
    Listing,
    Sign,
    Table,
    Text,
    Theorem,
    blocks,
)
from opendp_lite.certify.pages.prose import claim_html
from opendp_lite.show.texts import visible

_FORMULAS_ARE_TEX = (
    "Formulas are shown as TeX, because latex2mathml is not installed where this page "
    "was made: pip install 'opendp-lite[cli]'"
)
_STYLE = """
:root { color-scheme: light dark; --ink: #1c2733; --soft: #5a6672; --line: #d5dbe1;
  --page: #ffffff; --shade: #f4f6f8; --link: #1f4e79; --good: #1b6b3a; --bad: #a61b1b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e8ed; --soft: #9aa7b4;
  --line: #3a4550; --page: #14191f; --shade: #1d242c; --link: #8fbce6; --good: #7cc998;
  --bad: #ef8e8e; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.2rem 4rem; max-width: 52rem; color: var(--ink);
  background: var(--page); font: 1rem/1.55 Georgia, 'Times New Roman', serif; }
h1, h2, h3, th, .banner { font-family: system-ui, sans-serif; }
h1 { font-size: 1.9rem; margin: 0 0 .2rem; }
.under { color: var(--soft); margin: 0 0 1.6rem;
  font-family: system-ui, sans-serif; font-size: .88rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .6rem; padding-top: .9rem;
  border-top: 1px solid var(--line); } h3 { font-size: 1.05rem; margin: 1.8rem 0 .4rem;
  }
code, pre { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; font-size: .84em;
  }
code { overflow-wrap: anywhere; }
pre { background: var(--shade); padding: .8rem 1rem; border-radius: .3rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .32rem .7rem .32rem 0;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; font-size: .82rem; color: var(--soft); }
table.facts th { width: 12.5rem; } .wide { overflow-x: auto; }
.wide table { min-width: 38rem; table-layout: fixed; }
td { overflow-wrap: anywhere; }
.banner { border-left: .3rem solid var(--link); background: var(--shade);
  padding: .8rem 1.1rem; margin: 1rem 0; border-radius: 0 .3rem .3rem 0; }
.banner.claim { font-size: 1.08rem; } .banner.order { border-color: var(--good); }
.banner.amiss { border-color: var(--bad); } .banner.amiss b { color: var(--bad); }
.theorem, .claimed { overflow-x: auto; } .theorem { border-left: .2rem solid
  var(--link);
  background: var(--shade); padding: .6rem 1.1rem; } .theorem::before { content:
  'Theorem. ';
  font-weight: bold; } .theorem table { width: auto; }
.sign { border: 1px solid var(--line); padding: .9rem 1.1rem; margin: .9rem 0;
  break-inside: avoid; } .sign p { margin: .2rem 0; } .lines { display: flex; gap:
  1.6rem;
  margin-top: 2.6rem; } .lines span { flex: 1; border-top: 1px solid var(--ink);
  font: .78rem system-ui, sans-serif; color: var(--soft); padding-top: .2rem; }
.lemma { font-family: system-ui, sans-serif; font-size: .9em; }
math { font-size: 1.04em; } math[display=block] { margin: .6rem 0; }
details summary { cursor: pointer; color: var(--link); }
@media (max-width: 34rem) { table.facts th { width: 7.5rem; } .lines { flex-wrap: wrap;
  } }
@media print { body { max-width: none; } details > * { display: revert; } }
"""


def html_page(content: Content, style: str) -> str:
    """Return the page of a certificate.

    :param content: what it says
    :param style: the text of the style file of the proofs
    """
    told = content["told"]
    named = told["subject"], told["date"]
    under = " · ".join(escape(_seen(each)) for each in named if each)
    body = "\n".join(_block(each, style) for each in blocks(content))
    if 'class="tex"' in body and find_spec("latex2mathml") is None:
        body = f"{_block(Text(_FORMULAS_ARE_TEX), style)}\n{body}"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Privacy certificate</title><style>{_STYLE}</style></head>\n"
        f'<body><h1>Privacy certificate</h1><p class="under">{under}</p>\n'
        f"{body}\n</body></html>\n"
    )


def _seen(text: str) -> str:
    """Return a text whose letters can all be seen: none turns what follows around."""
    return "\n".join(map(visible, text.split("\n")))


def _inline(text: str) -> str:
    """Return text with code between backquotes."""
    parts = escape(_seen(text), quote=False).split("`")
    return "".join(f"<code>{p}</code>" if i % 2 else p for i, p in enumerate(parts))


def _block(block: Block, style: str) -> str:
    match block:
        case Heading(text, level):
            return f"<h{level + 1}>{_inline(text)}</h{level + 1}>"
        case Text(text):
            return f"<p>{_inline(text)}</p>"
        case Listing(text):
            return f"<pre>{escape(_seen(text), quote=False)}</pre>"
        case Theorem(tex, definitions):
            claim = claim_html(tex, list(definitions), style)
            return f'<div class="claimed"><p>{_tidy(claim)}</p></div>'
        case Banner(text, kind, items):
            listed = "".join(f"<li>{_inline(each)}</li>" for each in items)
            below = f"<ul>{listed}</ul>" if listed else ""
            shown = f"<b>{_inline(text)}</b>" if kind == "amiss" else _inline(text)
            return f'<div class="banner {kind}">{shown}{below}</div>'
        case Facts(rows):
            lines = "".join(
                f"<tr><th>{_inline(name)}</th><td>{_inline(text)}</td></tr>"
                for name, text in rows
            )
            return f'<table class="facts">{lines}</table>'
        case Table():
            return _table(block)
        case Sign(number, text, notes):
            told = "".join(f"<p>{_inline(each)}</p>" for each in notes)
            lines = "".join(f"<span>{n}</span>" for n in ("name", "date", "signature"))
            return (
                f'<div class="sign"><p><b>{number}.</b> {_inline(text)}</p>{told}'
                f'<div class="lines">{lines}</div></div>'
            )


def _table(block: Table) -> str:
    head = "".join(f"<th>{_inline(each)}</th>" for each in block.head)
    rows = "".join(
        f"<tr>{''.join(f'<td>{_inline(cell)}</td>' for cell in row)}</tr>"
        for row in block.rows
    )
    columns = "".join(f'<col style="width:{each:.0%}">' for each in block.widths)
    table = f"<table><colgroup>{columns}</colgroup><tr>{head}</tr>{rows}</table>"
    table = f'<div class="wide">{table}</div>'
    if not block.folded:
        return table
    return f"<details><summary>{escape(block.folded)}</summary>{table}</details>"


def _tidy(html: str) -> str:
    """Return a claim without empty paragraphs and without breaks around blocks."""
    html = re.sub(r"<p>\s*</p>", "", html)
    return re.sub(r"(</?(?:ol|ul|div|table)[^>]*>)(?:\s|<br>)+", r"\1", html)
