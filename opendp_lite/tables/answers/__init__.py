"""Answers about tables: numbers with intervals, frames, and what is shown before."""
