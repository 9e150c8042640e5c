"""What all checks share: the outcome, the patience, the questions as data."""
