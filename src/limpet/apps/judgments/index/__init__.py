"""A court's index: read, kept version by version, compared with what we know, and applied."""
