"""Measurements that select: candidates, a quantile, answers above a threshold."""
