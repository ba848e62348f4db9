"""Sums and moments, exact: totals, means, variances, covariances."""
