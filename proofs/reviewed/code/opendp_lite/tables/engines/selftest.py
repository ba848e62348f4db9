# ruff: noqa
# fmt: off
# What was read of opendp_lite.tables.engines.selftest; written by `opendp-lite proofs
# accept`, never by hand, and never run.

from opendp_lite.base.errors import OpenDPException
from opendp_lite.tables.engines.engine import Frame
from opendp_lite.tables.engines.engine import asked
from opendp_lite.tables.engines.lazy import LazyEngine
import hashlib

opendp_lite.tables.engines.engine.Frame: typing.TypeAlias = typing.Any
REFUSED = (
    "the engine that holds the table, with the settings of its session, does not "
    "compute what the proofs assume: on a fixed table of 64 rows its integers are "
    "others than Python's. Nothing was released. Use a session with usual settings, "
    "functions and versions, or bring the table as Parquet files"
)


# === require_tested with OpenDPException, Frame, asked, LazyEngine, hashlib,
#    opendp_lite.tables.engines.engine.Frame, REFUSED
def require_tested(engine: LazyEngine, frame: Frame) -> None:
    settings = asked(lambda: engine.settings(frame), engine)
    digest = hashlib.sha256(settings.encode()).hexdigest()
    if digest in engine.tested:
        return
    if not asked(lambda: agrees(engine, frame), engine):
        raise OpenDPException("FailedEngine", REFUSED)
    engine.tested.add(digest)
