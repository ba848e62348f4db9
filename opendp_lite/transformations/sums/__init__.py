"""Sums and moments, exact: totals, means, variances, covariances."""

__all__: list[str] = []
