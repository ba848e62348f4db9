"""What is said where something is missing or does not fit; loaded when it is said."""

__all__: list[str] = []
