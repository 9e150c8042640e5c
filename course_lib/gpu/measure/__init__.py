"""What a live cell measures: launches that are timed, tiles that are compared."""
