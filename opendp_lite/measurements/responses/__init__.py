"""Measurements that answer at random: randomized response."""

__all__: list[str] = []
