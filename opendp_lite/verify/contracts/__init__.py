"""Contracts: what every constructor must keep, whatever it makes."""
