"""What type checkers and editors read instead of `links.py`.

`python -m tests.context.links` writes this file, and a test compares it. Where
`output_measure` is left out, a query puts in its own measure. One number may be left
out, and the query then solves for it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, overload

from opendp_lite.base.aliases import (
    Bounds,
    Data,
    DataFunction,
    Distance,
    DistanceMap,
    ExactNumber,
    Loss,
)
from opendp_lite.context.queries import Query
from opendp_lite.core.domains import Domain
from opendp_lite.core.measurement import Measurement
from opendp_lite.core.measures import Measure
from opendp_lite.core.measures.measure import MeasureArgument
from opendp_lite.core.metrics.metric import Metric, MetricArgument
from opendp_lite.core.registry import Partial
from opendp_lite.core.transformation import Transformation
from opendp_lite.data.type_arguments import TypeArgument
from opendp_lite.laws.noise import Noise
from opendp_lite.laws.tradeoff import Tradeoff
from opendp_lite.laws.user_tradeoff import UserTradeoff
from opendp_lite.tables.expressions import Expr

class Links:
    def RDP_to_approxDP(self, orders: Iterable[ExactNumber] | None = None) -> Query:
        """Return the measurement with its Renyi curve converted to a profile."""
    @overload
    def above_threshold(
        self, output_measure: Measure, threshold: ExactNumber, scale: ExactNumber = ...
    ) -> Query:
        """Return a measurement that finds the first answer that reaches a threshold."""
    @overload
    def above_threshold(
        self, output_measure: Measure, *, scale: ExactNumber
    ) -> Query: ...
    @overload
    def above_threshold(
        self, threshold: ExactNumber, scale: ExactNumber = ...
    ) -> Query: ...
    @overload
    def above_threshold(self, *, scale: ExactNumber) -> Query: ...
    @overload
    def adaptive_composition(
        self, output_measure: Measure, d_in: Distance, d_mids: Sequence[Loss]
    ) -> Query:
        """Return a measurement that opens a session for queries chosen one after the
        other."""
    @overload
    def adaptive_composition(self, d_in: Distance, d_mids: Sequence[Loss]) -> Query: ...
    def approximate(self) -> Query:
        """Return the measurement with its loss as a pair (loss, delta), where delta
        is 0."""
    @overload
    def b_ary_tree(self, leaf_count: int, branching_factor: int = ...) -> Query:
        """Return the transformation of counts into a tree of their sums."""
    @overload
    def b_ary_tree(self, *, branching_factor: int) -> Query: ...
    @overload
    def bounded_float_checked_sum(
        self, size_limit: ExactNumber, bounds: Bounds, S: str = "Pairwise<T>"
    ) -> Query:
        """Return `make_sum` of floats within `bounds`."""
    @overload
    def bounded_float_checked_sum(
        self, *, bounds: Bounds, S: str = "Pairwise<T>"
    ) -> Query: ...
    @overload
    def bounded_float_ordered_sum(
        self, size_limit: ExactNumber, bounds: Bounds, S: str = "Pairwise<T>"
    ) -> Query:
        """Return `make_sum` of ordered floats within `bounds`."""
    @overload
    def bounded_float_ordered_sum(
        self, *, bounds: Bounds, S: str = "Pairwise<T>"
    ) -> Query: ...
    def bounded_int_monotonic_sum(
        self, bounds: Bounds, T: TypeArgument | None = None
    ) -> Query:
        """Return `make_sum` of integers within `bounds`."""
    def bounded_int_ordered_sum(
        self, bounds: Bounds, T: TypeArgument | None = None
    ) -> Query:
        """Return `make_sum` of ordered integers within `bounds`."""
    def bounded_int_split_sum(
        self, bounds: Bounds, T: TypeArgument | None = None
    ) -> Query:
        """Return `make_sum` of integers within `bounds`."""
    def cast(self, TOA: TypeArgument) -> Query:
        """Return the transformation that casts every row to `TOA`, or else to None."""
    def cast_default(self, TOA: TypeArgument) -> Query:
        """Return the transformation that casts every row to the type `TOA`."""
    def cast_inherent(self, TOA: TypeArgument) -> Query:
        """Return the transformation that casts every row to a float, or else to NaN."""
    def cdf(self, TA: TypeArgument = float) -> Query:
        """Return the function of counts that returns the share of each bin and those
        below."""
    def clamp(self, bounds: Bounds) -> Query:
        """Return the transformation that brings every row into `bounds`."""
    def clip_rows(
        self, norm: ExactNumber = ..., p: ExactNumber = 2, *, k: int | None = None
    ) -> Query:
        """Return the transformation that shortens every row, a vector, to a norm."""
    def consistent_b_ary_tree(
        self,
        branching_factor: int = ...,
        TIA: TypeArgument = int,
        TOA: TypeArgument = float,
    ) -> Query:
        """Return the function of a noisy tree that returns the leaves of the nearest
        one."""
    def count(self, TO: TypeArgument = int) -> Query:
        """Return the transformation of a data set into its number of rows."""
    def count_by(
        self, TV: TypeArgument = int, MO: MetricArgument | None = None
    ) -> Query:
        """Return the transformation of a data set into a map from its values to
        counts."""
    def count_by_categories(
        self,
        categories: Iterable[Any],
        null_category: bool = True,
        MO: MetricArgument = "L1Distance<int>",
        TOA: TypeArgument = int,
    ) -> Query:
        """Return the transformation of a data set into the counts of some of its
        values."""
    def count_distinct(self, TO: TypeArgument = int) -> Query:
        """Return the transformation of a data set into its number of different
        values."""
    def covariance(
        self, bounds_0: Bounds, bounds_1: Bounds, ddof: ExactNumber = 1
    ) -> Query:
        """Return the transformation of pairs of numbers, of public size, into a
        covariance."""
    def create_dataframe(
        self, col_names: Any = ..., K: TypeArgument | None = None
    ) -> Query:
        """Return the transformation of records, lists of cells, into a frame of
        text."""
    def df_cast_default(
        self, column_name: object, TIA: TypeArgument, TOA: TypeArgument
    ) -> Query:
        """Return the transformation that casts the entries of one column of a frame."""
    def df_is_equal(
        self, column_name: object, value: object, TIA: TypeArgument | None = None
    ) -> Query:
        """Return the transformation that compares the entries of one column with a
        value."""
    def drop_null(self) -> Query:
        """Return the transformation that leaves out the rows that are None or NaN."""
    def find(self, categories: Sequence[object]) -> Query:
        """Return the transformation of every row into its place among `categories`."""
    def find_bin(self, edges: Sequence[ExactNumber]) -> Query:
        """Return the transformation of every row into the number of its bin."""
    def fix_delta(self, delta: ExactNumber = ...) -> Query:
        """Return the measurement with its profile replaced by one pair (epsilon,
        delta)."""
    def fixed_approxDP_to_approxDP(self) -> Query:
        """Return the measurement with its pair (e, d) converted to a profile."""
    def frame_column(self, key: object, TOA: TypeArgument | None = None) -> Query:
        """Return the transformation of a frame into the list of one of its columns."""
    def frame_subset(self, indicator_column: object, keep_columns: Any = ...) -> Query:
        """Return the transformation that keeps the rows that one column marks by
        True."""
    @overload
    def fully_adaptive_composition(self, output_measure: Measure) -> Query:
        """Return an odometer: it opens sessions without a limit, which tell their
        loss."""
    @overload
    def fully_adaptive_composition(self) -> Query: ...
    def gaussian(
        self,
        scale: ExactNumber = ...,
        k: ExactNumber | None = None,
        MO: MeasureArgument = "ZeroConcentratedDivergence",
    ) -> Query:
        """Return a measurement that adds Gaussian noise to a number, or each of a
        vector."""
    @overload
    def gaussian_threshold(
        self,
        scale: ExactNumber,
        threshold: ExactNumber = ...,
        k: ExactNumber | None = None,
        MO: MeasureArgument = "Approximate<ZeroConcentratedDivergence>",
    ) -> Query:
        """Return a measurement that releases the keys whose noisy value is large
        enough."""
    @overload
    def gaussian_threshold(
        self,
        *,
        threshold: ExactNumber,
        k: ExactNumber | None = None,
        MO: MeasureArgument = "Approximate<ZeroConcentratedDivergence>",
    ) -> Query: ...
    def geometric(
        self,
        scale: ExactNumber = ...,
        bounds: Bounds | None = None,
        MO: MeasureArgument = "MaxDivergence",
    ) -> Query:
        """Return a measurement that adds discrete Laplace noise to an integer, or to
        each."""
    def histogram(
        self,
        edges: Iterable[ExactNumber],
        MO: MetricArgument = "L1Distance<int>",
        TOA: TypeArgument = int,
    ) -> Query:
        """Return the transformation of numbers into how many lie between edges."""
    def identity(self) -> Query:
        """Return the transformation of any metric space that returns its argument."""
    def impute_constant(self, constant: object) -> Query:
        """Return the transformation that puts `constant` where a row is None or NaN."""
    def impute_uniform_float(self, bounds: Bounds) -> Query:
        """Return the transformation that draws a number where a row is None or NaN."""
    def index(
        self,
        categories: Sequence[object],
        null: object,
        TOA: TypeArgument | None = None,
    ) -> Query:
        """Return the transformation of every row, a place, into what is at that
        place."""
    def is_equal(self, value: object) -> Query:
        """Return the transformation that says of every row whether it is `value`."""
    def is_null(self) -> Query:
        """Return the transformation that says of every row whether it is missing."""
    def laplace(
        self,
        scale: ExactNumber = ...,
        k: ExactNumber | None = None,
        MO: MeasureArgument = "MaxDivergence",
    ) -> Query:
        """Return a measurement that adds Laplace noise to a number, or to each of a
        vector."""
    @overload
    def laplace_threshold(
        self,
        scale: ExactNumber,
        threshold: ExactNumber = ...,
        k: ExactNumber | None = None,
        MO: MeasureArgument = "Approximate<MaxDivergence>",
    ) -> Query:
        """Return a measurement that releases the keys whose noisy value is large
        enough."""
    @overload
    def laplace_threshold(
        self,
        *,
        threshold: ExactNumber,
        k: ExactNumber | None = None,
        MO: MeasureArgument = "Approximate<MaxDivergence>",
    ) -> Query: ...
    @overload
    def lipschitz_float_mul(self, constant: ExactNumber, bounds: Bounds) -> Query:
        """Return the transformation of a number into its product with a constant."""
    @overload
    def lipschitz_float_mul(self, *, bounds: Bounds) -> Query: ...
    def mean(self, *, k: int | None = None) -> Query:
        """Return the transformation of bounded numbers, of public size, into their
        mean."""
    def metric_bounded(self) -> Query:
        """Return the transformation that counts changed rows, where the size is
        public."""
    def metric_unbounded(self) -> Query:
        """Return the transformation that counts a changed row as one out and one in."""
    @overload
    def noise(
        self,
        output_measure: Measure,
        scale: ExactNumber = ...,
        k: ExactNumber | None = None,
    ) -> Query:
        """Return a measurement that adds the noise that belongs to `output_measure`."""
    @overload
    def noise(
        self, scale: ExactNumber = ..., k: ExactNumber | None = None
    ) -> Query: ...
    @overload
    def noise_threshold(
        self,
        output_measure: Measure,
        scale: ExactNumber,
        threshold: ExactNumber = ...,
        k: ExactNumber | None = None,
    ) -> Query:
        """Return `make_laplace_threshold` or `make_gaussian_threshold`, by the
        measure."""
    @overload
    def noise_threshold(
        self,
        output_measure: Measure,
        *,
        threshold: ExactNumber,
        k: ExactNumber | None = None,
    ) -> Query: ...
    @overload
    def noise_threshold(
        self,
        scale: ExactNumber,
        threshold: ExactNumber = ...,
        k: ExactNumber | None = None,
    ) -> Query: ...
    @overload
    def noise_threshold(
        self, *, threshold: ExactNumber, k: ExactNumber | None = None
    ) -> Query: ...
    @overload
    def noisy_max(
        self, output_measure: Measure, scale: Any = ..., negate: bool = False
    ) -> Query:
        """Return a measurement that selects the index of one of the highest scores."""
    @overload
    def noisy_max(self, scale: Any = ..., negate: bool = False) -> Query: ...
    @overload
    def noisy_top_k(
        self,
        output_measure: Measure,
        k: ExactNumber,
        scale: Any = ...,
        negate: bool = False,
    ) -> Query:
        """Return a measurement that selects the indices of k of the highest scores."""
    @overload
    def noisy_top_k(
        self, output_measure: Measure, *, scale: Any, negate: bool = False
    ) -> Query: ...
    @overload
    def noisy_top_k(
        self, k: ExactNumber, scale: Any = ..., negate: bool = False
    ) -> Query: ...
    @overload
    def noisy_top_k(self, *, scale: Any, negate: bool = False) -> Query: ...
    def ordered_random(self) -> Query:
        """Return the transformation that puts the rows into a random order."""
    def parallel_composition(
        self,
        by: Transformation | Sequence[object] | Callable[[Any], Any],
        measurements: Sequence[Measurement],
    ) -> Query:
        """Return the measurement that releases each block of a partition of the
        rows."""
    def poisson_subsample(self, rate: ExactNumber = ...) -> Query:
        """Return the measurement that sees each row with a probability, and else
        not."""
    def population_amplification(self, population_size: ExactNumber = ...) -> Query:
        """Return the measurement with the smaller loss that the rows of a population
        have."""
    @overload
    def private_bounds(
        self,
        output_measure: Measure,
        scale: ExactNumber = ...,
        alpha: ExactNumber = 0.01,
        exponents: tuple[int, int] | None = None,
    ) -> Query:
        """Return a measurement of bounds between which most rows lie, for
        `then_clamp`."""
    @overload
    def private_bounds(
        self,
        scale: ExactNumber = ...,
        alpha: ExactNumber = 0.01,
        exponents: tuple[int, int] | None = None,
    ) -> Query: ...
    @overload
    def private_mean(
        self, output_measure: Measure, scale: ExactNumber = ..., *, k: int | None = None
    ) -> Query:
        """Return a measurement of the mean, sum and count of bounded numbers, as
        one."""
    @overload
    def private_mean(
        self, scale: ExactNumber = ..., *, k: int | None = None
    ) -> Query: ...
    @overload
    def private_quantile(
        self,
        output_measure: Measure,
        candidates: Iterable[ExactNumber],
        alpha: ExactNumber,
        scale: Any = ...,
    ) -> Query:
        """Return a measurement that selects a candidate near the alpha-quantile."""
    @overload
    def private_quantile(
        self, output_measure: Measure, candidates: Iterable[ExactNumber], *, scale: Any
    ) -> Query: ...
    @overload
    def private_quantile(
        self, candidates: Iterable[ExactNumber], alpha: ExactNumber, scale: Any = ...
    ) -> Query: ...
    @overload
    def private_quantile(
        self, candidates: Iterable[ExactNumber], *, scale: Any
    ) -> Query: ...
    def product(
        self, parts: Sequence[Measurement | Partial[Measurement] | None]
    ) -> Query:
        """Return the measurement that releases each part of a tuple by one of its
        own."""
    def pureDP_to_zCDP(self) -> Query:
        """Return the measurement with its epsilon converted to a rho."""
    def quantile_score_candidates(
        self, candidates: Iterable[ExactNumber], alpha: ExactNumber = ...
    ) -> Query:
        """Return the transformation that scores how far candidates are from a
        quantile."""
    def quantiles_from_counts(
        self,
        bin_edges: Iterable[ExactNumber],
        alphas: Iterable[ExactNumber],
        interpolation: str = "linear",
        TA: TypeArgument | None = None,
        F: TypeArgument = float,
    ) -> Query:
        """Return the function of counts between edges that returns their quantiles."""
    def randomized_response(
        self,
        categories: Iterable[Data],
        prob: ExactNumber = ...,
        T: TypeArgument | None = None,
    ) -> Query:
        """Return a measurement that releases a category with probability `prob`,
        else one of the others, each with the same probability."""
    def randomized_response_bitvec(
        self, f: ExactNumber = ..., constant_time: bool = False
    ) -> Query:
        """Return a measurement that flips each bit of a vector with probability f/2,
        all of them independently."""
    def randomized_response_bitvec_column(self, f: ExactNumber = ...) -> Query:
        """Return a measurement that flips each bit of each vector of a column with
        probability f/2, all of them independently."""
    def randomized_response_bool(
        self, prob: ExactNumber = ..., constant_time: bool = False
    ) -> Query:
        """Return a measurement that releases a boolean with probability `prob`, else
        its opposite."""
    def randomized_response_column(
        self, categories: Iterable[Data], prob: ExactNumber = ...
    ) -> Query:
        """Return a measurement that answers for every row of a column,
        independently, as `make_randomized_response` does."""
    @overload
    def resize(
        self, size: int, constant: object, MO: MetricArgument | None = None
    ) -> Query:
        """Return the transformation of data sets into data sets of `size` rows."""
    @overload
    def resize(
        self, *, constant: object, MO: MetricArgument | None = None
    ) -> Query: ...
    def row_by_row(
        self,
        output_row_domain: Domain,
        row_function: Callable[[Any], Any],
        default: object,
    ) -> Query:
        """Return the transformation that applies a function of the user's to every
        row."""
    def select_column(
        self, key: object, TOA: TypeArgument, K: TypeArgument | None = None
    ) -> Query:
        """Return the partial `then_frame_column`: it takes its frames from the left
        of >>."""
    @overload
    def select_private_candidate(
        self, stop_probability: ExactNumber, threshold: ExactNumber = ...
    ) -> Query:
        """Return the measurement that repeats another until a score is high enough."""
    @overload
    def select_private_candidate(self, *, threshold: ExactNumber) -> Query: ...
    @overload
    def sequential_composition(
        self, output_measure: Measure, d_in: Distance, d_mids: Sequence[Loss]
    ) -> Query:
        """Return what `make_adaptive_composition` does, by the name it had before."""
    @overload
    def sequential_composition(
        self, d_in: Distance, d_mids: Sequence[Loss]
    ) -> Query: ...
    @overload
    def sized_bounded_float_checked_sum(
        self, size: ExactNumber, bounds: Bounds, S: str = "Pairwise<T>"
    ) -> Query:
        """Return `make_sum` of floats, of public size, within `bounds`."""
    @overload
    def sized_bounded_float_checked_sum(
        self, *, bounds: Bounds, S: str = "Pairwise<T>"
    ) -> Query: ...
    @overload
    def sized_bounded_float_ordered_sum(
        self, size: ExactNumber, bounds: Bounds, S: str = "Pairwise<T>"
    ) -> Query:
        """Return `make_sum` of ordered floats, of public size, within `bounds`."""
    @overload
    def sized_bounded_float_ordered_sum(
        self, *, bounds: Bounds, S: str = "Pairwise<T>"
    ) -> Query: ...
    @overload
    def sized_bounded_int_checked_sum(
        self, size: ExactNumber, bounds: Bounds, T: TypeArgument | None = None
    ) -> Query:
        """Return `make_sum` of integers, of public size, within `bounds`."""
    @overload
    def sized_bounded_int_checked_sum(
        self, *, bounds: Bounds, T: TypeArgument | None = None
    ) -> Query: ...
    @overload
    def sized_bounded_int_monotonic_sum(
        self, size: ExactNumber, bounds: Bounds, T: TypeArgument | None = None
    ) -> Query:
        """Return `make_sum` of integers, of public size, within `bounds`."""
    @overload
    def sized_bounded_int_monotonic_sum(
        self, *, bounds: Bounds, T: TypeArgument | None = None
    ) -> Query: ...
    @overload
    def sized_bounded_int_ordered_sum(
        self, size: ExactNumber, bounds: Bounds, T: TypeArgument | None = None
    ) -> Query:
        """Return `make_sum` of ordered integers, of public size, within `bounds`."""
    @overload
    def sized_bounded_int_ordered_sum(
        self, *, bounds: Bounds, T: TypeArgument | None = None
    ) -> Query: ...
    @overload
    def sized_bounded_int_split_sum(
        self, size: ExactNumber, bounds: Bounds, T: TypeArgument | None = None
    ) -> Query:
        """Return `make_sum` of integers, of public size, within `bounds`."""
    @overload
    def sized_bounded_int_split_sum(
        self, *, bounds: Bounds, T: TypeArgument | None = None
    ) -> Query: ...
    @overload
    def snapping(
        self, scale: ExactNumber, bounds: Bounds, *, precision: int | None = None
    ) -> Query:
        """Return a measurement that adds Laplace noise, rounds to a lattice and
        clamps."""
    @overload
    def snapping(self, *, bounds: Bounds, precision: int | None = None) -> Query: ...
    @overload
    def sparse_vector(
        self, output_measure: Measure, threshold: Any, scale: Any, k: ExactNumber = ...
    ) -> Query:
        """Return a measurement that finds the first k answers that reach a
        threshold."""
    @overload
    def sparse_vector(
        self, output_measure: Measure, *, scale: Any, k: ExactNumber
    ) -> Query: ...
    @overload
    def sparse_vector(
        self, output_measure: Measure, threshold: Any, *, k: ExactNumber
    ) -> Query: ...
    @overload
    def sparse_vector(
        self, threshold: Any, scale: Any, k: ExactNumber = ...
    ) -> Query: ...
    @overload
    def sparse_vector(self, *, scale: Any, k: ExactNumber) -> Query: ...
    @overload
    def sparse_vector(self, threshold: Any, *, k: ExactNumber) -> Query: ...
    def split_dataframe(
        self, separator: str, col_names: Any = ..., K: TypeArgument | None = None
    ) -> Query:
        """Return the transformation of a text into a frame of text, line by line."""
    def split_lines(self) -> Query:
        """Return the transformation of a text into the list of its lines."""
    def split_records(self, separator: str = ",") -> Query:
        """Return the transformation of lines into lists of cells."""
    def subset_by(
        self,
        indicator_column: object,
        keep_columns: Any = ...,
        TK: TypeArgument | None = None,
    ) -> Query:
        """Return the partial `then_frame_subset`: it takes its frames from the left
        of >>."""
    def sum(self, *, k: int | None = None) -> Query:
        """Return the transformation of bounded numbers, or vectors, into their exact
        sum."""
    def sum_of_squared_deviations(
        self, S: str | None = None, *, k: int | None = None
    ) -> Query:
        """Return the transformation into the sum of squared deviations from the
        mean."""
    def table_count_distinct(
        self,
        keys: Mapping[Any, Sequence[Any]],
        column: str,
        *,
        p: int = 1,
        groups: int = 1,
        salt: int = 0,
    ) -> Query:
        """Return the transformation of a table into numbers of different values, by
        key."""
    def table_filter(self, predicate: Expr) -> Query:
        """Return the transformation that keeps the rows in which an expression is
        true."""
    def table_group_by(
        self,
        keys: Mapping[Any, Sequence[Any]],
        sums: Mapping[str, Expr],
        *,
        p: int = 1,
        rows: int = 1,
        groups: int = 1,
        salt: int = 0,
        k: Mapping[str, int] | None = None,
    ) -> Query:
        """Return the transformation of a table into vectors of exact integers, by
        key."""
    def table_join(
        self,
        public: Mapping[str, Sequence[Any]],
        on: str | Sequence[str],
        how: str = "left",
    ) -> Query:
        """Return the transformation that brings columns of a public table, by its
        keys."""
    @overload
    def table_threshold(
        self,
        output_measure: Measure,
        by: Sequence[str],
        sums: Mapping[str, Expr],
        scales: Sequence[ExactNumber | None],
        threshold: ExactNumber = ...,
        *,
        rows: int = 1,
        groups: int = 1,
        salt: int = 0,
        k: Mapping[str, int] | None = None,
    ) -> Query:
        """Return a measurement of a table by keys that are not known beforehand."""
    @overload
    def table_threshold(
        self,
        by: Sequence[str],
        sums: Mapping[str, Expr],
        scales: Sequence[ExactNumber | None],
        threshold: ExactNumber = ...,
        *,
        rows: int = 1,
        groups: int = 1,
        salt: int = 0,
        k: Mapping[str, int] | None = None,
    ) -> Query: ...
    def table_with_columns(self, columns: Mapping[str, Expr]) -> Query:
        """Return the transformation that computes columns of each row's own columns."""
    @overload
    def tradeoff_noise(self, d_in: ExactNumber, tradeoff: Tradeoff) -> Query:
        """Return a measurement that adds the noise which a tradeoff function calls
        for."""
    @overload
    def tradeoff_noise(self, *, tradeoff: Tradeoff) -> Query: ...
    def unordered(self) -> Query:
        """Return the transformation that forgets that the order of the rows counts."""
    @overload
    def user_measurement(
        self,
        output_measure: Measure,
        function: DataFunction,
        privacy_map: DistanceMap,
        TO: TypeArgument = "ExtrinsicObject",
        noise: Noise | None = None,
    ) -> Query:
        """Return a measurement made of the user's own function and map."""
    @overload
    def user_measurement(
        self,
        function: DataFunction,
        privacy_map: DistanceMap,
        TO: TypeArgument = "ExtrinsicObject",
        noise: Noise | None = None,
    ) -> Query: ...
    @overload
    def user_tradeoff_noise(self, d_in: ExactNumber, tradeoff: UserTradeoff) -> Query:
        """Return a measurement that adds the noise which a user's own tradeoff calls
        for."""
    @overload
    def user_tradeoff_noise(self, *, tradeoff: UserTradeoff) -> Query: ...
    def user_transformation(
        self,
        output_domain: Domain,
        output_metric: Metric,
        function: DataFunction,
        stability_map: DistanceMap,
    ) -> Query:
        """Return a transformation made of the user's own function and map."""
    def variance(
        self, ddof: ExactNumber = 1, S: str | None = None, *, k: int | None = None
    ) -> Query:
        """Return the transformation of bounded numbers, of public size, into the
        variance."""
    def zCDP_to_approxDP(self) -> Query:
        """Return the measurement with its rho converted to a profile delta(epsilon)."""
