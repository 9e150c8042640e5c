"""What was asked of a device, one file a subject: rows without their answers."""
