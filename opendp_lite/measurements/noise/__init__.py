"""Measurements that add noise to numbers, vectors and maps."""
