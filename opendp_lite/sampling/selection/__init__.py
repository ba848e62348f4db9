"""Samplers that select: an index by score, answers above a threshold."""

__all__: list[str] = []
