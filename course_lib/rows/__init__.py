"""The wire: a call, a memory, an outcome as a line of JSON; recordings, GPU and machines share it."""
