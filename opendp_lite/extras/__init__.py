"""Tools that go beyond OpenDP's core, in the places where OpenDP has them."""

from typing import TYPE_CHECKING

from opendp_lite.base.loading import refusing

if not TYPE_CHECKING:
    __getattr__ = refusing(__name__)
