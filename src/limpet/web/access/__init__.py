"""Who comes in, what they may do, and the proof that it is they who ask."""
