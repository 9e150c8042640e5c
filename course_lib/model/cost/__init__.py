"""What a copy costs: banks, L2 and DRAM, instructions, registers."""
