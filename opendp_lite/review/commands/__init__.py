"""What the command line does: review, record, move, build, begin a proof."""
