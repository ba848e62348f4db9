"""Statistics of releases."""
