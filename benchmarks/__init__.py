"""Side-by-side runs against other libraries: `python -m benchmarks`."""
