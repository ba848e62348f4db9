"""Features: switches by which a user accepts what the library cannot check.

`honest-but-curious` is asked for by constructors with conditions that only a person can
verify: they take code or claims on trust. `contrib` is asked for by constructors whose
proof is a draft. A constructor that is vetted and checks everything asks for neither.
"""

from __future__ import annotations

from opendp_lite.base.errors import OpenDPException, refusal

GLOBAL_FEATURES: set[str] = set()
KNOWN = (
    "contrib",
    "floating-point",
    "honest-but-curious",
    "idealized-numerics",
    "rust-stack-trace",
)


def enable_features(*features: str) -> None:
    """Allow constructors that need one of `features` in this process.

    :param features: names such as "contrib"

    >>> enable_features("honest-but-curious")
    >>> assert_features("honest-but-curious")
    >>> disable_features("honest-but-curious")
    """
    for feature in features:
        if feature not in KNOWN:
            rule = f"must be one of {', '.join(KNOWN)}"
            raise refusal("Unsupported", "feature", feature, rule, "Check the spelling")
    GLOBAL_FEATURES.update(features)


def disable_features(*features: str) -> None:
    """Take back `enable_features`.

    :param features: names such as "contrib"
    """
    GLOBAL_FEATURES.difference_update(features)


def assert_features(*features: str, what: str = "this") -> None:
    """Raise, naming `what` needs them, unless every one of `features` is enabled.

    :param features: names such as "contrib"
    :param what: who needs them, for the message
    """
    for feature in features:
        if feature not in GLOBAL_FEATURES:
            raise OpenDPException(
                "FeatureRequired",
                f"{what} needs the feature {feature!r}, which is not enabled. "
                f'Call enable_features("{feature}") if you accept what it stands for.',
            )
