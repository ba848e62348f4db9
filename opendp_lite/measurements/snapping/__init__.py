"""The snapping mechanism: its arguments, its precision, its constructor."""

__all__: list[str] = []
