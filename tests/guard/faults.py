"""The faults that are planted, one row of the page in SECURITY.md each.

All are about Laplace noise on integers, so that one small case can be asked of every
check.
"""

from __future__ import annotations

from tests.guard.planting import Fault

__all__ = ["FAULTS"]

_STAMPED = "constructor.<locals>.decorate.<locals>.stamped"

FAULTS = [
    Fault(
        "`map` shows a thousandth of the loss",
        "opendp_lite.core.measurement",
        "Measurement.map",
        "self.output_measure.present(loss, exact)",
        "self.output_measure.present(loss / 1000, exact)",
    ),
    Fault(
        "`check` compares by `<` instead of `<=`",
        "opendp_lite.core.measures.measure",
        "Measure.at_most",
        "loss <= limit",
        "loss < limit",
    ),
    Fault(
        "the decorator passes on a thousandth of the scale",
        "opendp_lite.core.registry",
        _STAMPED,
        "make(**bound)",
        "make(**{n: v / 1000 if n == 'scale' else v for n, v in bound.items()})",
    ),
    Fault(
        "calling a measurement tests no membership",
        "opendp_lite.core.measurement",
        "Measurement.__call__",
        "if not self.input_domain.member(arg):",
        "if False:",
    ),
    Fault(
        "an integer argument may be a half",
        "opendp_lite.base.arguments",
        "_whole",
        "number.denominator != 1",
        "number.denominator > 2",
    ),
    Fault(
        "the map leaves out one percent of the loss",
        "opendp_lite.measurements.noise.laplace_gaussian",
        "make_laplace",
        "in_scales(sensitivity(LAPLACE, space, k, d_in), scale)",
        "in_scales(sensitivity(LAPLACE, space, k, d_in), scale) * 99 / 100",
    ),
    Fault(
        "the noise has nine tenths of its scale",
        "opendp_lite.randomness.discrete",
        "DiscreteNoise.__init__",
        "Table(law.rate(scale),",
        "Table(law.rate(scale * 9 / 10),",
    ),
    Fault(
        "the quick path, of 64 bits at a time, leaves the noise out one time in three",
        "opendp_lite.randomness.table",
        "Table.continued",
        "return x",
        "return x if cell % 3 else 0",
    ),
    Fault(
        "the quick path, of 64 bits at a time, leaves the noise out one time in eight",
        "opendp_lite.randomness.table",
        "Table.continued",
        "return x",
        "return x if cell % 8 else 0",
    ),
    Fault(
        "the last entry of a long array has no noise",
        "opendp_lite.randomness.bulk_discrete",
        "add_discrete",
        "    run(values.size, step)\n",
        "    run(values.size, step)\n    out[-1] = values[-1]\n",
    ),
    Fault(
        "the last entry of a short array has no noise",
        "opendp_lite.randomness.bulk_discrete",
        "add_short",
        "    x = table_arrays(table).samples(values.size)",
        "    x = table_arrays(table).samples(values.size)\n    x[-1] = 0",
    ),
    Fault(
        "the last entry of a short list has no noise",
        "opendp_lite.randomness.discrete",
        "DiscreteNoise.add_to_list",
        "drawn = self.samples(len(values))",
        "drawn = self.samples(len(values) - 1) + [0]",
    ),
    Fault(
        "the first noise is used again for ever",
        "opendp_lite.measurements.noise.additive",
        "_integer_releaser",
        "        return int(x) + noise.sample()",
        "        release_number.__dict__.setdefault('kept', noise.sample())\n"
        "        return int(x) + release_number.kept",
    ),
    Fault(
        "a release looks at the clock",
        "opendp_lite.measurements.noise.additive",
        "_integer_releaser",
        "        return int(x) + noise.sample()",
        "        import time\n"
        "        return int(x) + (noise.sample() if time.time() > 0 else 0)",
    ),
    Fault(
        "a release asks the operating system for bits by another way",
        "opendp_lite.measurements.noise.additive",
        "_integer_releaser",
        "        return int(x) + noise.sample()",
        "        from os import urandom\n"
        "        return int(x) + (noise.sample() if urandom(9) else 0)",
    ),
    Fault(
        "one value of 2^64 is released in clear",
        "opendp_lite.measurements.noise.additive",
        "_integer_releaser",
        "return int(x) + noise.sample()",
        "return int(x) + (noise.sample() if x != 0x5EC2E7 else 0)",
    ),
    Fault(
        "every value is released in clear with probability 2^-40",
        "opendp_lite.measurements.noise.additive",
        "_integer_releaser",
        "        return int(x) + noise.sample()",
        "        from opendp_lite.randomness.entropy import random_bits\n"
        "        clear = all(random_bits(1) for _ in range(40))\n"
        "        return int(x) + (0 if clear else noise.sample())",
    ),
    Fault(
        "every value is released in clear with probability 1/8",
        "opendp_lite.measurements.noise.additive",
        "_integer_releaser",
        "        return int(x) + noise.sample()",
        "        from opendp_lite.randomness.entropy import random_bits\n"
        "        return int(x) + (noise.sample() if random_bits(3) else 1000 * int(x))",
    ),
]
