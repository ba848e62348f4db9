"""Queries about tables through a Context: asked, given noise, and answered."""
