"""Side-by-side runs against OpenDP, printed as ratios: `python -m benchmarks`."""
