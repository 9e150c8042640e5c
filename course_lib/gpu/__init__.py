"""The real machine: encode with the driver, compile, launch, read back. Needs cuda-python, and a GPU to launch."""
