"""What makes and checks the documentation site; `make docs` runs it."""
