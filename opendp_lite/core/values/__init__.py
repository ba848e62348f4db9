"""Data and arguments as values: lists and arrays, their types, what is equal."""

__all__: list[str] = []
