"""`python -m opendp_lite.cli`: the command, where its script is not on the path."""

from opendp_lite.cli import main

main(prog_name="opendp-lite")  # so that completion finds it under its name
