"""Row by row: each row is made another, whatever the others are."""
