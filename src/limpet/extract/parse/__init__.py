"""Text that people wrote becomes a value, or a named problem; never a guess."""
