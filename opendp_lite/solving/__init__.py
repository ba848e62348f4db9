"""Solving: the parameter, the share or the unit for which a budget is enough."""
