"""Test a share, and bound it, from one private count.

Of 1,000 people asked, how many would say yes? The count is released once, with
canonical noise. The p-value, the test and the confidence intervals are functions of
that release: they cost nothing more, and count the noise as well as the sampling.

    python examples/private_count_test.py
"""

import opendp_lite.prelude as dp
from opendp_lite.extras.numpy.canonical import BinomialCND, one_sided_power

SIZE = 1_000
D_IN, D_OUT = 1, (0.5, 1e-6)

# The 560 who say yes. The number of people is public; who said what is not.
answers = ["yes"] * 560 + ["no"] * 440

# Before anything is released: how often would a share of 55 % be told from 50 %?
power = one_sided_power(D_IN, D_OUT, SIZE, theta=0.5, alpha=0.05, alternative=0.55)
print(f"power at a share of 55 %: {power:.3f}")

space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
noisy_count = space >> dp.m.then_canonical_noise(d_in=D_IN, d_out=D_OUT)
print("privacy loss (epsilon, delta):", noisy_count.map(1.0))

# Another answer of one person changes the count by one.
release = noisy_count(float(answers.count("yes")))
print(f"released: {release:.2f} of {SIZE}")

count = BinomialCND(release, D_IN, D_OUT, SIZE)
print(f"p-value of 'at most half': {count.p_value(0.5, tail='right'):.2g}")
print(f"p-value of 'exactly half': {count.p_value(0.5):.2g}")
print("'at most half' is rejected at 5 %:", count.rejects(0.5, "0.05", tail="right"))

low, high = count.confidence_interval(alpha="0.05")
print(f"95 % confidence interval: {low:.3f} to {high:.3f}")
print(f"95 % lower bound alone: {count.confidence_interval('0.05', side='lower'):.3f}")
