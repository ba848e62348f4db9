"""Trees of counts, and what is computed from their releases: leaves, quantiles."""
