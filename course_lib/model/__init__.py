"""What the hardware does: NumPy and the standard library only, no I/O, no printing, no randomness."""
