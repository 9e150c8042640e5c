"""Calls and the replies to them: verdicts, comparisons, what several machines said."""
