"""Measurements on a real GPU: ``python -m maintain.hardware.measure OUTDIR --only bandwidth latency …``.

One file a measurement, each a generator of rows. Every measurement runs in a process of its own with its own time limit.
A row holds the kernel's name (course_lib/gpu/kernels), its macros and every parameter, so that it can be made again.
"""
