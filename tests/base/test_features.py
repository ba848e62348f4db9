"""Features: asked for by name, unknown names refused, all or none enabled."""

from __future__ import annotations

import pytest

from opendp_lite.base.errors import OpenDPException
from opendp_lite.base.features import (
    GLOBAL_FEATURES,
    assert_features,
    disable_features,
    enable_features,
)


def test_features_are_switched_on_and_off() -> None:
    enable_features("contrib", "floating-point", "idealized-numerics")
    assert_features("contrib", "floating-point")
    disable_features("contrib", "never enabled")
    with pytest.raises(OpenDPException) as caught:
        assert_features("floating-point", "contrib")
    assert caught.value.variant == "FeatureRequired"
    assert "'contrib'" in caught.value.message
    assert 'enable_features("contrib")' in caught.value.message
    assert_features()


def test_an_unknown_feature_is_refused_and_nothing_is_enabled() -> None:
    disable_features("contrib")
    with pytest.raises(OpenDPException) as caught:
        enable_features("contrib", "honest-but-furious")
    assert "feature='honest-but-furious'" in caught.value.message
    assert "honest-but-curious" in caught.value.message
    assert "Check the spelling" in caught.value.message
    assert "contrib" not in GLOBAL_FEATURES
    for bad in (["contrib"], 1, None):
        with pytest.raises(OpenDPException, match="feature="):
            enable_features(bad)  # type: ignore[arg-type]
