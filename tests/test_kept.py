"""What passed is left out while nothing changed, and run again as soon as it did.

The plugin is run on a small planted project, in processes of its own. They are copies
of one that has loaded pytest, which takes most of the time of so small a run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.closure import Repository
from tests.kept import KEPT, Digests, read, selection
from tests.longer import shortened
from tests.rows import for_each

ROOT = Path(__file__).resolve().parent.parent

PROJECT = {
    ".gitignore": ".cache/\n__pycache__/\n.pytest_cache/\n",
    "pyproject.toml": """
[tool.pytest.ini_options]
testpaths = ["library", "checks"]
pythonpath = ["."]
addopts = [
    "--doctest-modules", "--import-mode=importlib", "-m not long",
    "-p no:hypothesispytest", "-p no:opendp_lite.testing.plugin",
]
markers = ["long"]
""",
    "library/__init__.py": """
from typing import TYPE_CHECKING
from opendp_lite.base.loading import on_demand
if TYPE_CHECKING:
    from library.sampler import draw as draw
    from library.other import other as other
else:
    __getattr__, __dir__ = on_demand(__name__)
""",
    "library/table.py": "TABLE = [3, 5]\n",
    "library/sampler.py": """
from library.table import TABLE
def draw(bit):
    '''
    >>> draw(0) > 0
    True
    '''
    return TABLE[bit]
""",
    "library/other.py": "def other():\n    return 1\n",
    "checks/conftest.py": "",
    "checks/data/vectors.json": "[1, 2]",
    "checks/helper.py": """
from pathlib import Path
def style():
    return Path("styles", "plain" + ".sty").read_text()
TEXT = style()
""",
    "checks/test_draw.py": """
import library
def test_draw():
    assert library.draw(1) > 0
""",
    "checks/test_other.py": """
import pytest
import library
def test_other():
    assert library.other() > 0
@pytest.mark.long
def test_long():
    pass
""",
    "checks/test_all.py": """
import library
def test_all():
    assert all(getattr(library, name) for name in library.__all__)
""",
    "checks/test_data.py": """
import json
from pathlib import Path
DATA = Path(__file__).parent / "data" / "vectors.json"
def test_data():
    assert len(json.loads(DATA.read_text())) > 0
""",
    "checks/test_style.py": """
from checks.helper import TEXT, style
def test_style():
    assert style()
""",
    "checks/test_style_in_memory.py": """
from checks.helper import TEXT
def test_style():
    assert TEXT
""",
    "checks/test_program.py": """
import subprocess, sys
def test_program():
    subprocess.run([sys.executable, "-c", ""], check=True)
""",
    "checks/test_list.py": """
import os
def test_list():
    assert "plain.sty" in os.listdir("styles")
""",
    "checks/test_import.py": """
import importlib, sys
def test_import():
    sys.modules.pop("library.lately", None)
    importlib.invalidate_caches()  # so that Python lists the folder anew
    assert importlib.import_module("library.lately")
""",
    "library/lately.py": "",
    "styles/plain.sty": "plain",
    "unused.txt": "",
}
FILES = {path for path in PROJECT if path.startswith("checks/test_")}
DOCTEST = "library/sampler.py"
MODULES = {path for path in PROJECT if path.endswith(".py")}
# These read the repository, or run programs, so they depend on all of it.
FILES_THAT_READ = {
    f"checks/test_{name}.py" for name in "style style_in_memory program list".split()
}
# To look for doctests is to ask the package for all of its names.
WIDE = FILES_THAT_READ | {"checks/helper.py", "library/__init__.py"}


# Reads a folder, where to write and options, runs pytest in a copy of itself, and says
# the exit code.
SERVER = """
import json, os, sys
import pytest
for line in sys.stdin:
    folder, said, options = json.loads(line)
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        sys.path[0] = folder
        for file, number in [(os.devnull, 0), (said, 1), (said, 2)]:
            os.dup2(os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND), number)
        sys.exit(pytest.main(options))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
Server: TypeAlias = "subprocess.Popen[str]"


class Planted:
    """The project, and the files of which tests ran."""

    def __init__(self, root: Path, server: Server) -> None:
        self.root = root
        self.server = server
        self.said = ""
        self.code = 0

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)
        # Two versions of a file of one size within a second have the same bytecode.
        for folder in list(self.root.rglob("__pycache__")):
            shutil.rmtree(folder)

    def run(self, *options: str) -> set[str]:
        said = self.root.with_name("said")
        said.write_text("")
        arguments = ["-v", "-p", "tests.kept", *options]
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        print(
            json.dumps([str(self.root), str(said), arguments]),
            file=self.server.stdin,
            flush=True,
        )
        self.code = int(self.server.stdout.readline())
        self.said = said.read_text()
        outcome = r"^(?:\[gw\d\] \[ *\d+%\] (?:PASSED|FAILED) )?(\w+/\w+\.py)::"
        return set(re.findall(outcome, self.said, re.MULTILINE))

    def changed(self) -> set[str]:
        """The files of tests that a run would not answer."""
        digests = Digests(self.root)
        return set(digests.closures) - set(digests.answered(read(self.root / KEPT)))


@pytest.fixture(scope="module", autouse=True)
def _one_environment() -> Iterator[None]:
    """Here and in the processes that are started."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        yield


@pytest.fixture(scope="module")
def server(_one_environment: None) -> Iterator[Server]:
    mine = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, env=mine, text=True, stdin=pipe, stdout=pipe) as it:
        yield it


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, server: Server) -> Path:
    """The project after a run in which all tests passed."""
    planted = Planted(tmp_path_factory.mktemp("planted") / "project", server)
    for path, text in PROJECT.items():
        planted.write(path, text)
    assert planted.run() == FILES | {DOCTEST}
    assert planted.code == 0, planted.said
    return planted.root


@pytest.fixture
def planted(kept: Path, tmp_path: Path, server: Server) -> Planted:
    """A copy of it."""
    shutil.copytree(kept, tmp_path / "copy")
    return Planted(tmp_path / "copy", server)


def test_nothing_is_run_when_nothing_changed(planted: Planted) -> None:
    assert planted.run() == set()
    assert planted.code == 0
    assert "10 tests in 16 files passed before on the same code" in planted.said
    assert "FRESH=1" in planted.said
    assert f"After any change {len(FILES_THAT_READ)} tests are run" in planted.said
    assert planted.run("-n", "1", "--dist", "worksteal") == set()
    assert planted.code == 0


@pytest.mark.parametrize(
    ("path", "text", "ran"),
    [
        ("library/sampler.py", PROJECT["library/sampler.py"] + "x = 1\n",
         {DOCTEST, "checks/test_draw.py", "checks/test_all.py"}),
        ("library/table.py", "TABLE = [3, 7]\n",
         {"library/table.py", DOCTEST, "checks/test_draw.py", "checks/test_all.py"}),
        ("library/other.py", "def other():\n    return 2\n",
         {"library/other.py", "checks/test_other.py", "checks/test_all.py"}),
        ("checks/data/vectors.json", "[3]", {"checks/test_data.py"}),
        ("styles/plain.sty", "other", set()),
        ("unused.txt", "changed", set()),
        ("unused/new.txt", "new", set()),
        ("checks/test_draw.py", "def test_nothing():\n    pass\n",
         {"checks/test_draw.py"}),
        ("checks/conftest.py", "x = 1\n", FILES | {"checks/conftest.py"}),
        ("pyproject.toml", PROJECT["pyproject.toml"] + "# changed\n", MODULES),
    ],
)  # fmt: skip
def test_a_change_is_not_answered(
    planted: Planted, path: str, text: str, ran: set[str]
) -> None:
    assert planted.changed() == set()
    planted.write(path, text)
    assert planted.changed() == ran | WIDE
    planted.write(path, PROJECT.get(path, ""))
    if path in PROJECT:
        assert planted.changed() == set()


def test_a_change_is_run(planted: Planted) -> None:
    planted.write("library/table.py", "TABLE = [3, 0]\n")
    tests = {"checks/test_draw.py", "checks/test_all.py", DOCTEST}
    assert planted.run() == tests | FILES_THAT_READ
    assert planted.code == 1
    assert planted.changed() == {"checks/test_draw.py"}


def test_another_version_is_not_answered(
    planted: Planted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meta = tmp_path / "gmpy3-1.0.dist-info" / "METADATA"
    meta.parent.mkdir(parents=True)
    meta.write_text("Metadata-Version: 2.1\nName: gmpy3\nVersion: 1.0\n")
    assert planted.changed() == set()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert planted.changed() == MODULES
    one = Digests(planted.root).digest("checks/test_draw.py", False)
    meta.write_text("Metadata-Version: 2.1\nName: gmpy3\nVersion: 1.1\n")
    assert Digests(planted.root).digest("checks/test_draw.py", False) != one


@pytest.mark.parametrize("what", ["sys.version", "platform.platform", "tex"])
def test_python_platform_and_tex_are_in_the_digest(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    before = Digests(kept)
    if what == "tex":
        tex = tmp_path / "pdflatex"
        tex.write_text("#!/bin/sh\necho another TeX\n")
        tex.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
    elif what == "sys.version":
        monkeypatch.setattr(sys, "version", "another")
    else:
        monkeypatch.setattr(what, lambda: "another")
    after = Digests(kept)
    for path in sorted(FILES):
        for wide in (False, True):
            assert before.digest(path, wide) != after.digest(path, wide)


# That what fails in a process that was started is not kept is shown below as well.
@pytest.mark.parametrize(
    "processes", shortened([[], ["-n", "2"]], ["-n", "2"]), ids=["one", "two"]
)
def test_a_file_is_kept_if_all_its_tests_passed(
    planted: Planted, processes: list[str]
) -> None:
    text = "def test_fine():\n    pass\ndef test_wrong():\n    assert {}\n"
    path = "checks/test_new.py"
    planted.write(path, text.format("False"))
    assert planted.run(*processes) == FILES_THAT_READ | {path}
    assert planted.code == 1
    assert planted.changed() == {path}
    assert planted.run(*processes) == {path}
    assert planted.code == 1
    planted.write(path, text.format("True"))
    assert planted.run(*processes) == FILES_THAT_READ | {path}
    assert planted.code == 0
    assert planted.changed() == set()


def test_what_did_not_pass_or_changed_meanwhile_is_not_kept(planted: Planted) -> None:
    planted.write(
        "checks/test_skipped.py",
        "import pytest\ndef test_skipped():\n    pytest.skip()\n",
    )
    planted.write(
        "checks/test_end.py",
        "import pytest\n@pytest.fixture\ndef late():\n    yield\n    assert False\n"
        "def test_fails_at_the_end(late):\n    pass\n",
    )
    planted.run()
    assert planted.changed() == {"checks/test_skipped.py", "checks/test_end.py"}
    # Somebody works on a file while its tests run.
    text = "def test_changes():\n    open('checks/test_change.py', 'a').write('#')\n"
    planted.write("checks/test_change.py", text)
    assert "checks/test_change.py" in planted.run()
    assert "test_changes PASSED" in planted.said
    assert "checks/test_change.py" in planted.changed()


def test_what_ran_in_a_process_that_died_is_not_kept(planted: Planted) -> None:
    text = "import os\ndef test_fine():\n    pass\ndef test_dies():\n    os._exit(1)\n"
    planted.write("checks/test_new.py", text)
    shutil.rmtree(planted.root / ".cache")
    planted.run("-n", "2")
    assert planted.code == 1
    dead = re.findall(r"^\[(gw\d)\] node down", planted.said, re.MULTILINE)
    assert len(dead) == 1
    there = re.findall(rf"^\[{dead[0]}\] .*? (\w+/\w+\.py)::", planted.said, re.M)
    assert planted.changed() == {*there, "checks/test_new.py"}
    assert len(planted.changed()) < len(MODULES)


def test_what_cannot_be_collected_or_fails_takes_nothing_else_along(
    planted: Planted,
) -> None:
    test = "def test_it():\n    pass\n"
    lost = {
        "checks/test_broken.py": f"import missing\n{test}",
        "checks/test_wrong.py": f"{test}def test_wrong():\n    assert False\n",
        "checks/test_left_out.py": f"import pytest\npytest.importorskip('x')\n{test}",
        "checks/deep/conftest.py": "import missing\n",
        "checks/deep/test_deep.py": test,
    }
    for path, text in lost.items():
        planted.write(path, text)
    shutil.rmtree(planted.root / ".cache")
    assert planted.run("-n", "1") == FILES | {DOCTEST, "checks/test_wrong.py"}
    assert planted.code == 1
    assert planted.changed() == set(lost)


def test_a_file_that_comes_meanwhile_voids_what_depends_on_it(planted: Planted) -> None:
    text = "def test_writes():\n    open('notes.txt', 'w').write('x')\n"
    planted.write("checks/test_new.py", text)
    shutil.rmtree(planted.root / ".cache")
    planted.run()
    assert planted.code == 0
    # It reads no file of the repository, but `open` is seen, so it is wide.
    assert planted.changed() == WIDE | {"checks/test_new.py"}


def test_a_selection_is_neither_kept_nor_answered(planted: Planted) -> None:
    assert planted.run("-k", "test_other") == {"checks/test_other.py"}
    assert "Nothing is kept or answered from before: -k may select" in planted.said
    assert planted.run("-n", "1", "-k", "test_other") == {"checks/test_other.py"}
    assert planted.code == 0
    shutil.rmtree(planted.root / ".cache")
    planted.run("-k", "test_other")
    assert planted.changed() == MODULES


@for_each(
    "options",
    [
        ["-k", "test_other"],
        ["-m", "long"],
        ["checks/test_other.py::test_other"],
        ["checks/test_other.py"],
        ["--deselect=checks/test_draw.py::test_draw"],
        ["--ignore", "checks"],
        ["--lf"],
        ["-x"],
        ["-o", "addopts="],
    ],
)
def test_all_that_may_select_is_seen(options: list[str]) -> None:
    assert selection(("-q", "-p", "tests.kept", *options), {}) == options[0]


def test_a_package_of_the_same_name_hides_nothing(tmp_path: Path) -> None:
    """As diffprivlib installs one, which the benchmarks ask for."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "__init__.py").write_text("")
    subprocess.run(
        [sys.executable, "-c", "import tests.kept"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        check=True,
    )


def test_what_selects_nothing_is_allowed() -> None:
    make = re.search(r"pytest (.*tests\.kept.*)", (ROOT / "Makefile").read_text())
    assert make is not None
    assert selection(tuple(make[1].split()), {}) == ""
    assert selection(("-q",), {"PYTEST_ADDOPTS": "-k x"}) == "PYTEST_ADDOPTS"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        '{"checks/test_draw.py": 1}',
        '{"checks/test_draw.py": {"digest": "", "wide": false}}',
        '{"checks/test_draw.py": {"digest": "", "wide": 0, "tests": 1}}',
    ],
)
def test_what_cannot_be_read_is_not_believed(tmp_path: Path, content: str) -> None:
    (tmp_path / "tests.json").write_text(content)
    assert read(tmp_path / "tests.json") == {}
    assert read(tmp_path / "missing.json") == {}


def test_a_broken_file_runs_everything(planted: Planted) -> None:
    path = planted.root / KEPT
    path.write_text(path.read_text()[:-5])
    assert planted.run() == FILES | {DOCTEST}
    assert planted.changed() == set()


@pytest.mark.parametrize(
    ("source", "reached"),
    [
        ("import p", set()),
        ("import p\np.one", {"p/one.py", "p/below.py"}),
        ("from p import one as x", {"p/one.py", "p/below.py"}),
        ("def f():\n    from p import two", {"p/two.py"}),
        ("import p\ngetattr(p, 'o' + 'ne')", {"p/one.py", "p/two.py", "p/below.py"}),
        ("import p\nf(p)", {"p/one.py", "p/two.py", "p/below.py"}),
        ("import p\np.__dict__", {"p/one.py", "p/two.py", "p/below.py"}),
        ("from p import *", {"p/one.py", "p/two.py", "p/below.py"}),
        ("from q import p\np.two", {"q.py", "p/two.py"}),
        ("import q\nq.p.two()", {"q.py", "p/two.py"}),
        ("import r\nr.two", {"r.py", "p/two.py"}),
        ("name = 'p.below'", {"p/below.py"}),
        ("exec('import p.below as b')", {"p/below.py"}),
        ("open('data/some.csv')", {"data/some.csv"}),
        ("'''\n>>> import p\n>>> p.two\n'''", {"p/two.py"}),
        ("'''Words on p.below.'''", set()),
        ("import p.two\n'''\n>>> 1\n1\n    >>> p.one\n  1\n'''", {"p/two.py"}),
        ("from ..p import below", {"p/below.py"}),
    ],
)
def test_a_closure_holds_what_can_be_loaded(
    tmp_path: Path, source: str, reached: set[str]
) -> None:
    write: Callable[[str, str], int] = lambda p, t: (tmp_path / p).write_text(t)  # noqa: E731
    for folder in ("p", "data", "tests"):
        (tmp_path / folder).mkdir()
    typed = "if TYPE_CHECKING:\n    {}\nelse:\n    x, y = on_demand(__name__)\n"
    homes = "from p.one import one as one; from p.two import two as two"
    write("p/__init__.py", typed.format(homes))
    write("p/one.py", "from p import below\none = 1\n")
    write("p/two.py", "two = 2\n")
    write("p/below.py", "")
    write("q.py", "import p\n")
    write("r.py", typed.format("from p import *"))
    write("data/some.csv", "")
    write("tests/test_it.py", source)
    found = Repository(tmp_path).closure("tests/test_it.py")
    assert found - {"p/__init__.py", "tests/test_it.py"} == reached


def test_what_the_plugin_reads_is_read_by_those_who_use_it() -> None:
    """Its own tests let it read the repository, which concerns no others."""
    digests = Digests(ROOT)
    seen = {"tests/test_kept.py": {("tests/closure.py", "*")}}
    assert "tests/closure.py" in digests.closures["tests/test_rows.py"]
    before, after = digests.widths({}), digests.widths(seen)
    assert {path for path in after if after[path] != before[path]} == {
        "tests/closure.py",
        "tests/kept.py",
        "tests/test_kept.py",
    }


def test_one_sampler_is_not_the_whole_library() -> None:
    """The closures of this repository are fine enough to be of use."""
    repository = Repository(ROOT)
    selection_tests = repository.closure(
        "tests/measurements/selection/test_by_score.py"
    )
    assert "opendp_lite/measurements/selection/by_score.py" in selection_tests
    assert "opendp_lite/measurements/snapping/sampler.py" not in selection_tests
    laplace = repository.closure("tests/measurements/noise/test_laplace.py")
    assert "opendp_lite/measurements/noise/laplace_gaussian.py" in laplace
    assert "opendp_lite/measurements/selection/private_quantile.py" not in laplace
