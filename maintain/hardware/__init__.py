"""Programs for a machine with a GPU: record, ask again, measure, fuzz. No lesson imports them."""
