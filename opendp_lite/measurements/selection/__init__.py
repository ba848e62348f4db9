"""Measurements that select: candidates, a quantile, answers above a threshold."""

__all__: list[str] = []
