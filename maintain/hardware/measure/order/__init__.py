"""Who sees what, and when: fences, order, edits."""
