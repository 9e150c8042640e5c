"""What the machine fixes, as data: enumerations, limits by target, bit fields, swizzle patterns, faults."""
