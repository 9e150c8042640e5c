"""Every kind of recorded row against the model."""
