"""Measurements that add noise to numbers, vectors and maps."""

__all__: list[str] = []
