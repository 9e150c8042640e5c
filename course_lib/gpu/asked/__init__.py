"""What a child process does with one row: launch, and answer in the words of a recording."""
