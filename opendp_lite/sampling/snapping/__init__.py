"""Samplers of the snapping mechanism, of one number and of whole arrays."""

__all__: list[str] = []
