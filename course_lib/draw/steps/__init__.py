"""What happens one after the other: a barrier under a script, questions that were answered."""
