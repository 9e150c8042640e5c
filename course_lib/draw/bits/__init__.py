"""Bits, bytes and words of a tensor map and of an element."""
