"""What is said of a name that is not there: where it is, what serves instead, or why.

The table is of the public names of OpenDP 0.16 that the library has not. It is asked
for names that are missing only, so that an entry does nothing once its name has come;
who adds the name takes the entry out. `then_x` is told what stands under `make_x`.

Nothing is imported from here before a name is missing, and nothing is imported to look
for it: other modules are looked into if they are loaded.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache

_PACKAGE = __name__.partition(".")[0]

# Where users look for names, as they write it.
_ROOMS = {
    f"{_PACKAGE}.{room}": written
    for room, written in {
        "prelude": "dp",
        "transformations": "dp.t",
        "measurements": "dp.m",
        "combinators": "dp.c",
    }.items()
}

# How near a name must be to be taken for another that was mistyped.
_NEAR = 0.8

_POLARS = (
    "Plans of Polars are not read; tables are described by dp.table_domain, computed "
    "with by dp.col, and a frame of Polars will do as one."
)
_ODOMETER = (
    "Ask the object itself: dp.Odometer.invoke and its fields, and of what it opens "
    "dp.Session.ask and dp.Session.privacy_loss."
)
_QUERYABLE = "Call the queryable with the query: that is what dp.Queryable is for."
_SYNTHETIC = (
    "Synthetic tables are not made here; counts of your own are released by "
    "dp.m.make_laplace or dp.m.make_gaussian."
)
_MATRIX = (
    "Matrices are rows that are vectors: clip them by dp.t.make_clip_rows, add them up "
    "by dp.t.make_sum, and release the sum by dp.m.make_gaussian."
)
_MODEL = (
    "Models are not fitted here; what you compute from releases is free, and "
    "dp.m.make_user_measurement takes a mechanism of your own, on trust."
)
_USERS = (
    "People of a table are counted by dp.symmetric_id_distance, and one whose rows "
    "change counts as two."
)
_TYPES = (
    "Types are Python's own (int, list[float]) or names such as dp.i32, and what is "
    "passed is looked at by dp.domain_of with infer=True."
)
_BRIDGE = "It belongs to OpenDP's own machinery, which is not needed here."
_METHODS = (
    "Ask the object itself: dp.Measurement.invoke, dp.Measurement.map, "
    "dp.Measurement.check and its fields, and those of dp.Transformation."
)
_PYTHON = "It is no name of OpenDP's own: import it from where Python or numpy has it."

# Names of OpenDP, and the sentence that is said of each of them.
_SAID = (
    # transformations
    ("make_stable_expr make_stable_lazyframe", _POLARS),
    # measurements
    (
        "make_alp_queryable",
        "It is not written yet; dp.m.make_laplace_threshold releases a map whose "
        "keys are private.",
    ),
    ("make_private_expr make_private_lazyframe", _POLARS),
    ("make_report_noisy_max_gumbel", "Its successor is dp.m.make_noisy_max."),
    # combinators
    (
        "odometer_input_carrier_type odometer_input_domain "
        "odometer_input_metric odometer_invoke odometer_output_measure "
        "odometer_queryable_invoke odometer_queryable_invoke_type "
        "odometer_queryable_privacy_loss odometer_queryable_privacy_loss_type",
        _ODOMETER,
    ),
    ("queryable_eval queryable_query_type", _QUERYABLE),
    # domains, metrics, measures
    (
        "LazyFrameDomain SeriesDomain array_domain categorical_domain datetime_domain "
        "enum_domain wild_expr_domain with_margin",
        _POLARS,
    ),
    ("ExtrinsicDomain", "Its name is dp.UserDomain here; dp.user_domain makes it."),
    (
        "ExtrinsicDivergence",
        "Its name is dp.UserDivergence here; dp.user_divergence makes it.",
    ),
    (
        "FixedSmoothedMaxDivergence",
        "It is a dp.ApproximateDivergence; dp.fixed_smoothed_max_divergence makes it.",
    ),
    (
        "ChangeOneIdDistance SymmetricIdDistance change_one_id_distance",
        _USERS,
    ),
    (
        "FrameDistance frame_distance",
        "To bound the rows that a person adds to groups of a table, pass rows= and "
        "groups= to Context.table.",
    ),
    (
        "SensitivityMetric",
        "Say which: dp.AbsoluteDistance, dp.L1Distance or dp.L2Distance.",
    ),
    (
        "domain_debug domain_type measure_debug measure_type metric_debug metric_type",
        "Ask Python: repr and type tell it.",
    ),
    ("domain_carrier_type", "Ask the domain: dp.Domain.carrier_type tells it."),
    (
        "measure_distance_type metric_distance_type",
        "Distances and losses are exact numbers here, and have no type of their own.",
    ),
    # objects and their parts
    (
        "function_eval",
        "Call the function: that is what dp.Function is for.",
    ),
    (
        "measurement_check measurement_function measurement_input_carrier_type "
        "measurement_input_distance_type measurement_input_domain "
        "measurement_input_metric measurement_invoke measurement_map "
        "measurement_output_distance_type measurement_output_measure "
        "transformation_check transformation_function "
        "transformation_input_carrier_type transformation_input_distance_type "
        "transformation_input_domain transformation_input_metric "
        "transformation_invoke transformation_map "
        "transformation_output_distance_type transformation_output_domain "
        "transformation_output_metric",
        _METHODS,
    ),
    # types
    (
        "RuntimeTypeDescriptor get_atom get_atom_or_infer get_carrier_type "
        "get_distance_type get_first get_first_non_null get_type get_value_type "
        "parse_or_infer pass_through",
        _TYPES,
    ),
    (
        "set_default_float_type set_default_int_type",
        "Integers have no bounds and floats are double here; where another type is "
        "meant, say so, for example by T=dp.i32 or T=dp.f32.",
    ),
    (
        "ATOM_EQUIVALENCE_CLASSES AnyMeasurementPtr AnyTransformationPtr Carrier "
        "import_optional_dependency to_then",
        _BRIDGE,
    ),
    ("BitVector", "Bits are bytes here, which dp.bitvector_domain describes."),
    (
        "Any GenericAlias Hashable NDArray Optional Sequence Type TypeAlias Union "
        "annotations np re typing",
        _PYTHON,
    ),
    # extras
    (
        "Bound DPExpr DataFrame LazyFrame LazyFrameQuery LazyGroupByQuery Margin "
        "OnceFrame Series SortBy polars summarize_polars_measurement",
        _POLARS,
    ),
    (
        "dp_len len",
        "Rows are counted by dp.t.make_count, and those of a table by dp.count.",
    ),
    (
        "get_connection ibis run_on_database scan_database",
        "Databases are not queried here; pass a column, which dp.vector_domain "
        "describes.",
    ),
    (
        "AIM Algorithm ContingencyTable ContingencyTableQuery Count Fixed MST "
        "Marginals Sequential make_contingency_table mbi mirror_descent",
        _SYNTHETIC,
    ),
    (
        "NPArray2Domain NPArrayDDomain array2_domain arrayd_domain make_np_clamp "
        "make_private_np_mean",
        _MATRIX,
    ),
    (
        "BinomialCND one_sided_confidence_interval one_sided_pvalue "
        "one_sided_uniformly_most_powerful_tests two_sided_confidence_interval "
        "two_sided_pvalue",
        f"It is in {_PACKAGE}.extras.numpy.canonical.",
    ),
    (
        "numpy",
        f"Tests and intervals of releases are in {_PACKAGE}.extras.numpy.canonical; "
        "numpy arrays are taken wherever lists are.",
    ),
    (
        "LinearRegression PCA PCAEpsilons decomposition linear_model make_private_pca "
        "make_private_np_eigendecomposition sklearn then_center",
        _MODEL,
    ),
    (
        "get_california_pums_path get_france_lfs_path",
        "It is in dp.examples, where the tables are synthetic.",
    ),
)


@cache
def table() -> dict[str, str]:
    """Return the sentence of each name of OpenDP that the library has not."""
    said = {name: text for names, text in _SAID for name in names.split()}
    makes = {name: text for name, text in said.items() if name.startswith("make_")}
    return {name.replace("make_", "then_", 1): makes[name] for name in makes} | said


def hint(module: str, name: str, names: Iterable[str]) -> str | None:
    """Return what to say of a name that a module has not, or None.

    :param module: the name of the module
    :param name: the name that was asked for
    :param names: the names that the module has

    >>> hint("opendp_lite.transformations", "make_cuont", ["make_count", "make_sum"])
    'Did you mean dp.t.make_count?'
    """
    here = {each: f"{_ROOMS.get(module, module)}.{each}" for each in names}
    elsewhere = dict(_elsewhere(module))
    if name in elsewhere:
        return f"It is {elsewhere[name]}."
    if name in table():
        return table()[name]
    from difflib import get_close_matches

    for written in (here, elsewhere):
        for near in get_close_matches(name, written, 1, _NEAR):
            return f"Did you mean {written[near]}?"
    for near in get_close_matches(name, table(), 1, _NEAR):
        return f"Did you mean OpenDP's {near}? {table()[near]}"
    return None


def _elsewhere(module: str) -> Iterator[tuple[str, str]]:
    """Yield each name that another room has, and how it is written."""
    for room, written in _ROOMS.items():
        if room != module and room in sys.modules:
            for each in dir(sys.modules[room]):
                yield each, f"{written}.{each}"
