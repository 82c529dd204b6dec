"""How crex writes cricket: one-letter fields, codes for names, scores with an open bracket."""
