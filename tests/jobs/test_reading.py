"""Jobs as files: what is read, and the sentence for everything that is not."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from opendp_lite import jobs
from opendp_lite.jobs.shapes import JobError
from tests.jobs.described import JOB, edited, written
from tests.test_repository import ROOT


def refusal(path: str) -> str:
    """The sentence that a file is refused with."""
    with pytest.raises(JobError) as caught:
        jobs.read(path)
    message = caught.value.message
    assert message.startswith(path)
    assert "\n" not in message
    return message.removeprefix(path).lstrip(": ")


def test_a_job_says_its_cost_before_there_are_data(tmp_path: Path) -> None:
    job = jobs.read(edited(tmp_path))
    preview = job.preview()
    assert preview.loss == 1
    assert [item.name for item in preview.items] == ["by_shop", "all"]
    assert [item.loss for item in preview.items] == [Fraction(3, 4), Fraction(1, 4)]
    assert "whole job: epsilon 1 of epsilon 1\n" in repr(preview)
    assert "protected: IdentifierDistance('person'), d_in=1\n" in repr(preview)
    assert (job.title, job.limit) == ("Purchases", {"epsilon": 2})


def test_decimals_mean_what_is_written(tmp_path: Path) -> None:
    job = jobs.read(edited(tmp_path, ("epsilon = 1.0", "epsilon = 0.1")))
    assert job.preview().loss == Fraction(1, 10)
    third = jobs.read(edited(tmp_path, ("epsilon = 1.0", 'epsilon = "1/3"')))
    assert third.preview().loss == Fraction(1, 3)


def test_queries_may_say_what_they_lose(tmp_path: Path) -> None:
    both = (
        ("share = 3", "epsilon = 0.25"),
        ('name = "all"', 'name = "all"\nepsilon=0.5'),
    )
    preview = jobs.read(edited(tmp_path, *both)).preview()
    assert [item.loss for item in preview.items] == [Fraction(1, 4), Fraction(1, 2)]


def test_rho_is_gaussian_noise(tmp_path: Path) -> None:
    path = edited(
        tmp_path, ("epsilon = 1.0", "rho = 0.5"), ("epsilon = 2.0", "rho = 1")
    )
    text = repr(jobs.read(path).preview())
    assert "Integer Gaussian" in text
    assert "whole job: rho" in text


def test_a_delta_goes_to_the_queries_that_need_one(tmp_path: Path) -> None:
    path = edited(
        tmp_path,
        ("epsilon = 1.0", "epsilon = 1.0\ndelta = 1e-6"),
        (
            '{ keys = { shop = ["a", "b", "?"] }, rows = 2, groups = 2 }',
            '{ by = "shop", rows = 2, groups = 1 }',
        ),
    )
    first, second = jobs.read(path).preview().items
    assert second.loss == (Fraction(1, 4), 0)
    assert first.loss[0] == Fraction(3, 4)
    # A share of 3/4 of it would be less, as a threshold is a whole number.
    assert Fraction(3, 4 * 10**6) < first.loss[1] <= Fraction(1, 10**6)
    assert "keys are released from" in repr(first)


def test_keys_may_be_written_in_three_ways(tmp_path: Path) -> None:
    keys = 'keys = { shop = ["a", "b", "?"] }'
    lists = (
        'by = "shop", keys = ["a", "b", "?"]',
        'by = ["shop"], keys = [["a"], ["b"]]',
    )
    for new, number in zip(lists, (3, 2), strict=True):
        first, _ = jobs.read(edited(tmp_path, (keys, new))).preview().items
        assert f"group_by('shop', keys={number}, rows=2, groups=2)" in first.text


UNBOUNDED = [
    # the text that is replaced, by what, what is missing, and the two usual choices
    ("rows = 1\n", "",
     "query[1]: the query does not give rows for rows (count). ",
     "rows = 1 below [[query]]", "rows = 10 below [[query]]"),
    ("rows = 1\naggregates = { rows = \"count()\" }",
     "aggregates = { n = \"items.fill_null(0).n_unique()\" }",
     "query[1]: the query does not give groups for n (n_unique). ",
     "groups = 1 below [[query]]", "groups = 5 below [[query]]"),
    (", rows = 2, groups = 2 }", " }",
     "query[0]: the query does not give rows for spent (sum), and groups for the keys "
     "(shop). ",
     "group_by = { ..., rows = 1, groups = 1 }",
     "group_by = { ..., rows = 10, groups = 5 }"),
    (", groups = 2 }", " }",
     "query[0]: the query does not give groups for the keys (shop). ",
     "group_by = { ..., rows = 2, groups = 1 }",
     "group_by = { ..., rows = 2, groups = 5 }"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "said", "one", "many"), UNBOUNDED)
def test_a_job_says_how_much_of_a_person_counts(
    tmp_path: Path, old: str, new: str, said: str, one: str, many: str
) -> None:
    message = refusal(edited(tmp_path, (old, new)))
    assert message.startswith(said)
    assert "`rows` is how many rows of one person (one value of 'person')" in message
    assert "`groups` is in how many groups one person counts." in message
    assert message.endswith(
        f"Write {one} if each person has one row, or {many} if a person may have many "
        "rows."
    )


def test_bounds_of_a_person_stand_in_a_query_or_its_groups(tmp_path: Path) -> None:
    inside = (", rows = 2, groups = 2 }", " }")
    path = edited(tmp_path, inside, ("share = 3", "share = 3\nrows = 2\ngroups = 2"))
    told = "at most 2 rows in each of 2 groups of each person count"
    for job in (jobs.read(path), jobs.read(edited(tmp_path))):
        first, second = job.preview().items
        assert first.parameters()["bounds"] == told
        assert second.parameters()["bounds"] == "at most 1 row of each person counts"
        assert f"\n{told}" in repr(first)
        assert "rows=2, groups=2" in first.text
    assert "query[0].group_by: rows=2: the query was given rows=3 before" in refusal(
        edited(tmp_path, ("share = 3", "share = 3\nrows = 3"))
    )
    assert "query[0].rows=0: must be a whole" in refusal(
        edited(tmp_path, ("share = 3", "share = 3\nrows = 0"))
    )
    assert "query[0]: rows=1: bounds what a person adds, and the table has no" in (
        refusal(
            edited(tmp_path, ('identifier = "person"\n', ""), ("share = 3", "rows = 1"))
        )
    )


@pytest.mark.parametrize("name", ["visits.toml", "survey.toml"])
def test_the_examples_are_read(name: str) -> None:
    assert jobs.read(ROOT / "examples" / "jobs" / name).preview().items


MISTAKES = [
    # of the file
    ('title = "Purchases"', "titel = 1",
     "titel: there is no such key. Did you mean 'title'?"),
    ('title = "Purchases"', "title = 3", "title=3: must be text"),
    ('title = "Purchases"', "title = ", "is no TOML: Invalid value (at line 1"),
    ('title = "Purchases"', "alpha = 1.5", "alpha=Decimal('1.5'): must be an exact"),
    ('title = "Purchases"', "alpha = nan", "alpha=Decimal('NaN'): must be an exact"),
    ("[data.columns]", "[dat.columns]",
     "dat: there is no such key. Did you mean 'data'?"),
    # of the columns
    ('shop = "text"', 'shop = "txt"',
     "data.columns.shop: 'txt' is no type of a column. "
     "Did you mean 'text'?"),
    ('shop = "text"', "shop = 3", "data.columns.shop: 3 is no type of a column"),
    ("[data.columns]", "[data]\nseparator = ';;'\n[data.columns]",
     "data.separator=';;': "),
    ("[data.columns]", "[data]\nheader = 1\n[data.columns]",
     "data.header=1: must be true"),
    ("[data.columns]", "[data]\nsep = ';'\n[data.columns]",
     "data.sep: there is no such"),
    # of what is protected
    ('identifier = "person"', 'identifier = "persn"',
     "privacy.identifier: 'persn' is no "
     "column. Did you mean 'person'?"),
    ('identifier = "person"', 'identifier = "spend"', "must be int or str"),
    ("contributions = 1\n", "", "privacy.contributions: is missing"),
    ("contributions = 1", "contributions = 0",
     "privacy.contributions=0: must be a whole"),
    ("contributions = 1", "contributions = true",
     "privacy.contributions=True: must be"),
    ("epsilon = 1.0", "", "privacy: either epsilon or rho is needed"),
    ("epsilon = 1.0", "epsilon = 1.0\nrho = 1", "privacy: either epsilon or rho"),
    ("epsilon = 1.0", "epsilon = 0",
     "privacy.epsilon=0: must be an exact number above"),
    ("epsilon = 1.0", "epsilon = -1", "privacy.epsilon=-1: must be an exact number"),
    ("epsilon = 1.0", "epsilon = inf", "privacy.epsilon=Decimal('Infinity'): must be"),
    ("epsilon = 1.0", "rho = inf", "privacy.rho=Decimal('Infinity'): must be an"),
    ("epsilon = 1.0", 'epsilon = "inf"', "privacy.epsilon='inf': must be an exact"),
    ("epsilon = 2.0", "epsilon = inf", "ledger.epsilon=Decimal('Infinity'): must be"),
    ("contributions = 1", "contributions = inf",
     "privacy.contributions=Decimal('Infinity'): must be a whole"),
    ("epsilon = 1.0", "rho = 1.0\ndelta = 1.0", "privacy.delta=Decimal('1.0'): must"),
    ("share = 3", "epsilon = inf", "query[0].epsilon=Decimal('Infinity'): must be"),
    ("epsilon = 1.0", 'epsilon = "1/0"', "privacy.epsilon='1/0': must be an exact"),
    ("epsilon = 1.0", 'epsilon = "much"', "privacy.epsilon='much': must be an exact"),
    ("epsilon = 1.0", "epsilon = 1e999999",
     "privacy.epsilon=Decimal('1E+999999'): must"),
    ("epsilon = 1.0", "epsilon = 1.0\ndelta = 1", "privacy.delta=1: must be an exact"),
    ("epsilon = 1.0", "epsilom = 1.0",
     "privacy.epsilom: there is no such key. Did you"),
    ("epsilon = 2.0", "rho = 2.0\nepsilon = 1", "ledger: either epsilon or rho"),
    # of queries
    ('name = "all"', 'name = "by_shop"', "query[0].name='by_shop': names two queries"),
    ('name = "all"', "name = 7", "query[1].name=7: must be text"),
    ('name = "all"', "", "query[1].name: is missing"),
    ('name = "all"', 'name = "all"\nfilters = 1',
     "query[1].filters: there is no such key. "
     "Did you mean 'filter'?"),
    ("share = 3", "share = 0", "query[0].share=0: must be an exact number above 0"),
    ("share = 3", "epsilon = 1", "query[1]: some queries say what they may lose"),
    ("share = 3", "rho = 1", "query[0].rho: the whole is told in epsilon"),
    ('aggregates = { rows = "count()" }', "", "query[1].aggregates: is missing"),
    ('aggregates = { rows = "count()" }', "aggregates = {}",
     "query[1].aggregates: nothing"),
    ('{ rows = "count()" }', "3", "query[1].aggregates=3: must be a table"),
    ('{ rows = "count()" }', "{ rows = 3 }",
     "query[1].aggregates.rows: 3: an expression"),
    ('rows = "count()"', 'weights = "count()"',
     "query[1].aggregates.weights: is no name"),
    ('"count()"', '"items"',
     "query[1].aggregates.rows='items': is a value for each row"),
    ('"count()"', '"cuont()"',
     "query[1].aggregates.rows: 'cuont()': there is no 'cuont'. "
     "Did you mean 'count'?"),
    ('"count()"', '"itms.n_unique()"', "query[1].aggregates.rows: there is no column "
     "'itms'. Did you mean 'items'?"),
    ("shop.fill_null", "shp.fill_null",
     "query[0].columns.shop: there is no column 'shp'"),
    ("items.fill_null", "n.fill_null",
     "query[0].filter[0]: there is no column 'n'. The "
     "columns are: 'person', 'shop', "),
    ('"count()"', '"items.sum()"', "query[1].aggregates.rows: "),
    ('"count()"', '"items.fill_null(0).clip(0, 5.5).sum()"',
     "query[1].aggregates.rows: "),
    ("clip(0.0, 64.0)", "clip(64.0, 0.0)",
     "query[0].aggregates.spent: expression=col('spend')"),
    ("fill_null('?')", "fill_null(0)", "query[0].columns.shop: "),
    ("items.fill_null(0) >= 1", "items >= 1",
     "query[0].filter[0]: expression=(col('items')"),
    ("items.fill_null(0) >= 1", "items.sum()",
     "query[0].filter[0]='items.sum()': is an "
     "aggregate"),
    ('["items.fill_null(0) >= 1"]', "[]", "query[0].filter=[]: must be a list"),
    ('["items.fill_null(0) >= 1"]', "[1]",
     "query[0].filter[0]: 1: an expression is text"),
    ('shop = ["a", "b", "?"]', 'shp = ["a"]', "query[0].group_by.keys: there is no "
     "column 'shp'. Did you mean 'shop'?"),
    ('keys = { shop = ["a", "b", "?"] }', 'by = "shp"', "query[0].group_by.by: there "
     "is no column 'shp'. Did you mean 'shop'?"),
    ("columns = { shop = ", "columns = { other = ",
     "query[0].group_by.keys='shop': may be missing, and is no key so. "
     "Say what a missing key counts as, in the query: "
     'columns = { shop = "shop.fill_null(...)" }.'),
    ('keys = { shop = ["a", "b", "?"] }', "by = []", "query[0].group_by.by=[]: must"),
    ('keys = { shop = ["a", "b", "?"] }', "keys = 3", "query[0].group_by.keys=3: must"),
    ('keys = { shop = ["a", "b", "?"] }', 'by = "shop", keys = [["a", "b"]]',
     "query[0].group_by: keys[('shop',)]=<sequence>: each must be a tuple of 1"),
    ('{ keys = { shop = ["a", "b", "?"] }, rows = 2, groups = 2 }', "3",
     "query[0].group_by=3: must be a table"),
    ('shop = ["a", "b", "?"]', "shop = [1]", "query[0].group_by: "),
    ('shop = ["a", "b", "?"]', "shop = []", "query[0].group_by.keys.shop=[]: must be"),
    ('shop = ["a", "b", "?"]', "shop = [1.5]", "query[0].group_by.keys.shop: a key is"),
    ('shop = ["a", "b", "?"]', 'shop = "a"',
     "query[0].group_by.keys.shop='a': must be"),
    ("rows = 2", "rows = 0", "query[0].group_by.rows=0: must be a whole number"),
    ("rows = 2", "row = 2", "query[0].group_by.row: there is no such key. Did you mean "
     "'rows'?"),
    ('keys = { shop = ["a", "b", "?"] }', 'by = "shop"', "query[0].aggregates"),
    ("people = 2 }", "peple = 2 }", "query[0].weights: weights='peple': is no"),
    ("people = 2 }", 'people = "x" }', "query[0].weights.people='x': must be an exact"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "told"), MISTAKES)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert told in refusal(edited(tmp_path, (old, new)))


def test_a_sum_of_losses_that_passes_the_whole(tmp_path: Path) -> None:
    path = edited(
        tmp_path, ("share = 3", "epsilon = 0.6"), ('"all"', '"all"\nepsilon=0.6')
    )
    assert "the queries would lose epsilon 6/5 in all, which does not fit" in refusal(
        path
    )


def test_files_that_are_no_jobs(tmp_path: Path) -> None:
    assert "is no job" in refusal(written(tmp_path, "job.json", "{}"))
    assert "no such file" in refusal(str(tmp_path / "none.toml"))
    (tmp_path / "folder.toml").mkdir()
    assert "is a directory" in refusal(str(tmp_path / "folder.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"title = '\xff'")
    assert "is not UTF-8" in refusal(str(tmp_path / "bytes.toml"))
    assert "data: is missing" in refusal(written(tmp_path, "empty.toml", ""))
    assert "query=[]" in refusal(
        written(tmp_path, "a.toml", "query = []\n" + JOB.partition("[[query]]")[0])
    )
    deep = "a = " + "[" * 5000 + "]" * 5000
    assert "is no TOML" in refusal(written(tmp_path, "deep.toml", deep))


PYTHON = """\
import opendp_lite.prelude as dp
def context(data):
    return dp.Context.compositor(
        data=[1, 2, 3], domain=dp.vector_domain(dp.atom_domain(T=int)),
        privacy_unit=dp.unit_of(contributions=1), privacy_loss=dp.loss_of(epsilon=1.0))
def queries(context):
    return {"rows": context.query(epsilon=0.5).count().laplace()}
"""


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("def queries", "def other", "has no function 'queries'"),
        ("import opendp_lite.prelude as dp", "import nothing_here",
         "line 1: could not be "
         "run: ModuleNotFoundError: No module named 'nothing_here'"),
        ("def context(data):", "def context(data:",
         "line 2: could not be run: SyntaxError"),
        ("import opendp_lite", "raise SystemExit(3)\nimport opendp_lite",
         "line 1: could"),
        ("    return dp", "    return 3\n    return dp", "context(data) returned int"),
        ('{"rows": context', 'print, {"rows": context',
         "queries(context) returned tuple"),
        ("count().laplace()", "count()", "rows: the query is not a measurement yet"),
        ("count().laplace()", "count().laplace().release()",
         "is int, and no query that"),
        ("count().laplace()", "cuont()", "line 7: could not be run: AttributeError"),
        ("context.query", "globals()['context'](1).query",
         "belongs to another Context"),
        ("epsilon=0.5", "epsilon=1.5", "would lose epsilon 1.5 in all"),
        ("epsilon=0.5", "epsilon=float('inf')", "line 7: could not be run: Context"),
        ("contributions=1", "contributions=0", "contributions=0: data at distance 0"),
        ("epsilon=1.0)", "epsilon=1.0, delta=1)", "delta=1: a delta of 1 allows every"),
        ("dp.unit_of(contributions=1)", "(dp.symmetric_distance(), 0)",
         "privacy_unit[1]=0: data at distance 0"),
        ("dp.loss_of(epsilon=1.0)", "(dp.max_divergence(), float('inf'))",
         "privacy_loss[1]=inf: an infinite loss"),
        ("def context", "LEDGER = {'epsilon': float('inf')}\ndef context",
         "epsilon=inf: must be an exact number above 0"),
        ("def queries(context):\n",
         "def queries(context):\n    context.query(epsilon=0.1)"
         ".count().laplace().release()\n", "something was released while the job was"),
        ("def context", "COLUMNS = {'a': 3}\ndef context",
         "COLUMNS: columns='a': a column"),
        ("def context", "LEDGER = 3\ndef context", "LEDGER=3: must be a table"),
    ],
)  # fmt: skip
def test_mistakes_of_a_python_file(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    assert PYTHON.count(old) == 1
    path = written(tmp_path, "job.py", PYTHON.replace(old, new))
    data = written(tmp_path, "data.csv", "a\n1\n")
    with pytest.raises(JobError) as caught:
        jobs.read(path).preview(data)
    assert told in caught.value.message
    assert "\n" not in caught.value.message


def test_a_python_file_opens_the_data_itself(tmp_path: Path) -> None:
    job = jobs.read(written(tmp_path, "job.py", PYTHON))
    with pytest.raises(JobError, match="opens the data itself"):
        job.preview()
    data = written(tmp_path, "data.csv", "a\n1\n")
    assert job.preview(data).loss == Fraction(1, 2)
    # What is changed afterwards is another job, with another digest.
    other = written(tmp_path, "job.py", PYTHON.replace("0.5", "0.25"))
    again = jobs.read(other)
    assert again.preview(data).loss == Fraction(1, 4)
    assert job.preview(data).loss == Fraction(1, 2)
    assert again.sha256 != job.sha256
