"""Counts: of rows, of different rows, of categories, and between edges."""
