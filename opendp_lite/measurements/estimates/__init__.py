"""Measurements that estimate in one call: a mean of unknown size, bounds of data."""
