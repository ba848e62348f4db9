"""Explanations: how an object was made, what each step costs, and on whose word."""
