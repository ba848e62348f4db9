"""Tools that go beyond OpenDP's core, in the places where OpenDP has them."""
