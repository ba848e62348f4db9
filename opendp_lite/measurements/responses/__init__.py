"""Measurements that answer at random: randomized response."""
