"""Trees of counts, and what is computed from their releases: leaves, quantiles."""

__all__: list[str] = []
