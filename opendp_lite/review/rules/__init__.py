"""The rules of the review: each finds one sort of problem."""
