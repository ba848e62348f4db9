"""Interaction: sessions, queryables, odometers; what is charged, and in what order."""
