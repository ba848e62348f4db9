"""The check of the built site: `python -m docs.tools.check [SITE] [--pictures FOLDER]`.

First what the files say: nothing is loaded from elsewhere, and every link leads to
something. Then what a browser sees, of which it is tried first whether it sees faults:
see `browser.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from docs.tools import links

__all__ = ["main"]

# Searches of readers; the page that is found first has these words.
SEARCHED = ("laplace", "subsample", "dp-sgd", "missing values")
# Pages whose examples are copied: of Python, and of a shell.
COPIED = ("index.html", "differences.html", "guides/command.html")


def main(arguments: list[str]) -> int:
    """Return 0 if all is well; print what is not, and return 1.

    :param arguments: those of the command line
    """
    from docs.tools import browser

    pictures = None
    if "--pictures" in arguments:
        place = arguments.index("--pictures")
        pictures = Path(arguments[place + 1])
        arguments = arguments[:place] + arguments[place + 2 :]
    site = Path(arguments[0] if arguments else "build/site").resolve()
    names = [path.relative_to(site).as_posix() for path in links.pages(site)]
    if not names:
        print(f"There is no site in {site}. Run `make docs`.")
        return 1
    found = links.external(site) + links.broken(site)
    with browser.browser() as started, TemporaryDirectory() as folder:
        found += browser.blind(started, Path(folder))
    with browser.browser() as started, browser.served(site) as address:
        seen, formulas = browser.look(started, address, names, pictures)
        found += seen
        for root in (address, f"{site.as_uri()}/"):
            for words in SEARCHED:
                found += browser.search(started, root, words)
        for name in COPIED:
            found += browser.copy(started, address, name)
        found += browser.narrow(started, address, "proofs/index.html", "laplace")
    if not formulas:
        found.append("no formula was seen on any page")
    for each in found:
        print(each)
    print(f"{len(names)} pages, {formulas} formulas looked at: {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
