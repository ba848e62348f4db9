"""Release a count, a sum and a mean, each with the noise of one (epsilon, delta).

Canonical noise is made for a distance and a pair (epsilon, delta), and leaves nothing
of the pair over at that distance. So the distance is found first: the map of the
transformation tells how far one person moves the number. Counts and sums of integers
are released as integers, means and sums of floats as floats.

    python examples/canonical_noise.py
"""

import opendp_lite.prelude as dp

D_OUT = (0.5, 1e-6)
AGES = [23, 35, 41, 58, 62, 35, 29, 77, 44, 51] * 30

people = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
bounded = people >> dp.t.then_clamp((0, 100))
sized = bounded >> dp.t.then_resize(size=300, constant=50)

statistics = {
    "count": people >> dp.t.then_count(),
    "sum": bounded >> dp.t.then_sum(),
    "mean": sized >> dp.t.then_mean(),
}

for name, statistic in statistics.items():
    # One person more or less moves the statistic by at most this.
    distance = statistic.map(1)
    noisy = statistic >> dp.m.then_canonical_noise(d_in=distance, d_out=D_OUT)
    print(f"{name}: one person moves it by {float(distance):.4g} at most")
    print("  privacy loss (epsilon, delta):", noisy.map(1))
    print(f"  released: {noisy(AGES):.6g}, within {noisy.accuracy('0.05'):.4g}")
