"""What a copy does to bytes: the plan, the traps, the transfer."""
