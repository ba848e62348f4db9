"""Narwhals is loaded once: each refusal of a vector asks whether it could be."""

import narwhals  # noqa: F401
