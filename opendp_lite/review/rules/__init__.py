"""The rules of the review, one file a rule."""

__all__: list[str] = []
