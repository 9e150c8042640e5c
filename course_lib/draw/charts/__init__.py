"""Numbers as bars, lines and timelines."""
