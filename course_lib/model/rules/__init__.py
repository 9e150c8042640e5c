"""What the driver refuses, what it lets through, and what would mend a call."""
