"""What the tensor core reads: its own shared-memory descriptor."""
