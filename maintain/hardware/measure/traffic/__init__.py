"""Bytes a second: reads, stores, L2 and DRAM."""
