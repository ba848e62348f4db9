"""Build the files that a version publishes: `python -m docs.tools.release ACCOUNT`.

`make release OWNER=ACCOUNT` runs it. It changes no file of the repository and uploads
nothing. It copies all files to build/release/source, where it writes the account in the
place of `OWNER`, builds a wheel and a source archive of this copy, and has twine check
both. The PDFs of all proofs become one archive beside them.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

__all__ = ["filled", "main", "objections", "pack_proofs"]

ROOT = Path(__file__).resolve().parent.parent.parent
PLACE = "OWNER/opendp-lite"  # where the account belongs, in texts and workflows

# These say what is filled in.
_NOT_FILLED = ("docs/tools/release.py", "tests/site/test_release.py")
_ACCOUNT = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?")
_TAG = re.compile(r"(?:check-proofs@|rev: )v([\w.]+)")


def filled(text: str, owner: str) -> str:
    """Return a text with the account in the place of `OWNER`.

    :param text: what stands in a file
    :param owner: the account that publishes the repository

    >>> filled("uses: OWNER/opendp-lite/x@v1; `OWNER`", "someone")
    'uses: someone/opendp-lite/x@v1; `OWNER`'
    """
    return text.replace(PLACE, PLACE.replace("OWNER", owner))


def objections(root: Path, files: list[str], owner: str) -> Iterator[str]:
    """Yield why nothing can be released from these files, in sentences.

    :param root: the folder of the repository
    :param files: the paths of its files
    :param owner: the account that publishes the repository
    """
    if not _ACCOUNT.fullmatch(owner):
        yield f"{owner!r} is no name of an account. Run make release OWNER=account."
    version = _version(root)
    if f'__version__ = "{version}"' not in _read(root / "opendp_lite/__init__.py"):
        yield f"opendp_lite/__init__.py does not have the version {version}."
    if f"\n## [{version}]" not in _read(root / "CHANGELOG.md"):
        yield f"CHANGELOG.md has no section ## [{version}]."
    for name in files:
        text = _read(root / name)
        for tag in sorted(set(_TAG.findall(text)) - {version}):
            if PLACE in text and name not in _NOT_FILLED:
                yield f"{name} names the tag of another version, {tag}."
    yield from (
        f"The proof {proof} has no PDF. Run make proofs."
        for proof, pdf in _pdfs(root).items()
        if not pdf.is_file()
    )


def pack_proofs(root: Path, archive: Path) -> int:
    """Write the PDFs of all proofs into one archive, and return how many there are.

    :param root: the folder of the repository
    :param archive: the path of the archive
    """
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for proof, pdf in _pdfs(root).items():
            packed.write(pdf, f"proofs/{proof}.pdf")
    return len(_pdfs(root))


def main(arguments: list[str]) -> int:
    """Return 0 if everything was built; print why not, and return 1.

    :param arguments: those of the command line
    """
    owner = arguments[0] if arguments else ""
    git = ["git", "-c", "safe.directory=*", "-C", str(ROOT)]
    listed = _told([*git, "ls-files", "-z"]).split("\0")
    files = [name for name in listed if (ROOT / name).is_file()]
    found = list(objections(ROOT, files, owner))
    if _told([*git, "status", "--porcelain"]):
        found.append("Some files are not committed. Commit them first.")
    if found:
        print("\n".join(found))
        return 1
    version, folder = _version(ROOT), ROOT / "build" / "release"
    source = folder / "source"
    shutil.rmtree(folder, ignore_errors=True)
    for name in files:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
        if PLACE in _read(source / name) and name not in _NOT_FILLED:
            text = filled(_read(source / name), owner)
            (source / name).write_text(text, encoding="utf-8")
    build = [sys.executable, "-m", "build", "--outdir", str(folder), str(source)]
    subprocess.run(build, check=True)
    built = sorted(map(str, folder.glob("opendp_lite-*")))
    check = [sys.executable, "-m", "twine", "check", "--strict", *built]
    subprocess.run(check, check=True)
    archive = folder / f"opendp-lite-{version}-proofs.zip"
    print(f"{archive.name}: {pack_proofs(ROOT, archive)} PDFs")
    print(f"All is in build/release. The tag of this commit is v{version}.")
    return 0


def _pdfs(root: Path) -> dict[str, Path]:
    """Return where the PDF of each proof is, by the path of its text."""
    folder = root / "proofs"
    texts = sorted(path.relative_to(folder) for path in folder.rglob("*.tex"))
    kept = [path.with_suffix("") for path in texts if path.parts[0] != "build"]
    names = [path.as_posix() for path in kept]
    return {name: folder / "build" / f"{name.replace('/', '-')}.pdf" for name in names}


def _version(root: Path) -> str:
    return str(tomllib.loads(_read(root / "pyproject.toml"))["project"]["version"])


def _read(path: Path) -> str:
    """Return the text of a file, or nothing of one that is no text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def _told(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
