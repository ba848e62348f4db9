"""The snapping mechanism: its arguments, lattice, sampler, constructor and accuracy."""
