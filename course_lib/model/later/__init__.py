"""Copies of chips after Hopper, by the documents: packed types, gather4, im2col along the width."""
