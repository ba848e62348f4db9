# ruff: noqa
# fmt: off
# What was read of opendp_lite.core.registry; written by `opendp-lite proofs
# accept`, never by hand, and never run.

import attrs


# === Made.steps with attrs
@attrs.frozen(eq=False, repr=False)
class Made:
    record: Record | None = attrs.field(default=None, kw_only=True)
    def steps(self) -> list[Made]:
        arguments = dict(self.record.arguments) if self.record else {}
        inner = arguments.get("transformation0") or arguments.get("measurement0")
        outer = (
            arguments.get("transformation1")
            or arguments.get("measurement1")
            or arguments.get("postprocess1")
        )
        if inner is None or outer is None:
            return [self]
        return [
            *inner.steps(),
            *(outer.steps() if isinstance(outer, Made) else [outer]),
        ]
