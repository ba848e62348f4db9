"""Counts: of rows, of different rows, of categories, and between edges."""

__all__: list[str] = []
