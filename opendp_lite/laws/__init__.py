"""Laws of noise: mathematics by exact numbers and enclosures; nothing is drawn.

`noise` names the laws, `weights` encloses their weights and -ln U, `tails` bounds their
tails. `amplification` and `conversions` compute with losses. The other modules are
about tradeoff functions, which canonical noise fits.
"""
