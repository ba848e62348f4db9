"""Engines: where rows are, and what computes the exact integers of a plan from them."""

from opendp_lite.tables.engines.duckdb import DuckDBEngine as DuckDBEngine
from opendp_lite.tables.engines.polars import PolarsEngine as PolarsEngine
from opendp_lite.tables.engines.spark import SparkEngine as SparkEngine
