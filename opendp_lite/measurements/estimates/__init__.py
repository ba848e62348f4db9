"""Measurements that estimate in one call: a mean of unknown size, bounds of data."""

__all__: list[str] = []
