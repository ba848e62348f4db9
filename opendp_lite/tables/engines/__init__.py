"""Engines: where rows are, and what computes the exact integers of a plan from them."""
