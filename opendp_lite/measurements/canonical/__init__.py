"""Canonical noise: its constructors, and how it is drawn."""
