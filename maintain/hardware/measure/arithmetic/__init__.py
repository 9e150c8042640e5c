"""What tensor cores, fma and Triton's kernels do."""
