# ruff: noqa
# fmt: off
# What was read of opendp_lite.base.features; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.errors import OpenDPException

GLOBAL_FEATURES: set[str] = set()


# === assert_features with OpenDPException, GLOBAL_FEATURES
def assert_features(*features: str, what: str = "this") -> None:
    for feature in features:
        if feature not in GLOBAL_FEATURES:
            raise OpenDPException(
                "FeatureRequired",
                f"{what} needs the feature {feature!r}, which is not enabled. "
                f'Call enable_features("{feature}") if you accept what it stands for.',
            )
