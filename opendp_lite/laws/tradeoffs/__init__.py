"""Tradeoff functions, by enclosures: what canonical noise needs to know of one."""

__all__: list[str] = []
