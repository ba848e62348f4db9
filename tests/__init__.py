"""A package: another one of this name, elsewhere, would hide a mere folder."""
