"""Random calls and copies, answered by the model and by the GPU."""
