"""One widget for each subject."""
