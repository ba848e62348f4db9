"""Laws of noise: mathematics by exact numbers and enclosures; nothing is drawn.

`noise` names the laws, `tails` bounds their tails, `weights` encloses their weights.
`exponential` and `quick_exponential` enclose -ln U, and `finite_logarithm` is Mironov's
arithmetic of it. `snapping_lattice` says which values the snapping mechanism releases.
The tradeoffs that canonical noise fits are in a folder of their own.
"""

__all__: list[str] = []
