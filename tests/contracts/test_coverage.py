"""Every registered constructor has a contract.

Each module `test_*.py` beside this one defines `CONTRACTS`, a list of contracts, and
one test that runs `verify.contract` on each.
"""

from __future__ import annotations

import importlib.util
import inspect
import pkgutil
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from opendp_lite import (
    combinators,
    core,
    measurements,
    tables,
    transformations,
    verify,
)
from opendp_lite.base.features import enable_features
from opendp_lite.core.registry import REGISTRY
from opendp_lite.verify import Contract

CONTRACT_FILES = [
    path
    for path in sorted(Path(__file__).parent.glob("test_*.py"))
    if path.name != Path(__file__).name
]


def load(path: Path) -> ModuleType:
    """Import a module of contracts under a name of its own."""
    name = f"contracts_of_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@cache
def contract_modules() -> list[ModuleType]:
    return [load(path) for path in CONTRACT_FILES]


def registered_name(constructor: object) -> str:
    return f"{constructor.__module__}:{constructor.__qualname__}"  # type: ignore[attr-defined]


def shipped() -> set[str]:
    """The registered constructors of the package itself."""
    for package in (combinators, core, measurements, tables, transformations):
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(each.name)  # registers what it defines
    return {name for name in REGISTRY if name.startswith("opendp_lite.")}


def without_contract(names: Iterable[str], contracts: Iterable[Contract]) -> set[str]:
    return set(names) - {registered_name(each.constructor) for each in contracts}


def all_contracts() -> list[Contract]:
    return [each for module in contract_modules() for each in module.CONTRACTS]


def test_every_constructor_has_a_contract() -> None:
    assert shipped()
    assert without_contract(shipped(), all_contracts()) == set()


def test_a_constructor_without_contract_is_found() -> None:
    planted = "opendp_lite.measurements.planted:make_planted"
    assert without_contract({*shipped(), planted}, all_contracts()) == {planted}


def test_every_contract_has_refusals() -> None:
    bare = [
        each.name
        for each in all_contracts()
        if not each.refusals and inspect.signature(each.constructor).parameters
    ]
    assert bare == []


def test_every_measurement_has_certificates() -> None:
    bare = [
        each.name
        for each in all_contracts()
        if ".measurements." in registered_name(each.constructor)
        and not each.certificates
    ]
    assert bare == []


def test_every_module_of_contracts_runs_them() -> None:
    """The one test of a module is parametrized over its CONTRACTS."""
    for module in contract_modules():
        tests = [
            each
            for name, each in vars(module).items()
            if name.startswith("test_") and hasattr(each, "pytestmark")
        ]
        parameters = [
            mark.args[1]
            for test in tests
            for mark in test.pytestmark
            if mark.name == "parametrize"
        ]
        assert any(_rows(each) == module.CONTRACTS for each in parameters), (
            module.__name__
        )


def _rows(parameters: Iterable[object]) -> list[object]:
    """The rows of a parametrization, of which some may be for the audit only."""
    return [
        each.values[0] if isinstance(each, type(pytest.param())) else each
        for each in parameters
    ]


@pytest.mark.audit
@pytest.mark.parametrize("path", CONTRACT_FILES, ids=lambda path: path.stem)
def test_the_contracts_hold_with_all_that_they_say(path: Path) -> None:
    """In `make test` they have a quarter of the examples, and smaller laws."""
    module = load(path)
    if hasattr(module, "_curves_of_users"):  # what the module's own test asks for
        enable_features("honest-but-curious")
    for terms in module.CONTRACTS:
        verify.contract(terms)
