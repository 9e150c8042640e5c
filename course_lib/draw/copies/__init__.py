"""Where a box lies: in the tensor, in memory, on the banks."""
