"""The public surface: complete, consistent and quick to load."""

from __future__ import annotations

import subprocess
import sys
import types

import pytest

import opendp_lite.prelude as dp
from opendp_lite import (
    accuracy,
    domains,
    measures,
    metrics,
    mod,
    review,
    testing,
    verify,
)
from opendp_lite import typing as names
from tests.rows import for_each


def test_every_public_name_is_there() -> None:
    for name in dir(dp):
        assert getattr(dp, name) is not None
    for module in (accuracy, domains, measures, metrics, mod, names):
        assert set(dir(module)) <= set(dir(dp))
        for name in module.__all__:
            assert getattr(dp, name) is getattr(module, name)


@for_each(
    "module",
    [
        *(dp, dp.c, dp.m, dp.t, accuracy, domains, measures, metrics, mod, names),
        *(review, testing, verify),
    ],
    ids=lambda module: module.__name__,
)
def test_public_names_only_are_shown(module: types.ModuleType) -> None:
    shown = dir(module)
    assert shown == sorted(module.__all__)
    assert not [name for name in shown if name.startswith("_")]
    modules = [n for n in shown if isinstance(getattr(module, n), types.ModuleType)]
    assert modules == (["c", "examples", "m", "t"] if module is dp else [])
    for name in ("Any", "TYPE_CHECKING", "annotations", "attrs", "on_demand"):
        assert name not in shown


def test_constructors_come_with_their_partial_forms() -> None:
    for module in (dp.t, dp.m):
        for name in module.__all__:
            if name.startswith("then_"):
                assert name.replace("then_", "make_") in module.__all__
    assert {"make_chain_tt", "make_chain_mt", "make_chain_pm"} <= set(dir(dp.c))


def test_the_names_of_opendp() -> None:
    for name in (
        "atom_domain vector_domain option_domain map_domain bitvector_domain "
        "user_domain absolute_distance symmetric_distance insert_delete_distance "
        "change_one_distance hamming_distance discrete_distance l1_distance "
        "l2_distance linf_distance l01inf_distance l02inf_distance user_distance "
        "max_divergence zero_concentrated_divergence renyi_divergence approximate "
        "smoothed_max_divergence user_divergence space_of domain_of metric_of "
        "binary_search binary_search_param binary_search_chain enable_features "
        "exponential_bounds_search OpenDPException Transformation Measurement "
        "Domain Metric Measure Function new_function disable_features "
        "laplacian_scale_to_accuracy accuracy_to_laplacian_scale "
        "discrete_laplacian_scale_to_accuracy accuracy_to_discrete_laplacian_scale "
        "gaussian_scale_to_accuracy accuracy_to_gaussian_scale "
        "discrete_gaussian_scale_to_accuracy accuracy_to_discrete_gaussian_scale"
    ).split():
        assert name in dir(dp)


def test_importing_loads_no_more_than_is_needed() -> None:
    program = (
        "import sys, attrs, gmpy2, fractions, decimal, inspect, struct, reprlib\n"
        "before = set(sys.modules)\n"
        "import opendp_lite.prelude\n"
        "print(*sorted(m for m in set(sys.modules) - before "
        "if not m.startswith('opendp_lite')))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert set(run.stdout.split()) <= {"__future__", "contextvars", "_contextvars"}


def test_a_script_as_opendp_users_write_it() -> None:
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=float)), dp.symmetric_distance()
    chain = (
        space
        >> dp.t.then_impute_constant(0.0)
        >> dp.t.then_clamp(bounds=(0.0, 10.0))
        >> dp.t.then_sum()
        >> dp.m.then_laplace(scale=10.0)
    )
    assert chain.map(d_in=1) == 1.0
    assert chain.check(d_in=1, d_out=1.0)
    assert isinstance(chain([1.0, float("nan"), 50.0]), float)
    scale = dp.binary_search_param(
        lambda s: dp.m.make_laplace(
            dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), s
        ),
        d_in=1.0,
        d_out=0.5,
    )
    assert scale == 2.0
    with pytest.raises(dp.OpenDPException, match="scale=-1") as caught:
        dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), -1.0)
    assert caught.value.variant == "MakeMeasurement"
