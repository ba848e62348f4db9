"""What is said to people: of missing names, of calls that do not fit, in notebooks."""

__all__: list[str] = []
