"""Contracts: what every constructor must keep, whatever it makes."""

__all__: list[str] = []
